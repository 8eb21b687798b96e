//! The options of the attribute: all mistakes are collected, each with its place and its cure.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{
    Error, LitStr, Result, Token,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use crate::signature::AngleDepth;

/// Every option there is, for help with misspelt ones.
const NAMES: [&str; 13] = [
    "args",
    "baseline",
    "crate",
    "ignore",
    "margin",
    "max_time",
    "name",
    "problem",
    "processors",
    "reference",
    "runs",
    "samples",
    "timeout",
];

/// What the attribute says.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) args: Option<TokenStream>,
    pub(crate) baseline: Option<Span>,
    pub(crate) krate: Option<TokenStream>,
    pub(crate) ignore: Option<LitStr>,
    pub(crate) margin: Option<TokenStream>,
    pub(crate) max_time: Option<TokenStream>,
    pub(crate) name: Option<LitStr>,
    pub(crate) problem: Option<TokenStream>,
    pub(crate) processors: Option<TokenStream>,
    pub(crate) reference: Option<Span>,
    pub(crate) runs: Option<TokenStream>,
    pub(crate) samples: Option<TokenStream>,
    pub(crate) timeout: Option<TokenStream>,
}

/// Reads the options. What could be read is returned even where something is wrong.
pub(crate) fn read(tokens: TokenStream) -> (Options, Option<Error>) {
    let mut options = Options::default();
    let mut errors: Option<Error> = None;
    let mut note = |error: Error| match &mut errors {
        Some(first) => first.combine(error),
        none => *none = Some(error),
    };
    let mut seen: Vec<Ident> = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let name = input.call(Ident::parse_any)?;
            let value = if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                Some(value(input)?)
            } else {
                None
            };
            if let Some(first) = seen.iter().find(|first| **first == name) {
                let mut error = Error::new(name.span(), format!("`{name}` is given twice"));
                error.combine(Error::new(first.span(), "the first one is here"));
                note(error);
            } else if let Err(error) = options.set(&name, value) {
                note(error);
            }
            seen.push(name);
            if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                return Err(input.error("expected `,` between options"));
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        note(error);
    }
    (options, errors)
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

impl Options {
    fn set(&mut self, name: &Ident, value: Option<TokenStream>) -> Result<()> {
        let text = name.to_string();
        match (text.as_str(), value) {
            ("baseline", None) => self.baseline = Some(name.span()),
            ("reference", None) => self.reference = Some(name.span()),
            ("ignore", None) => {
                self.ignore = Some(LitStr::new("ignored in the source", name.span()))
            }
            ("baseline" | "reference", Some(value)) => {
                return Err(Error::new_spanned(
                    value,
                    format!("`{text}` takes no value; write just `{text}`"),
                ));
            }
            ("ignore", Some(value)) => {
                self.ignore = Some(string(value, "why the benchmark is ignored")?)
            }
            ("name", Some(value)) => self.name = Some(string(value, "the benchmark's name")?),
            ("args", Some(value)) => self.args = Some(value),
            ("crate", Some(value)) => self.krate = Some(value),
            ("margin", Some(value)) => self.margin = Some(value),
            ("max_time", Some(value)) => self.max_time = Some(value),
            ("problem", Some(value)) => self.problem = Some(value),
            ("processors", Some(value)) => self.processors = Some(value),
            ("runs", Some(value)) => self.runs = Some(value),
            ("samples", Some(value)) => self.samples = Some(value),
            ("timeout", Some(value)) => self.timeout = Some(value),
            (known, None) if NAMES.contains(&known) => {
                return Err(Error::new(
                    name.span(),
                    format!("`{known}` needs a value: `{known} = …`"),
                ));
            }
            _ => return Err(Error::new(name.span(), unknown(&text))),
        }
        Ok(())
    }
}

fn string(value: TokenStream, what: &str) -> Result<LitStr> {
    syn::parse2(value.clone())
        .map_err(|_| Error::new_spanned(value, format!("expected a text: {what}, in quotes")))
}

/// Names the nearest option, or all of them.
fn unknown(name: &str) -> String {
    let nearest = NAMES.iter().map(|known| (distance(name, known), known)).min();
    match nearest {
        Some((0..=2, known)) => format!("unknown option `{name}`; did you mean `{known}`?"),
        _ => format!("unknown option `{name}`; there are {}", NAMES.join(", ")),
    }
}

/// How many letters have to be changed, left out or put in (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshtein() {
        for (from, to, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("args", "args", 0), ("arg", "args", 1)]
        {
            assert_eq!(distance(from, to), expected, "{from} → {to}");
        }
    }

    #[test]
    fn misspelt_options_are_recognised() {
        assert!(unknown("sample").contains("`samples`"));
        assert!(unknown("wibble").contains("there are args"));
    }

    #[test]
    fn values_end_at_their_own_comma() {
        let tokens =
            "args = f::<A, B>(1, 2), runs = 3 , samples = a < b, timeout = <T as Q<X, Y>>::Z";
        let (options, error) = read(tokens.parse().unwrap());
        assert!(error.is_none());
        let text = |tokens: Option<TokenStream>| tokens.unwrap().to_string().replace(' ', "");
        assert_eq!(text(options.args), "f::<A,B>(1,2)");
        assert_eq!(text(options.runs), "3");
        assert_eq!(text(options.samples), "a<b");
        assert_eq!(text(options.timeout), "<TasQ<X,Y>>::Z");
    }
}
