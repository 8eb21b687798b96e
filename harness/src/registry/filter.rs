//! Which benchmarks a command line selects.

/// Positive and negative filters, as libtest has them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    /// A name passes if it contains one of these; all names pass if there is none.
    pub(crate) wanted: Vec<String>,
    /// A name that contains one of these does not pass.
    pub(crate) skipped: Vec<String>,
    /// Names have to be equal, not only to contain the text.
    pub(crate) exact: bool,
}

impl Filter {
    /// Does a benchmark with this name, registered in that crate, pass?
    ///
    /// The name may be given with the crate in front, as tools do that know the full path of a function.
    pub(crate) fn passes(&self, krate: &str, name: &str) -> bool {
        let matches = |text: &String| {
            if self.exact {
                name == text
                    || text.strip_prefix(krate).and_then(|t| t.strip_prefix("::")) == Some(name)
            } else {
                name.contains(text.as_str()) || format!("{krate}::{name}").contains(text.as_str())
            }
        };
        (self.wanted.is_empty() || self.wanted.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}
