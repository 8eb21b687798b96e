//! Quantities that users derive from measured ones, with the uncertainty that follows (VoV 6).

use plusminus::{
    record::Role,
    results::Time,
    text::{number::digits, visible},
};
use plusminus_analysis::{
    Estimate,
    propagation::{Covariance, propagate},
};
use serde::Serialize;

use super::{
    advice::seconds,
    collect::{Configuration, Problem, Variant},
    document::Number,
    expression::{Expression, check_length, is_name, parse},
    tables::{headings, size},
    text::{aligned, sentence, with_u},
};

#[derive(Debug)]
pub(super) struct Quantity {
    name: String,
    formula: String,
    expression: Expression,
}

/// A derived quantity of each configuration that has its inputs.
#[derive(Debug, Serialize)]
pub struct Derived {
    pub name: String,
    pub formula: String,
    pub rows: Vec<DerivedRow>,
    /// Configurations without one of the inputs.
    pub skipped: usize,
}

#[derive(Debug, Serialize)]
pub struct DerivedRow {
    pub problem: String,
    pub variant: String,
    pub point: String,
    pub n: Option<f64>,
    pub p: usize,
    pub derived: Number,
    pub inputs: Vec<Input>,
    /// Of the means of inputs that the same processes measured.
    pub covariances: Vec<CovarianceOf>,
}

#[derive(Debug, Serialize)]
pub struct Input {
    pub name: &'static str,
    pub value: f64,
    pub u: Option<f64>,
    /// The derivative of the quantity by it.
    pub sensitivity: f64,
}

#[derive(Debug, Serialize)]
pub struct CovarianceOf {
    pub first: &'static str,
    pub second: &'static str,
    pub value: f64,
}

impl Derived {
    /// A line for each configuration, with c·u of each input: its part of u.
    pub(super) fn text(&self) -> String {
        let names: Vec<&str> = self.rows[0].inputs.iter().map(|input| input.name).collect();
        let mut first = headings("variant | n | p");
        first.push(format!("{} ± u", visible(&self.name)));
        first.extend(names.iter().map(|name| format!("∂/∂{name}")));
        first.extend(names.iter().map(|name| format!("|∂/∂{name}|·u")));
        first.push("u without covariances".to_owned());
        let mut rows = vec![first];
        for row in &self.rows {
            let n = row.n.map_or_else(|| visible(&row.point), |n| size(Some(n)));
            let value = with_u(row.derived.value, row.derived.u);
            let mut cells = vec![visible(&row.variant), n, row.p.to_string(), value];
            let parts: Vec<Option<f64>> =
                row.inputs.iter().map(|one| Some((one.sensitivity * one.u?).abs())).collect();
            let number = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), digits);
            cells.extend(row.inputs.iter().map(|one| digits(one.sensitivity)));
            cells.extend(parts.iter().map(|part| number(*part)));
            let apart: Option<f64> = parts.iter().map(|part| part.map(|u| u * u)).sum();
            cells.push(match row.covariances.is_empty() {
                true => "-".to_owned(),
                false => number(apart.map(f64::sqrt)),
            });
            rows.push(cells);
        }
        let skipped = match self.skipped {
            0 => String::new(),
            count => sentence(&format!("skipped without one of the inputs: {count}")),
        };
        let (name, formula) = (visible(&self.name), visible(&self.formula));
        format!("{name} = {formula}, times in seconds\n{}{skipped}\n", aligned(&rows))
    }
}

/// The names that a formula can use besides n and p, and what they stand for.
const INPUTS: [(&str, &str); 5] = [
    ("time", "the time of a call in seconds"),
    ("work", "the work of a call, of the problem's first kind"),
    ("base", "the time of the baseline variant at the same point and p"),
    ("serial", "the time of the reference at the same point and p"),
    ("one", "the time of the same variant at the same n and p = 1"),
];

