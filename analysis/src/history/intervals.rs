//! Seeded intervals (Kovács, Bühlmann, Li and Munk 2023): lengths that shrink by √2, at distances of half a length.

/// The intervals of `n` points that are shorter than all of them, and no shorter than `least`.
pub(super) fn seeded(n: usize, least: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut length = n as f64 / std::f64::consts::SQRT_2;
    while length >= least as f64 {
        let whole = length.ceil() as usize;
        // As many as cover everything at distances of half a length.
        let count = 2 * ((n as f64 / length).ceil() as usize) - 1;
        for index in 0..count {
            let from = if count == 1 { 0 } else { index * (n - whole) / (count - 1) };
            found.push((from, from + whole));
        }
        length /= std::f64::consts::SQRT_2;
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|(from, to)| to - from < n);
    found
}

#[cfg(test)]
mod tests {
    use super::seeded;

    #[test]
    fn every_short_level_lies_within_an_interval_that_is_not_much_longer() {
        for n in [0, 1, 5, 6, 7, 20, 100] {
            let all = seeded(n, 6);
            assert!(all.iter().all(|(from, to)| from + 6 <= *to && *to <= n), "{n}: {all:?}");
        }
        let all = seeded(100, 6);
        for from in 0..90 {
            let around = all.iter().filter(|(a, b)| *a <= from && from + 10 <= *b);
            let shortest = around.map(|(a, b)| b - a).min().unwrap();
            assert!(shortest <= 36, "{from}: {shortest}");
        }
    }
}
