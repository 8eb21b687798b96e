//! Values for each cell of a table.

use std::ops::Index;

/// One instance to be solved by one case: position in the table, index of the instance.
pub(super) type Cell = (usize, usize);

/// Values by cell: a list for each case, so that none of many instances costs more than the others.
pub(super) struct Cells<T>(Vec<Vec<Option<T>>>);

impl<T> Cells<T> {
    pub(super) fn get(&self, (case, instance): Cell) -> Option<&T> {
        self.0.get(case)?.get(instance)?.as_ref()
    }

    /// Keeps a value; one that was there is replaced.
    pub(super) fn insert(&mut self, (case, instance): Cell, value: T) {
        if self.0.len() <= case {
            self.0.resize_with(case + 1, Vec::new);
        }
        let own = &mut self.0[case];
        if own.len() <= instance {
            own.resize_with(instance + 1, || None);
        }
        own[instance] = Some(value);
    }
}

impl<T> Default for Cells<T> {
    fn default() -> Self {
        Self(Vec::new())
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
    fn values_are_found_and_replaced() {
        let mut cells = Cells::default();
        for cell in [(1, 0), (0, 2), (0, 1), (1, 0)] {
            cells.insert(cell, cell.0 * 10 + cell.1);
        }
        cells.insert((0, 2), 7);
        let found = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 0)];
        let found = found.map(|cell| cells.get(cell).copied());
        assert_eq!(found, [None, Some(1), Some(7), None, Some(10), None]);
    }
}
