//! What has to be known of a function: read from its tokens up to the body, which stays unread.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use syn::{Error, Result};

/// A function as far as registering needs it.
pub(crate) struct Signature {
    /// Its name.
    pub(crate) name: Ident,
    /// The tokens of its parameters' types.
    pub(crate) parameters: Vec<TokenStream>,
    /// The whole parameter list, for errors about it.
    pub(crate) list: Group,
    /// Where generic parameters begin, if there are any.
    pub(crate) generics: Option<Span>,
    /// The `async` keyword, if there is one.
    pub(crate) asynchronous: Option<Span>,
}

impl Signature {
    /// Reads a function item.
    ///
    /// # Errors
    /// Where the item is no function.
    pub(crate) fn read(item: &TokenStream) -> Result<Self> {
        let mut tokens = item.clone().into_iter().peekable();
        let mut asynchronous = None;
        let no_function = || Error::new_spanned(item.clone(), "`#[bench]` goes on a function");
        loop {
            match tokens.next().ok_or_else(no_function)? {
                TokenTree::Ident(word) if word == "fn" => break,
                TokenTree::Ident(word) if word == "async" => asynchronous = Some(word.span()),
                TokenTree::Ident(word)
                    if ["mod", "struct", "enum", "trait", "impl", "use"]
                        .iter()
                        .any(|w| word == w) =>
                {
                    return Err(no_function());
                }
                _ => {}
            }
        }
        let Some(TokenTree::Ident(name)) = tokens.next() else { return Err(no_function()) };
        let mut generics = None;
        let list = loop {
            match tokens.next().ok_or_else(no_function)? {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                    break group;
                }
                token => {
                    // Parentheses within the generics, as in `F: Fn(u32)`, follow a word; the list follows `>`.
                    generics.get_or_insert(token.span());
                    skip_generics(token, &mut tokens);
                }
            }
        };
        let parameters = split_at_commas(list.stream()).into_iter().map(type_of).collect();
        Ok(Self { name, parameters, list, generics, asynchronous })
    }
}

/// Passes over `<…>` up to its closing bracket.
fn skip_generics(first: TokenTree, tokens: &mut impl Iterator<Item = TokenTree>) {
    let mut depth = AngleDepth::default();
    depth.pass(&first);
    while depth.inside() {
        match tokens.next() {
            Some(token) => depth.pass(&token),
            None => return,
        }
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

/// The type of a parameter: what follows its first colon that is not part of `::`.
fn type_of(parameter: TokenStream) -> TokenStream {
    let mut tokens = parameter.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if let TokenTree::Punct(punct) = &token
            && punct.as_char() == ':'
        {
            if punct.spacing() == Spacing::Alone {
                return tokens.collect();
            }
            tokens.next();
        }
    }
    TokenStream::new()
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Value,
    Reference,
    MutableReference,
}

/// How a parameter of this type is passed.
pub(crate) fn passing(parameter: &TokenStream) -> Passing {
    let mut tokens = parameter.clone().into_iter().peekable();
    match tokens.next() {
        Some(TokenTree::Punct(punct)) if punct.as_char() == '&' => {}
        _ => return Passing::Value,
    }
    // A lifetime is a quote and a word.
    if matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'') {
        tokens.nth(1);
    }
    match tokens.next() {
        Some(TokenTree::Ident(word)) if word == "mut" => Passing::MutableReference,
        _ => Passing::Reference,
    }
}

/// Whether a parameter is the `Bencher`, however its path is written.
pub(crate) fn is_bencher(parameter: &TokenStream) -> bool {
    let mut last = None;
    for token in parameter.clone() {
        match token {
            TokenTree::Ident(word) => last = Some(word),
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(punct) if punct.as_char() == '<' => break,
            _ => return false,
        }
    }
    last.is_some_and(|word| word == "Bencher")
}
