//! The instances of a generic function: every combination of its types and constants.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, Result};

use crate::{
    options::{Options, list},
    signature::{Generic, GenericKind, Signature, split_at_commas, within},
};

/// As many elements of a list with a name are measured; their number is not known when the attribute is read.
const LONGEST_NAMED_LIST: usize = 20;

/// One combination of types and constants.
pub(crate) struct Instance {
    /// The text after the function's name: `::<A, { 4 }>`, or nothing.
    pub(crate) turbofish: TokenStream,
    /// Expressions of the parts of the benchmark's name.
    pub(crate) names: Vec<TokenStream>,
    /// Whether it exists: a condition where the list has a name, else nothing.
    pub(crate) exists: Option<TokenStream>,
}

/// A value for all generic parameters of one kind.
#[derive(Clone)]
struct Choice {
    values: Vec<TokenStream>,
    name: TokenStream,
    exists: Option<TokenStream>,
}

/// All instances, those of the first type first. A function that is not generic has one.
pub(crate) fn instances(signature: &Signature, options: &Options) -> Result<Vec<Instance>> {
    let types = choices(signature, options, "types", GenericKind::Type)?;
    let consts = choices(signature, options, "consts", GenericKind::Const)?;
    let mut instances = Vec::new();
    for ty in &types {
        for constant in &consts {
            let mut of_types = ty.iter().flat_map(|choice| choice.values.iter());
            let mut of_consts = constant.iter().flat_map(|choice| choice.values.iter());
            let arguments: Vec<&TokenStream> = signature
                .generics
                .iter()
                .filter_map(|generic| match generic.kind {
                    GenericKind::Type => of_types.next(),
                    GenericKind::Const => of_consts.next(),
                })
                .collect();
            let chosen = || ty.iter().chain(constant);
            instances.push(Instance {
                turbofish: if arguments.is_empty() {
                    TokenStream::new()
                } else {
                    quote!(::<#(#arguments),*>)
                },
                names: chosen().map(|choice| choice.name.clone()).collect(),
                exists: chosen().find_map(|choice| choice.exists.clone()),
            });
        }
    }
    Ok(instances)
}

/// The choices of an option for the parameters of a kind; one empty choice if there are none.
fn choices(
    signature: &Signature,
    options: &Options,
    option: &str,
    kind: GenericKind,
) -> Result<Vec<Option<Choice>>> {
    let of_kind = signature.of_kind(kind);
    let count = of_kind.len();
    let (parameter, example) = match kind {
        GenericKind::Type => ("type", "types = [u32, String]"),
        GenericKind::Const => ("const", "consts = [4, 8]"),
    };
    let Some(value) = options.value(option) else {
        if let Some(first) = of_kind.first() {
            let message = format!(
                "which {parameter}s should this generic function be measured with? Add `{example}`"
            );
            return Err(Error::new(first.span, message));
        }
        return Ok(vec![None]);
    };
    if count == 0 {
        let message = format!(
            "`{option}` is for functions with {parameter} parameters, and this one has none"
        );
        return Err(Error::new_spanned(value, message));
    }
    let Some(elements) = list(value) else {
        if kind == GenericKind::Const && count == 1 {
            return Ok((0..LONGEST_NAMED_LIST).map(|index| Some(named(value, index))).collect());
        }
        return Err(Error::new_spanned(value, format!("expected a list, such as `{example}`")));
    };
    if elements.is_empty() {
        return Err(Error::new_spanned(
            value,
            format!("`{option} = []` leaves nothing to measure"),
        ));
    }
    let brief: Vec<String> = elements.iter().map(|element| type_name(element, false)).collect();
    let chosen = |(index, element): (usize, &TokenStream)| {
        // Without paths, different types may have one name.
        let whole = brief.iter().filter(|name| **name == brief[index]).count() > 1;
        Ok(Some(choice(element, &of_kind, whole)?))
    };
    elements.iter().enumerate().map(chosen).collect()
}

/// The element of a list that has a name, such as a constant of type `[usize; 3]`.
fn named(path: &TokenStream, index: usize) -> Choice {
    let exists = quote!({
        const {
            ::core::assert!(
                (#path).len() <= #LONGEST_NAMED_LIST,
                "`consts` takes at most 20 constants of a list with a name; write the list in the attribute"
            );
        }
        #index < (#path).len()
    });
    let element = quote!({ (#path)[if #index < (#path).len() { #index } else { 0 }] });
    Choice {
        name: quote!(::std::string::ToString::to_string(&#element)),
        values: vec![element],
        exists: Some(exists),
    }
}

/// One element of a list for these parameters; the names of types are whole, or without their paths.
fn choice(element: &TokenStream, parameters: &[&Generic], whole: bool) -> Result<Choice> {
    let parts = match parameters {
        [_] => vec![element.clone()],
        several => tuple(element, several.len())?,
    };
    let mut names = Vec::new();
    let mut values = Vec::new();
    for (part, Generic { kind, ty, .. }) in parts.into_iter().zip(parameters) {
        match kind {
            GenericKind::Type => {
                let text = type_name(&part, whole);
                names.push(quote!(::std::string::String::from(#text)));
                values.push(part);
            }
            GenericKind::Const => {
                names.push(quote!(<#ty as ::std::string::ToString>::to_string(&{ #part })));
                values.push(quote!({ #part }));
            }
        }
    }
    let name = match names.as_slice() {
        [one] => one.clone(),
        several => quote!([#(#several),*].join(",")),
    };
    Ok(Choice { values, name, exists: None })
}

/// The parts of `(A, B)`.
fn tuple(element: &TokenStream, count: usize) -> Result<Vec<TokenStream>> {
    let parts = within(element, Delimiter::Parenthesis).map(split_at_commas);
    parts.filter(|parts| parts.len() == count).ok_or_else(|| {
        let message = format!(
            "the function has {count} such parameters: write `({})`",
            ["…"].repeat(count).join(", ")
        );
        Error::new_spanned(element, message)
    })
}

/// A type as people say it: without blanks, and without the paths in front of names unless it is to be whole.
fn type_name(tokens: &TokenStream, whole: bool) -> String {
    let mut name = String::new();
    push_type(&mut name, tokens.clone(), whole);
    name
}

fn push_type(name: &mut String, tokens: TokenStream, whole: bool) {
    let mut word_start = None;
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                colons += 1;
                if colons == 2 {
                    match word_start {
                        Some(_) if whole => name.push_str("::"),
                        // Drops the path so far.
                        Some(start) => name.truncate(start),
                        None => {}
                    }
                    colons = 0;
                }
                continue;
            }
            TokenTree::Ident(word) => {
                if name.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                    name.push(' ');
                }
                word_start = Some(name.len());
                name.push_str(&word.to_string());
            }
            TokenTree::Group(group) => {
                word_start = None;
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                name.push_str(open);
                push_type(name, group.stream(), whole);
                name.push_str(close);
            }
            TokenTree::Punct(punct) => {
                word_start = None;
                name.push(punct.as_char());
            }
            TokenTree::Literal(literal) => {
                word_start = None;
                name.push_str(&literal.to_string());
            }
        }
        colons = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Attribute, read};

    /// The expressions of the names of all instances.
    fn names(function: &str, options: &str) -> Vec<String> {
        let (options, _) = read(Attribute::Divan, options.parse().unwrap());
        let signature = Signature::read(&function.parse().unwrap()).unwrap();
        let name = |Instance { names, .. }: Instance| {
            names[0].to_string().replace(' ', "").replace("::std::string::", "")
        };
        instances(&signature, &options).unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn types_are_named_as_people_say_them() {
        for (tokens, name) in [
            ("u32", "u32"),
            ("Vec<u8>", "Vec<u8>"),
            ("std::collections::HashMap<std::string::String, Vec<u8>>", "HashMap<String,Vec<u8>>"),
            ("::std::vec::Vec<[u8; 4]>", "Vec<[u8;4]>"),
            ("&'static str", "&'static str"),
            ("(u8, dyn Fn(a::B) -> c::D)", "(u8,dyn Fn(B)->D)"),
        ] {
            assert_eq!(type_name(&tokens.parse().unwrap(), false), name);
        }
        let whole = type_name(&"::std::vec::Vec<a::T<{ b::N }>>".parse().unwrap(), true);
        assert_eq!(whole, "std::vec::Vec<a::T<{b::N}>>");
    }

    #[test]
    fn types_that_only_their_paths_tell_apart_keep_them() {
        assert_eq!(
            names("fn f<T>() {}", "types = [a::T, b::T, b::T, c::V]"),
            [
                "String::from(\"a::T\")",
                "String::from(\"b::T\")",
                "String::from(\"b::T\")",
                "String::from(\"V\")",
            ]
        );
        let of_two = names("fn f<T, U>() {}", "types = [(a::T, u8), (T, u8)]");
        assert_eq!(of_two[0], "[String::from(\"a::T\"),String::from(\"u8\")].join(\",\")");
    }

    #[test]
    fn constants_are_named_by_their_values() {
        let names = names("fn f<const N: u64>() {}", "consts = [0x10]");
        assert_eq!(names, ["<u64asToString>::to_string(&{0x10})"]);
    }
}
