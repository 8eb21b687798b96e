//! Registers a function on its own.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::{Error, Result};

use crate::{
    arguments::{Arguments, Names},
    generic::{Instance, instances},
    options::{Options, list},
    signature::{Generic, Parameter, Passing, Signature, place, split_at_commas, within},
    variant::{executor, no_executor, runs_window},
};

/// An attribute and its function's signature, understood.
struct Function<'a> {
    signature: &'a Signature,
    options: &'a Options,
    private: &'a TokenStream,
    /// How it takes a `Bencher`, if it takes one first.
    bencher: Option<Passing>,
    /// The parameters that take arguments.
    parameters: &'a [Parameter],
    /// The contents of `args`, if there is one.
    arguments: Option<Arguments>,
    /// The expression of the executor, for an `async` function.
    executor: Option<TokenStream>,
}

/// The expressions of what to run: one for each combination of types and constants, so that the code of each is separate from that
/// of all others.
pub(crate) fn subjects(
    signature: &Signature,
    options: &Options,
    private: &TokenStream,
) -> Result<Vec<TokenStream>> {
    for option in ["baseline", "reference"] {
        let message = format!("`{option}` compares the variants of a problem; add `problem = …`");
        options.reject(option, &message)?;
    }
    let message = "`tally` counts a solution of a variant; add `problem = …`, or leave `tally` out";
    options.reject("tally", message)?;
    options.phases()?;
    let instances = instances(signature, options)?;
    let (bencher, parameters) = match signature.parameters.split_first() {
        Some((first, rest)) if first.names_bencher() => (Some(first.passing()), rest),
        _ => (None, signature.parameters.as_slice()),
    };
    let executor = match signature.asynchronous {
        Some(span) if bencher.is_some() => {
            let message = "a function that takes a `Bencher` is not `async` itself: give it an `async` kernel with \
                           `bencher.bench_async`";
            return Err(Error::new(span, message));
        }
        Some(span) => Some(executor(options, span)?),
        None => {
            no_executor(options)?;
            None
        }
    };
    let arguments = Arguments::read(options, parameters)?;
    check_parameters(signature, arguments.as_ref(), parameters)?;
    let ours = Span::mixed_site();
    let function =
        Function { signature, options, private, bencher, parameters, arguments, executor };
    let of_instance = |instance| {
        let (points, run) = (function.points(instance), function.run(instance)?);
        // Expressions of the user, and functions, may have the names of our variables.
        Ok(quote_spanned! {ours=>
            #private::Subject::Function(#private::FunctionSubject {
                points: || #points,
                run: |point, bencher| #run,
            })
        })
    };
    instances.iter().map(of_instance).collect()
}

/// Whether a type can be written outside of its function: it has no lifetime, no `impl` and nothing generic.
fn is_nameable(ty: &TokenStream, generics: &[Generic]) -> bool {
    ty.clone().into_iter().all(|token| match token {
        TokenTree::Ident(word) => {
            word != "impl" && generics.iter().all(|generic| generic.name != word)
        }
        TokenTree::Punct(punct) => punct.as_char() != '\'',
        TokenTree::Group(group) => is_nameable(&group.stream(), generics),
        TokenTree::Literal(_) => true,
    })
}

/// Returns whether an element of a list can be a tuple of `parts` parts. Other expressions may be anything.
fn may_be_tuple(element: &TokenStream, parts: usize) -> bool {
    if let Some(inside) = within(element, Delimiter::Parenthesis) {
        return split_at_commas(inside).len() == parts;
    }
    let mut tokens = element.clone().into_iter();
    !matches!((tokens.next(), tokens.next()), (Some(TokenTree::Literal(_)), None))
}

