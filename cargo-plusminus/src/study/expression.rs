//! Formulas that users write on the command line, in a small closed grammar: models such as `a + b*n*log2(n)`, read into
//! terms that are each multiplied by one coefficient, and quantities such as `work/time`. Nothing here fits anything.

mod parser;

pub(super) use parser::parse;
use plusminus_analysis::models::{Model, Term};

/// The longest formula, in bytes: nothing can be nested deeper than a stack allows.
const LONGEST: usize = 400;

/// Rejects a formula that is too long to read.
pub(super) fn check_length(option: &str, text: &str) -> Result<(), String> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    Err(format!("{option}: a formula may have {LONGEST} bytes, and this has {}", text.len()))
}

/// Whether a name can be printed, and told from other parts of a table.
pub(super) fn is_name(name: &str) -> bool {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || " +-_.*/^()·,".contains(letter);
    !name.is_empty() && name.chars().all(allowed)
}

/// Reads `FORMULA` or `NAME: FORMULA`.
///
/// # Errors
/// A sentence that describes the fault.
pub(super) fn model(text: &str) -> Result<Model, String> {
    let wrong = |reason: String| format!("--model {text:?}: {reason}");
    check_length("--model", text)?;
    let (name, formula) = match text.split_once(':') {
        Some((name, formula)) => (name.trim(), formula.trim()),
        None => (text.trim(), text.trim()),
    };
    let no_name = "the name before the colon is made of letters, digits and blanks";
    let no_coefficient =
        "every part needs a coefficient that is fitted, such as a and b in a + b*n";
    if !is_name(name) {
        return Err(wrong(no_name.to_owned()));
    }
    let linear = parse(formula).and_then(|expression| linear(&expression)).map_err(wrong)?;
    if linear.free.as_ref().is_some_and(|free| *free != Expression::Number(0.0)) {
        return Err(wrong(no_coefficient.to_owned()));
    }
    let has = |leaf: &Expression| linear.terms.iter().any(|(_, term)| term.contains(leaf));
    let varies = (has(&Expression::Size), has(&Expression::Processors));
    // A term has no coefficients of its own.
    let compiled = linear.terms.into_iter().map(|(name, term)| -> (String, Term) {
        (name, Box::new(move |n, p| term.value(n, p, &|_| f64::NAN)))
    });
    Model::own(name, formula, compiled.collect(), varies).map_err(|error| wrong(error.to_string()))
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    Size,
    Processors,
    Coefficient(String),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// The place of a function in [`FUNCTIONS`], and as many arguments as it takes.
    Call(usize, Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

type Function = (&'static str, usize, fn(&[f64]) -> f64);

/// The functions of a formula, with how many arguments each takes.
const FUNCTIONS: [Function; 10] = [
    ("log2", 1, |x| x[0].log2()),
    ("log", 1, |x| x[0].log2()),
    ("ln", 1, |x| x[0].ln()),
    ("log10", 1, |x| x[0].log10()),
    ("sqrt", 1, |x| x[0].sqrt()),
    ("abs", 1, |x| x[0].abs()),
    ("ceil", 1, |x| x[0].ceil()),
    ("floor", 1, |x| x[0].floor()),
    ("min", 2, |x| x[0].min(x[1])),
    ("max", 2, |x| x[0].max(x[1])),
];

impl Expression {
    fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    pub(super) fn contains(&self, leaf: &Self) -> bool {
        self == leaf || self.parts().iter().any(|part| part.contains(leaf))
    }

    fn has_coefficient(&self) -> bool {
        matches!(self, Self::Coefficient(_))
            || self.parts().iter().any(|part| part.has_coefficient())
    }

    fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Binary(_, left, right) => vec![left, right],
            Self::Call(_, arguments) => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The names in it other than n and p, each once.
    pub(super) fn names(&self) -> Vec<&str> {
        if let Self::Coefficient(name) = self {
            return vec![name];
        }
        super::each_once(self.parts().into_iter().flat_map(Self::names))
    }

    /// Its value, with those of the names in it.
    pub(super) fn value(&self, n: f64, p: f64, named: &dyn Fn(&str) -> f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Size => n,
            Self::Processors => p,
            Self::Coefficient(name) => named(name),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(n, p, named), right.value(n, p, named));
                match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left / right,
                    Operator::Power => left.powf(right),
                }
            }
            Self::Call(function, arguments) => {
                let values: Vec<f64> = arguments.iter().map(|one| one.value(n, p, named)).collect();
                FUNCTIONS[*function].2(&values)
            }
        }
    }
}

/// A sum of terms, each with one coefficient, and a part without any.
struct Linear {
    free: Option<Expression>,
    terms: Vec<(String, Expression)>,
}

/// Takes a formula apart by its coefficients.
fn linear(expression: &Expression) -> Result<Linear, String> {
    if !expression.has_coefficient() {
        return Ok(Linear { free: Some(expression.clone()), terms: Vec::new() });
    }
    match expression {
        Expression::Coefficient(name) => {
            Ok(Linear { free: None, terms: vec![(name.clone(), Expression::Number(1.0))] })
        }
        Expression::Binary(operator @ (Operator::Add | Operator::Subtract), left, right) => {
            Ok(linear(left)?.and(*operator, linear(right)?))
        }
        Expression::Binary(Operator::Multiply, left, right) if !left.has_coefficient() => {
            Ok(linear(right)?
                .each(|term| Expression::binary(Operator::Multiply, (**left).clone(), term)))
        }
        Expression::Binary(operator @ (Operator::Multiply | Operator::Divide), left, right)
            if !right.has_coefficient() =>
        {
            Ok(linear(left)?.each(|term| Expression::binary(*operator, term, (**right).clone())))
        }
        _ => Err("it has to be linear in its coefficients: a sum of terms that are each one coefficient times something \
                  of n and p"
            .to_owned()),
    }
}

