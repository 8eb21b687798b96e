//! Writes the registration of a function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Error, LitStr, Result};

use crate::{
    options::{self, Options},
    signature::{Passing, Signature, is_bencher, passing},
};

/// The function as it was, followed by its registration or by what is wrong with it.
pub(crate) fn bench(tokens: TokenStream, item: TokenStream) -> TokenStream {
    let (options, mut error) = options::read(tokens);
    let registration =
        Signature::read(&item).and_then(|signature| registration(&signature, &options));
    let registration = match registration {
        Ok(registration) if error.is_none() => registration,
        Ok(_) => TokenStream::new(),
        Err(other) => {
            match &mut error {
                Some(first) => first.combine(other),
                none => *none = Some(other),
            }
            TokenStream::new()
        }
    };
    let errors = error.map(Error::into_compile_error);
    quote! { #item #registration #errors }
}

fn registration(signature: &Signature, options: &Options) -> Result<TokenStream> {
    if let Some(generics) = signature.generics {
        return Err(Error::new(
            generics,
            "a benchmark cannot be generic: which types should it be measured with?",
        ));
    }
    if let Some(asynchronous) = signature.asynchronous {
        return Err(Error::new(
            asynchronous,
            "an `async` function needs an executor: call it in one with a `Bencher`",
        ));
    }
    let krate = options.krate.clone().unwrap_or_else(|| quote!(::plusminus));
    let private = quote!(#krate::__private);
    let subject = match &options.problem {
        Some(problem) => variant(signature, options, problem, &private)?,
        None => function(signature, options, &private)?,
    };
    let function = &signature.name;
    let name = match &options.name {
        Some(name) => LitStr::new(&name.value(), name.span()),
        None => LitStr::new(&plain(function), function.span()),
    };
    if name.value().is_empty() {
        return Err(Error::new(name.span(), "a benchmark needs a name that can be typed"));
    }
    let settings = settings(options, &private);
    let guard = format_ident!("__PLUSMINUS_BENCH_{}", plain(function), span = function.span());
    Ok(quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, clippy::all, clippy::pedantic)]
        const #guard: () = {
            #private::inventory::submit! {
                #private::Entry {
                    module: ::core::module_path!(),
                    name: #name,
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                    options: || #settings,
                    subject: #subject,
                }
            }
        };
    })
}

