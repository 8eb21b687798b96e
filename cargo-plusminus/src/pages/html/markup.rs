//! HTML as it is written: the only place where texts become markup.

use std::fmt::{Display, Write};

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

    /// Adds a number of ours.
    pub(super) fn number(&mut self, number: impl Into<f64> + Display) -> &mut Self {
        let _ = write!(self.0, "{number}");
        self
    }

    /// Adds a text, as the content of an element or the value of an attribute.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.escaped(text, false)
    }

    /// Adds a text that may break behind the separators of names, with code between backticks.
    pub(super) fn words(&mut self, text: &str) -> &mut Self {
        self.escaped(text, true)
    }

    fn escaped(&mut self, text: &str, breaks: bool) -> &mut Self {
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
        self
    }

    /// Adds an element that holds only a text.
    pub(super) fn element(
        &mut self,
        begin: &'static str,
        text: &str,
        end: &'static str,
    ) -> &mut Self {
        self.raw(begin).words(text).raw(end)
    }

    /// Adds a list of sentences, unless it is empty.
    pub(super) fn list(&mut self, sentences: &[String]) -> &mut Self {
        if sentences.is_empty() {
            return self;
        }
        self.raw("<ul>\n");
        for sentence in sentences {
            self.element("<li>", sentence, "</li>\n");
        }
        self.raw("</ul>\n")
    }

    /// Adds facts behind their names, unless there are none.
    pub(super) fn facts(&mut self, facts: &[[String; 2]]) -> &mut Self {
        if facts.is_empty() {
            return self;
        }
        self.raw("<dl class=\"facts\">\n");
        for [name, value] in facts {
            self.element("<div><dt>", name, "</dt>").element("<dd>", value, "</dd></div>\n");
        }
        self.raw("</dl>\n")
    }

    /// Takes what was written.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn texts_are_no_markup_and_names_break_behind_separators() {
        let written = |text: &str| {
            let mut markup = Markup::default();
            markup.words(text);
            markup.take()
        };
        assert_eq!(written("<b a=\"'&'\">"), "&lt;b a=&quot;&#39;&amp;&#39;&quot;&gt;");
        assert_eq!(
            written("parse::long_name/d_e: 1 // x_"),
            "parse::<wbr>long_name/<wbr>d_e: 1 // x_"
        );
    }
}
