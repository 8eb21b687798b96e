//! Inputs that users choose by variables of the environment, as all problems of the suite understand them.

/// The variable that decides the seed of generated inputs.
pub(crate) const SEED_VARIABLE: &str = "PLUSMINUS_SUITE_SEED";

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let seed = text.trim().parse();
    seed.map_err(|_| format!("{SEED_VARIABLE}: {text:?} is not a whole number of at least 0"))
}

/// The seed that the environment asks for.
///
/// # Panics
/// When it cannot be understood.
pub(crate) fn seed_of_environment() -> Option<u64> {
    let text = std::env::var(SEED_VARIABLE).ok()?;
    Some(seed(&text).unwrap_or_else(|error| panic!("{error}")))
}
