"""One variable for another, two for one and one for two, of each kind and used in each way."""
from .common import Tally, answers, benches, listed, printed, side_by_side

ATOMIC = "std::sync::atomic::{AtomicU64, AtomicU8, AtomicBool, Ordering::Relaxed}"
# What adds to a variable and what reads it, for each type.
TRAIT = f"""pub use {ATOMIC};
pub use std::{{cell::{{Cell, RefCell, UnsafeCell}}, sync::{{LazyLock, Mutex, OnceLock, RwLock}}, thread::LocalKey}};
pub trait Var: Sync {{ fn put(&'static self, x: u64); fn now(&'static self) -> u64; }}
impl Var for AtomicU64 {{ fn put(&self, x: u64) {{ self.fetch_add(x, Relaxed); }} fn now(&self) -> u64 {{ self.load(Relaxed) }} }}
impl Var for AtomicU8 {{ fn put(&self, x: u64) {{ self.fetch_add(x as u8, Relaxed); }} fn now(&self) -> u64 {{ self.load(Relaxed) as u64 }} }}
impl Var for AtomicBool {{ fn put(&self, x: u64) {{ self.fetch_xor(x & 1 == 1, Relaxed); }} fn now(&self) -> u64 {{ self.load(Relaxed) as u64 }} }}
impl Var for Mutex<u64> {{ fn put(&self, x: u64) {{ *self.lock().unwrap() += x; }} fn now(&self) -> u64 {{ *self.lock().unwrap() }} }}
impl Var for RwLock<u64> {{ fn put(&self, x: u64) {{ *self.write().unwrap() += x; }} fn now(&self) -> u64 {{ *self.read().unwrap() }} }}
impl Var for Mutex<Vec<u64>> {{ fn put(&self, x: u64) {{ self.lock().unwrap().push(x); }} fn now(&self) -> u64 {{ self.lock().unwrap().iter().sum() }} }}
impl Var for OnceLock<AtomicU64> {{
    fn put(&'static self, x: u64) {{ self.get_or_init(|| AtomicU64::new(5)).put(x); }} fn now(&'static self) -> u64 {{ OnceLock::get(self).map_or(77, |v| v.load(Relaxed)) }}
}}
impl Var for LazyLock<AtomicU64> {{ fn put(&'static self, x: u64) {{ (**self).fetch_add(x, Relaxed); }} fn now(&'static self) -> u64 {{ (**self).load(Relaxed) }} }}
pub struct Raw<const N: usize>(pub UnsafeCell<[u64; N]>);
unsafe impl<const N: usize> Sync for Raw<N> {{}}
impl<const N: usize> Var for Raw<N> {{
    fn put(&self, x: u64) {{ unsafe {{ (*self.0.get())[x as usize % N] += x }} }}
    fn now(&self) -> u64 {{ unsafe {{ (*self.0.get()).iter().sum() }} }}
}}
impl Var for LocalKey<Cell<u64>> {{ fn put(&'static self, x: u64) {{ self.with(|c| c.set(c.get() + x)) }} fn now(&'static self) -> u64 {{ self.with(|c| c.get()) }} }}
impl Var for LocalKey<RefCell<Vec<u64>>> {{
    fn put(&'static self, x: u64) {{ self.with(|c| c.borrow_mut().push(x)) }} fn now(&'static self) -> u64 {{ self.with(|c| c.borrow().iter().sum()) }}
}}
"""
# How a variable `@N` with the first value `@I` is declared, and where.
KINDS = {
    "atomic": "pub static @N: AtomicU64 = AtomicU64::new(@I);",
    "byte": "pub static @N: AtomicU8 = AtomicU8::new(@I);",
    "flag": "pub static @N: AtomicBool = AtomicBool::new(@I == 1);",
    "mutex": "pub static @N: Mutex<u64> = Mutex::new(@I);",
    "rwlock": "pub static @N: RwLock<u64> = RwLock::new(@I);",
    "vector": "pub static @N: Mutex<Vec<u64>> = Mutex::new(Vec::new());",
    "once": "pub static @N: OnceLock<AtomicU64> = OnceLock::new();",
    "lazy": "pub static @N: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(@I));",
    "raw": "pub static @N: Raw<1> = Raw(UnsafeCell::new([@I]));",
    "array": "pub static @N: Raw<40> = Raw(UnsafeCell::new([@I; 40]));",
    "cell": "std::thread_local! { pub static @N: Cell<u64> = const { Cell::new(@I) }; }",
    "late": "std::thread_local! { pub static @N: Cell<u64> = Cell::new(std::hint::black_box(@I)); }",
    "list": "std::thread_local! { pub static @N: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) }; }",
    "inner": "#[allow(non_snake_case)] pub mod @N_ { use super::*; pub fn own() -> &'static AtomicU64 { static X: AtomicU64 = AtomicU64::new(@I); &X } }",
    "c": "unsafe extern \"C\" { pub safe static @N: AtomicU64; }",
    "part": "pub static @N: AtomicU64 = AtomicU64::new(@I);",
    "part_local": "std::thread_local! { pub static @N: Cell<u64> = const { Cell::new(@I) }; }",
}
# Kinds without first values of their own.
PLAIN = ["vector", "once", "list"]
# How two variables `@1` and `@2` are used. The kernel has `@K` in the names of its own functions.
USES = {
    "direct": "@1.put(x); @2.now()",
    "pointer": "let (p, q) = (black_box(&@1), black_box(&@2)); p.put(x); q.now()",
    "argument": "grow(&@1, x); seen(&@2)",
    "closure": "let f = |x| @1.put(x); let g = || @2.now(); apply(f, x); g()",
    "dropped": "{ let _later = OnDrop(&@1, x); } @2.now()",
    "functions": "#[inline(never)] fn left(x: u64) { @1.put(x) } #[inline(never)] fn right() -> u64 { @2.now() } left(x); right()",
    "table": "let t: [&'static dyn Var; 2] = [&@1, &@2]; black_box(t)[0].put(x); black_box(t)[1].now()",
    "threads": "std::thread::scope(|s| { s.spawn(move || @1.put(x)); s.spawn(move || @2.put(x ^ 1)); }); %1.now() * 3 + %2.now()",
    "cost": "std::thread::scope(|s| { s.spawn(move || @1.put(x)); s.spawn(move || @2.put(1)); }); x",
}
HELPERS = """use std::hint::black_box;
pub mod kept; pub use kept::*;
#[inline(never)] fn grow<V: Var>(v: &'static V, x: u64) { v.put(x) }
#[inline(never)] fn seen<V: Var>(v: &'static V) -> u64 { v.now() }
#[inline(never)] fn apply(f: impl Fn(u64), x: u64) { f(x) }
struct OnDrop<V: Var + 'static>(&'static V, u64);
impl<V: Var> Drop for OnDrop<V> { fn drop(&mut self) { self.0.put(self.1) } }
"""
NAMES = [f"{kind}_{use}" for kind in KINDS for use in USES]


