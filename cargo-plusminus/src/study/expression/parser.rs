//! Reads the text of a formula into an expression, by recursive descent. Knows nothing of models and fits.

use plusminus::text::number::counted;

use super::{Expression, FUNCTIONS, Operator};

/// The elements of a formula, for errors.
const GRAMMAR: &str = "a formula is made of n, p, numbers, + - * / ^, parentheses, log2 (also log), ln, log10, sqrt, \
                       abs, ceil, floor, min(,), max(,), and coefficients under any other names";

pub(in crate::study) fn parse(text: &str) -> Result<Expression, String> {
    let mut parser = Parser { text, at: 0 };
    let expression = parser.sum()?;
    match parser.peek() {
        None => Ok(expression),
        Some(letter) => Err(parser.unexpected(letter)),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    /// The next letter that is no blank.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    /// Goes past the next letter if it is this one.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn unexpected(&self, letter: char) -> String {
        format!(
            "{letter:?} is not expected at letter {}; {GRAMMAR}",
            self.text[..self.at].chars().count() + 1
        )
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut sum = self.product()?;
        loop {
            let operator = match () {
                () if self.take('+') => Operator::Add,
                () if self.take('-') || self.take('−') => Operator::Subtract,
                () => return Ok(sum),
            };
            sum = Expression::binary(operator, sum, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut product = self.power()?;
        loop {
            let operator = match () {
                () if self.take('*') || self.take('·') => Operator::Multiply,
                () if self.take('/') => Operator::Divide,
                () => return Ok(product),
            };
            product = Expression::binary(operator, product, self.power()?);
        }
    }

    /// Binds from the right, and tighter than the sign before it.
    fn power(&mut self) -> Result<Expression, String> {
        if self.take('-') || self.take('−') {
            let minus = Expression::Number(-1.0);
            return Ok(Expression::binary(Operator::Multiply, minus, self.power()?));
        }
        let base = self.atom()?;
        if self.take('^') {
            return Ok(Expression::binary(Operator::Power, base, self.power()?));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Expression, String> {
        match self.peek() {
            None => Err(format!("something is missing at its end; {GRAMMAR}")),
            Some('(') => {
                self.take('(');
                let inner = self.sum()?;
                self.close()?;
                Ok(inner)
            }
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => self.name(),
            Some(letter) => Err(self.unexpected(letter)),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        if self.take(')') { Ok(()) } else { Err("a parenthesis is not closed".to_owned()) }
    }

    /// The next letters that belong together.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<Expression, String> {
        let mut word = self.word(|letter| letter.is_ascii_digit() || letter == '.').to_owned();
        // An exponent, `1e-9`; an e that nothing follows is a name, which is then not expected.
        let rest = &self.text[self.at..];
        if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
            let digits = exponent.trim_start_matches(['+', '-']);
            if digits.starts_with(|letter: char| letter.is_ascii_digit()) {
                self.at += rest.len() - digits.len();
                word += &rest[..rest.len() - digits.len()];
                word += self.word(|letter| letter.is_ascii_digit());
            }
        }
        let number: Option<f64> = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Expression::Number).ok_or_else(|| format!("{word:?} is no number"))
    }

    fn name(&mut self) -> Result<Expression, String> {
        let name = self.word(|letter| letter.is_ascii_alphanumeric() || letter == '_').to_owned();
        let function = FUNCTIONS.iter().position(|(known, ..)| *known == name);
        if !self.take('(') {
            return match (name.as_str(), function) {
                ("n", _) => Ok(Expression::Size),
                ("p", _) => Ok(Expression::Processors),
                (_, Some(_)) => Err(format!("{name} needs an argument: {name}(n)")),
                (_, None) => Ok(Expression::Coefficient(name)),
            };
        }
        let Some(function) = function else {
            return Err(format!("{name} is no function, and a product needs its *; {GRAMMAR}"));
        };
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        self.close()?;
        let (_, count, _) = FUNCTIONS[function];
        if arguments.len() == count {
            Ok(Expression::Call(function, arguments))
        } else {
            Err(format!("{name} takes {}", counted(count, "argument")))
        }
    }
}
