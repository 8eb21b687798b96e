//! The quoted lines, computed from the published data of `tests/vectors.json`.

use std::fmt::Write as _;

use plusminus_analysis::complexity::{ComplexityOptions, performance_complexity};
use plusminus_analysis::decomposition::{Cells, Instances, Scale, decompose};
use plusminus_analysis::models::{
    FitOptions, Model, Observation, SerialFraction, compare, fit, scaled_fit, simple_fit,
};
use plusminus_analysis::random::Random;
use plusminus_analysis::scaling::{AmdahlFraction, work_growth};
use plusminus_analysis::speedup::{Kind, paired, unpaired};
use plusminus_analysis::summary::{geometric_mean, summarize};
use plusminus_analysis::{Confidence, Interval};

/// Table 1 of "The Value of Variance": KLA on 8 problem instances, seconds.
const RUN_2: [f64; 8] = [
    67.1721137, 69.1144691, 58.2407584, 95.0383578, 81.5043034, 66.1346017, 196.359002, 71.0783083,
];
const RUN_5: [f64; 8] = [
    68.2187308,
    64.6999926,
    73.1340169,
    66.5868368,
    111.286377,
    78.3502649,
    127.3131639,
    96.6814628,
];
/// Measured and modeled rates of five benchmarks.
const MEASURED: [f64; 5] = [1e9, 8e8, 5e8, 2e8, 1e8];
const MODELLED: [f64; 5] = [9.5e8, 8.4e8, 4.6e8, 2.3e8, 0.9e8];

/// All lines.
pub(crate) fn text() -> String {
    let mut out = String::new();
    summaries(&mut out);
    speedups(&mut out);
    variance(&mut out);
    complexity(&mut out);
    fits(&mut out);
    parallel(&mut out);
    out
}

fn line(out: &mut String, name: &str, value: impl std::fmt::Display) {
    writeln!(out, "| {name} | {value} |").expect("writing to a string");
}

fn ends(interval: Option<Interval>) -> String {
    interval.map_or_else(|| "none".to_owned(), |i| format!("[{:.3}, {:.3}]", i.low, i.high))
}

fn summaries(out: &mut String) {
    for (name, run) in [("run 2", RUN_2), ("run 5", RUN_5)] {
        let s = summarize(&run).expect("finite");
        let u = s.u.expect("eight values");
        line(out, &format!("{name}: mean ± u"), format!("{:.1} ± {u:.1} s", s.mean));
        line(out, &format!("{name}: spread"), format!("{:.1} s", s.spread.expect("eight values")));
        line(out, &format!("{name}: RSU = u/mean"), format!("{:.3}", s.rsu.expect("not 0")));
        line(out, &format!("{name}: cv = spread/mean"), format!("{:.3}", s.cv.expect("not 0")));
        let seventh = 100.0 * (run[6] / s.mean - 1.0);
        line(out, &format!("{name}: instance 7 over the mean"), format!("+{seventh:.0} %"));
    }
}

fn speedups(out: &mut String) {
    let kind = Kind::BetweenVariants;
    let s = unpaired(&RUN_2, &RUN_5, kind).expect("positive");
    let sigma = s.sigma.expect("eight values");
    line(out, "S ± σ of run 5 over run 2, unpaired", format!("{:.2} ± {sigma:.2}", s.speedup));
    let spread = s.spread.expect("eight values");
    line(out, "the same with sample standard deviations", format!("± {spread:.2}"));
    let with = paired(&RUN_2, &RUN_5, kind).expect("positive");
    let sigma = with.sigma.expect("eight values");
    line(out, "S ± σ, paired by instance", format!("{:.2} ± {sigma:.2}", with.speedup));
    line(out, "95 %: log scale", ends(s.log_interval(Confidence::P95)));
    for n in [5, 8] {
        let covered =
            1.0 - plusminus_analysis::special::student_t_two_sided_tail(1.0, f64::from(n - 1));
        let name = format!("S ± σ without a t factor covers, n = {n} on one side");
        line(out, &name, format!("{:.1} %", 100.0 * covered));
    }
    let ratios: Vec<f64> = RUN_2.iter().zip(&RUN_5).map(|(a, b)| a / b).collect();
    let mean = summarize(&ratios).expect("finite").mean;
    line(out, "ratio of means", format!("{:.4}", s.speedup));
    line(out, "arithmetic mean of ratios", format!("{mean:.4}"));
    let log = geometric_mean(&ratios).expect("positive");
    line(out, "geometric mean of ratios", format!("{log:.4}"));
}

fn variance(out: &mut String) {
    let times = [RUN_2, RUN_5].concat();
    let table = Cells::new(&times, 2, 8, 1).expect("complete");
    let raw = decompose(&table, Scale::Raw).expect("two runs");
    let log = decompose(&table, Scale::Log).expect("two runs");
    let icc = 100.0 * raw.icc.expect("they vary");
    line(out, "share of the instance in the variance", format!("{icc:.0} %"));
    line(out, "p that runs do not differ", format!("{:.2}", log.f_run.expect("residual").p));
    let fixed = raw.sigma(Instances::Fixed);
    line(out, "σ of the mean, these 8 instances", format!("{fixed:.1} s"));
    let random = raw.sigma(Instances::Random);
    line(out, "σ of the mean, instances as a random sample", format!("{random:.1} s"));
    let seven = log.contrasts[6];
    let (factor, p) = (seven.factor.expect("log"), seven.p_adjusted.expect("residual"));
    line(out, "instance 7 against the others", format!("×{factor:.2} (p = {p:.3} after ×8)"));
    let z = log.cells[6].robust_z.expect("they vary");
    line(out, "robust z of run 2, instance 7", format!("{z:.1}"));
}

