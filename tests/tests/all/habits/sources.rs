//! The prose of Rust sources: comments, and strings that hold sentences.

/// A comment or a string of a source.
#[derive(Debug, PartialEq)]
pub(super) struct Prose {
    pub(super) kind: Kind,
    /// The number of its first line, from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// The place of a text in a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Doc,
    Comment,
    Message,
}

/// Returns the comments of a source, lines that follow each other as one, and its strings of at least four words.
pub(super) fn of_rust(source: &str) -> Vec<Prose> {
    let mut found: Vec<Prose> = Vec::new();
    let mut joins = None;
    let mut line = 1;
    let mut line_is_empty = true;
    let mut rest = source;
    while !rest.is_empty() {
        let before = source[..source.len() - rest.len()].chars().next_back();
        let length = if rest.starts_with("//") {
            let text = rest.lines().next().unwrap();
            let (kind, mark, prose) = comment(text);
            match found.last_mut() {
                Some(last) if line_is_empty && joins == Some((line, mark)) => {
                    last.text.push('\n');
                    last.text += prose;
                }
                _ => found.push(Prose { kind, line, text: prose.to_owned() }),
            }
            joins = line_is_empty.then_some((line + 1, mark));
            text.len()
        } else if let Some((length, text)) = string(rest, before) {
            if text.split_whitespace().count() > 3 {
                found.push(Prose { kind: Kind::Message, line, text });
            }
            length
        } else {
            character(rest)
        };
        let (passed, after) = rest.split_at(length);
        for c in passed.chars() {
            line += usize::from(c == '\n');
            line_is_empty = c == '\n' || line_is_empty && c.is_whitespace();
        }
        rest = after;
    }
    found
}

/// Returns the kind of a line of a comment, its slashes, and its text.
fn comment(line: &str) -> (Kind, &str, &str) {
    let text = line.trim_start_matches('/');
    let text = text.strip_prefix('!').unwrap_or(text);
    let mark = &line[..line.len() - text.len()];
    let kind = if ["///", "//!"].contains(&mark) { Kind::Doc } else { Kind::Comment };
    (kind, mark, text.strip_prefix(' ').unwrap_or(text))
}

/// Returns the length and the text of a string that begins here. A placeholder stands for one word.
fn string(rest: &str, before: Option<char>) -> Option<(usize, String)> {
    let after_prefix = rest.trim_start_matches(['b', 'c']);
    let raw = after_prefix.strip_prefix('r').map(|hashes| hashes.trim_start_matches('#'));
    if let Some(body) = raw.and_then(|quote| quote.strip_prefix('"'))
        && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    {
        let start = rest.len() - body.len();
        let hashes = rest[..start].matches('#').count();
        let end = body.find(&format!("\"{}", "#".repeat(hashes)))?;
        return Some((start + end + 1 + hashes, placeholders(&body[..end])));
    }
    let body = rest.strip_prefix('"')?;
    let mut text = String::new();
    let mut characters = body.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((at + 2, placeholders(&text))),
            '\\' => match characters.next()?.1 {
                'n' => text.push('\n'),
                '\n' => {
                    let indent = characters.as_str().len() - characters.as_str().trim_start().len();
                    characters.by_ref().take(indent).for_each(drop);
                }
                escaped => text.push(escaped),
            },
            c => text.push(c),
        }
    }
    None
}

/// Replaces the placeholders of a format by words.
fn placeholders(text: &str) -> String {
    let mut parts = text.split('{');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('}').map_or(part, |(_, rest)| rest).trim_start_matches('}');
    }
    plain
}

/// Returns the length of what begins here and is neither a comment nor a string: a character, or a literal of one.
fn character(rest: &str) -> usize {
    let mut characters = rest.chars();
    let first = characters.next().map_or(1, char::len_utf8);
    if !rest.starts_with('\'') {
        return first;
    }
    match (characters.next(), characters.next()) {
        (Some('\\'), Some(escaped)) => {
            let start = 2 + escaped.len_utf8();
            rest[start..].find('\'').map_or(1, |end| start + end + 1)
        }
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1,
    }
}
