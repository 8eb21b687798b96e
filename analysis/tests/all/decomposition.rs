//! The decomposition of Table 1 of "The Value of Variance" (two runs × eight instances), and tables whose
//! answer is known by construction.

use plusminus_analysis::decomposition::{
    Cells, Decomposition, Flag, Instances, Scale, decompose, speedup_by_instance,
};
use serde_json::Value;

use crate::support::{close, list, number, vectors, within};

fn table_1(scale: Scale) -> Decomposition {
    let data = &vectors()["kla_times_s"];
    let times = [list(&data["run_2"]), list(&data["run_5"])].concat();
    decompose(&Cells::new(&times, 2, 8, 1).unwrap(), scale).unwrap()
}

fn common(parts: &Decomposition, expected: &Value, digits: f64) {
    within(parts.run.sum_of_squares, &expected["ss_run"], 3e-8);
    within(parts.instance.sum_of_squares, &expected["ss_instance"], 1e-9);
    within(parts.interaction.sum_of_squares, &expected["ss_residual"], 1e-9);
    let (instance, run) = (parts.f_instance.unwrap(), parts.f_run.unwrap());
    assert_eq!((instance.degrees_of_freedom, run.degrees_of_freedom), ((7.0, 7.0), (1.0, 7.0)));
    within(instance.f, &expected["f_instance"], digits);
    within(instance.p, &expected["p_instance"], digits);
    within(run.f, &expected["f_run"], 1e-8);
    assert!((run.p - number(&expected["p_run"])).abs() < 0.0005);
    within(parts.variance_instance.variance, &expected["variance_instance"], digits);
    within(parts.variance_interaction.variance, &expected["variance_residual"], digits);
    assert!(parts.variance_run.variance == 0.0 && parts.variance_run.unclipped < 0.0);
    within(parts.icc.unwrap(), &expected["icc"], digits);
    let share = 100.0 * parts.shares().unwrap()[0];
    assert!((share - number(&expected["share_instance_percent"])).abs() < 0.05);
    let seven = parts.contrasts[6];
    within(seven.t.unwrap(), &expected["instance_7_t"], digits);
    within(seven.p.unwrap(), &expected["instance_7_p"], 1e-7);
    within(seven.p_adjusted.unwrap(), &expected["instance_7_p_times_8"], 1e-8);
    within(seven.factor.unwrap_or(seven.difference), &expected["instance_7"], digits);
    let cell = parts.cells[6];
    within(cell.studentized.unwrap(), &expected["cell_residual"], digits);
    within(cell.p_adjusted.unwrap(), &expected["cell_p_times_8"], digits);
}

#[test]
fn table_1_raw() {
    let parts = table_1(Scale::Raw);
    let expected = &vectors()["decomposition"]["raw"];
    common(&parts, expected, 2e-10);
    close(parts.mean, &expected["grand_mean"]);
    within(parts.variance_run.unclipped, &expected["variance_run_unclipped"], 1e-10);
    // With two runs the instance variance is the covariance of the two rows.
    close(parts.variance_instance.variance, &vectors()["speedup"]["covariance"]);
}

#[test]
fn table_1_log() {
    let parts = table_1(Scale::Log);
    common(&parts, &vectors()["decomposition"]["log"], 1.1e-9);
    let robust = &vectors()["decomposition"]["robust_z"];
    within(parts.cells[6].robust_z.unwrap(), &robust["run_2_instance_7"], 1e-10);
    within(parts.cells[14].robust_z.unwrap(), &robust["run_5_instance_7"], 1e-10);
    // One proven effect, one hint: two runs cannot prove that a cell is odd.
    let flags = parts.flags(0.05);
    assert_eq!(flags.len(), 2, "{flags:?}");
    assert!(matches!(flags[0], Flag::SensitiveInstance { instance: 6, factor: Some(f), .. }
        if (f - 2.107_968).abs() < 1e-6));
    assert!(matches!(flags[1], Flag::Suspect { run: 0, instance: 6, robust_z, .. }
        if (robust_z - 6.65).abs() < 0.001));
}

#[test]
fn uncertainty_of_the_mean_of_table_1() {
    let parts = table_1(Scale::Raw);
    // Runs do not differ detectably: the residual over 16 cells is all the noise there is.
    let fixed = 533.481271432196_f64 / 16.0;
    close(parts.sigma(Instances::Fixed), &fixed.sqrt().into());
    let random = fixed + 759.701245584207 / 8.0;
    close(parts.sigma(Instances::Random), &random.sqrt().into());
    assert_eq!(parts.estimate(Instances::Fixed).degrees_of_freedom, Some(7.0));
    assert!(parts.estimate(Instances::Random).degrees_of_freedom.unwrap() < 14.0);
}