/// A name without the `r#` of raw identifiers.
fn plain(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// The expression of what the attribute says about measuring.
fn settings(options: &Options, private: &TokenStream) -> TokenStream {
    let number = |value: &TokenStream| quote!(::core::option::Option::Some(#value));
    let time = |value: &TokenStream| {
        // The value's own place, so that a wrong type is underlined there.
        let span =
            value.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
        let call = quote_spanned!(span=> #private::IntoDuration::into_duration(#value));
        quote!(::core::option::Option::Some(#call))
    };
    let runs = options.runs.as_ref().map(|value| {
        let value = number(value);
        quote!(runs: #value,)
    });
    let samples = options.samples.as_ref().map(|value| {
        let value = number(value);
        quote!(samples: #value,)
    });
    let max_time = options.max_time.as_ref().map(|value| {
        let value = time(value);
        quote!(max_time: #value,)
    });
    let margin = options
        .margin
        .as_ref()
        .map(|value| quote!(margin: ::core::option::Option::Some(f64::from(#value)),));
    let timeout = options.timeout.as_ref().map(|value| {
        let value = time(value);
        quote!(timeout: #value,)
    });
    let processors = options.processors.as_ref().map(|value| {
        quote!(processors: ::core::iter::IntoIterator::into_iter(#value).collect::<::std::vec::Vec<usize>>(),)
    });
    let ignore =
        options.ignore.as_ref().map(|why| quote!(ignore: ::core::option::Option::Some(#why),));
    quote! {
        #private::Options {
            #runs #samples #max_time #margin #timeout #processors #ignore
            ..::core::default::Default::default()
        }
    }
}

fn variant(
    signature: &Signature,
    options: &Options,
    problem: &TokenStream,
    private: &TokenStream,
) -> Result<TokenStream> {
    if let Some(args) = &options.args {
        let message = "a variant takes its points from the problem's `sweep`; leave `args` out";
        return Err(Error::new_spanned(args, message));
    }
    if let (Some(baseline), Some(_)) = (options.baseline, options.reference) {
        let message = "a variant is either the `baseline` of its table or the sequential `reference`, not both";
        return Err(Error::new(baseline, message));
    }
    let [_, instance] = signature.parameters.as_slice() else {
        return Err(Error::new(
            signature.list.span(),
            "a variant takes two parameters, the problem's input and an instance: `(input: &Input, instance: &Instance)`",
        ));
    };
    let sample = match passing(instance) {
        Passing::Reference => quote!(sample_by_reference),
        Passing::MutableReference => quote!(sample_by_mutable_reference),
        Passing::Value => quote!(sample_by_value),
    };
    let role = match (options.baseline, options.reference) {
        (Some(_), _) => quote!(Baseline),
        (_, Some(_)) => quote!(Reference),
        _ => quote!(Contender),
    };
    // The function's name at the place of its parameters: where a signature does not fit, it is underlined there.
    let mut kernel = signature.name.clone();
    kernel.set_span(signature.name.span().located_at(signature.list.span()));
    Ok(quote! {
        #private::Subject::Variant(#private::VariantSubject {
            problem: #private::ProblemSubject::of::<#problem>(),
            role: #private::Role::#role,
            sample: |loaded, instance, calls, check| {
                #private::#sample::<#problem>(loaded, instance, calls, check, #kernel)
            },
        })
    })
}

fn function(
    signature: &Signature,
    options: &Options,
    private: &TokenStream,
) -> Result<TokenStream> {
    for (span, option) in [(options.baseline, "baseline"), (options.reference, "reference")] {
        if let Some(span) = span {
            let message =
                format!("`{option}` compares the variants of a problem; add `problem = …`");
            return Err(Error::new(span, message));
        }
    }
    let name = &signature.name;
    let (bencher, arguments) = match signature.parameters.split_first() {
        Some((first, rest)) if is_bencher(first) => (true, rest),
        _ => (false, signature.parameters.as_slice()),
    };
    let wrong = |message: &str| Err(Error::new(signature.list.span(), message));
    let Some(args) = &options.args else {
        if !arguments.is_empty() {
            return wrong(
                "where does the argument come from? Add `args = […]`, or `problem = …` for a variant",
            );
        }
        let call = if bencher { quote!(#name(bencher)) } else { quote!(bencher.bench(|| #name())) };
        return Ok(quote! {
            #private::Subject::Function(#private::FunctionSubject {
                points: || ::std::vec![::std::string::String::new()],
                run: |_, bencher| #call,
            })
        });
    };
    let [argument] = arguments else {
        return wrong(
            "with `args`, a benchmark takes one argument, after the `Bencher` if it takes one",
        );
    };
    let passed = match passing(argument) {
        Passing::Reference => quote!(argument),
        Passing::Value => quote!(*argument),
        Passing::MutableReference => {
            return wrong(
                "an argument is shared by all calls; for one of its own for each call, use a `Bencher`",
            );
        }
    };
    let call = if bencher {
        quote!(#name(bencher, #passed))
    } else {
        quote!(bencher.bench(|| { let argument = ::core::hint::black_box(argument); #name(#passed) }))
    };
    Ok(quote! {
        #private::Subject::Function(#private::FunctionSubject {
            points: || {
                #[allow(unused_imports)]
                use #private::{NameByDebug as _, NameByDisplay as _};
                ::core::iter::IntoIterator::into_iter(#args)
                    .map(|argument| (&#private::Named(&argument)).argument_name())
                    .collect()
            },
            run: |point, bencher| {
                let argument = ::core::iter::IntoIterator::into_iter(#args)
                    .nth(point)
                    .expect("a listed point is an argument");
                let argument = &argument;
                #call
            },
        })
    })
}