fn check_parameters(
    signature: &Signature,
    arguments: Option<&Arguments>,
    parameters: &[Parameter],
) -> Result<()> {
    if let Some(late) = parameters.iter().find(|parameter| parameter.names_bencher()) {
        return Err(Error::new(
            late.span(),
            "the `Bencher` comes first, and the arguments after it",
        ));
    }
    let args = arguments.map(|arguments| &arguments.values);
    if let Some(elements) = args.and_then(list)
        && parameters.len() > 1
        && let Some(wrong) =
            elements.iter().find(|element| !may_be_tuple(element, parameters.len()))
    {
        let tuple = vec!["…"; parameters.len()].join(", ");
        let message = format!(
            "the function takes {} arguments: write `({tuple})` for each call, or `(\"name\", {tuple})`",
            parameters.len()
        );
        return Err(Error::new_spanned(wrong, message));
    }
    match (args, parameters) {
        (None, []) => Ok(()),
        (None, _) => Err(Error::new(
            signature.list.span(),
            "where does the argument come from? Add `args = […]`, or `problem = …` for a variant",
        )),
        (Some(args), []) => Err(Error::new_spanned(
            args,
            "with `args`, the function takes an argument: add a parameter, after the `Bencher` if there is one",
        )),
        (Some(_), parameters) => {
            let mutable = parameters.iter().find(|p| p.passing() == Passing::MutableReference);
            mutable.map_or(Ok(()), |parameter| {
                Err(Error::new(
                    parameter.span(),
                    "an argument is shared by all calls: take it by value for a clone of its own in each call, or use a \
                     `Bencher` with inputs",
                ))
            })
        }
    }
}

