//! Where a thread keeps the work items that it made, by class.

use std::collections::BTreeMap;

/// Classes this near are found by index, the others by search.
const NEAR: u64 = 512;

/// Work items by class, of the class that is being processed and all later ones: one thread's, or one process's.
///
/// ```
/// use plusminus_suite::agm::Bins;
///
/// let mut bins = Bins::new();
/// [9, 4, 9].into_iter().for_each(|class| bins.push(class, class));
/// assert_eq!(bins.first_class(), Some(4));
/// ```
#[derive(Debug)]
pub struct Bins<I> {
    /// The class being processed: no item is of an earlier one.
    base: u64,
    /// Class c, base ≤ c < base + NEAR, at index c mod NEAR.
    near: Vec<Vec<I>>,
    far: BTreeMap<u64, Vec<I>>,
}

impl<I> Default for Bins<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I> Bins<I> {
    /// None, and the first class.
    pub fn new() -> Self {
        Self { base: 0, near: (0..NEAR).map(|_| Vec::new()).collect(), far: BTreeMap::new() }
    }

    /// Forgets everything, but keeps the memory.
    pub fn clear(&mut self) {
        self.base = 0;
        self.near.iter_mut().for_each(Vec::clear);
        self.far.clear();
    }

    /// Keeps an item.
    #[inline]
    pub fn push(&mut self, class: u64, item: I) {
        debug_assert!(class >= self.base, "an ordering let a class fall");
        if class - self.base < NEAR {
            self.near[(class % NEAR) as usize].push(item);
        } else {
            self.far.entry(class).or_default().push(item);
        }
    }

    /// The first class that has items.
    pub fn first_class(&self) -> Option<u64> {
        let near = (0..NEAR)
            .map(|ahead| self.base.wrapping_add(ahead))
            .find(|class| !self.near[(class % NEAR) as usize].is_empty());
        let far = self.far.first_key_value().map(|(&class, _)| class);
        near.into_iter().chain(far).min()
    }

    /// Enters a class, which has to be the first that has items in any thread's bins.
    pub fn advance(&mut self, class: u64) {
        self.base = class;
        while let Some(entry) = self.far.first_entry() {
            if *entry.key() - class >= NEAR {
                break;
            }
            let slot = (entry.key() % NEAR) as usize;
            let mut items = entry.remove();
            if self.near[slot].is_empty() {
                self.near[slot] = items;
            } else {
                self.near[slot].append(&mut items);
            }
        }
    }

    /// The number of items of the class being processed.
    pub fn current_len(&self) -> usize {
        self.len(self.base)
    }

    /// The number of items of a near class: the one being processed, or one of the next few hundred.
    pub(crate) fn len(&self, class: u64) -> usize {
        self.near[(class % NEAR) as usize].len()
    }

    /// Moves the items of the class being processed to the end of `items`.
    pub fn take_current(&mut self, items: &mut Vec<I>) {
        self.take(self.base, items);
    }

    /// The same for a near class.
    pub(crate) fn take(&mut self, class: u64, items: &mut Vec<I>) {
        let bin = &mut self.near[(class % NEAR) as usize];
        if items.is_empty() {
            // Both vectors keep their memory.
            std::mem::swap(items, bin);
        } else {
            items.append(bin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_in_order_whether_near_or_far() {
        let mut bins = Bins::new();
        let classes = [3, 700, 3, 511, 512, 100_000, 699, u64::MAX];
        for class in classes {
            bins.push(class, class);
        }
        let mut seen = Vec::new();
        while let Some(class) = bins.first_class() {
            bins.advance(class);
            let mut items = Vec::new();
            bins.take_current(&mut items);
            assert!(items.iter().all(|&item| item == class));
            if class == 512 {
                // Items for a class that has some in the far part already, and for a new one.
                bins.push(700, 700);
                bins.push(900, 900);
            }
            seen.extend(items);
        }
        assert_eq!(seen, [3, 3, 511, 512, 699, 700, 700, 900, 100_000, u64::MAX]);
    }
}
