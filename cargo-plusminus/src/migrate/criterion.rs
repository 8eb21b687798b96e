//! A file of benches written for criterion: all of its bench functions, its groups and its `main` become ours, or none.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, ItemFn, ItemMacro, visit::Visit};

use super::{
    Translation, attribute, register,
    register::Helpers,
    text::{Certain, Edits, Text, occurrences, range, words},
};

/// What must not be left in a translated file.
const LEFT: [&str; 13] = [
    "criterion",
    "Criterion",
    "criterion_group",
    "criterion_main",
    "BenchmarkId",
    "BenchmarkGroup",
    "Throughput",
    "BatchSize",
    "WallTime",
    "benchmark_group",
    "bench_function",
    "bench_with_input",
    "iter_batched",
];

/// Translates a file.
///
/// # Errors
/// Where and why it is not certain.
pub(super) fn translate(source: &str, file: &syn::File) -> Certain<Translation> {
    let text = Text(source);
    let functions: Vec<&ItemFn> = file
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        })
        .collect();
    let mut all = Functions(Vec::new());
    all.visit_file(file);
    let names = |ty: &str| -> BTreeSet<String> {
        let takes = all.0.iter().filter(|function| register::takes(function, ty));
        takes.map(|function| function.sig.ident.to_string()).collect()
    };
    let helpers = Helpers { of_criterion: names("Criterion"), of_bencher: names("Bencher") };
    let mut edits = Edits::default();
    let mut notes = BTreeSet::new();
    let groups = Groups::of(text, file)?;
    let mut taken: BTreeSet<String> =
        words(quote::ToTokens::to_token_stream(file)).into_iter().collect();
    let mut registered = BTreeMap::new();
    for function in &functions {
        let name = function.sig.ident.to_string();
        let at = |why: String| format!("`{name}` (line {}): {why}", text.line(function));
        if helpers.of_bencher.contains(&name) {
            register::helper(text, function, &helpers, &mut edits).map_err(at)?;
        }
        if !helpers.of_criterion.contains(&name) {
            continue;
        }
        let mentioned = occurrences(file, &name);
        let alone = groups.targets.contains(&name) && mentioned == 1 + groups.mentions(&name);
        match alone.then(|| attribute::translate(text, function, &helpers, &mut taken)).flatten() {
            Some((functions, left_out)) => {
                edits.replace(range(function), functions);
                notes.extend(left_out);
            }
            None => {
                register::translate(text, function, &helpers, &mut edits, &mut notes)
                    .map_err(at)?;
                registered.insert(name.clone(), conditions(text, function));
            }
        }
    }
    if let Some(missing) =
        groups.targets.iter().find(|target| !helpers.of_criterion.contains(*target))
    {
        return Err(format!(
            "`{missing}` of a group is no function of this file that takes a `&mut Criterion`"
        ));
    }
    notes.extend(groups.settings.iter().cloned());
    groups.replace(text, &registered, &mut edits);
    imports(text, file, &mut edits)?;
    let translated = std_paths(&edits.applied(text, 0..source.len())?, "criterion")?;
    finished(translated, notes, &LEFT)
}

/// Finds all functions, those within others, too.
struct Functions<'n>(Vec<&'n ItemFn>);

impl<'n> Visit<'n> for Functions<'n> {
    fn visit_item_fn(&mut self, function: &'n ItemFn) {
        self.0.push(function);
        syn::visit::visit_item_fn(self, function);
    }
}

/// Checks that a translation is a source file in which nothing of the other harness is left.
pub(super) fn finished(
    text: String,
    notes: BTreeSet<String>,
    left: &[&str],
) -> Certain<Translation> {
    let parsed = parse(&text)?;
    let words = words(quote::ToTokens::to_token_stream(&parsed));
    match left.iter().find(|word| words.iter().any(|other| other == *word)) {
        Some(word) => Err(format!("`{word}` is used in a way that is not known")),
        None => Ok(Translation { text, left_out: notes }),
    }
}

/// The attributes that say when a function exists.
fn conditions(text: Text<'_>, function: &ItemFn) -> String {
    let conditions = function.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(|attribute| format!("{}\n", text.of(attribute))).collect()
}

/// The calls of criterion's macros.
struct Groups<'n> {
    groups: Vec<&'n ItemMacro>,
    main: &'n ItemMacro,
    targets: BTreeSet<String>,
    settings: BTreeSet<String>,
}

impl<'n> Groups<'n> {
    fn of(text: Text<'_>, file: &'n syn::File) -> Certain<Self> {
        let named = |name: &str| -> Vec<&'n ItemMacro> {
            let of_name = |item: &'n Item| match item {
                Item::Macro(call)
                    if call.mac.path.segments.last().is_some_and(|last| last.ident == name) =>
                {
                    Some(call)
                }
                _ => None,
            };
            file.items.iter().filter_map(of_name).collect()
        };
        let groups = named("criterion_group");
        let [main] = named("criterion_main")[..] else {
            return Err("it has no `criterion_main!`, or several".to_owned());
        };
        let (mut targets, mut settings) = (BTreeSet::new(), BTreeSet::new());
        for group in groups.iter().chain([&main]) {
            if !group.attrs.is_empty() {
                return Err(format!("line {}: an attribute of a group", text.line(*group)));
            }
        }
        for group in &groups {
            targets.extend(
                targets_of(text, group.mac.tokens.clone(), &mut settings)
                    .map_err(|why| format!("line {}: {why}", text.line(*group)))?,
            );
        }
        Ok(Self { groups, main, targets, settings })
    }

    /// How often a function is named in groups.
    fn mentions(&self, name: &str) -> usize {
        self.groups.iter().map(|group| occurrences(&group.mac, name)).sum()
    }

    /// Puts our macros in the place of criterion's.
    fn replace(&self, text: Text<'_>, registered: &BTreeMap<String, String>, edits: &mut Edits) {
        let wanted: Vec<String> = registered
            .iter()
            .filter(|(name, _)| self.targets.contains(*name))
            .map(|(name, conditions)| format!("{conditions}plusminus::register!({name});"))
            .collect();
        for (position, group) in self.groups.iter().enumerate() {
            if position == 0 && !wanted.is_empty() {
                edits.replace(range(*group), wanted.join("\n"));
            } else {
                edits.remove_lines(text, range(*group));
            }
        }
        edits.replace(range(self.main), "plusminus::main!();");
    }
}

