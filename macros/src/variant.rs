//! Registers a function as a variant of a problem.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Error, Result};

use crate::{
    options::Options,
    settings::located,
    signature::{Parameter, Passing, Signature, place},
};

/// Options that a problem answers itself, and how.
const ANSWERED: [(&str, &str); 7] = [
    ("args", "a variant takes its points from the problem's `sweep`"),
    ("types", "a variant is one function for one problem; write another variant for another type"),
    (
        "consts",
        "a variant is one function for one problem; write another variant for another constant",
    ),
    ("items", "the problem's `work` states the work of a call"),
    ("bytes", "the problem's `work` states the work of a call"),
    ("bits", "the problem's `work` states the work of a call"),
    ("work", "the problem's `work` states the work of a call"),
];

/// The expression of what to run.
pub(crate) fn subject(
    signature: &Signature,
    options: &Options,
    problem: &TokenStream,
    private: &TokenStream,
) -> Result<TokenStream> {
    for (option, why) in ANSWERED {
        options.reject(option, &format!("{why}; leave `{option}` out"))?;
    }
    if let Some(namer) = options.namer() {
        let message = "points of a problem get their names from the `Display` of its `Point`; write a name in quotes";
        return Err(Error::new_spanned(namer, message));
    }
    if let (Some(span), Some(_)) = (options.place("baseline"), options.place("reference")) {
        let message = "a variant is either the `baseline` of its table or the sequential `reference`, not both";
        return Err(Error::new(span, message));
    }
    if let Some(generic) = signature.generics.first() {
        let message = "a variant cannot be generic: write one function for each type, and call the generic one in it";
        return Err(Error::new(generic.span, message));
    }
    options.phases()?;
    let [input, instance] = signature.parameters.as_slice() else {
        return Err(Error::new(
            signature.list.span(),
            "a variant takes two parameters, the problem's input and an instance: `(input: &Input, instance: &Instance)`",
        ));
    };
    match input.passing() {
        Passing::Reference => {}
        Passing::Value => {
            let message =
                "all variants share the input, which is built once: take it by reference, `&Input`";
            return Err(Error::new(input.span(), message));
        }
        Passing::MutableReference => {
            let message = "all variants share the input: take it as `&Input`; what a variant changes belongs into the \
                           instance, which may be `&mut Instance`";
            return Err(Error::new(input.span(), message));
        }
    }
    let sample = match signature.asynchronous {
        Some(span) => asynchronous(signature, options, problem, private, span)?,
        None => {
            no_executor(options)?;
            plain(signature, options, problem, private, input, instance)
        }
    };
    let role = match (options.place("baseline"), options.place("reference")) {
        (Some(_), _) => quote!(Baseline),
        (_, Some(_)) => quote!(Reference),
        _ => quote!(Contender),
    };
    let shared = options.place("threads").is_some();
    let tally = tally(options, problem, private);
    let compare = quote! {{
        #[allow(unused_imports)]
        use #private::{CompareByEquality as _, CompareNothing as _};
        (&#private::OutputsOf::<<#problem as #private::Problem>::Output>::HERE).comparison()
    }};
    Ok(quote! {
        #private::Subject::Variant(#private::VariantSubject {
            problem: #private::ProblemSubject::of::<#problem>(),
            role: #private::Role::#role,
            shared: #shared,
            sample: |loaded, ask| #sample,
            tally: #tally,
            compare: || #compare,
        })
    })
}

