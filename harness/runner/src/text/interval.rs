//! An interval of a ratio as a small drawing, on a scale that several share.

use super::number::{change, significant};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    pub low: f64,
    pub middle: f64,
    pub high: f64,
}

/// No scale shows less than this around 1, so that nothing looks large that is not.
const LEAST: f64 = 0.02;

/// A logarithmic scale on which 1 has its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    pub(super) fn of<'a>(drawn: impl Iterator<Item = &'a Drawn>) -> Self {
        let mut scale = Self { low: -LEAST, high: LEAST };
        for end in drawn.flat_map(|drawn| [drawn.low, drawn.high, drawn.middle]) {
            let log = end.ln();
            if log.is_finite() {
                scale.low = scale.low.min(log);
                scale.high = scale.high.max(log);
            }
        }
        scale
    }

    fn place(self, value: f64, cells: usize) -> usize {
        let last = cells.saturating_sub(1) as f64;
        let part = (value.ln() - self.low) / (self.high - self.low);
        if part.is_nan() { 0 } else { (part * last).round().clamp(0.0, last) as usize }
    }

    /// Returns the ends of the scale in this number of cells: as changes in percent, or as ratios.
    pub(super) fn head(self, cells: usize, is_change: bool) -> String {
        let end = |log: f64| match is_change {
            true => change(log.exp_m1()),
            false => significant(log.exp(), 2),
        };
        let (low, high) = (end(self.low), end(self.high));
        // Both ends are printed where they do not fit either.
        let room = cells.saturating_sub(low.chars().count()).max(high.chars().count() + 1);
        format!("{low}{high:>room$}")
    }

    /// Draws an interval in this number of cells: `· ┊ · ├──●──┤`. The dotted line stands at 1, the dots at the ends
    /// of the margin.
    pub(super) fn draw(
        self,
        drawn: &Drawn,
        margin: Option<f64>,
        cells: usize,
        unicode: bool,
    ) -> String {
        let [dot, one, left, line, crossed, right, middle] = match unicode {
            true => ['·', '┊', '├', '─', '┼', '┤', '●'],
            false => [':', '|', '[', '-', '+', ']', 'o'],
        };
        let mut picture = vec![' '; cells];
        if cells == 0 {
            return String::new();
        }
        let at_one = self.place(1.0, cells);
        let [low, at, high] =
            [drawn.low, drawn.middle, drawn.high].map(|value| self.place(value, cells));
        for end in margin.into_iter().flat_map(|margin| [1.0 / (1.0 + margin), 1.0 + margin]) {
            picture[self.place(end, cells)] = dot;
        }
        picture[at_one] = one;
        for (cell, drawn) in picture.iter_mut().enumerate().take(high + 1).skip(low) {
            *drawn = if cell == at_one { crossed } else { line };
        }
        if low < high {
            picture[low] = left;
            picture[high] = right;
        }
        picture[at] = middle;
        picture.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_drawn_on_one_scale() {
        let wide = Drawn { low: 0.5, middle: 1.0, high: 2.0 };
        let fast = Drawn { low: 1.5, middle: 1.7, high: 1.9 };
        let scale = Scale::of([wide, fast].iter());
        assert_eq!(scale.draw(&wide, None, 13, true), "├─────●─────┤");
        assert_eq!(scale.draw(&fast, None, 13, true), "      ┊   ├●┤");
        assert_eq!(scale.draw(&fast, None, 13, false), "      |   [o]");
        let around = Drawn { low: 0.8, middle: 1.3, high: 1.5 };
        assert_eq!(scale.draw(&around, None, 13, true), "    ├─┼─●─┤  ");
        let near = Scale::of([Drawn { low: 0.97, middle: 1.0, high: 1.06 }].iter());
        let slower = Drawn { low: 1.04, middle: 1.05, high: 1.06 };
        assert_eq!(near.draw(&slower, Some(0.02), 21, true), "  ·    ┊   ·    ├─●─┤");
        assert_eq!(near.head(21, true), "−3.0 %         +6.0 %");
        assert_eq!(scale.head(13, false), "0.50      2.0");
    }

    #[test]
    fn what_is_no_number_is_drawn_somewhere() {
        for value in [0.0, f64::NAN, f64::INFINITY, -1.0] {
            let drawn = Drawn { low: value, middle: value, high: value };
            let scale = Scale::of([drawn].iter());
            assert_eq!(scale.draw(&drawn, None, 5, true).chars().count(), 5);
            assert_eq!(scale.draw(&drawn, None, 0, true), "");
        }
    }
}
