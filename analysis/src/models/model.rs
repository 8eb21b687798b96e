//! The models, each a formula with coefficients ≥ 0.

use super::own::Own;
use crate::error::{Error, Result};
use crate::sums::dot;

/// One measured configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// Size of the problem, or length of a message.
    pub n: f64,
    /// Processors.
    pub p: f64,
    /// Time.
    pub time: f64,
}

impl Observation {
    /// A time at a size, on one processor.
    pub fn of_size(n: f64, time: f64) -> Self {
        Self { n, p: 1.0, time }
    }

    /// A time on some processors, for a size that does not vary.
    pub fn of_processors(p: f64, time: f64) -> Self {
        Self { n: 1.0, p, time }
    }
}

/// How time might depend on size n and processors p. Logarithms have base 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// T = c.
    Constant,
    /// T = c·n.
    Linear,
    /// T = a + c·n. For messages of n words: start-up t_s and time per word t_w.
    Affine,
    /// T = c·n·log n.
    NLogN,
    /// T = a + c·n·log n.
    AffineNLogN,
    /// T = c·n².
    Quadratic,
    /// T = c₁·n + c₂·n·log n.
    LinearPlusNLogN,
    /// T = a·n^b. The only model whose exponent is fitted; b may have either sign.
    PowerLaw,
    /// T = a/p: perfect strong scaling.
    Ideal,
    /// T = a + b/p: a share of a/(a+b) of the sequential time does not scale.
    Amdahl,
    /// T = a + b/p + c·log p.
    AmdahlPlusLog,
    /// T = a + b/p + c·p.
    AmdahlPlusLinear,
    /// T = (a + b(p−1) + c·p(p−1))/p: contention σ = b/a and coherency κ = c/a (Gunther's USL).
    Usl,
    /// Weak scaling with work in proportion to p: 1/T = b₁/p + b₂, a share s' = b₁/(b₁+b₂) of the parallel
    /// time is sequential (Gustafson).
    Gustafson,
    /// T = (l + g(n−1))/n: latency and gap per access in blocks of length n.
    LatencyGap,
    /// T = (c₁·n + c₂·n·log n)(s + (1−s)/p) + c₃·log p + c₄.
    SizeAndProcessors,
    /// Your own formula: see [`Model::own`].
    Own(Own),
}

/// The name of a model, its formula, and the names of its coefficients.
type Described = (&'static str, &'static str, &'static [&'static str]);

/// The models that are built in, each with what describes it.
const BUILT_IN: [(Model, &str, &str, &[&str]); 16] = [
    (Model::Constant, "constant", "c", &["c"]),
    (Model::Linear, "linear", "c·n", &["c"]),
    (Model::Affine, "affine", "a + c·n", &["a", "c"]),
    (Model::NLogN, "n log n", "c·n·log n", &["c"]),
    (Model::AffineNLogN, "affine n log n", "a + c·n·log n", &["a", "c"]),
    (Model::Quadratic, "quadratic", "c·n²", &["c"]),
    (Model::LinearPlusNLogN, "linear + n log n", "c₁·n + c₂·n·log n", &["c₁", "c₂"]),
    (Model::PowerLaw, "power law", "a·n^b", &["a", "b"]),
    (Model::Ideal, "ideal", "a/p", &["a"]),
    (Model::Amdahl, "amdahl", "a + b/p", &["a", "b"]),
    (Model::AmdahlPlusLog, "amdahl + log p", "a + b/p + c·log p", &["a", "b", "c"]),
    (Model::AmdahlPlusLinear, "amdahl + p", "a + b/p + c·p", &["a", "b", "c"]),
    (Model::Usl, "usl", "(a + b(p−1) + c·p(p−1))/p", &["a", "b", "c"]),
    (Model::Gustafson, "gustafson", "1/(b₁/p + b₂)", &["b₁", "b₂"]),
    (Model::LatencyGap, "latency gap", "(l + g(n−1))/n", &["l", "g"]),
    (
        Model::SizeAndProcessors,
        "n log n amdahl",
        "(c₁·n + c₂·n·log n)(s + (1−s)/p) + c₃·log p + c₄",
        &["c₁", "c₂", "s", "c₃", "c₄"],
    ),
];

impl Model {
    /// All models that are built in.
    pub const ALL: [Self; 16] = {
        let mut all = [Self::Constant; 16];
        let mut index = 0;
        while index < all.len() {
            all[index] = BUILT_IN[index].0;
            index += 1;
        }
        all
    };

    /// Returns its name, its formula, and the names of its coefficients.
    fn described(self) -> Described {
        match BUILT_IN.iter().find(|(model, ..)| *model == self) {
            Some(&(_, name, formula, coefficients)) => (name, formula, coefficients),
            None => match self {
                Self::Own(Own(own)) => (&own.name, &own.formula, &own.coefficients),
                _ => unreachable!("the table has all models that are built in"),
            },
        }
    }

