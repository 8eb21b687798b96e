//! The call of the bencher within a benchmark, which hands over the kernel: `b.iter(…)` of criterion and libtest, and its
//! relatives, become the methods of our bencher that time the same.

use std::collections::BTreeSet;

use syn::{
    Expr, ExprCall, ExprClosure, ExprMethodCall, Stmt,
    visit::{self, Visit},
};

use super::text::{Certain, Edits, Text, occurrences, range, single, words};

/// What is known where a kernel is translated.
pub(super) struct Kernel<'a> {
    pub(super) text: Text<'a>,
    /// What the bencher is called.
    pub(super) bencher: &'a str,
    /// What stands for the bencher in the translation.
    pub(super) receiver: &'a str,
    /// Functions of the file that take a bencher.
    pub(super) helpers: &'a BTreeSet<String>,
}

impl Kernel<'_> {
    /// Translates the only use of the bencher within a body.
    ///
    /// # Errors
    /// There is another number of uses, or one that is not known.
    pub(super) fn translate<'n>(
        &self,
        body: &'n (impl quote::ToTokens + Walk<'n>),
        edits: &mut Edits,
    ) -> Certain<()> {
        let mut uses =
            Uses { kernel: self, repeated: 0, found: 0, inner: 0, edits, outcome: Ok(()) };
        body.walk(&mut uses);
        let (found, inner) = (uses.found, uses.inner);
        uses.outcome?;
        if found != 1 || occurrences(body, self.bencher) != 1 + inner {
            return Err(format!(
                "the bencher `{}` is used otherwise than by one call of a method that measures",
                self.bencher
            ));
        }
        Ok(())
    }

    /// A call of a method of the bencher.
    fn method(&self, call: &ExprMethodCall) -> Certain<String> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let source = |expression: &Expr| self.text.of(expression).to_owned();
        let b = self.receiver;
        let name = call.method.to_string();
        if let Expr::MethodCall(first) = &*call.receiver {
            return match (name.as_str(), arguments.as_slice(), first.args.first()) {
                ("iter", [routine], Some(executor)) => self.awaited(executor, routine),
                _ => Err(format!("`to_async(…).{name}` has no counterpart")),
            };
        }
        Ok(match (name.as_str(), arguments.as_slice()) {
            ("iter", [routine]) => format!("{b}.bench({})", self.dropping(routine)?),
            ("iter_with_large_drop", [routine]) => format!("{b}.bench({})", source(routine)),
            ("iter_custom", [routine]) => format!("{b}.bench_custom({})", source(routine)),
            ("iter_batched", [setup, routine, size]) => {
                let once = at_once(size)?;
                format!(
                    "{b}.with_inputs({}){once}.bench_values({})",
                    source(setup),
                    source(routine)
                )
            }
            ("iter_batched_ref", [setup, routine, size]) => {
                let once = at_once(size)?;
                format!("{b}.with_inputs({}){once}.bench_refs({})", source(setup), source(routine))
            }
            ("iter_with_setup", [setup, routine]) => {
                format!(
                    "{b}.with_inputs({}).at_once(1).bench_values({})",
                    source(setup),
                    source(routine)
                )
            }
            ("iter_with_large_setup", [setup, routine]) => {
                format!("{b}.with_inputs({}).bench_values({})", source(setup), source(routine))
            }
            _ => return Err(format!("`{name}` of the bencher has no counterpart")),
        })
    }

    /// A routine whose result is dropped within the window, as it was before.
    fn dropping(&self, routine: &Expr) -> Certain<String> {
        if single(routine).is_some() || matches!(routine, Expr::Path(_)) {
            return Ok(format!("|| {{ std::hint::black_box({}()); }}", self.text.of(routine)));
        }
        let closure = plain(routine)?;
        let moved = if closure.capture.is_some() { "move " } else { "" };
        let body = self.text.of(&closure.body);
        if leaves(&closure.body) {
            // A closure within, so that `return` and `?` end the call and not what keeps its result.
            return Ok(format!("{moved}|| {{ std::hint::black_box((|| {body})()); }}"));
        }
        Ok(match &*closure.body {
            Expr::Block(block)
                if block.label.is_none() && ends_with_nothing(&block.block.stmts) =>
            {
                format!("{moved}|| {body}")
            }
            Expr::Call(call) if is_black_box(&call.func) => format!("{moved}|| {{ {body}; }}"),
            _ => format!("{moved}|| {{ std::hint::black_box({body}); }}"),
        })
    }

    /// An asynchronous routine on an executor that has a method `block_on`.
    fn awaited(&self, executor: &Expr, routine: &Expr) -> Certain<String> {
        let named = words(quote::ToTokens::to_token_stream(executor));
        if named.iter().any(|word| word.ends_with("Executor")) {
            return Err("the executor is one of criterion's own; call `block_on` of yours in a `plusminus::Executor`"
                .to_owned());
        }
        let closure = plain(routine)?;
        if leaves(&closure.body) {
            return Err("the kernel has a `return` or a `?`".to_owned());
        }
        let moved = if closure.capture.is_some() { "move " } else { "" };
        Ok(format!(
            "{{ let executor = {}; {}.bench_async(|window: plusminus::Window<'_>| executor.block_on(window), {moved}|| \
             {{ let call = {}; async move {{ std::hint::black_box(call.await); }} }}) }}",
            self.text.of(executor),
            self.receiver,
            self.text.of(&closure.body),
        ))
    }
}

