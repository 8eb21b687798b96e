//! Several parallel algorithms for one problem ("Measuring parallel performance", section 2.4): which to take on
//! processors that were not measured (scenario 1), and which for many tasks at once (scenario 2, Eq. 5).

use plusminus::text::visible;
use plusminus_analysis::scaling::{Allocation, throughput};

use super::{
    Arguments,
    advice::seconds,
    collect::{Configuration, Problem},
    text::with_u,
};

/// Throughputs that a sentence lists.
const SHOWN: usize = 6;

/// A variant on p processors, at one size.
struct Placed<'a> {
    variant: &'a str,
    configuration: &'a Configuration,
    /// S/p and its u: real, or relative where no reference was measured.
    efficiency: (f64, f64),
}

impl Placed<'_> {
    fn time(&self) -> f64 {
        self.configuration.time.estimate.value
    }

    fn p(&self) -> usize {
        self.configuration.p
    }

    fn named(&self) -> String {
        format!("{} on p = {}", visible(self.variant), self.p())
    }
}

/// The advice of a problem with several parallel variants; empty for others.
pub(super) fn between(problem: &Problem, wanted: &Arguments) -> Vec<String> {
    let parallel = problem.variants.iter().filter(|variant| {
        variant.configurations.iter().any(|one| one.p > 1 && !one.sequential)
            && variant.configurations.iter().any(|one| one.p == 1)
    });
    let parallel: Vec<_> = parallel.collect();
    let sizes = |of: usize| parallel[of].configurations.iter().filter_map(|one| one.n);
    if parallel.len() < 2 {
        return Vec::new();
    }
    let is_shared = |n: &f64| (1..parallel.len()).all(|of| sizes(of).any(|other| other == *n));
    let Some(n) = sizes(0).filter(is_shared).max_by(f64::total_cmp) else { return Vec::new() };
    let placed = parallel.iter().flat_map(|variant| {
        let own = variant.configurations.iter().filter(move |one| one.n == Some(n));
        own.filter_map(|configuration| {
            let efficiency = efficiency(configuration)?;
            Some(Placed { variant: &variant.function, configuration, efficiency })
        })
    });
    let placed: Vec<Placed<'_>> = placed.collect();
    // Points of other inputs of the same size are different problems.
    let is_repeated = |(index, one): (usize, &Placed<'_>)| {
        placed[..index].iter().any(|other| (other.variant, other.p()) == (one.variant, one.p()))
    };
    if placed.iter().enumerate().any(is_repeated) {
        return Vec::new();
    }
    one_task(&placed, n).into_iter().chain(many_tasks(&placed, n, wanted)).collect()
}

fn efficiency(configuration: &Configuration) -> Option<(f64, f64)> {
    let against = &configuration.against;
    let speedup = match (&against.real, &against.relative) {
        (Some(real), _) => &real.speedup,
        (None, Some(relative)) => relative,
        (None, None) => return None,
    };
    let p = configuration.p as f64;
    Some((speedup.speedup / p, speedup.sigma.unwrap_or(0.0) / p))
}

/// Scenario 1. By Lemma 2.1 no efficiency is higher than on one processor, so that p₂ is the largest p whose efficiency is
/// within 2 u of the highest.
fn one_task(placed: &[Placed<'_>], n: f64) -> Option<String> {
    let fastest = placed.iter().min_by(|a, b| a.time().total_cmp(&b.time()))?;
    let best = placed.iter().max_by(|a, b| a.efficiency.0.total_cmp(&b.efficiency.0))?;
    let keeps = |one: &&Placed<'_>| {
        one.variant == best.variant
            && best.efficiency.0 - one.efficiency.0
                <= 2.0 * best.efficiency.1.hypot(one.efficiency.1)
    };
    let second = placed.iter().filter(keeps).max_by_key(|one| one.p())?;
    let said = format!(
        "scenario 1, n = {n}: the highest speedup is that of {}, the highest efficiency that of {} (E = {})",
        fastest.named(),
        second.named(),
        with_u(second.efficiency.0, Some(second.efficiency.1))
    );
    Some(match second.p() {
        _ if fastest.variant == second.variant => {
            format!("{said}, so that no other variant is advised on any p")
        }
        1 => format!("{said}, and there is no smaller p"),
        p => format!("{said}, which is predicted to be the faster on fewer than {p} processors"),
    })
}

/// Scenario 2: all variants on all processors in one list, by throughput.
fn many_tasks(placed: &[Placed<'_>], n: f64, wanted: &Arguments) -> Option<String> {
    let machine = wanted.machine.or_else(|| placed.iter().map(Placed::p).max())?;
    let mut plans: Vec<(&Placed<'_>, f64, String)> = placed
        .iter()
        .filter_map(|one| {
            let time = seconds(one.configuration.time.estimate);
            let plans =
                throughput(machine, &[Allocation { processors: one.p(), time }], wanted.deadline);
            let rate = plans.ok()?.first()?.rate;
            Some((one, rate.value, with_u(rate.value, rate.u)))
        })
        .collect();
    plans.sort_by(|a, b| b.1.total_cmp(&a.1));
    let said =
        |(one, _, rate): &(&Placed<'_>, f64, String)| format!("{}: {rate} per second", one.named());
    let said: Vec<String> = plans.iter().take(SHOWN).map(said).collect();
    let of = format!("scenario 2, n = {n}, all variants on a machine of {machine}");
    (!said.is_empty()).then(|| format!("{of}, the best throughput first: {}", said.join("; ")))
}
