"""C and C++ objects, compiled and linked in several ways, one place of every function changed in each build."""
from .common import Tally, listed, printed, side_by_side
from .outside import Shop, linked

# The text of each kernel `@F`, with what stands in the place of each name at first: integers grow, lists are gone through.
C = {
    "constant": ("U @F(U x) { return x * @C ^ (x << @D); }", {"C": 31, "D": 3}),
    "bound": ("U @F(U x) { U s = 1; for (U i = 0; i < x % 7 + @B; i++) s = s * 3 + i; return s; }", {"B": 4}),
    "table": ("static const U t_@F[8] = {9, 4, 7, @T, 2, 8, 6, 5}; U @F(U x) { return t_@F[x & 7] + t_@F[(x + 1) & 7] * 31 + t_@F[3]; }", {"T": 1}),
    "pointers": ("N U f_@F(U x) { return x * 3; } N U g_@F(U x) { return x * 5; } U (*const p_@F[2])(U) = {@P}; U @F(U x) { return p_@F[x & 1](x); }",
                 {"P": ["f_@F, g_@F", "g_@F, f_@F", "f_@F, f_@F", "g_@F, g_@F"]}),
    "changed": ("U (*volatile p_@F)(U); N U f_@F(U x) { return x * 3; } N U g_@F(U x) { return x * 5; } U (*volatile p_@F)(U) = @P; U @F(U x) { return p_@F(x); }",
                {"P": ["f_@F", "g_@F"]}),
    "own": ("U @F(U x) { static U s = @I; s = s * 5 + x; return s; }", {"I": 7}),
    "two": ("static U a_@F = 1, b_@F = 1; U @F(U x) { @A += x; @B *= 3; return a_@F ^ (b_@F << 7); }", {"A": ["a_@F", "b_@F"], "B": ["b_@F", "a_@F"]}),
    "global": ("U a_@F = 1, b_@F = 1; U @F(U x) { @A += x; return @B; }", {"A": ["a_@F", "b_@F"], "B": ["b_@F", "a_@F"]}),
    "zeros": ("U a_@F, b_@F; U @F(U x) { @A += x; return @B; }", {"A": ["a_@F", "b_@F"], "B": ["b_@F", "a_@F"]}),
    "common": ("__attribute__((common)) U a_@F; __attribute__((common)) U b_@F; U @F(U x) { @A += x; return @B; }", {"A": ["a_@F", "b_@F"], "B": ["b_@F", "a_@F"]}),
    "threaded": ("static __thread U a_@F = 1, b_@F = 1; U @F(U x) { @A += x; return @B + a_@F * 3; }", {"A": ["a_@F", "b_@F"], "B": ["b_@F", "a_@F"]}),
    "first": ("__thread U a_@F = @I; U @F(U x) { a_@F += x; return a_@F; }", {"I": 3}),
    "weak": ("__attribute__((weak)) N U f_@F(U x) { return x * @C; } U @F(U x) { return f_@F(x) + 1; }", {"C": 3}),
    "alias": ("N U f_@F(U x) { return x * 3; } N U g_@F(U x) { return x * 5; } U h_@F(U x) __attribute__((alias(\"@A\"))); U @F(U x) { return h_@F(x) + 1; }",
              {"A": ["f_@F", "g_@F"]}),
    "chosen": ("static N U f_@F(U x) { return x * @C; } static void *r_@F(void) { return f_@F; } U h_@F(U x) __attribute__((ifunc(\"r_@F\"))); "
               "U @F(U x) { return h_@F(x); }", {"C": 3}),
    "text": ("const char *volatile t_@F = \"text @S\"; U @F(U x) { U s = x; for (const char *p = t_@F; *p; p++) s = s * 33 + *p; return s; }", {"S": 100}),
    "cases": ("U @F(U x) { switch (x % 9) { case 0: return 5; case 1: return x * 3; case 2: return @C; case 3: return 1; case 4: return x ^ 77; case 5: return x + 8; } return 2; }",
              {"C": 51}),
    "real": ("U @F(U x) { double d = x * @C.25 + @D.5; U s; __builtin_memcpy(&s, &d, 8); return s; }", {"C": 3, "D": 9}),
    "inline": ("static inline U f_@F(U x, U y) { return x * y + @C; } U @F(U x) { return f_@F(x, 3) ^ f_@F(x + 1, 7); }", {"C": 5}),
    "table_of_all": ("struct e_@F { U a, b; }; __attribute__((used, retain, section(\"s_@F\"))) static struct e_@F one_@F = {@C, 2}; __attribute__((used, retain, section(\"s_@F\"))) "
                     "static struct e_@F two_@F = {7, @D}; extern struct e_@F __start_s_@F[], __stop_s_@F[]; "
                     "U @F(U x) { for (struct e_@F *p = __start_s_@F; p < __stop_s_@F; p++) x = x * p->a + p->b; return x; }", {"C": 3, "D": 9}),
    "recursive": ("N U f_@F(U n, U d) { return n < 2 ? d + @C : f_@F(n - 1, d) ^ f_@F(n - 2, d + 1) * 3; } U @F(U x) { return f_@F(x % 11 + 3, 1); }", {"C": 55}),
    "labels": ("U @F(U x) { static void *const l[] = {&&a, &&b, &&c}; goto *l[(x + @C) % 3]; a: return x * 3; b: return x * 5; c: return x ^ 9; }", {"C": 0}),
    "assembly": ("U @F(U x) { U y; __asm__(\"lea @A(%1,%1,2), %0\" : \"=r\"(y) : \"r\"(x)); return y; }", {"A": 47}),
    "elsewhere": ("__asm__(\".text\\n.globl f_@F\\n.type f_@F,@function\\nf_@F: lea @A(%rdi), %rax\\nret\\n.size f_@F,.-f_@F\\n\"); U f_@F(U); U @F(U x) { return f_@F(x) * 3; }",
                  {"A": 47}),
    "packed": ("struct b_@F { U a : 5, b : 9; } __attribute__((packed)); U @F(U x) { volatile struct b_@F s = {x, x >> 2}; s.b += @C; return s.a * 1000 + s.b; }", {"C": 3}),
    "variadic": ("N U f_@F(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); U s = 0; for (int i = 0; i < n; i++) s = s * 7 + __builtin_va_arg(l, U); return s; } "
                 "U @F(U x) { return f_@F(3, x, (U)@C, x + 1); }", {"C": 4}),
}
CXX = {
    "virtual_": ("struct S_@F { virtual U m(U x) { return x * @C; } }; struct T_@F : S_@F { U m(U x) override { return x + @D; } }; S_@F *volatile p_@F[2]; "
                 "U @F(U x) { static S_@F s; static T_@F t; p_@F[0] = &s; p_@F[1] = &t; return p_@F[0]->m(x) * 7 + p_@F[1]->m(x); }", {"C": 3, "D": 5}),
    "class_": ("struct S_@F { virtual U m(U x) { return x * 3; } virtual ~S_@F() {} }; struct T_@F : S_@F { U m(U x) override { return x + 5; } }; "
               "N S_@F *made_@F() { return new @T; } U @F(U x) { S_@F *s = made_@F(); U y = s->m(x); delete s; return y; }", {"T": ["S_@F", "T_@F"]}),
    "thrown": ("N U f_@F(U x) { if (x % 2) throw @T; return x; } U @F(U x) { try { return f_@F(x); } catch (int i) { return i * 100; } catch (long l) { return l * 10; } catch (...) { return 1; } }",
               {"T": ["3", "3l", "3u", "5", "'c'"]}),
    "caught": ("N U f_@F(U x) { if (x % 2) throw 3; return x; } U @F(U x) { try { return f_@F(x); } catch (@T i) { return 100; } catch (...) { return 1; } }", {"T": ["int", "long", "char"]}),
    "cleaned": ("static volatile U v_@F; struct D_@F { ~D_@F() { v_@F = v_@F + @C; } }; N U f_@F(U x) { if (x % 2) throw 3; return x; } "
                "N U g_@F(U x) { D_@F d; return f_@F(x) + 1; } U @F(U x) { try { return g_@F(x); } catch (int) { return v_@F; } }", {"C": 3}),
    "guarded": ("N U f_@F() { return @C; } U @F(U x) { static U s = f_@F(); s += x; return s; }", {"C": 3}),
    "comdat": ("template <U K> inline N U f_@F(U x) { return x * K + @C; } U @F(U x) { return f_@F<@D>(x); }", {"C": 3, "D": 8}),
    "inlined": ("inline U v_@F = @C; inline N U f_@F(U x) { static U s = @D; s += x; return s; } U @F(U x) { v_@F += x; return v_@F * f_@F(x); }", {"C": 3, "D": 8}),
    "lambda": ("template <class F> N U f_@F(F g) { return g(7); } U @F(U x) { return f_@F([x](U y) { return x * y + @C; }); }", {"C": 3}),
    "cast_": ("struct S_@F { virtual ~S_@F() {} }; struct T_@F : S_@F { }; struct V_@F : S_@F { }; S_@F *volatile p_@F; "
              "U @F(U x) { static T_@F t; static V_@F v; p_@F = x % 3 ? (S_@F *)&t : (S_@F *)&v; return dynamic_cast<@T *>(p_@F) ? x + 1 : x * 9; }", {"T": ["T_@F", "V_@F"]}),
    "local_": ("struct D_@F { U a = @C; ~D_@F() {} }; thread_local D_@F d_@F; U @F(U x) { d_@F.a += x; return d_@F.a; }", {"C": 3}),
}
# What runs before `main`: a change there is one of all benchmarks, so these change in builds of their own.
EARLY = {
    "early": ("static U v_@F = 1; __attribute__((constructor)) static void c_@F(void) { v_@F = @C; } U @F(U x) { return v_@F * x; }", {"C": 3}),
    "early_order": ("static U v_@F = 1; __attribute__((constructor(@P))) static void c_@F(void) { v_@F = v_@F * 3 + 1; } __attribute__((constructor(300))) "
                    "static void d_@F(void) { v_@F = v_@F * 5; } U @F(U x) { return v_@F * x; }", {"P": ["200", "400"]}),
    "object_": ("static volatile U w_@F = @C; struct D_@F { U a; D_@F() { a = w_@F; } }; static D_@F d_@F; U @F(U x) { return d_@F.a * x; }", {"C": 3}),
}
ALL = {**C, **CXX, **EARLY}
NAMES = list(ALL)
LANGUAGE = {name: "cc" if name in CXX or name == "object_" else "c" for name in NAMES}
# How objects are compiled, and whether GNU ld links them instead of the linker that rustc chooses.
MODES = {
    "plain": ([], False), "sections": (["-ffunction-sections", "-fdata-sections"], False), "position": (["-fPIC"], False),
    "unoptimized": (["-O0"], False), "gnu": ([], True), "slim": (["-flto"], True), "fat": (["-flto", "-ffat-lto-objects"], False),
    "fat_gnu": (["-flto", "-ffat-lto-objects"], True), "debug": (["-g", "-fno-plt", "-fcommon"], False),
}
STEPS = 6


