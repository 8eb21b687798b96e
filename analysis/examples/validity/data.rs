//! Data with a known truth.

use plusminus_analysis::random::Random;

/// The distributions of run times. Means are 1 unless scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Normal with a coefficient of variation of 5 %.
    Normal,
    /// Lognormal, σ = 0.5 on the log scale.
    Lognormal,
    /// 1 % noise, and 2 % of the values half as long again.
    Spiked,
    /// Runs that differ by 1 %, of 30 samples that differ by 2 %: the run means.
    Hierarchical,
    /// The same, with all samples pooled: the wrong way.
    Pooled,
}

impl Shape {
    /// All shapes.
    pub(crate) const ALL: [Self; 5] =
        [Self::Normal, Self::Lognormal, Self::Spiked, Self::Hierarchical, Self::Pooled];

    /// Row label.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Normal => "normal, CV 5 %",
            Self::Lognormal => "lognormal, σ 0.5",
            Self::Spiked => "1 % noise, 2 % spikes of +50 %",
            Self::Hierarchical => "hierarchical: run means",
            Self::Pooled => "hierarchical: samples pooled (wrong)",
        }
    }

    /// `n` values (or runs), with expectation 1.
    pub(crate) fn draw(self, n: usize, random: &mut Random) -> Vec<f64> {
        let samples = 30;
        match self {
            Self::Normal => (0..n).map(|_| 1.0 + 0.05 * random.normal()).collect(),
            // E exp(σz) = exp(σ²/2).
            Self::Lognormal => (0..n).map(|_| (0.5 * random.normal() - 0.125).exp()).collect(),
            Self::Spiked => (0..n)
                .map(|_| {
                    let spike = if random.uniform() < 0.02 { 1.5 } else { 1.0 };
                    spike * (1.0 + 0.01 * random.normal()) / 1.01
                })
                .collect(),
            Self::Hierarchical => {
                let pooled = Self::Pooled.draw(n, random);
                pooled.chunks(samples).map(|run| run.iter().sum::<f64>() / 30.0).collect()
            }
            Self::Pooled => (0..n)
                .flat_map(|_| {
                    let run = 1.0 + 0.01 * random.normal();
                    (0..samples).map(|_| run + 0.02 * random.normal()).collect::<Vec<_>>()
                })
                .collect(),
        }
    }
}

/// How block statistics are distributed around the true change, in units of their spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Independent and normal: the case of the guarantee.
    Normal,
    /// Student's t with 3 degrees of freedom.
    HeavyTails,
    /// One block in ten scatters five times as far.
    Contaminated,
    /// The spread triples and falls back at random, after ten blocks on average.
    Regimes,
    /// Lognormal, σ = 0.5: only a program whose two sides have different tails gives such blocks.
    Skewed,
    /// Exponential: as skewed as blocks may become.
    Exponential,
    /// Each block remembers 0.3 of the previous one: the case of the lag-1 check.
    Correlated,
}

impl Blocks {
    /// All kinds.
    pub(crate) const ALL: [Self; 7] = [
        Self::Normal,
        Self::HeavyTails,
        Self::Contaminated,
        Self::Regimes,
        Self::Skewed,
        Self::Exponential,
        Self::Correlated,
    ];

    /// Row label.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::HeavyTails => "t with 3 degrees of freedom",
            Self::Contaminated => "10 % with 5 times the spread",
            Self::Regimes => "spread ×3 at times",
            Self::Skewed => "lognormal, σ 0.5 (guarantee void)",
            Self::Exponential => "exponential (guarantee void)",
            Self::Correlated => "AR(1) 0.3 (guarantee void)",
        }
    }

    /// The next block; `state` is that of the one before.
    pub(crate) fn next(self, state: &mut f64, random: &mut Random) -> f64 {
        let z = random.normal();
        match self {
            Self::Normal => z,
            Self::HeavyTails => {
                let chi: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
                z / (chi / 3.0).sqrt()
            }
            Self::Contaminated => z * if random.uniform() < 0.1 { 5.0 } else { 1.0 },
            Self::Regimes => {
                if random.uniform() < 0.1 {
                    *state = 1.0 - *state;
                }
                z * (1.0 + 2.0 * *state)
            }
            Self::Skewed => (0.5 * z).exp() - 0.125_f64.exp(),
            Self::Exponential => -random.uniform().max(f64::MIN_POSITIVE).ln() - 1.0,
            Self::Correlated => {
                *state = 0.3 * *state + z;
                *state
            }
        }
    }
}
