//! A file of benches written for divan: attributes and the methods of its bencher become ours.

use std::collections::BTreeSet;

use syn::{
    Attribute, Expr, ExprLit, ExprMethodCall, Item, ItemFn, Lit, Meta,
    parse::Parser,
    punctuated::Punctuated,
    visit::{self, Visit},
};

use super::{
    Translation,
    criterion::{finished, std_paths},
    text::{Certain, Edits, Text, is_named, occurrences, range, single, words},
};

/// What must not be left in a translated file.
const LEFT: [&str; 8] = [
    "divan",
    "bench_local",
    "bench_local_values",
    "bench_local_refs",
    "input_counter",
    "count_inputs_as",
    "BytesCount",
    "ItemsCount",
];

/// Translates a file.
///
/// # Errors
/// Where and why it is not certain.
pub(super) fn translate(source: &str, file: &syn::File) -> Certain<Translation> {
    let text = Text(source);
    let mut walk = Walk {
        text,
        edits: Edits::default(),
        notes: BTreeSet::new(),
        threads: false,
        outcome: Ok(()),
    };
    walk.visit_file(file);
    walk.outcome?;
    let (mut edits, notes) = (walk.edits, walk.notes);
    let mut mains = 0;
    for item in &file.items {
        match item {
            Item::Fn(main) if main.sig.ident == "main" => {
                let body: String = quote::ToTokens::to_token_stream(&main.block).to_string();
                let body: String = body.split_whitespace().collect();
                if !["{divan::main();}", "{divan::main()}", "{divan::Divan::from_args().main();}"]
                    .contains(&body.as_str())
                {
                    return Err("its `main` does more than `divan::main()`".to_owned());
                }
                mains += 1;
                edits.replace(range(main), "plusminus::main!();");
            }
            Item::Use(import) => {
                let syn::UseTree::Path(path) = &import.tree else { continue };
                if path.ident == "divan" {
                    let all = words(quote::ToTokens::to_token_stream(&path.tree));
                    if all
                        .iter()
                        .any(|word| word == "as" || word == "bench" || word == "bench_group")
                    {
                        return Err(format!(
                            "line {}: an import of the attribute, or under another name",
                            text.line(import)
                        ));
                    }
                    let boxed = all.iter().any(|word| word == "black_box")
                        || (occurrences(file, "black_box") > 0
                            && all.iter().any(|word| word == "prelude"));
                    if boxed {
                        edits.replace(range(import), "use std::hint::black_box;");
                    } else {
                        edits.remove_lines(text, range(import));
                    }
                }
            }
            _ => {}
        }
    }
    if mains != 1 {
        return Err("it has no `main` function that calls `divan::main()`".to_owned());
    }
    let translated = edits.applied(text, 0..source.len())?;
    finished(std_paths(&translated, "divan")?, notes, &LEFT)
}

struct Walk<'w> {
    text: Text<'w>,
    edits: Edits,
    notes: BTreeSet<String>,
    /// Whether the benchmark that is visited has several callers.
    threads: bool,
    outcome: Certain<()>,
}

