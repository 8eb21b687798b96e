//! Text from outside (names, messages, records, git) made harmless for terminals and logs.

use super::hash::checksum;
use crate::listed::Listed;
use std::fmt::Write as _;

/// Characters of a name or a cell at most.
const NAME: usize = 200;

/// Characters of a sentence or a message at most.
const SENTENCE: usize = 10_000;

/// Lines of a block at most; the last ones say why a program ended.
const LINES: usize = 100;

/// Returns a name or another short text on one line, of at most 200 characters, with nothing hidden in it.
///
/// Control characters (escape sequences, line breaks), invisible characters and characters that change the direction
/// of writing become escapes such as `\u{1b}`. An escape also breaks texts that build services read as commands (`::`
/// at the beginning, `##[`). A longer text keeps its beginning, with its length and a checksum, so that different
/// texts stay different. Applying it twice changes nothing.
///
/// ```
/// assert_eq!(plusminus_worker::text::visible("a\u{1b}[2J"), "a\\u{1b}[2J");
/// assert_eq!(plusminus_worker::text::visible("::error::x"), "\\u{3a}:error::x");
/// ```
pub fn visible(text: &str) -> String {
    escaped(text, NAME, false)
}

/// Returns a sentence or a message as [`visible`] does, of at most 10,000 characters.
pub fn sentence(text: &str) -> String {
    escaped(text, SENTENCE, false)
}

/// Returns what a program printed: the last 100 lines, each as [`sentence`] has it, indented and ended.
pub fn block(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().listed();
    let left_out = lines.len().saturating_sub(LINES);
    let mut block = String::new();
    if left_out > 0 {
        let _ = writeln!(block, "  … {left_out} lines before");
    }
    for line in &lines[left_out..] {
        let _ = writeln!(block, "  {}", sentence(line).trim_end());
    }
    block
}

/// Escapes what is hidden in a JSON document, where it can only be part of strings. The values stay the same.
pub fn json_escaped(document: &str) -> String {
    let mut escaped = String::with_capacity(document.len());
    for character in document.chars() {
        match character {
            // Two of these and a bracket are a command for a build service; both marks together are within a string.
            '[' if escaped.ends_with("##") => escaped.push_str("\\u005b"),
            // Layout of the document, and JSON's own escapes.
            ' ' | '\n' | '\\' => escaped.push(character),
            _ if hidden(character) => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Returns whether a character cannot be seen, or changes how others are seen. A backslash begins escapes.
pub fn hidden(character: char) -> bool {
    character == '\\'
        || character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Returns a text as [`visible`] does, of at most `limit` characters. With `backslashes`, each backslash is doubled, so that
/// different texts stay different.
pub fn escaped(text: &str, limit: usize, backslashes: bool) -> String {
    let mark =
        |text: &str| format!("…[{} characters, {:08x}]", text.chars().count(), checksum(text));
    let mut line = String::new();
    let mut written = 0;
    // Where the line ends if it has to be cut: the longest mark has room behind it.
    let (room, mut end) = (limit - 40, 0);
    let mut before = ['\0'; 2];
    let mut begun = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let command = match character {
            ':' => !begun && characters.peek() == Some(&':'),
            '[' => before == ['#', '#'],
            _ => false,
        };
        let escape = match character {
            '\n' | '\r' | '\t' => Some(character.escape_default().to_string()),
            '\\' => backslashes.then(|| "\\\\".to_owned()),
            _ => (command || hidden(character)).then(|| character.escape_unicode().to_string()),
        };
        written += escape.as_ref().map_or(1, String::len);
        match escape {
            Some(escape) => line.push_str(&escape),
            None => line.push(character),
        }
        begun |= character != ' ';
        before = [before[1], character];
        if written <= room {
            end = line.len();
        }
        if written > limit {
            line.truncate(end);
            return line + &mark(text);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_or_a_build_service() {
        for (text, expected) in [
            ("plain name → µs", "plain name → µs"),
            ("a\nb\tc", "a\\nb\\tc"),
            ("\u{1b}]8;;http://x\u{7}y", "\\u{1b}]8;;http://x\\u{7}y"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
            ("  ::error::x", "  \\u{3a}:error::x"),
            ("module::name", "module::name"),
            ("x ##[error]y", "x ##\\u{5b}error]y"),
            ("tag\u{e0041}", "tag\\u{e0041}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn long_texts_are_cut_and_stay_apart() {
        let (one, other) = ("x".repeat(10_000_000), "x".repeat(10_000_000) + "y");
        assert!(visible(&one).chars().count() <= NAME);
        assert!(visible(&one).starts_with("xxx") && visible(&one).contains("10000000 characters"));
        assert_ne!(visible(&one), visible(&other));
        let exact = "é".repeat(NAME);
        assert_eq!(visible(&exact), exact);
    }

    #[test]
    fn blocks_keep_the_last_lines() {
        let text: String = (0..1000).map(|n| format!("line {n}\u{1b}\n")).collect();
        let block = block(&text);
        assert!(block.starts_with("  … 900 lines before\n  line 900\\u{1b}\n"));
        assert!(block.ends_with("  line 999\\u{1b}\n"));
        assert_eq!(super::block("  \n"), "");
    }

    proptest::proptest! {
        #[test]
        fn any_text_becomes_one_bounded_visible_line(text in proptest::collection::vec(proptest::char::any(), 0..400)) {
            let text: String = text.into_iter().collect();
            let line = visible(&text);
            proptest::prop_assert!(line.chars().all(|c| c == '\\' || !hidden(c)));
            proptest::prop_assert!(line.chars().count() <= NAME);
            proptest::prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["));
            proptest::prop_assert_eq!(visible(&line), line);
        }

        #[test]
        fn escaping_json_keeps_the_value(text in "\\PC{0,40}|(?s).{0,40}") {
            let document = serde_json::to_string_pretty(&[&text]).unwrap();
            let escaped = json_escaped(&document);
            proptest::prop_assert_eq!(serde_json::from_str::<Vec<String>>(&escaped).unwrap(), vec![text]);
            proptest::prop_assert!(escaped.chars().all(|c| c == '\\' || c == '\n' || !hidden(c)));
            proptest::prop_assert!(!escaped.contains("##["));
        }
    }
}
