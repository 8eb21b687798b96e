//! Rows split by weight: which arcs are light, and how they get to the front of their row.
//!
//! Most arcs of a graph lead to vertices of high degree, which are close to every source, so that a heavy arc to one is
//! almost never on a shortest path. A search goes along light arcs first; then a heavy arc of weight w can improve only
//! what is farther away than w, which are few vertices.

use rayon::prelude::*;

use super::Weight;
use super::vertex::PackedArc;

/// Light arcs per vertex that has any, where many arcs meet at few vertices: enough that nearly all vertices hang together by
/// them.
const LIGHT_DEGREE: f64 = 3.0;
/// Light arcs per vertex elsewhere: paths along fewer are long there, and heavy arcs improve most of them.
const LIGHT_DEGREE_OF_EVEN: f64 = 6.0;
/// Many arcs meet if a typical arc has this many times the mean degree at its head.
const SKEW: f64 = 4.0;
/// With a larger share of light arcs a split saves too little.
const LARGEST_SHARE: f64 = 0.4;
/// Weights looked at to learn how they are distributed.
pub(crate) const SAMPLE: usize = 1 << 14;
/// Arcs that one task looks at, on average: they stay in the second-level cache.
pub(super) const ARCS_OF_GROUP: usize = 1 << 13;

/// The degrees of a graph, or of some of its vertices.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Degrees {
    /// Vertices with arcs.
    connected: usize,
    /// Vertices with one arc.
    leaves: usize,
    arcs: usize,
    squares: u128,
}

impl Degrees {
    pub(crate) fn add(&mut self, degree: usize) {
        self.connected += usize::from(degree > 0);
        self.leaves += usize::from(degree == 1);
        self.arcs += degree;
        self.squares += degree as u128 * degree as u128;
    }

    /// Those of the rows that start here, and of which the last one ends here.
    pub(crate) fn of_rows(offsets: &[usize]) -> Self {
        let mut all = Self::default();
        offsets.windows(2).for_each(|ends| all.add(ends[1] - ends[0]));
        all
    }

    /// Arcs per vertex that has any.
    fn mean(&self) -> f64 {
        self.arcs as f64 / self.connected as f64
    }

    /// Arcs that a typical arc meets at its head and that lead on: Σ degree² / Σ degree, times, in undirected graphs, the share
    /// of arcs that are neither to nor from a leaf. No path goes on from a leaf, so that a star has none. A single arc out of a
    /// vertex of a directed graph does lead on.
    #[cfg(feature = "benchmarks")]
    pub(crate) fn at_head(&self, undirected: bool) -> f64 {
        let arcs = self.arcs.max(1) as f64;
        let of_leaves = if undirected { 2 * self.leaves } else { 0 };
        let lead_on = self.arcs.saturating_sub(of_leaves) as f64 / arcs;
        self.squares as f64 / arcs * lead_on
    }

    /// Is more than every other arc to or from a vertex with one arc?
    #[cfg(feature = "benchmarks")]
    pub(crate) fn are_mostly_of_leaves(&self) -> bool {
        4 * self.leaves > self.arcs
    }

    /// Do many arcs meet at few vertices? These are near to all others, and heavy arcs hardly ever help.
    pub(crate) fn are_skewed(&self) -> bool {
        self.squares as f64 * self.connected as f64 > SKEW * (self.arcs as f64).powi(2)
    }
}

