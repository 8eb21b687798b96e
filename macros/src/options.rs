//! The options of the attributes: all mistakes are collected, each with its place and its cure.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use syn::{
    Error, LitStr, Result, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use crate::{
    signature::{AngleDepth, bare, split_at_commas, within},
    spelling::closest,
};

/// The form of the value after the name of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Nothing: the name is enough.
    Nothing,
    /// A value, always.
    Value,
    /// A value, or nothing.
    Either,
}

/// An option that there is.
struct Known {
    name: &'static str,
    takes: Takes,
    /// Whether a group takes it too, for all benchmarks of its module.
    group: bool,
    /// An example, for help.
    example: &'static str,
}

const fn known(name: &'static str, takes: Takes, group: bool, example: &'static str) -> Known {
    Known { name, takes, group, example }
}

/// Every option there is.
const KNOWN: [Known; 28] = [
    known("args", Takes::Value, false, "args = [10, 1000]"),
    known("baseline", Takes::Nothing, false, "baseline"),
    known("bits", Takes::Value, false, "bits = 64"),
    known("bytes", Takes::Value, false, "bytes = 4096"),
    known("consts", Takes::Value, false, "consts = [4, 8]"),
    known("crate", Takes::Value, true, "crate = my_crate::plusminus"),
    known("executor", Takes::Value, false, "executor = tokio::runtime::Runtime::new().unwrap()"),
    known("ignore", Takes::Either, true, "ignore = \"takes an hour\""),
    known("items", Takes::Value, false, "items = 1000"),
    known("iterations", Takes::Value, true, "iterations = 1000"),
    known("launcher", Takes::Value, true, "launcher = \"mpirun -n {places}\""),
    known("margin", Takes::Value, true, "margin = 5"),
    known("metrics", Takes::Value, true, "metrics = [Allocations]"),
    known("min_time", Takes::Value, true, "min_time = 0.01"),
    known("name", Takes::Value, true, "name = \"…\""),
    known("phases", Takes::Value, false, "phases = [\"build\", \"search\"]"),
    known("problem", Takes::Value, false, "problem = ShortestPaths"),
    known("processors", Takes::Value, true, "processors = [1, 2]"),
    known("reference", Takes::Nothing, false, "reference"),
    known("runs", Takes::Value, true, "runs = 5"),
    known("sample_time", Takes::Value, true, "sample_time = 0.1"),
    known("samples", Takes::Value, true, "samples = 32"),
    known("tally", Takes::Value, false, "tally = count_messages"),
    known("threads", Takes::Either, true, "threads = [1, 2]"),
    known("timeout", Takes::Value, true, "timeout = 120"),
    known("types", Takes::Value, false, "types = [u32, String]"),
    known("warm_up", Takes::Value, true, "warm_up = 0.003"),
    known("work", Takes::Value, false, "work = Work::of(\"pixels\", 1e6)"),
];

/// Options under the names that other harnesses give them, to help people who come from these.
const ELSEWHERE: [(&str, &str); 4] = [
    ("sample_count", "the number of samples is `samples = …` here"),
    ("sample_size", "the calls in a sample are `iterations = …` here"),
    ("counters", "counters are `items = …`, `bytes = …`, `bits = …` or `work = …` here"),
    (
        "max_time",
        "the time for the samples of one instance in one run is `sample_time = …`; `--max-time` limits the whole \
         invocation, which is no affair of a single benchmark",
    ),
];

/// Which attribute is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attribute {
    Bench,
    Group,
    /// An attribute of divan, whose options the compiler checks as the fields of a struct.
    Divan,
}

/// One option as it was written.
struct Given {
    name: Ident,
    value: Option<TokenStream>,
}

/// The options of an attribute.
#[derive(Default)]
pub(crate) struct Options {
    given: Vec<Given>,
    /// Whether they are those of another harness.
    foreign: bool,
}

impl Options {
    /// The value of an option.
    pub(crate) fn value(&self, name: &str) -> Option<&TokenStream> {
        self.find(name)?.value.as_ref()
    }

    /// Where an option stands, with or without a value.
    pub(crate) fn place(&self, name: &str) -> Option<Span> {
        Some(self.find(name)?.name.span())
    }

