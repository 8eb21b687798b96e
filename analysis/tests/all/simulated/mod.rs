//! Estimates and verdicts on simulated data with a known truth.
#![cfg(feature = "models")]

mod ageing;
mod history;
mod resample;
mod serial;
mod two_stage;
