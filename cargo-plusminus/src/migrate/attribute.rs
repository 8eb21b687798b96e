//! Bench functions of criterion that are a plain sequence of set-up and benchmarks with known names: each benchmark
//! becomes a function with an attribute, with the set-up that it needs.

use std::collections::BTreeSet;

use syn::{Expr, ItemFn, Local, Pat, Stmt, visit::Visit};

use super::{
    groups::{Link, chain, link, whole_name},
    register::{Helpers, Measured, measured, parameter},
    text::{Certain, Text, occurrences, quoted, range, words},
};

/// A benchmark of the sequence.
struct Benchmark<'n> {
    name: String,
    run: &'n Expr,
    input: Option<&'n Expr>,
    work: Option<String>,
    /// The set-up statements before it.
    before: usize,
}

/// The functions with attributes that take the place of a bench function; `None` where it is no plain sequence.
pub(super) fn translate(
    text: Text<'_>,
    function: &ItemFn,
    helpers: &Helpers,
    taken: &mut BTreeSet<String>,
) -> Option<(String, BTreeSet<String>)> {
    let plain = function.sig.inputs.len() == 1
        && function.sig.generics.params.is_empty()
        && function.sig.asyncness.is_none();
    let (criterion, _) = parameter(function, "Criterion").filter(|_| plain)?;
    let mut notes = BTreeSet::new();
    let (set_up, benchmarks) = sequence(text, function, &criterion, &mut notes)?;
    let single = benchmarks.len() == 1;
    let mut all = Vec::new();
    for benchmark in &benchmarks {
        let own = function.sig.ident.to_string();
        let name = if single { own } else { distinct(&own, &benchmark.name, taken) };
        all.push(written(text, function, &name, benchmark, &set_up, helpers).ok()?);
    }
    Some((all.join("\n\n"), notes))
}

/// Set-up and benchmarks of a function.
fn sequence<'n>(
    text: Text<'_>,
    function: &'n ItemFn,
    criterion: &str,
    notes: &mut BTreeSet<String>,
) -> Option<(Vec<&'n Stmt>, Vec<Benchmark<'n>>)> {
    let (mut set_up, mut benchmarks) = (Vec::new(), Vec::new());
    // The groups so far: what it is called, its name, its work.
    let mut groups: Vec<(String, String, Option<String>)> = Vec::new();
    for statement in &function.block.stmts {
        let ours = match statement {
            Stmt::Local(Local { init: Some(init), .. }) => chain(&init.expr),
            Stmt::Expr(expression, _) => chain(expression),
            _ => None,
        };
        let known =
            |root: &String| root == criterion || groups.iter().any(|group| group.0 == *root);
        let Some((root, calls)) = ours.filter(|(root, _)| known(root)) else {
            let mut names = groups.iter().map(|group| group.0.as_str()).chain([criterion]);
            let item = matches!(statement, Stmt::Item(_));
            if item || names.any(|name| occurrences(statement, name) > 0) {
                return None;
            }
            set_up.push(statement);
            continue;
        };
        let mut at = groups.iter().position(|group| group.0 == root);
        for call in calls {
            match link(text, call, at.is_some()).ok()? {
                Link::Group(name) => {
                    let variable = match statement {
                        Stmt::Local(Local { pat: Pat::Ident(variable), .. }) => {
                            variable.ident.to_string()
                        }
                        Stmt::Local(_) => return None,
                        _ => String::new(),
                    };
                    groups.push((variable, quoted(name)?, None));
                    at = Some(groups.len() - 1);
                }
                Link::Work(work) => groups[at?].2 = Some(work),
                Link::Setting(setting) => drop(notes.insert(setting)),
                Link::Finish => {}
                Link::Bench { name, run, input } => {
                    let group = at.map(|at| &groups[at]);
                    benchmarks.push(Benchmark {
                        name: whole_name(group.map(|group| group.1.as_str()), &name)?,
                        run,
                        input,
                        work: group.and_then(|group| group.2.clone()),
                        before: set_up.len(),
                    });
                }
            }
        }
    }
    // What stands behind the last benchmark would be lost.
    let last = benchmarks.last()?.before;
    (last == set_up.len()).then_some((set_up, benchmarks))
}

