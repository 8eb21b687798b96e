//! Advice from a scaling table: how much work keeps processors as busy as before (isoefficiency), and how many
//! processors a task should have when many tasks wait ("Measuring parallel performance", sections 2.4 and 4). It also
//! prints Foster's fits, for comparison with published numbers.

use std::collections::BTreeSet;

use plusminus::results::RealSpeedup;
use plusminus_analysis::{
    Estimate,
    models::{self, Fit, FitOptions, Model, Observation, message_line, scaled_fit, simple_fit},
    scaling::{Allocation, isoefficiency_constant, size_for_efficiency, throughput, work_growth},
};

use super::{
    Arguments,
    collect::Configuration,
    document::{Scaling, Sweep},
    extras::{Advice, ForeignFit, ForeignPrediction},
    models::{Observed, tried},
    text::with_u,
};

/// Returns the advice from a sweep over processors; empty for others.
pub(super) fn advice(
    configurations: &[Configuration],
    scaling: &Scaling,
    wanted: &Arguments,
    fitting: (&[Model], &FitOptions),
) -> Advice {
    let mut sentences = Vec::new();
    if configurations.iter().any(|c| c.p > 1 && !c.sequential) {
        sentences.extend(constants(scaling));
        sentences.extend(growth(configurations));
        sentences.extend(sizes(configurations, scaling.sweep, wanted.efficiency, fitting));
        sentences.extend(many_tasks(configurations, wanted));
    }
    Advice { sentences }
}

/// K = E/(1 − E) of each row on several processors (MPP Eq. 9).
fn constants(scaling: &Scaling) -> Option<String> {
    let known = scaling.rows.iter().filter(|row| row.p > 1).filter_map(|row| {
        let constant = row.isoefficiency_constant.as_ref()?;
        let n = row.n.map_or_else(|| row.point.clone(), |n| n.to_string());
        Some(format!("{} at n = {n}, p = {}", with_u(constant.value, constant.u), row.p))
    });
    let known: Vec<String> = known.collect();
    let said = "K = E/(1−E), the work over the overhead (isoefficiency constant)";
    (!known.is_empty()).then(|| format!("{said}: {}", known.join("; ")))
}

/// The overhead p·T − ω of a configuration.
fn overhead(configuration: &Configuration) -> Option<f64> {
    let against = &configuration.against;
    let work = match (&against.real, &against.relative) {
        (Some(RealSpeedup { reference_ns, .. }), _) => reference_ns.value,
        (None, Some(relative)) => relative.base.value,
        (None, None) => return None,
    };
    Some(configuration.p as f64 * configuration.time.estimate.value - work)
}

/// By how much the work has to grow from one number of processors to the next, from the overheads of the largest size.
fn growth(configurations: &[Configuration]) -> Vec<String> {
    let largest = configurations.iter().filter_map(|c| c.n).fold(0.0, f64::max);
    let at_largest = configurations.iter().filter(|c| c.p > 1 && c.n.is_none_or(|n| n == largest));
    let known: Vec<(usize, f64)> = at_largest.filter_map(|c| Some((c.p, overhead(c)?))).collect();
    let measured = |p: f64| {
        let found = known.iter().find(|(of, _)| *of as f64 == p);
        found.map_or(f64::NAN, |(_, overhead)| *overhead)
    };
    let pairs = known.windows(2).filter_map(|pair| {
        let (from, to) = (pair[0].0, pair[1].0);
        let factor = work_growth(&measured, from as f64, to as f64).ok()?;
        Some(format!(
            "from p = {from} to p = {to} the overhead of the largest size grows by {factor:.2}: so much more work keeps \
             the efficiency, if the overhead depends on p alone"
        ))
    });
    pairs.collect()
}

/// The size from which a given efficiency is reached on each number of processors. The model is the first requested one of
/// n and p that fits, or else the model of a grid.
fn sizes(
    configurations: &[Configuration],
    sweep: Sweep,
    target: f64,
    (models, options): (&[Model], &FitOptions),
) -> Vec<String> {
    if sweep != Sweep::Grid {
        return Vec::new();
    }
    let (own, named): (Vec<Model>, Vec<Model>) =
        models.iter().copied().partition(|model| matches!(model, Model::Own(_)));
    let tried = own.into_iter().chain(named).chain([Model::SizeAndProcessors]);
    let mut tried = tried.filter(|model| model.depends_on_size() && model.depends_on_processors());
    let observed = Observed::of(configurations).observations;
    let mut said = Vec::new();
    let fits = tried.find_map(|model| {
        let found = fits(model, &observed, options);
        if found.is_none() {
            said.push(format!("{} cannot be fitted to these configurations", model.name()));
        }
        found
    });
    let Some(fits) = fits else {
        return vec![format!("the n for E = {target} is not known: {}", said.join("; "))];
    };
    let processors: BTreeSet<usize> =
        configurations.iter().map(|c| c.p).filter(|&p| p > 1).collect();
    let measured = |p: usize| {
        let own = configurations.iter().filter(move |c| c.p == p);
        own.filter_map(move |c| Some((c.against.relative.as_ref()?.speedup / p as f64, c.n?)))
    };
    let reached = |p: usize| measured(p).filter(|(e, _)| *e >= target).map(|(_, n)| n);
    let smallest = |p: usize| reached(p).min_by(f64::total_cmp);
    said.extend(processors.into_iter().map(|p| size(&fits, p, target, smallest(p))));
    said
}

