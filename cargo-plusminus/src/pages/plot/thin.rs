//! Drops dots that would overlap, never the outermost ones.

/// At most about `limit` of the points, in their order: of each stretch the first, the lowest and the highest.
pub(super) fn thinned(points: &[[f64; 2]], limit: usize) -> Vec<[f64; 2]> {
    if points.len() <= limit {
        return points.to_vec();
    }
    let stretches = (limit / 3).max(1);
    let mut kept = Vec::with_capacity(3 * stretches);
    for stretch in 0..stretches {
        let (from, to) =
            (stretch * points.len() / stretches, (stretch + 1) * points.len() / stretches);
        let by_height = |a: &usize, b: &usize| points[*a][1].total_cmp(&points[*b][1]);
        let mut chosen: Vec<usize> = vec![from];
        chosen.extend((from..to).min_by(by_height));
        chosen.extend((from..to).max_by(by_height));
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|index| points[index]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_stay_and_of_many_the_outermost() {
        let points: Vec<[f64; 2]> =
            (0..1000).map(|i| [f64::from(i), f64::from(i * 7 % 101)]).collect();
        assert_eq!(thinned(&points, 1000), points);
        let kept = thinned(&points, 90);
        assert!(kept.len() <= 90 && kept.len() >= 60, "{}", kept.len());
        let ends = [0.0, 100.0].map(|end| kept.iter().any(|point| point[1] == end));
        assert_eq!(ends, [true, true], "the lowest and the highest");
        assert!(kept.windows(2).all(|pair| pair[0][0] < pair[1][0]), "in their order");
    }
}
