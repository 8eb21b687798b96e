//! Model comparisons: which models are tried on which configurations, and the results of the fits.

use plusminus_analysis::{
    complexity::{Complexity, ComplexityOptions, performance_complexity},
    models::{self, Fit, FitOptions, Model, Observation, Ranked, SerialFraction},
};

use super::{
    collect::Configuration,
    document::{Coefficient, FittedModel, ModelComparison, Pc, Refused, Sweep, Usl},
    expression,
    scaling::sweep_of,
};

/// Models of the time as a function of n.
pub(super) const OF_SIZE: [Model; 8] = [
    Model::Constant,
    Model::Linear,
    Model::Affine,
    Model::NLogN,
    Model::AffineNLogN,
    Model::Quadratic,
    Model::LinearPlusNLogN,
    Model::PowerLaw,
];
/// Models of the time for one n on p processors. Without a + b/p + c·p: it is the curve of the USL in other
/// coefficients, so that nothing could tell the two apart.
const STRONG: [Model; 5] =
    [Model::Constant, Model::Ideal, Model::Amdahl, Model::AmdahlPlusLog, Model::Usl];
/// Models for n that grows with p: nothing lost, all lost, and between.
const WEAK: [Model; 3] = [Model::Constant, Model::Linear, Model::Gustafson];
/// Models over n and p: some that ignore p, and the one that does not.
const GRID: [Model; 4] = [Model::Constant, Model::Linear, Model::NLogN, Model::SizeAndProcessors];

/// Reads the names that a problem gives.
///
/// # Errors
/// A sentence with the unknown name and all known ones.
pub(super) fn named(names: &[String]) -> Result<Vec<Model>, String> {
    let found = names.iter().map(|name| Model::from_name(name).map_err(|error| error.to_string()));
    found.collect()
}

/// Reads the models that a user has written down.
///
/// # Errors
/// A sentence with the formula that cannot be read, or the name that is taken.
pub(super) fn own(formulas: &[String]) -> Result<Vec<Model>, String> {
    let mut models: Vec<Model> = Vec::with_capacity(formulas.len());
    for formula in formulas {
        let model = expression::model(formula)?;
        let taken = |other: &Model| other.name() == model.name();
        if Model::ALL.iter().chain(&models).any(taken) {
            return Err(format!(
                "--model: two models are called {:?}; give this one a name, NAME: {formula}",
                model.name()
            ));
        }
        models.push(model);
    }
    Ok(models)
}

/// Returns the models to try: the wanted ones, or else the usual ones, and a user's own.
pub(super) fn tried(wanted: &[Model], usual: Vec<Model>) -> Vec<Model> {
    let is_own = |model: &Model| matches!(model, Model::Own(_));
    let (own, named): (Vec<Model>, Vec<Model>) = wanted.iter().copied().partition(is_own);
    let mut tried = if named.is_empty() { usual } else { named };
    tried.extend(own);
    tried
}

/// The values of configurations that models use.
pub(super) struct Observed {
    pub(super) observations: Vec<Observation>,
    /// Relative standard uncertainty of each time; empty where one of them is unknown.
    pub(super) rsu: Vec<f64>,
    has_sizes: bool,
    sweep: Sweep,
}

impl Observed {
    pub(super) fn of(configurations: &[Configuration]) -> Self {
        let mut observations = Vec::with_capacity(configurations.len());
        let mut rsu = Vec::with_capacity(configurations.len());
        for c in configurations {
            let time = c.time.estimate;
            let (n, p) = (c.n.unwrap_or(1.0), c.p as f64);
            observations.push(Observation { n, p, time: time.value });
            rsu.extend(time.rsu());
        }
        if rsu.len() < observations.len() {
            rsu.clear();
        }
        let has_sizes = configurations.iter().all(|c| c.n.is_some());
        Self { observations, rsu, has_sizes, sweep: sweep_of(configurations) }
    }

    /// Returns the models to try if a problem has none.
    pub(super) fn usual_models(&self) -> Vec<Model> {
        match self.sweep {
            Sweep::Point | Sweep::Points => vec![Model::Constant],
            Sweep::Sizes => OF_SIZE.to_vec(),
            Sweep::Strong => STRONG.to_vec(),
            Sweep::Weak => WEAK.to_vec(),
            Sweep::Grid | Sweep::Irregular => GRID.to_vec(),
        }
    }

