//! Checks of the rows of a GAP file, and their way into the graph.

use super::gap::Layout;
use super::symmetry::{Arc, Fingerprint, Key};
use super::{Place, ReadError};
use crate::graph::csr::pack;
use crate::graph::split::{self, Group};

/// Checks rows and brings them into order.
pub(super) struct Check<'a> {
    layout: &'a Layout,
    key: Key,
    /// The weight at which rows are split, if they are.
    limit: Option<u32>,
}

impl<'a> Check<'a> {
    pub(super) fn new(layout: &'a Layout, limit: u32) -> Self {
        Self { layout, key: Key::random(), limit: split::key(limit) }
    }

    /// Reads the rows of a group from a file, checks them, and puts them into the graph, where memory is written to
    /// once. A row that is larger than the cache is put there first.
    #[cfg(unix)]
    pub(super) fn in_file<T: Arc>(
        &self,
        read: &(impl Fn(&mut [u8], u64) -> Result<(), ReadError> + Sync),
    ) -> impl Fn(&mut Vec<T>, Group<'_, u64>) -> Result<Fingerprint, ReadError> + Sync {
        move |buffer, mut group| {
            let mut first = group.first as u64;
            buffer.resize(group.arcs.len().min(split::ARCS_OF_GROUP), T::zeroed());
            let whole = group.arcs.len() <= buffer.len();
            for piece in group.arcs.chunks_mut(split::ARCS_OF_GROUP) {
                let raw = &mut buffer[..piece.len()];
                read(bytemuck::cast_slice_mut(raw), first)?;
                first += piece.len() as u64;
                if !whole {
                    piece.iter_mut().zip(raw).for_each(|(arc, raw)| *arc = self.pack(*raw));
                }
            }
            if whole {
                self.raw_group(buffer, &mut group)
            } else {
                self.group(&mut group, &mut Vec::new())
            }
        }
    }

    /// An arc of a file as graphs have it.
    #[cfg(unix)]
    #[inline(always)]
    fn pack<T: Arc>(&self, arc: T) -> u64 {
        pack(arc.target(), self.layout.unweighted.unwrap_or(arc.weight()))
    }

    /// Checks the rows of a group as they are in a file, and puts them into the graph. Checks that are the same for
    /// all arcs are done for all of them at once: most rows are short.
    #[cfg(unix)]
    fn raw_group<T: Arc>(
        &self,
        raw: &[T],
        group: &mut Group<'_, u64>,
    ) -> Result<Fingerprint, ReadError> {
        // A bit of any of them is in all of them together.
        let bits = raw.iter().fold(0, |bits, arc| bits | arc.word());
        let (targets, weights) = (bits as u32, (bits >> 32) as u32);
        if targets >> 31 != 0 || !ascend(raw, group) {
            self.put(raw, group.arcs);
            return self.group(group, &mut Vec::new());
        }
        let exists = |target: u32| u64::from(target) < self.layout.vertices;
        let all_exist = exists(targets) || raw.iter().all(|arc| exists(arc.target()));
        if weights >> 31 != 0 || !all_exist {
            self.put(raw, group.arcs);
            return Err(self.wrong(group));
        }
        let mut fingerprint = Fingerprint::new();
        if !self.layout.directed {
            self.key.enter(
                (group.vertex, group.offsets),
                raw,
                self.layout.unweighted.unwrap_or(0),
                &mut fingerprint,
            );
        }
        match self.limit {
            Some(limit) => {
                let first = group.first;
                for ends in group.offsets.windows(2) {
                    let row = ends[0] - first..ends[1] - first;
                    self.deal(&raw[row.clone()], &mut group.arcs[row], limit);
                }
            }
            None => self.put(raw, group.arcs),
        }
        Ok(fingerprint)
    }

    /// Puts arcs into the graph as they are.
    #[cfg(unix)]
    fn put<T: Arc>(&self, raw: &[T], arcs: &mut [u64]) {
        arcs.iter_mut().zip(raw).for_each(|(arc, &raw)| *arc = self.pack(raw));
    }

    /// Puts the arcs of a row into the graph, those up to a key first.
    #[cfg(unix)]
    #[inline(always)]
    fn deal<T: Arc>(&self, raw: &[T], row: &mut [u64], limit: u32) {
        let is_heavy = |arc: u64| usize::from(arc as u32 > limit);
        let lights = raw.iter().map(|&arc| u32::from(self.pack(arc) as u32 <= limit));
        let mut heavy = lights.sum::<u32>() as usize;
        let mut light = 0;
        for &arc in raw {
            let arc = self.pack(arc);
            let is_heavy = is_heavy(arc);
            // One of both places, without a branch to be mispredicted or an array in memory to wait for.
            row[light ^ ((light ^ heavy) & is_heavy.wrapping_neg())] = arc;
            light += 1 - is_heavy;
            heavy += is_heavy;
        }
    }