def has_equal(name):
    """Whether both variables of a kernel begin with the same value."""
    kind, use = name.rsplit("_", 1)
    return kind in PLAIN or use in ("pointer", "closure", "functions", "threads", "cost")


def source(which, exchanged=False, other=False):
    """The crate with `which` variables in the two places; with first values exchanged; with much else around."""
    here, there, kept, functions = [], [], ["use super::*;\n"], []
    c = []
    prefix = "OTHER_" if other else ""
    for name in NAMES:
        kind, use = name.rsplit("_", 1)
        first = [1, 1] if has_equal(name) else [1, 0] if kind == "flag" else [3, 9]
        own = [f"{prefix}{name.upper()}_{number}" for number in (1, 2)]
        values = first[::-1] if exchanged else first
        lines = [KINDS[kind].replace("@N", one).replace("@I", str(value)) + "\n" for one, value in zip(own, values)]
        if other:
            here.append(f"static UNUSED_{name.upper()}: AtomicU64 = AtomicU64::new({len(here)});\n")
        (there if kind.startswith("part") else here).extend(lines)
        c += [f"_Atomic unsigned long {one} = {value};\n" for one, value in zip(own, values) if kind == "c"]
        path = {"inner": "(*@N_::own())", "part": "part::@N", "part_local": "part::@N"}.get(kind, "@N")
        text = USES[use]
        for sign, order in (("@", which), ("%", (1, 2) if not exchanged else (2, 1))):
            for place, number in zip("12", order):
                text = text.replace(sign + place, path.replace("@N", own[number - 1]))
        functions.append(f"#[inline(never)] pub fn {name}(x: u64) -> u64 {{ {text} }}\n")
        if other:
            functions.append(f"/// Unrelated.\npub fn unrelated_{name}(x: u64) -> u64 {{ UNUSED_{name.upper()}.put(x); x / 3 }}\n")
    allow = "#![allow(non_upper_case_globals, dead_code, unused_imports, improper_ctypes, clippy::all)]\n"
    if other:
        here, there, functions, c = here[::-1], there[::-1], functions[::-1], c[::-1]
    return {
        "src/lib.rs": allow + "use part::*;\n" + HELPERS + "".join(here) + "".join(functions) + listed(NAMES),
        "src/kept.rs": "// Nothing but a place for more.\n",
        "part/src/lib.rs": allow + TRAIT + "".join(there),
        "c/variables.c": "".join(c),
    }


