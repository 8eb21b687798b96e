//! `cargo plusminus changed`: the benchmarks whose machine code differs between two versions, for any harness. It builds both
//! versions and measures nothing. Every benchmark that is not proven identical is listed.

use std::{collections::BTreeMap, env, path::Path};

use clap::ValueEnum;
use plusminus::{
    exit,
    output::print,
    text::{json_escaped, sentence, shell, visible},
};
use plusminus_same_code::Code;
use serde_json::json;

use crate::{
    compare::{Build, Looked, Range, look},
    error::{Error, Result},
    report::{self, Identity, github::append},
};

/// The command line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo plusminus changed main              the working tree against main
  cargo plusminus changed main --format arguments")]
pub(crate) struct Arguments {
    /// BASE, BASE..HEAD or BASE...HEAD (the merge base of both against HEAD); without HEAD the working tree.
    #[arg(value_name = "BASE[..HEAD]")]
    versions: String,
    /// Compare with the commit where head left base, as BASE...HEAD does.
    #[arg(long)]
    merge_base: bool,
    /// Choose what to print.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Print no progress, and only errors of cargo.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    build: Build,
}

/// The format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// For programs.
    Json,
    /// One line per bench target: the arguments of `cargo bench` that run what changed.
    Arguments,
    /// Outputs of a GitHub step: `changed`, `benches` and `arguments`.
    Github,
}

pub(crate) fn run(arguments: Arguments) -> Result<i32> {
    let range = Range::parse(&arguments.versions, arguments.merge_base)?;
    let (sides, all) = look(&range, arguments.build, arguments.quiet)?;
    let text = match arguments.format {
        Format::Text => text(&sides, &all),
        Format::Json => json(&sides, &all),
        Format::Arguments => lines(&all).concat(),
        Format::Github => {
            let text = github(&all);
            if let Some(file) = env::var_os("GITHUB_OUTPUT").filter(|file| !file.is_empty()) {
                append(Path::new(&file), &text)?;
            }
            text
        }
    };
    print(&text).map_err(Error::Message)?;
    Ok(exit::FINE)
}

impl Looked {
    fn is_identical(&self) -> bool {
        self.code == Some(Code::Identical)
    }

    fn why(&self) -> String {
        match &self.code {
            None => "new".to_owned(),
            Some(Code::Identical) => "identical code".to_owned(),
            Some(Code::Unknown(why)) => format!("cannot be compared: {}", sentence(why)),
            Some(Code::Differs { first, changes, .. }) => {
                let names: Vec<String> =
                    changes.iter().take(3).map(|change| visible(&change.name)).collect();
                let more = changes.len().saturating_sub(names.len());
                match (names.is_empty(), more) {
                    (true, _) => format!("{} differ", sentence(first)),
                    (false, 0) => names.join(", "),
                    (false, more) => format!("{} and {more} more", names.join(", ")),
                }
            }
        }
    }
}

/// The bench targets that have something to run, each with its benchmarks; none of them for the target as a whole.
fn by_target(all: &[Looked]) -> BTreeMap<(&str, &str), Vec<&str>> {
    let mut targets: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    for one in all.iter().filter(|one| !one.is_identical()) {
        let names = targets.entry((one.package.as_str(), one.target.as_str())).or_default();
        names.extend(one.benchmark.as_deref());
    }
    targets
}

/// The arguments of `cargo bench` for each target.
fn lines(all: &[Looked]) -> Vec<String> {
    let line = |((package, target), names): ((&str, &str), Vec<&str>)| {
        let mut line = format!("--package {} --bench {}", shell(package), shell(target));
        if !names.is_empty() {
            line += " -- --exact";
            names.iter().for_each(|name| line += &format!(" {}", shell(name)));
        }
        line + "\n"
    };
    by_target(all).into_iter().map(line).collect()
}

