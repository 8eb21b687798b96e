//! Operations of one solution, counted once and untimed: messages, tasks, relaxed edges.

use crate::json::json_object;

json_object! {
    /// One thing that a variant counts of one solution, by its `tally = path`.
    ///
    /// ```
    /// use plusminus::Tally;
    ///
    /// let messages = Tally::per_round("messages", vec![3.0, 5.0]);
    /// assert_eq!(messages.total, 8.0);
    /// assert!(Tally::new("tasks", 12.0).per_round.is_empty());
    /// ```
    #[derive(Debug, Clone, PartialEq)]
    pub struct Tally {
        /// The name of the operation.
        pub name: String,
        /// How many of it in the whole solution; a finite number.
        pub total: f64,
        /// How many in each round of the algorithm; empty where there are no rounds.
        pub per_round: Vec<f64> [unless_empty],
    }
}

impl Tally {
    /// A count of the whole solution.
    pub fn new(name: impl Into<String>, total: f64) -> Self {
        Self { name: name.into(), total, per_round: Vec::new() }
    }

    /// A count of each round; the total is their sum.
    pub fn per_round(name: impl Into<String>, per_round: Vec<f64>) -> Self {
        Self { name: name.into(), total: per_round.iter().sum(), per_round }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.per_round.iter().chain([&self.total]).all(|value| value.is_finite())
    }
}
