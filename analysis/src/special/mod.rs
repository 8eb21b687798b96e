//! Distribution functions that intervals and tests need: normal, Student's t, F, and the regularized
//! incomplete beta function behind the last two. Accurate to about 14 digits; arguments outside of a
//! function's domain panic, because only code of this crate chooses them from data.
//!
//! ```
//! use plusminus_analysis::special;
//!
//! let t = special::student_t_two_sided_quantile(0.05, 7.0);
//! assert!((t - 2.364_624_251_592_79).abs() < 1e-13);
//! ```

mod beta;
mod normal;
mod student;

pub use beta::{f_upper_tail, incomplete_beta};
pub use normal::{normal_cdf, normal_quantile};
pub use student::{student_t_two_sided_quantile, student_t_two_sided_tail};
