//! Predictions before measurements: models fitted to small sizes, their times for larger ones with intervals in a file,
//! and how many of these intervals contain what was measured.

use std::{collections::BTreeMap, fs, path::Path};

use plusminus::{
    output::write_file,
    text::{
        json_escaped,
        number::{digits, time_with_uncertainty},
        visible,
    },
};
use plusminus_analysis::{
    Confidence,
    complexity::{ComplexityOptions, performance_complexity},
    models::{self, Fit, FitOptions, Model, bic_weights},
};
use serde::{Deserialize, Serialize};

use super::{
    collect::{Configuration, Problem, families},
    document::Number,
    grouped,
    models::{OF_SIZE, Observed},
    tables::{headings, size},
    text::{aligned, sentence, time},
};
use crate::error::{Error, Result, at};

const SCHEMA: u32 = 1;
const KIND: &str = "plusminus-predictions";
/// Sizes that a model needs below the predicted ones.
const LEAST_SIZES: usize = 3;

#[derive(Debug, Serialize, Deserialize)]
struct File {
    schema: u32,
    kind: String,
    records: Vec<String>,
    predictions: Vec<Prediction>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    pub problem: String,
    pub variant: String,
    /// The point, if it was among the measured ones.
    pub point: Option<String>,
    pub n: f64,
    pub p: usize,
    /// The sizes that models were fitted to.
    pub from: Vec<f64>,
    pub models: Vec<(String, f64)>,
    pub time_ns: f64,
    pub low_95_ns: f64,
    pub high_95_ns: f64,
}

#[derive(Debug, Serialize)]
pub struct PredictedSizes {
    pub file: String,
    /// Whether this study wrote the file.
    pub written: bool,
    pub rows: Vec<Outcome>,
    /// Predictions that the records have no measurement for.
    pub unmeasured: usize,
    /// By problem, and `all` at the end.
    pub coverage: Vec<Coverage>,
}

#[derive(Debug, Serialize)]
pub struct Outcome {
    #[serde(flatten)]
    pub prediction: Prediction,
    pub measured_ns: Number,
    pub inside: bool,
}

/// How many intervals contain what was measured.
#[derive(Debug, Serialize)]
pub struct Coverage {
    pub problem: String,
    pub inside: usize,
    pub predictions: usize,
    /// Performance Complexity of the predictions.
    pub pc_a: f64,
}

impl PredictedSizes {
    /// A line for each prediction, and the coverage of each problem.
    pub(super) fn text(&self) -> String {
        let did = if self.written { "written to" } else { "read from" };
        let mut text = format!("predictions, {did} {}\n", visible(&self.file));
        let mut rows = vec![headings("variant | n | p | predicted | 95 % | measured ± u | inside")];
        for row in &self.rows {
            let one = &row.prediction;
            let plain = |ns: f64| time_with_uncertainty(ns, None);
            rows.push(vec![
                visible(&one.variant),
                size(Some(one.n)),
                one.p.to_string(),
                plain(one.time_ns),
                format!("[{}, {}]", plain(one.low_95_ns), plain(one.high_95_ns)),
                time(&row.measured_ns),
                if row.inside { "yes" } else { "no" }.to_owned(),
            ]);
        }
        if rows.len() > 1 {
            text += &aligned(&rows);
        }
        for one in &self.coverage {
            text += &sentence(&format!(
                "{}: {} of {} inside, PC_a of the predictions {}",
                visible(&one.problem),
                one.inside,
                one.predictions,
                digits(one.pc_a)
            ));
        }
        if self.unmeasured > 0 {
            text += &sentence(&format!("not measured in these records: {}", self.unmeasured));
        }
        text + "\n"
    }
}

