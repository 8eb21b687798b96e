//! The gate of a comparison: the measures that can fail it, and the changes up to which they do not.

use plusminus::{results::Measure, text::quantity};

use super::Comparison;

/// The name of the time, which every benchmark has.
const TIME: &str = "time";

/// The measures that every comparison may have; users' metrics come on top.
const MEASURES: [&str; 13] = [
    TIME,
    "allocations",
    "bytes",
    "peak",
    "kept",
    "memory",
    "code",
    "data",
    "program",
    "instructions",
    "p50",
    "p95",
    "p99",
];

/// The measures whose regressions fail a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gate(Vec<Gated>);

#[derive(Debug, Clone, PartialEq)]
struct Gated {
    name: String,
    /// Changes for the worse up to this fraction pass.
    up_to: f64,
}

impl Default for Gate {
    fn default() -> Self {
        Self(vec![Gated { name: TIME.to_owned(), up_to: 0.0 }])
    }
}

impl Gate {
    /// Reads names of measures, with a limit where one is wanted: `time,allocations:1%`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let gated = |part: &str| {
            let (name, up_to) = match part.rsplit_once(':') {
                Some((name, limit)) => (name, quantity::percent(limit)?),
                None => (part, 0.0),
            };
            let name = name.trim().to_ascii_lowercase();
            if name.is_empty() {
                return Err("it takes names of measures, such as time,allocations:1%".to_owned());
            }
            Ok(Gated { name, up_to })
        };
        text.split(',').map(gated).collect::<Result<_, _>>().map(Self)
    }

    fn up_to(&self, name: &str) -> Option<f64> {
        let gated = self.0.iter().find(|gated| gated.name.eq_ignore_ascii_case(name));
        gated.map(|gated| gated.up_to)
    }

    /// The slowdown up to which a time passes, if times can fail it.
    pub(crate) fn of_time(&self) -> Option<f64> {
        self.up_to(TIME)
    }

    /// The samples of one call that its quantiles need to get an interval.
    pub(crate) fn least_samples(&self) -> usize {
        let needed = [("p99", 2000), ("p95", 400)];
        needed
            .into_iter()
            .find(|(name, _)| self.up_to(name).is_some())
            .map_or(0, |(_, least)| least)
    }

    /// The blocks that the memory needs: a large change is proven in them, among 1,000 rows.
    pub(crate) fn least_blocks(&self) -> usize {
        if self.up_to("memory").is_some() { 12 } else { 0 }
    }

    /// Whether nothing but a time can fail it.
    pub(super) fn is_of_time_alone(&self) -> bool {
        self.0.iter().all(|gated| gated.name == TIME)
    }

    /// Whether a measure fails it, unless changes up to `accepted` pass.
    pub(super) fn fails(&self, measure: &Measure, accepted: Option<f64>) -> bool {
        let up_to = self.up_to(&measure.name).map(|up_to| up_to.max(accepted.unwrap_or(0.0)));
        up_to.zip(measure.worse_by()).is_some_and(|(up_to, by)| by > up_to + 1e-9)
    }

    /// Returns the first name that is neither a measure nor one of these metrics.
    pub(crate) fn unknown<'m>(
        &self,
        metrics: impl Iterator<Item = &'m str> + Clone,
    ) -> Option<&str> {
        let mut names = self.0.iter().map(|gated| gated.name.as_str());
        names.find(|name| {
            let mut known = MEASURES.into_iter().chain(metrics.clone());
            !known.any(|one| one.eq_ignore_ascii_case(name))
        })
    }

    /// The measures that no measured benchmark has, so that they could never fail it.
    pub(super) fn lacking(&self, comparison: &Comparison) -> Vec<&str> {
        let rows = || comparison.outcome.cases.iter().flat_map(|case| &case.rows);
        let is_measured = |name: &str| {
            let has = |measure: &Measure| measure.name.eq_ignore_ascii_case(name);
            name == TIME || rows().any(|row| row.measures.iter().any(has))
        };
        let names = self.0.iter().map(|gated| gated.name.as_str());
        let measured = rows().any(|row| !row.blocks.is_empty());
        names.filter(|name| measured && !is_measured(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use plusminus_analysis::verdict::CostJudgement;

    use super::*;

    fn allocations(base: f64, new: f64) -> Measure {
        Measure {
            name: "allocations".to_owned(),
            unit: "allocations per call".to_owned(),
            more_is_better: false,
            judgement: CostJudgement::exact([base, new]),
        }
    }

    #[test]
    fn a_measure_fails_beyond_its_limit_and_what_is_accepted() {
        let more = allocations(100.0, 103.0);
        for (gate, accepted, expected) in [
            ("time", None, false),
            ("time,allocations", None, true),
            ("Allocations:3%", None, false),
            ("allocations:2.9%", None, true),
            ("allocations", Some(0.08), false),
            ("allocations", Some(0.01), true),
        ] {
            let gate = Gate::parse(gate).unwrap();
            assert_eq!(gate.fails(&more, accepted), expected, "{gate:?} {accepted:?}");
            assert!(!gate.fails(&allocations(103.0, 100.0), accepted), "less is no regression");
        }
        assert!(Gate::parse("allocations:900%").unwrap().fails(&allocations(0.0, 1.0), None));
        for wrong in ["", "time,", ":3", "allocations:x"] {
            assert!(Gate::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Gate::parse("time"), Ok(Gate::default()));
        assert_eq!(Gate::parse("bytes").unwrap().of_time(), None);
        let samples = |gate| Gate::parse(gate).unwrap().least_samples();
        assert_eq!(["time", "p95", "time,p95,p99"].map(samples), [0, 400, 2000]);
        assert_eq!(Gate::parse("time:5,bytes").unwrap().of_time(), Some(0.05));
    }
}
