//! The forms of Apex-MAP against each other, against their checks, and against a naive re-computation.

use plusminus::Problem;
use plusminus_suite::apex_map::{
    ALPHAS, Access, Accessed, ApexMap, Kept, Memory, Parameters, element, fused_array,
    fused_scalar, nested_array, nested_scalar,
};

type Variant = fn(&Memory, &Access) -> Accessed;

const VARIANTS: [(&str, Variant); 4] = [
    ("nested_scalar", nested_scalar),
    ("fused_scalar", fused_scalar),
    ("nested_array", nested_array),
    ("fused_array", fused_array),
];

fn sum(accessed: Accessed) -> f64 {
    match accessed.kept {
        Kept::Sum(sum) => sum,
        Kept::Array => panic!("a sum was expected"),
    }
}

#[test]
fn every_form_passes_its_check_at_all_170_localities() {
    let memory = ApexMap::input(&"1MiB,I=2".parse().unwrap());
    for (name, variant) in VARIANTS {
        for access in ApexMap::instances(&memory) {
            for call in 0..2 {
                let accessed = variant(&memory, &access);
                assert_eq!(accessed.call, call);
                ApexMap::check(&memory, &access, &accessed)
                    .unwrap_or_else(|error| panic!("{name}, {access}: {error}"));
            }
        }
    }
}

#[test]
fn every_form_passes_its_check_for_all_register_pressures_and_intensities() {
    for r in [1, 2, 4, 8] {
        for ci in [1, 2, 4, 8] {
            // The least memory that this number of registers allows.
            let size = (r / 2).max(1);
            let point: Parameters = format!("{size}MiB,I=4,R={r},CI={ci}").parse().unwrap();
            let memory = ApexMap::input(&point);
            for (name, variant) in VARIANTS {
                for access in ApexMap::instances(&memory).iter().step_by(57) {
                    let accessed = variant(&memory, access);
                    ApexMap::check(&memory, access, &accessed)
                        .unwrap_or_else(|error| panic!("{name}, {point}, {access}: {error}"));
                }
            }
        }
    }
}

/// From the definition alone: POSIX's drand48, the law, the values, and c·(x_r + c·(x_{r+1} + …)) with c = 1/2.
#[test]
fn the_sum_is_what_a_naive_re_computation_gives() {
    let (r, ci) = (2usize, 4usize);
    let memory = ApexMap::input(&"4MiB,I=16,R=2,CI=4".parse().unwrap());
    let span = (4usize << 20) / 8 / r;
    let ring = memory.streams()[0].len();
    for access in ApexMap::instances(&memory) {
        let locality = access.locality();
        let stream = ALPHAS.iter().position(|alpha| *alpha == locality.alpha).unwrap();
        let mut state: u128 = (1 << 16) + 0x330E;
        let mut uniform = || {
            state = (state * 0x5DEECE66D + 11) % (1 << 48);
            state as f64 / 2f64.powi(48)
        };
        // Only the first and the last stream: the others take the same path.
        if stream != 0 && stream != 9 {
            continue;
        }
        (0..stream * ring).for_each(|_| {
            uniform();
        });
        let mut expected = 0.0;
        for _ in 0..16 {
            let block = (uniform().powf(1.0 / locality.alpha) * span as f64
                / locality.block_words as f64)
                .floor();
            let start = block as usize * locality.block_words;
            for word in start..start + locality.block_words {
                for sum in 0..r {
                    for depth in 0..ci {
                        let value = f64::from(element((sum + depth) % r, word));
                        expected += value / 2f64.powi(depth as i32 + 1);
                    }
                }
            }
        }
        assert_eq!(sum(nested_scalar(&memory, &access)), expected, "{locality}");
    }
}

#[test]
fn calls_after_many_laps_still_agree_with_their_check() {
    let memory = ApexMap::input(&"2MiB,I=131072".parse().unwrap());
    let access = &ApexMap::instances(&memory)[0];
    let sums: Vec<f64> = (0..5)
        .map(|lap| {
            let accessed = fused_scalar(&memory, access);
            assert_eq!(accessed.call, lap);
            ApexMap::check(&memory, access, &accessed).unwrap();
            sum(accessed)
        })
        .collect();
    assert!(sums.windows(2).all(|pair| pair[0] != pair[1]), "laps visit other words: {sums:?}");
}

#[test]
fn work_counts_the_words_of_all_arrays() {
    for (point, instance, accesses) in
        [("2MiB", 0, 1024.0), ("2MiB", 16, 1_048_576.0), ("4MiB,R=4", 3, 32_768.0)]
    {
        let memory = ApexMap::input(&point.parse().unwrap());
        let access = &ApexMap::instances(&memory)[instance];
        assert_eq!(ApexMap::work(&memory, access).counts(), [("accesses".to_string(), accesses)]);
    }
}

#[test]
fn a_wrong_sum_a_wrong_store_and_a_late_check_are_found() {
    let memory = ApexMap::input(&"2MiB".parse().unwrap());
    let access = &ApexMap::instances(&memory)[20];
    let mut accessed = nested_scalar(&memory, access);
    accessed.kept = Kept::Sum(sum(accessed) + 0.5);
    let error = ApexMap::check(&memory, access, &accessed).unwrap_err();
    assert!(error.contains("call 0") && error.contains("must be"), "{error}");

    let accessed = nested_array(&memory, access);
    memory.destination().words[77] += 0.5;
    let error = ApexMap::check(&memory, access, &accessed).unwrap_err();
    assert!(error.contains("access 77 of array 0"), "{error}");

    let late = fused_array(&memory, access);
    fused_array(&memory, access);
    let error = ApexMap::check(&memory, access, &late).unwrap_err();
    assert!(error.contains("before the next call"), "{error}");
}

/// A process of its own for each: the variable belongs to the whole process.
#[test]
fn the_sweep_is_64_and_512_mebibytes_unless_the_variable_says_otherwise() {
    if std::env::var_os("PLUSMINUS_APEX_MAP").is_none() {
        let names: Vec<String> =
            ApexMap::sweep().into_iter().map(|point| point.to_string()).collect();
        assert_eq!(names, ["64MiB", "512MiB"]);
    }
    let list = |value: &str| {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "all::apex_kernels::prints_the_sweep", "--ignored", "--nocapture"])
            .env("PLUSMINUS_APEX_MAP", value)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    };
    let found = list("16MiB; 64MiB,R=4,CI=2");
    assert!(found.contains("16MiB;64MiB,R=4,CI=2;"), "{found}");
    let found = list("16MB");
    assert!(found.contains("PLUSMINUS_APEX_MAP is wrong") && found.contains("`16MB`"), "{found}");
}

#[test]
#[ignore = "run by the test above"]
fn prints_the_sweep() {
    for point in ApexMap::sweep() {
        print!("{point};");
    }
}
