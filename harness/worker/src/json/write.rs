//! From values to JSON, in the order of the fields and without blanks.

use std::{borrow::Cow, fmt, fmt::Write as _};

use json_event_parser::{JsonEvent, LowLevelJsonSerializer};

/// A type that can be written as JSON.
pub trait ToJson {
    /// Writes one value.
    fn write(&self, to: &mut Writer);
}

/// A field of an object. Without a value it is not written.
pub type Entry<'e> = (&'static str, Option<&'e dyn ToJson>);

/// The document of a value.
pub fn encode(value: &dyn ToJson) -> Vec<u8> {
    encode_in(value, 0)
}

/// The document of a value, in memory that has room for this number of bytes.
pub fn encode_in(value: &dyn ToJson, bytes: usize) -> Vec<u8> {
    let mut to = Writer { text: Vec::with_capacity(bytes), ..Writer::default() };
    value.write(&mut to);
    to.text
}

/// The document of an object that has no type of its own.
pub fn encode_object(fields: &[Entry<'_>]) -> Vec<u8> {
    let mut to = Writer::default();
    to.object(fields);
    to.text
}

/// A document that is being written.
#[derive(Default)]
pub struct Writer {
    text: Vec<u8>,
    syntax: LowLevelJsonSerializer,
}

impl Writer {
    fn event(&mut self, event: JsonEvent<'_>) {
        let written = self.syntax.serialize_event(event, &mut self.text);
        // A vector takes everything, and every shape here closes what it opens.
        debug_assert!(written.is_ok(), "{written:?}");
    }

    pub(super) fn null(&mut self) {
        self.event(JsonEvent::Null);
    }

    pub(super) fn truth(&mut self, truth: bool) {
        self.event(JsonEvent::Boolean(truth));
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) {
        self.event(JsonEvent::String(Cow::Borrowed(text)));
    }

    /// Writes these digits. Their number does not decide how much memory is used meanwhile: see `Answer::line`.
    pub(super) fn number(&mut self, shown: fmt::Arguments<'_>) {
        /// More than the digits of any number here.
        const BYTES: usize = 32;
        let mut digits = String::with_capacity(BYTES);
        let written = digits.write_fmt(shown);
        debug_assert!(written.is_ok(), "a text takes everything");
        self.event(JsonEvent::Number(Cow::Borrowed(&digits)));
    }

    /// Writes `count` elements, each by a call of `write`.
    pub(super) fn list(&mut self, count: usize, write: &dyn Fn(usize, &mut Self)) {
        self.event(JsonEvent::StartArray);
        for index in 0..count {
            write(index, self);
        }
        self.event(JsonEvent::EndArray);
    }

    /// Writes an object.
    pub fn object(&mut self, fields: &[Entry<'_>]) {
        self.event(JsonEvent::StartObject);
        for (name, value) in fields {
            if let Some(value) = value {
                self.event(JsonEvent::ObjectKey(Cow::Borrowed(name)));
                value.write(self);
            }
        }
        self.event(JsonEvent::EndObject);
    }

    /// Writes a variant with named fields: an object whose only field is its name.
    pub fn variant(&mut self, name: &'static str, fields: &[Entry<'_>]) {
        self.event(JsonEvent::StartObject);
        self.event(JsonEvent::ObjectKey(Cow::Borrowed(name)));
        self.object(fields);
        self.event(JsonEvent::EndObject);
    }
}
