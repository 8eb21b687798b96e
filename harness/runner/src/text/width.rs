//! The room that texts take in a terminal: columns, cuts and breaks of lines.

/// Returns the columns of a terminal that a text takes: two for a wide character, none for a combining one.
///
/// ```
/// assert_eq!(plusminus::text::width("µs"), 2);
/// assert_eq!(plusminus::text::width("表"), 2);
/// ```
pub fn width(text: &str) -> usize {
    text.chars().map(of_character).sum()
}

fn of_character(character: char) -> usize {
    match character {
        ' '..='\u{2ff}' => 1,
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{20d0}'..='\u{20ff}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Returns a text that is at most this wide. A longer text loses its middle, because the beginning and the end of a
/// name identify it best.
pub(super) fn cut(text: &str, columns: usize, mark: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(width(mark)) else { return ".".repeat(columns) };
    let head = leading(text.chars(), room.div_ceil(2));
    let tail: String = leading(text.chars().rev(), room - width(&head)).chars().rev().collect();
    format!("{head}{mark}{tail}")
}

fn leading(characters: impl Iterator<Item = char>, columns: usize) -> String {
    let mut taken = 0;
    characters
        .take_while(|&character| {
            taken += of_character(character);
            taken <= columns
        })
        .collect()
}

/// Breaks a text at blanks into lines of this width; all but the first begin with the indentation. A word that is
/// longer than a line has its own line and stays whole, because it may be a path or part of a command.
pub(super) fn wrapped(text: &str, columns: usize, indentation: &str) -> Vec<String> {
    let indentation = if width(indentation) + 8 <= columns { indentation } else { "" };
    let mut lines = Vec::new();
    let mut line = String::new();
    // Blanks at the beginning are meant.
    let body = text.trim_start_matches(' ');
    line.push_str(&text[..text.len() - body.len()]);
    let mut empty = true;
    for word in body.split(' ') {
        let gap = usize::from(!empty);
        if !empty && width(&line) + gap + width(word) > columns {
            lines.push(std::mem::replace(&mut line, indentation.to_owned()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Returns a text in letters that every terminal has.
pub(super) fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '±' => plain.push_str("+-"),
            'µ' | 'μ' => plain.push('u'),
            '−' | '–' | '—' => plain.push('-'),
            '×' => plain.push('x'),
            '→' => plain.push_str("->"),
            '…' => plain.push_str(".."),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            'σ' => plain.push_str("sigma"),
            'α' => plain.push_str("alpha"),
            'Δ' => plain.push_str("Delta"),
            '·' => plain.push('*'),
            '⁷' => plain.push_str("^7"),
            '⁻' => plain.push_str("^-"),
            '³' => plain.push_str("^3"),
            '„' | '“' | '”' => plain.push('"'),
            '‘' | '’' => plain.push('\''),
            ascii if ascii.is_ascii() => plain.push(ascii),
            _ => plain.push('?'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        for (text, columns, expected) in [
            ("short", 5, "short"),
            ("module::function::100000", 13, "module…100000"),
            ("abcdef", 4, "ab…f"),
            ("表表表表", 5, "表…表"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ] {
            assert_eq!(cut(text, columns, "…"), expected);
            assert!(width(&cut(text, columns, "…")) <= columns);
            assert!(width(&cut(text, columns, "..")) <= columns);
        }
    }

    #[test]
    fn lines_break_at_blanks_and_words_stay_whole() {
        assert_eq!(wrapped("one two three", 11, "  "), ["one two", "  three"]);
        assert_eq!(wrapped("  one two", 7, "  "), ["  one", "two"]);
        assert_eq!(wrapped("  one two", 10, "  "), ["  one two"]);
        assert_eq!(wrapped("abcdefghijkl mn", 10, "  "), ["abcdefghijkl", "  mn"]);
        assert_eq!(wrapped("", 10, "  "), [""]);
    }

    proptest::proptest! {
        #[test]
        fn no_line_is_wider_than_asked(text in "\\PC{0,120}", columns in 2_usize..90) {
            for line in wrapped(&text, columns, "    ") {
                let is_word = line.split(' ').filter(|word| !word.is_empty()).count() <= 1;
                proptest::prop_assert!(width(&line) <= columns || is_word, "{line:?}");
            }
            proptest::prop_assert!(width(&cut(&text, columns, "…")) <= columns);
            let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            proptest::prop_assert_eq!(letters(&wrapped(&text, columns, "    ").concat()), letters(&text));
            proptest::prop_assert!(ascii(&text).is_ascii());
        }
    }
}