/// The expression of what counts a solution, if anything does. It carries the place of the path, so that a function
/// that does not fit is underlined there.
fn tally(options: &Options, problem: &TokenStream, private: &TokenStream) -> TokenStream {
    let Some(path) = options.value("tally") else { return quote!(::core::option::Option::None) };
    let here = Span::mixed_site().located_at(place(path));
    let (first, second) = (Ident::new("first", here), Ident::new("second", here));
    let call = quote_spanned!(place(path)=> (#path)(#first, #second));
    quote! {
        ::core::option::Option::Some(|loaded, instance| {
            #private::tally::<#problem>(loaded, instance, |#first, #second| #call)
        })
    }
}

/// Rejects an executor where there is nothing for it to run.
pub(crate) fn no_executor(options: &Options) -> Result<()> {
    let message =
        "only an `async` function needs an executor: write `async fn`, or leave `executor` out";
    options.reject("executor", message)
}

/// The executor's expression, for an `async` function.
pub(crate) fn executor(options: &Options, asynchronous: Span) -> Result<TokenStream> {
    let message = "an `async` function is called by one thread; start tasks in it, or call it in a function with a \
                   `Bencher`";
    options.reject("threads", message)?;
    options.value("executor").cloned().ok_or_else(|| {
        let message = "an `async` function needs an executor: add `executor = …` with a value that has a method \
                       `block_on`, such as `tokio::runtime::Runtime::new().unwrap()`, or that implements \
                       `plusminus::Executor`";
        Error::new(asynchronous, message)
    })
}

/// A closure that hands a window to the executor, which the variable `executor` holds.
pub(crate) fn runs_window(options: &Options, private: &TokenStream) -> TokenStream {
    let ours = Span::mixed_site();
    let call = quote_spanned!(ours=> executor.block_on);
    let call = options.value("executor").map_or(call.clone(), |value| located(&call, place(value)));
    quote_spanned! {ours=>
        |window: #private::Window<'_>| {
            #[allow(unused_imports)]
            use #private::Executor as _;
            #call(window);
        }
    }
}

fn plain(
    signature: &Signature,
    options: &Options,
    problem: &TokenStream,
    private: &TokenStream,
    input: &Parameter,
    instance: &Parameter,
) -> TokenStream {
    let shared = options.place("threads").is_some();
    let sample = match (shared, instance.passing()) {
        (false, Passing::Reference) => quote!(sample_by_reference),
        (false, Passing::MutableReference) => quote!(sample_by_mutable_reference),
        (false, Passing::Value) => quote!(sample_by_value),
        (true, Passing::Reference) => quote!(share_by_reference),
        (true, Passing::MutableReference) => quote!(share_by_mutable_reference),
        (true, Passing::Value) => quote!(share_by_value),
    };
    let name = &signature.name;
    // Each value carries the place of the parameter's type: where they do not fit, that is underlined. A closure
    // lets `&[T]` take a `&Vec<T>`.
    let first = Ident::new("first", Span::mixed_site().located_at(input.span()));
    let second = Ident::new("second", Span::mixed_site().located_at(instance.span()));
    let call = quote_spanned!(name.span()=> #name(#first, #second));
    let private = located(private, place(problem));
    // Located there, but resolved here: the type may come from another macro than the variables of these closures.
    quote_spanned! {Span::call_site().located_at(place(problem))=>
        #private::#sample::<#problem>(loaded, ask, |#first, #second| #call)
    }
}

fn asynchronous(
    signature: &Signature,
    options: &Options,
    problem: &TokenStream,
    private: &TokenStream,
    span: Span,
) -> Result<TokenStream> {
    let executor = executor(options, span)?;
    let instance = &signature.parameters[1];
    if instance.passing() != Passing::Reference {
        let message = "an `async` variant borrows its instance: `&Instance`";
        return Err(Error::new(instance.span(), message));
    }
    let name = &signature.name;
    let first = Ident::new("first", Span::mixed_site().located_at(signature.parameters[0].span()));
    let second = Ident::new("second", Span::mixed_site().located_at(instance.span()));
    let run = runs_window(options, private);
    let get_executor = quote_spanned! {Span::mixed_site()=>
        let executor = #private::once(
            ::core::concat!(::core::file!(), ":", ::core::line!(), ":", ::core::column!()),
            || #executor,
        );
    };
    Ok(quote! {{
        #get_executor
        let (#first, #second) = #private::asked_for::<#problem>(loaded, ask);
        #private::sample_async::<#problem, _>((#first, #second), ask, &#run, || #name(#first, #second))
    }})
}
