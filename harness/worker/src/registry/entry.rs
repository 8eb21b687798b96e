//! One registered benchmark, with the types of its problem erased to function pointers.

use std::any::{Any, TypeId, type_name};

use crate::{
    Bencher, Options, Problem, Registry,
    listed::Listed,
    metric::Metrics,
    order::order,
    protocol::{RawSample, Role, Tally},
    registry::name::apart,
    text::{sentence, visible},
    window::{Ask, Compare, WrongAnswer},
};

/// The beginning of the data of a registered benchmark, so that a program's sections can be searched for them. Its
/// number grows when the beginning of `subject` changes, or a field before it.
pub const ENTRY_MARK: [u8; 16] = *b"plusminus:bench3";

/// The beginning of the data of a registered group.
pub const GROUP_MARK: [u8; 16] = *b"plusminus:group2";

/// A benchmark as an attribute registers it.
///
/// The order of its fields in memory is fixed: `cargo plusminus compare` finds in the linker's input which functions
/// belong to which benchmark.
#[repr(C)]
pub struct Entry {
    /// [`ENTRY_MARK`].
    pub mark: [u8; 16],
    /// The full path of the module it stands in, crate first.
    pub module: &'static str,
    /// The function's name, or the one given with `name = …`.
    pub name: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line of the function.
    pub line: u32,
    /// The column of the function.
    pub column: u32,
    /// The number of its types and constants among the combinations that its function is registered with.
    pub combination: u32,
    /// Makes the counters that are read besides the time, if it has any: apart, because they are code that measures.
    pub metrics: Option<fn() -> Metrics>,
    /// The code to run.
    pub subject: Subject,
    /// The settings of the attribute about measuring.
    pub options: fn() -> Options,
    /// The package that was compiled; empty if cargo did not compile it.
    pub package: PackageName,
}

/// The name of a package, with each byte turned over. As a text it would be taken for the name of a program that a benchmark may
/// start, because a package often has one of its own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PackageName(pub &'static [u8]);

impl PackageName {
    /// Turns a name over.
    #[must_use]
    pub const fn turned<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
        let mut turned = [0; LENGTH];
        let mut at = 0;
        while at < LENGTH {
            turned[at] = !name.as_bytes()[at];
            at += 1;
        }
        turned
    }

    /// The name itself.
    #[must_use]
    pub fn text(self) -> String {
        let bytes: Vec<u8> = self.0.iter().map(|byte| !byte).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The name of the package that is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! package_name {
    () => {{
        const NAME: &str = match ::core::option_env!("CARGO_PKG_NAME") {
            ::core::option::Option::Some(name) => name,
            ::core::option::Option::None => "",
        };
        const TURNED: [u8; NAME.len()] = $crate::registry::private::PackageName::turned(NAME);
        $crate::registry::private::PackageName(&TURNED)
    }};
}

inventory::collect!(Entry);

/// Options for all benchmarks of a module, as an attribute registers them.
#[repr(C)]
pub struct Group {
    /// [`GROUP_MARK`].
    pub mark: [u8; 16],
    /// The full path of the module that the group's module stands in, crate first.
    pub parent: &'static str,
    /// The group's module.
    pub module: &'static str,
    /// The name that stands for the module in the names of benchmarks, if it has another one.
    pub name: Option<&'static str>,
    /// Makes the counters of benchmarks without their own, if it has any.
    pub metrics: Option<fn() -> Metrics>,
    /// The settings of the attribute about measuring.
    pub options: fn() -> Options,
}

inventory::collect!(Group);

impl Group {
    /// The path of the group's module below that of the program, if the rest of `module` begins with it.
    fn contains(&self, module: &str) -> bool {
        module
            .strip_prefix(self.parent)
            .and_then(|rest| rest.strip_prefix("::"))
            .and_then(|rest| rest.strip_prefix(self.module))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    fn depth(&self) -> usize {
        self.parent.split("::").count()
    }
}

impl Entry {
    pub(crate) fn krate(&self) -> &'static str {
        self.module.split("::").next().unwrap_or(self.module)
    }

    /// Identifies the problem that it solves, if it is a variant.
    pub(crate) fn problem(&self) -> Option<TypeId> {
        match &self.subject {
            Subject::Function(_) | Subject::Registered(_) => None,
            Subject::Variant(variant) => Some((variant.problem.id)()),
        }
    }

    /// `module::function` without the crate.
    pub(crate) fn path(&self) -> String {
        let mut parts: Vec<&str> = self.module.split("::").listed();
        for group in self.groups() {
            if let Some(name) = group.name {
                parts[group.depth()] = name;
            }
        }
        parts.push(self.name);
        // The attribute takes only what can be seen in a name; a command of a build service can.
        sentence(&parts[1..].join("::"))
    }

    /// The groups around it, the innermost first.
    fn groups(&self) -> Vec<&'static Group> {
        let around = |group: &&Group| group.contains(self.module);
        let groups: Vec<&Group> = inventory::iter::<Group>().filter(around).listed();
        let sorted = order(groups.len(), &|a, b| groups[b].depth().cmp(&groups[a].depth()));
        sorted.into_iter().map(|index| groups[index]).listed()
    }

    /// The settings of the attribute, completed by the groups around it.
    pub(crate) fn settings(&self) -> Options {
        let own = settings(self.options, self.metrics);
        let groups = self.groups().into_iter();
        groups.fold(own, |options, group| options.or(settings(group.options, group.metrics)))
    }
}

