//! Estimates and decisions on simulated data whose truth is known.
#![cfg(feature = "models")]

mod ageing;
mod history;
mod resample;
mod serial;
mod two_stage;
