//! A file of benches for libtest's unstable `#[bench]`: attribute, parameter and `iter` become ours.

use std::collections::BTreeSet;

use syn::{
    Expr, Item, ItemFn,
    visit::{self, Visit},
};

use super::{
    Translation,
    criterion::{finished, std_paths},
    kernel::Kernel,
    register::parameter,
    text::{Certain, Edits, Text, is_named, occurrences, range, words},
};

/// What must not be left in a translated file.
const LEFT: [&str; 2] = ["test", "iter_batched"];

/// Whether a file has a benchmark of libtest.
pub(super) fn is_for(file: &syn::File) -> bool {
    let mut functions = Functions::default();
    functions.visit_file(file);
    let external =
        |item: &Item| matches!(item, Item::ExternCrate(external) if external.ident == "test");
    !functions.0.is_empty() && file.items.iter().any(external)
}

/// Translates a file.
///
/// # Errors
/// Where and why it is not certain.
pub(super) fn translate(source: &str, file: &syn::File) -> Certain<Translation> {
    let text = Text(source);
    let mut edits = Edits::default();
    for attribute in &file.attrs {
        if attribute.path().is_ident("feature") {
            let features = words(quote::ToTokens::to_token_stream(&attribute.meta));
            if features == ["feature", "test"] {
                edits.remove_lines(text, range(attribute));
            } else {
                return Err("it needs unstable features besides `test`".to_owned());
            }
        }
    }
    let mut functions = Functions::default();
    functions.visit_file(file);
    if functions.1 {
        return Err(
            "it has tests, too, which a bench target without libtest would not run".to_owned()
        );
    }
    for function in &functions.0 {
        let at = |why: String| {
            format!("`{}` (line {}): {why}", function.sig.ident, text.line(*function))
        };
        bench(text, function, &mut edits).map_err(at)?;
    }
    let mut imports = Imports { text, edits: &mut edits };
    imports.visit_file(file);
    if file.items.iter().any(|item| matches!(item, Item::Fn(main) if main.sig.ident == "main")) {
        return Err("it has a `main` function of its own".to_owned());
    }
    let mut translated = edits.applied(text, 0..source.len())?;
    translated = format!("{}\n\nplusminus::main!();\n", translated.trim_end());
    finished(std_paths(&translated, "test")?, BTreeSet::new(), &LEFT)
}

/// Functions with `#[bench]`, and whether there are tests.
#[derive(Default)]
struct Functions<'n>(Vec<&'n ItemFn>, bool);

impl<'n> Visit<'n> for Functions<'n> {
    fn visit_item_fn(&mut self, function: &'n ItemFn) {
        let has = |name: &str| function.attrs.iter().any(|one| one.path().is_ident(name));
        if has("bench") {
            self.0.push(function);
        }
        self.1 |= has("test");
        visit::visit_item_fn(self, function);
    }
}

/// One benchmark.
fn bench(text: Text<'_>, function: &ItemFn, edits: &mut Edits) -> Certain<()> {
    let (bencher, ty) = parameter(function, "Bencher").ok_or("it takes no `&mut Bencher`")?;
    if let Some(attribute) = function.attrs.iter().find(|one| one.path().is_ident("bench")) {
        edits.replace(range(attribute), "#[plusminus::bench]");
    }
    edits.replace(ty, "plusminus::Bencher<'_>");
    // `b.bytes = …;` states the work of a call.
    let mut bytes = Vec::new();
    for statement in &function.block.stmts {
        if let syn::Stmt::Expr(Expr::Assign(assignment), Some(_)) = statement
            && let Expr::Field(field) = &*assignment.left
            && super::text::single(&field.base).as_deref() == Some(bencher.as_str())
            && matches!(&field.member, syn::Member::Named(name) if name == "bytes")
        {
            let count = text.of(&assignment.right);
            bytes.push((
                range(statement),
                format!("let {bencher} = {bencher}.work(plusminus::Work::bytes({count}));"),
            ));
        }
    }
    let stated = bytes.len();
    for (at, by) in bytes {
        edits.replace(at, by);
    }
    let helpers = BTreeSet::new();
    let kernel = Kernel { text, bencher: &bencher, receiver: &bencher, helpers: &helpers };
    if stated == 0 {
        return kernel.translate(&*function.block, edits);
    }
    // The rest of the body has the only other use.
    if stated > 1 || occurrences(&function.block, &bencher) != 2 {
        return Err(format!("the bencher `{bencher}` is used in a way that is not known"));
    }
    let measuring = function.block.stmts.iter().find_map(|statement| match statement {
        syn::Stmt::Expr(expression @ Expr::MethodCall(_), _)
            if occurrences(expression, &bencher) == 1 =>
        {
            Some(expression)
        }
        _ => None,
    });
    kernel.translate(measuring.ok_or("no statement measures")?, edits)
}

/// Removes what is imported from `test`.
struct Imports<'i> {
    text: Text<'i>,
    edits: &'i mut Edits,
}

impl<'n> Visit<'n> for Imports<'_> {
    fn visit_item_use(&mut self, import: &'n syn::ItemUse) {
        let syn::UseTree::Path(path) = &import.tree else { return };
        if path.ident == "test" {
            let all = words(quote::ToTokens::to_token_stream(&path.tree));
            if all.iter().any(|word| word == "black_box") {
                self.edits.replace(range(import), "use std::hint::black_box;");
            } else {
                self.edits.remove_lines(self.text, range(import));
            }
        }
    }

    fn visit_item_extern_crate(&mut self, external: &'n syn::ItemExternCrate) {
        if external.ident == "test" {
            self.edits.remove_lines(self.text, range(external));
        }
    }

    fn visit_fn_arg(&mut self, argument: &'n syn::FnArg) {
        // A function that takes a bencher without being a benchmark is left, and found afterwards by its `test::Bencher`.
        if let syn::FnArg::Typed(typed) = argument
            && is_named(&typed.ty, "Bencher")
        {
            visit::visit_fn_arg(self, argument);
        }
    }
}
