"""A crate of small functions, and edits of it of which it is known what costs the time."""

LOOP = "for i in 0..{turns} {{ sum = sum.wrapping_add(black_box(i) * {factor}).rotate_left({turn}); }}"

def function(name, turns=300, factor=3, turn=5, head="n: u64", inner=None):
    loop = inner or LOOP.format(turns=turns, factor=factor, turn=turn)
    return f"#[inline(never)]\npub fn {name}({head}) -> u64 {{\n    let mut sum = n;\n    {loop}\n    sum\n}}\n"

MANY = [f"many{number:02}" for number in range(32)]
SOURCE = "\n".join([
    "use std::{hint::black_box, sync::atomic::{AtomicU64, Ordering}};",
    "pub static STRIDES: [u64; 4] = [40, 60, 80, 120];",
    "pub static CALLS: AtomicU64 = AtomicU64::new(0);",
    "pub struct Pair { pub a: u64, pub b: u64 }",
    "thread_local! { static DEPTH: std::cell::Cell<u64> = const { std::cell::Cell::new(1) }; }",
    "pub enum Kind { Low, High }\n#[inline(never)]\npub fn kind(n: u64) -> Kind { if black_box(n) < 9 { Kind::Low } else { Kind::High } }\n",
    "#[inline(never)]\npub fn of_kind(kind: &Kind) -> u64 { match kind { Kind::Low => 5, Kind::High => 11 } }\n",
    "pub trait Shape { fn area(&self) -> u64; fn side(&self) -> u64; }\npub struct Square(pub u64);\n"
    "impl Shape for Square { fn area(&self) -> u64 { black_box(self.0) * 3 } fn side(&self) -> u64 { black_box(self.0) } }\n",
    "#[inline(never)]\npub fn shape(n: u64) -> Box<dyn Shape> { Box::new(Square(black_box(n))) }\n",
    "#[inline(never)]\npub fn depth(n: u64) -> u64 { DEPTH.with(|depth| { depth.set(depth.get() ^ n); depth.get() }) }\n",
    function("mix"), function("fold", turn=7), function("count", turn=9),
    function("strides", inner="for stride in black_box(&STRIDES) { for i in 0..*stride { sum ^= black_box(i); } }"),
    "#[inline(never)]\npub fn generic<T: Copy + Into<u64>>(start: T, turns: u64) -> u64 {\n    let mut sum: u64 = start.into();\n"
    "    for i in 0..turns { sum = sum.wrapping_add(black_box(i)); }\n    sum\n}\n",
    "pub struct Guard(pub u64);\nimpl Drop for Guard {\n    #[inline(never)]\n    fn drop(&mut self) { for i in 0..200 { self.0 ^= black_box(i); } black_box(self.0); }\n}\n",
    "#[inline(never)]\npub fn guarded(n: u64) -> u64 { let guard = Guard(n); black_box(guard.0) }\n",
    "#[inline(always)]\nfn tiny(i: u64) -> u64 { black_box(i) * 5 }\n",
    function("one", inner="for i in 0..60 { sum ^= tiny(i); }"), function("two", inner="for i in 0..400 { sum ^= tiny(i); }"),
    function("three", inner="for i in 0..60 { sum = sum.wrapping_add(tiny(i)); }"),
    function("checked", head="list: &[u64], n: u64", inner="for i in 0..300_usize { sum ^= black_box(list)[i % 64]; }"),
    function("inner", turn=11), function("outer", inner="for i in 0..100 { sum ^= black_box(i); }\n    sum ^= inner(n);"),
    function("pair", inner="let pair = black_box(Pair { a: n, b: n + 1 });\n    for i in 0..200 { sum ^= black_box(i) + pair.a; }\n    sum ^= use_pair(&pair);"),
    "#[inline(never)]\npub fn use_pair(pair: &Pair) -> u64 { pair.a ^ pair.b }\n",
    "#[inline(never)]\npub fn called(n: u64) -> u64 { CALLS.fetch_add(n, Ordering::Relaxed) }\n#[inline(never)]\npub fn read() -> u64 { CALLS.load(Ordering::Relaxed) }\n",
    "#[inline(never)]\npub fn fails(n: u64) -> u64 { let text = format!(\"{n}\"); std::panic::catch_unwind(|| black_box(text.len() as u64)).unwrap_or(0) }\n",
    "#[inline(never)]\npub fn encode(n: u64) -> u64 { black_box(n) + 1 }\n#[inline(never)]\npub fn decode(n: u64) -> u64 { black_box(n) - 1 }\n",
    # Each computes something else: the compiler makes one function of those that do the same.
    *[function(name, turns=40, factor=5 + 2 * number) for number, name in enumerate(MANY)],
    "#[inline(never)]\npub fn kernel(list: &[u64], n: u64) -> (u64, u64) {\n    let mut sum = mix(n) ^ fold(n) ^ count(n) ^ strides(n) ^ guarded(n);\n"
    "    sum ^= generic(1_u8, 200) ^ generic(1_u32, 100) ^ one(n) ^ two(n) ^ three(n) ^ checked(list, n) ^ outer(n) ^ pair(n) ^ called(n) ^ fails(n);\n"
    "    let shape = shape(n);\n    sum ^= of_kind(&kind(n)) ^ shape.area() ^ shape.side() ^ depth(n) ^ read();\n"
    "    sum ^= " + " ^ ".join(f"{name}(n)" for name in MANY) + ";\n    (sum, decode(encode(n)))\n}\n",
])