/// A model fitted to all configurations, and to all but one of them in turn. `None` if it does not fit all.
fn fits(model: Model, observed: &[Observation], options: &FitOptions) -> Option<(Fit, Vec<Fit>)> {
    let whole = models::fit(model, observed, options).ok()?;
    let without = (0..observed.len()).filter_map(|index| {
        let mut others = observed.to_vec();
        others.remove(index);
        models::fit(model, &others, options).ok()
    });
    Some((whole, without.collect()))
}

/// Returns the size from which a model reaches an efficiency on p processors, not beyond twice the measured sizes, with a
/// band of two jackknife standard errors. A model that never does is set against the smallest size at which the efficiency
/// was measured.
fn size((fit, without): &(Fit, Vec<Fit>), p: usize, target: f64, measured: Option<f64>) -> String {
    let (low, high) = ((fit.sizes.0 / 2.0).max(1.0), fit.sizes.1 * 2.0);
    let wanted = |fit: &Fit| {
        // An efficiency of NaN is never reached.
        let time = |n: f64, p: f64| fit.predict(n, p).unwrap_or(f64::NAN);
        let efficiency = |n: f64| time(n, 1.0) / (p as f64 * time(n, p as f64));
        size_for_efficiency(&efficiency, target, low, high)
    };
    let wanted_at = format!("n for relative E = {target} at p = {p}");
    let name = fit.model.name();
    match wanted(fit) {
        Ok(n) => {
            let others: Vec<f64> =
                without.iter().filter_map(|fit| wanted(fit).ok()).map(f64::ln).collect();
            let count = others.len() as f64;
            let mean = others.iter().sum::<f64>() / count;
            let squares: f64 = others.iter().map(|one| (one - mean).powi(2)).sum();
            let factor = (2.0 * ((count - 1.0) / count * squares).sqrt()).exp();
            let band = match others.len() == without.len() && factor.is_finite() {
                true => format!(" [{:.0}, {:.0}]", n / factor, n * factor),
                false => ", without a band".to_owned(),
            };
            format!("{wanted_at}: {n:.0}{band}, by {name} (isoefficiency)")
        }
        Err(error) => {
            let also = measured.map(|n| format!(", but the efficiency was measured at n = {n}"));
            let also = also.unwrap_or_default();
            format!("{wanted_at}: {name} has none between {low:.0} and {high:.0} ({error}){also}")
        }
    }
}

