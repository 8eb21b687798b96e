//! The states, messages and steps of the nodes of MST, phase by phase.

/// No node.
pub(in crate::imsuite) const NONE: u32 = u32::MAX;

/// An edge out of a fragment: its weight, its end inside and its end outside. Lighter ones are smaller.
pub(in crate::imsuite) type Blue = (u32, u32, u32);

/// No edge leaves the fragment.
pub(in crate::imsuite) const NO_EDGE: Blue = (NONE, NONE, NONE);

/// The messages between nodes.
#[derive(Debug, Clone, Copy)]
pub enum Message {
    /// Look for the lightest edge: goes down the tree.
    Start,
    /// The lightest edge of a subtree: goes up the tree.
    Report(Blue),
    /// The receiver is the inner end of this edge, and shall become the root.
    Change(Blue),
    /// The child that sends this becomes the receiver's parent.
    Turn(u32),
    /// The sender joins over an edge to the receiver.
    Join(u32),
    /// The sender is a child from now on.
    Child(u32),
    /// The sender is the parent from now on, and the root of the fragment.
    Parent(u32),
    /// The root of the fragment: goes down the tree.
    Root(u32),
}

/// The state of a node.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub(super) parent: u32,
    pub(super) children: u32,
    /// A signal to pass on down the tree.
    pub(super) start: bool,
    pub(super) missing: u32,
    pub(super) searching: bool,
    pub(super) best: Blue,
    /// The child that the turn comes from, itself at the start.
    pub(super) turned_by: u32,
    /// The blue edge that it joins over, at a root.
    pub(super) joins: Blue,
    pub(super) mutual: bool,
    pub(super) transmit: bool,
}

impl State {
    /// The state of a node at the start: it is a fragment of its own.
    pub(super) const ALONE: Self = Self {
        parent: NONE,
        children: 0,
        start: false,
        missing: 0,
        searching: false,
        best: NO_EDGE,
        turned_by: NONE,
        joins: NO_EDGE,
        mutual: false,
        transmit: false,
    };
}

/// The steps of a node.
#[derive(Debug, Clone, Copy)]
pub enum Phase {
    /// Roots start a phase.
    Begin,
    /// Passes the start on.
    Push,
    /// Takes it in.
    TakeStart,
    /// Reports the lightest edge once all children have reported.
    Find,
    /// Takes in reports.
    TakeReports,
    /// A root tells the inner end of the blue edge.
    Signal,
    /// Takes that in.
    TakeSignal,
    /// Turns the path to the old root.
    Invert,
    /// Takes in the turn.
    TakeTurn,
    /// The new root is announced.
    Crown,
    /// It asks the other end to join.
    Ask,
    /// It looks whether it has been asked by that one too.
    Check,
    /// It becomes part of the other fragment.
    Attach,
    /// Roots begin to tell who they are.
    Mark,
    /// Passes the root on.
    Transmit,
    /// Takes it in.
    TakeRoot,
    /// Forgets the phase.
    Reset,
}
