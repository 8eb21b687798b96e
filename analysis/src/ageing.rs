//! Does a time change while a process runs? One series cannot tell a kernel that changes from a machine that does.
//! Many processes can: the machine behaves differently in each process, the kernel alike in all.
//!
//! ```
//! use plusminus_analysis::ageing;
//!
//! let fills = |process: u32| (0..21).map(move |i| 100.0 + f64::from(i) + f64::from((i * 7 + process) % 3));
//! let changes: Vec<f64> =
//!     (0..8).filter_map(|process| ageing::within(&fills(process).collect::<Vec<f64>>())).collect();
//! assert!(ageing::shared(&changes).unwrap() > 0.1);
//! ```

use crate::special::student_t_two_sided_quantile;
use crate::sums;

/// Changes up to this are not worth a word: machines that just woke up change by less, alike in every process.
const NOTICED: f64 = 0.01;

/// The fewest processes that prove a change.
const PROCESSES: usize = 5;

/// Probability of finding a change that is not there.
const FALSE_ALARM: f64 = 0.001;

/// Returns the logarithm of the median of the last third of a series over that of the first third; `None` for fewer
/// than three values, or if one is not positive.
pub fn within(series: &[f64]) -> Option<f64> {
    let third = series.len() / 3;
    if third == 0 {
        return None;
    }
    let early = sums::median(&series[..third]);
    let late = sums::median(&series[series.len() - third..]);
    (early > 0.0 && late > 0.0).then(|| libm::log(late / early))
}

/// Returns the change that processes share, as near to 0 as their scatter allows with 99.9 % confidence. `None` for fewer than five
/// processes, and where the change may be below 1 %.
pub fn shared(changes: &[f64]) -> Option<f64> {
    if changes.len() < PROCESSES || !changes.iter().all(|change| change.is_finite()) {
        return None;
    }
    let n = changes.len() as f64;
    let (mean, spread) = sums::mean_and_spread(changes);
    let reach = student_t_two_sided_quantile(FALSE_ALARM, n - 1.0) * spread / n.sqrt();
    let least = mean.abs() - reach;
    (least > NOTICED).then(|| least.copysign(mean))
}