/// The functions of a group, in either form of the macro.
fn targets_of(
    text: Text<'_>,
    tokens: TokenStream,
    settings: &mut BTreeSet<String>,
) -> Certain<Vec<String>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let separated: Vec<&[TokenTree]> = trees.split(|tree| is(tree, ';')).collect();
    let list = |trees: &[TokenTree]| -> Certain<Vec<String>> {
        let parts = trees.split(|tree| is(tree, ',')).filter(|part| !part.is_empty());
        let name = |part: &[TokenTree]| match part {
            [TokenTree::Ident(name)] => Ok(name.to_string()),
            _ => Err("a group names a function by a path".to_owned()),
        };
        parts.map(name).collect()
    };
    if separated.len() == 1 {
        return list(
            trees
                .split(|tree| is(tree, ','))
                .next()
                .map_or(&[][..], |first| trees.get(first.len()..).unwrap_or_default()),
        );
    }
    let mut targets = Vec::new();
    for part in separated {
        match part {
            [TokenTree::Ident(key), equals, value @ ..] if is(equals, '=') => {
                if key == "targets" {
                    targets = list(value)?;
                } else if key == "config" {
                    let all: TokenStream = value.iter().cloned().collect();
                    configuration(text, all, settings)?;
                }
            }
            [] => {}
            _ => return Err("a group is written in a form that is not known".to_owned()),
        }
    }
    Ok(targets)
}

/// Notes the settings of a configuration.
fn configuration(
    text: Text<'_>,
    tokens: TokenStream,
    settings: &mut BTreeSet<String>,
) -> Certain<()> {
    let expression: syn::Expr =
        syn::parse2(tokens).map_err(|_| "its configuration is no expression".to_owned())?;
    struct Calls<'t>(Text<'t>, Certain<Vec<String>>);
    impl<'n> Visit<'n> for Calls<'_> {
        fn visit_expr_method_call(&mut self, call: &'n syn::ExprMethodCall) {
            let name = call.method.to_string();
            if ["with_measurement", "with_profiler", "with_filter"].contains(&name.as_str()) {
                self.1 = Err(format!("`{name}` has no counterpart"));
            }
            if let Ok(found) = &mut self.1 {
                let arguments: Vec<&str> = call.args.iter().map(|one| self.0.of(one)).collect();
                found.push(format!("{name}({})", arguments.join(", ")));
            }
            self.visit_expr(&call.receiver);
        }
    }
    let mut calls = Calls(text, Ok(Vec::new()));
    calls.visit_expr(&expression);
    settings.extend(calls.1?);
    Ok(())
}

fn is(tree: &TokenTree, punct: char) -> bool {
    matches!(tree, TokenTree::Punct(found) if found.as_char() == punct)
}

/// Removes what is imported from criterion; `black_box` is imported from where it comes from.
fn imports(text: Text<'_>, file: &syn::File, edits: &mut Edits) -> Certain<()> {
    let mut boxed = 0;
    for item in &file.items {
        match item {
            Item::Use(import) => {
                let syn::UseTree::Path(path) = &import.tree else { continue };
                if path.ident != "criterion" {
                    continue;
                }
                let all = words(quote::ToTokens::to_token_stream(&path.tree));
                if all.iter().any(|word| word == "as") {
                    return Err(format!(
                        "line {}: an import under another name",
                        text.line(import)
                    ));
                }
                let glob = quote::ToTokens::to_token_stream(&path.tree).to_string() == "*";
                let used = occurrences(file, "black_box") > 0;
                if boxed == 0 && used && (glob || all.iter().any(|word| word == "black_box")) {
                    boxed += 1;
                    edits.replace(range(import), "use std::hint::black_box;");
                } else {
                    edits.remove_lines(text, range(import));
                }
            }
            Item::ExternCrate(external) if external.ident == "criterion" => {
                edits.remove_lines(text, range(external));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Takes `black_box` from the standard library where the source names it by the path of a harness.
pub(super) fn std_paths(source: &str, harness: &str) -> Certain<String> {
    /// Finds the paths.
    struct Paths<'h>(&'h str, Vec<std::ops::Range<usize>>);
    impl<'n> Visit<'n> for Paths<'_> {
        fn visit_path(&mut self, path: &'n syn::Path) {
            let names: Vec<String> =
                path.segments.iter().map(|one| one.ident.to_string()).collect();
            if names == [self.0, "black_box"] {
                self.1.push(range(path));
            }
            syn::visit::visit_path(self, path);
        }
    }
    let file = parse(source)?;
    let mut paths = Paths(harness, Vec::new());
    paths.visit_file(&file);
    let mut edits = Edits::default();
    for at in paths.1 {
        edits.replace(at, "std::hint::black_box");
    }
    edits.applied(Text(source), 0..source.len())
}

fn parse(source: &str) -> Certain<syn::File> {
    syn::parse_file(source).map_err(|error| format!("what comes out is no source file ({error})"))
}