fn text(sides: &[Identity; 2], all: &[Looked]) -> String {
    let [base, new] = sides.each_ref().map(Identity::text);
    let identical = all.iter().filter(|one| one.is_identical()).count();
    let mut text = format!("Comparing the machine code of {base} → {new}\n");
    for one in all.iter().filter(|one| !one.is_identical()) {
        let target = format!("{}/{}", visible(&one.package), visible(&one.target));
        match &one.benchmark {
            Some(name) => text += &format!("  {target}: {}  {}\n", visible(name), one.why()),
            None => text += &format!("  {target} (the whole target)  {}\n", one.why()),
        }
    }
    text + &format!("{} changed, {identical} identical code\n", all.len() - identical)
}

fn json(sides: &[Identity; 2], all: &[Looked]) -> String {
    let [base, new] = sides;
    let one = |one: &Looked| {
        let code = match &one.code {
            None => "new",
            Some(Code::Identical) => "identical_code",
            Some(Code::Differs { .. }) => "differs",
            Some(Code::Unknown(_)) => "unknown",
        };
        json!({
            "package": one.package, "target": one.target, "benchmark": one.benchmark, "code": code,
            "why": one.why(),
        })
    };
    report::json::pretty(&json!({
        "schema": 1, "plusminus": env!("CARGO_PKG_VERSION"), "base": base, "new": new,
        "benchmarks": all.iter().map(one).collect::<Vec<_>>(),
    }))
}

/// Outputs of a step, one per line: JSON has no line breaks in its texts.
fn github(all: &[Looked]) -> String {
    let targets = by_target(all);
    let benches: Vec<&str> = targets.keys().map(|(_, target)| *target).collect();
    let arguments: Vec<String> =
        lines(all).iter().map(|line| line.trim_end_matches('\n').to_owned()).collect();
    json_escaped(&format!(
        "changed={}\nbenches={}\narguments={}\n",
        !targets.is_empty(),
        json!(benches),
        json!(arguments)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(target: &str, benchmark: Option<&str>, code: Option<Code>) -> Looked {
        let benchmark = benchmark.map(str::to_owned);
        Looked { package: "p".to_owned(), target: target.to_owned(), benchmark, code }
    }

    fn differs() -> Option<Code> {
        let first = "the bytes".to_owned();
        let (changes, sizes) = (Vec::new(), Vec::new());
        Some(Code::Differs { first, changes, unlisted: 0, only_set_up: false, sizes })
    }

    #[test]
    fn what_is_not_identical_is_run_and_nothing_else() {
        let all = [
            looked("speed", Some("a"), Some(Code::Identical)),
            looked("speed", Some("b c"), differs()),
            looked("speed", Some("d"), None),
            looked("same", None, Some(Code::Identical)),
            looked("fast", None, Some(Code::Unknown("why".to_owned()))),
        ];
        assert_eq!(
            lines(&all),
            ["--package p --bench fast\n", "--package p --bench speed -- --exact 'b c' d\n"]
        );
        assert_eq!(
            github(&all),
            "changed=true\nbenches=[\"fast\",\"speed\"]\narguments=[\"--package p --bench fast\",\"--package p --bench speed \
             -- --exact 'b c' d\"]\n"
        );
        assert!(github(&all[..1]).starts_with("changed=false\nbenches=[]\n"));
    }

    #[test]
    fn hostile_names_stay_on_their_line() {
        let harm = "a\n::error::x\u{1b}[2J\u{202e}\r";
        let all = [looked(harm, Some(harm), differs()), looked(harm, None, differs())];
        let side = || Identity::of(harm.to_owned(), "0".repeat(40), false);
        let sides = [side(), side()];
        assert_eq!(text(&sides, &all).lines().count(), 4);
        assert_eq!(github(&all).lines().count(), 3);
        for said in [text(&sides, &all), github(&all), json(&sides, &all)] {
            assert!(!said.contains(['\u{1b}', '\u{202e}', '\r']), "{said}");
            assert!(!said.lines().any(|line| line.starts_with("::")), "{said}");
        }
    }
}
