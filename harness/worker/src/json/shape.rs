//! Tables of fields and variants, from which the types are read and written.

/// Defines a struct whose form is an object of its fields, in the order in which they are written.
///
/// A plain field is required unless its type is an `Option`. `field: T = value` has a default. `field: T [unless_empty]`
/// is not written when it is empty, and is empty when it is missing. `unless_false` and `unless_none` work alike.
/// Unknown fields are ignored.
#[doc(hidden)]
#[macro_export]
macro_rules! json_object {
    ($(#[$about:meta])* $seen:vis struct $type:ident { $(
        $(#[$of_field:meta])* $field_seen:vis $field:ident: $of:ty $([$mark:ident])? $(= $default:expr)?
    ),* $(,)? }) => {
        $(#[$about])*
        $seen struct $type {
            $($(#[$of_field])* $field_seen $field: $of),*
        }

        #[doc(hidden)]
        impl $crate::json::ToJson for $type {
            fn write(&self, to: &mut $crate::json::Writer) {
                to.object(&[$((
                    stringify!($field),
                    $crate::json::json_object!(@written &self.$field $(, $mark)?),
                )),*]);
            }
        }

        #[doc(hidden)]
        impl $crate::json::FromJson for $type {
            fn blank() -> Self {
                Self { $($field: $crate::json::json_object!(@blank $($default)?)),* }
            }

            fn read(
                &mut self,
                from: &mut $crate::json::Reader<'_>,
            ) -> Result<(), $crate::json::Malformed> {
                from.object(&mut [$($crate::json::Field {
                    name: stringify!($field),
                    value: &mut self.$field,
                    optional: $crate::json::json_object!(@optional $($mark)? $($default)?),
                }),*])
            }
        }
    };
    (@written $value:expr) => { Some($value as &dyn $crate::json::ToJson) };
    (@written $value:expr, unless_empty) => {
        if $value.is_empty() { None } else { Some($value as &dyn $crate::json::ToJson) }
    };
    (@written $value:expr, unless_false) => {
        if *$value { Some($value as &dyn $crate::json::ToJson) } else { None }
    };
    (@written $value:expr, unless_none) => {
        if $value.is_none() { None } else { Some($value as &dyn $crate::json::ToJson) }
    };
    (@blank) => { $crate::json::FromJson::blank() };
    (@blank $default:expr) => { $default };
    (@optional) => { false };
    (@optional $($something:tt)+) => { true };
}

/// Describes the form of an enum. `"name" Variant` is written as its name. `"name" Variant(value)` and `"name"
/// Variant { fields }` are written as an object whose only field is the name. The first line is a value to read into.
#[doc(hidden)]
#[macro_export]
macro_rules! json_variants {
    (
        $type:ident, blank = $blank:expr;
        $($name:literal $variant:ident $(($value:ident))? $({ $($field:ident),* })?),* $(,)?
    ) => {
        #[doc(hidden)]
        impl $crate::json::ToJson for $type {
            fn write(&self, to: &mut $crate::json::Writer) {
                match self {
                    $(Self::$variant $(($value))? $({ $($field),* })? => {
                        $crate::json::json_variants!(@write to $name $(($value))? $({ $($field),* })?)
                    })*
                }
            }
        }

        #[doc(hidden)]
        impl $crate::json::FromJson for $type {
            fn blank() -> Self {
                $blank
            }

            fn read(
                &mut self,
                from: &mut $crate::json::Reader<'_>,
            ) -> Result<(), $crate::json::Malformed> {
                let tag = from.tag()?;
                match &*tag.name {
                    $($name => $crate::json::json_variants!(
                        @read self from tag $variant $(($value))? $({ $($field),* })?
                    ),)*
                    other => {
                        return Err($crate::json::Malformed::no_variant(&[$($name),*], other));
                    }
                }
                Ok(())
            }
        }
    };
    (@write $to:ident $name:literal) => { $to.text($name) };
    (@write $to:ident $name:literal ($value:ident)) => {
        $to.object(&[($name, Some($value as &dyn $crate::json::ToJson))])
    };
    (@write $to:ident $name:literal { $($field:ident),* }) => {
        $to.variant($name, &[$((stringify!($field), Some($field as &dyn $crate::json::ToJson))),*])
    };
    (@read $self:ident $from:ident $tag:ident $variant:ident) => {{
        *$self = Self::$variant;
        $from.end_of(&$tag, true)?;
    }};
    (@read $self:ident $from:ident $tag:ident $variant:ident ($value:ident)) => {{
        *$self = Self::$variant($crate::json::FromJson::blank());
        if let Self::$variant($value) = $self {
            $from.payload(&$tag, $value)?;
        }
        $from.end_of(&$tag, false)?;
    }};
    (@read $self:ident $from:ident $tag:ident $variant:ident { $($field:ident),* }) => {{
        *$self = Self::$variant { $($field: $crate::json::FromJson::blank()),* };
        if let Self::$variant { $($field),* } = $self {
            $from.fields(&$tag, &mut [$($crate::json::Field {
                name: stringify!($field),
                value: $field,
                optional: false,
            }),*])?;
        }
        $from.end_of(&$tag, false)?;
    }};
}

pub use {json_object, json_variants};