/// How many processors each of many equal tasks of the largest size should have, and how many one alone.
fn many_tasks(configurations: &[Configuration], wanted: &Arguments) -> Vec<String> {
    let largest = configurations.iter().filter_map(|c| c.n).fold(0.0, f64::max);
    let at_largest = configurations.iter().filter(|c| c.n.is_none_or(|n| n == largest));
    let allocations: Vec<Allocation> = at_largest
        .map(|c| Allocation { processors: c.p, time: seconds(c.time.estimate) })
        .collect();
    if allocations.len() < 2 {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    let fastest = allocations.iter().min_by(|a, b| a.time.value.total_cmp(&b.time.value));
    if let Some(fastest) = fastest {
        sentences.push(format!(
            "one task of the largest size (scenario 1): fastest on p = {}, {} s",
            fastest.processors,
            with_u(fastest.time.value, fastest.time.u)
        ));
    }
    let machine = wanted.machine.or_else(|| allocations.iter().map(|a| a.processors).max());
    let machine = machine.unwrap_or(1);
    match throughput(machine, &allocations, wanted.deadline) {
        Ok(plans) => {
            let said = plans.iter().map(|plan| {
                format!(
                    "p = {}: {} per second, {} at once, {} idle",
                    plan.allocation.processors,
                    with_u(plan.rate.value, plan.rate.u),
                    plan.tasks_at_once,
                    plan.idle
                )
            });
            let said: Vec<String> = said.collect();
            let said = if said.is_empty() { "none is in time".to_owned() } else { said.join("; ") };
            sentences.push(format!(
                "many tasks on a machine of {machine} (scenario 2), the best throughput first: {said}"
            ));
        }
        Err(error) => sentences.push(format!("throughput is not known: {error}")),
    }
    sentences
}

pub(super) fn seconds(nanoseconds: Estimate) -> Estimate {
    let Estimate { value, u, degrees_of_freedom } = nanoseconds;
    Estimate { value: value * 1e-9, u: u.map(|u| u * 1e-9), degrees_of_freedom }
}

/// The constant that a real efficiency asks for, checked here so that a wrong option is an error and no silence.
pub(super) fn check_efficiency(target: f64) -> Result<(), String> {
    isoefficiency_constant(Estimate::exact(target))
        .map(|_| ())
        .map_err(|_| format!("--efficiency {target}: an efficiency lies between 0 and 1"))
}

/// Returns the simple and the scaled fit of Foster (DBPP 3.5.3) of each model, if they exist.
pub(super) fn foreign(configurations: &[Configuration], wanted: &[Model]) -> Vec<ForeignFit> {
    let observed = Observed::of(configurations);
    let tried = tried(wanted, observed.usual_models());
    let of = |model: &Model| {
        observed.unfit(*model).is_none().then_some(())?;
        let simple = simple_fit(*model, &observed.observations).ok()?;
        let scaled = scaled_fit(*model, &observed.observations).ok()?;
        let predicted = configurations.iter().zip(&observed.observations).map(|(c, o)| {
            let by = |coefficients: &[f64]| model.linear_value(coefficients, o.n, o.p);
            Some(ForeignPrediction {
                n: c.n,
                p: c.p,
                measured_ns: o.time,
                simple_ns: by(&simple.coefficients)?,
                scaled_ns: by(&scaled.coefficients)?,
            })
        });
        Some(ForeignFit {
            predicted: predicted.collect::<Option<_>>()?,
            is_own: matches!(model, Model::Own(_)),
            model: model.name(),
            formula: model.formula(),
            names: model.coefficient_names().to_vec(),
            simple: simple.coefficients,
            scaled: scaled.coefficients,
        })
    };
    tried.iter().filter_map(of).collect()
}

/// t_s and t_w of a benchmark whose instances are messages of different lengths (DBPP 3.5.3): the line through
/// their times. `None` where there are fewer than three lengths.
pub(super) fn message_times(lengths: &[f64], times: &[f64]) -> Option<(f64, f64)> {
    let mut different = lengths.to_vec();
    different.sort_by(f64::total_cmp);
    different.dedup();
    (different.len() > 2).then(|| message_line(lengths, times).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples and exercises of "Measuring parallel performance", sections 3 and 4.
    #[test]
    fn worked_examples_of_measuring_parallel_performance() {
        use plusminus_analysis::scaling::AmdahlFraction;
        // Summing p numbers on p processors: T_o = p·(lg p − 1), growth 2·lg p/(lg p − 1).
        let overhead = |p: f64| p * (p.log2() - 1.0);
        for (p, factor) in [(8.0, 3.0), (1024.0, 20.0 / 9.0)] {
            let grown = work_growth(&overhead, p, 2.0 * p).unwrap();
            assert!((grown - factor).abs() < 1e-12, "{grown}");
        }
        // A program of which 90 % is parallel: 3.57 on 5 processors, 5.26 on 10.
        let tenth = AmdahlFraction::new(0.1).unwrap();
        assert_eq!(format!("{:.2} {:.2}", tenth.speedup(5), tenth.speedup(10)), "3.57 5.26");
        // Exercise: n numbers on p processors, T = n/p + lg p: E = n/(n + p·lg p), ω = K·p·lg p.
        let efficiency = |n: f64| n / (n + 16.0 * 4.0);
        let n = size_for_efficiency(&efficiency, 0.8, 1.0, 1e6).unwrap();
        let constant = isoefficiency_constant(Estimate::exact(0.8)).unwrap();
        assert!((n - constant.value * 16.0 * 4.0).abs() < 1e-6, "{n}");
    }

    #[test]
    fn an_efficiency_is_a_share() {
        for wrong in [0.0, 1.0, -0.5, f64::NAN, f64::INFINITY] {
            assert!(check_efficiency(wrong).is_err(), "{wrong}");
        }
        assert_eq!(check_efficiency(0.8), Ok(()));
    }

    #[test]
    fn a_line_needs_three_lengths() {
        assert_eq!(message_times(&[1.0, 2.0, 2.0], &[1.0, 2.0, 2.0]), None);
        let (start, word) = message_times(&[1.0, 2.0, 4.0], &[12.0, 14.0, 18.0]).unwrap();
        assert!((start - 10.0).abs() < 1e-9 && (word - 2.0).abs() < 1e-9);
    }
}