/// Writes predictions unless the file exists, and compares those of the file with the measurements.
pub(super) fn predicted(
    path: &Path,
    sizes: &[f64],
    records: Vec<String>,
    problems: &[Problem],
    (own, options): (&[Model], &FitOptions),
) -> Result<PredictedSizes> {
    let written = !path.exists();
    if written {
        let predictions = predictions(problems, sizes, own, options);
        if predictions.is_empty() {
            return Err(Error::Message(format!(
                "--predict: no variant has {LEAST_SIZES} sizes on one number of processors below those to predict"
            )));
        }
        let file = File { schema: SCHEMA, kind: KIND.to_owned(), records, predictions };
        let json = serde_json::to_string_pretty(&file).map_err(|reason| {
            Error::Message(format!("cannot write the predictions as JSON: {reason}"))
        })?;
        write_file(path, (json_escaped(&json) + "\n").as_bytes()).map_err(at("write", path))?;
    } else if !sizes.is_empty() {
        return Err(Error::Message(format!(
            "--sizes is for new predictions, and {} exists; remove it to predict anew",
            path.display()
        )));
    }
    // Also what was just written is read again: the file decides, and not what came to be known since.
    let text = fs::read(path).map_err(at("read", path))?;
    let file: File = serde_json::from_slice(&text).map_err(|reason| {
        Error::Message(format!("{} is not a file of predictions: {reason}", path.display()))
    })?;
    if (file.schema, &*file.kind) != (SCHEMA, KIND) {
        return Err(Error::Message(format!(
            "{} is not a file of predictions of this version",
            path.display()
        )));
    }
    let all = file.predictions.len();
    let rows: Vec<Outcome> = file
        .predictions
        .into_iter()
        .filter_map(|prediction| {
            let measured = measurement(&prediction, problems)?;
            let time = measured.time.estimate.value;
            let inside = (prediction.low_95_ns..=prediction.high_95_ns).contains(&time);
            Some(Outcome { prediction, measured_ns: Number::of_time(&measured.time), inside })
        })
        .collect();
    Ok(PredictedSizes {
        file: path.display().to_string(),
        written,
        unmeasured: all - rows.len(),
        coverage: coverage(&rows),
        rows,
    })
}

/// The predictions of all variants: of some sizes, or of the largest size of each sweep on each number of processors.
fn predictions(
    problems: &[Problem],
    sizes: &[f64],
    own: &[Model],
    options: &FitOptions,
) -> Vec<Prediction> {
    let mut found = Vec::new();
    for problem in problems {
        for variant in &problem.variants {
            for family in families(&variant.configurations) {
                let mut by_processors: BTreeMap<usize, Vec<Configuration>> = BTreeMap::new();
                for one in family.configurations.into_iter().filter(|one| one.n.is_some()) {
                    by_processors.entry(one.p).or_default().push(one);
                }
                for configurations in by_processors.into_values() {
                    let largest = configurations.iter().filter_map(|c| c.n).fold(0.0, f64::max);
                    let wanted = if sizes.is_empty() { &[largest] } else { sizes };
                    let names = [&problem.name, &variant.function];
                    let of_sweep = of_sweep(names, &configurations, wanted, own, options);
                    found.extend(of_sweep);
                }
            }
        }
    }
    found
}

/// The predictions of one sweep over n, from the configurations below all wanted sizes.
fn of_sweep(
    [problem, variant]: [&String; 2],
    configurations: &[Configuration],
    wanted: &[f64],
    own: &[Model],
    options: &FitOptions,
) -> Vec<Prediction> {
    let smallest = wanted.iter().copied().fold(f64::INFINITY, f64::min);
    let n = |c: &Configuration| c.n.unwrap_or(f64::INFINITY);
    let small: Vec<Configuration> =
        configurations.iter().filter(|c| n(c) < smallest).cloned().collect();
    let mut from: Vec<f64> = small.iter().map(n).collect();
    from.sort_by(f64::total_cmp);
    from.dedup();
    if from.len() < LEAST_SIZES {
        return Vec::new();
    }
    let observed = Observed::of(&small).observations;
    let tried = OF_SIZE.into_iter().chain(own.iter().copied());
    let fits: Vec<Fit> =
        tried.filter_map(|model| models::fit(model, &observed, options).ok()).collect();
    let names = fits.iter().map(|fit| fit.model.name().to_owned());
    let weights: Vec<(String, f64)> = names.zip(bic_weights(&fits)).collect();
    let predict = |&size: &f64| {
        let found = models::predict(&fits, size, small[0].p as f64, Confidence::P95).ok()?;
        Some(Prediction {
            problem: problem.clone(),
            variant: variant.clone(),
            point: configurations.iter().find(|c| c.n == Some(size)).map(|c| c.point.clone()),
            n: size,
            p: small[0].p,
            from: from.clone(),
            models: weights.clone(),
            time_ns: found.time,
            low_95_ns: found.low,
            high_95_ns: found.high,
        })
    };
    wanted.iter().filter_map(predict).collect()
}

