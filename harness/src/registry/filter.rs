//! Which benchmarks a command line selects.

/// Positive and negative filters, as libtest has them.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    /// A name passes if it contains one of these; all names pass if there is none.
    pub(crate) wanted: Vec<String>,
    /// A name that contains one of these does not pass.
    pub(crate) skipped: Vec<String>,
    /// Names have to be equal, not only to contain the text.
    pub(crate) exact: bool,
    /// Whether a filter that is not exact selects a benchmark: the filter, the crate, the name.
    pub(crate) matches: fn(&str, &str, &str) -> bool,
}

impl Default for Filter {
    fn default() -> Self {
        let contains = |filter: &str, krate: &str, name: &str| {
            name.contains(filter) || format!("{krate}::{name}").contains(filter)
        };
        Self { wanted: Vec::new(), skipped: Vec::new(), exact: false, matches: contains }
    }
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
                (self.matches)(text, krate, name)
            }
        };
        (self.wanted.is_empty() || self.wanted.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}
