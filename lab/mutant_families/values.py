"""Constants, operators, bounds, branches, table entries and texts, one place of every kernel changed in each build."""
import concurrent.futures

from . import common
from .common import Tally, printed, write

# For each kernel: the group of code that is changed, its text, and what stands in the place of each name at first.
# Integers grow with the number of the build; lists are gone through.
ALU = ["+", "-", "*", "^", "|", "&"]
CMP = ["<", "<=", ">", ">=", "==", "!="]
KERNELS = {
    "kernel": ("x.wrapping_mul(@C).rotate_left(@D)", {"C": 3, "D": 5}),
    "operator": ("(x & 0xffff) @O (@C & 0xffff)", {"O": ALU, "C": 77}),
    "bound": ("(0..x % 7 + @B).fold(1, |a, i| a * 3 + i)", {"B": 4}),
    "branch": ("let mut s = 0; for i in 0..64 { if i @P (x + @C) % 64 { s = s * 5 + i } } s", {"P": CMP, "C": 11}),
    "table": ("const T: [u64; 8] = [9, 4, 7, @T, 2, 8, 6, 5]; (0..8).fold(x, |a, i| a.wrapping_mul(31) ^ black_box(T)[i])", {"T": 1}),
    "text": ("black_box(\"some text @S\").bytes().fold(x, |a, b| a.wrapping_mul(33) ^ b as u64)", {"S": 100}),
    "closure": ("let f = |y: u64| y.wrapping_mul(@C) ^ x; (0..9).map(f).sum()", {"C": 13}),
    "generic": ("of_any(x, @Cu64) + of_any(x as u32, @Du32) as u64", {"C": 21, "D": 8}),
    "constant": ("turned::<@N>(x)", {"N": 2}),
    "object": ("let all: [Box<dyn Shape>; 2] = [Box::new(Square(x % 9)), Box::new(Line(x % 5))]; black_box(all).iter().map(|s| s.size()).sum::<u64>() + @C", {"C": 6}),
    "method": ("let one: Box<dyn Shape> = Box::new(Point_); black_box(one).size().wrapping_add(x)", {"M": 40}),
    "pointer": ("let f: fn(u64) -> u64 = if black_box(x) > 3 { first } else { second }; f(x)", {"F": 17, "G": 19}),
    "callback": ("let mut v: Vec<u64> = (0..40).map(|i| i * 37 % 41).collect(); v.sort_by_key(|k| k.wrapping_mul(@C) % 101); v.iter().fold(x, |a, b| a.wrapping_mul(7) ^ b)", {"C": 3}),
    "dependency": ("part::step(x)", {"DEP": 23}),
    "generated": ("made(x)", {"GEN": 29}),
    "fixed": ("FIXED.iter().fold(x, |a, b| a.wrapping_mul(5) ^ black_box(*b) as u64)", {"V": 31}),
    "variable": ("VARIABLE.load(std::sync::atomic::Ordering::Relaxed).wrapping_mul(x)", {"W": 37}),
    "local": ("LOCAL.with(|c| c.get()).wrapping_add(x)", {"L": 43}),
    "assembly": ("let y: u64; unsafe { std::arch::asm!(\"lea {0}, [{1} + {1} * 2 + @A]\", out(reg) y, in(reg) x) }; y", {"A": 47}),
    "cases": ("match x % 9 { 0 => 5, 1 => 70, 2 => x * 3, 3 => @C, 4 => 1, 5 => x + 9, 6 => 12, 7 => x ^ 77, _ => 3 }", {"C": 51}),
    "named": ("match black_box([\"alpha\", \"beta@S\", \"gamma\"][x as usize % 3]) { \"alpha\" => 1, \"beta5\" => 2, s => s.len() as u64 * 10 + s.as_bytes()[s.len() - 1] as u64 }", {"S": 5}),
    "formatted": ("format!(\"{x:@R} and @S\").bytes().fold(0, |a: u64, b| a.wrapping_mul(31) ^ b as u64)", {"R": ["5", "x", "07", "b", "e", "o", "<9", "^9"], "S": 3}),
    "real": ("((x as f64).sqrt() * @C.25 + @D.5).to_bits()", {"C": 3, "D": 9}),
    "recursive": ("fn f(n: u64, d: u64) -> u64 { if n < 2 { d + @C } else { f(n - 1, d) ^ f(n - 2, d + 1).wrapping_mul(3) } } f(x % 11 + 3, 1)", {"C": 55}),
    "list": ("static L: &[(&str, u64)] = &[(\"entry\", @C)]; black_box(L)[0].1 + x", {"C": 61}),
    "promoted": ("black_box(&[(\"entry.rs\", @Cu32, 7u32)])[0].1 as u64 + x", {"C": 71}),
    "placed": ("static L: &[(&str, u32, u32)] = &[(\"src/lib.rs\", 9, @C), (\"src/lib.rs\", @D, 5)]; black_box(L).iter().map(|l| (l.1 * 512 + l.2) as u64).sum::<u64>() ^ x", {"C": 73, "D": 79}),
    "ended": ("static L: &(&str, u32, u32) = &(\"src/lib.rs\\0\", @C, 7); black_box(L).1 as u64 + x", {"C": 83}),
    "located": ("static L: &[(&str, u32, u32)] = &[(\"entry\", @C, 7)]; black_box(L)[0].1 as u64 + x", {"C": 67}),
}