    /// Rejects an option that has no meaning here.
    pub(crate) fn reject(&self, name: &str, message: &str) -> Result<()> {
        self.place(name).map_or(Ok(()), |span| Err(Error::new(span, message)))
    }

    /// Whether they are those of another harness.
    pub(crate) fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// The function that names arguments, if `name` is one.
    pub(crate) fn namer(&self) -> Option<&TokenStream> {
        let value = self.value("name").filter(|_| !self.foreign)?;
        let first = value.clone().into_iter().next()?;
        matches!(first, TokenTree::Punct(punct) if punct.as_char() == '|').then_some(value)
    }

    /// The expression of a name that the compiler computes, as another harness may have it.
    pub(crate) fn computed_name(&self) -> Option<&TokenStream> {
        let value = self.value("name").filter(|_| self.foreign)?;
        syn::parse2::<LitStr>(value.clone()).is_err().then_some(value)
    }

    /// A value that is a text.
    pub(crate) fn text(&self, name: &str, what: &str) -> Result<Option<LitStr>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        syn::parse2(value.clone())
            .map(Some)
            .map_err(|_| Error::new_spanned(value, format!("expected a text: {what}, in quotes")))
    }

    /// The names of the parts that a kernel declares.
    pub(crate) fn phases(&self) -> Result<Vec<LitStr>> {
        let Some(value) = self.value("phases") else { return Ok(Vec::new()) };
        let expected =
            "expected the names of the kernel's parts: `phases = [\"build\", \"search\"]`";
        let wrong = |place: &TokenStream| Error::new_spanned(place, expected);
        let values = list(value).filter(|values| !values.is_empty()).ok_or_else(|| wrong(value))?;
        let mut names: Vec<LitStr> = Vec::new();
        for value in &values {
            let name: LitStr = syn::parse2(value.clone()).map_err(|_| wrong(value))?;
            if name.value().trim().is_empty() {
                return Err(Error::new(name.span(), "a phase needs a name that can be seen"));
            }
            if names.iter().any(|other| other.value() == name.value()) {
                let message = format!("two phases are called `{}`", name.value());
                return Err(Error::new(name.span(), message));
            }
            names.push(name);
        }
        Ok(names)
    }

    /// All options, as they were written.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Ident, Option<&TokenStream>)> {
        self.given.iter().map(|given| (&given.name, given.value.as_ref()))
    }

    /// Gives an option that was not written.
    pub(crate) fn add(&mut self, name: &str, value: TokenStream) {
        self.given.push(Given { name: Ident::new(name, Span::call_site()), value: Some(value) });
    }

    fn find(&self, name: &str) -> Option<&Given> {
        self.given.iter().find(|given| given.name == name)
    }
}

/// Reads the options. All readable options are returned even if some are wrong.
pub(crate) fn read(attribute: Attribute, tokens: TokenStream) -> (Options, Errors) {
    let mut options = Options { foreign: attribute == Attribute::Divan, ..Options::default() };
    let mut errors = Errors::default();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            let value = if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                Some(value(input)?)
            } else {
                None
            };
            if let Some(first) = options.given.iter().find(|given| given.name == name) {
                errors.add(Error::new(name.span(), format!("`{name}` is given twice")));
                errors.add(Error::new(first.name.span(), "the first one is here"));
            } else {
                match check(attribute, &name, value.as_ref()) {
                    Ok(()) => options.given.push(Given { name, value }),
                    Err(error) => errors.add(error),
                }
            }
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                return Err(input.error("expected `,` between options"));
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.add(error);
    }
    (options, errors)
}

/// Errors so far: the compiler shows all of them at once.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    pub(crate) fn into_compile_error(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// The tokens of an expression or type: up to a comma that is not within angle brackets of a path.
fn value(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    let mut depth = AngleDepth::default();
    let mut path = false;
    while !input.is_empty() {
        if !depth.inside() && input.peek(Token![,]) {
            break;
        }
        let token: TokenTree = input.parse()?;
        // `<` is a bracket after `::`, or at the start; elsewhere it compares.
        let punct = if let TokenTree::Punct(punct) = &token { punct.as_char() } else { ' ' };
        if depth.inside() || punct != '<' || path || tokens.is_empty() {
            depth.pass(&token);
        }
        path = punct == ':';
        tokens.extend([token]);
    }
    if tokens.is_empty() { Err(input.error("expected a value after `=`")) } else { Ok(tokens) }
}

