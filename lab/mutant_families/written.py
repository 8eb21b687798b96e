"""Alignment and size of written data, sections, assembly, target features, included files and allocators."""
from .common import Tally, answers, benches, listed, printed

ADD = ".fetch_add(x, Relaxed)"
# Items and body of each kernel, with `@K` for its name, and what stands in the place of each other name at first:
# integers grow with the number of the build, lists are gone through.
KERNELS = {
    "aligned": ("#[repr(align(@A))] struct T_@K(AtomicU64); static V_@K: T_@K = T_@K(AtomicU64::new(1));", "V_@K.0" + ADD, {"A": ["16", "64", "8", "128", "4096", "32"]}),
    "shared_line": ("#[repr(C, align(64))] struct T_@K(AtomicU64, [u8; @P], AtomicU64); static V_@K: T_@K = T_@K(AtomicU64::new(1), [0; @P], AtomicU64::new(1));",
                    "std::thread::scope(|s| { s.spawn(|| V_@K.0" + ADD + "); s.spawn(|| V_@K.2" + ADD + "); }); x", {"P": ["8", "56", "64", "120", "16"]}),
    "sized": ("static V_@K: [AtomicU64; @N] = [const { AtomicU64::new(1) }; @N];", "black_box(&V_@K)[0]" + ADD, {"N": 40}),
    "begun": ("static V_@K: AtomicU64 = AtomicU64::new(@I);", "V_@K" + ADD, {"I": 0}),
    "fields": ("#[repr(C)] struct T_@K(AtomicU64, AtomicU64); static V_@K: T_@K = T_@K(AtomicU64::new(@I), AtomicU64::new(@J));",
               "V_@K.0" + ADD + " * 3 + V_@K.1.load(Relaxed)", {"I": 4, "J": 9}),
    "field": ("struct T_@K(AtomicU64, AtomicU64); static V_@K: T_@K = T_@K(AtomicU64::new(1), AtomicU64::new(1));", "V_@K.@F" + ADD + "; V_@K.1.load(Relaxed)", {"F": ["0", "1"]}),
    "local_aligned": ("#[repr(align(@A))] struct T_@K(Cell<u64>); thread_local! { static V_@K: T_@K = const { T_@K(Cell::new(3)) }; }",
                      "V_@K.with(|v| { v.0.set(v.0.get() + x); v.0.get() })", {"A": ["8", "64", "16", "128"]}),
    "local_sized": ("thread_local! { static V_@K: [Cell<u64>; @N] = const { [const { Cell::new(3) }; @N] }; }",
                    "V_@K.with(|v| { v[black_box(0)].set(x); v[0].get() })", {"N": 9}),
    "referred": ("static A_@K: AtomicU64 = AtomicU64::new(1); static B_@K: AtomicU64 = AtomicU64::new(1); static R_@K: [&AtomicU64; 2] = [@R];",
                 "black_box(&R_@K)[0]" + ADD + "; A_@K.load(Relaxed) * 3 + B_@K.load(Relaxed) + black_box(&R_@K)[1].load(Relaxed)",
                 {"R": ["&A_@K, &B_@K", "&B_@K, &A_@K", "&A_@K, &A_@K", "&B_@K, &B_@K"]}),
    "kept_pointer": ("fn f_@K(x: u64) -> u64 { x * 3 } fn g_@K(x: u64) -> u64 { x * 5 } static P_@K: Mutex<fn(u64) -> u64> = Mutex::new(@P);",
                     "let f = *P_@K.lock().unwrap(); f(x)", {"P": ["f_@K", "g_@K"]}),
    "entries": ("#[used] #[unsafe(link_section = \"t_@K\")] static A_@K: [u64; @N] = [@C; @N]; #[used] #[unsafe(link_section = \"t_@K\")] static B_@K: u64 = @D; "
                "unsafe extern \"C\" { static __start_t_@K: u64; static __stop_t_@K: u64; }",
                "unsafe { let (mut p, end) = (&raw const __start_t_@K, &raw const __stop_t_@K); let mut s = x; while p < end { s = s * 3 + *p; p = p.add(1); } s }",
                {"C": 3, "D": 9, "N": 1}),
    "two_tables": ("#[used] #[unsafe(link_section = \"@S_@K\")] static A_@K: u64 = 7; #[used] #[unsafe(link_section = \"t_@K\")] static B_@K: u64 = 9; "
                   "#[used] #[unsafe(link_section = \"u_@K\")] static C_@K: u64 = 11; unsafe extern \"C\" { static __start_t_@K: u64; static __stop_t_@K: u64; }",
                   "unsafe { (&raw const __stop_t_@K).offset_from(&raw const __start_t_@K) as u64 + x }", {"S": ["t", "u"]}),
    "global_code": ("global_asm!(\".text\", \".globl g_@K\", \".type g_@K,@function\", \"g_@K: lea @A(%rdi), %rax\", \"ret\", \".size g_@K,.-g_@K\", options(att_syntax)); "
                    "unsafe extern \"C\" { safe fn g_@K(x: u64) -> u64; }", "g_@K(x) * 3", {"A": 47}),
    "global_data": ("global_asm!(\".pushsection .data.d_@K,\\\"aw\\\",@progbits\", \".globl d_@K\", \".balign 8\", \"d_@K: .quad @A\", \".size d_@K,8\", \".popsection\"); "
                    "unsafe extern \"C\" { static mut d_@K: u64; }", "unsafe { d_@K += x; d_@K }", {"A": 47}),
    "global_alias": ("#[unsafe(no_mangle)] extern \"C\" fn f_@K(x: u64) -> u64 { x * 3 } #[unsafe(no_mangle)] extern \"C\" fn g_@K(x: u64) -> u64 { x * 5 } "
                     "global_asm!(\".globl h_@K\", \".set h_@K, @A\"); #[used] static U_@K: [extern \"C\" fn(u64) -> u64; 2] = [f_@K, g_@K]; unsafe extern \"C\" { safe fn h_@K(x: u64) -> u64; }",
                     "h_@K(x)", {"A": ["f_@K", "g_@K"]}),
    "operand": ("", "let y: u64; unsafe { asm!(\"lea {0}, [{1} + {2}]\", out(reg) y, in(reg) x, const @A) }; y", {"A": 47}),
    "symbol": ("extern \"C\" fn f_@K(x: u64) -> u64 { x * 3 } extern \"C\" fn g_@K(x: u64) -> u64 { x * 5 }",
               "let y: u64; unsafe { asm!(\"call {}\", sym @F, in(\"rdi\") x, lateout(\"rax\") y, clobber_abi(\"C\")) }; y", {"F": ["f_@K", "g_@K"]}),
    "naked": ("#[unsafe(naked)] extern \"C\" fn n_@K(x: u64) -> u64 { std::arch::naked_asm!(\"lea rax, [rdi + @A]\", \"ret\") }", "n_@K(x)", {"A": 5}),
    "popcnt": ("#[target_feature(enable = \"@F\")] #[inline(never)] fn f_@K(x: u64) -> u64 { x.count_ones() as u64 }", "unsafe { f_@K(x) }", {"F": ["sse2", "popcnt"]}),
    "vector": ("#[target_feature(enable = \"@F\")] #[inline(never)] fn f_@K(x: &[u64; 64]) -> u64 { x.iter().fold(0, |a, b| a ^ (b << 3)) }",
               "unsafe { f_@K(black_box(&[x; 64])) }", {"F": ["sse2", "avx2"]}),
    "included": ("static V_@K: &[u8] = include_bytes!(\"../data/@K.bin\");", "V_@K.iter().fold(x, |a, b| a.wrapping_mul(31) ^ black_box(*b) as u64)", {"FILE": 7}),
    "included_text": ("static V_@K: &str = include_str!(\"../data/@K.txt\");", "black_box(V_@K).bytes().fold(x, |a, b| a.wrapping_mul(31) ^ b as u64)", {"FILE": 7}),
    "included_numbers": ("static V_@K: [u64; 3] = include!(\"../data/@K.in\");", "black_box(&V_@K)[2] * x", {"FILE": 7}),
    "exported": ("#[unsafe(export_name = \"one_@K\")] #[inline(never)] extern \"C\" fn f_@K(x: u64) -> u64 { x * 3 } #[unsafe(export_name = \"two_@K\")] #[inline(never)] "
                 "extern \"C\" fn g_@K(x: u64) -> u64 { x * 5 } #[used] static U_@K: [extern \"C\" fn(u64) -> u64; 2] = [f_@K, g_@K]; unsafe extern \"C\" { safe fn @E_@K(x: u64) -> u64; }",
                 "@E_@K(x)", {"E": ["one", "two"]}),
    "buffer": ("struct B_@K<const N: usize>([u64; N]); impl<const N: usize> B_@K<N> { #[inline(never)] fn sum(&self) -> u64 { black_box(&self.0).iter().sum() } }",
               "B_@K::<@N>([x; @N]).sum()", {"N": 5}),
    "unwound": ("struct D_@K(u64); static V_@K: AtomicU64 = AtomicU64::new(0); impl Drop for D_@K { fn drop(&mut self) { V_@K.fetch_add(self.0 * @C, Relaxed); } } "
                "#[inline(never)] fn f_@K(x: u64) -> u64 { let _d = D_@K(x); if black_box(x) > 0 { std::panic::resume_unwind(Box::new(x)) } x }",
                "let _ = std::panic::catch_unwind(|| f_@K(x)); V_@K.load(Relaxed)", {"C": 3}),
    "dropped_local": ("struct D_@K(u64); static V_@K: AtomicU64 = AtomicU64::new(0); impl Drop for D_@K { fn drop(&mut self) { V_@K.fetch_add(self.0 * @C, Relaxed); } } "
                      "thread_local! { static L_@K: D_@K = const { D_@K(4) }; }",
                      "std::thread::spawn(move || L_@K.with(|d| d.0 + x)).join().unwrap() + V_@K.load(Relaxed)", {"C": 3}),
}
# Kernels that return the same whatever a place is, and cost something else by construction.
BUILT = ["aligned", "shared_line", "sized", "local_aligned", "local_sized", "popcnt", "vector"]
# What runs before `main` changes in a build of its own: it is part of all benchmarks.
EARLY = 6
STEPS = 6
USED = ("use std::{arch::{asm, global_asm}, cell::Cell, hint::black_box, sync::{Mutex, atomic::{AtomicU64, Ordering::Relaxed}}};\n"
        "#[allow(unused)] #[inline(never)] fn unrelated() {}\n")