/// Reads `NAME = FORMULA`.
///
/// # Errors
/// A sentence that describes the fault.
pub(super) fn quantity(text: &str) -> Result<Quantity, String> {
    let wrong = |reason: String| format!("--derive {text:?}: {reason}");
    check_length("--derive", text)?;
    let unnamed = "write it as NAME = FORMULA, such as \"edges/s = work/time\"";
    let (name, formula) = text.split_once('=').ok_or_else(|| wrong(unnamed.into()))?;
    let (name, formula) = (name.trim().to_owned(), formula.trim().to_owned());
    if !is_name(&name) {
        let unprintable = "the name before the equals sign is made of letters, digits and blanks";
        return Err(wrong(unprintable.to_owned()));
    }
    let expression = parse(&formula).map_err(wrong)?;
    let known = |name: &str| INPUTS.iter().any(|(input, _)| *input == name);
    if let Some(unknown) = expression.names().into_iter().find(|name| !known(name)) {
        let inputs: Vec<String> =
            INPUTS.iter().map(|(name, meaning)| format!("{name} ({meaning})")).collect();
        return Err(wrong(format!(
            "{unknown:?} is not an input; inputs are n, p, {}",
            inputs.join(", ")
        )));
    }
    Ok(Quantity { name, formula, expression })
}

/// A value that enters, and the runs that it comes from.
struct Entered<'a> {
    name: &'static str,
    estimate: Estimate,
    source: Option<(&'a Configuration, &'a Time)>,
}

impl<'a> Entered<'a> {
    fn time(name: &'static str, of: &'a Configuration) -> Self {
        Self { name, estimate: seconds(of.time.estimate), source: Some((of, &of.time)) }
    }

    /// The covariance with a different input, if the same processes measured both.
    fn covariance(&self, at: usize, other: &Self, other_at: usize) -> Option<Covariance> {
        let ((a, one), (b, two)) = (self.source?, other.source?);
        let limit = self.estimate.u? * other.estimate.u?;
        if std::ptr::eq(a, b) {
            // The same measurement under two names.
            return Some(Covariance { first: at, second: other_at, value: limit });
        }
        if (a.record, a.table) != (b.record, b.table) {
            return None;
        }
        let of_run = |time: &Time, run: u32| {
            let index = time.runs.iter().position(|own| *own == run)?;
            Some(time.run_means_ns[index] * 1e-9)
        };
        let of_both = |&run| Some((of_run(one, run)?, of_run(two, run)?));
        let (x, y): (Vec<f64>, Vec<f64>) = one.runs.iter().filter_map(of_both).unzip();
        let found = Covariance::of_means((at, &x), (other_at, &y)).ok()?;
        // Runs that one of the two lacks count for u alone, so that rounding could exceed the product.
        Some(Covariance { value: found.value.clamp(-limit, limit), ..found })
    }
}

