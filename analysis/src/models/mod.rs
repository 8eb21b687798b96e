//! Models of running time over size n and processors p, fitted to the logarithm of measurements and
//! compared with each other. Times in and out in one unit of the caller's choice.
//!
//! ```
//! use plusminus_analysis::models::{compare, FitOptions, Model, Observation};
//!
//! let times = [3.92, 9.21, 20.6, 46.9, 103.5, 226.0, 498.0, 1071.0];
//! let observed: Vec<Observation> = times
//!     .iter()
//!     .enumerate()
//!     .map(|(i, t)| Observation::of_size(64.0 * 2f64.powi(i as i32), *t))
//!     .collect();
//! let ranking =
//!     compare(&[Model::Linear, Model::NLogN, Model::Constant], &observed, &FitOptions::default()).unwrap();
//! assert_eq!(ranking.ranked[0].fit.model, Model::NLogN);
//! // Predictions end at twice the measured range.
//! assert!(ranking.ranked[0].fit.predict(16_000.0, 1.0).is_ok());
//! assert!(ranking.ranked[0].fit.predict(64_000.0, 1.0).is_err());
//! ```

mod choice;
mod fit;
mod foster;
mod linear;
mod model;
mod name;
mod own;
mod predict;
mod search;
mod shape;

pub(crate) use choice::without;
pub use choice::{Comparison, Ranked, compare, leave_one_out};
pub use fit::{Coefficient, Fit, fit};
pub use foster::{ForeignFit, message_line, scaled_fit, simple_fit};
pub use model::{Model, Observation};
pub use name::UnknownModel;
pub use own::{Own, Term};
pub use predict::{Prediction, bic_weights, predict};
pub use search::FitOptions;
pub(crate) use search::{Found, linear, linear_starts, search};
pub use shape::{SerialFraction, UslShape};