def at(name, step):
    """The text of a kernel in a step, in which one place differs from the start."""
    text, start = ALL[name]
    values = {place: value[0] if isinstance(value, list) else value for place, value in start.items()}
    early = name in EARLY
    if 0 < step <= STEPS and early == (step > STEPS - 2):
        step = step - (STEPS - 2) if early else step
        places = sorted(start)
        place, by = places[(step - 1) % len(places)], 1 + (step - 1) // len(places)
        value = start[place]
        values[place] = value[by % len(value)] if isinstance(value, list) else value + by
    for place, value in values.items():
        text = text.replace("@" + place, str(value)) if place != "F" else text
    return text.replace("@F", f"c_{name}")


def objects(shop, mode, step):
    """Compiles all kernels; the last step changes nothing but comments, and in sections of their own adds functions."""
    flags, made = MODES[mode][0], []
    for name in NAMES:
        text = at(name, step)
        if step > STEPS:
            text = f"/* again */ {text}"
            if mode == "sections":
                text = f"U more_{name}(U x) {{ return x / 7; }} {text} static U unused_{name} = 9;"
        extern = 'extern "C" U c_%s(U);' % name if LANGUAGE[name] == "cc" else ""
        shop.text(f"{name}.{LANGUAGE[name]}", f"typedef unsigned long U;\n#define N __attribute__((noinline))\n{extern}\n{text}\n")
    for language, compiler in (("c", "gcc"), ("cc", "g++")):
        sources = [f"{name}.{language}" for name in NAMES if LANGUAGE[name] == language]
        shop.run(compiler, "-O2", "-w", *flags, "-c", *sources)
    return [shop.folder / f"{name}.o" for name in NAMES]


