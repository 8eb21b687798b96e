//! VC: coloring a rooted tree with three colors, after Cole and Vishkin.
//!
//! **Model.** Synchronous; parents send to their children. **Source.** Wattenhofer, "Principles of Distributed
//! Computing", 1.2; VC of IMSuite. **Rounds** log\* n + O(1), **messages** O(n log\* n). A node starts with its
//! number as its color. It finds the lowest position k where it differs from its parent, and takes 2k plus its bit
//! there as its new color, until six colors are left. Then three times all nodes take their parent's color ("shift
//! down"), so that siblings agree, and one color class chooses among the first three. **Memory** 8 bytes per node.
//!
//! **Repaired**: the choice is the smallest of 0, 1, 2 that neither the parent nor the children have. The original
//! looks it up in a table by the *sum* of both colors, which is wrong where both are 0 or both are 1;
//! [`Mode::Faithful`] does so too. The original gives the root the color 0, which is right only if the root is node
//! 0. Here the root takes part as if its parent differed in the lowest bit, which is the same for node 0. The root's
//! new color of a shift is random in the original; here it is the smallest other one.
//!
//! ```
//! use plusminus_suite::imsuite::{RootedTree, Whole, vc};
//!
//! let tree = RootedTree::new(0, vec![0, 0, 1, 1, 0]);
//! let colors = vc::serial(&tree, &Whole);
//! assert_eq!(vc::check(&tree, &colors), Ok(()));
//! ```

use super::{Mode, RootedTree};
use crate::places::{Board, Driver, Ended, Engine, NodeProgram, Tally, Task};

/// The node program.
#[derive(Debug)]
pub struct ColeVishkin<'a> {
    tree: &'a RootedTree,
    mode: Mode,
    colours: Board,
}

impl<'a> ColeVishkin<'a> {
    /// The coloring of a tree.
    pub fn new(tree: &'a RootedTree, mode: Mode) -> Self {
        Self { tree, mode, colours: Board::new(tree.nodes(), 0) }
    }

    /// The color of a node that has to leave its own, given the parent's and what its children have, if any.
    fn choose(&self, parent: u32, children: Option<u32>) -> u32 {
        match self.mode {
            Mode::Repaired => {
                (0..3).find(|&colour| colour != parent && Some(colour) != children).unwrap_or(0)
            }
            Mode::Faithful => match parent + children.unwrap_or(0) {
                1 => 2,
                2 => 1,
                _ => 0,
            },
        }
    }
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Tells its children its color.
    Tell,
    /// Takes a color of fewer bits.
    Shorten,
    /// Takes its parent's color.
    ShiftDown,
    /// Leaves this color for one of the first three.
    Leave(u32),
}

impl NodeProgram for ColeVishkin<'_> {
    type State = u32;
    type Link = ();
    type Message = u32;
    type Phase = Phase;
    type Output = Vec<u32>;

    fn nodes(&self) -> usize {
        self.tree.nodes()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        self.tree.children(node)
    }

    fn state(&self, node: u32) -> u32 {
        node
    }

    fn step<C: Tally>(&self, phase: Phase, task: &mut Task<'_, Self, C>) {
        let colour = *task.state;
        let parent = task.mail.first().copied();
        match phase {
            Phase::Tell => {
                for &child in self.neighbours(task.id) {
                    task.put(child, colour);
                }
            }
            Phase::Shorten => {
                let position = (parent.unwrap_or(colour ^ 1) ^ colour).trailing_zeros();
                *task.state = 2 * position + (colour >> position & 1);
                if *task.state >= 6 {
                    task.raise();
                }
            }
            Phase::ShiftDown => {
                *task.state = parent.unwrap_or(u32::from(colour == 0));
                self.colours.set(task.id, *task.state);
            }
            Phase::Leave(left) if colour == left => {
                let parent = task.read(&self.colours, self.tree.parents[task.id as usize]);
                let child = self.tree.children(task.id).first();
                let children = child.map(|&child| task.read(&self.colours, child));
                // Published only by the next shift: where the faithful mode leaves neighbors with one color, both
                // leave it in this phase and look at each other.
                *task.state = self.choose(parent, children);
            }
            Phase::Leave(_) => {}
        }
    }

    fn boards(&self) -> Vec<&Board> {
        vec![&self.colours]
    }

    fn drive<E: Engine<Self>>(&self, net: &mut Driver<'_, Self, E>) {
        loop {
            net.round();
            let heard = net.phases(&[Phase::Tell, Phase::Shorten]);
            net.read_until(heard);
            if !heard.any() {
                break;
            }
        }
        for colour in [5, 4, 3] {
            net.round();
            net.phases(&[Phase::Tell, Phase::ShiftDown]);
            net.phase(Phase::Leave(colour));
        }
    }

    fn output(&self, ended: Ended<'_, Self>) -> Vec<u32> {
        ended.map(|_, colour, _| colour)
    }
}

super::variants!(Vc, RootedTree, super::Whole => Vec<u32>, |tree, _whole| ColeVishkin::new(tree, Mode::Repaired), clocked);

/// Checks that no node has its parent's color and that no color but 0, 1 and 2 is used.
///
/// # Errors
/// Names the first node with a wrong color.
pub fn check(tree: &RootedTree, colours: &[u32]) -> Result<(), String> {
    super::one_per_node("colours", colours.len(), tree.nodes())?;
    for (node, (&colour, &parent)) in colours.iter().zip(&tree.parents).enumerate() {
        if colour > 2 {
            return Err(format!("node {node} has color {colour}, only 0, 1 and 2 are allowed"));
        }
        if node as u32 != tree.root && colours[parent as usize] == colour {
            return Err(format!("node {node} has color {colour}, and so has its parent {parent}"));
        }
    }
    Ok(())
}