def of(name, old, new):
    """An edit inside one function."""
    def edit(source):
        at = source.index(f"fn {name}")
        end = source.find("\n#[inline", at)
        body = source[at:end if end > 0 else len(source)]
        assert old in body, (name, old)
        return source[:at] + body.replace(old, new) + source[at + len(body):]
    return edit

def everywhere(old, new):
    def edit(source):
        assert old in source, old
        return source.replace(old, new)
    return edit

def slower(name, percent=200):
    return of(name, "for i in 0..300 {", f"for i in 0..{300 + 3 * percent} {{")

HARMLESS = [of("fold", "rotate_left(7)", "rotate_left(8)"), of("count", "rotate_left(9)", "rotate_left(10)")]
MORE = "for j in 0..{turns} {{ sum ^= black_box(j); }}"
# Name, all of the edit, the part of the culprit, a text in the culprit's name.
EDITS = [
    ("one function", [slower("mix")], [slower("mix")], "mix"),
    ("two functions, one matters", [slower("mix"), HARMLESS[0]], [slower("mix")], "mix"),
    ("three functions, one matters", [slower("count"), HARMLESS[0], of("mix", "rotate_left(5)", "rotate_left(6)")], [slower("count")], "count"),
    ("one slower, one faster", [slower("mix", 300), of("fold", "0..300", "0..150")], [slower("mix", 300)], "mix"),
    ("two slower, one more", [slower("mix", 300), slower("fold", 80)], [slower("mix", 300)], "mix"),
    ("a callee in three callers", [of("tiny", "black_box(i) * 5", "black_box(black_box(i) * 5) % (i + 9)")],
     [of("two", "tiny(i)", "{ black_box(black_box(i) * 5) % (i + 9) }")], "two"),
    ("a generic function in two instances", [of("generic", "for i in 0..turns { sum = sum.wrapping_add(black_box(i)); }",
     "for i in 0..turns * 4 { sum = sum.wrapping_add(black_box(i)); }"), HARMLESS[0]],
     [of("generic", "for i in 0..turns {", "for i in 0..turns * 4 {")], "generic"),
    ("a table", [everywhere("[40, 60, 80, 120]", "[240, 260, 280, 320]"), HARMLESS[0]], [everywhere("[40, 60, 80, 120]", "[240, 260, 280, 320]")], "STRIDES"),
    ("a drop", [of("drop", "0..200", "0..900"), HARMLESS[0]], [of("drop", "0..200", "0..900")], "Guard"),
    ("a panic path", [of("checked", "sum ^= black_box(list)[i % 64];", "if black_box(i) > 900 { panic!(\"{i} of {n}\"); } sum ^= black_box(list)[i % 64] % (n | 1);"), HARMLESS[1]],
     [of("checked", "sum ^= black_box(list)[i % 64];", "if black_box(i) > 900 { panic!(\"{i} of {n}\"); } sum ^= black_box(list)[i % 64] % (n | 1);")], "checked"),
    ("a new function", [of("mix", "sum\n}", "sum ^ helper(n)\n}"), everywhere("pub struct Pair", function("helper", turns=600, turn=13) + "pub struct Pair"), HARMLESS[0]],
     [of("mix", "sum\n}", "sum ^ helper(n)\n}"), everywhere("pub struct Pair", function("helper", turns=600, turn=13) + "pub struct Pair")], "mix"),
    ("a changed signature", [everywhere("fn use_pair(pair: &Pair)", "fn use_pair(pair: &Pair, turns: u64)"), everywhere("use_pair(&pair)", "use_pair(&pair, 700)"),
     everywhere("{ pair.a ^ pair.b }", "{ let mut sum = 0; " + MORE.format(turns="turns") + " sum ^ pair.a ^ pair.b }"), HARMLESS[0]],
     [everywhere("fn use_pair(pair: &Pair)", "fn use_pair(pair: &Pair, turns: u64)"), everywhere("use_pair(&pair)", "use_pair(&pair, 700)"),
     everywhere("{ pair.a ^ pair.b }", "{ let mut sum = 0; " + MORE.format(turns="turns") + " sum ^ pair.a ^ pair.b }")], "pair"),
    ("caller and callee", [of("inner", "0..300", "0..900"), of("outer", "0..100", "0..120")], [of("inner", "0..300", "0..900"), of("outer", "0..100", "0..120")], "inner"),
    ("twelve functions, one matters", [of(name, "rotate_left(5)", "rotate_left(6)") for name in MANY[:12]] + [of("many07", "0..40", "0..900")],
     [of("many07", "rotate_left(5)", "rotate_left(6)"), of("many07", "0..40", "0..900")], "many07"),
    ("two functions, one faster", [of("mix", "0..300", "0..60"), HARMLESS[0]], [of("mix", "0..300", "0..60")], "mix"),
    ("a shorter table", [everywhere("[40, 60, 80, 120]", "[4, 6, 8, 12]"), HARMLESS[1]], [everywhere("[40, 60, 80, 120]", "[4, 6, 8, 12]")], "STRIDES"),
    ("a division in a loop", [of("mix", "* 3)", "/ (n | 3))"), HARMLESS[0]], [of("mix", "* 3)", "/ (n | 3))")], "mix"),
    ("an allocation", [of("count", "let mut sum = n;", "let mut sum = n + vec![black_box(7_u64); 20_000].len() as u64;"), HARMLESS[0]],
     [of("count", "let mut sum = n;", "let mut sum = n + vec![black_box(7_u64); 20_000].len() as u64;")], "count"),
    ("more formatting", [of("fails", 'format!("{n}")', 'format!("{n:>300}{n:?}{n:x}")'), HARMLESS[1]], [of("fails", 'format!("{n}")', 'format!("{n:>300}{n:?}{n:x}")')], "fails"),
    ("more atomic operations", [of("called", "{ CALLS", "{ for _ in 0..200 { CALLS.fetch_add(1, Ordering::SeqCst); } CALLS"), HARMLESS[0]],
     [of("called", "{ CALLS", "{ for _ in 0..200 { CALLS.fetch_add(1, Ordering::SeqCst); } CALLS")], "called"),
    ("three slower, one more", [slower("mix", 300), slower("fold", 80), slower("count", 40)], [slower("mix", 300)], "mix"),
    ("twelve functions, two matter", [of(name, "rotate_left(5)", "rotate_left(6)") for name in MANY[:12]] + [of("many03", "0..40", "0..1200"), of("many07", "0..40", "0..500")],
     [of("many03", "rotate_left(5)", "rotate_left(6)"), of("many03", "0..40", "0..1200")], "many03"),
    ("a function that is no longer inlined", [everywhere("#[inline(always)]\nfn tiny", "#[inline(never)]\nfn tiny"), HARMLESS[0]], None, "two"),
    ("a drop and a table", [of("drop", "0..200", "0..1200"), everywhere("[40, 60, 80, 120]", "[60, 80, 90, 140]")], [of("drop", "0..200", "0..1200")], "Guard"),
    ("a panic path and a generic function", [of("checked", "0..300_usize", "0..900_usize"), of("generic", "sum.wrapping_add(black_box(i))", "sum.wrapping_add(black_box(i) + 1)")],
     [of("checked", "0..300_usize", "0..900_usize")], "checked"),
    ("a callee that is faster", [of("inner", "0..300", "0..30"), HARMLESS[0]], [of("inner", "0..300", "0..30")], "inner"),
]

