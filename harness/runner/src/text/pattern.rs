//! Filters that people write to select names.

use regex_lite::Regex;

/// Letters that mean more than themselves in a regular expression.
const SPECIAL: &[char] = &['.', '^', '$', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '\\'];

/// A filter: a part of a name as it stands there, or a regular expression that matches a part of it.
///
/// The crate counts only where the filter begins with it (`my_crate::parse`): a filter that is the name of a bench target
/// does not select all that is in it.
///
/// ```
/// use plusminus::text::Pattern;
///
/// let selects = |filter: &str, name: &str| Pattern::new(filter).selects("my_crate", name);
/// assert!(selects("sort", "sort::10") && selects("^sort::1.$", "sort::10") && selects("my_crate::so", "sort"));
/// // What stands in names stands for itself, too.
/// assert!(selects("[u8; 4]", "of_types::[u8; 4]"));
/// assert!(!selects("my_crate", "sort"));
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    /// Its meaning as an expression; `None` without special characters.
    expression: Option<Result<Regex, String>>,
}

impl Pattern {
    /// Reads a filter. A text that is not a regular expression stands for itself.
    pub fn new(text: &str) -> Self {
        let expression =
            text.contains(SPECIAL).then(|| Regex::new(text).map_err(|error| error.to_string()));
        Self { text: text.to_owned(), expression }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why it is no regular expression, if it is none.
    pub fn fault(&self) -> Option<&str> {
        self.expression.as_ref()?.as_ref().err().map(String::as_str)
    }

    /// Whether it selects the benchmark of this name, which a crate has registered.
    pub fn selects(&self, krate: &str, name: &str) -> bool {
        let begin = format!("{krate}::");
        let (anchor, rest) = match self.text.strip_prefix('^') {
            Some(rest) => ("^", rest),
            None => ("", self.text.as_str()),
        };
        let named = rest.starts_with(&begin);
        let full = format!("{begin}{name}");
        name.contains(&self.text)
            || (named && anchor.is_empty() && full.starts_with(rest))
            || self.expression.as_ref().and_then(|expression| expression.as_ref().ok()).is_some_and(
                |expression| expression.is_match(name) || (named && expression.is_match(&full)),
            )
    }

    /// Whether it is the whole name of this benchmark, with or without the crate.
    pub fn equals(&self, krate: &str, name: &str) -> bool {
        let within = self.text.strip_prefix(krate).and_then(|rest| rest.strip_prefix("::"));
        self.text == name || within == Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_expressions_select() {
        let selects = |filter: &str, name: &str| Pattern::new(filter).selects("sort", name);
        for (filter, name) in [
            ("parse", "parse"),
            ("par|sort", "parse::1"),
            ("^parse::(1|2)0*$", "parse::100"),
            ("sort::parse", "parse::100"),
            ("^sort::pa.*0$", "parse::100"),
            ("", "anything"),
            ("fib(", "fib(3)"),
            ("a::b", "module::a::b"),
        ] {
            assert!(selects(filter, name), "{filter} {name}");
        }
        for (filter, name) in [
            ("sort", "parse"),
            ("sort::", "parse"),
            ("^sort", "parse"),
            ("so.t", "parse"),
            ("sort::arse", "parse"),
            ("parse$", "parse::1"),
            ("fib(", "fib3"),
            ("Parse", "parse"),
        ] {
            // `sort::` is the crate in front of every name, and selects all of them.
            assert_eq!(selects(filter, name), filter == "sort::", "{filter} {name}");
        }
        assert!(Pattern::new("fib(").fault().is_some() && Pattern::new("fib").fault().is_none());
    }

    #[test]
    fn whole_names_may_have_the_crate_in_front() {
        let equals = |filter: &str| Pattern::new(filter).equals("faults", "healthy::100");
        assert!(equals("healthy::100") && equals("faults::healthy::100"));
        assert!(!equals("healthy") && !equals("faults::healthy") && !equals("healthy::1.0"));
    }
}
