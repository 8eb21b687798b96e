//! The arguments of `args`: their values, and the names that the attribute gives them.

use proc_macro2::{Delimiter, TokenStream};
use quote::quote;
use syn::{LitStr, Result};

use crate::{
    options::{Options, list},
    signature::{Parameter, split_at_commas, within},
};

/// The contents of `args`.
pub(crate) struct Arguments {
    /// The expression of the values: anything that can be iterated over.
    pub(crate) values: TokenStream,
    /// The source of their names.
    pub(crate) names: Names,
}

/// The sources of names of arguments.
pub(crate) enum Names {
    /// Their `Display`, or else their `Debug`.
    Shown,
    /// A text for each.
    Given(Vec<LitStr>),
    /// A function of an argument, by reference.
    By(TokenStream),
}

impl Arguments {
    /// Reads `args`, if there is one.
    ///
    /// # Errors
    /// If arguments get names in two ways.
    pub(crate) fn read(options: &Options, parameters: &[Parameter]) -> Result<Option<Self>> {
        let by = options.namer();
        let Some(values) = options.value("args") else {
            return match by {
                None => Ok(None),
                Some(by) => Err(syn::Error::new_spanned(
                    by,
                    "a function as `name` names arguments: add `args = […]`, or write the name in quotes",
                )),
            };
        };
        let named = if options.is_foreign() { None } else { named(values, parameters) };
        let (values, names) = match (named, by) {
            (Some(_), Some(by)) => {
                let message = "the arguments have names already, the first part of each; leave one of both out";
                return Err(syn::Error::new_spanned(by, message));
            }
            (Some((values, names)), None) => (values, Names::Given(names)),
            (None, Some(by)) => (values.clone(), Names::By(by.clone())),
            (None, None) => (values.clone(), Names::Shown),
        };
        Ok(Some(Self { values, names }))
    }
}

/// Takes `[("short", a), ("long", b)]` apart, where the function takes `a`: the first part of each element is its name if
/// it is a text in quotes, and one part more than the function has parameters.
fn named(args: &TokenStream, parameters: &[Parameter]) -> Option<(TokenStream, Vec<LitStr>)> {
    if matches!(parameters, [only] if only.is_tuple()) {
        return None;
    }
    let elements = list(args).filter(|elements| !elements.is_empty())?;
    let mut values = Vec::new();
    let mut names = Vec::new();
    for element in elements {
        let parts = split_at_commas(within(&element, Delimiter::Parenthesis)?);
        let (name, rest) = parts.split_first()?;
        if rest.is_empty() || rest.len() != parameters.len() {
            return None;
        }
        names.push(syn::parse2(name.clone()).ok()?);
        values.push(match rest {
            [one] => quote!(#one),
            several => quote!((#(#several),*)),
        });
    }
    Some((quote!([#(#values),*]), names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{options::Attribute, signature::Signature};

    fn read(options: &str, function: &str) -> Option<(String, Option<Vec<String>>)> {
        let (options, errors) = crate::options::read(Attribute::Bench, options.parse().unwrap());
        assert!(errors.is_empty());
        let signature = Signature::read(&function.parse().unwrap()).unwrap();
        let Arguments { values, names } =
            Arguments::read(&options, &signature.parameters).ok()??;
        let names = match names {
            Names::Given(names) => Some(names.iter().map(LitStr::value).collect()),
            Names::Shown | Names::By(_) => None,
        };
        Some((values.to_string().replace(' ', ""), names))
    }

    #[test]
    fn a_first_part_too_many_is_a_name() {
        let texts = |all: &[&str]| Some(all.iter().map(|text| text.to_string()).collect());
        assert_eq!(
            read("args = [(\"a\", 1), (\"b\", f(2, 3)),]", "fn f(n: u32) {}"),
            Some(("[1,f(2,3)]".to_owned(), texts(&["a", "b"])))
        );
        assert_eq!(
            read("args = [(\"a\", 1, 2)]", "fn f(n: u32, m: u32) {}"),
            Some(("[(1,2)]".to_owned(), texts(&["a"])))
        );
        for (args, function) in [
            ("[(\"a\", 1)]", "fn f(pair: (&str, u32)) {}"),
            ("[(\"a\", 1)]", "fn f(pair: &'static (&str, u32)) {}"),
            ("[(\"a\", 1)]", "fn f(text: &str, n: u32) {}"),
            ("[(1, 2)]", "fn f(pair: Pair) {}"),
            ("[\"a\"]", "fn f(text: &str) {}"),
            ("[]", "fn f(text: &str) {}"),
            ("ALL", "fn f(text: &str) {}"),
        ] {
            let (_, names) = read(&format!("args = {args}"), function).unwrap();
            assert_eq!(names, None, "{args} {function}");
        }
    }
}