/// A closure without parameters.
fn plain(routine: &Expr) -> Certain<&ExprClosure> {
    match routine {
        Expr::Closure(closure)
            if closure.inputs.is_empty()
                && closure.asyncness.is_none()
                && matches!(closure.output, syn::ReturnType::Default) =>
        {
            Ok(closure)
        }
        _ => Err("the kernel is neither a closure written in place nor the name of a function"
            .to_owned()),
    }
}

/// Whether a kernel returns anywhere but at its end, by `return` or `?`.
fn leaves(body: &Expr) -> bool {
    let mut questions = Questions(false);
    questions.visit_expr(body);
    questions.0 || words(quote::ToTokens::to_token_stream(body)).iter().any(|word| word == "return")
}

/// Whether there is a `?`.
struct Questions(bool);

impl<'n> Visit<'n> for Questions {
    fn visit_expr_try(&mut self, _: &'n syn::ExprTry) {
        self.0 = true;
    }
}

fn is_black_box(function: &Expr) -> bool {
    matches!(function, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "black_box"))
}

fn ends_with_nothing(statements: &[Stmt]) -> bool {
    match statements.last() {
        None | Some(Stmt::Local(_) | Stmt::Item(_) | Stmt::Expr(_, Some(_))) => true,
        Some(Stmt::Macro(call)) => call.semi_token.is_some(),
        Some(Stmt::Expr(Expr::ForLoop(_) | Expr::While(_), None)) => true,
        Some(Stmt::Expr(_, None)) => false,
    }
}

/// How many inputs wait at once.
fn at_once(size: &Expr) -> Certain<String> {
    let last = match size {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    match last.as_deref() {
        Some("SmallInput") => Ok(String::new()),
        Some("LargeInput") => Ok(".at_once(64)".to_owned()),
        Some("PerIteration") => Ok(".at_once(1)".to_owned()),
        _ => {
            Err("the size of its batches is none of SmallInput, LargeInput and PerIteration"
                .to_owned())
        }
    }
}

/// What can be searched for the bencher.
pub(super) trait Walk<'n> {
    /// Shows all parts to a visitor.
    fn walk(&'n self, visitor: &mut impl Visit<'n>);
}

impl<'n> Walk<'n> for Expr {
    fn walk(&'n self, visitor: &mut impl Visit<'n>) {
        visitor.visit_expr(self);
    }
}

impl<'n> Walk<'n> for syn::Block {
    fn walk(&'n self, visitor: &mut impl Visit<'n>) {
        visitor.visit_block(self);
    }
}

/// Finds the uses of a bencher and translates them.
struct Uses<'k> {
    kernel: &'k Kernel<'k>,
    /// Loops and closures around, in which the bencher cannot be given away.
    repeated: usize,
    found: usize,
    /// Other values of the same name within the calls that measure: those borrow the bencher for their whole time.
    inner: usize,
    edits: &'k mut Edits,
    outcome: Certain<()>,
}

impl Uses<'_> {
    fn found(&mut self, edit: Certain<Option<(std::ops::Range<usize>, String)>>) {
        self.found += 1;
        let certain = match edit {
            _ if self.repeated > 0 => Err("the bencher is used in a loop or closure".to_owned()),
            Ok(Some((at, by))) => {
                self.edits.replace(at, by);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(why) => Err(why),
        };
        if self.outcome.is_ok() {
            self.outcome = certain;
        }
    }
}

impl<'n> Visit<'n> for Uses<'_> {
    fn visit_expr_method_call(&mut self, call: &'n ExprMethodCall) {
        let own = |expression: &Expr| single(expression).as_deref() == Some(self.kernel.bencher);
        let direct = own(&call.receiver);
        let by_executor = matches!(&*call.receiver, Expr::MethodCall(first) if first.method == "to_async" && own(&first.receiver));
        if direct || by_executor {
            self.inner += occurrences(call, self.kernel.bencher) - 1;
            let edit = self.kernel.method(call).map(|text| Some((range(call), text)));
            self.found(edit);
        } else {
            visit::visit_expr_method_call(self, call);
        }
    }

    fn visit_expr_call(&mut self, call: &'n ExprCall) {
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        for argument in &call.args {
            if single(argument).as_deref() == Some(self.kernel.bencher) {
                let known = name.as_ref().is_some_and(|name| self.kernel.helpers.contains(name));
                let edit = if known {
                    Ok(Some((range(argument), self.kernel.receiver.to_owned())))
                } else {
                    Err("the bencher is handed to a function that is not translated".to_owned())
                };
                self.found(edit);
            } else {
                self.visit_expr(argument);
            }
        }
    }

    fn visit_expr_closure(&mut self, closure: &'n ExprClosure) {
        self.repeated += 1;
        visit::visit_expr_closure(self, closure);
        self.repeated -= 1;
    }

    fn visit_expr_for_loop(&mut self, expression: &'n syn::ExprForLoop) {
        self.repeated += 1;
        visit::visit_expr_for_loop(self, expression);
        self.repeated -= 1;
    }

    fn visit_expr_while(&mut self, expression: &'n syn::ExprWhile) {
        self.repeated += 1;
        visit::visit_expr_while(self, expression);
        self.repeated -= 1;
    }

    fn visit_expr_loop(&mut self, expression: &'n syn::ExprLoop) {
        self.repeated += 1;
        visit::visit_expr_loop(self, expression);
        self.repeated -= 1;
    }
}