def run_mode(one, mode):
    """What came out of one way to compile and link."""
    tally, programs = [], {}
    flags, by_gnu = MODES[mode]
    without = [argument for argument in one.lines[False][1] if argument.startswith(("-fuse-ld", "-B"))] if by_gnu else []
    for step in range(STEPS + 2):
        shop = Shop(one.laboratory.folder / "shops" / f"objects-{mode}", "base")
        arguments = [*objects(shop, mode, step), "-lstdc++"]
        program = one.link(arguments, without=without)
        answers = one.link(arguments, is_answers=True, without=without)
        if program is None or answers is None:
            raise SystemExit(f"objects, {mode}, step {step}: {one.said}")
        programs[step] = printed(answers)
        if step == 0:
            base = program
            continue
        for kernel, verdict in one.laboratory.judged(base, program).items():
            name = f"{mode}, step {step}: {kernel}"
            if programs[step][kernel] != programs[0][kernel]:
                tally.append((True, name, verdict))
            elif step > STEPS:
                tally.append((False, name, verdict))
        for path in (program, answers):
            path.unlink()
    return tally


def run(laboratory, options):
    source = "".join(f'unsafe extern "C" {{ safe fn c_{name}(x: u64) -> u64; }}\n#[inline(never)] pub fn {name}(x: u64) -> u64 {{ c_{name}(x) }}\n' for name in NAMES)
    one = linked(laboratory, "objects", source + listed(NAMES), NAMES)
    tallies = []
    for mode, found in zip(MODES, side_by_side(lambda mode: run_mode(one, mode), MODES)):
        tally = Tally(f"C {mode}")
        for is_mutant, name, verdict in found:
            tally.mutant(name, verdict) if is_mutant else tally.same(name, verdict)
        tallies.append(tally)
    return tallies
