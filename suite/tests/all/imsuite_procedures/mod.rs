//! Counts of DS, MIS, MST and DR against sequential simulations of the original procedures: node after node on plain
//! vectors, without mailboxes, phases or threads, with a random number generator of their own. The networks are drawn by
//! the generators that are held against the published inputs; nothing else of the suite is used.

mod routes;
mod sets;
mod tally;
mod trees;
mod twister;