def at(kernel, step):
    items, body, start = KERNELS[kernel]
    values = {place: value[0] if isinstance(value, list) else value for place, value in start.items()}
    if 0 < step < EARLY:
        places = sorted(start)
        place, by = places[(step - 1) % len(places)], 1 + (step - 1) // len(places)
        values[place] = start[place][by % len(start[place])] if isinstance(start[place], list) else start[place] + by
    files = {f"data/{kernel}.{end}": text.replace("@", str(values["FILE"])) for end, text in (("bin", "some bytes @"), ("txt", "some text @"), ("in", "[4, 2, @]"))
             } if "FILE" in values else {}
    text = f"{items}\n#[inline(never)] pub fn {kernel}(x: u64) -> u64 {{ {body} }}\n"
    for place, value in values.items():
        text = text.replace(f"@{place}", str(value))
    return text.replace("@K", kernel), values, files


def source(step):
    """The crate in a step; the last one moves, adds and comments without changing what a kernel does."""
    other = step > STEPS
    functions, files = [], {}
    for kernel in KERNELS:
        text, _, more = at(kernel, step)
        files.update(more)
        functions.append(text + (f"/// Unrelated.\npub fn more_{kernel}(x: u64) -> u64 {{ x / 7 }}\n#[used] static MORE_{kernel}: u64 = 5;\n" if other else ""))
    functions = functions[::-1] if other else functions
    early = ("static SEEN: AtomicU64 = AtomicU64::new(0);\nextern \"C\" fn early() { SEEN.store(%d, Relaxed) }\n"
             "#[used] #[unsafe(link_section = \".init_array\")] static EARLY: extern \"C\" fn() = early;\n"
             "#[inline(never)] pub fn before(x: u64) -> u64 { SEEN.load(Relaxed) + x }\n" % (5 if step == EARLY else 3))
    allow = "#![allow(non_upper_case_globals, non_snake_case, dead_code, improper_ctypes, unused)]\n"
    return {"src/lib.rs": allow + USED + "".join(functions) + early + listed([*KERNELS, "before"]), **files}


