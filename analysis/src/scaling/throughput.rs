//! Many tasks of the same kind on one machine: how many processors should each get?

use crate::error::{Error, Result, check_count, check_positive};
use crate::estimate::{Estimate, check_estimate};

/// A way to run one task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allocation {
    /// Processors for one task.
    pub processors: usize,
    /// Time of one task.
    pub time: Estimate,
}

/// The performance of a machine under an allocation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Throughput {
    /// The allocation.
    pub allocation: Allocation,
    /// Tasks that run at once: ⌊p_max/p⌋. Rounding up would use processors that are not there.
    pub tasks_at_once: usize,
    /// Processors that stay idle.
    pub idle: usize,
    /// Tasks per unit of time, with its uncertainty.
    pub rate: Estimate,
}

/// All allocations that fit the machine and finish a task by the deadline, by rate, the best first.
///
/// ```
/// use plusminus_analysis::{scaling::{throughput, Allocation}, Estimate};
///
/// let wide = Allocation { processors: 32, time: Estimate::known(10.0, 0.1) };
/// let narrow = Allocation { processors: 8, time: Estimate::known(30.0, 0.1) };
/// let plans = throughput(100, &[wide, narrow], None).unwrap();
/// assert_eq!(plans[0].allocation.processors, 8);
/// // 100 processors hold three tasks of 32, not four.
/// assert_eq!((plans[1].tasks_at_once, plans[1].idle), (3, 4));
/// ```
///
/// # Errors
/// When there is no allocation, one has no processors, or a time is not positive.
pub fn throughput(
    machine: usize,
    allocations: &[Allocation],
    deadline: Option<f64>,
) -> Result<Vec<Throughput>> {
    check_count("allocations", allocations.len(), 1)?;
    let times: Vec<f64> = allocations.iter().map(|a| a.time.value).collect();
    check_positive(&times)?;
    let mut plans = Vec::new();
    for (index, allocation) in allocations.iter().enumerate() {
        check_estimate(index, &allocation.time)?;
        if allocation.processors == 0 {
            let reason = "a task needs a processor";
            return Err(Error::Invalid { index, value: 0.0, reason });
        }
        let tasks_at_once = machine / allocation.processors;
        let late = deadline.is_some_and(|d| allocation.time.value > d);
        if tasks_at_once == 0 || late {
            continue;
        }
        let value = tasks_at_once as f64 / allocation.time.value;
        if !value.is_finite() {
            return Err(Error::Undefined { what: "the rate is too large for a number" });
        }
        plans.push(Throughput {
            allocation: *allocation,
            tasks_at_once,
            idle: machine % allocation.processors,
            rate: Estimate {
                value,
                u: allocation.time.rsu().map(|r| r * value),
                ..allocation.time
            },
        });
    }
    plans.sort_by(|a, b| b.rate.value.total_cmp(&a.rate.value));
    Ok(plans)
}
