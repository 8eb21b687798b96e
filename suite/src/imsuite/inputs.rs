//! The settings of the inputs of all problems besides sizes: the seed, the shape, K, the weights of routes, or a
//! file.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::generate::{DEFAULT_SEED, OriginalOptions, RouteWeights, Shape};
use super::{Kernel, Original};

/// The variable that decides the seed of all generated inputs, 101 without it.
pub const SEED_VARIABLE: &str = crate::inputs::SEED_VARIABLE;
/// The variable that decides the shape of networks, or of trees: `complete`, `random`, `sp-min`, `sp-max`; `chain`, `star`,
/// `tree`.
pub const SHAPE_VARIABLE: &str = "PLUSMINUS_SUITE_SHAPE";
/// The variable that decides K of the committee problem, 3 without it.
pub const K_VARIABLE: &str = "PLUSMINUS_SUITE_K";
/// The variable that decides the weights of routes: `equal`, as without it, or `random`.
pub const WEIGHTS_VARIABLE: &str = "PLUSMINUS_SUITE_ROUTE_WEIGHTS";
/// The variable that names a file in the original's format, such as `plusminus-generate imsuite` writes.
pub const FILE_VARIABLE: &str = "PLUSMINUS_SUITE_NETWORK";

/// K of the committee problem, as in the paper's inputs of 64 nodes.
const COMMITTEE_SIZE: u32 = 3;

/// The settings by variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    /// Seed of generated inputs.
    pub seed: u64,
    /// Shape of networks or trees; each problem's own without it.
    pub shape: Option<Shape>,
    /// K of the committee problem.
    pub committee_size: u32,
    /// Weights of routes.
    pub route_weights: RouteWeights,
    /// The file to read instead of generating.
    pub file: Option<PathBuf>,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            seed: DEFAULT_SEED,
            shape: None,
            committee_size: COMMITTEE_SIZE,
            route_weights: RouteWeights::Equal,
            file: None,
        }
    }
}

impl Inputs {
    /// Returns the settings by the variables of this process, read once.
    ///
    /// # Panics
    /// When one of them cannot be understood.
    pub fn of_environment() -> &'static Self {
        static INPUTS: OnceLock<Inputs> = OnceLock::new();
        INPUTS.get_or_init(|| {
            let get = |name: &str| std::env::var(name).ok();
            Self::from_variables(&get).unwrap_or_else(|error| panic!("{error}"))
        })
    }

    /// Reads the variables.
    fn from_variables(get: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut inputs = Self::default();
        if let Some(seed) = get(SEED_VARIABLE) {
            inputs.seed = crate::inputs::seed(&seed)?;
        }
        if let Some(name) = get(SHAPE_VARIABLE) {
            inputs.shape = Some(shape(name.trim()).ok_or_else(|| {
                format!(
                    "{SHAPE_VARIABLE}: {name:?} is none of complete, random, sp-min, sp-max, chain, star, tree"
                )
            })?);
        }
        if let Some(k) = get(K_VARIABLE) {
            inputs.committee_size = match k.trim().parse() {
                Ok(k) if k > 0 => k,
                _ => return Err(format!("{K_VARIABLE}: {k:?} is not a size of at least 1")),
            };
        }
        if let Some(weights) = get(WEIGHTS_VARIABLE) {
            inputs.route_weights = match weights.trim() {
                "equal" => RouteWeights::Equal,
                "random" => RouteWeights::Random,
                _ => {
                    return Err(format!(
                        "{WEIGHTS_VARIABLE}: {weights:?} is neither equal nor random"
                    ));
                }
            };
        }
        inputs.file = get(FILE_VARIABLE).map(PathBuf::from);
        Ok(inputs)
    }

    /// The shapes of a problem's points: the problem's own, or the one that is asked for if it is one of its kind. Rings have
    /// no other.
    pub(super) fn shapes(&self, own: [Shape; 2]) -> [Shape; 2] {
        let tree = |shape| matches!(shape, Shape::Chain | Shape::Star | Shape::RandomTree);
        let is_ring = own == [Shape::Ring; 2];
        match self.shape {
            Some(shape) if !is_ring && tree(shape) == tree(own[0]) => [shape; 2],
            _ => own,
        }
    }

    /// The input that the original's generator draws, or that of the file.
    ///
    /// # Panics
    /// When the file is no input of the kernel.
    pub(super) fn original(&self, kernel: Kernel, nodes: usize, shape: Shape) -> Original {
        if let Some(path) = &self.file {
            return read(kernel, path).unwrap_or_else(|error| panic!("{error}"));
        }
        let mut options = OriginalOptions::new(kernel, nodes, shape);
        options.seed = self.seed;
        options.committee_size = Some(self.committee_size);
        options.route_weights = self.route_weights;
        options.generate()
    }

    /// The number of nodes of the file, where there is one.
    ///
    /// # Panics
    /// When the file cannot be read or does not begin with a number.
    pub(super) fn nodes_of_file(&self) -> Option<usize> {
        let path = self.file.as_ref()?;
        let text = text(path).unwrap_or_else(|error| panic!("{error}"));
        let first = text.split_ascii_whitespace().next().and_then(|first| first.parse().ok());
        let Some(nodes) = first.filter(|&nodes: &usize| nodes > 1) else {
            panic!("{FILE_VARIABLE}: {} does not begin with a number of nodes", path.display());
        };
        Some(nodes)
    }

    /// Returns the settings that differ from the defaults, for the names of points: `-seed7-k4-random-weights`.
    pub(super) fn suffix(&self) -> String {
        let mut suffix = String::new();
        let usual = Self::default();
        if self.file.is_some() {
            // Nothing else matters then.
            return suffix;
        }
        if self.seed != usual.seed {
            suffix += &format!("-seed{}", self.seed);
        }
        if self.committee_size != usual.committee_size {
            suffix += &format!("-k{}", self.committee_size);
        }
        if self.route_weights != usual.route_weights {
            suffix += "-random-weights";
        }
        suffix
    }

    /// The name of the file for the names of points.
    pub(super) fn file_name(&self) -> Option<String> {
        let name = self.file.as_ref()?.file_stem()?;
        Some(name.to_string_lossy().into_owned())
    }
}

