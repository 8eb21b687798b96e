"""Edits of two published crates with their truth, and the programs that `costs` makes."""

import dataclasses

# Counts what a call allocates, apart from the harness: blocks, bytes of them, the most in use, and those in use after it.
COUNT = """use std::{alloc::{GlobalAlloc, Layout, System}, hint::black_box, sync::atomic::{AtomicI64, Ordering::SeqCst}};

struct Counter;

static BLOCKS: AtomicI64 = AtomicI64::new(0);
static BYTES: AtomicI64 = AtomicI64::new(0);
static USED: AtomicI64 = AtomicI64::new(0);
static MOST: AtomicI64 = AtomicI64::new(0);

fn change(by: i64) {
    MOST.fetch_max(USED.fetch_add(by, SeqCst) + by, SeqCst);
}

unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCKS.fetch_add(1, SeqCst);
        BYTES.fetch_add(layout.size() as i64, SeqCst);
        change(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        change(-(layout.size() as i64));
        unsafe { System.dealloc(block, layout) }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BLOCKS.fetch_add(1, SeqCst);
        BYTES.fetch_add((size as i64 - layout.size() as i64).max(0), SeqCst);
        change(size as i64 - layout.size() as i64);
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static COUNTER: Counter = Counter;

/// The counts of the second call, whose output is dropped as criterion's loop does.
fn count<T>(mut call: impl FnMut() -> T) -> String {
    drop(black_box(call()));
    [&BLOCKS, &BYTES, &USED, &MOST].map(|count| count.store(0, SeqCst));
    drop(black_box(call()));
    let counts = [&BLOCKS, &BYTES, &MOST, &USED].map(|count| count.load(SeqCst).max(0));
    format!("{counts:?}")
}

"""

TRUTHS = {
    "semver": COUNT + """use semver::{Version, VersionReq};

fn main() {
    let version = count(|| black_box("1.0.2021-beta+exp.sha.5114f85").parse::<Version>().unwrap());
    let request = count(|| black_box(">=1.2.3, <2.0.0").parse::<VersionReq>().unwrap());
    println!("{{\\"parse Version\\": {version}, \\"parse VersionReq\\": {request}}}");
}
""",
    "smol_str": COUNT + """use smol_str::{SmolStr, StrExt};

// The benches keep the latest output, and drop the one before.
fn main() {
    let text = "x".repeat(1000);
    let mut kept = SmolStr::default();
    let from = count(|| kept = SmolStr::from(black_box(&text)));
    let short = "y".repeat(10) + "İ";
    let mut kept = SmolStr::default();
    let lower = count(|| kept = black_box(short.as_str()).to_lowercase_smolstr());
    let dashed = format!("{}-{}", "x".repeat(500), "y".repeat(499));
    let mut kept = SmolStr::default();
    let replaced = count(|| kept = black_box(dashed.as_str()).replace_smolstr("-", "_"));
    println!("{{\\"SmolStr::from len=1000\\": {from}, \\"to_lowercase_smolstr len=12\\": {lower}, \\"replace_smolstr len=1000\\": {replaced}}}");
}
""",
}


@dataclasses.dataclass
class Edit:
    """A change of files, and by how much other measures than those of memory change; by None where it is only known to be more."""

    name: str
    benchmark: str
    changes: list
    more: dict = dataclasses.field(default_factory=dict)
    backwards: bool = False


PARSED = """        Ok(Version {
            major,
            minor,
            patch,
            pre,
            build,
        })
"""
VERSION = "    fn from_str(text: &str) -> Result<Self, Self::Err> {\n        if text.is_empty() {\n            return Err(Error::new(ErrorKind::Empty));\n"
HEAP = "Self::new_on_stack(text).unwrap_or_else(|| Repr::Heap(Arc::from(text)))"
REPLACE = "    fn replace_smolstr(&self, from: &str, to: &str) -> SmolStr {\n"
LOWER = "            from_buf_and_chars(buf, len - rest.len(), rest.chars().flat_map(|c| c.to_lowercase()))\n"


def parsed(name, end, **more):
    """An edit of the end of `parse Version`, where the parts are put together."""
    version = PARSED.replace("Ok(", "let version = ").replace("})", "};")
    return Edit(name, "parse Version", [("src/parse.rs", PARSED, version + end)], **more)


def first(name, statement, **more):
    """An edit of its beginning."""
    body = VERSION.replace("Self::Err> {\n", "Self::Err> {\n" + statement)
    return Edit(name, "parse Version", [("src/parse.rs", VERSION, body)], **more)