fn check(attribute: Attribute, name: &Ident, value: Option<&TokenStream>) -> Result<()> {
    if attribute == Attribute::Divan {
        return Ok(());
    }
    let text = name.to_string();
    if let Some((_, cure)) = ELSEWHERE.iter().find(|(other, _)| *other == text) {
        return Err(Error::new(name.span(), format!("unknown option `{text}`: {cure}")));
    }
    let Some(known) = KNOWN.iter().find(|known| known.name == text) else {
        return Err(Error::new(name.span(), unknown(attribute, &text)));
    };
    if attribute == Attribute::Group && !known.group {
        let message = format!(
            "`{text}` belongs to a single benchmark: write it in the `#[bench]` of a function; a group takes {}",
            names(attribute)
        );
        return Err(Error::new(name.span(), message));
    }
    match (known.takes, value) {
        (Takes::Nothing, Some(value)) => {
            Err(Error::new_spanned(value, format!("`{text}` takes no value; write just `{text}`")))
        }
        (Takes::Value, None) => Err(Error::new(
            name.span(),
            format!("`{text}` needs a value, such as `{}`", known.example),
        )),
        (_, Some(value))
            if is_zero(value) && ["runs", "samples", "iterations"].contains(&text.as_str()) =>
        {
            Err(Error::new_spanned(value, format!("`{text} = 0` leaves nothing to measure")))
        }
        _ => Ok(()),
    }
}

/// Whether an expression is the literal 0.
fn is_zero(value: &TokenStream) -> bool {
    syn::parse2::<Literal>(value.clone()).is_ok_and(|literal| {
        let digits: String =
            literal.to_string().chars().take_while(|c| c.is_ascii_digit() || *c == '_').collect();
        !digits.is_empty() && digits.chars().all(|digit| digit == '0' || digit == '_')
    })
}

fn names(attribute: Attribute) -> String {
    let names: Vec<&str> = taken(attribute).collect();
    names.join(", ")
}

fn taken(attribute: Attribute) -> impl Iterator<Item = &'static str> {
    KNOWN
        .iter()
        .filter(move |known| attribute != Attribute::Group || known.group)
        .map(|known| known.name)
}

/// Names the nearest option, or all of them.
fn unknown(attribute: Attribute, name: &str) -> String {
    match closest(name, &mut taken(attribute)) {
        Some(known) => format!("unknown option `{name}`; did you mean `{known}`?"),
        None => format!("unknown option `{name}`; there are {}", names(attribute)),
    }
}

/// The elements of a list in brackets, if it is one.
pub(crate) fn list(value: &TokenStream) -> Option<Vec<TokenStream>> {
    within(&bare(value.clone()), Delimiter::Bracket).map(split_at_commas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_options_are_recognised() {
        assert!(unknown(Attribute::Bench, "sample").contains("`samples`"));
        assert!(unknown(Attribute::Bench, "wibble").contains("there are args"));
        assert!(!unknown(Attribute::Group, "wibble").contains("args"));
    }

    #[test]
    fn values_end_at_their_own_comma() {
        let tokens =
            "args = f::<A, B>(1, 2), runs = 3 , samples = a < b, timeout = <T as Q<X, Y>>::Z";
        let (options, errors) = read(Attribute::Bench, tokens.parse().unwrap());
        assert!(errors.is_empty());
        let text = |name| options.value(name).unwrap().to_string().replace(' ', "");
        assert_eq!(text("args"), "f::<A,B>(1,2)");
        assert_eq!(text("runs"), "3");
        assert_eq!(text("samples"), "a<b");
        assert_eq!(text("timeout"), "<TasQ<X,Y>>::Z");
    }

    #[test]
    fn zero_is_found_however_it_is_written() {
        for (text, zero) in
            [("0", true), ("0_u32", true), ("0x0", true), ("10", false), ("n", false)]
        {
            assert_eq!(is_zero(&text.parse().unwrap()), zero, "{text}");
        }
    }
}
