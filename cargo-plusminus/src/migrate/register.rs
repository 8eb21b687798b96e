//! Bench functions of criterion that compute names, or measure in loops: they become functions that register benchmarks.

use std::{collections::BTreeSet, ops::Range};

use syn::{
    Block, Expr, ExprCall, ExprClosure, ItemFn, Local, Pat, Stmt,
    visit::{self, Visit},
};

use super::{
    groups::{Link, chain, link, name_expression},
    kernel::Kernel,
    text::{Certain, Edits, Text, is_named, occurrences, range, refers_to, single},
};

/// Functions of a file that others call with their `Criterion` or bencher.
pub(super) struct Helpers {
    pub(super) of_criterion: BTreeSet<String>,
    pub(super) of_bencher: BTreeSet<String>,
}

/// Translates a function that takes a `Criterion` into one that takes a registry. Notes settings that are left out.
///
/// # Errors
/// Why it is not certain.
pub(super) fn translate(
    text: Text<'_>,
    function: &ItemFn,
    helpers: &Helpers,
    edits: &mut Edits,
    notes: &mut BTreeSet<String>,
) -> Certain<()> {
    let (criterion, ty) = parameter(function, "Criterion").ok_or("it takes no `&mut Criterion`")?;
    edits.replace(ty, "&plusminus::Registry");
    let works = occurrences(&function.block, "throughput") > 0;
    let mut walk = Walk {
        text,
        helpers,
        criterion: &criterion,
        groups: BTreeSet::new(),
        works,
        accounted: 0,
        edits,
        notes,
        outcome: Ok(()),
    };
    walk.visit_block(&function.block);
    let (accounted, groups) = (walk.accounted, std::mem::take(&mut walk.groups));
    walk.outcome?;
    let names = groups.iter().chain([&criterion]);
    let found: usize = names.map(|name| occurrences(&function.block, name)).sum();
    if found != accounted {
        return Err(format!("`{criterion}` or a group of it is used in a way that is not known"));
    }
    Ok(())
}

/// Name and type of the parameter that is a reference to a type of this name.
pub(super) fn parameter(function: &ItemFn, ty: &str) -> Option<(String, Range<usize>)> {
    function.sig.inputs.iter().find_map(|input| match input {
        syn::FnArg::Typed(typed) if refers_to(&typed.ty, ty) => match &*typed.pat {
            Pat::Ident(name) => Some((name.ident.to_string(), range(&typed.ty))),
            _ => None,
        },
        _ => None,
    })
}

struct Walk<'w> {
    text: Text<'w>,
    helpers: &'w Helpers,
    criterion: &'w str,
    /// Names of groups.
    groups: BTreeSet<String>,
    /// Whether any group states work.
    works: bool,
    /// Uses of the criterion and its groups that are translated.
    accounted: usize,
    edits: &'w mut Edits,
    notes: &'w mut BTreeSet<String>,
    outcome: Certain<()>,
}