/// The measurement that a prediction is of: by its point, or by n and p if only one configuration has both.
fn measurement<'a>(prediction: &Prediction, problems: &'a [Problem]) -> Option<&'a Configuration> {
    let problem = problems.iter().find(|problem| problem.name == prediction.problem)?;
    let variant = problem.variants.iter().find(|one| one.function == prediction.variant)?;
    let is_meant = |c: &&Configuration| match &prediction.point {
        Some(point) => (&c.point, c.p) == (point, prediction.p),
        None => (c.n, c.p) == (Some(prediction.n), prediction.p),
    };
    let mut found = variant.configurations.iter().filter(is_meant);
    found.next().filter(|_| found.next().is_none())
}

fn coverage(rows: &[Outcome]) -> Vec<Coverage> {
    let of = |name: &str, own: Vec<&Outcome>| {
        let measured: Vec<f64> = own.iter().map(|row| row.measured_ns.value).collect();
        let times: Vec<f64> = own.iter().map(|row| row.prediction.time_ns).collect();
        let pc = performance_complexity(&measured, &times, &ComplexityOptions::default()).ok()?;
        Some(Coverage {
            problem: name.to_owned(),
            inside: own.iter().filter(|row| row.inside).count(),
            predictions: own.len(),
            pc_a: pc.pc_a,
        })
    };
    let problems = grouped(rows.iter().map(|row| (&*row.prediction.problem, row)));
    let each = problems.into_iter().filter_map(|(name, own)| of(name, own));
    each.chain(of("all", rows.iter().collect())).collect()
}

#[cfg(test)]
mod tests {
    use plusminus::record::Role;

    use super::*;
    use crate::study::collect::Variant;

    /// T = 3·n ns, and at the largest size by a factor.
    fn problems(factor: f64) -> Vec<Problem> {
        let configuration = |(k, off): (u32, f64)| {
            let n = f64::from(1 << k);
            let factor = if k == 12 { factor } else { 1.0 };
            Configuration::for_test(&format!("n{n}"), Some(n), 1, 3.0 * n * off * factor)
        };
        let sizes = [(6, 1.01), (8, 0.99), (9, 1.02), (10, 0.98), (12, 1.0)];
        let variant = Variant {
            function: "m::f".to_owned(),
            role: Role::Contender,
            models: Vec::new(),
            configurations: sizes.map(configuration).to_vec(),
            left_out: Vec::new(),
        };
        vec![Problem { name: "m::P\u{1b}\u{202e}".to_owned(), variants: vec![variant] }]
    }

    #[test]
    fn a_file_is_written_once_and_then_compared_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("predictions.json");
        let options = FitOptions::default();
        let of = |sizes: &[f64], factor: f64| {
            predicted(&path, sizes, vec!["r.json".to_owned()], &problems(factor), (&[], &options))
        };
        let first = of(&[], 1.0).unwrap();
        assert!(first.written && first.rows.len() == 1 && first.rows[0].inside, "{first:?}");
        assert!(!fs::read_to_string(&path).unwrap().contains(['\u{1b}', '\u{202e}']));
        let own = &first.rows[0].prediction;
        assert_eq!((own.n, &*own.from), (4096.0, &[64.0, 256.0, 512.0, 1024.0][..]));
        assert!((own.time_ns / 12_288.0 - 1.0).abs() < 0.1, "{own:?}");
        // Later measurements do not change a prediction.
        let second = of(&[], 2.0).unwrap();
        assert!(!second.written && !second.rows[0].inside);
        assert_eq!(second.rows[0].prediction, *own);
        assert!((second.coverage[0].pc_a - 1.0).abs() < 0.2, "{:?}", second.coverage);
        assert!(of(&[5000.0], 1.0).unwrap_err().to_string().contains("exists; remove it"));
        fs::write(&path, "{}").unwrap();
        assert!(of(&[], 1.0).unwrap_err().to_string().contains("not a file of predictions"));
        fs::remove_file(&path).unwrap();
        // A size that nobody has measured has a prediction, and no coverage.
        let beyond = of(&[8192.0], 1.0).unwrap();
        assert_eq!((beyond.rows.len(), beyond.unmeasured), (0, 1));
        fs::remove_file(&path).unwrap();
        assert!(of(&[300.0], 1.0).unwrap_err().to_string().contains("3 sizes"));
    }
}
