//! What is kept for each cell of a table.

use std::ops::Index;

/// One instance to be solved by one case: position in the table, index of the instance.
pub(super) type Cell = (usize, usize);

/// Values by cell, in a sorted list: a tree of the standard library would be compiled for each type of values, by every
/// user.
pub(super) struct Cells<T>(Vec<(Cell, T)>);

impl<T> Cells<T> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Where the cell is, or where it belongs.
    fn find(&self, cell: Cell) -> Result<usize, usize> {
        self.0.binary_search_by(|(kept, _)| kept.cmp(&cell))
    }

    pub(super) fn get(&self, cell: Cell) -> Option<&T> {
        Some(&self.0[self.find(cell).ok()?].1)
    }

    pub(super) fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        let index = self.find(cell).ok()?;
        Some(&mut self.0[index].1)
    }

    /// Keeps a value; one that was there is replaced.
    pub(super) fn insert(&mut self, cell: Cell, value: T) {
        match self.find(cell) {
            Ok(index) => self.0[index].1 = value,
            Err(index) => self.0.insert(index, (cell, value)),
        }
    }

    pub(super) fn remove(&mut self, cell: Cell) -> Option<T> {
        Some(self.0.remove(self.find(cell).ok()?).1)
    }

    /// All of them, in the order of the cells.
    pub(super) fn into_all(self) -> Vec<(Cell, T)> {
        self.0
    }
}

impl<T> Index<Cell> for Cells<T> {
    type Output = T;

    fn index(&self, cell: Cell) -> &T {
        self.get(cell).expect("the cell was prepared")
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;

    #[test]
    fn values_are_found_replaced_and_removed() {
        let mut cells = Cells::new();
        for cell in [(1, 0), (0, 2), (0, 1), (1, 0)] {
            cells.insert(cell, cell.0 * 10 + cell.1);
        }
        cells.insert((0, 2), 7);
        assert_eq!((cells.get((0, 2)), cells.get((2, 0))), (Some(&7), None));
        assert_eq!((cells.remove((0, 1)), cells.remove((0, 1))), (Some(1), None));
        *cells.get_mut((1, 0)).unwrap() += 1;
        assert_eq!(cells.into_all(), [((0, 2), 7), ((1, 0), 11)]);
    }
}
