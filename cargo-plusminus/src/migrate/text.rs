//! A source file as text with places: what is translated is replaced piece by piece, so that all else of a file, its
//! comments and layout, stays as its author wrote it.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Why something cannot be translated with certainty, in a sentence.
pub(super) type Certain<T> = Result<T, String>;

/// A source file.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl<'a> Text<'a> {
    /// The source of a part of the syntax tree.
    pub(super) fn of(self, node: &impl Spanned) -> &'a str {
        &self.0[range(node)]
    }

    /// The line of a part, from 1.
    pub(super) fn line(self, node: &impl Spanned) -> usize {
        node.span().start().line
    }

    /// The blanks in front of a part, on its first line.
    pub(super) fn indent(self, node: &impl Spanned) -> &'a str {
        let before = &self.0[..range(node).start];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let blanks = before[line..].len() - before[line..].trim_start().len();
        &before[line..line + blanks]
    }
}

/// Where a part of the syntax tree stands.
pub(super) fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Replacements of parts of a file.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a part.
    pub(super) fn replace(&mut self, at: Range<usize>, by: impl Into<String>) {
        self.0.push((at, by.into()));
    }

    /// The source between two places, with the replacements within it.
    ///
    /// # Errors
    /// Two of them overlap.
    pub(super) fn applied(&self, text: Text<'_>, part: Range<usize>) -> Certain<String> {
        let mut edits: Vec<_> =
            self.0.iter().filter(|(at, _)| part.start <= at.start && at.end <= part.end).collect();
        edits.sort_by_key(|(at, _)| (at.start, at.end));
        let (mut result, mut done) = (String::new(), part.start);
        for (at, by) in edits {
            if at.start < done {
                return Err("two translations overlap".to_owned());
            }
            result.push_str(&text.0[done..at.start]);
            result.push_str(by);
            done = at.end;
        }
        result.push_str(&text.0[done..part.end]);
        Ok(result)
    }

    /// Removes a whole item with the line that it stands on.
    pub(super) fn remove_lines(&mut self, text: Text<'_>, at: Range<usize>) {
        let begin = text.0[..at.start].rfind('\n').map_or(0, |newline| newline + 1);
        let begin = if text.0[begin..at.start].trim().is_empty() { begin } else { at.start };
        let rest = &text.0[at.end..];
        let end = match rest.find('\n') {
            Some(newline) if rest[..newline].trim().is_empty() => at.end + newline + 1,
            _ => at.end,
        };
        self.replace(begin..end, "");
    }
}

/// All words of a piece of source: identifiers, and those that a text in quotes names in braces.
pub(super) fn words(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                let named = |part: &str| {
                    let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
                    part.chars().take_while(is_word).collect::<String>()
                };
                if literal.starts_with(['"', 'r']) {
                    found.extend(
                        literal.split('{').skip(1).map(named).filter(|word| !word.is_empty()),
                    );
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
    found
}

/// How often an identifier stands in a piece of source, whatever it means there.
pub(super) fn occurrences(node: &impl ToTokens, word: &str) -> usize {
    words(node.to_token_stream()).iter().filter(|other| *other == word).count()
}

/// The identifier that an expression consists of.
pub(super) fn single(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        syn::Expr::Paren(inner) => single(&inner.expr),
        _ => None,
    }
}

/// The text in quotes that an expression consists of.
pub(super) fn quoted(expression: &syn::Expr) -> Option<String> {
    match expression {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
        syn::Expr::Reference(inner) => quoted(&inner.expr),
        _ => None,
    }
}

/// Whether the type of a parameter is a reference to a type of this name.
pub(super) fn refers_to(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Reference(reference) if is_named(&reference.elem, name))
}

/// Whether a type has this name, whatever path stands before it.
pub(super) fn is_named(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}
