//! Communication by round and by places, and the claims in the text of the paper.

use plusminus::record::CaseRecord;

use super::{
    super::beside::{Found, fares, range, ratio},
    COMM, Known, RINGS,
    figure_8::FIGURE_8,
    is_64, is_dense, of, tally,
};

/// Kernels that end in fewer rounds in Mx-In, and in Mn-In.
const FEWER: [&[&str]; 2] = [&["bf", "dst", "dr", "ds", "dp"], &["mis", "vc"]];

/// Returns the counts of one shape of input by round; the version with clocks, as the paper draws.
pub(super) fn by_round<'a>(cases: &[Known<'a>], kernel: &str, sparse: bool) -> Option<&'a [f64]> {
    let style = if kernel == "dr" { "fork_join" } else { "clocked" };
    let rounds = of(cases, kernel, style, sparse, COMM).map(|tally| &tally.per_round[..]);
    rounds.filter(|rounds| !rounds.is_empty())
}

/// Whether BY communicates as much in each round.
pub(super) fn even(cases: &[Known<'_>]) -> Found {
    let spreads: Vec<(bool, f64)> = [true, false]
        .into_iter()
        .filter_map(|sparse| {
            let (low, high) = range(by_round(cases, "by", sparse)?.iter().copied())?;
            Some((sparse, high / low))
        })
        .collect();
    let equal = spreads.iter().filter(|(_, spread)| *spread < 1.05).count();
    let each = spreads.iter().map(|(sparse, spread)| {
        format!(
            "{}: largest over smallest round × {spread:.2}",
            if *sparse { "Mn-In" } else { "Mx-In" }
        )
    });
    Found {
        here: (!spreads.is_empty()).then(|| each.collect::<Vec<_>>().join("; ")),
        ratio: None,
        said: fares(equal, spreads.len(), "inputs differ by less than 5 % from round to round"),
    }
}

/// In which input each kernel has fewer rounds.
pub(super) fn fewer(cases: &[Known<'_>]) -> Found {
    let (mut of, mut same, mut others, mut here) = (0, 0, Vec::new(), Vec::new());
    for (kernels, dense_has_fewer) in FEWER.iter().zip([true, false]) {
        for kernel in *kernels {
            let rounds = |sparse| by_round(cases, kernel, sparse).map(<[f64]>::len);
            let Some((sparse, dense)) = rounds(true).zip(rounds(false)) else { continue };
            of += 1;
            let name = kernel.to_uppercase();
            here.push(format!("{name} {sparse} and {dense}"));
            let agrees = if dense_has_fewer { dense < sparse } else { sparse < dense };
            same += usize::from(agrees);
            if !agrees {
                others.push(name);
            }
        }
    }
    let mut said =
        fares(same, of, "kernels have fewer rounds in the input that has so in the paper");
    if !others.is_empty() {
        said.push_str(&format!(" Not so: {}.", others.join(", ")));
    }
    Found {
        here: (of > 0).then(|| format!("rounds in Mn-In and in Mx-In: {}", here.join("; "))),
        ratio: None,
        said,
    }
}

/// Places and the communication with them.
pub(super) fn at_places(case: &CaseRecord) -> Vec<[f64; 2]> {
    let all = case.tallies.iter().flat_map(|one| &one.tallies);
    all.filter_map(|tally| {
        let places = tally.name.strip_prefix("comm at ")?.split(' ').next()?;
        Some([places.parse().ok()?, tally.total])
    })
    .collect()
}

/// Whether communication grows with places.
pub(super) fn places(cases: &[Known<'_>]) -> Found {
    let (mut of, mut grow, mut from_two) = (0, 0, Vec::new());
    for (kernel, style) in FIGURE_8.iter().flat_map(|(k, _)| [(*k, "fork_join"), (*k, "clocked")]) {
        let own = cases.iter().find(|known| {
            known.kernel == kernel
                && known.style == style
                && is_64(known.case)
                && (is_dense(known) || RINGS.contains(&kernel))
                && tally(known.case, COMM).is_some()
        });
        let Some(points) = own.map(|own| at_places(own.case)) else { continue };
        of += 1;
        grow += usize::from(points.windows(2).all(|pair| pair[0][1] < pair[1][1]));
        let at = |places: f64| points.iter().find(|point| point[0] == places).map(|point| point[1]);
        from_two.extend(at(64.0).zip(at(2.0)).map(|(many, two)| many / two));
    }
    Found {
        here: ratio(from_two).map(|range| format!("comm at 64 places is {range} that at 2")),
        ratio: None,
        said: format!(
            "{} Times with shifts that take time are those of the bench `imsuite_places`.",
            fares(grow, of, "kernels and styles communicate more with every doubling of places")
        ),
    }
}
