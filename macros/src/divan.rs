//! The options of divan's attributes, as fields of a struct of `plusminus-divan`, so that the compiler checks their
//! names and types.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::{
    options::{Options, list},
    settings::converted,
    signature::place,
};

/// Options that are no settings: they choose what is measured.
const OTHERS: [&str; 5] = ["args", "consts", "types", "name", "crate"];

/// Counters that an option names, with their types.
const COUNTERS: [(&str, &str); 4] = [
    ("bytes_count", "BytesCount"),
    ("chars_count", "CharsCount"),
    ("cycles_count", "CyclesCount"),
    ("items_count", "ItemsCount"),
];

/// Whether the item has the attribute `#[ignore]`.
pub(crate) fn has_ignore(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(punct), Some(TokenTree::Group(group)))
                if punct.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
            {
                let name = group.stream().into_iter().next();
                if matches!(name, Some(TokenTree::Ident(word)) if word == "ignore") {
                    return true;
                }
            }
            (TokenTree::Ident(word), _) if word == "fn" || word == "mod" => return false,
            _ => {}
        }
    }
    false
}

/// Returns the expression of the attribute's measurement options, of type `Options`.
pub(crate) fn settings(options: &Options, private: &TokenStream, ignored: bool) -> TokenStream {
    let mut fields = TokenStream::new();
    let mut counters = Vec::new();
    for (name, value) in options.all() {
        let text = name.to_string();
        let text = text.strip_prefix("r#").unwrap_or(&text);
        let value = value.cloned().unwrap_or_else(|| quote_spanned!(name.span()=> true));
        if OTHERS.contains(&text) {
            continue;
        }
        if let Some((_, ty)) = COUNTERS.iter().find(|(option, _)| *option == text) {
            let ty = Ident::new(ty, name.span());
            counters.push(quote_spanned!(place(&value)=> #private::#ty::from(#value)));
        } else if text == "counter" {
            counters.push(value);
        } else if text == "counters" {
            counters.extend(list(&value).unwrap_or_else(|| vec![value]));
        } else {
            fields.extend(field(name, text, &value, private));
        }
    }
    let ignore = (ignored && options.place("ignore").is_none())
        .then(|| quote!(ignore: ::core::option::Option::Some(true),));
    quote! {
        #private::BenchOptions {
            #fields
            #ignore
            counters: #private::Counters::new() #(.with(#counters))*,
            ..::core::default::Default::default()
        }
        .into_options()
    }
}

/// One field, at the place of its option, so that an unknown one is underlined there.
fn field(name: &Ident, text: &str, value: &TokenStream, private: &TokenStream) -> TokenStream {
    let value = match text {
        "threads" => converted(value, private, "IntoThreads", "into_threads"),
        "min_time" | "max_time" => converted(value, private, "IntoDuration", "into_duration"),
        _ => value.clone(),
    };
    quote!(#name: ::core::option::Option::Some(#value),)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attribute_of_libtest_is_found_before_the_item_only() {
        let has = |text: &str| has_ignore(&text.parse().unwrap());
        assert!(has("#[ignore] fn f() {}") && has("#[inline] #[ignore = \"slow\"] pub fn f() {}"));
        assert!(!has("fn f() { #[ignore] fn g() {} }") && !has("#[inline] fn f() {}"));
    }
}
