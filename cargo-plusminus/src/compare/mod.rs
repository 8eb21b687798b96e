//! Stub to be filled.
use crate::error::Result;
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}
pub(crate) fn run(_: &Arguments) -> Result<i32> {
    Ok(0)
}