EDITS = {
    "semver@1.0.28": [
        parsed("one more clone", "        Ok(core::hint::black_box(&version).clone())\n"),
        parsed("a clone fewer", "        Ok(core::hint::black_box(&version).clone())\n", backwards=True),
        parsed("a leak", "        core::mem::forget(core::hint::black_box(version.clone()));\n        Ok(version)\n"),
        parsed("one more box", "        Ok(*core::hint::black_box(alloc::boxed::Box::new(version)))\n"),
        first("a text built twice", "        let copy = alloc::string::String::from(core::hint::black_box(text));\n        let text = core::hint::black_box(copy.as_str());\n"),
        Edit("a Vec with too much capacity", "parse VersionReq", [("src/parse.rs", "out.reserve_exact(depth + 1)", "out.reserve_exact(2 * depth + 2)")]),
        Edit("a Vec that grows", "parse VersionReq", [("src/parse.rs", "let mut comparators = Vec::new();", "let mut comparators = Vec::with_capacity(1);")]),
        first("a static table", "        static TABLE: [u64; 1000] = [7; 1000];\n        core::hint::black_box(TABLE[core::hint::black_box(text.len()) % 1000]);\n", more={"data": 8000}),
        first("a hundred instructions", "        unsafe { core::arch::asm!(\".rept 100\", \"nop\", \".endr\") };\n", more={"instructions": 100, "code": None}),
    ],
    "smol_str@0.3.7": [
        Edit("a text built twice", "SmolStr::from len=1000", [("src/lib.rs", HEAP, HEAP.replace("Arc::from(text)", "Arc::from(core::hint::black_box(String::from(text)))"))]),
        Edit("a box fewer", "SmolStr::from len=1000", [("src/lib.rs", HEAP, HEAP.replace("Arc::from(text)", "Arc::from(core::hint::black_box(Box::<str>::from(text)))"))], backwards=True),
        Edit("a leak", "SmolStr::from len=1000", [("src/lib.rs", HEAP, HEAP.replace("Arc::from(text)", "{ let one: Arc<str> = Arc::from(text); mem::forget(one.clone()); one }"))]),
        Edit("two at once", "replace_smolstr len=1000", [("src/lib.rs", REPLACE, REPLACE + "        let _copy = core::hint::black_box(String::from(self));\n")]),
        Edit("not inline any more", "to_lowercase_smolstr len=12", [("src/lib.rs", LOWER, "            let _ = (buf, rest);\n            SmolStr(Repr::Heap(Arc::from(self.to_lowercase())))\n")]),
        Edit("a static table", "to_lowercase_smolstr len=12", [("src/lib.rs", LOWER, "            static TABLE: [u32; 512] = [7; 512];\n            core::hint::black_box(TABLE[core::hint::black_box(len) % 512]);\n" + LOWER)], more={"data": 2048}),
        Edit("more generic instances", "to_lowercase_smolstr len=12", [("src/lib.rs", LOWER, "            let chars: alloc::vec::Vec<char> = core::hint::black_box(alloc::vec::Vec::new());\n            core::hint::black_box(build_from_str_iter(chars.iter().map(|one| String::from(*one))));\n" + LOWER)], more={"code": None}),
        Edit("a thousand instructions", "replace_smolstr len=1000", [("src/lib.rs", REPLACE, REPLACE + "        unsafe { core::arch::asm!(\".rept 1000\", \"nop\", \".endr\") };\n")], more={"instructions": 1000, "code": None}),
    ],
}

# Kernels that mostly allocate, by name.
KERNELS = {name: f"#[bench]\nfn {name}() -> {output} {{\n    {body}\n}}\n\n" for name, output, body in [
    ("one_box", "Box<u64>", "black_box(Box::new(black_box(7)))"),
    ("boxes", "Vec<Box<u64>>", "(0..1000).map(|one| black_box(Box::new(one))).collect()"),
    ("texts", "Vec<String>", "(0..1000_u32).map(|one| black_box(one).to_string()).collect()"),
    ("grown", "Vec<u64>", "{ let mut all = Vec::new(); (0..1000).for_each(|one| black_box(&mut all).push(one)); all }"),
    ("nested", "Vec<Vec<u8>>", "(0..300_usize).map(|one| black_box(vec![1; one % 64])).collect()"),
    ("tree", "BTreeMap<u64, u64>", "(0..1000_u64).map(|one| (one.wrapping_mul(7919) % 1009, one)).collect()"),
    ("table", "HashMap<u64, u64>", "{ let mut all = HashMap::new(); (0..1000).for_each(|one| { all.insert(black_box(one), one); }); all }"),
    ("list", "LinkedList<u64>", "(0..1000).map(black_box).collect()"),
    ("counted", "Vec<Rc<str>>", "(0..500).map(|_| Rc::from(black_box(\"a short text\"))).collect()"),
    ("joined", "String", "(0..200).map(|one| format!(\"{one}, \")).collect::<Vec<_>>().concat()"),
]}

RARE = """use plusminus::bench;
use std::{hint::black_box, sync::atomic::{AtomicU64, Ordering::Relaxed}};

static CALLS: AtomicU64 = AtomicU64::new(0);

#[bench(iterations = 1)]
fn rarely_slow() -> u64 {
    // Other calls in each process, at no fixed distance: else they may always be those between the timed ones.
    let call = CALLS.fetch_add(1, Relaxed) + (u64::from(std::process::id()) << 32);
    let steps = if call.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32 < (1 << 32) / 50 { SLOW } else { 200_000 };
    (0..steps).fold(7, |state, one| black_box(state ^ one).wrapping_mul(6_364_136_223_846_793_005))
}

plusminus::main!();
"""
TAIL = [RARE.replace("SLOW", "400_000"), RARE.replace("SLOW", "800_000")]


def program_of(folder, name, source, dependency="", bench=None):
    """Writes a crate with a program, or with a bench target if it has that dependency."""
    file, target, kind = ("src/main.rs", "", "dependencies") if bench is None else (
        "benches/speed.rs", '[[bench]]\nname = "speed"\nharness = false\n[lib]\nbench = false\n', "dev-dependencies")
    manifest = f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n{target}[{kind}]\n{dependency}{bench or ""}'
    texts = {"Cargo.toml": manifest, file: source, **({"src/lib.rs": ""} if bench is not None else {})}
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
