//! Performance Complexity of your own problem: three sorts over sizes and processors, from the record that `cargo
//! bench -p plusminus-benches --bench three_sorts` has written.
//!
//! Nothing here is made for sorting: it takes every variant of a record that has sizes.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use cargo_plusminus::study::measured::{Measured, measured};
use plusminus::record;
use plusminus_analysis::complexity::{ComplexityOptions, performance_complexity};
use plusminus_analysis::models::{FitOptions, Model, Observation, compare, fit};

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("which record? Give the path that `cargo bench` printed");
        return ExitCode::from(2);
    };
    let study = record::read(Path::new(&path))
        .map_err(|error| error.to_string())
        .and_then(|record| study(&measured(&record)));
    match study {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", Path::new(&path).display());
            ExitCode::from(2)
        }
    }
}

/// One configuration for the models: n, p, time, and its relative uncertainty.
type Configuration = (Observation, f64);

fn study(measured: &[Measured]) -> Result<String, String> {
    let mut variants: Vec<&str> = Vec::new();
    for one in measured {
        if !variants.contains(&one.variant.as_str()) {
            variants.push(&one.variant);
        }
    }
    let mut text = String::new();
    for variant in variants {
        let configurations = configurations(measured, variant);
        if configurations.is_empty() {
            return Err(format!(
                "`{variant}` has no sizes: let its problem tell the `size` of a point"
            ));
        }
        let swept = configurations.iter().any(|(observed, _)| observed.p > 1.0);
        let table = if swept { over_both(&configurations) } else { over_sizes(&configurations) };
        let table = table.map_err(|error| format!("{variant}: {error}"))?;
        writeln!(text, "{variant}\n{table}").expect("writing to a string cannot fail");
    }
    Ok(text)
}

/// Instances of a point count as one configuration: their mean, with their uncertainties in quadrature.
fn configurations(measured: &[Measured], variant: &str) -> Vec<Configuration> {
    let mut all: Vec<Configuration> = Vec::new();
    let mut of_variant = measured.iter().filter(|one| one.variant == variant).peekable();
    while let Some(first) = of_variant.next() {
        let Some(n) = first.size else { continue };
        let mut instances = vec![first];
        let same = |one: &&Measured| one.point == first.point && one.processors == first.processors;
        while let Some(next) = of_variant.next_if(same) {
            instances.push(next);
        }
        let count = instances.len() as f64;
        let time = instances.iter().map(|one| one.call.value).sum::<f64>() / count;
        let u = instances.iter().filter_map(|one| one.call.u).fold(0.0, f64::hypot) / count;
        all.push((Observation { n, p: first.processors as f64, time: 1e9 * time }, u / time));
    }
    all
}

/// On one processor: which function of n?
fn over_sizes(configurations: &[Configuration]) -> Result<String, String> {
    let models =
        [Model::Constant, Model::Linear, Model::NLogN, Model::LinearPlusNLogN, Model::PowerLaw];
    table(&models, configurations)
}

/// Over n and p: all that the analysis crate knows, and a formula of our own.
fn over_both(configurations: &[Configuration]) -> Result<String, String> {
    let mut text =
        table(&[Model::Constant, Model::NLogN, Model::SizeAndProcessors], configurations)?;
    // The assumption of a programmer who has never measured a second processor: n·log n, divided by p.
    let error = |error: plusminus_analysis::Error| error.to_string();
    let on_one: Vec<Observation> =
        configurations.iter().map(|(observed, _)| *observed).filter(|one| one.p == 1.0).collect();
    let sequential = fit(Model::NLogN, &on_one, &FitOptions::default()).map_err(error)?;
    let predictions: Vec<f64> = configurations
        .iter()
        .map(|(one, _)| sequential.predict(one.n, 1.0).map(|time| time / one.p))
        .collect::<Result<_, _>>()
        .map_err(error)?;
    let times: Vec<f64> = configurations.iter().map(|(one, _)| one.time).collect();
    let options = ComplexityOptions {
        fitted_parameters: 1,
        rsu: configurations.iter().map(|(_, u)| *u).collect(),
        ..ComplexityOptions::default()
    };
    let pc = performance_complexity(&times, &predictions, &options).map_err(error)?;
    writeln!(
        text,
        "  {:<56} {:8.4}   bias ×{:.3}",
        "c·n·log n/p, with c from p = 1", pc.pc_a, pc.bias_factor
    )
    .expect("writing to a string cannot fail");
    Ok(text)
}

/// Models side by side.
fn table(models: &[Model], configurations: &[Configuration]) -> Result<String, String> {
    let observed: Vec<Observation> = configurations.iter().map(|(observed, _)| *observed).collect();
    let comparison =
        compare(models, &observed, &FitOptions::default()).map_err(|error| error.to_string())?;
    let floor: f64 = configurations.iter().map(|(_, u)| u * u).sum::<f64>() / observed.len() as f64;
    let mut text = format!(
        "  {} configurations, noise floor {:.4}\n  {:<56}     PC_a   leave-one-out   weight   coefficients in ns\n",
        observed.len(),
        floor.sqrt().exp_m1(),
        "model"
    );
    let optional = |value: Option<f64>| value.map_or("n/a".to_string(), |v| format!("{v:.4}"));
    for ranked in &comparison.ranked {
        let coefficients: Vec<String> = ranked
            .fit
            .coefficients
            .iter()
            .map(|one| format!("{}={:.4}", one.name, one.estimate.value))
            .collect();
        writeln!(
            text,
            "  {:<56} {:8.4} {:>15} {:>8}   {}",
            ranked.fit.model.formula(),
            ranked.fit.complexity.pc_a,
            optional(ranked.leave_one_out),
            optional(ranked.weight),
            coefficients.join(" "),
        )
        .expect("writing to a string cannot fail");
    }
    for (model, error) in &comparison.refused {
        writeln!(text, "  {:<56} not fitted: {error}", model.formula())
            .expect("writing to a string cannot fail");
    }
    Ok(text)
}