/// The text of a file.
fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("{FILE_VARIABLE}: cannot read {}: {error}", path.display()))
}

/// Reads a file in the original's format.
fn read(kernel: Kernel, path: &Path) -> Result<Original, String> {
    Original::read(kernel, &text(path)?).map_err(|error| {
        format!(
            "{FILE_VARIABLE}: {} is no input of {kernel}: {error}; choose the problem that it is for by a filter",
            path.display()
        )
    })
}

/// A shape by its name, as points show it.
fn shape(name: &str) -> Option<Shape> {
    Some(match name {
        "complete" => Shape::Complete,
        "random" => Shape::Random,
        "sp-min" => Shape::SparseMinimum,
        "sp-max" => Shape::SparseMaximum,
        "chain" => Shape::Chain,
        "star" => Shape::Star,
        "tree" => Shape::RandomTree,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Inputs, String> {
        let get = |name: &str| {
            pairs.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned())
        };
        Inputs::from_variables(&get)
    }

    #[test]
    fn inputs_are_named_by_what_is_unusual() {
        assert_eq!(of(&[]).unwrap(), Inputs::default());
        assert_eq!(Inputs::default().suffix(), "");
        let inputs =
            of(&[(SEED_VARIABLE, "7"), (K_VARIABLE, "4"), (WEIGHTS_VARIABLE, "random")]).unwrap();
        assert_eq!(inputs.suffix(), "-seed7-k4-random-weights");
        let drawn = inputs.original(Kernel::Kc, 16, Shape::SparseMinimum);
        assert_eq!(drawn.header, Some(4));
        assert_ne!(drawn, Inputs::default().original(Kernel::Kc, 16, Shape::SparseMinimum));
    }

    #[test]
    fn a_shape_is_for_problems_of_its_kind() {
        let (sparse, trees) =
            ([Shape::SparseMinimum, Shape::SparseMaximum], [Shape::Chain, Shape::Star]);
        let complete = of(&[(SHAPE_VARIABLE, "complete")]).unwrap();
        assert_eq!(complete.shapes(sparse), [Shape::Complete; 2]);
        assert_eq!(complete.shapes(trees), trees);
        let tree = of(&[(SHAPE_VARIABLE, "tree")]).unwrap();
        assert_eq!(tree.shapes(trees), [Shape::RandomTree; 2]);
        assert_eq!(tree.shapes([Shape::Ring; 2]), [Shape::Ring; 2]);
        assert_eq!(tree.shapes(sparse), sparse);
    }

    #[test]
    fn a_written_input_is_read_again() {
        let folder = std::env::temp_dir().join(format!("plusminus-inputs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("KC_16.txt");
        let original = Inputs::default().original(Kernel::Kc, 16, Shape::SparseMaximum);
        std::fs::write(&path, original.write()).unwrap();
        let inputs = of(&[(FILE_VARIABLE, path.to_str().unwrap())]).unwrap();
        assert_eq!(inputs.original(Kernel::Kc, 99, Shape::Complete), original);
        assert_eq!((inputs.nodes_of_file(), inputs.suffix().as_str()), (Some(16), ""));
        assert_eq!(inputs.file_name().as_deref(), Some("KC_16"));
        assert!(read(Kernel::Mst, &path).unwrap_err().contains("choose the problem"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (name, value) in [
            (SEED_VARIABLE, "x"),
            (SHAPE_VARIABLE, "cube"),
            (K_VARIABLE, "0"),
            (WEIGHTS_VARIABLE, "heavy"),
        ] {
            assert!(of(&[(name, value)]).unwrap_err().contains(name), "{name}");
        }
    }
}