    /// Checks and sorts the rows of a group, and splits them by weight.
    pub(super) fn group(
        &self,
        group: &mut Group<'_, u64>,
        scratch: &mut Vec<u64>,
    ) -> Result<Fingerprint, ReadError> {
        let mut fingerprint = Fingerprint::new();
        let mut legal = true;
        group.for_each(|vertex, row| legal &= self.row(vertex, row, &mut fingerprint, scratch));
        if legal { Ok(fingerprint) } else { Err(self.wrong(group)) }
    }

    /// Checks and sorts a row, and splits it by weight. Is it legal?
    fn row(
        &self,
        vertex: usize,
        row: &mut [u64],
        fingerprint: &mut Fingerprint,
        scratch: &mut Vec<u64>,
    ) -> bool {
        if !row.is_sorted() {
            row.sort_unstable();
        }
        let legal = row.iter().fold(0, |signs, arc| signs | arc.weight()) >> 31 == 0
            && row.last().is_none_or(|arc| u64::from(arc.target()) < self.layout.vertices);
        if !self.layout.directed {
            let twice = row.windows(2).any(|arcs| arcs[0].target() == arcs[1].target());
            fingerprint.ambiguous |= twice;
            self.key.enter((vertex, &[0, row.len()]), row, 0, fingerprint);
        }
        if let Some(limit) = self.limit {
            split::partition(row, limit, scratch);
        }
        legal
    }

    /// Names an arc of a group that cannot be: the first of its row, in the order of targets.
    #[cold]
    fn wrong(&self, group: &Group<'_, u64>) -> ReadError {
        let vertices = self.layout.vertices;
        let named = group.offsets.windows(2).enumerate().find_map(|(index, ends)| {
            let row = &group.arcs[ends[0] - group.first..ends[1] - group.first];
            let place = Place::Byte(self.layout.start() + (ends[0] * self.layout.word) as u64);
            let from = group.vertex + index;
            row.iter().find_map(|arc| {
                let (target, weight) = (arc.target(), arc.weight());
                let reason = if u64::from(target) >= vertices {
                    format!("arc ({from}, {target}) leads to none of {vertices} vertices")
                } else if weight >> 31 != 0 {
                    format!("arc ({from}, {target}) has the negative weight {}", weight as i32)
                } else {
                    return None;
                };
                Some(ReadError::new(place, reason))
            })
        });
        named.unwrap_or_else(|| ReadError::new(Place::File, "an arc is not legal"))
    }
}

/// Are the targets of each row, all below 2³¹, in ascending order, none twice? Counts where they are not over all arcs, and
/// takes off the ends of rows.
#[cfg(unix)]
fn ascend<T: Arc>(arcs: &[T], group: &Group<'_, u64>) -> bool {
    // The sign of a difference takes fewer instructions than a comparison of what lies between weights.
    let ascends = |one: T, next: T| one.word().wrapping_sub(next.word()) >> 31 & 1;
    let later = arcs.get(1..).unwrap_or(&[]);
    let ascents: u64 = arcs.iter().zip(later).map(|(&one, &next)| ascends(one, next)).sum();
    let all = later.len() - ascents as usize;
    let mut between = 0;
    let mut before = 0;
    for start in group.offsets.iter().map(|offset| offset - group.first) {
        // Rows without arcs start where the next one does.
        if start > before && start < arcs.len() {
            between += usize::from(arcs[start - 1].target() >= arcs[start].target());
        }
        before = start;
    }
    all == between
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn rows_ascend_if_each_target_is_larger_than_the_one_before() {
        const LAST: u32 = (1 << 31) - 1;
        let targets = [0, 1, 2, 1 << 30, (1 << 30) + 1, LAST - 1, LAST];
        let mut seen = [0, 0];
        // All rows of four arcs, whole and cut in two.
        for number in 0..7usize.pow(4) {
            let drawn = (0..4).map(|place| targets[number / 7usize.pow(place) % 7]);
            let row: Vec<u32> = drawn.collect();
            let weighted: Vec<[u32; 2]> = row.iter().map(|&to| [to.to_le(), LAST - to]).collect();
            let unweighted: Vec<u32> = row.iter().map(|to| to.to_le()).collect();
            for middle in 0..=row.len() {
                let offsets = [100, 100 + middle, 100 + middle, 100 + row.len()];
                let group =
                    Group { first: 100, vertex: 3, offsets: &offsets, arcs: &mut [0; 4][..] };
                let (one, other) = row.split_at(middle);
                let ascends = [one, other].iter().all(|row| row.is_sorted_by(|a, b| a < b));
                assert_eq!(ascend(&weighted, &group), ascends, "{row:?} at {middle}");
                assert_eq!(ascend(&unweighted, &group), ascends, "{row:?} at {middle}");
                seen[usize::from(ascends)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
