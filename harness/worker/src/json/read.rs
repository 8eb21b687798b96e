//! From JSON to values, with errors that say where in the document what was wrong.

use std::{borrow::Cow, fmt};

use json_event_parser::{JsonEvent, JsonSyntaxError, SliceJsonParser};

/// The most characters of a document that an error repeats.
const REPEATED: usize = 40;

/// A type that can be read from JSON, into an existing value.
pub trait FromJson {
    /// A value to read into; it is also that of a field that may be missing.
    fn blank() -> Self
    where
        Self: Sized;

    /// Reads one value; after an error, what is there means nothing.
    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), Malformed>;

    /// Whether an object may lack a field of this type.
    fn may_be_missing(&self) -> bool {
        false
    }
}

/// An error in a document, with its place.
#[derive(Debug)]
pub struct Malformed {
    /// The fields and indices that lead there: `cases[0].name`. Empty for the document itself.
    path: String,
    message: String,
}

impl Malformed {
    /// Makes an error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), message: message.into() }
    }

    fn unexpected(wanted: &str, found: &JsonEvent<'_>) -> Self {
        let found = match found {
            JsonEvent::String(_) => "a text",
            JsonEvent::Number(_) => "a number",
            JsonEvent::Boolean(_) => "a truth value",
            JsonEvent::Null => "null",
            JsonEvent::StartArray => "a list",
            JsonEvent::StartObject => "an object",
            JsonEvent::EndArray | JsonEvent::EndObject | JsonEvent::ObjectKey(_) => "nothing",
            JsonEvent::Eof => "the end",
        };
        Self::new(format!("expected {wanted}, found {found}"))
    }

    /// A text or number that means nothing here.
    pub(super) fn unknown(wanted: &str, found: &str) -> Self {
        let shown: String = found.chars().take(REPEATED).collect();
        let dots = if shown.len() < found.len() { "…" } else { "" };
        Self::new(format!("expected {wanted}, found `{}{dots}`", shown.escape_debug()))
    }

    /// The name of a variant that there is not.
    pub fn no_variant(known: &[&str], found: &str) -> Self {
        Self::unknown(&format!("one of {}", known.join(", ")), found)
    }

    fn within(mut self, field: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path.insert_str(0, dot);
        self.path.insert_str(0, field);
        self
    }

    fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }

    /// A text that is not JSON, or only the beginning of some.
    fn syntax(error: &JsonSyntaxError, bytes: usize) -> Self {
        let place = error.location().start;
        let message = if place.offset >= bytes as u64 {
            "Unexpected end of file".to_owned()
        } else {
            error.message().replace(char::is_control, "\u{fffd}")
        };
        Self::new(format!(
            "no JSON: {message} at line {} column {}",
            place.line + 1,
            place.column + 1
        ))
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", self.path, self.message)
    }
}

/// Reads a document that is one value, and nothing after it.
pub fn decode<T: FromJson>(text: &[u8]) -> Result<T, Malformed> {
    let mut value = T::blank();
    whole(text, &mut value)?;
    Ok(value)
}

fn whole(text: &[u8], value: &mut dyn FromJson) -> Result<(), Malformed> {
    let mut from = Reader { parser: SliceJsonParser::new(text), bytes: text.len(), ahead: None };
    value.read(&mut from)?;
    // The library reports the fault if anything follows.
    from.next().map(drop)
}

/// A field of an object, and where its value belongs.
pub struct Field<'f> {
    /// Its name.
    pub name: &'static str,
    /// Where its value goes.
    pub value: &'f mut dyn FromJson,
    /// Whether it may be missing.
    pub optional: bool,
}

/// The name of a variant, as a text or as the only field of an object.
pub struct Tag<'a> {
    pub name: Cow<'a, str>,
    has_value: bool,
}

