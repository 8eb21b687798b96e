//! The line that a terminal shows while something is measured.

use std::time::Duration;

use super::{View, number::duration, visible};

const BAR: usize = 12;

#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    pub spent: Duration,
    /// How long it will take; `None` where that is not known.
    pub left: Option<Duration>,
    /// The word for that time: "about" if it is an estimate, "at most" if it may be less.
    pub about: &'a str,
    pub part: &'a str,
    pub name: &'a str,
}

impl Standing<'_> {
    fn fraction(&self) -> Option<f64> {
        let whole = self.spent + self.left?;
        (!whole.is_zero()).then(|| self.spent.as_secs_f64() / whole.as_secs_f64())
    }

    /// `[######------] 50 %, about 12 s left, run 3 of 5: sort::quick`, in at most one column less than there are: a
    /// terminal that is written to its last column may go on to the next line.
    pub fn line(&self, columns: usize) -> String {
        let done = self.fraction().unwrap_or(0.0);
        let full = ((done * BAR as f64) as usize).min(BAR);
        let cells: String = (0..BAR).map(|cell| if cell < full { '#' } else { '-' }).collect();
        let left = self
            .left
            .map_or(String::new(), |left| format!("{} {} left, ", self.about, waiting(left)));
        let begin = format!("[{cells}] {:.0} %, ", done * 100.0);
        let standing = format!("{left}{}: ", self.part);
        let room = columns.saturating_sub(1);
        let view = View { unicode: false, ..View::default() };
        // The bar is the least important part.
        let wide = begin.len() + standing.len() + 16 <= room;
        let begin = if wide { begin + &standing } else { standing };
        let name = view.cut(&visible(self.name), room.saturating_sub(begin.len()));
        view.cut(&(begin + &name), room)
    }
}

/// A time in whole seconds, as a number that changes all the time is no easier to read with more digits.
fn waiting(time: Duration) -> String {
    duration(time.as_secs_f64().ceil().max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    fn at(spent: u64, left: Option<u64>) -> Standing<'static> {
        let (spent, left) = (Duration::from_secs(spent), left.map(Duration::from_secs));
        Standing { spent, left, about: "about", part: "run 3 of 5", name: "sort::\u{1b}quick" }
    }

    #[test]
    fn a_line_shows_what_is_done_and_what_is_left() {
        assert_eq!(
            at(10, Some(30)).line(80),
            "[###---------] 25 %, about 30 s left, run 3 of 5: sort::\\u{1b}quick"
        );
        assert_eq!(
            at(0, None).line(80),
            "[------------] 0 %, run 3 of 5: sort::\\u{1b}quick",
            "nothing is claimed before anything is known"
        );
        assert_eq!(at(10, Some(30)).line(40), "about 30 s left, run 3 of 5: sort..uick");
    }

    #[test]
    fn a_line_takes_one_line_of_any_terminal() {
        for columns in 1..200 {
            assert!(width(&at(100_000, Some(1_000_000)).line(columns)) < columns);
        }
        assert_eq!(waiting(Duration::from_secs(4_801)), "1 h 20 min");
        assert_eq!(waiting(Duration::ZERO), "1.0 s");
    }
}