ALLOCATORS = {
    "counts": "self.add(1); unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|",
    "counts bytes": "self.add(l.size() as u64); unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|",
    "counts twice": "self.add(2); unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|",
    "counts both": "self.add(1); unsafe { System.alloc(l) }|self.add(1); unsafe { System.dealloc(p, l) }|",
    "splits": "self.add(1); unsafe { System.alloc(l) }|OTHER.fetch_add(1, Relaxed); unsafe { System.dealloc(p, l) }|",
    "other": "OTHER.fetch_add(1, Relaxed); unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|",
    "system": "unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|",
    "keeps": "self.add(1); unsafe { System.alloc(l) }||",
    "larger": "self.add(1); unsafe { System.alloc(Layout::from_size_align_unchecked(l.size() + 64, l.align())) }|"
              "unsafe { System.dealloc(p, Layout::from_size_align_unchecked(l.size() + 64, l.align())) }|",
    "reallocates": "self.add(1); unsafe { System.alloc(l) }|unsafe { System.dealloc(p, l) }|unsafe fn realloc(&self, p: *mut u8, l: Layout, n: usize) -> *mut u8 { unsafe { System.realloc(p, l, n) } }",
}
USES = {
    "boxes": "black_box(Box::new(x)); COUNT.load(Relaxed)",
    "growing": "let mut v = Vec::new(); for i in 0..x * 9 { v.push(i) } black_box(v); COUNT.load(Relaxed)",
    "texts": "black_box(x.to_string() + \" text\"); COUNT.load(Relaxed)",
    "tree": "let t: std::collections::BTreeMap<u64, u64> = (0..x).map(|i| (i * 7 % 5, i)).collect(); black_box(t).len() as u64 + COUNT.load(Relaxed)",
    "zeroed": "black_box(vec![0_u8; x as usize * 100]); COUNT.load(Relaxed)",
    "shared": "let a = std::sync::Arc::new(x); black_box(a.clone()); COUNT.load(Relaxed)",
}


