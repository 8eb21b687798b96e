//! Writes registrations: what both attributes have in common.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, LitStr, Result};

use crate::{
    divan, function,
    options::{self, Attribute, Options},
    settings::{metrics, settings},
    signature::{Signature, module_name},
    variant,
};

/// The function as it was, followed by its registration or by what is wrong with it.
pub(crate) fn bench(tokens: TokenStream, item: TokenStream) -> TokenStream {
    expand(Attribute::Bench, tokens, item, |item, options| {
        benchmark(&Signature::read(item)?, options, &settings)
    })
}

/// The same for a function with the attribute of divan.
pub(crate) fn divan_bench(tokens: TokenStream, item: TokenStream) -> TokenStream {
    expand(Attribute::Divan, tokens, item, |item, options| {
        let ignored = divan::has_ignore(item);
        let settings = |options: &_, private: &_| divan::settings(options, private, ignored);
        benchmark(&Signature::read(item)?, options, &settings)
    })
}

/// The same for a module with the attribute of divan.
pub(crate) fn divan_group(tokens: TokenStream, item: TokenStream) -> TokenStream {
    expand(Attribute::Divan, tokens, item, |item, options| {
        let ignored = divan::has_ignore(item);
        let settings = |options: &_, private: &_| divan::settings(options, private, ignored);
        module(&module_name(item)?, options, &settings)
    })
}

/// The module as it was, followed by the registration of its options or by what is wrong with them.
pub(crate) fn group(tokens: TokenStream, item: TokenStream) -> TokenStream {
    expand(Attribute::Group, tokens, item, |item, options| {
        module(&module_name(item)?, options, &settings)
    })
}

fn expand(
    attribute: Attribute,
    tokens: TokenStream,
    item: TokenStream,
    write: impl FnOnce(&TokenStream, &Options) -> Result<TokenStream>,
) -> TokenStream {
    let (mut options, mut errors) = options::read(attribute, tokens);
    if attribute == Attribute::Divan && options.value("crate").is_none() {
        options.add("crate", quote!(::divan));
    }
    let mut registration = None;
    // With an option missing because it was wrong, what follows from that is no news.
    if errors.is_empty() {
        match write(&item, &options) {
            Ok(written) => registration = Some(written),
            Err(error) => errors.add(error),
        }
    }
    let errors = errors.into_compile_error();
    quote! { #item #registration #errors }
}

/// Where generated code finds the harness.
fn private(options: &Options) -> TokenStream {
    let krate = options.value("crate").cloned().unwrap_or_else(|| quote!(::plusminus));
    quote!(#krate::__private)
}

/// Writes the expression of the settings.
type WriteSettings<'a> = &'a dyn Fn(&Options, &TokenStream) -> TokenStream;

fn benchmark(
    signature: &Signature,
    options: &Options,
    settings: WriteSettings<'_>,
) -> Result<TokenStream> {
    if let Some(span) = signature.unsafety {
        let message =
            "a benchmark cannot be `unsafe`: call it in an `unsafe` block of a safe function";
        return Err(Error::new(span, message));
    }
    if let Some(receiver) = signature.parameters.iter().find(|parameter| parameter.is_self()) {
        let message = "a method cannot be a benchmark: call it in a function";
        return Err(Error::new_spanned(&receiver.pattern, message));
    }
    let private = private(options);
    let subjects = match options.value("problem") {
        Some(problem) => vec![variant::subject(signature, options, problem, &private)?],
        None => function::subjects(signature, options, &private)?,
    };
    let computed = options.computed_name();
    let text = match options.namer().or(computed) {
        Some(_) => None,
        None => options.text("name", "the benchmark's name")?,
    };
    let text = match text {
        Some(name) => checked(name)?,
        None => LitStr::new(&plain(&signature.name), signature.name.span()),
    };
    let name = computed.map_or_else(|| quote!(#text), Clone::clone);
    let (settings, metrics) = (settings(options, &private), metrics(options, &private));
    let entry = |(combination, subject): (u32, &TokenStream)| {
        quote! {
            #private::Entry {
                mark: #private::ENTRY_MARK,
                module: ::core::module_path!(),
                name: #name,
                file: ::core::file!(),
                line: ::core::line!(),
                column: ::core::column!(),
                combination: #combination,
                metrics: #metrics,
                package: #private::package_name!(),
                options: || #settings,
                subject: #subject,
            }
        }
    };
    let entries: Vec<TokenStream> = (0..).zip(&subjects).map(entry).collect();
    Ok(submit(&guard("BENCH", &text), &private, &entries))
}

fn module(module: &Ident, options: &Options, settings: WriteSettings<'_>) -> Result<TokenStream> {
    let private = private(options);
    let name = match options.computed_name() {
        Some(computed) => Some(computed.clone()),
        None => {
            let text = options.text("name", "the name that stands for the module")?;
            text.map(checked).transpose()?.map(|name| quote!(#name))
        }
    };
    let name = match name {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(::core::option::Option::None),
    };
    let (settings, metrics) = (settings(options, &private), metrics(options, &private));
    let text = LitStr::new(&plain(module), module.span());
    let group = quote! {
        #private::Group {
            mark: #private::GROUP_MARK,
            parent: ::core::module_path!(),
            module: #text,
            name: #name,
            metrics: #metrics,
            options: || #settings,
        }
    };
    Ok(submit(&guard("GROUP", &text), &private, &[group]))
}

/// Hands values to the harness, under a name that the compiler lets exist only once in a module.
fn submit(guard: &Ident, private: &TokenStream, values: &[TokenStream]) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(
            non_upper_case_globals,
            unused_braces,
            unused_variables,
            unused_mut,
            unused_qualifications,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        const #guard: () = {
            #(#private::inventory::submit! { #values })*
        };
    }
}

/// Two benchmarks of one name in a module have one guard, and the compiler names the place of the second.
fn guard(kind: &str, name: &LitStr) -> Ident {
    let mut text = String::new();
    for character in name.value().chars() {
        if character.is_ascii_alphanumeric() || character == '_' {
            text.push(character);
        } else {
            text.push_str(&format!("_{:x}_", u32::from(character)));
        }
    }
    format_ident!("__PLUSMINUS_{kind}_NAMED_{text}", span = name.span())
}

/// A name without the `r#` of raw identifiers.
fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// Rejects names that cannot be typed as a filter, or that break a listing.
fn checked(name: LitStr) -> Result<LitStr> {
    let value = name.value();
    let wrong = if value.is_empty() {
        "a benchmark needs a name that can be typed"
    } else if value.trim() != value {
        "blanks at the ends of a name get lost; leave them out"
    } else if value.chars().any(is_hidden) {
        "a name has to be visible and on one line: leave out line ends, tabs and invisible characters"
    } else if value.starts_with('-') {
        "a name that begins with `-` would be taken for an option; begin with something else"
    } else {
        return Ok(name);
    };
    Err(Error::new(name.span(), wrong))
}

/// Characters that cannot be seen, or that change how others are seen.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}')
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}