impl Walk<'_> {
    fn certain(&mut self, outcome: Certain<()>) {
        if self.outcome.is_ok() {
            self.outcome = outcome;
        }
    }

    /// `let mut group = c.benchmark_group(…);`
    fn group(&mut self, local: &Local) -> Option<Certain<String>> {
        let init = &local.init.as_ref()?.expr;
        let (root, calls) = chain(init)?;
        if root != self.criterion {
            return None;
        }
        let Pat::Ident(name) = &local.pat else {
            return Some(Err("a group has a pattern for a name".to_owned()));
        };
        let name = name.ident.to_string();
        let indent = format!("\n{}", self.text.indent(local));
        let mut lines = Vec::new();
        for (position, call) in calls.iter().enumerate() {
            match link(self.text, call, position > 0) {
                Ok(Link::Group(expression)) => {
                    lines.push(format!("let {name} = {};", self.text.of(expression)));
                    if self.works {
                        lines.push(format!("let mut {name}_work = plusminus::Work::none();"));
                    }
                }
                Ok(Link::Setting(setting)) if position > 0 => drop(self.notes.insert(setting)),
                Ok(_) => return Some(Err("a group is made in a way that is not known".to_owned())),
                Err(why) => return Some(Err(why)),
            }
        }
        self.accounted += 2;
        self.groups.insert(name);
        Some(Ok(lines.join(&indent)))
    }

    /// A chain of calls as a statement.
    fn statement(&mut self, expression: &Expr) -> Option<Certain<String>> {
        let (root, calls) = chain(expression)?;
        let of_group = self.groups.contains(&root);
        if !of_group && root != self.criterion {
            return None;
        }
        // The chain borrows the criterion and its groups: within its closures, their names are those of other values.
        let names = self.groups.iter().map(String::as_str).chain([self.criterion]);
        self.accounted += names.map(|name| occurrences(expression, name)).sum::<usize>();
        let indent = format!("\n{}", self.text.indent(expression));
        let mut lines = Vec::new();
        let (mut group, mut inline) = (of_group.then(|| root.clone()), false);
        for call in calls {
            let known = match link(self.text, call, group.is_some()) {
                Ok(known) => known,
                Err(why) => return Some(Err(why)),
            };
            match known {
                Link::Group(name) => {
                    group = Some("group".to_owned());
                    inline = true;
                    lines.push(format!("let group = {};", self.text.of(name)));
                    if self.works {
                        lines.push("let mut group_work = plusminus::Work::none();".to_owned());
                    }
                }
                Link::Work(work) => {
                    let group = group.as_deref().unwrap_or_default();
                    lines.push(format!("{group}_work = {work};"));
                }
                Link::Setting(setting) => drop(self.notes.insert(setting)),
                Link::Finish => {}
                Link::Bench { name, run, input } => {
                    let name = name_expression(self.text, group.as_deref(), &name);
                    let work =
                        group.as_ref().filter(|_| self.works).map(|group| format!("{group}_work"));
                    let run = match closure(self.text, run, input, work.as_deref(), self.helpers) {
                        Ok(run) => run,
                        Err(why) => return Some(Err(why)),
                    };
                    lines.push(format!("{}.bench({name}, {run});", self.criterion));
                }
            }
        }
        let all = lines.join(&indent);
        Some(Ok(if inline { format!("{{{indent}{all}{indent}}}") } else { all }))
    }
}

/// The closure of a benchmark.
///
/// # Errors
/// Why its translation is not certain.
fn closure(
    text: Text<'_>,
    run: &Expr,
    input: Option<&Expr>,
    work: Option<&str>,
    helpers: &Helpers,
) -> Certain<String> {
    let receiver = |bencher: &str| match work {
        Some(work) => format!("{bencher}.work({work}.clone())"),
        None => bencher.to_owned(),
    };
    let (closure, bencher, given, edits) = match measured(text, run, input, &receiver, helpers)? {
        Measured::Helper(call) => return Ok(format!("|b| {call}")),
        Measured::Closure { closure, bencher, given, edits } => (closure, bencher, given, edits),
    };
    let body = edits.applied(text, range(&closure.body))?;
    let moved = if closure.capture.is_some() { "move " } else { "" };
    Ok(match (given, &*closure.body) {
        (None, _) => format!("{moved}|{bencher}| {body}"),
        (Some(given), Expr::Block(_)) => {
            format!("{moved}|{bencher}| {{ {given} {}", body.trim_start_matches('{'))
        }
        (Some(given), _) => format!("{moved}|{bencher}| {{ {given} {body} }}"),
    })
}

/// What a benchmark measures, with its kernel translated.
pub(super) enum Measured<'n> {
    /// A call of a function of the file with the bencher `b`.
    Helper(String),
    /// A closure.
    Closure {
        /// The closure itself.
        closure: &'n ExprClosure,
        /// What it calls its bencher.
        bencher: String,
        /// The statement that gives it its input.
        given: Option<String>,
        /// What changes in its body.
        edits: Edits,
    },
}

/// Translates the kernel of a benchmark; `receiver` is what stands for a bencher of a name.
///
/// # Errors
/// Why it is not certain.
pub(super) fn measured<'n>(
    text: Text<'_>,
    run: &'n Expr,
    input: Option<&Expr>,
    receiver: &dyn Fn(&str) -> String,
    helpers: &Helpers,
) -> Certain<Measured<'n>> {
    if let Some(name) = single(run).filter(|name| helpers.of_bencher.contains(name)) {
        let input = input.map_or_else(String::new, |input| format!(", {}", text.of(input)));
        return Ok(Measured::Helper(format!("{name}({}{input})", receiver("b"))));
    }
    let Expr::Closure(closure) = run else {
        return Err("what is benchmarked is no closure written in place".to_owned());
    };
    let (bencher, given) = parameters(text, closure, input)?;
    let mut edits = Edits::default();
    let receiver = receiver(&bencher);
    let kernel =
        Kernel { text, bencher: &bencher, receiver: &receiver, helpers: &helpers.of_bencher };
    kernel.translate(&*closure.body, &mut edits)?;
    Ok(Measured::Closure { closure, bencher, given, edits })
}

