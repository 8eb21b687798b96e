//! What bench functions of criterion say to their `Criterion` and to its groups: chains of calls, and what each means.

use syn::{Expr, ExprMethodCall};

use super::text::{Certain, Text, quoted, single};

/// One call of a chain.
pub(super) enum Link<'n> {
    /// Measures: the parts of the name below the group, the closure and the input that it is handed.
    Bench { name: Vec<Part<'n>>, run: &'n Expr, input: Option<&'n Expr> },
    /// States the work of a call, in our words.
    Work(String),
    /// Begins a group.
    Group(&'n Expr),
    /// Says how criterion is to measure, which has no meaning here or is chosen by the harness.
    Setting(String),
    /// Ends a group.
    Finish,
}

/// A part of a name.
pub(super) enum Part<'n> {
    /// Known now.
    Written(String),
    /// An expression.
    Computed(&'n Expr),
}

/// Settings that are left out.
const SETTINGS: [&str; 9] = [
    "sample_size",
    "warm_up_time",
    "measurement_time",
    "noise_threshold",
    "nresamples",
    "confidence_level",
    "significance_level",
    "sampling_mode",
    "plot_config",
];

/// The name with which a chain of calls begins, and its calls in their order.
pub(super) fn chain(expression: &Expr) -> Option<(String, Vec<&ExprMethodCall>)> {
    let mut calls = Vec::new();
    let mut at = expression;
    while let Expr::MethodCall(call) = at {
        calls.push(call);
        at = &call.receiver;
    }
    calls.reverse();
    Some((single(at)?, calls)).filter(|(_, calls)| !calls.is_empty())
}

/// What a call means, to a `Criterion` or to a group.
pub(super) fn link<'n>(
    text: Text<'_>,
    call: &'n ExprMethodCall,
    of_group: bool,
) -> Certain<Link<'n>> {
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let name = call.method.to_string();
    Ok(match (name.as_str(), arguments.as_slice()) {
        ("bench_function", [id, run]) => Link::Bench { name: id_parts(id)?, run, input: None },
        ("bench_with_input", [id, input, run]) => {
            Link::Bench { name: id_parts(id)?, run, input: Some(input) }
        }
        ("benchmark_group", [group]) if !of_group => Link::Group(group),
        ("throughput", [work]) if of_group => Link::Work(self::work(text, work)?),
        ("finish", []) if of_group => Link::Finish,
        (setting, _) if SETTINGS.contains(&setting) => Link::Setting(format!(
            "{setting}({})",
            call.args.iter().map(|one| text.of(one)).collect::<Vec<_>>().join(", ")
        )),
        _ => return Err(format!("`{name}` has no counterpart")),
    })
}

fn id_parts(id: &Expr) -> Certain<Vec<Part<'_>>> {
    if let Expr::Call(call) = id
        && let Expr::Path(path) = &*call.func
    {
        let names: Vec<String> =
            path.path.segments.iter().map(|one| one.ident.to_string()).collect();
        if let [.., ty, method] = names.as_slice()
            && ty == "BenchmarkId"
        {
            let count = if method == "new" { 2 } else { 1 };
            if call.args.len() != count || !["new", "from_parameter"].contains(&method.as_str()) {
                return Err(format!("`BenchmarkId::{method}` has no counterpart"));
            }
            return Ok(call.args.iter().map(part).collect());
        }
    }
    Ok(vec![part(id)])
}

fn part(expression: &Expr) -> Part<'_> {
    if let Some(text) = quoted(expression) {
        return Part::Written(text);
    }
    match expression {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
            Part::Written(number.base10_digits().to_owned())
        }
        other => Part::Computed(other),
    }
}

/// `Throughput::Bytes(…)` in our words.
fn work(text: Text<'_>, throughput: &Expr) -> Certain<String> {
    let strange = || "the throughput is no `Throughput::…(…)` written in place".to_owned();
    let name = |path: &syn::Path| path.segments.last().map(|last| last.ident.to_string());
    match throughput {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return Err(strange()) };
            let method = match name(&path.path).as_deref() {
                Some("Bytes" | "BytesDecimal") => "bytes",
                Some("Elements") => "items",
                Some("Bits") => "bits",
                _ => return Err(strange()),
            };
            match call.args.first() {
                Some(count) if call.args.len() == 1 => {
                    Ok(format!("plusminus::Work::{method}({})", text.of(count)))
                }
                _ => Err(strange()),
            }
        }
        _ => Err(strange()),
    }
}

/// An expression that gives the name of a benchmark as a text, below that of a group if there is one.
pub(super) fn name_expression(text: Text<'_>, group: Option<&str>, parts: &[Part<'_>]) -> String {
    let mut format = Vec::new();
    let mut values = Vec::new();
    if let Some(group) = group {
        format.push(format!("{{{group}}}"));
    }
    for part in parts {
        match part {
            Part::Written(written) if written.is_empty() => {}
            Part::Written(written) => {
                format
                    .push(written.escape_debug().to_string().replace('{', "{{").replace('}', "}}"));
            }
            Part::Computed(expression) => {
                format.push("{}".to_owned());
                values.push(text.of(*expression).to_owned());
            }
        }
    }
    if group.is_none()
        && let [Part::Written(_)] = parts
    {
        return format!("\"{}\"", format.join("/").replace("{{", "{").replace("}}", "}"));
    }
    if let (None, [Part::Computed(expression)]) = (group, parts)
        && !matches!(expression, Expr::Macro(_))
    {
        return text.of(*expression).to_owned();
    }
    let values: String = values.iter().map(|value| format!(", {value}")).collect();
    format!("&format!(\"{}\"{values})", format.join("/"))
}

/// The whole name, where all of it is known and can stand in an attribute.
pub(super) fn whole_name(group: Option<&str>, parts: &[Part<'_>]) -> Option<String> {
    let mut all: Vec<String> = group.map(str::to_owned).into_iter().collect();
    for part in parts {
        match part {
            Part::Written(written) => all.push(written.clone()),
            Part::Computed(_) => return None,
        }
    }
    all.retain(|part| !part.is_empty());
    let name = all.join("/");
    let visible = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '"' && c != '\\';
    let fits = !name.is_empty()
        && name.trim() == name
        && !name.contains("::")
        && name.chars().all(visible);
    fits.then_some(name)
}