# What must not be exchanged in part, with a function that takes longer: name, edit, and a text in the reason or the functions that
# have to be in one part.
REFUSED = [
    ("a field more", [everywhere("pub a: u64, pub b: u64", "pub b: u64, pub a: u64, pub c: u32"), everywhere("b: n + 1 }", "b: n + 1, c: 1 }"), slower("mix")], "layout"),
    ("fields in another order", [everywhere("pub a: u64, pub b: u64", "pub b: u64, pub a: u64"), slower("mix")], "layout"),
    ("an alignment", [everywhere("pub struct Guard", "#[repr(align(64))]\npub struct Guard"), slower("mix")], "layout"),
    ("a variant of an enumeration", [everywhere("{ Low, High }", "{ Low, Middle, High }"), everywhere("if black_box(n) < 9", "if black_box(n) == 8 { Kind::Middle } else if n < 9"),
     everywhere("Kind::High => 11 }", "Kind::High => 11, Kind::Middle => 7 }"), slower("mix")], "layout"),
    ("a method of a trait, first in its table", [everywhere("trait Shape { fn", "trait Shape { fn sides(&self) -> u64; fn"),
     everywhere("for Square { fn", "for Square { fn sides(&self) -> u64 { black_box(4) } fn"), everywhere("shape.area() ^", "shape.area() ^ shape.sides() ^"), slower("mix")], "layout"),
    ("a variable's first value", [everywhere("AtomicU64::new(0)", "AtomicU64::new(1)"), slower("mix")], "variable"),
    # Both functions that use it have the new one, or both the old one.
    ("a variable's type", [everywhere("CALLS: AtomicU64 = AtomicU64::new(0)", "CALLS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)]"),
     everywhere("{ CALLS", "{ CALLS[black_box(1)]"), slower("mix")], ["called", "read"]),
    ("the first value of a thread's variable", [everywhere("Cell::new(1)", "Cell::new(3)"), slower("mix")], "variable"),
    ("encoder and decoder", [everywhere("black_box(n) + 1", "{ for i in 0..600 { black_box(i); } black_box(n) + 2 }"), everywhere("black_box(n) - 1", "black_box(n) - 2")], "became"),
]

