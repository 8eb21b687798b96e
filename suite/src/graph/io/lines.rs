//! Text files by lines, of which none may be so long that it fills the memory.

use std::io::{BufRead, Read};
use std::str::FromStr;

use super::{Place, ReadError};
use crate::graph::{Vertex, Weight};

/// The longest line that is read: comments may be long, edges are not.
pub(super) const LONGEST: u64 = 1 << 16;

/// Lines with their numbers.
pub(super) struct Lines<R> {
    pub(super) input: R,
    /// The number of lines that have been read.
    pub(super) number: u64,
    buffer: Vec<u8>,
}

/// One line.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) text: &'a str,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, buffer: Vec::new() }
    }

    /// The number of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without white space around it, or none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        self.number += 1;
        self.buffer.clear();
        let place = Place::Line(self.number);
        let mut limited = (&mut self.input).take(LONGEST + 1);
        let read = limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| ReadError::new(place, error.to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        Ok(Some(Line { number: self.number, text: text_of(&self.buffer, self.number)? }))
    }
}

/// A line of bytes as text without white space around it.
pub(super) fn text_of(bytes: &[u8], number: u64) -> Result<&str, ReadError> {
    let place = Place::Line(number);
    if bytes.len() as u64 > LONGEST {
        return Err(ReadError::new(place, format!("longer than {LONGEST} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ReadError::new(place, "not UTF-8 text"))?;
    Ok(text.trim())
}

impl<'a> Line<'a> {
    /// An error at this line.
    pub(super) fn error(&self, reason: impl Into<String>) -> ReadError {
        ReadError::new(Place::Line(self.number), reason)
    }

    /// The words of the line.
    pub(super) fn fields(&self) -> Fields<'a> {
        Fields { line: *self, words: self.text.split_whitespace() }
    }
}

/// The words of a line, taken one by one.
pub(super) struct Fields<'a> {
    line: Line<'a>,
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Fields<'a> {
    /// The next word.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, ReadError> {
        self.words.next().ok_or_else(|| self.line.error(format!("{what} is missing")))
    }

    /// The next word, if there is one.
    pub(super) fn optional(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next word as a number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ReadError> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.line.error(format!("{what}: {word:?} is not one")))
    }

    /// The next word as a vertex counted from 1, counted from 0.
    pub(super) fn vertex_from_one(&mut self, vertices: usize) -> Result<Vertex, ReadError> {
        let number: u64 = self.number("a vertex number")?;
        if number == 0 || number > vertices as u64 {
            let reason = format!("vertex {number} is not one of 1 to {vertices}");
            return Err(self.line.error(reason));
        }
        Ok((number - 1) as Vertex)
    }

    /// The next word as a weight.
    pub(super) fn weight<W: Weight + FromStr>(&mut self) -> Result<W, ReadError> {
        let word = self.word("a weight")?;
        self.parse_weight(word)
    }

    /// A word as a weight.
    pub(super) fn parse_weight<W: Weight + FromStr>(&self, word: &str) -> Result<W, ReadError> {
        match word.parse() {
            Ok(weight) if W::is_legal(weight) => Ok(weight),
            _ => Err(self.line.error(format!("{word:?} is not a weight: {}", W::LEGAL))),
        }
    }

    /// Makes sure that nothing is left.
    pub(super) fn end(&mut self) -> Result<(), ReadError> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(self.line.error(format!("{word:?} is one word too many"))),
        }
    }
}

/// The number of vertices that a header declares.
pub(super) fn vertex_count(line: &Line<'_>, number: u64) -> Result<usize, ReadError> {
    if number <= 1 << 32 {
        Ok(number as usize)
    } else {
        Err(line.error(format!("{number} vertices; a vertex is a 32-bit number")))
    }
}
