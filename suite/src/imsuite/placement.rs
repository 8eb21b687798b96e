//! At how many places the nodes are, and what a shift between two of them costs, as variables say it.

use std::sync::OnceLock;

use crate::places::{Placement, ShiftCost, read_time};

/// The variable with the number of places of the nodes: a number, or `node` for one per node, as without it. A list
/// of them for the benchmarks that sweep over places.
pub const PLACES_VARIABLE: &str = "PLUSMINUS_IMSUITE_PLACES";
/// The variable with the time from the beginning of a shift between two places to its end, such as `2us`.
pub const LATENCY_VARIABLE: &str = "PLUSMINUS_SUITE_SHIFT_LATENCY";
/// The variable with the time for which each shift keeps a processor busy, such as `100ns`.
pub const GAP_VARIABLE: &str = "PLUSMINUS_SUITE_SHIFT_GAP";

/// Where the nodes of all kernels are, if the variables say that shifts cost something.
///
/// # Panics
/// When one of them cannot be understood.
pub fn of_environment() -> Option<&'static Placement> {
    static PLACEMENT: OnceLock<Option<Placement>> = OnceLock::new();
    let get = |name: &str| std::env::var(name).ok();
    let read = || one(&get).unwrap_or_else(|error| panic!("{error}"));
    PLACEMENT.get_or_init(read).as_ref()
}

/// Returns the placements of a sweep over places: by the variables, or else these places and this cost.
///
/// # Panics
/// When one of the variables cannot be understood.
pub fn sweep(default_places: &str, default_cost: ShiftCost) -> Vec<Placement> {
    let get = |name: &str| std::env::var(name).ok();
    several(&get, default_places, default_cost).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether the variable sets places, instead of a sweep.
pub fn names_places() -> bool {
    std::env::var_os(PLACES_VARIABLE).is_some()
}

/// Reads a variable.
type Get<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The one placement of all kernels; none while shifts are free.
fn one(get: Get<'_>) -> Result<Option<Placement>, String> {
    let Some(cost) = cost(get)? else { return Ok(None) };
    let places = get(PLACES_VARIABLE).unwrap_or_else(|| "node".to_owned());
    let placement = read(&places).map_err(|error| match places.contains(',') {
        true => format!(
            "{PLACES_VARIABLE}: several numbers of places are for benchmarks that sweep over them, such as \
             imsuite_places; give one here"
        ),
        false => error,
    })?;
    Ok(Some(Placement { cost, ..placement }))
}

/// The placements of a sweep.
fn several(get: Get<'_>, places: &str, usual: ShiftCost) -> Result<Vec<Placement>, String> {
    let cost = cost(get)?.unwrap_or(usual);
    let places = get(PLACES_VARIABLE).unwrap_or_else(|| places.to_owned());
    let mut all = Vec::new();
    for part in places.split(',') {
        let placement = Placement { cost, ..read(part)? };
        if !all.contains(&placement) {
            all.push(placement);
        }
    }
    Ok(all)
}

/// Reads a number of places.
fn read(text: &str) -> Result<Placement, String> {
    text.parse().map_err(|error| format!("{PLACES_VARIABLE}: {error}"))
}

/// The cost that the variables ask for; none where neither is set.
fn cost(get: Get<'_>) -> Result<Option<ShiftCost>, String> {
    let time = |name: &str| {
        let read = |text: String| read_time(&text).map_err(|error| format!("{name}: {error}"));
        get(name).map(read).transpose()
    };
    let (latency, gap) = (time(LATENCY_VARIABLE)?, time(GAP_VARIABLE)?);
    let named = latency.is_some() || gap.is_some();
    let cost = ShiftCost { latency: latency.unwrap_or_default(), gap: gap.unwrap_or_default() };
    Ok(named.then_some(cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| pairs.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn kernels_are_at_places_where_shifts_cost_something() {
        assert_eq!(one(&get(&[])), Ok(None));
        assert_eq!(one(&get(&[(PLACES_VARIABLE, "8")])), Ok(None), "tallies alone");
        let named = |pairs: &[(&str, &str)]| one(&get(pairs)).unwrap().unwrap().to_string();
        assert_eq!(named(&[(LATENCY_VARIABLE, "2us")]), "place-per-node-latency-2us");
        let all = [(PLACES_VARIABLE, "8"), (LATENCY_VARIABLE, "2us"), (GAP_VARIABLE, "50ns")];
        assert_eq!(named(&all), "8-places-latency-2us-gap-50ns");
    }

    #[test]
    fn sweeps_have_several_places_once_each() {
        let usual = ShiftCost { latency: read_time("1us").unwrap(), ..ShiftCost::NONE };
        let named = |pairs: &[(&str, &str)]| -> Vec<String> {
            several(&get(pairs), "1,node", usual)
                .unwrap()
                .iter()
                .map(Placement::to_string)
                .collect()
        };
        assert_eq!(named(&[]), ["1-place-latency-1us", "place-per-node-latency-1us"]);
        assert_eq!(
            named(&[(PLACES_VARIABLE, "2, 4,2"), (GAP_VARIABLE, "9ns")]),
            ["2-places-gap-9ns", "4-places-gap-9ns"]
        );
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (name, value) in [
            (PLACES_VARIABLE, "0"),
            (PLACES_VARIABLE, "x"),
            (LATENCY_VARIABLE, "2"),
            (GAP_VARIABLE, "-1ns"),
        ] {
            let error = several(&get(&[(name, value)]), "1", ShiftCost::NONE).unwrap_err();
            assert!(error.contains(name), "{error}");
        }
        let list = [(PLACES_VARIABLE, "1,2"), (GAP_VARIABLE, "1ns")];
        assert!(one(&get(&list)).unwrap_err().contains("imsuite_places"));
    }
}