def at(kernel, start, build):
    """What stands in each place of a kernel in a build: one place differs from the start. Build 0 is the start."""
    values = {name: value[0] if isinstance(value, list) else value for name, value in start.items()}
    if build > 0:
        names = sorted(start)
        name, step = names[(build - 1) % len(names)], 1 + (build - 1) // len(names)
        value = start[name]
        values[name] = value[step % len(value)] if isinstance(value, list) else value + step * (2 if name == "N" else 1)
    return values

def source(build):
    """The files of the crate in a build, by their names."""
    files, functions, everything = {}, [], {}
    for kernel, (text, start) in KERNELS.items():
        values = at(kernel, start, build)
        everything.update({name: value for name, value in values.items() if "@" + name not in text})
        for name, value in values.items():
            text = text.replace("@" + name, str(value))
        functions.append(f"#[inline(never)] pub fn {kernel}(x: u64) -> u64 {{ {text} }}\n")
    e = everything
    files["src/lib.rs"] = f"""use std::{{cell::Cell, hint::black_box, sync::atomic::AtomicU64}};
include!(concat!(env!("OUT_DIR"), "/generated.rs"));
trait Shape {{ fn size(&self) -> u64 {{ {e["M"]} }} }}
struct Square(u64); struct Line(u64); struct Point_;
impl Shape for Square {{ fn size(&self) -> u64 {{ self.0 * self.0 }} }}
impl Shape for Line {{ fn size(&self) -> u64 {{ self.0 }} }}
impl Shape for Point_ {{}}
fn of_any<T: Copy + std::ops::BitXor<Output = T> + std::ops::Shl<u32, Output = T>>(x: T, y: T) -> T {{ (x << 3) ^ y }}
fn turned<const N: u32>(x: u64) -> u64 {{ x.rotate_left(N) ^ N as u64 }}
#[inline(never)] fn first(x: u64) -> u64 {{ x * {e["F"]} }}
#[inline(never)] fn second(x: u64) -> u64 {{ x * {e["G"]} }}
static FIXED: [u32; 4] = [7, {e["V"]}, 11, 13];
static VARIABLE: AtomicU64 = AtomicU64::new({e["W"]});
thread_local! {{ static LOCAL: Cell<u64> = const {{ Cell::new({e["L"]}) }}; }}
{"".join(functions)}
pub fn all() -> Vec<(&'static str, fn(u64) -> u64)> {{ vec![{", ".join(f'("{k}", {k} as fn(u64) -> u64)' for k in KERNELS)}] }}
"""
    files["build.rs"] = f"""fn main() {{
    let file = std::path::Path::new(&std::env::var("OUT_DIR").unwrap()).join("generated.rs");
    std::fs::write(file, "pub fn made(x: u64) -> u64 {{ x * {e["GEN"]} }}").unwrap();
    println!("cargo::rerun-if-changed=build.rs");
}}
"""
    files["part/src/lib.rs"] = f"#[inline(never)] pub fn step(x: u64) -> u64 {{ x ^ (x << 3) ^ {e['DEP']} }}\n"
    return files

STILL = {
    "Cargo.toml": f"""[package]
name = "mutants"
version = "0.1.0"
edition = "2024"
[workspace]
members = ["part"]
[lib]
bench = false
[dependencies]
part = {{ path = "part" }}
[dev-dependencies]
plusminus = {{ path = "{common.HOME}/harness" }}
criterion = {{ package = "plusminus-criterion", path = "{common.HOME}/compat/criterion" }}
[[bench]]
name = "speed"
harness = false
[[bin]]
name = "answers"
path = "src/answers.rs"
bench = false
""",
    "part/Cargo.toml": '[package]\nname = "part"\nversion = "0.1.0"\nedition = "2024"\n[lib]\nbench = false\n',
    "src/answers.rs": "fn main() { for (name, f) in mutants::all() { let all: Vec<u64> = (0..200).map(f).collect(); println!(\"{name} {all:?}\"); } }\n",
    "benches/speed.rs": "use plusminus::bench;\nuse std::hint::black_box;\n"
    + "".join(f"#[bench] fn {k}() -> u64 {{ mutants::{k}(black_box(7)) }}\n" for k in KERNELS) + "plusminus::main!();\n",
}

# The same benchmarks as criterion has them, registered while the program runs by two functions.
HALVES = [list(KERNELS)[::2], list(KERNELS)[1::2]]
BY_CRITERION = "use criterion::{Criterion, black_box, criterion_group, criterion_main};\n" + "".join(
    f"fn half_{i}(c: &mut Criterion) {{\n    let x: Vec<u64> = vec![7; 3];\n"
    + "".join(f'    c.bench_function("{k}", |b| b.iter(|| mutants::{k}(black_box(x[1]))));\n' for k in half) + "}\n"
    for i, half in enumerate(HALVES)) + "criterion_group!(benches, half_0, half_1);\ncriterion_main!(benches);\n"


def run(laboratory, options):
    tally = Tally("criterion" if options.criterion else "values")
    folder = laboratory.folder / "values"
    write(folder, {**STILL, "benches/speed.rs": BY_CRITERION} if options.criterion else STILL)
    built = []
    # One program is compared while the next one is built.
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        for build in range(options.builds + 1):
            write(folder, source(build))
            program, answers = laboratory.build(folder, flags=" ")
            first = built[0][2] if built else program
            built.append((build, printed(answers), program, pool.submit(laboratory.judged, first, program)))
            answers.unlink()
    reference = built[0][1]
    for build, answers, _, judged in built[1:]:
        for kernel, verdict in judged.result().items():
            name = f"build {build}: {kernel} {at(kernel, KERNELS[kernel][1], build)}"
            if answers[kernel] == reference[kernel]:
                tally.same(name, verdict)
            else:
                tally.mutant(name, verdict)
    return tally