fn complexity(out: &mut String) {
    let options = ComplexityOptions::default();
    let pc = |m: &[f64]| performance_complexity(&MEASURED, m, &options).expect("positive");
    let c = pc(&MODELLED);
    line(out, "pc_a", format!("{:.4}", c.pc_a));
    line(out, "pc_r", format!("{:.4}", c.pc_r.expect("they vary")));
    line(out, "unresolved_sd", format!("{:.4}", c.unresolved_sd.expect("they vary")));
    line(out, "pc_ratio", format!("{:.4}", c.pc_ratio.expect("they vary")));
    let flat = pc(&[c.mean_performance; 5]);
    line(out, "pc_r of the best flat model", format!("{:.3}", flat.pc_r.expect("they vary")));
    let mean = MEASURED.iter().sum::<f64>() / 5.0;
    let flat = pc(&[mean; 5]).pc_r.expect("they vary");
    line(out, "pc_r of a flat model at the arithmetic mean", format!("{flat:.3}"));
    let times: Vec<f64> = MEASURED.iter().map(|x| 1.0 / x).collect();
    let modelled: Vec<f64> = MODELLED.iter().map(|x| 1.0 / x).collect();
    let c = performance_complexity(&times, &modelled, &options).expect("positive");
    line(out, "pc_a of the same as times", format!("{:.4}", c.pc_a));
}

fn fits(out: &mut String) {
    let times = [3.92, 9.21, 20.6, 46.9, 103.5, 226.0, 498.0, 1071.0];
    let sizes: Vec<Observation> =
        (0..8).map(|i| Observation::of_size(64.0 * 2_f64.powi(i), times[i as usize])).collect();
    let scaled = scaled_fit(Model::Constant, &sizes).expect("positive").coefficients[0];
    let log = fit(Model::Constant, &sizes, &FitOptions::default()).expect("positive").values()[0];
    line(out, "constant fitted to 3.9 … 1071, scaled", format!("{scaled:.2}"));
    line(out, "constant fitted to 3.9 … 1071, log", format!("{log:.2}"));
    let models = [Model::NLogN, Model::LinearPlusNLogN, Model::AffineNLogN];
    for r in compare(&models, &sizes, &FitOptions::default()).expect("they fit").ranked {
        let weight = r.weight.expect("enough points");
        line(out, &format!("Akaike weight of {}", r.fit.model.formula()), format!("{weight:.3}"));
    }
    let p_times = [100.6, 52.1, 28.9, 17.0, 11.7, 10.35, 12.95];
    let processors: Vec<Observation> =
        (0..7).map(|i| Observation::of_processors(2_f64.powi(i), p_times[i as usize])).collect();
    let usl = fit(Model::Usl, &processors, &FitOptions::default()).expect("they fit");
    let peak = usl.usl().and_then(|u| u.peak).expect("measured beyond it");
    let u = peak.u.expect("enough points");
    line(out, "processors at the peak, by USL", format!("{:.1} ± {u:.1}", peak.value));
    line(out, "pc_a of USL", format!("{:.3}", usl.complexity.pc_a));
    let amdahl = fit(Model::Amdahl, &processors, &FitOptions::default()).expect("they fit");
    if let Some(SerialFraction::OfSequentialTime(f)) = amdahl.serial_fraction() {
        line(out, "serial fraction by Amdahl's model", format!("{:.3}", f.value));
    }
    line(out, "pc_a of Amdahl's model", format!("{:.3}", amdahl.complexity.pc_a));
    for noise in [0.1, 0.3] {
        let mut random = Random::new(101);
        let mut sums = [0.0; 3];
        for _ in 0..4000 {
            let o: Vec<Observation> = (0..20)
                .map(|i| {
                    let n = 10.0 * 1.4_f64.powi(i);
                    Observation::of_size(n, n * (noise * random.normal()).exp())
                })
                .collect();
            sums[0] += simple_fit(Model::Linear, &o).expect("positive").coefficients[0] - 1.0;
            sums[1] += scaled_fit(Model::Linear, &o).expect("positive").coefficients[0] - 1.0;
            let logs: f64 = o.iter().map(|o| (o.time / o.n).ln()).sum();
            sums[2] += (logs / 20.0).exp() - 1.0;
        }
        let [_, scaled, log] = sums.map(|s| 100.0 * s / 4000.0);
        let noise = 100.0 * noise;
        line(
            out,
            &format!("bias of the scaled fit at {noise:.0} % noise"),
            format!("{scaled:+.1} %"),
        );
        line(out, &format!("bias of the log fit at {noise:.0} % noise"), format!("{log:+.1} %"));
    }
}

fn parallel(out: &mut String) {
    let tenth = AmdahlFraction::new(0.1).expect("a share");
    for p in [5, 10, 100] {
        let s = tenth.speedup(p);
        line(out, &format!("Amdahl, a tenth of the sequential time, p = {p}"), format!("{s:.2}"));
    }
    let equal = |p: f64| p * (p.log2() - 1.0);
    let large = |p: f64| p * p.log2();
    for (from, to) in [(8.0, 16.0), (1024.0, 2048.0)] {
        let growth = work_growth(&equal, from, to).expect("positive");
        line(out, &format!("work growth, n = p, {from} to {to}"), format!("×{growth:.3}"));
        let growth = work_growth(&large, from, to).expect("positive");
        line(out, &format!("work growth, n ≫ p, {from} to {to}"), format!("×{growth:.3}"));
    }
}
