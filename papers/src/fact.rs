//! Facts: numbers that records hold, with what each is of.

/// A number, the quantity that it is a value of, and its labels.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) quantity: &'static str,
    pub(super) labels: Vec<(&'static str, String)>,
    pub(super) value: f64,
    /// Its standard uncertainty, if known.
    pub(super) u: Option<f64>,
}

/// Labels of a fact, in the order in which they are printed.
pub(super) type Labels = Vec<(&'static str, String)>;

impl Fact {
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(own, _)| *own == name).map(|(_, value)| &**value)
    }
}

/// The facts of a paper's records.
#[derive(Debug, Default)]
pub(super) struct Facts(pub(super) Vec<Fact>);

impl Facts {
    /// Adds a value. Infinities and NaN are ignored.
    pub(super) fn add(&mut self, quantity: &'static str, labels: &Labels, value: f64) {
        self.uncertain(quantity, labels, value, None);
    }

    /// Adds a value with its standard uncertainty.
    pub(super) fn uncertain(
        &mut self,
        quantity: &'static str,
        labels: &Labels,
        value: f64,
        u: Option<f64>,
    ) {
        if value.is_finite() {
            self.0.push(Fact { quantity, labels: labels.clone(), value, u });
        }
    }

    pub(super) fn of<'a>(&'a self, quantity: &'a str) -> impl Iterator<Item = &'a Fact> {
        self.0.iter().filter(move |fact| fact.quantity == quantity)
    }
}

/// A ratio with its standard uncertainty, of two values that are independent.
pub(super) fn ratio(a: (f64, Option<f64>), b: (f64, Option<f64>)) -> (f64, Option<f64>) {
    let value = a.0 / b.0;
    let relative = |(value, u): (f64, Option<f64>)| u.map(|u| u / value);
    let u = relative(a).zip(relative(b)).map(|(a, b)| value.abs() * a.hypot(b));
    (value, u)
}