/// Returns the largest weight of light arcs, from a sample of all weights. It leaves about three light arcs to each
/// vertex that has any if many arcs meet, otherwise six. It is infinite if a split does not pay: with fewer than 7.5
/// arcs per vertex, or if nearly all arcs have the same weight and would be light.
pub(crate) fn limit<W: Weight>(mut weights: Vec<W>, degrees: &Degrees) -> W {
    let least = LIGHT_DEGREE / degrees.mean();
    if weights.is_empty() || !(0.0..=LARGEST_SHARE).contains(&least) {
        return W::INFINITE;
    }
    let wanted = if degrees.are_skewed() { LIGHT_DEGREE } else { LIGHT_DEGREE_OF_EVEN };
    let share = (wanted / degrees.mean()).min(LARGEST_SHARE);
    let rank = ((share * weights.len() as f64) as usize).saturating_sub(1);
    let (_, &mut limit, _) = weights.select_nth_unstable_by_key(rank, |weight| weight.to_key());
    let light = weights.iter().filter(|weight| weight.to_key() <= limit.to_key()).count();
    if light as f64 <= LARGEST_SHARE * weights.len() as f64 { limit } else { W::INFINITE }
}

/// The key of the largest light weight, if rows are to be split at all.
pub(super) fn key<W: Weight>(limit: W) -> Option<u32> {
    (limit != W::INFINITE).then(|| limit.to_key())
}

/// The number of light arcs, which come first, of a row that is split at a limit.
pub(super) fn light_arcs<W: Weight, A: PackedArc>(row: &[A], limit: W) -> usize {
    row.partition_point(|&arc| arc.key() <= limit.to_key())
}

/// Moves the arcs of a row up to a key to its front; both parts keep their order.
#[inline]
pub(super) fn partition<A: PackedArc>(row: &mut [A], limit: u32, heavy: &mut Vec<A>) {
    if heavy.len() < row.len() {
        heavy.resize(row.len(), A::default());
    }
    let (mut lights, mut heavies) = (0, 0);
    for index in 0..row.len() {
        let arc = row[index];
        // Written to both places, so that there is no branch to be mispredicted.
        row[lights] = arc;
        heavy[heavies] = arc;
        let is_heavy = usize::from(arc.key() > limit);
        lights += 1 - is_heavy;
        heavies += is_heavy;
    }
    row[lights..].copy_from_slice(&heavy[..heavies]);
}

/// Some neighboring rows.
pub(super) struct Group<'a, T> {
    /// The number of the first arc.
    pub(super) first: usize,
    /// The first vertex.
    pub(super) vertex: usize,
    /// Where each row starts, and where the last one ends.
    pub(super) offsets: &'a [usize],
    pub(super) arcs: &'a mut [T],
}

impl<T> Group<'_, T> {
    /// Calls with each vertex and its row.
    #[inline]
    pub(super) fn for_each(&mut self, mut call: impl FnMut(usize, &mut [T])) {
        for (index, ends) in self.offsets.windows(2).enumerate() {
            call(self.vertex + index, &mut self.arcs[ends[0] - self.first..ends[1] - self.first]);
        }
    }
}

/// All rows in groups of about as many arcs each.
pub(super) fn groups<'a, T>(offsets: &'a [usize], mut arcs: &'a mut [T]) -> Vec<Group<'a, T>> {
    let vertices = offsets.len() - 1;
    let mut groups = Vec::with_capacity(arcs.len() / ARCS_OF_GROUP + vertices / ARCS_OF_GROUP + 1);
    let mut vertex = 0;
    while vertex < vertices {
        let first = offsets[vertex];
        let most = (vertex + ARCS_OF_GROUP).min(vertices);
        let fitting =
            offsets[vertex + 1..=most].partition_point(|&end| end - first <= ARCS_OF_GROUP);
        // A row that is too long is a group of its own.
        let next = vertex + fitting.max(1);
        let mine;
        (mine, arcs) = arcs.split_at_mut(offsets[next] - first);
        groups.push(Group { first, vertex, offsets: &offsets[vertex..=next], arcs: mine });
        vertex = next;
    }
    groups
}

/// Calls with each row, in parallel on the current rayon pool, and with memory that is passed from row to row.
pub(super) fn for_each_row<A: PackedArc>(
    offsets: &[usize],
    arcs: &mut [A],
    call: impl Fn(&mut [A], &mut Vec<A>) + Sync,
) {
    groups(offsets, arcs).into_par_iter().for_each_init(Vec::new, |scratch, mut group| {
        group.for_each(|_, row| call(row, scratch));
    });
}

