//! Operations of the solutions of instances.

use super::Tally;
use plusminus_worker::json::json_object;

json_object! {
    /// Operations of one solution of an instance.
    #[derive(Debug, Clone, PartialEq)]
    pub struct InstanceTally {
        /// The index of the instance.
        pub instance: usize,
        /// The counts, in the order in which the variant names them.
        pub tallies: Vec<Tally>,
    }
}
