//! Least squares for the handful of coefficients that a model has: plain, and with coefficients ≥ 0.

use crate::sums::dot;

/// Minimizes Σ (Σ_k columns[k][j]·b_k − rhs[j])² by Householder reflections.
///
/// Returns the coefficients and the upper triangle R with RᵀR = XᵀX, or `None` when the columns do not
/// determine the coefficients.
pub(super) fn least_squares(
    columns: &[Vec<f64>],
    rhs: &[f64],
) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let (m, q) = (rhs.len(), columns.len());
    if m < q || q == 0 {
        return None;
    }
    // Columns of length 1: sizes and their squares differ by many orders of magnitude.
    let norms: Vec<f64> = columns.iter().map(|column| dot(column, column).sqrt()).collect();
    if norms.iter().any(|n| !(n.is_finite() && *n > 0.0)) {
        return None;
    }
    let scaled = columns.iter().zip(&norms);
    let mut a: Vec<Vec<f64>> =
        scaled.map(|(column, n)| column.iter().map(|x| x / n).collect()).collect();
    let mut y = rhs.to_vec();
    for k in 0..q {
        let length = dot(&a[k][k..], &a[k][k..]).sqrt();
        if length < 1e-12 {
            return None;
        }
        let pivot = if a[k][k] > 0.0 { -length } else { length };
        let mut reflector = a[k][k..].to_vec();
        reflector[0] -= pivot;
        let squared = dot(&reflector, &reflector);
        // Each column, and y, loses its share of the reflector twice.
        for column in &mut a[k..] {
            reflect(&reflector, squared, &mut column[k..]);
        }
        reflect(&reflector, squared, &mut y[k..]);
    }
    let mut b = vec![0.0; q];
    for k in (0..q).rev() {
        let known: f64 = (k + 1..q).map(|c| a[c][k] * b[c]).sum();
        b[k] = (y[k] - known) / a[k][k];
    }
    b.iter_mut().zip(&norms).for_each(|(b, n)| *b /= n);
    let triangle = (0..q)
        .map(|k| (0..q).map(|c| if c < k { 0.0 } else { a[c][k] * norms[c] }).collect())
        .collect();
    b.iter().all(|b| b.is_finite()).then_some((b, triangle))
}

pub(super) fn columns(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let number = rows.first().map_or(0, Vec::len);
    (0..number).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}

/// x − 2·v·(vᵀx)/(vᵀv) for a reflector v.
fn reflect(v: &[f64], squared: f64, x: &mut [f64]) {
    let share = 2.0 * dot(v, x) / squared;
    v.iter().zip(x).for_each(|(v, x)| *x -= share * v);
}

/// (RᵀR)⁻¹ for an upper triangle R.
pub(super) fn inverse_normal(triangle: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let q = triangle.len();
    // Columns of R⁻¹ by back substitution; (RᵀR)⁻¹ = R⁻¹R⁻ᵀ.
    let columns: Vec<Vec<f64>> = (0..q)
        .map(|column| {
            let mut solved = vec![0.0; q];
            for k in (0..=column).rev() {
                let unit = if k == column { 1.0 } else { 0.0 };
                let known: f64 = (k + 1..=column).map(|c| triangle[k][c] * solved[c]).sum();
                solved[k] = (unit - known) / triangle[k][k];
            }
            solved
        })
        .collect();
    let product = |i: usize, j: usize| columns.iter().map(|c| c[i] * c[j]).sum();
    (0..q).map(|i| (0..q).map(|j| product(i, j)).collect()).collect()
}

/// Minimizes the same with b ≥ 0, by an active set (Lawson & Hanson 1974).
pub(super) fn non_negative(rows: &[Vec<f64>], rhs: &[f64]) -> Vec<f64> {
    let q = rows.first().map_or(0, Vec::len);
    let mut b = vec![0.0; q];
    let mut free = vec![false; q];
    let norms: Vec<f64> =
        (0..q).map(|k| rows.iter().map(|r| r[k] * r[k]).sum::<f64>().sqrt()).collect();
    for _ in 0..20 * q.max(1) {
        let residual: Vec<f64> = rows.iter().zip(rhs).map(|(r, y)| y - dot(r, &b)).collect();
        let scale = dot(rhs, rhs).sqrt();
        let gain = |k: usize| {
            rows.iter().zip(&residual).map(|(r, e)| r[k] * e).sum::<f64>() / norms[k].max(1e-300)
        };
        // The coefficient that would lower the sum most comes in.
        let next = (0..q)
            .filter(|k| !free[*k] && gain(*k) > 1e-12 * scale)
            .max_by(|i, j| gain(*i).total_cmp(&gain(*j)));
        let Some(next) = next else { break };
        free[next] = true;
        loop {
            let chosen: Vec<usize> = (0..q).filter(|k| free[*k]).collect();
            let part: Vec<Vec<f64>> =
                chosen.iter().map(|k| rows.iter().map(|r| r[*k]).collect()).collect();
            let Some((solution, _)) = least_squares(&part, rhs) else {
                free[next] = false;
                return b;
            };
            if solution.iter().all(|s| *s > 0.0) {
                b = vec![0.0; q];
                chosen.iter().zip(solution).for_each(|(k, s)| b[*k] = s);
                break;
            }
            // Go towards the solution until the first coefficient reaches 0; that one leaves.
            let step = chosen
                .iter()
                .zip(&solution)
                .filter(|(_, s)| **s <= 0.0)
                .map(|(k, s)| b[*k] / (b[*k] - s))
                .fold(1.0, f64::min);
            for (k, s) in chosen.iter().zip(&solution) {
                b[*k] += step * (s - b[*k]);
                if b[*k] <= 1e-300 || (*s <= 0.0 && b[*k] <= 1e-14 * s.abs()) {
                    b[*k] = 0.0;
                    free[*k] = false;
                }
            }
            if !free.iter().any(|f| *f) {
                break;
            }
        }
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn non_negative_solutions_are_optimal() {
        // Karush–Kuhn–Tucker: no gain from a coefficient at 0, no slope at a free one.
        let mut random = Random::new(4);
        for _ in 0..200 {
            let rows: Vec<Vec<f64>> =
                (0..12).map(|_| (0..4).map(|_| random.uniform() + 0.01).collect()).collect();
            let rhs: Vec<f64> = (0..12).map(|_| random.normal()).collect();
            let b = non_negative(&rows, &rhs);
            for k in 0..4 {
                let slope: f64 = rows.iter().zip(&rhs).map(|(r, y)| r[k] * (y - dot(r, &b))).sum();
                assert!(b[k] >= 0.0 && slope < 1e-9 && (b[k] == 0.0 || slope.abs() < 1e-9));
            }
        }
    }

    #[test]
    fn collinear_columns_are_refused() {
        let columns = vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0]];
        assert!(least_squares(&columns, &[1.0, 2.0, 3.0]).is_none());
        let columns = vec![vec![1.0], vec![2.0]];
        assert!(least_squares(&columns, &[1.0]).is_none());
    }
}
