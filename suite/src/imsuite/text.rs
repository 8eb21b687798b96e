//! IMSuite's text format: the contents of a file of the original suite, read and written.

use std::fmt::{self, Write as _};

use super::{RootedTree, Topology, Weighted};

/// The twelve algorithms, by the short names of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is a module of its own, where it is described
pub enum Kernel {
    Bf,
    Dst,
    By,
    Dr,
    Ds,
    Kc,
    Dp,
    Hs,
    Lcr,
    Mis,
    Mst,
    Vc,
}

impl Kernel {
    /// All twelve, in the order of the paper's tables.
    pub const ALL: [Self; 12] = [
        Self::Bf,
        Self::Dst,
        Self::By,
        Self::Dr,
        Self::Ds,
        Self::Kc,
        Self::Dp,
        Self::Hs,
        Self::Lcr,
        Self::Mis,
        Self::Mst,
        Self::Vc,
    ];

    /// The short name that the paper uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bf => "BF",
            Self::Dst => "DST",
            Self::By => "BY",
            Self::Dr => "DR",
            Self::Ds => "DS",
            Self::Kc => "KC",
            Self::Dp => "DP",
            Self::Hs => "HS",
            Self::Lcr => "LCR",
            Self::Mis => "MIS",
            Self::Mst => "MST",
            Self::Vc => "VC",
        }
    }

    /// Whether a file has a number between n and the network: the root, or K.
    fn has_header(self) -> bool {
        matches!(self, Self::Bf | Self::Dst | Self::Kc | Self::Vc)
    }

    /// Whether a file has a network; rings need none.
    fn has_network(self) -> bool {
        !matches!(self, Self::Hs | Self::Lcr)
    }

    /// How many numbers follow the network.
    fn numbers(self, nodes: usize) -> usize {
        match self {
            Self::Dr | Self::Mst => nodes * nodes,
            Self::Kc | Self::Dp | Self::Hs | Self::Lcr | Self::Vc => nodes,
            Self::Bf | Self::Dst | Self::By | Self::Ds | Self::Mis => 0,
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The contents of one file of the original suite.
///
/// ```
/// use plusminus_suite::imsuite::{Kernel, Original};
///
/// let file = Original::read(Kernel::Bf, "2\n1\n01\n10\n").unwrap();
/// assert_eq!(file.header, Some(1));
/// assert_eq!(file.write(), "2\n1\n01\n10\n");
/// let error = Original::read(Kernel::Bf, "2\n1\n01\n").unwrap_err();
/// assert_eq!(error.to_string(), "token 4: row 1 of the network is missing");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Whose input it is.
    pub kernel: Kernel,
    /// How many nodes there are.
    pub nodes: usize,
    /// The root (BF, DST, VC) or K (KC).
    pub header: Option<u32>,
    /// Who is whose neighbor, but for rings.
    pub topology: Option<Topology>,
    /// Votes (BY), identifiers (KC, DP, HS, LCR), an n × n matrix of weights (DR, MST) or parents (VC).
    pub numbers: Vec<u32>,
    /// The nodes that lie about their vote (BY).
    pub traitors: Vec<u32>,
}

impl Original {
    /// Makes an empty file.
    pub fn new(kernel: Kernel, nodes: usize) -> Self {
        let (header, topology) = (None, None);
        Self { kernel, nodes, header, topology, numbers: Vec::new(), traitors: Vec::new() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The token at which the text stops to be an input of this kernel.
    pub fn read(kernel: Kernel, text: &str) -> Result<Self, TextError> {
        let mut tokens = Tokens { inner: text.split_ascii_whitespace(), position: 0 };
        let nodes = tokens.number("the number of nodes")? as usize;
        let mut file = Self::new(kernel, nodes);
        if kernel.has_header() {
            file.header =
                Some(tokens.number(if kernel == Kernel::Kc { "K" } else { "the root" })?);
        }
        if kernel.has_network() {
            file.topology = Some(read_rows(&mut tokens, nodes)?);
        }
        if kernel == Kernel::By {
            let votes = tokens.next("the votes")?;
            file.numbers =
                bits(votes, nodes).ok_or_else(|| tokens.wrong("is not one vote per node"))?;
            while let Some(traitor) = tokens.inner.next() {
                tokens.position += 1;
                file.traitors.push(tokens.parse(traitor)?);
            }
        }
        for _ in 0..kernel.numbers(nodes) {
            file.numbers.push(tokens.number("a number after the network")?);
        }
        match tokens.inner.next() {
            None => Ok(file),
            Some(_) => {
                tokens.position += 1;
                Err(tokens.wrong("is left over"))
            }
        }
    }

    /// Writes the file as the original generators do.
    pub fn write(&self) -> String {
        let mut text = format!("{}\n", self.nodes);
        if let Some(header) = self.header {
            let _ = writeln!(text, "{header}");
        }
        if let Some(topology) = &self.topology {
            for node in 0..self.nodes as u32 {
                let mut row = vec![b'0'; self.nodes];
                topology.neighbours(node).iter().for_each(|&other| row[other as usize] = b'1');
                text.push_str(std::str::from_utf8(&row).unwrap_or_default());
                text.push('\n');
            }
        }
        if self.kernel == Kernel::By {
            text.push_str(" \n");
            self.numbers.iter().for_each(|vote| text.push(if *vote == 1 { '1' } else { '0' }));
            text.push_str("\n \n");
            self.traitors.iter().for_each(|traitor| {
                let _ = writeln!(text, "{traitor}");
            });
        } else if !self.numbers.is_empty() {
            if self.topology.is_some() {
                text.push_str(" \n");
            }
            let numbers: Vec<String> = self.numbers.iter().map(u32::to_string).collect();
            text.push_str(&numbers.join("\n"));
            text.push('\n');
        }
        text
    }
}

/// If a file lacks a part that its kernel needs, that part is empty, and later rejected.
impl From<Original> for Weighted {
    fn from(file: Original) -> Self {
        let (n, numbers) = (file.nodes, file.numbers);
        let topology = file.topology.unwrap_or_else(|| Topology::from_edges(n, []));
        Self::new(topology, |a, b| numbers[a as usize * n + b as usize])
    }
}

impl From<Original> for RootedTree {
    fn from(file: Original) -> Self {
        Self::new(file.header.unwrap_or(0), file.numbers)
    }
}

/// The words of a file and where we are.
struct Tokens<'a> {
    inner: std::str::SplitAsciiWhitespace<'a>,
    position: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, TextError> {
        self.position += 1;
        let missing = TextError { token: self.position, problem: format!("{what} is missing") };
        self.inner.next().ok_or(missing)
    }

    fn number(&mut self, what: &str) -> Result<u32, TextError> {
        let token = self.next(what)?;
        self.parse(token)
    }

    fn parse(&self, token: &str) -> Result<u32, TextError> {
        token
            .parse()
            .map_err(|_| self.wrong(&format!("{token:?} is not a whole number below 2^32")))
    }

    fn wrong(&self, problem: &str) -> TextError {
        TextError { token: self.position, problem: problem.to_owned() }
    }
}

/// The rows of the network's matrix, which has to be symmetric with an empty diagonal.
fn read_rows(tokens: &mut Tokens<'_>, nodes: usize) -> Result<Topology, TextError> {
    let mut edges = Vec::new();
    let mut links = 0;
    for node in 0..nodes {
        let row = tokens.next(&format!("row {node} of the network"))?;
        let row = bits(row, nodes)
            .ok_or_else(|| tokens.wrong("is not a row of as many 0 and 1 as there are nodes"))?;
        for (other, _) in row.iter().enumerate().filter(|(_, bit)| **bit == 1) {
            if other == node {
                return Err(tokens.wrong(&format!("node {node} is its own neighbor")));
            }
            links += 1;
            edges.push((node as u32, other as u32));
        }
    }
    let topology = Topology::from_edges(nodes, edges);
    if 2 * topology.edges() != links {
        return Err(tokens.wrong("the network is not symmetric"));
    }
    Ok(topology)
}

/// The digits of a string of 0 and 1 of a known length.
fn bits(token: &str, length: usize) -> Option<Vec<u32>> {
    let digits: Vec<u32> = token.bytes().map(|byte| u32::from(byte.wrapping_sub(b'0'))).collect();
    (digits.len() == length && digits.iter().all(|&digit| digit <= 1)).then_some(digits)
}

/// Why a text is not an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// Which word of the text, counted from 1.
    pub token: usize,
    /// The fault.
    pub problem: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "token {}: {}", self.token, self.problem)
    }
}

impl std::error::Error for TextError {}