impl Function<'_> {
    /// Variables for the parts of an argument: one for each parameter.
    fn parts(&self) -> Vec<Ident> {
        let part = |(index, parameter): (usize, &Parameter)| {
            let span = Span::mixed_site().located_at(parameter.span());
            Ident::new(&format!("argument_{index}"), span)
        };
        self.parameters.iter().enumerate().map(part).collect()
    }

    /// The pattern that takes a reference to an argument apart.
    fn pattern(&self) -> TokenStream {
        match self.parts().as_slice() {
            [one] => quote!(#one),
            // The parameters' place: a wrong number of them is underlined there.
            parts => quote_spanned!(self.signature.list.span()=> (#(#parts),*)),
        }
    }

    /// The names of all points of an instance.
    fn points(&self, Instance { names: own, exists, .. }: &Instance) -> TokenStream {
        let (private, ours) = (self.private, Span::mixed_site());
        let arguments = match &self.arguments {
            None => quote!([::std::vec::Vec::<::std::string::String>::new()]),
            Some(Arguments { names: Names::Given(names), .. }) => {
                quote!([#(::std::vec![::std::string::String::from(#names)]),*])
            }
            Some(Arguments { values, names: Names::By(by) }) => quote_spanned! {ours=>
                ::core::iter::IntoIterator::into_iter(#values)
                    .map(|argument| ::std::vec![#private::name_by(&argument, #by)])
                    .collect::<::std::vec::Vec<_>>()
            },
            Some(Arguments { values: args, names: Names::Shown }) => {
                let (pattern, parts) = (self.pattern(), self.parts());
                quote_spanned! {ours=> {
                    #[allow(unused_imports)]
                    use #private::{NameByDebug as _, NameByDisplay as _};
                    ::core::iter::IntoIterator::into_iter(#args)
                        .map(|argument| {
                            let #pattern = &argument;
                            ::std::vec![
                                [#((&#private::Argument(#parts)).argument_name()),*].join(",")
                            ]
                        })
                        .collect::<::std::vec::Vec<_>>()
                }}
            }
        };
        let exists = exists.clone().unwrap_or_else(|| quote!(true));
        quote_spanned! {ours=> {
            let arguments = #arguments;
            let mut points: ::std::vec::Vec<::std::vec::Vec<::std::string::String>> =
                ::std::vec::Vec::new();
            if #exists {
                for names in arguments {
                    let mut all = ::std::vec![#(#own),*];
                    all.extend(names);
                    points.push(all);
                }
            }
            points
        }}
    }

    /// Runs one point of an instance.
    fn run(&self, instance: &Instance) -> Result<TokenStream> {
        let ours = Span::mixed_site();
        let convert = self.convert();
        let get_argument = self.arguments.as_ref().map(|Arguments { values: args, .. }| {
            quote_spanned! {ours=>
                let argument = ::core::iter::IntoIterator::into_iter(#args)
                    .nth(point)
                    .expect("a listed point is an argument");
                #convert
                let argument = &argument;
            }
        });
        let state_work = self.state_work();
        let get_executor =
            self.executor.as_ref().map(|executor| quote_spanned!(ours=> let executor = #executor;));
        let call = self.call(instance);
        Ok(quote! {{
            #get_argument
            #state_work
            #get_executor
            #call;
        }})
    }

    /// Makes an argument of an item of `args`, which may be a reference to it, as the items of a constant slice are. In a list in
    /// brackets they fit as they are, and so do tuples that are taken apart.
    fn convert(&self) -> Option<TokenStream> {
        let (Some(Arguments { values, .. }), [one]) = (&self.arguments, self.parameters) else {
            return None;
        };
        let Parameter { ty, .. } = one;
        let may_differ = list(values).is_none() && one.passing() == Passing::Value;
        (may_differ && is_nameable(ty, &self.signature.generics)).then(|| {
            let (private, span) = (self.private, Span::mixed_site().located_at(place(values)));
            quote_spanned!(span=> let argument: #ty = #private::IntoArgument::into_argument(argument);)
        })
    }

    /// Passes the work of a call to the bencher, if the attribute states it. Its expression can use the parameters.
    fn state_work(&self) -> Option<TokenStream> {
        let (private, ours) = (self.private, Span::mixed_site());
        let mut works = Vec::new();
        for unit in ["items", "bytes", "bits"] {
            if let Some(value) = self.options.value(unit) {
                // A bare literal would be an `i32`, and too large for it rather soon.
                let bare = syn::parse2::<Literal>(value.clone()).is_ok_and(|literal| {
                    literal.to_string().chars().all(|c| c.is_ascii_digit() || c == '_')
                });
                let value = if bare { quote!((#value as u64)) } else { value.clone() };
                let count = quote_spanned!(place(&value)=> #private::IntoCount::into_count(#value));
                works.push(quote!(#private::Work::of(#unit, #count)));
            }
        }
        if let Some(value) = self.options.value("work") {
            works.push(quote!(#value));
        }
        let (first, rest) = works.split_first()?;
        let bindings = self.arguments.as_ref().map(|_| {
            let (pattern, parts) = (self.pattern(), self.parts());
            let bind = self.parameters.iter().zip(&parts).map(|(parameter, part)| {
                let pattern = &parameter.pattern;
                match parameter.passing() {
                    Passing::Value => quote!(let #pattern = ::core::clone::Clone::clone(#part);),
                    _ => quote!(let #pattern = #part;),
                }
            });
            quote_spanned! {ours=> let #pattern = argument; #(#bind)* }
        });
        Some(quote_spanned! {ours=>
            let bencher = bencher.work({ #bindings #first #(.and(#rest))* });
        })
    }

    /// The call of one instance under the control of the bencher.
    fn call(&self, instance: &Instance) -> TokenStream {
        let (private, name) = (self.private, &self.signature.name);
        let ours = Span::mixed_site();
        let turbofish = &instance.turbofish;
        let (pattern, parts) = (self.pattern(), self.parts());
        let apart = (!parts.is_empty()).then(|| quote_spanned!(ours=> let #pattern = argument;));
        let passed = |by_value: fn(&Ident) -> TokenStream| -> Vec<TokenStream> {
            let pass = |(parameter, part): (&Parameter, &Ident)| match parameter.passing() {
                Passing::Value => by_value(part),
                _ => quote!(#part),
            };
            self.parameters.iter().zip(&parts).map(pass).collect()
        };
        let clones = passed(|part| {
            let clone = format_ident!("clone", span = part.span());
            quote_spanned!(part.span()=> ::core::clone::Clone::#clone(#part))
        });
        if let Some(passing) = self.bencher {
            let span = ours.located_at(self.signature.parameters[0].span());
            let bencher = match passing {
                Passing::Value => quote_spanned!(ours=> #private::bencher(bencher)),
                Passing::Reference => quote_spanned!(span=> &#private::by_reference(bencher)),
                Passing::MutableReference => {
                    quote_spanned!(span=> &mut #private::by_reference(bencher))
                }
            };
            return quote!({ #apart #name #turbofish(#bencher #(, #clones)*) });
        }
        if self.executor.is_some() {
            let run = runs_window(self.options, private);
            return quote_spanned!(ours=> { #apart bencher.bench_async(#run, || #name #turbofish(#(#clones),*)) });
        }
        if parts.is_empty() {
            return quote_spanned!(ours=> bencher.bench_shared(|| #name #turbofish()));
        }
        let all_by_value = self.parameters.iter().all(|p| p.passing() == Passing::Value);
        if all_by_value {
            return quote_spanned! {ours=> {
                #[allow(unused_imports)]
                use #private::{PassClone as _, PassCopy as _};
                (&#private::Argument(argument))
                    .bench_by_value(bencher, |#pattern| #name #turbofish(#(#parts),*))
            }};
        }
        let copies = passed(|part| quote_spanned!(part.span()=> *#part));
        quote_spanned! {ours=>
            bencher.bench_shared(|| {
                let #pattern = ::core::hint::black_box(argument);
                #name #turbofish(#(#copies),*)
            })
        }
    }
}
