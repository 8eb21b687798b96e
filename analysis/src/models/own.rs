//! Models that the user writes down: sums of terms, each a coefficient ≥ 0 times a function of n and p.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::linear::{columns, least_squares};
use super::model::{Model, Observation};
use crate::error::{Error, Result, check_count};

/// The factor of one coefficient, as a function of size n and processors p.
pub type Term = Box<dyn Fn(f64, f64) -> f64 + Send + Sync>;

/// Your own formula behind a [`Model::Own`]. Two are equal if they are the same one.
#[derive(Clone, Copy)]
pub struct Own(pub(super) &'static Formula);

/// The formula itself, kept as long as the process.
pub(super) struct Formula {
    pub(super) name: String,
    pub(super) formula: String,
    pub(super) coefficients: Vec<&'static str>,
    terms: Vec<Term>,
    pub(super) of_size: bool,
    pub(super) of_processors: bool,
}

/// The most coefficients: more than any sweep can separate.
const MOST_COEFFICIENTS: usize = 8;

impl Model {
    /// A model by its name, its formula for reports, and its terms: the name of each coefficient and its factor.
    /// `varies` is whether n enters, and whether p does. It is kept for the rest of the process.
    ///
    /// ```
    /// use plusminus_analysis::models::{fit, FitOptions, Model, Observation};
    ///
    /// let terms: Vec<(String, plusminus_analysis::models::Term)> = vec![
    ///     ("a".to_owned(), Box::new(|_, _| 1.0)),
    ///     ("b".to_owned(), Box::new(|n, _| n.sqrt())),
    /// ];
    /// let root = Model::own("root", "a + b*sqrt(n)", terms, (true, false)).unwrap();
    /// let observed: Vec<Observation> =
    ///     [1.0, 4.0, 9.0, 100.0].map(|n: f64| Observation::of_size(n, 5.0 + 2.0 * n.sqrt())).to_vec();
    /// let fit = fit(root, &observed, &FitOptions::default()).unwrap();
    /// assert!((fit.values()[0] - 5.0).abs() < 1e-9 && (fit.values()[1] - 2.0).abs() < 1e-9);
    /// ```
    ///
    /// # Errors
    /// Without a term, and with more than eight.
    pub fn own(
        name: &str,
        formula: &str,
        terms: Vec<(String, Term)>,
        (of_size, of_processors): (bool, bool),
    ) -> Result<Self> {
        check_count("coefficients", terms.len(), 1)?;
        if terms.len() > MOST_COEFFICIENTS {
            let reason = "at most 8 are distinguishable";
            return Err(Error::Parameter {
                name: "coefficients",
                value: terms.len() as f64,
                reason,
            });
        }
        let (names, terms): (Vec<String>, Vec<Term>) = terms.into_iter().unzip();
        let coefficients = names.into_iter().map(|name| &*Box::leak(name.into_boxed_str()));
        let formula = Formula {
            name: name.to_owned(),
            formula: formula.to_owned(),
            coefficients: coefficients.collect(),
            terms,
            of_size,
            of_processors,
        };
        Ok(Self::Own(Own(Box::leak(Box::new(formula)))))
    }
}

impl Own {
    pub(super) fn row(self, n: f64, p: f64) -> Vec<f64> {
        self.0.terms.iter().map(|term| term(n, p)).collect()
    }

    /// Rejects data on which a term has no value that is at least 0, or is 0 everywhere.
    pub(super) fn check(self, observed: &[Observation]) -> Result<()> {
        let rows: Vec<Vec<f64>> = observed.iter().map(|o| self.row(o.n, o.p)).collect();
        for (index, row) in rows.iter().enumerate() {
            if let Some(&value) = row.iter().find(|x| !(x.is_finite() && **x >= 0.0)) {
                let reason = "a term of the model must be a number of at least 0 for each n and p";
                return Err(Error::Invalid { index, value, reason });
            }
        }
        let empty = |k: usize| rows.iter().all(|row| row[k] == 0.0);
        if (0..self.0.terms.len()).any(empty) {
            return Err(Error::Undefined { what: "a term of the model is 0 for each n and p" });
        }
        if least_squares(&columns(&rows), &vec![1.0; rows.len()]).is_none() {
            let what = "the terms of the model vary alike over these n and p, so their coefficients are not determined";
            return Err(Error::Undefined { what });
        }
        Ok(())
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Own {}

impl Hash for Own {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0.formula)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{FitOptions, compare, fit, leave_one_out, simple_fit};

    fn own(formula: &str, terms: Vec<(&str, Term)>) -> Model {
        let terms = terms.into_iter().map(|(name, term)| (name.to_owned(), term)).collect();
        Model::own(formula, formula, terms, (true, false)).unwrap()
    }

    fn observed() -> Vec<Observation> {
        let time = |n: f64| 40.0 + 3.0 * n * libm::log2(n);
        (4..12).map(|k| f64::from(1 << k)).map(|n| Observation::of_size(n, time(n))).collect()
    }

    /// The same formula as a law that is built in gives the same fit, to the last digits.
    #[test]
    fn a_law_written_down_is_the_law_built_in() {
        let mut data = observed();
        data.iter_mut().enumerate().for_each(|(i, o)| o.time *= [1.02, 0.97, 1.01][i % 3]);
        let log = |n: f64, _: f64| n * libm::log2(n);
        let written =
            own("a + c*n*log2(n)", vec![("a", Box::new(|_, _| 1.0)), ("c", Box::new(log))]);
        let options = FitOptions::default();
        let (one, two) = (
            fit(written, &data, &options).unwrap(),
            fit(Model::AffineNLogN, &data, &options).unwrap(),
        );
        assert_eq!(one.coefficients, two.coefficients);
        assert_eq!((&one.residuals, one.aicc), (&two.residuals, two.aicc));
        assert_eq!(one.predict(50.0, 1.0), two.predict(50.0, 1.0));
        assert!(one.coefficients.iter().all(|c| c.estimate.u.is_some_and(|u| u > 0.0)));
        assert_eq!(leave_one_out(&one, &data, &options), leave_one_out(&two, &data, &options));
        assert_eq!(simple_fit(written, &data), simple_fit(Model::AffineNLogN, &data));
    }

    #[test]
    fn it_is_ranked_among_the_others() {
        let log = |n: f64, _: f64| n * libm::log2(n);
        let written = own("true law", vec![("a", Box::new(|_, _| 1.0)), ("c", Box::new(log))]);
        let models = [Model::Linear, written, Model::Quadratic];
        let ranking = compare(&models, &observed(), &FitOptions::default()).unwrap();
        assert_eq!(ranking.ranked[0].fit.model.name(), "true law");
        assert_ne!(written, own("true law", vec![("a", Box::new(|_, _| 1.0))]));
    }

    #[test]
    fn terms_without_a_value_are_refused() {
        let options = FitOptions::default();
        let refused = |terms| fit(own("f", terms), &observed(), &options).unwrap_err().to_string();
        assert!(refused(vec![("a", Box::new(|n, _| -n))]).contains("at least 0"));
        assert!(
            refused(vec![("a", Box::new(|n: f64, _| (n - 20.0).sqrt()))]).contains("at least 0")
        );
        assert!(refused(vec![("a", Box::new(|_, _| 0.0))]).contains("0 for each"));
        let twice: Vec<(&str, Term)> =
            vec![("a", Box::new(|n, _| n)), ("b", Box::new(|n, _| 2.0 * n))];
        assert!(refused(twice).contains("not determined"));
        assert!(Model::own("", "", Vec::new(), (true, false)).is_err());
    }
}