/// Computes a quantity for each configuration of the problems.
///
/// # Errors
/// When no configuration has the inputs, or the formula has no value or slope at one that has them.
pub(super) fn derived(quantity: &Quantity, problems: &[Problem]) -> Result<Derived, String> {
    let wrong = |reason: String| format!("--derive {:?}: {reason}", quantity.name);
    let names = quantity.expression.names();
    let of_size = quantity.expression.contains(&Expression::Size);
    let (mut rows, mut skipped) = (Vec::new(), 0);
    for problem in problems {
        for variant in &problem.variants {
            for configuration in &variant.configurations {
                let entered: Option<Vec<Entered<'_>>> =
                    names.iter().map(|name| input(name, problem, variant, configuration)).collect();
                let Some(entered) = entered.filter(|_| !of_size || configuration.n.is_some())
                else {
                    skipped += 1;
                    continue;
                };
                let names = [&problem.name, &variant.function];
                let row = row(quantity, &entered, names, configuration).map_err(|reason| {
                    wrong(format!("{} {}: {reason}", variant.function, configuration.point))
                })?;
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        return Err(wrong(format!(
            "no configuration of the records has {} inputs: {}",
            if of_size { "a size n and all" } else { "all" },
            names.join(", ")
        )));
    }
    Ok(Derived { name: quantity.name.clone(), formula: quantity.formula.clone(), rows, skipped })
}

/// An input by its name; `None` if it was not measured.
fn input<'a>(
    name: &str,
    problem: &'a Problem,
    variant: &'a Variant,
    at: &'a Configuration,
) -> Option<Entered<'a>> {
    let same = |other: &&Configuration| (&other.point, other.p) == (&at.point, at.p);
    let of_role = |role: Role| {
        let mut variants = problem.variants.iter().filter(|variant| variant.role == role);
        variants.find_map(|variant| variant.configurations.iter().find(same))
    };
    match name {
        "time" => Some(Entered::time("time", at)),
        "work" => {
            let (_, amount) = at.work.as_ref()?;
            Some(Entered { name: "work", estimate: Estimate::exact(*amount), source: None })
        }
        "base" => {
            let first = || problem.variants.first()?.configurations.iter().find(same);
            of_role(Role::Baseline).or_else(first).map(|of| Entered::time("base", of))
        }
        "serial" => of_role(Role::Reference).map(|of| Entered::time("serial", of)),
        _ => {
            let on_one = |other: &&Configuration| {
                let same_size = match at.n {
                    Some(n) => other.n == Some(n),
                    None => other.point == at.point,
                };
                other.p == 1 && same_size
            };
            let mut found = variant.configurations.iter().filter(on_one);
            // Of several points of one size none is the right one.
            let only = found.next().filter(|_| found.next().is_none());
            only.map(|of| Entered::time("one", of))
        }
    }
}

fn row(
    quantity: &Quantity,
    entered: &[Entered<'_>],
    [problem, variant]: [&String; 2],
    at: &Configuration,
) -> Result<DerivedRow, String> {
    let (n, p) = (at.n.unwrap_or(f64::NAN), at.p as f64);
    let position = |name: &str| entered.iter().position(|one| one.name == name);
    let f = |values: &[f64]| {
        let named = |name: &str| position(name).map_or(f64::NAN, |at| values[at]);
        quantity.expression.value(n, p, &named)
    };
    let inputs: Vec<Estimate> = entered.iter().map(|one| one.estimate).collect();
    let mut covariances = Vec::new();
    for (first, one) in entered.iter().enumerate() {
        let later = entered.iter().enumerate().skip(first + 1);
        covariances.extend(later.filter_map(|(at, other)| one.covariance(first, other, at)));
    }
    let found = propagate(&f, &inputs, &covariances).map_err(|error| error.to_string())?;
    let inputs = entered.iter().zip(found.sensitivities).map(|(one, sensitivity)| Input {
        name: one.name,
        value: one.estimate.value,
        u: one.estimate.u,
        sensitivity,
    });
    let covariances = covariances.iter().map(|c| CovarianceOf {
        first: entered[c.first].name,
        second: entered[c.second].name,
        value: c.value,
    });
    Ok(DerivedRow {
        problem: problem.clone(),
        variant: variant.clone(),
        point: at.point.clone(),
        n: at.n,
        p: at.p,
        derived: found.estimate.into(),
        inputs: inputs.collect(),
        covariances: covariances.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_names_known_inputs() {
        let found = quantity("edges/s = work/time").unwrap();
        assert_eq!((&*found.name, &*found.formula), ("edges/s", "work/time"));
        for (text, part) in [
            ("work/time", "NAME = FORMULA"),
            ("a;b = time", "letters, digits"),
            ("x = wrok/time", "\"wrok\" is not an input; inputs are n, p, time"),
            ("x = (time", "not closed"),
        ] {
            let error = quantity(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        assert!(quantity(&format!("x = {}", "(".repeat(400))).unwrap_err().contains("400 bytes"));
    }
}
