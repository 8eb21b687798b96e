//! The abilities of the terminal, or of its replacement.

use std::{env, io::IsTerminal};

use crate::text::{COLUMNS, Sort, Style, View};
use plusminus_worker::sys::{Stream, terminal_columns};

/// Fewer columns than these show nothing at all.
const LEAST_COLUMNS: usize = 20;

/// How a report on standard output is to be shown. Colors are those of terminals, unless `colour` or `NO_COLOR` is
/// set; the width is that in `COLUMNS`, or that of the terminal.
pub fn view(colour: Option<bool>, verbose: bool) -> View {
    let is_terminal = std::io::stdout().is_terminal();
    let coloured = colour.unwrap_or_else(|| {
        is_terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    });
    let columns = wanted_columns().or_else(|| terminal_columns(Stream::Output)).unwrap_or(COLUMNS);
    View {
        width: columns.max(LEAST_COLUMNS),
        style: if coloured { Style::Coloured } else { Style::Plain },
        unicode: has_unicode(|name| env::var(name).ok()),
        verbose,
        sort: Sort::Source,
    }
}

/// The columns of the terminal that progress is shown on; `None` where standard error is no terminal.
pub fn progress_columns() -> Option<usize> {
    let is_terminal = std::io::stderr().is_terminal();
    is_terminal.then(|| terminal_columns(Stream::Error).unwrap_or(COLUMNS).max(LEAST_COLUMNS))
}

fn wanted_columns() -> Option<usize> {
    env::var("COLUMNS").ok()?.trim().parse().ok().filter(|&columns| columns > 0)
}

/// Returns whether the user's locale has more letters than ASCII, which is assumed if it does not state a character
/// set.
fn has_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::has_unicode;

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let with = |set: &[(&str, &str)]| {
            let set: Vec<(String, String)> =
                set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            has_unicode(|wanted| {
                set.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
            })
        };
        assert!(with(&[]));
        assert!(with(&[("LANG", "de_DE.UTF-8")]) && with(&[("LC_ALL", ""), ("LANG", "C.utf8")]));
        assert!(!with(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]));
        assert!(!with(&[("LC_CTYPE", "en_US.ISO-8859-1"), ("LANG", "en_US.UTF-8")]));
    }
}
