//! HTML as it is written: the only place where texts become markup.

use std::fmt::Display;

/// Letters of a name between two places where it may break.
const LEAST: u32 = 6;

/// A piece of HTML. Every text that this program's source does not contain literally is escaped.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Adds markup of our own.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds a drawing, whose texts were escaped when it was drawn.
    pub(super) fn drawing(&mut self, svg: &str) -> &mut Self {
        self.0.push_str(svg);
        self
    }

    /// Adds a template with a value for each `{}`. Texts are escaped. They may break behind the separators of names, and
    /// have code between backticks, unless they are the value of an attribute or stand where everything is text.
    pub(super) fn fill(&mut self, template: &'static str, values: &[&dyn Display]) -> &mut Self {
        let mut parts = template.split("{}");
        let mut is_tag = false;
        for value in values {
            let part = parts.next().unwrap_or_default();
            is_tag = part.rfind(['<', '>']).map_or(is_tag, |at| part[at..].starts_with('<'));
            let is_plain = is_tag || part.ends_with("<title>") || part.ends_with("<pre>");
            self.raw(part).text(&value.to_string(), !is_plain);
        }
        parts.for_each(|part| self.0.push_str(part));
        self
    }

    fn text(&mut self, text: &str, breaks: bool) {
        let mut letters = text.chars().peekable();
        let (mut before, mut since) = (' ', 0);
        let (mut quotes, mut is_code) = (text.matches('`').count(), false);
        while let Some(letter) = letters.next() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '`' if breaks && (is_code || quotes > 1) => {
                    self.0.push_str(if is_code { "</code>" } else { "<code>" });
                    is_code = !is_code;
                }
                letter => self.0.push(letter),
            }
            quotes -= usize::from(letter == '`');
            let separates = matches!(letter, '/' | '_') || (letter == ':' && before == ':');
            let goes_on =
                letters.peek().is_some_and(|next| !next.is_whitespace() && *next != letter);
            since = if letter.is_whitespace() { 0 } else { since + 1 };
            if breaks && separates && goes_on && since >= LEAST {
                self.0.push_str("<wbr>");
                since = 0;
            }
            before = letter;
        }
    }

    /// Adds a list that begins like this, unless it is empty.
    pub(super) fn list(&mut self, begin: &'static str, sentences: &[String]) -> &mut Self {
        if !sentences.is_empty() {
            self.raw(begin);
            sentences.iter().for_each(|one| _ = self.fill("<li>{}</li>\n", &[one]));
            self.raw("</ul>\n");
        }
        self
    }

    /// Adds facts behind their names, unless there are none.
    pub(super) fn facts(&mut self, facts: &[[String; 2]]) -> &mut Self {
        if !facts.is_empty() {
            self.raw("<dl class=\"facts\">\n");
            for [name, value] in facts {
                self.fill("<div><dt>{}</dt><dd>{}</dd></div>\n", &[name, value]);
            }
            self.raw("</dl>\n");
        }
        self
    }

    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// A text without markup, for drawings.
pub(in crate::pages) fn escaped(text: &str) -> String {
    let mut out = Markup::default();
    out.text(text, false);
    out.take()
}
