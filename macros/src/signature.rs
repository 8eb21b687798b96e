//! The necessary facts about an item, read from its tokens up to the body, which stays unread.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// A function as far as registering needs it.
pub(crate) struct Signature {
    /// Its name.
    pub(crate) name: Ident,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// The whole parameter list, for errors about it.
    pub(crate) list: Group,
    /// Its generic types and constants, in order; lifetimes are left to the compiler.
    pub(crate) generics: Vec<Generic>,
    /// The `async` keyword, if there is one.
    pub(crate) asynchronous: Option<Span>,
    /// The `unsafe` keyword, if there is one.
    pub(crate) unsafety: Option<Span>,
}

/// A parameter of a function.
pub(crate) struct Parameter {
    pub(crate) pattern: TokenStream,
    pub(crate) ty: TokenStream,
}

/// A generic parameter of a function.
pub(crate) struct Generic {
    pub(crate) kind: GenericKind,
    pub(crate) name: Ident,
    /// The type of a constant.
    pub(crate) ty: TokenStream,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GenericKind {
    Type,
    Const,
}

impl Signature {
    /// Reads a function item.
    ///
    /// # Errors
    /// Where the item is no function.
    pub(crate) fn read(item: &TokenStream) -> Result<Self> {
        let mut tokens = item.clone().into_iter().peekable();
        let (mut asynchronous, mut unsafety) = (None, None);
        let message =
            "`#[bench]` goes on a function; for all benchmarks of a module use `#[bench_group]`";
        let no_function = wrong_item(item, message);
        loop {
            match tokens.next().ok_or_else(|| no_function(None))? {
                TokenTree::Ident(word) if word == "fn" => break,
                TokenTree::Ident(word) if word == "async" => asynchronous = Some(word.span()),
                TokenTree::Ident(word) if word == "unsafe" => unsafety = Some(word.span()),
                TokenTree::Ident(word) if is_other_item(&word) => {
                    return Err(no_function(Some(word.span())));
                }
                _ => {}
            }
        }
        let Some(TokenTree::Ident(name)) = tokens.next() else { return Err(no_function(None)) };
        let mut generics = Vec::new();
        let list = loop {
            match tokens.next().ok_or_else(|| no_function(None))? {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    break group;
                }
                // Parentheses within the generics, as in `F: Fn(u32)`, follow a word; the list follows `>`.
                token => generics = read_generics(token, &mut tokens),
            }
        };
        let parameters = split_at_commas(list.stream()).into_iter().map(parameter).collect();
        Ok(Self { name, parameters, list, generics, asynchronous, unsafety })
    }

    /// The generic parameters of a kind, in order.
    pub(crate) fn of_kind(&self, kind: GenericKind) -> Vec<&Generic> {
        self.generics.iter().filter(|generic| generic.kind == kind).collect()
    }
}

/// Makes the error about an item on which the attribute does not go: at a place in it, or at all of it.
fn wrong_item(item: &TokenStream, message: &'static str) -> impl Fn(Option<Span>) -> Error {
    move |span| match span {
        Some(span) => Error::new(span, message),
        None => Error::new_spanned(item, message),
    }
}

fn is_other_item(word: &Ident) -> bool {
    ["mod", "struct", "enum", "trait", "impl", "use", "static", "type", "macro_rules"]
        .iter()
        .any(|other| word == other)
}

/// Reads `<…>` up to its closing bracket.
fn read_generics(first: TokenTree, tokens: &mut impl Iterator<Item = TokenTree>) -> Vec<Generic> {
    let mut depth = AngleDepth::default();
    depth.pass(&first);
    let mut inner = TokenStream::new();
    while depth.inside() {
        let Some(token) = tokens.next() else { break };
        depth.pass(&token);
        if depth.inside() {
            inner.extend([token]);
        }
    }
    // A lifetime begins with a quote.
    let word = |token: Option<TokenTree>| match token {
        Some(TokenTree::Ident(word)) => Some(word),
        _ => None,
    };
    let generic = |parameter: TokenStream| {
        let mut tokens = parameter.into_iter();
        let first = word(tokens.next())?;
        let span = first.span();
        if first == "const" {
            let name = word(tokens.next())?;
            // Behind the colon.
            let ty = tokens.skip(1).collect();
            return Some(Generic { kind: GenericKind::Const, name, ty, span });
        }
        Some(Generic { kind: GenericKind::Type, name: first, ty: TokenStream::new(), span })
    };
    split_at_commas(inner).into_iter().filter_map(generic).collect()
}