/// A table from μ, instance effects, run effects and a small noise without structure.
fn built(instances: &[f64], runs: &[f64], repeats: usize, noise: f64) -> Vec<f64> {
    let mut values = Vec::new();
    let mut state = 1_u32;
    for r in runs {
        for i in instances {
            for _ in 0..repeats {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let jitter = f64::from(state >> 8) / f64::from(1 << 24) - 0.5;
                values.push((3.0 + i + r + noise * jitter).exp());
            }
        }
    }
    values
}

#[test]
fn repeats_separate_interaction_from_error() {
    let instances = [0.0, 0.1, -0.2, 0.3, 0.05];
    let runs = [0.0, 0.02, -0.03, 0.01];
    let values = built(&instances, &runs, 6, 0.01);
    let parts = decompose(&Cells::new(&values, 4, 5, 6).unwrap(), Scale::Log).unwrap();
    // A uniform of width w has variance w²/12.
    let error = parts.variance_error.unwrap().variance;
    assert!((error / (0.01_f64.powi(2) / 12.0) - 1.0).abs() < 0.3, "{error}");
    assert!(parts.f_interaction.unwrap().p > 0.01);
    assert!(parts.f_run.unwrap().p < 1e-6 && parts.f_instance.unwrap().p < 1e-6);
    // Sums of squares add up to the total.
    let logs: Vec<f64> = values.iter().map(|v| v.ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let total: f64 = logs.iter().map(|y| (y - mean).powi(2)).sum();
    let sum = [parts.instance, parts.run, parts.interaction, parts.error.unwrap()]
        .iter()
        .map(|p| p.sum_of_squares)
        .sum::<f64>();
    close(sum, &total.into());
}

#[test]
fn an_odd_cell_is_found_and_not_blamed_on_its_instance() {
    let mut values = built(&[0.0; 8], &[0.0; 6], 1, 0.05);
    values[2 * 8 + 5] *= 3.0;
    let flags = decompose(&Cells::new(&values, 6, 8, 1).unwrap(), Scale::Log).unwrap().flags(0.05);
    assert!(
        flags
            .iter()
            .any(|f| matches!(f, Flag::OddCell { run: 2, instance: 5, mirrored: false, .. })),
        "{flags:?}"
    );
    assert!(!flags.iter().any(|f| matches!(f, Flag::SensitiveInstance { .. })), "{flags:?}");
}

#[test]
fn a_speedup_that_depends_on_the_instance() {
    let base = built(&[0.0, 0.5, 1.0, 0.2], &[0.0, 0.1, -0.1], 2, 0.01);
    let same = built(&[-1.0, -0.5, 0.0, -0.8], &[0.0, 0.1, -0.1], 3, 0.01);
    let other = built(&[-1.0, -0.5, 0.8, -0.8], &[0.0, 0.1, -0.1], 3, 0.01);
    let cells = |v, k| Cells::new(v, 3, 4, k).unwrap();
    let alike = speedup_by_instance(&cells(&base, 2), &cells(&same, 3)).unwrap();
    assert!(alike.decomposition.f_instance.unwrap().p > 0.01);
    assert!((alike.decomposition.mean - 1.0).abs() < 0.01);
    let differs = speedup_by_instance(&cells(&base, 2), &cells(&other, 3)).unwrap();
    assert!(differs.decomposition.f_instance.unwrap().p < 1e-6);
    let (low, high) = differs.range();
    assert!((low / 0.2_f64.exp() - 1.0).abs() < 0.02 && (high / 1_f64.exp() - 1.0).abs() < 0.02);
    // The run effect is the same on both sides and cancels.
    assert!(differs.decomposition.f_run.unwrap().p > 0.01);
}

#[test]
fn edges() {
    assert!(Cells::new(&[1.0; 7], 2, 4, 1).is_err());
    assert!(Cells::new(&[], 0, 4, 1).is_err());
    assert!(Cells::new(&[1.0, f64::NAN], 1, 2, 1).is_err());
    let one_run = [1.0; 4];
    assert!(decompose(&Cells::new(&one_run, 1, 4, 1).unwrap(), Scale::Log).is_err());
    let zeros = [0.0; 8];
    assert!(decompose(&Cells::new(&zeros, 2, 4, 1).unwrap(), Scale::Log).is_err());
    // Nothing varies: no test, no share, no flag, and no uncertainty left.
    let parts = decompose(&Cells::new(&zeros, 2, 4, 1).unwrap(), Scale::Raw).unwrap();
    assert!(parts.f_instance.is_none() && parts.f_run.is_none() && parts.icc.is_none());
    assert!(parts.shares().is_none() && parts.flags(0.05).is_empty());
    assert_eq!(parts.sigma(Instances::Random), 0.0);
    // The smallest table leaves no degree of freedom to judge cells with.
    let smallest = decompose(&Cells::new(&[1.0, 2.0, 3.0, 5.0], 2, 2, 1).unwrap(), Scale::Log);
    assert!(smallest.unwrap().cells.iter().all(|c| c.studentized.is_none()));
}