impl Walk<'_> {
    fn note(&mut self, line: usize, outcome: Certain<()>) {
        if self.outcome.is_ok() {
            self.outcome = outcome.map_err(|why| format!("line {line}: {why}"));
        }
    }

    /// `#[divan::bench(…)]` in our words.
    fn attribute(&mut self, attribute: &Attribute) -> Certain<()> {
        let names: Vec<String> =
            attribute.path().segments.iter().map(|one| one.ident.to_string()).collect();
        let [harness, name] = names.as_slice() else { return Ok(()) };
        if harness != "divan" {
            return Ok(());
        }
        let mut options = Vec::new();
        if let Meta::List(list) = &attribute.meta {
            let parser = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
            let given = parser
                .parse2(list.tokens.clone())
                .map_err(|_| "its options are not known".to_owned())?;
            for option in &given {
                options.extend(self.option(option)?);
            }
        }
        let list =
            if options.is_empty() { String::new() } else { format!("({})", options.join(", ")) };
        self.edits.replace(range(attribute), format!("#[plusminus::{name}{list}]"));
        Ok(())
    }

    fn option(&mut self, option: &Expr) -> Certain<Option<String>> {
        let source = self.text.of(option).to_owned();
        let (name, value) = match option {
            Expr::Assign(assignment) => (single(&assignment.left), Some(&*assignment.right)),
            other => (single(other), None),
        };
        let name = name.ok_or_else(|| format!("the option `{source}` is not known"))?;
        let text = value.map_or("true", |value| self.text.of(value));
        Ok(match name.as_str() {
            "threads" => {
                self.threads = true;
                Some(source)
            }
            "args" | "consts" | "types" | "name" | "ignore" => Some(source),
            "sample_size" => Some(format!("iterations = {text}")),
            "bytes_count" => Some(format!("bytes = {text}")),
            "items_count" => Some(format!("items = {text}")),
            "sample_count" | "min_time" | "max_time" | "skip_ext_time" => {
                self.notes.insert(source);
                None
            }
            _ => return Err(format!("the option `{name}` has no counterpart")),
        })
    }

    fn method(&mut self, call: &ExprMethodCall) -> Certain<()> {
        let by = match call.method.to_string().as_str() {
            "bench" if self.threads => "bench_shared",
            "bench_values" if self.threads => "bench_values_shared",
            "bench_refs" if self.threads => "bench_refs_shared",
            "bench_local" => "bench",
            "bench_local_values" => "bench_values",
            "bench_local_refs" => "bench_refs",
            "counter" => {
                let work = counter(self.text, call.args.first())?;
                self.edits.replace(range(&call.method), "work");
                self.edits.replace(range(&call.args), work);
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.edits.replace(range(&call.method), by);
        Ok(())
    }
}

/// `BytesCount::new(…)` in our words.
fn counter(text: Text<'_>, counter: Option<&Expr>) -> Certain<String> {
    let strange = || "a counter is no `BytesCount::new(…)` or `ItemsCount::new(…)`".to_owned();
    let Some(Expr::Call(call)) = counter else { return Err(strange()) };
    let Expr::Path(path) = &*call.func else { return Err(strange()) };
    let names: Vec<String> = path.path.segments.iter().map(|one| one.ident.to_string()).collect();
    let method = match names.as_slice() {
        [.., ty, new] if ty == "BytesCount" && new == "new" => "bytes",
        [.., ty, new] if ty == "ItemsCount" && new == "new" => "items",
        _ => return Err(strange()),
    };
    let count = call.args.first().ok_or_else(strange)?;
    let literal = matches!(count, Expr::Lit(ExprLit { lit: Lit::Int(_), .. }));
    let cast = if literal { "" } else { " as u64" };
    Ok(format!("plusminus::Work::{method}(({}){cast})", text.of(count)))
}

impl<'n> Visit<'n> for Walk<'_> {
    fn visit_item_mod(&mut self, module: &'n syn::ItemMod) {
        if module.content.is_none() {
            let why =
                format!("the module `{}` is another file, which may use the bencher", module.ident);
            self.note(self.text.line(module), Err(why));
        }
        visit::visit_item_mod(self, module);
    }

    fn visit_item_use(&mut self, import: &'n syn::ItemUse) {
        // What divan's own name brings is replaced, or found at the end.
        let of_divan = matches!(&import.tree, syn::UseTree::Path(path) if path.ident == "divan");
        let all = words(quote::ToTokens::to_token_stream(&import.tree));
        if !of_divan && all.iter().any(|word| word == "Bencher") {
            let why = "the bencher is imported from another module".to_owned();
            self.note(self.text.line(import), Err(why));
        }
        visit::visit_item_use(self, import);
    }

    fn visit_item_fn(&mut self, function: &'n ItemFn) {
        self.threads = false;
        visit::visit_item_fn(self, function);
    }

    fn visit_attribute(&mut self, attribute: &'n Attribute) {
        let outcome = self.attribute(attribute);
        self.note(self.text.line(attribute), outcome);
    }

    fn visit_type(&mut self, ty: &'n syn::Type) {
        if is_named(ty, "Bencher") {
            self.edits.replace(range(ty), "plusminus::Bencher<'_>");
        } else if is_named(ty, "AllocProfiler") {
            self.edits.replace(range(ty), "plusminus::CountingAllocator");
        } else {
            visit::visit_type(self, ty);
        }
    }

    fn visit_expr_path(&mut self, path: &'n syn::ExprPath) {
        let names: Vec<String> =
            path.path.segments.iter().map(|one| one.ident.to_string()).collect();
        if let [.., ty, method] = names.as_slice()
            && ty == "AllocProfiler"
        {
            self.edits.replace(range(path), format!("plusminus::CountingAllocator::{method}"));
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'n ExprMethodCall) {
        let outcome = self.method(call);
        self.note(self.text.line(call), outcome);
        visit::visit_expr_method_call(self, call);
    }
}