/// The name of a module, and its contents' place.
///
/// # Errors
/// Where the item is not a module with its contents.
pub(crate) fn module_name(item: &TokenStream) -> Result<Ident> {
    let mut tokens = item.clone().into_iter();
    let message = "`#[bench_group]` goes on a module with its contents: `mod name { … }`";
    let no_module = wrong_item(item, message);
    loop {
        match tokens.next().ok_or_else(|| no_module(None))? {
            TokenTree::Ident(word) if word == "mod" => break,
            TokenTree::Ident(word) if word == "fn" || is_other_item(&word) => {
                return Err(no_module(Some(word.span())));
            }
            _ => {}
        }
    }
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(_))) => Ok(name),
        _ => Err(no_module(None)),
    }
}

/// Counts the angle brackets that are open, not mistaking `->` for one.
#[derive(Default)]
pub(crate) struct AngleDepth {
    open: usize,
    after_dash: bool,
}

impl AngleDepth {
    pub(crate) fn pass(&mut self, token: &TokenTree) {
        let after_dash = std::mem::take(&mut self.after_dash);
        if let TokenTree::Punct(punct) = token {
            match punct.as_char() {
                '<' => self.open += 1,
                '>' if !after_dash => self.open = self.open.saturating_sub(1),
                '-' | '=' => self.after_dash = punct.spacing() == Spacing::Joint,
                _ => {}
            }
        }
    }

    pub(crate) fn inside(&self) -> bool {
        self.open > 0
    }
}

/// The tokens between the commas that are not within angle brackets.
pub(crate) fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = AngleDepth::default();
    for token in tokens {
        depth.pass(&token);
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' && !depth.inside() => {
                parts.push(TokenStream::new())
            }
            _ => parts.last_mut().expect("there is always one part").extend([token]),
        }
    }
    if parts.last().is_some_and(TokenStream::is_empty) {
        parts.pop();
    }
    parts
}

/// Pattern and type of a parameter: the colon between them is not part of `::`.
fn parameter(tokens: TokenStream) -> Parameter {
    let mut tokens = tokens.into_iter().peekable();
    let mut pattern = TokenStream::new();
    while let Some(token) = tokens.next() {
        if let TokenTree::Punct(punct) = &token
            && punct.as_char() == ':'
        {
            let path =
                |next: &TokenTree| matches!(next, TokenTree::Punct(next) if next.as_char() == ':');
            if punct.spacing() == Spacing::Alone || !tokens.peek().is_some_and(path) {
                return Parameter { pattern, ty: bare(tokens.collect()) };
            }
            pattern.extend([token]);
            pattern.extend(tokens.next());
            continue;
        }
        pattern.extend([token]);
    }
    // `self` has no type.
    Parameter { pattern, ty: TokenStream::new() }
}