impl Linear {
    /// Every term as something else.
    fn each(self, change: impl Fn(Expression) -> Expression) -> Self {
        let terms = self.terms.into_iter().map(|(name, term)| (name, change(term))).collect();
        Self { free: self.free.map(&change), terms }
    }

    /// The sum or difference of both; a coefficient that is in both has one term.
    fn and(mut self, operator: Operator, other: Self) -> Self {
        let join = |left: Option<Expression>, right| {
            let left = left.unwrap_or(Expression::Number(0.0));
            Expression::binary(operator, left, right)
        };
        if let Some(right) = other.free {
            self.free = Some(join(self.free.take(), right));
        }
        for (name, right) in other.terms {
            match self.terms.iter_mut().find(|(own, _)| *own == name) {
                Some((_, term)) => *term = join(Some(term.clone()), right),
                None if operator == Operator::Add => self.terms.push((name, right)),
                None => self.terms.push((name, join(None, right))),
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use plusminus_analysis::models::{FitOptions, Observation, fit};

    use super::*;

    /// The value of a formula without coefficients at n = 8, p = 2.
    fn value(text: &str) -> f64 {
        parse(text).unwrap().value(8.0, 2.0, &|_| f64::NAN)
    }

    #[test]
    fn the_usual_order_of_operations_is_kept() {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("2 - 3 - 4", -5.0),
            ("2^3^2", 512.0),
            ("-n^2", -64.0),
            ("n^-1", 0.125),
            ("12/2/3", 2.0),
            ("(1+2)*3", 9.0),
            ("log2(n)/p", 1.5),
            ("ln(n) / ln(2)", 3.0),
            ("log10(100) + sqrt(4) + abs(-3)", 7.0),
            ("ceil(n/3) - floor(n/3)", 1.0),
            ("min(n, p)*max(n,p)", 16.0),
            ("1.5e1 + 2E-1·10", 17.0),
        ] {
            assert!((value(text) - expected).abs() < 1e-12, "{text} = {}", value(text));
        }
    }

    #[test]
    fn formulas_become_models_with_their_coefficients() {
        let of = |text: &str| {
            let model = model(text).unwrap();
            (model.name(), model.formula(), model.coefficient_names().join(","))
        };
        let plain = "a + b*n*log2(n)";
        assert_eq!(of(plain), (plain, plain, "a,b".to_owned()));
        let named = of("mine: (s + w*n)/p + c*(p - 1)");
        assert_eq!(named, ("mine", "(s + w*n)/p + c*(p - 1)", "s,w,c".to_owned()));
        let merged = model("a*n + a*n^2").unwrap();
        assert_eq!(merged.coefficient_names(), ["a"]);
        assert!(merged.depends_on_size() && !merged.depends_on_processors());
        assert!(model("a/p").unwrap().depends_on_processors());
    }

    #[test]
    fn a_written_model_finds_its_coefficients() {
        let written = model("(s + w*n)/p + c*log2(p)").unwrap();
        let mut observed = Vec::new();
        for n in [100.0, 1000.0, 5000.0] {
            for p in [1.0, 2.0, 4.0_f64] {
                let time = (40.0 + 3.0 * n) / p + 7.0 * p.log2();
                observed.push(Observation { n, p, time });
            }
        }
        let fit = fit(written, &observed, &FitOptions::default()).unwrap();
        for (found, expected) in fit.values().iter().zip([40.0, 3.0, 7.0]) {
            assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        }
        assert!(fit.residuals.iter().all(|residual| residual.abs() < 1e-9));
    }

    #[test]
    fn what_is_wrong_with_a_formula_is_said() {
        for (text, part) in [
            ("", "letters, digits"),
            ("a +", "missing at its end"),
            ("a*(n", "not closed"),
            ("a*n)", "')' is not expected at letter 4"),
            ("a*n + 5", "every part needs a coefficient"),
            ("n", "every part needs a coefficient"),
            ("a*b*n", "linear in its coefficients"),
            ("a^n", "linear in its coefficients"),
            ("n/a", "linear in its coefficients"),
            ("log2(a*n)", "linear in its coefficients"),
            ("a*log2", "log2 needs an argument"),
            ("a*min(n)", "min takes 2 arguments"),
            ("a*n(p)", "n is no function"),
            ("a*1.2.3", "is no number"),
            ("a*1e999", "is no number"),
            ("a;n", "letters, digits"),
            ("x: a;n", "';' is not expected"),
            (": a*n", "letters, digits"),
            ("a\u{1b}[2J: a", "letters, digits"),
            ("a+b+c+d+e+f+g+h+i", "at most 8"),
        ] {
            let error = model(text).unwrap_err();
            assert!(error.contains(part), "{text:?}: {error}");
            assert!(!error.contains('\u{1b}'), "{error:?}");
        }
        let deep = format!("a*{}n{}", "(".repeat(190), ")".repeat(190));
        assert!(model(&deep).is_ok());
        assert!(model(&"(".repeat(10_000)).unwrap_err().contains("400 bytes"));
    }
}