    /// Why a model does not apply to these data, apart from the reasons of the fit itself.
    pub(super) fn unfit(&self, model: Model) -> Option<String> {
        let strong = model.depends_on_processors() && !model.depends_on_size();
        if !self.has_sizes && (model.depends_on_size() || self.sweep == Sweep::Points) {
            return Some(
                "the points have no size n: let the problem tell the `size` of a point".to_owned(),
            );
        }
        match (model, self.sweep) {
            // The user has chosen its variables.
            (Model::Own(_), _) => None,
            (Model::Gustafson, Sweep::Weak) => None,
            (Model::Gustafson, _) => Some("it is of weak scaling, where n grows with p".to_owned()),
            (_, Sweep::Weak) if strong => Some(
                "it is of strong scaling, one n on varying p, but here n grows with p".to_owned(),
            ),
            (_, Sweep::Grid | Sweep::Irregular) if strong => {
                Some("it is of one n on varying p, but here n varies as well".to_owned())
            }
            _ => None,
        }
    }

    /// Performance Complexity of a fit with the noise that is known.
    pub(super) fn complexity(&self, fit: &Fit) -> plusminus_analysis::Result<Complexity> {
        let times: Vec<f64> = self.observations.iter().map(|o| o.time).collect();
        let options = ComplexityOptions {
            fitted_parameters: fit.coefficients.len(),
            rsu: self.rsu.clone(),
            ..ComplexityOptions::default()
        };
        performance_complexity(&times, &fit.predictions, &options)
    }
}

/// All comparisons of a sweep: over everything, and for a grid over one p and over one n as well.
pub(super) fn comparisons(
    configurations: &[Configuration],
    wanted: &[Model],
    options: &FitOptions,
) -> Result<Vec<ModelComparison>, String> {
    let mut found = vec![compare("all".to_owned(), configurations, wanted, options)?];
    if sweep_of(configurations) == Sweep::Grid {
        found.extend(slices(configurations, wanted, options)?);
    }
    Ok(found)
}

/// A grid over n at its smallest p, and over p at its largest n.
fn slices(
    configurations: &[Configuration],
    wanted: &[Model],
    options: &FitOptions,
) -> Result<Vec<ModelComparison>, String> {
    let mut found = Vec::new();
    let p = configurations.iter().map(|c| c.p).min().unwrap_or(1);
    let n = configurations.iter().filter_map(|c| c.n).fold(0.0, f64::max);
    let of = |is: &dyn Fn(&Configuration) -> bool| -> Vec<Configuration> {
        configurations.iter().filter(|c| is(c)).cloned().collect()
    };
    let usual = |models: &[Model], is: &dyn Fn(Model) -> bool| -> Vec<Model> {
        let named = wanted.iter().any(|model| !matches!(model, Model::Own(_)));
        let fitting: Vec<Model> = wanted.iter().copied().filter(|model| is(*model)).collect();
        if named { fitting } else { tried(&fitting, models.to_vec()) }
    };
    let of_size = |model: Model| !model.depends_on_processors();
    let strong = |model: Model| !model.depends_on_size() && model != Model::Gustafson;
    for (over, part, models) in [
        (format!("p = {p}"), of(&|c| c.p == p), usual(&OF_SIZE, &of_size)),
        (format!("n = {n}"), of(&|c| c.n == Some(n)), usual(&STRONG, &strong)),
    ] {
        if part.len() >= 3 && !models.is_empty() {
            found.push(compare(over, &part, &models, options)?);
        }
    }
    Ok(found)
}

