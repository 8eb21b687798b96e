//! The values that fields consist of.

use super::{FromJson, Malformed, Reader, ToJson, Writer};

macro_rules! whole_numbers {
    ($($number:ident),*) => {$(
        impl ToJson for $number {
            fn write(&self, to: &mut Writer) {
                to.number(format_args!("{self}"));
            }
        }

        impl FromJson for $number {
            fn blank() -> Self {
                0
            }

            fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
                let digits = from.number()?;
                *self = digits.parse().map_err(|_| {
                    let wanted = concat!("a whole number within the limits of ", stringify!($number));
                    Malformed::unknown(wanted, &digits)
                })?;
                Ok(())
            }
        }
    )*};
}
whole_numbers!(i32, u32, u64, usize);

impl ToJson for f64 {
    /// The shortest digits that are read as the same number. JSON has none for what is not finite.
    fn write(&self, to: &mut Writer) {
        if !self.is_finite() {
            to.null();
        } else if (1e-5..1e-4).contains(&self.abs()) {
            // The exponents are those of all records so far: none yet here, and with a sign below.
            to.number(format_args!("{self}"));
        } else if self.abs() >= 1e16 {
            to.number(format_args!("{}", format!("{self:?}").replace('e', "e+")));
        } else {
            to.number(format_args!("{self:?}"));
        }
    }
}

impl FromJson for f64 {
    fn blank() -> Self {
        0.0
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        let digits = from.number()?;
        *self = digits.parse().unwrap_or(f64::INFINITY);
        if self.is_finite() {
            Ok(())
        } else {
            Err(Malformed::unknown("a number within the limits of f64", &digits))
        }
    }
}

impl ToJson for bool {
    fn write(&self, to: &mut Writer) {
        to.truth(*self);
    }
}

impl FromJson for bool {
    fn blank() -> Self {
        false
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        *self = from.truth()?;
        Ok(())
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write(&self, to: &mut Writer) {
        (**self).write(to);
    }
}

impl ToJson for str {
    fn write(&self, to: &mut Writer) {
        to.text(self);
    }
}

impl ToJson for String {
    fn write(&self, to: &mut Writer) {
        to.text(self);
    }
}

impl FromJson for String {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        *self = from.text()?.into_owned();
        Ok(())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, to: &mut Writer) {
        match self {
            Some(value) => value.write(to),
            None => to.null(),
        }
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn blank() -> Self {
        None
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        *self = None;
        if from.null()? { Ok(()) } else { self.insert(T::blank()).read(from) }
    }

    fn may_be_missing(&self) -> bool {
        true
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, to: &mut Writer) {
        to.list(self.len(), &|index, to| self[index].write(to));
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        self.clear();
        from.list(&mut |from| {
            let mut element = T::blank();
            element.read(from)?;
            self.push(element);
            Ok(())
        })
    }
}

/// A pair is a list of two.
impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn write(&self, to: &mut Writer) {
        let both = [&self.0 as &dyn ToJson, &self.1];
        to.list(both.len(), &|index, to| both[index].write(to));
    }
}

impl<A: FromJson, B: FromJson> FromJson for (A, B) {
    fn blank() -> Self {
        (A::blank(), B::blank())
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed> {
        let mut values = [&mut self.0 as &mut dyn FromJson, &mut self.1].into_iter();
        from.list(&mut |from| match values.next() {
            Some(value) => value.read(from),
            None => Err(Malformed::new("expected two values, found more")),
        })?;
        match values.next() {
            Some(_) => Err(Malformed::new("expected two values, found fewer")),
            None => Ok(()),
        }
    }
}