    /// The name that problems use, such as "n log n"; it stays the same between versions.
    pub fn name(self) -> &'static str {
        self.described().0
    }

    /// The formula, for reports.
    pub fn formula(self) -> &'static str {
        self.described().1
    }

    /// Names of the coefficients, in the order of every fit.
    pub fn coefficient_names(self) -> &'static [&'static str] {
        self.described().2
    }

    /// Returns the factors of the coefficients, if the model is linear in them. [`Self::Gustafson`] is linear in 1/T.
    pub(super) fn row(self, n: f64, p: f64) -> Option<Vec<f64>> {
        let n_log_n = n * libm::log2(n);
        Some(match self {
            Self::Constant => vec![1.0],
            Self::Linear => vec![n],
            Self::Affine => vec![1.0, n],
            Self::NLogN => vec![n_log_n],
            Self::AffineNLogN => vec![1.0, n_log_n],
            Self::Quadratic => vec![n * n],
            Self::LinearPlusNLogN => vec![n, n_log_n],
            Self::Ideal => vec![1.0 / p],
            Self::Amdahl => vec![1.0, 1.0 / p],
            Self::AmdahlPlusLog => vec![1.0, 1.0 / p, libm::log2(p)],
            Self::AmdahlPlusLinear => vec![1.0, 1.0 / p, p],
            Self::Usl => vec![1.0 / p, (p - 1.0) / p, p - 1.0],
            Self::Gustafson => vec![1.0 / p, 1.0],
            Self::LatencyGap => vec![1.0 / n, (n - 1.0) / n],
            Self::Own(own) => own.row(n, p),
            Self::PowerLaw | Self::SizeAndProcessors => return None,
        })
    }

    /// The value of a model that is linear in its coefficients, which may be negative, as those of
    /// [`simple_fit`](super::simple_fit); `None` for the others.
    pub fn linear_value(self, coefficients: &[f64], n: f64, p: f64) -> Option<f64> {
        let row = self.row(n, p).filter(|_| self != Self::Gustafson)?;
        Some(dot(&row, coefficients))
    }

    /// Which variable the model needs spread out, and over how many values.
    fn needs(self) -> Needs {
        let q = self.coefficient_names().len();
        match self {
            Self::Constant => Needs { sizes: 0, processors: 0, points: 3, span: 1.0 },
            Self::Ideal => Needs { sizes: 0, processors: 3, points: 3, span: 1.0 },
            Self::Amdahl | Self::Gustafson => {
                Needs { sizes: 0, processors: 4, points: 4, span: 1.0 }
            }
            Self::AmdahlPlusLog | Self::AmdahlPlusLinear | Self::Usl => {
                Needs { sizes: 0, processors: 5, points: 5, span: 1.0 }
            }
            Self::SizeAndProcessors => Needs { sizes: 3, processors: 3, points: 9, span: 1.0 },
            // Its further needs depend on its terms.
            Self::Own(_) => Needs { sizes: 0, processors: 0, points: q + 2, span: 1.0 },
            _ => Needs { sizes: q + 2, processors: 0, points: q + 2, span: 8.0 },
        }
    }

    /// Rejects data that do not determine the coefficients.
    pub(super) fn check(self, observed: &[Observation]) -> Result<()> {
        let needs = self.needs();
        let enough = |what, have, need| crate::error::check_count(what, have, need);
        for (index, o) in observed.iter().enumerate() {
            let checks = [
                (o.time, o.time.is_finite() && o.time > 0.0, "a time must be positive and finite"),
                (o.n, o.n.is_finite() && o.n >= 1.0, "a size must be finite and at least 1"),
                (o.p, o.p.is_finite() && o.p >= 1.0, "processors must be finite and at least 1"),
            ];
            if let Some((value, _, reason)) = checks.into_iter().find(|(_, fine, _)| !fine) {
                return Err(Error::Invalid { index, value, reason });
            }
        }
        enough("measured configurations", observed.len(), needs.points)?;
        enough("different sizes n", different(observed.iter().map(|o| o.n)), needs.sizes)?;
        enough(
            "different processor counts p",
            different(observed.iter().map(|o| o.p)),
            needs.processors,
        )?;
        let (low, high) = observed
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), o| (low.min(o.n), high.max(o.n)));
        if high < needs.span * low {
            let reason = "sizes must span a factor of 8 or more to tell models apart";
            return Err(Error::Parameter { name: "span of n", value: high / low, reason });
        }
        match self {
            Self::Own(own) => own.check(observed),
            _ => Ok(()),
        }
    }
}

struct Needs {
    sizes: usize,
    processors: usize,
    points: usize,
    span: f64,
}

fn different(values: impl Iterator<Item = f64>) -> usize {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values.len()
}