/// A name for the function of a benchmark that no other one has.
fn distinct(function: &str, benchmark: &str, taken: &mut BTreeSet<String>) -> String {
    let last = benchmark.rsplit('/').next().unwrap_or(benchmark);
    let slug: String = last
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    let base = format!("{function}_{}", slug.trim_matches('_'));
    let base = base.trim_end_matches('_').to_owned();
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let free =
        std::iter::once(base.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
    free.unwrap_or(base)
}

/// The function of a benchmark.
fn written(
    text: Text<'_>,
    function: &ItemFn,
    name: &str,
    benchmark: &Benchmark<'_>,
    set_up: &[&Stmt],
    helpers: &Helpers,
) -> Certain<String> {
    let receiver = |bencher: &str| match &benchmark.work {
        Some(work) => format!("{bencher}.work({work})"),
        None => bencher.to_owned(),
    };
    let measured = measured(text, benchmark.run, benchmark.input, &receiver, helpers)?;
    let (bencher, body) = match measured {
        Measured::Helper(call) => ("b".to_owned(), vec![format!("{call};")]),
        Measured::Closure { closure, bencher, given, edits } => {
            let mut body: Vec<String> = given.into_iter().collect();
            body.push(match &*closure.body {
                Expr::Block(block) if block.label.is_none() => {
                    let inner = range(&block.block);
                    let source = edits.applied(text, inner.start + 1..inner.end - 1)?;
                    source.trim_start_matches('\n').trim_end().to_owned()
                }
                other => format!("{};", edits.applied(text, range(other))?),
            });
            (bencher, body)
        }
    };
    let needed = needed(
        &set_up[..benchmark.before],
        words(body.join("\n").parse().map_err(|_| "its body")?),
    );
    let statements = needed.iter().map(|statement| text.of(*statement).to_owned());
    let lines: Vec<String> = statements.chain(body).collect();
    let indented: Vec<String> = lines
        .iter()
        .map(|line| {
            if line.starts_with(' ') || line.starts_with('\t') {
                line.clone()
            } else {
                format!("    {line}")
            }
        })
        .collect();
    let attributes: String =
        function.attrs.iter().map(|attribute| format!("{}\n", text.of(attribute))).collect();
    Ok(format!(
        "{attributes}#[plusminus::bench(name = \"{}\")]\nfn {name}({bencher}: plusminus::Bencher<'_>) {{\n{}\n}}",
        benchmark.name,
        indented.join("\n")
    ))
}

/// The statements of set-up that a benchmark needs: not those that only make values for others.
fn needed<'n>(set_up: &[&'n Stmt], of_body: Vec<String>) -> Vec<&'n Stmt> {
    let bound: BTreeSet<String> = set_up.iter().flat_map(|statement| names(statement)).collect();
    let mut wanted: BTreeSet<String> = of_body.into_iter().collect();
    let mut kept = Vec::new();
    for statement in set_up.iter().rev() {
        let own = names(statement);
        let all: BTreeSet<String> =
            words(quote::ToTokens::to_token_stream(statement)).into_iter().collect();
        let useful = match statement {
            Stmt::Local(_) => {
                own.is_empty()
                    || own.iter().any(|name| name.starts_with('_') || wanted.contains(name))
            }
            _ => {
                let of_values: Vec<&String> = all.intersection(&bound).collect();
                of_values.is_empty() || of_values.iter().any(|name| wanted.contains(*name))
            }
        };
        if useful {
            wanted.extend(all);
            kept.push(*statement);
        }
    }
    kept.reverse();
    kept
}

/// The names that a statement binds.
fn names(statement: &Stmt) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'n> Visit<'n> for Names {
        fn visit_pat_ident(&mut self, name: &'n syn::PatIdent) {
            self.0.push(name.ident.to_string());
        }
    }
    let Stmt::Local(local) = statement else { return Vec::new() };
    let mut names = Names(Vec::new());
    names.visit_pat(&local.pat);
    names.0
}
