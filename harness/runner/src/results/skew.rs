//! How far apart the callers of a kernel began and ended.

use crate::{analysis::summary, record::Measurement};

impl Measurement {
    /// By how much the callers began apart and ended apart, start skew and end skew, in nanoseconds: the median over
    /// samples, for one window. `None` where there was only one caller, or it was not recorded.
    pub fn skew_ns(&self) -> Option<(f64, f64)> {
        let skews = |sample: usize| -> Option<(f64, f64)> {
            let (own, late) = (self.threads_ns.get(sample)?, self.late_ns.get(sample)?);
            let wall_ns = *self.wall_ns.get(sample)?;
            let busy_until = own.iter().zip(late).map(|(own, late)| own.saturating_add(*late));
            let start = late.iter().max().filter(|_| own.len() == late.len())?;
            let end = wall_ns.saturating_sub(busy_until.min()?);
            let windows = self.windows.max(1) as f64;
            Some((*start as f64 / windows, end as f64 / windows))
        };
        let all: Option<Vec<(f64, f64)>> = (0..self.wall_ns.len()).map(skews).collect();
        let (starts, ends): (Vec<f64>, Vec<f64>) = all?.into_iter().unzip();
        let median = |values: &[f64]| summary::quantile(values, 0.5).ok();
        Some((median(&starts)?, median(&ends)?))
    }
}

#[cfg(test)]
mod tests {
    use crate::record::Measurement;

    #[test]
    fn skews_are_those_of_a_typical_window() {
        let mut measurement = Measurement {
            calls: 10,
            windows: 2,
            wall_ns: vec![1000, 1000, 5000],
            threads_ns: vec![vec![900, 700], vec![980, 1000], vec![4000, 3000]],
            late_ns: vec![vec![0, 200], vec![20, 0], vec![1000, 0]],
            ..Measurement::default()
        };
        // Start skews 200, 20, 1000; end skews 100, 0, 2000; of two windows each.
        assert_eq!(measurement.skew_ns(), Some((100.0, 50.0)));
        measurement.late_ns.pop();
        assert_eq!(measurement.skew_ns(), None, "an old or damaged record says nothing");
        assert_eq!(Measurement::default().skew_ns(), None);
    }
}
