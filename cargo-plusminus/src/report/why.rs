//! Why times differ: the functions from which a difference comes, each with its share.

use plusminus::{
    record::ChangedFunction,
    results::{Explained, Share},
    text::{number::counted, sentence, visible},
};
use plusminus_analysis::Estimate;

use super::{Comparison, code::named};
use crate::changed_function::of_record;

/// The number of functions of a part that a line lists.
const NAMED: usize = 3;

/// The lines about all explained benchmarks.
pub(crate) fn lines(comparison: &Comparison) -> Vec<String> {
    comparison.explained.iter().flat_map(of).collect()
}

fn of(explained: &Explained) -> Vec<String> {
    let name = visible(&explained.benchmark);
    let reason = explained.reason.as_deref().map(sentence);
    let Some(whole) = explained.whole else {
        return vec![format!("{name}: no change to explain was measured.")];
    };
    match (&explained.parts[..], reason) {
        ([], reason) => vec![format!(
            "{name}: not explained, as {}.",
            reason.unwrap_or_else(|| "no function was found that differs".to_owned())
        )],
        ([only], reason) => {
            let why = match reason {
                Some(reason) => format!(", which cannot be divided, as {reason}"),
                None if only.part.functions_in_all > 1 => {
                    ", which the compiler may have adapted to one another".to_owned()
                }
                None => String::new(),
            };
            let from = functions(only);
            vec![format!("{name}: all of {} comes from {from}{why}.", in_all(whole))]
        }
        (parts, _) => {
            let mut lines: Vec<String> = parts.iter().map(|part| line(part, whole)).collect();
            lines.extend(rest(explained));
            if !explained.is_checked {
                lines.push(
                    "The benchmark checks no output, so nothing was compared but times.".to_owned(),
                );
            }
            lines.iter().map(|line| format!("{name}: {line}")).collect()
        }
    }
}

fn line(share: &Share, whole: Estimate) -> String {
    let from = functions(share);
    match (share.change, &share.part.refused) {
        (_, Some(why)) => format!("not measured: {from}, as {}", sentence(why)),
        (Some(change), None) => {
            let numbers = format!(
                "{} of {} % ± {}",
                signed(change.value),
                signed(whole.value),
                plain(change.u.unwrap_or(f64::NAN))
            );
            match share.is_proven {
                true => format!("{numbers} comes from {from}"),
                false => format!("{numbers}, not proven, from {from}"),
            }
        }
        (None, None) => format!("not measured: {from}, as the time was over"),
    }
}

/// The part of the change that no part has alone.
fn rest(explained: &Explained) -> Option<String> {
    let split = explained.split.as_ref()?;
    let u = plain(split.rest.u.unwrap_or(f64::NAN));
    let rest = signed(split.rest.value);
    Some(match split.agrees() {
        true => format!("the parts add up to the whole ({rest} % ± {u} is left)"),
        false => {
            format!("{rest} % ± {u} comes from several of them together, or cannot be attributed")
        }
    })
}

fn functions(share: &Share) -> String {
    let part = &share.part;
    let name = |function: &ChangedFunction| named(&of_record(function.clone()));
    let names: Vec<String> = part.functions.iter().take(NAMED).map(name).collect();
    match part.functions_in_all.saturating_sub(names.len()) {
        0 => names.join(", "),
        more => format!("{} and {}", names.join(", "), counted(more, "more function")),
    }
}

fn in_all(whole: Estimate) -> String {
    format!("{} % ± {}", signed(whole.value), plain(whole.u.unwrap_or(f64::NAN)))
}

/// A fraction in percent with its sign.
fn signed(fraction: f64) -> String {
    let text = plain(fraction.abs());
    match fraction {
        _ if text == "0.0" => text,
        f if f < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// A fraction in percent: one place below 100 %, so that shares and their sum have the same.
fn plain(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent < 100.0 { format!("{percent:.1}") } else { format!("{percent:.0}") }
}