def with_allocator(name, renamed=False):
    alloc, dealloc, more = ALLOCATORS[name].split("|")
    text = f"""use std::{{alloc::{{GlobalAlloc, Layout, System}}, hint::black_box, sync::atomic::{{AtomicU64, Ordering::Relaxed}}}};
static COUNT: AtomicU64 = AtomicU64::new(0); static OTHER: AtomicU64 = AtomicU64::new(0);
struct Own; impl Own {{ #[inline(always)] fn add(&self, n: u64) {{ COUNT.fetch_add(n, Relaxed); }} }}
unsafe impl GlobalAlloc for Own {{ unsafe fn alloc(&self, l: Layout) -> *mut u8 {{ {alloc} }} unsafe fn dealloc(&self, p: *mut u8, l: Layout) {{ {dealloc} }} {more} }}
#[global_allocator] static GLOBAL: Own = Own;
""" + "".join(f"#[inline(never)] pub fn {kernel}(x: u64) -> u64 {{ {body} }}\n" for kernel, body in USES.items()) + listed(USES)
    return {"src/lib.rs": "#![allow(unused)]\n" + (text.replace("COUNT", "NUMBER").replace("Own", "Mine") + "/* again */\n" if renamed else text)}


def run(laboratory, options):
    tally, built = Tally("written"), {}
    names = [*KERNELS, "before"]
    still = {"benches/speed.rs": benches("written", names), "src/answers.rs": answers("written")}
    for step in range(STEPS + 2):
        built[step] = laboratory.build(laboratory.crate("written", {**still, **source(step)}))
        built[step][1] = printed(built[step][1])
        if step == 0:
            continue
        for kernel, verdict in laboratory.judged(built[0][0], built[step][0]).items():
            changed = kernel in KERNELS and at(kernel, step)[1] != at(kernel, 0)[1]
            if built[0][1][kernel] != built[step][1][kernel] or (changed and kernel in BUILT):
                tally.mutant(f"step {step}: {kernel} {at(kernel, step)[1] if kernel in KERNELS else ''}", verdict)
            elif step > STEPS:
                tally.same(f"step {step}: {kernel}", verdict)
    allocators = Tally("allocators")
    still = {"benches/speed.rs": benches("allocators", USES), "src/answers.rs": answers("allocators")}
    base = None
    for name in [*ALLOCATORS, "again"]:
        files = with_allocator("counts", renamed=True) if name == "again" else with_allocator(name)
        program, _ = laboratory.build(laboratory.crate("allocators", {**still, **files}))
        if base is None:
            base = program
            continue
        for kernel, verdict in laboratory.judged(base, program).items():
            # Every allocation does something else, by construction.
            (allocators.same if name == "again" else allocators.mutant)(f"{name}: {kernel}", verdict)
    return [tally, allocators]
