//! The expression of an attribute's measurement options.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::LitStr;

use crate::{
    options::{Options, list},
    signature::place,
};

/// Tokens that errors place elsewhere.
pub(crate) fn located(tokens: &TokenStream, place: Span) -> TokenStream {
    let relocate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    tokens.clone().into_iter().map(relocate).collect()
}

/// A call of a conversion of the harness, at the place of the value.
pub(crate) fn converted(
    value: &TokenStream,
    private: &TokenStream,
    conversion: &str,
    method: &str,
) -> TokenStream {
    let span = place(value);
    let conversion = format_ident!("{conversion}", span = span);
    let method = format_ident!("{method}", span = span);
    quote_spanned!(span=> #private::#conversion::#method(#value))
}

/// Whether a value is a text in quotes, which has to follow the grammar of quantities.
fn is_text(value: &TokenStream) -> bool {
    syn::parse2::<LitStr>(value.clone()).is_ok()
}

/// A quantity in quotes, read by the harness while the user's crate is compiled.
fn quantity(
    value: &TokenStream,
    private: &TokenStream,
    read: &str,
    kind: &TokenStream,
) -> TokenStream {
    let span = place(value);
    let read = format_ident!("{read}", span = span);
    let private = located(private, span);
    quote_spanned!(span=> { const QUANTITY: #kind = #private::#read(#value); QUANTITY })
}

/// The whole expression, of type `Options`, without the metrics.
pub(crate) fn settings(options: &Options, private: &TokenStream) -> TokenStream {
    let mut fields = TokenStream::new();
    let mut add = |name: &str, value: TokenStream| {
        let name = format_ident!("{name}");
        fields.extend(quote!(#name: #value,));
    };
    let some = |value: TokenStream| quote!(::core::option::Option::Some(#value));
    for name in ["runs", "samples", "iterations"] {
        if let Some(value) = options.value(name) {
            add(name, some(value.clone()));
        }
    }
    for name in ["min_time", "sample_time", "warm_up", "timeout"] {
        if let Some(value) = options.value(name) {
            let time = match is_text(value) {
                true => quantity(value, private, "literal_time", &quote!(::core::time::Duration)),
                false => converted(value, private, "IntoDuration", "into_duration"),
            };
            add(name, some(time));
        }
    }
    if let Some(value) = options.value("margin") {
        let margin = match is_text(value) {
            true => quantity(value, private, "literal_percent", &quote!(f64)),
            false => quote_spanned!(place(value)=> f64::from(#value)),
        };
        add("margin", some(margin));
    }
    if let Some(value) = options.value("launcher") {
        add("launcher", some(quantity(value, private, "literal_launcher", &quote!(&'static str))));
    }
    for name in ["processors", "threads"] {
        if let Some(value) = options.value(name) {
            add(name, converted(value, private, "IntoCounts", "into_counts"));
        } else if options.place(name).is_some() {
            add(name, quote!(::std::vec![0]));
        }
    }
    if let Some(value) = options.value("ignore") {
        add("ignore", some(converted(value, private, "IntoIgnore", "into_ignore")));
    } else if options.place("ignore").is_some() {
        add("ignore", some(quote!(#private::IntoIgnore::into_ignore(true))));
    }
    // Wrong phases are reported by the code that looks at the function.
    if let Some(phases) = options.phases().ok().filter(|phases| !phases.is_empty()) {
        add("phases", quote!(::std::vec![#(#phases),*]));
    }
    quote! {
        #private::Options { #fields ..::core::default::Default::default() }
    }
}

/// Writes the function that makes the metrics, if there are any.
pub(crate) fn metrics(options: &Options, private: &TokenStream) -> TokenStream {
    let Some(value) = options.value("metrics") else {
        return quote!(::core::option::Option::None);
    };
    // A single metric needs no brackets.
    let values = list(value).unwrap_or_else(|| vec![value.clone()]);
    let metrics = values.iter().map(|value| {
        quote_spanned!(place(value)=> ::std::sync::Arc::new(#value) as ::std::sync::Arc<dyn #private::Metric>)
    });
    quote!(::core::option::Option::Some(|| #private::Metrics(::std::vec![#(#metrics),*])))
}