fn compare(
    over: String,
    configurations: &[Configuration],
    wanted: &[Model],
    options: &FitOptions,
) -> Result<ModelComparison, String> {
    let observed = Observed::of(configurations);
    let tried = tried(wanted, observed.usual_models());
    let mut refused = Vec::new();
    let mut fitting = Vec::new();
    for model in tried {
        match observed.unfit(model) {
            Some(reason) => refused.push(Refused { model: model.name(), reason }),
            None => fitting.push(model),
        }
    }
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut cannot_tell = Vec::new();
    match models::compare(&fitting, &observed.observations, options) {
        Ok(comparison) => {
            let reasons = comparison.refused.iter();
            refused.extend(reasons.map(|(model, error)| refusal(*model, error)));
            cannot_tell = comparison.cannot_tell().into_iter().map(Model::name).collect();
            ranked = comparison.ranked;
        }
        Err(_) => {
            // Not one can be fitted: each has its reason.
            for model in fitting {
                if let Err(error) = models::fit(model, &observed.observations, options) {
                    refused.push(refusal(model, &error));
                }
            }
        }
    }
    let sentences = sentences(&ranked, &cannot_tell);
    if ranked.iter().all(|one| one.weight.is_none()) {
        cannot_tell.clear();
    }
    let fitted: Vec<FittedModel> =
        ranked.iter().map(|one| fitted(one, &observed)).collect::<Result<_, String>>()?;
    let pc_noise = fitted.first().and_then(|one| one.pc.pc_noise);
    let (valid_n, valid_p) = ranked.first().map_or((None, None), |one| {
        let twice = |(low, high): (f64, f64)| [(low / 2.0).max(1.0), high * 2.0];
        (Some(twice(one.fit.sizes)).filter(|_| observed.has_sizes), Some(twice(one.fit.processors)))
    });
    Ok(ModelComparison {
        over,
        configurations: configurations.len(),
        models: fitted,
        refused,
        cannot_tell,
        pc_noise,
        valid_n,
        valid_p,
        sentences,
    })
}

fn refusal(model: Model, error: &plusminus_analysis::Error) -> Refused {
    Refused { model: model.name(), reason: error.to_string() }
}

/// Returns the conclusions that the weights allow.
fn sentences(ranked: &[Ranked], cannot_tell: &[&str]) -> Vec<String> {
    let Some(best) = ranked.first() else {
        return vec!["no model can be fitted to these configurations".to_owned()];
    };
    if ranked.len() == 1 {
        return vec![format!(
            "{} is the only model that could be fitted: that it is the right one is not shown",
            best.fit.model.name()
        )];
    }
    let Some(weight) = best.weight else {
        return vec!["too few configurations to weigh the models against each other".to_owned()];
    };
    let mut sentences = vec![match cannot_tell {
        [one] => format!("of these models, {one} (weight {weight:.3})"),
        [first, rest @ ..] => {
            let rest = rest.join(" from ");
            format!("cannot tell {first} from {rest}: only together their weights reach 0.9")
        }
        [] => String::new(),
    }];
    let overfitted = ranked.iter().filter(|one| one.weight.is_none()).map(|r| r.fit.model.name());
    let overfitted: Vec<&str> = overfitted.collect();
    if !overfitted.is_empty() {
        sentences.push(format!(
            "too few configurations to weigh {} (AICc needs more than coefficients + 2)",
            overfitted.join(", ")
        ));
    }
    sentences
}

fn fitted(one: &Ranked, observed: &Observed) -> Result<FittedModel, String> {
    let fit = &one.fit;
    let complexity = observed.complexity(fit).map_err(|error| error.to_string())?;
    let (mut of_sequential, mut of_parallel) = (None, None);
    match fit.serial_fraction() {
        Some(SerialFraction::OfSequentialTime(share)) => of_sequential = Some(share.into()),
        Some(SerialFraction::OfParallelTime(share)) => of_parallel = Some(share.into()),
        None => {}
    }
    Ok(FittedModel {
        model: fit.model.name(),
        formula: fit.model.formula(),
        coefficients: fit
            .coefficients
            .iter()
            .map(|c| Coefficient { name: c.name.to_owned(), number: c.estimate.into() })
            .collect(),
        aicc: fit.aicc,
        weight: one.weight,
        pc: Pc::new(&complexity, one.leave_one_out),
        serial_fraction_of_sequential_time: of_sequential,
        serial_fraction_of_parallel_time: of_parallel,
        usl: fit.usl().map(|usl| Usl {
            contention: usl.contention.into(),
            coherency: usl.coherency.into(),
            peak: usl.peak.map(Into::into),
        }),
        residuals: fit.residuals.clone(),
    })
}
