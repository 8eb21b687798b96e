//! The settings of criterion that have a meaning here, and what they mean.

use std::time::Duration;

use plusminus::Options;
use plusminus_compat::budget::share;

/// The measurement settings of a bench or a group.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) measurement_time: Option<Duration>,
    pub(crate) warm_up_time: Option<Duration>,
    pub(crate) noise_threshold: Option<f64>,
}

impl Settings {
    /// Fills unset options from `other`.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            measurement_time: self.measurement_time.or(other.measurement_time),
            warm_up_time: self.warm_up_time.or(other.warm_up_time),
            noise_threshold: self.noise_threshold.or(other.noise_threshold),
        }
    }

    /// The same for the harness, whose options are for each run.
    pub(crate) fn options(self) -> Options {
        Options {
            sample_time: self.measurement_time.map(share),
            warm_up: self.warm_up_time.map(share),
            margin: self.noise_threshold.map(|part| 100.0 * part),
            whole_machine: true,
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_shared_by_the_runs() {
        let settings = Settings {
            measurement_time: Some(Duration::from_secs(60)),
            warm_up_time: None,
            noise_threshold: Some(0.05),
        };
        let options = settings.options();
        assert_eq!(options.sample_time, Some(Duration::from_secs(1)));
        assert_eq!((options.warm_up, options.margin), (None, Some(5.0)));
    }

    #[test]
    fn a_group_counts_more_than_its_criterion() {
        let of = |part| Settings { noise_threshold: Some(part), ..Settings::default() };
        assert_eq!(of(0.2).or(of(0.3)).noise_threshold, Some(0.2));
        assert_eq!(Settings::default().or(of(0.3)).noise_threshold, Some(0.3));
    }
}