/// The settings of one attribute, with its metrics.
fn settings(options: fn() -> Options, metrics: Option<fn() -> Metrics>) -> Options {
    Options { metrics: metrics.map_or_else(Metrics::default, |make| make()), ..options() }
}

/// The code of a benchmark. In memory, its kind stands first, and then its functions: one, or a variant's two.
#[repr(u64)]
pub enum Subject {
    /// A function on its own.
    Function(FunctionSubject),
    /// One of several solutions of a problem.
    Variant(VariantSubject),
    /// A function that registers benchmarks when it is called.
    Registered(RegisteredSubject),
}

/// A function that registers benchmarks when it is called.
#[repr(C)]
pub struct RegisteredSubject {
    /// The function.
    pub register: fn(&Registry),
    /// Whether the names of its benchmarks begin with its module and name.
    pub prefixed: bool,
}

/// A function on its own: its arguments are its points.
#[repr(C)]
pub struct FunctionSubject {
    /// Calls the function for one argument, under the control of the bencher.
    pub run: fn(usize, Bencher<'_>),
    /// The names of types, constants and arguments of each point; one point without names where there are none.
    pub points: fn() -> Vec<Vec<String>>,
}

/// Counts one solution: loaded input, instance.
type CountSolution = fn(&dyn Any, usize) -> Vec<Tally>;

/// One of several solutions of a problem.
#[repr(C)]
pub struct VariantSubject {
    /// Takes one sample of the loaded input.
    pub sample: fn(&dyn Any, &mut Ask<'_>) -> Result<RawSample, WrongAnswer>,
    /// The problem that it solves.
    pub problem: ProblemSubject,
    /// Its part in comparisons.
    pub role: Role,
    /// Whether several threads may call it at once.
    pub shared: bool,
    /// Counts one solution, if the variant can tell.
    pub tally: Option<CountSolution>,
    /// Returns what compares two outputs, if their type can be compared.
    pub compare: fn() -> Option<Compare>,
}

/// Properties of a point that are known without building its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The parts of its name; none for a function without arguments.
    pub names: Vec<String>,
    /// Its size n, if it has one.
    pub size: Option<f64>,
    /// The processor counts that belong to it, if any do.
    pub processors: Vec<usize>,
}

/// A [`Problem`] with its types erased.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ProblemSubject {
    /// Builds input and instances of a point.
    pub load: fn(usize) -> Loaded,
    /// Identifies the problem.
    pub id: fn() -> TypeId,
    /// The path of the problem's type.
    pub name: fn() -> &'static str,
    /// Its points.
    pub points: fn() -> Vec<Point>,
    /// The models that a study compares for it.
    pub models: fn() -> &'static [&'static str],
}

/// The input of a point with its instances, and what can be said of them.
pub struct Loaded {
    /// The typed data, known to the problem's variants only.
    pub(crate) data: Box<dyn Any>,
    /// Name and work of each instance.
    pub(crate) instances: Vec<(String, crate::Work)>,
}

impl Loaded {
    /// The typed data, as the functions of a [`VariantSubject`] take it.
    pub fn data(&self) -> &dyn Any {
        self.data.as_ref()
    }
}

pub(crate) struct TypedInput<P: Problem> {
    pub(crate) input: P::Input,
    pub(crate) instances: Vec<P::Instance>,
}

impl ProblemSubject {
    /// Erases the types of a problem.
    pub const fn of<P: Problem>() -> Self {
        Self {
            id: TypeId::of::<P>,
            name: type_name::<P>,
            points: || {
                let points = P::sweep().into_iter();
                let describe = |point| Point {
                    names: vec![P::Point::to_string(&point)],
                    size: P::size(&point),
                    processors: P::processors(&point),
                };
                points.map(describe).collect()
            },
            models: P::models,
            load: |index| {
                let point = P::sweep()
                    .into_iter()
                    .nth(index)
                    .expect("the runner asks for listed points only");
                let input = P::input(&point);
                let instances = P::instances(&input);
                let mut names: Vec<String> =
                    instances.iter().map(|instance| visible(&instance.to_string())).listed();
                apart(&mut names, |number| format!(" ({number})"));
                let works = instances.iter().map(|instance| P::work(&input, instance));
                let described = names.into_iter().zip(works).collect();
                Loaded {
                    data: Box::new(TypedInput::<P> { input, instances }),
                    instances: described,
                }
            },
        }
    }

    /// The problem's type without its crate: `sssp::ShortestPaths`.
    pub(crate) fn path(&self) -> String {
        let full = (self.name)();
        full.split_once("::").map_or(full, |(_, path)| path).to_owned()
    }
}

/// Everything registered in this program, in the order of the source: the linker's own order is not stable.
pub(crate) fn entries() -> Vec<&'static Entry> {
    let entries: Vec<&Entry> = inventory::iter::<Entry>().listed();
    let place = |index: usize| {
        let entry: &Entry = entries[index];
        let source = (entry.krate(), entry.file, entry.line, entry.column);
        (source, entry.name, entry.module, entry.combination)
    };
    let sorted = order(entries.len(), &|a, b| place(a).cmp(&place(b)));
    sorted.into_iter().map(|index| entries[index]).collect()
}