/// The first place of a value, so that a wrong type is underlined there.
pub(crate) fn place(value: &TokenStream) -> Span {
    value.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// Tokens without the invisible brackets that a macro puts around what it was handed.
pub(crate) fn bare(tokens: TokenStream) -> TokenStream {
    match within(&tokens, Delimiter::None) {
        Some(inside) => bare(inside),
        None => tokens,
    }
}

/// The tokens within brackets of this kind, if there is nothing around these.
pub(crate) fn within(tokens: &TokenStream, brackets: Delimiter) -> Option<TokenStream> {
    let mut all = tokens.clone().into_iter();
    match (all.next(), all.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == brackets => {
            Some(group.stream())
        }
        _ => None,
    }
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Value,
    Reference,
    MutableReference,
}

impl Parameter {
    /// Where errors about it belong: at its type.
    pub(crate) fn span(&self) -> Span {
        place(if self.ty.is_empty() { &self.pattern } else { &self.ty })
    }

    /// How it is passed.
    pub(crate) fn passing(&self) -> Passing {
        self.referred().0
    }

    /// How it is passed, and what: the type behind a reference.
    fn referred(&self) -> (Passing, TokenStream) {
        let mut tokens = self.ty.clone().into_iter().peekable();
        match tokens.peek() {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '&' => tokens.next(),
            _ => return (Passing::Value, self.ty.clone()),
        };
        // A lifetime is a quote and a word.
        if matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'') {
            tokens.nth(1);
        }
        match tokens.peek() {
            Some(TokenTree::Ident(word)) if word == "mut" => {
                tokens.next();
                (Passing::MutableReference, bare(tokens.collect()))
            }
            _ => (Passing::Reference, bare(tokens.collect())),
        }
    }

    /// Whether its type is written as a tuple, or as a reference to one.
    pub(crate) fn is_tuple(&self) -> bool {
        let first = self.referred().1.into_iter().next();
        matches!(first, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
    }

    /// Whether it is a `Bencher`, however its path is written, or a reference to one as in benches of libtest.
    pub(crate) fn names_bencher(&self) -> bool {
        let mut last = None;
        for token in self.referred().1 {
            match token {
                TokenTree::Ident(word) => last = Some(word),
                TokenTree::Punct(punct) if punct.as_char() == ':' => {}
                TokenTree::Punct(punct) if punct.as_char() == '<' => break,
                _ => return false,
            }
        }
        last.is_some_and(|word| word == "Bencher")
    }

    /// Whether it is the `self` of a method.
    pub(crate) fn is_self(&self) -> bool {
        self.pattern
            .clone()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(word) if word == "self"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Signature {
        Signature::read(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn generics_are_counted_by_kind() {
        let signature =
            read("fn f<'a, T: Fn(u8) -> Vec<u8>, const N: usize, U>(x: &'a T) -> U { a < b }");
        assert_eq!(signature.of_kind(GenericKind::Type).len(), 2);
        assert_eq!(signature.of_kind(GenericKind::Const).len(), 1);
        assert_eq!(signature.parameters.len(), 1);
        assert!(signature.parameters[0].passing() == Passing::Reference);
    }

    #[test]
    fn parameters_are_split_into_pattern_and_type() {
        let signature = read(
            "pub async fn f(mut n: usize, (a, b): (u8, u8), m: std::collections::HashMap<K, V>, s:&'a mut [u8])",
        );
        let text = |tokens: &TokenStream| tokens.to_string().replace(' ', "");
        let found: Vec<_> =
            signature.parameters.iter().map(|p| (text(&p.pattern), text(&p.ty))).collect();
        assert_eq!(found[0], ("mutn".to_owned(), "usize".to_owned()));
        assert_eq!(found[1], ("(a,b)".to_owned(), "(u8,u8)".to_owned()));
        assert_eq!(found[2].1, "std::collections::HashMap<K,V>");
        assert!(signature.parameters[3].passing() == Passing::MutableReference);
        assert!(signature.asynchronous.is_some());
    }

    #[test]
    fn benchers_are_recognised_behind_references() {
        for (ty, names) in [
            ("Bencher<'_>", true),
            ("plusminus::Bencher", true),
            ("&mut Bencher", true),
            ("&'a mut test::Bencher", true),
            ("&Bencher<'_>", true),
            ("Vec<Bencher>", false),
        ] {
            let signature = read(&format!("fn f(b: {ty}) {{}}"));
            let first = &signature.parameters[0];
            assert_eq!(first.names_bencher(), names, "{ty}");
        }
    }

    #[test]
    fn other_items_are_refused() {
        for item in ["struct S;", "mod m { fn f() {} }", "impl S { fn f() {} }"] {
            assert!(Signature::read(&item.parse().unwrap()).is_err(), "{item}");
        }
        assert!(module_name(&"pub mod m { }".parse().unwrap()).is_ok());
        assert!(module_name(&"mod m;".parse().unwrap()).is_err());
        assert!(module_name(&"fn f() {}".parse().unwrap()).is_err());
    }
}
