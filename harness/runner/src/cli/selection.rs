//! Which benchmarks a command line selects.

use crate::text::Pattern;

/// Positive and negative filters, as libtest has them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    /// A name passes if one of these selects it; all names pass if there is none.
    pub(crate) wanted: Vec<Pattern>,
    /// A name that one of these selects does not pass.
    pub(crate) skipped: Vec<Pattern>,
    /// Filters are whole names.
    pub(crate) exact: bool,
}

impl Filter {
    /// Does a benchmark with this name, registered in that crate, pass?
    ///
    /// The name may be given with the crate in front, as tools do that know the full path of a function.
    pub(crate) fn passes(&self, krate: &str, name: &str) -> bool {
        let matches = |pattern: &Pattern| {
            if self.exact { pattern.equals(krate, name) } else { pattern.selects(krate, name) }
        };
        (self.wanted.is_empty() || self.wanted.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}