/// What the closure calls its bencher, and the statement that gives it its input.
fn parameters(
    text: Text<'_>,
    closure: &ExprClosure,
    input: Option<&Expr>,
) -> Certain<(String, Option<String>)> {
    let mut names = closure.inputs.iter();
    let strange = || "the closure of a benchmark has parameters that are not known".to_owned();
    let name = |pattern: &Pat| match pattern {
        Pat::Ident(name) => Some(name.ident.to_string()),
        _ => None,
    };
    let bencher = match names.next() {
        Some(Pat::Type(typed)) if refers_to(&typed.ty, "Bencher") => name(&typed.pat),
        Some(pattern) => name(pattern),
        None => None,
    };
    let bencher = bencher.ok_or_else(strange)?;
    let given = match (names.next(), input) {
        (None, None) => None,
        (Some(Pat::Wild(_)), Some(_)) => None,
        (Some(pattern), Some(input)) => {
            Some(format!("let {} = {};", text.of(pattern), text.of(input)))
        }
        _ => return Err(strange()),
    };
    Ok((bencher, given))
}

impl<'n> Visit<'n> for Walk<'_> {
    fn visit_block(&mut self, block: &'n Block) {
        for statement in &block.stmts {
            let translated = match statement {
                Stmt::Local(local) => self.group(local),
                Stmt::Expr(expression, _) => self.statement(expression),
                Stmt::Item(_) | Stmt::Macro(_) => None,
            };
            match translated {
                Some(Ok(by)) => self.edits.replace(range(statement), by),
                Some(Err(why)) => {
                    let line = self.text.line(statement);
                    self.certain(Err(format!("line {line}: {why}")));
                }
                None => visit::visit_stmt(self, statement),
            }
        }
    }

    fn visit_item_fn(&mut self, function: &'n ItemFn) {
        match parameter(function, "Criterion") {
            Some((name, ty)) if name == self.criterion => {
                self.accounted += 1;
                self.edits.replace(ty, "&plusminus::Registry");
            }
            None if !takes(function, "Criterion") && parameter(function, "Bencher").is_some() => {
                let translated = helper(self.text, function, self.helpers, self.edits);
                let within = |why| format!("`{}` within it: {why}", function.sig.ident);
                self.certain(translated.map_err(within));
                return;
            }
            _ if takes(function, "Criterion") || takes(function, "Bencher") => {
                self.certain(Err(format!("`{}` within it is not known", function.sig.ident)));
            }
            _ => {}
        }
        visit::visit_item_fn(self, function);
    }

    fn visit_expr_call(&mut self, call: &'n ExprCall) {
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        for argument in &call.args {
            let own = single(argument).as_deref() == Some(self.criterion);
            if own && name.as_ref().is_some_and(|name| self.helpers.of_criterion.contains(name)) {
                self.accounted += 1;
            } else {
                self.visit_expr(argument);
            }
        }
    }
}

/// Translates a function that takes a bencher, and is called by closures of benchmarks or by libtest.
///
/// # Errors
/// Why it is not certain.
pub(super) fn helper(
    text: Text<'_>,
    function: &ItemFn,
    helpers: &Helpers,
    edits: &mut Edits,
) -> Certain<()> {
    let (bencher, ty) = parameter(function, "Bencher").ok_or("it takes no `&mut Bencher`")?;
    edits.replace(ty, "plusminus::Bencher<'_>");
    let kernel =
        Kernel { text, bencher: &bencher, receiver: &bencher, helpers: &helpers.of_bencher };
    kernel.translate(&*function.block, edits)
}

/// Whether any parameter of a function is a reference to a type of this name.
pub(super) fn takes(function: &ItemFn, ty: &str) -> bool {
    function.sig.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(typed) => refers_to(&typed.ty, ty) || is_named(&typed.ty, ty),
        syn::FnArg::Receiver(_) => false,
    })
}