#[cfg(test)]
mod tests {
    use super::super::csr::pack;
    use super::*;

    #[test]
    fn light_arcs_come_first_and_keep_their_order() {
        let row: Vec<u64> = (0..50).map(|v| pack(v, v * 7 % 10)).collect();
        let mut heavy = Vec::new();
        for limit in [0, 4, 8, 9] {
            let mut split = row.clone();
            partition(&mut split, limit, &mut heavy);
            let mut expected = row.clone();
            // Stable: arcs of each part stay sorted by target.
            expected.sort_by_key(|&arc| arc as u32 > limit);
            assert_eq!(split, expected, "{limit}");
            let lights = row.iter().filter(|&&arc| arc as u32 <= limit).count();
            assert_eq!(light_arcs(&split, limit), lights);
        }
    }

    #[test]
    fn groups_have_every_row_once() {
        let degrees = [0, 3, ARCS_OF_GROUP + 5, 0, 0, ARCS_OF_GROUP, 1, 2, 0];
        let mut offsets = vec![0];
        degrees.iter().for_each(|degree| offsets.push(offsets[offsets.len() - 1] + degree));
        let mut arcs: Vec<usize> = (0..offsets[degrees.len()]).collect();
        let mut seen = Vec::new();
        for mut group in groups(&offsets, &mut arcs) {
            group.for_each(|vertex, row| {
                assert!(row.iter().copied().eq(offsets[vertex]..offsets[vertex + 1]));
                seen.push(vertex);
            });
        }
        assert!(seen.into_iter().eq(0..degrees.len()));
        assert!(groups::<u8>(&[0], &mut []).is_empty());
    }

    #[cfg(feature = "benchmarks")]
    #[test]
    fn arcs_that_lead_on_meet_at_heads() {
        let at_head = |degrees: &[usize]| {
            let mut all = Degrees::default();
            degrees.iter().for_each(|&degree| all.add(degree));
            [true, false].map(|undirected| all.at_head(undirected))
        };
        assert_eq!(at_head(&[]), [0.0; 2]);
        assert_eq!(at_head(&[4; 10]), [4.0; 2], "the same at each vertex");
        assert_eq!(at_head(&[5, 1, 1, 1, 1, 1]), [0.0, 3.0], "a star");
        assert_eq!(at_head(&[1, 1]), [0.0, 1.0], "an edge from both ends, or a ring of arcs");
        // A ring of four, one with a leaf: squares of 22 over 10 arcs, of which two are to or from the leaf.
        assert_eq!(at_head(&[3, 2, 2, 2, 1]), [22.0 / 10.0 * 0.8, 22.0 / 10.0]);
    }

    #[test]
    fn limits_leave_some_light_arcs_per_vertex_or_do_not_exist() {
        let weights: Vec<u32> = (1..=100).collect();
        let even = |degree| Degrees::of_rows(&[0, degree, 2 * degree]);
        let skewed = Degrees { squares: 1_000_000, ..even(30) };
        assert!(skewed.are_skewed() && !even(30).are_skewed());
        assert_eq!(limit(weights.clone(), &skewed), 10);
        assert_eq!(limit(weights.clone(), &even(30)), 20);
        assert_eq!(limit(weights.clone(), &even(8)), 40);
        assert_eq!(limit(weights.clone(), &even(7)), u32::MAX, "too few arcs");
        assert_eq!(limit(weights, &even(0)), u32::MAX);
        assert_eq!(limit(vec![1u32; 100], &even(30)), u32::MAX, "all weigh the same");
        assert_eq!(limit(Vec::<u32>::new(), &even(30)), u32::MAX);
        assert_eq!(limit(vec![0.5f32, 0.1, 0.3, 0.2], &even(24)), 0.1);
    }
}