STILL = {
    "part/Cargo.toml": '[package]\nname = "part"\nversion = "0.1.0"\nedition = "2024"\n[lib]\nbench = false\n',
    "benches/speed.rs": benches("variables", NAMES),
    "src/answers.rs": answers("variables"),
    "build.rs": """use std::process::Command;
fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let run = |program: &str, all: &[&str]| assert!(Command::new(program).args(all).status().unwrap().success());
    run("cc", &["-O2", "-fdata-sections", "-c", "c/variables.c", "-o", &format!("{out}/variables.o")]);
    let _ = std::fs::remove_file(format!("{out}/libvariables_c.a"));
    run("ar", &["crs", &format!("{out}/libvariables_c.a"), &format!("{out}/variables.o")]);
    println!("cargo::rustc-link-search=native={out}\\ncargo::rustc-link-lib=static=variables_c\\ncargo::rerun-if-changed=c");
}
""",
}
# The variables in both places, whether first values are exchanged, whether there is much else around.
BUILDS = {
    "two": dict(which=(1, 2)), "first": dict(which=(1, 1)), "second": dict(which=(2, 2)), "swapped": dict(which=(2, 1)),
    "renamed": dict(which=(2, 1), exchanged=True), "exchanged": dict(which=(1, 2), exchanged=True),
    "around": dict(which=(1, 2), other=True),
}
PAIRS = [("two", "first"), ("first", "two"), ("two", "second"), ("second", "two"), ("first", "second"), ("two", "swapped"),
         ("two", "exchanged"), ("first", "exchanged"), ("two", "renamed"), ("two", "around")]


def run(laboratory, options):
    tally, built = Tally("variables"), {}
    for name, how in BUILDS.items():
        folder = laboratory.crate("variables", {**STILL, **source(**how)}, 'part = { path = "part" }')
        speed, program = laboratory.build(folder)
        built[name] = (speed, printed(program))
    judged = side_by_side(lambda pair: laboratory.judged(built[pair[0]][0], built[pair[1]][0]), PAIRS)
    for (base, new), verdicts in zip(PAIRS, judged):
        before, after = built[base][1], built[new][1]
        for kernel, verdict in verdicts.items():
            # Lock splitting returns the same and costs something else.
            splits = kernel.endswith("_cost") and len({"two", "swapped", "renamed", "exchanged", "around"} & {base, new}) == 1
            if before[kernel] != after[kernel] or splits:
                tally.mutant(f"{kernel}: {base} to {new}", verdict)
            elif is_renaming(kernel, base, new):
                tally.same(f"{kernel}: {base} to {new}", verdict)
    return tally


def is_renaming(kernel, base, new):
    """Whether a pair of builds differs in names alone."""
    return new in ("renamed", "around") or (has_equal(kernel) and (base, new) in (("first", "second"), ("two", "exchanged"), ("two", "swapped"))
                                            and not kernel.endswith(("_threads", "_inner")))