def differing(number):
    """Edits of that many functions, of which the first one costs the time."""
    return [of(name, "rotate_left(5)", "rotate_left(6)") for name in MANY[:number]] + [of(MANY[0], "0..40", "0..900")]

# Versions whose benchmark takes the same time: nothing changes, a text about it, functions that it does not run, or constants
# that no instruction takes longer for.
SAME = [
    ("nothing", []), ("a comment", [everywhere("pub struct Pair", "// A pair.\npub struct Pair")]),
    ("lines between functions", [everywhere("pub struct Pair", "\n\n\npub struct Pair")]),
    ("a function that is not run", [everywhere("pub struct Pair", function("spare", turn=15) + "pub struct Pair")]),
    ("another constant", [HARMLESS[0]]), ("two other constants", HARMLESS),
    ("six other constants", [of(name, "rotate_left(5)", "rotate_left(6)") for name in MANY[:6]]),
    ("twenty other constants", [of(name, "rotate_left(5)", "rotate_left(6)") for name in MANY[:20]]),
    ("other numbers in a table", [everywhere("[40, 60, 80, 120]", "[60, 40, 120, 80]")]),
    ("another text of a panic", [of("fails", "unwrap_or(0)", "unwrap_or(1)")]),
]

# Codes in place of an addition and a subtraction: with one half alone, other numbers come out.
CODES = [
    ("n.wrapping_add(77)", "n.wrapping_sub(77)"), ("n ^ 0x55", "n ^ 0x55"), ("n.rotate_left(9)", "n.rotate_right(9)"), ("n.swap_bytes()", "n.swap_bytes()"),
    ("!n", "!n"), ("n.wrapping_mul(3)", "n.wrapping_mul(0xAAAA_AAAA_AAAA_AAAB)"), ("n.reverse_bits()", "n.reverse_bits()"), ("n.wrapping_neg()", "n.wrapping_neg()"),
]

def code(encoder, decoder):
    """An edit of both halves of the code, which takes longer."""
    return [everywhere("black_box(n) + 1", "{ for i in 0..900 { black_box(i); } let n = black_box(n); " + encoder + " }"),
            everywhere("black_box(n) - 1", "{ let n = black_box(n); " + decoder + " }")]

MANIFEST = """[package]
name = "parts"
version = "0.1.0"
edition = "2024"
[lib]
bench = false
[dev-dependencies]
plusminus = { path = "HOME/harness", default-features = false, features = ["macros"] }
[[bench]]
name = "speed"
harness = false
[workspace]
"""
BENCH = """use plusminus::{Problem, bench};
pub struct Parts;
impl Problem for Parts {
    type Point = usize;
    type Input = Vec<u64>;
    type Instance = u64;
    type Output = (u64, u64);
    fn sweep() -> impl IntoIterator<Item = usize> { [64] }
    fn input(n: &usize) -> Vec<u64> { (0..*n as u64).collect() }
    fn instances(_: &Vec<u64>) -> Vec<u64> { vec![7] }
    fn check(_: &Vec<u64>, n: &u64, found: &(u64, u64)) -> Result<(), String> {
        if found.1 == *n { Ok(()) } else { Err(format!("{n} became {}", found.1)) }
    }
}
#[bench(problem = Parts)]
fn kernel(list: &Vec<u64>, n: &u64) -> (u64, u64) { parts::kernel(list, *n) }
plusminus::main!();
"""
