//! One order of functions and data for both sides of a comparison: code that both have gets the same addresses in both, so
//! that only code that differs is placed differently. Each round draws another order. Reads programs, and writes lists of
//! symbols for the linker.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::Path,
};

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use plusminus::engine::Random;

/// Between the code's own address and the lowest one that it gets: no section before it grows by this much.
const GAP_BYTES: u64 = 1 << 20;

/// The number of places at which code can begin.
const PLACES: u64 = 1 << 12;

/// The distance between two of these places: functions are aligned to it.
const PLACE_BYTES: u64 = 16;

/// The symbols of both programs in the slots that they share.
#[derive(Debug)]
pub(super) struct SharedOrder {
    /// Symbols that both programs have, of the same size: the name in base, and in new.
    common: Vec<[String; 2]>,
    /// Symbols of which only one side has one, or a larger one.
    differing: Vec<[Option<String>; 2]>,
    /// The lowest address of code in both.
    text: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Order<'a> {
    pub(super) symbols: &'a Path,
    /// Where code begins.
    pub(super) text: u64,
}

/// A symbol without the version of its crate, and its size.
type Key = (String, u64);

/// The names of the symbols of each key.
type Symbols = BTreeMap<Key, Vec<String>>;

impl SharedOrder {
    /// Pairs the symbols of two programs. `None` if one of them has none, because it is stripped.
    pub(super) fn of(base: &Path, new: &Path) -> Option<Self> {
        let ((base, base_text), (new, new_text)) = (symbols(base)?, symbols(new)?);
        Some(Self { text: base_text.max(new_text) + GAP_BYTES, ..Self::pair(base, new) })
    }

    fn pair(base: Symbols, mut new: Symbols) -> Self {
        let (mut common, mut left) = (Vec::new(), BTreeMap::<String, [Vec<String>; 2]>::new());
        for ((name, size), mut of_base) in base {
            let mut of_new = new.remove(&(name.clone(), size)).unwrap_or_default();
            let shared = of_base.len().min(of_new.len());
            let both = of_base.drain(..shared).zip(of_new.drain(..shared));
            common.extend(both.map(|(base, new)| [base, new]));
            let [base, new] = left.entry(name).or_default();
            base.extend(of_base);
            new.extend(of_new);
        }
        for ((name, _), of_new) in new {
            left.entry(name).or_default()[1].extend(of_new);
        }
        let mut differing = Vec::new();
        for [mut base, mut new] in left.into_values() {
            while !(base.is_empty() && new.is_empty()) {
                differing.push([base.pop(), new.pop()]);
            }
        }
        Self { common, differing, text: 0 }
    }

    /// Writes the symbols of a side (0 is base) in the order of a seed. Returns where its code begins.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn write(&self, seed: u64, side: usize, path: &Path) -> io::Result<u64> {
        let mut random = Random::new(seed);
        let text = self.text + PLACE_BYTES * random.below(PLACES as usize) as u64;
        // Differences come last, or they would move all common sections after them.
        let mut common: Vec<usize> = (0..self.common.len()).collect();
        random.shuffle(&mut common);
        let mut differing: Vec<usize> = (0..self.differing.len()).collect();
        random.shuffle(&mut differing);
        let common = common.into_iter().map(|index| self.common[index][side].as_str());
        let differing =
            differing.into_iter().filter_map(|index| self.differing[index][side].as_deref());
        let list: String = common.chain(differing).flat_map(|name| [name, "\n"]).collect();
        fs::write(path, list)?;
        Ok(text)
    }
}

/// The symbols of a program that the linker can place by name, and where its code begins.
fn symbols(program: &Path) -> Option<(Symbols, u64)> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let text = file.section_by_name(".text")?.address();
    let mut found: HashMap<&str, Option<u64>> = HashMap::new();
    for symbol in file.symbols() {
        let placed = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data);
        if let Some(name) = symbol.name().ok().filter(|_| placed && symbol.size() > 0) {
            // A name that stands for several symbols would place the wrong one.
            found.entry(name).and_modify(|size| *size = None).or_insert(Some(symbol.size()));
        }
    }
    let mut all: Symbols = BTreeMap::new();
    for (name, size) in found {
        let Some(size) = size.filter(|_| !name.contains(['\n', '\r'])) else { continue };
        let key = (format!("{:#}", rustc_demangle::demangle(name)), size);
        all.entry(key).or_default().push(name.to_owned());
    }
    // The same order in both sides, whatever the table's was.
    all.values_mut().for_each(|names| names.sort());
    (!all.is_empty()).then_some((all, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(symbols: &[(&str, u64, &str)]) -> Symbols {
        let mut all: Symbols = BTreeMap::new();
        for &(name, size, full) in symbols {
            all.entry((name.to_owned(), size)).or_default().push(full.to_owned());
        }
        all
    }

    fn written(order: &SharedOrder, seed: u64) -> ([Vec<String>; 2], [u64; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let side = |side| {
            let path = folder.path().join("symbols");
            let text = order.write(seed, side, &path).unwrap();
            let list = fs::read_to_string(path).unwrap();
            (list.lines().map(str::to_owned).collect::<Vec<_>>(), text)
        };
        let (base, new) = (side(0), side(1));
        ([base.0, new.0], [base.1, new.1])
    }

    #[test]
    fn what_both_have_stands_in_the_same_slots_and_what_differs_behind_it() {
        let base = of(&[("a", 10, "a1"), ("b", 20, "b1"), ("c", 30, "c1"), ("gone", 5, "gone1")]);
        let new = of(&[("a", 10, "a2"), ("b", 24, "b2"), ("c", 30, "c2"), ("added", 5, "added2")]);
        let order = SharedOrder { text: 1 << 16, ..SharedOrder::pair(base, new) };
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let ([base, new], texts) = written(&order, seed);
            assert_eq!(texts[0], texts[1]);
            assert_eq!((base.len(), new.len()), (4, 4));
            let slot = |name: &str| name.trim_end_matches(['1', '2']).to_owned();
            let common =
                |side: &[String]| side[..2].iter().map(|name| slot(name)).collect::<Vec<_>>();
            assert_eq!(common(&base), common(&new));
            assert!(base[2..].contains(&"b1".to_owned()) && new[2..].contains(&"b2".to_owned()));
            seen.insert((base, texts[0]));
        }
        assert!(seen.len() > 40, "every round has an order of its own");
    }

    #[test]
    fn names_that_stand_for_several_functions_are_paired_by_size() {
        let base = of(&[("drop", 8, "x1"), ("drop", 8, "x2"), ("drop", 9, "x3")]);
        let new = of(&[("drop", 8, "y1"), ("drop", 9, "y2"), ("drop", 9, "y3")]);
        let SharedOrder { common, differing, .. } = SharedOrder::pair(base, new);
        assert_eq!(common.len(), 2);
        assert_eq!(differing.len(), 1, "one slot for what is left on either side: {differing:?}");
    }
}