/// A document, read from its beginning on.
pub struct Reader<'a> {
    parser: SliceJsonParser<'a>,
    bytes: usize,
    ahead: Option<JsonEvent<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn next(&mut self) -> Result<JsonEvent<'a>, Malformed> {
        match self.ahead.take() {
            Some(event) => Ok(event),
            None => self.parser.parse_next().map_err(|error| Malformed::syntax(&error, self.bytes)),
        }
    }

    /// Whether this comes next; if so, it is read.
    fn comes(&mut self, event: &JsonEvent<'_>) -> Result<bool, Malformed> {
        let next = self.next()?;
        let comes = next == *event;
        if !comes {
            self.ahead = Some(next);
        }
        Ok(comes)
    }

    pub(super) fn null(&mut self) -> Result<bool, Malformed> {
        self.comes(&JsonEvent::Null)
    }

    pub(super) fn text(&mut self) -> Result<Cow<'a, str>, Malformed> {
        match self.next()? {
            JsonEvent::String(text) => Ok(text),
            other => Err(Malformed::unexpected("a text", &other)),
        }
    }

    pub(super) fn number(&mut self) -> Result<Cow<'a, str>, Malformed> {
        match self.next()? {
            JsonEvent::Number(digits) => Ok(digits),
            other => Err(Malformed::unexpected("a number", &other)),
        }
    }

    pub(super) fn truth(&mut self) -> Result<bool, Malformed> {
        match self.next()? {
            JsonEvent::Boolean(truth) => Ok(truth),
            other => Err(Malformed::unexpected("a truth value", &other)),
        }
    }

    /// Reads a list with what reads one element.
    pub(super) fn list(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        match self.next()? {
            JsonEvent::StartArray => {}
            other => return Err(Malformed::unexpected("a list", &other)),
        }
        let mut index = 0;
        while !self.comes(&JsonEvent::EndArray)? {
            read(self).map_err(|error| error.at(index))?;
            index += 1;
        }
        Ok(())
    }

    /// Reads an object. Fields that are not among these are passed over: later versions have more.
    pub fn object(&mut self, fields: &mut [Field<'_>]) -> Result<(), Malformed> {
        match self.next()? {
            JsonEvent::StartObject => {}
            other => return Err(Malformed::unexpected("an object", &other)),
        }
        let mut found = vec![false; fields.len()];
        while let JsonEvent::ObjectKey(name) = self.next()? {
            let Some(index) = fields.iter().position(|field| field.name == name) else {
                self.pass_over()?;
                continue;
            };
            let field = &mut fields[index];
            if found[index] {
                return Err(Malformed::new("is there twice").within(field.name));
            }
            found[index] = true;
            field.value.read(self).map_err(|error| error.within(field.name))?;
        }
        let lacks = fields
            .iter()
            .zip(found)
            .find(|(field, found)| !found && !field.optional && !field.value.may_be_missing());
        match lacks {
            None => Ok(()),
            Some((field, _)) => Err(Malformed::new("is missing").within(field.name)),
        }
    }

    fn pass_over(&mut self) -> Result<(), Malformed> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                JsonEvent::StartArray | JsonEvent::StartObject => depth += 1,
                JsonEvent::EndArray | JsonEvent::EndObject => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Reads which variant follows.
    pub fn tag(&mut self) -> Result<Tag<'a>, Malformed> {
        match self.next()? {
            JsonEvent::String(name) => Ok(Tag { name, has_value: false }),
            JsonEvent::StartObject => match self.next()? {
                JsonEvent::ObjectKey(name) => Ok(Tag { name, has_value: true }),
                _ => Err(Malformed::new("expected the name of a variant, found an empty object")),
            },
            other => Err(Malformed::unexpected("the name of a variant", &other)),
        }
    }

    /// Reads the value of a variant that has one.
    pub fn payload(&mut self, tag: &Tag<'_>, value: &mut dyn FromJson) -> Result<(), Malformed> {
        if !tag.has_value {
            return Err(Malformed::new("lacks its value").within(&tag.name));
        }
        value.read(self).map_err(|error| error.within(&tag.name))
    }

    /// Reads the value of a variant with named fields.
    pub fn fields(&mut self, tag: &Tag<'_>, fields: &mut [Field<'_>]) -> Result<(), Malformed> {
        if !tag.has_value {
            return Err(Malformed::new("lacks its fields").within(&tag.name));
        }
        self.object(fields).map_err(|error| error.within(&tag.name))
    }

    /// Reads what is left of a variant.
    pub fn end_of(&mut self, tag: &Tag<'_>, is_unit: bool) -> Result<(), Malformed> {
        if !tag.has_value {
            return Ok(());
        }
        if is_unit && !self.null()? {
            return Err(Malformed::new("has no value").within(&tag.name));
        }
        match self.next()? {
            JsonEvent::EndObject => Ok(()),
            _ => Err(Malformed::new("expected one variant, found more").within(&tag.name)),
        }
    }
}
