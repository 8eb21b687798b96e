//! Stub to be filled.
use crate::error::Result;
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}
#[derive(Debug, clap::Args)]
pub(crate) struct NoiseArguments {}
pub(crate) fn run(_: &Arguments) -> Result<i32> {
    Ok(0)
}
pub(crate) fn make_noise(_: &NoiseArguments) -> Result<i32> {
    Ok(0)
}
