"""What a crate calls outside of Rust: libraries, their order and place, linker arguments, and shared libraries."""
import os, shutil, subprocess

from .common import PLACE, Linked, Tally, answers, benches, listed, printed, side_by_side

KERNELS = ["called", "alone"]
SOURCE = """unsafe extern "C" { safe fn c_called(x: u64) -> u64; }
#[inline(never)] pub fn called(x: u64) -> u64 { c_called(x) }
#[inline(never)] pub fn alone(x: u64) -> u64 { x.wrapping_mul(77).rotate_left(9) }
""" + listed(KERNELS)
BUILD = f'fn main() {{ println!("cargo::rustc-link-arg={PLACE}\\ncargo::rerun-if-changed=build.rs"); }}\n'


def linked(laboratory, name="outside", source=SOURCE, kernels=KERNELS):
    """A crate whose foreign functions are given to the linker again and again."""
    folder = laboratory.crate(name, {
        "src/lib.rs": "#![allow(improper_ctypes, clippy::all)]\n" + source, "src/answers.rs": answers(name), "build.rs": BUILD,
        "benches/speed.rs": benches(name, kernels)})
    return Linked(laboratory, folder, [f"c_{kernel}" for kernel in kernels])


class Shop:
    """A folder in which foreign code is compiled, at the same paths on both sides."""

    def __init__(self, folder, side):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.side = folder, side
        self.variables = {}
        # The constant of the base, and that of a mutant; the third side is the base once more.
        self.k = 5 if side == "mutant" else 3

    def either(self, base, mutant):
        """The first, or the second in a mutant."""
        return mutant if self.side == "mutant" else base

    def path(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def text(self, name, text):
        self.path(name).write_text(text)
        return self.path(name)

    def run(self, *command):
        subprocess.run([str(part) for part in command], check=True, cwd=self.folder, stderr=subprocess.PIPE)

    def object(self, name, text, *flags, language="c"):
        """Compiles a text to `NAME.o`."""
        note = "/* again */\n" if self.side == "again" and language != "s" else ""
        source = self.text(f"{name}.{language}", note + text)
        compiler = {"c": "gcc", "s": "gcc", "cc": "g++"}[language]
        self.run(compiler, "-O2", *flags, "-c", source, "-o", self.path(f"{name}.o"))
        return self.path(f"{name}.o")

    def archive(self, name, *objects, kind="crsD"):
        """An archive `libNAME.a` of objects."""
        path = self.path(f"{os.path.dirname(name)}/lib{os.path.basename(name)}.a".lstrip("/"))
        self.run("ar", kind, path, *objects)
        return path

    def shared(self, name, text, *flags):
        """A shared library `libNAME.so`."""
        path = self.path(f"{os.path.dirname(name)}/lib{os.path.basename(name)}.so".lstrip("/"))
        source = self.text(f"{name}-shared.c", text)
        self.run("gcc", "-O2", "-shared", "-fPIC", source, "-o", path, f"-Wl,-soname,{path.name}", *flags)
        return path


def function(k, name="c_called"):
    return f"unsigned long {name}(unsigned long x) {{ return x * {k} + 1; }}\n"


def runtime(*folders):
    return ["-Wl,-rpath," + str(folder) for folder in folders]


# Each case compiles into a shop and returns what stands on the linker's command line.
CASES = {}


def case(name, family="linking"):
    def put(make):
        CASES[name] = (family, make)
        return make
    return put


@case("object by its path")
def _(s): return [s.object("one", function(s.k))]
@case("archive by its path")
def _(s): return [s.archive("one", s.object("one", function(s.k)))]
@case("thin archive")
def _(s): return [s.archive("one", s.object("one", function(s.k)), kind="crsDT")]


def static_one(s):
    s.archive("one", s.object("one", function(s.k)))
    return [f"-L{s.folder}"]


# An archive in a folder of the command line, named in every way.
for spelled in ("-lone", "-l one", "-l:libone.a", "-Wl,-lone", "-Wl,-l,one", "-Wl,--library=one", "-Wl,--library,one", "-Wl,-library=one", "-Xlinker -lone",
                "-Xlinker --library=one", "-Xlinker --library -Xlinker one", "-Wl,--whole-archive,-lone,--no-whole-archive",
                "-Wl,--whole-archive -lone -Wl,--no-whole-archive", "-Wl,--start-group,-lone,--end-group", "-Wl,-(,-lone,-)", "-Wl,--as-needed,-lone",
                "-Wl,--push-state,-Bstatic,-lone,--pop-state", "-Wl,-Bstatic -lone -Wl,-Bdynamic", "-Wl,-l:libone.a", "-Wl,-dn,-lone,-dy",
                "-Wl,-static,-lone,-call_shared", "-Wl,-non_shared,-lone,-Bdynamic"):
    CASES[f"archive by {spelled}"] = ("linking", lambda s, spelled=spelled: static_one(s) + spelled.split(" "))
for spelled in ("-Wl,@/libone.a", "-Xlinker @/libone.a", "-Wl,--whole-archive,@/libone.a,--no-whole-archive", "-Wl,@/one.o", "-Xlinker @/one.o",
                "-Wl,--start-group,@/one.o,--end-group", "-Wl,--start-lib,@/one.o,--end-lib", "-Wl,--push-state,@/libone.a,--pop-state",
                "-Wl,-L,@ -lone", "-Wl,-L@ -lone", "-Wl,--library-path=@ -lone", "-Wl,--library-path,@ -lone", "-Xlinker -L -Xlinker @ -lone",
                "-L @ -lone", "-Wl,-L@,-lone"):
    CASES[f"archive by {spelled}"] = ("linking", lambda s, spelled=spelled: static_one(s)[:0] + spelled.replace("@", str(s.folder)).split(" "))


@case("response file of the compiler")
def _(s): return static_one(s) + [f"@{s.text('more', '-lone')}"]
@case("response file of the linker")
def _(s): return static_one(s) + [f"-Wl,@{s.text('more', '-lone')}"]
@case("response file that changes")
def _(s): return [f"-L{s.folder}", f"-Wl,@{s.text('more', s.either('-lone', '-ltwo'))}", *both(s)]


def both(s, kind="static"):
    """Two libraries that define the same function."""
    for name, k in (("one", 3), ("two", 5)):
        if kind == "static":
            s.archive(name, s.object(name, function(k)))
        else:
            s.shared(name, function(k))
    return []


for kind in ("static", "shared"):
    for where in ("-L", "LIBRARY_PATH"):
        def named(s, kind=kind, where=where, first="one", second="two", more=()):
            both(s, kind)
            s.variables = {"LIBRARY_PATH": str(s.folder)} if where == "LIBRARY_PATH" else {}
            find = [f"-L{s.folder}"] if where == "-L" else []
            return [*find, *more, *s.either(first, second).split(" "), *runtime(s.folder)]
        CASES[f"another {kind} library by {where}"] = ("libraries", lambda s, named=named: named(s, first="-lone", second="-ltwo"))
        CASES[f"two {kind} libraries exchanged by {where}"] = ("libraries", lambda s, named=named: named(s, first="-lone -ltwo", second="-ltwo -lone"))
        CASES[f"one of two {kind} libraries gone by {where}"] = ("libraries", lambda s, named=named: named(s, first="-lone -ltwo", second="-ltwo"))
        CASES[f"another {kind} library by {where} and -Wl"] = ("libraries", lambda s, named=named: named(s, first="-Wl,-lone", second="-Wl,-ltwo"))
        CASES[f"another {kind} library by {where} and -Xlinker"] = ("libraries", lambda s, named=named: named(s, first="-Xlinker -lone", second="-Xlinker -ltwo"))
        if kind == "shared":
            CASES[f"another shared file by {where}"] = ("libraries", lambda s, named=named: named(s, first="-l:libone.so", second="-l:libtwo.so"))
        else:
            CASES[f"another static file by {where}"] = ("libraries", lambda s, named=named: named(s, first="-l:libone.a", second="-l:libtwo.a"))

        def content(s, kind=kind, where=where):
            s.variables = {"LIBRARY_PATH": str(s.folder)} if where == "LIBRARY_PATH" else {}
            (s.archive("one", s.object("one", function(s.k))) if kind == "static" else s.shared("one", function(s.k)))
            return [*([f"-L{s.folder}"] if where == "-L" else []), "-lone", *runtime(s.folder)]
        CASES[f"other content of a {kind} library by {where}"] = ("libraries", content)

        def folders(s, kind=kind, where=where):
            for folder, k in (("first", 3), ("second", 5)):
                s.path(f"{folder}/x")
                (s.archive(f"{folder}/one", s.object(f"{folder}/one", function(k))) if kind == "static" else s.shared(f"{folder}/one", function(k)))
            order = s.either(["first", "second"], ["second", "first"])
            order = [str(s.folder / folder) for folder in order]
            s.variables = {"LIBRARY_PATH": ":".join(order)} if where == "LIBRARY_PATH" else {}
            return [*([f"-L{folder}" for folder in order] if where == "-L" else []), "-lone", *runtime(*order)]
        CASES[f"folders of a {kind} library exchanged, by {where}"] = ("libraries", folders)

        def appears(s, kind=kind, where=where):
            for folder, k in (("first", 5), ("second", 3))[s.either(1, 0):]:
                s.path(f"{folder}/x")
                (s.archive(f"{folder}/one", s.object(f"{folder}/one", function(k))) if kind == "static" else s.shared(f"{folder}/one", function(k)))
            order = [str(s.folder / folder) for folder in ("first", "second")]
            s.variables = {"LIBRARY_PATH": ":".join(order)} if where == "LIBRARY_PATH" else {}
            return [*([f"-L{folder}" for folder in order] if where == "-L" else []), "-lone", *runtime(*order)]
        CASES[f"a {kind} library in an earlier folder, by {where}"] = ("libraries", appears)


@case("static or dynamic", "libraries")
def _(s):
    s.archive("one", s.object("one", function(3)))
    s.shared("one", function(5))
    return [f"-L{s.folder}", s.either("-Wl,-Bstatic", "-Wl,-Bdynamic"), "-lone", "-Wl,-Bdynamic", *runtime(s.folder)]
@case("static or dynamic by LIBRARY_PATH", "libraries")
def _(s):
    s.archive("one", s.object("one", function(3)))
    s.shared("one", function(5))
    s.variables = {"LIBRARY_PATH": str(s.folder)}
    return [s.either("-Wl,-Bstatic", "-Wl,-Bdynamic"), "-lone", "-Wl,-Bdynamic", *runtime(s.folder)]
@case("a shared library beside an archive of the same name", "libraries")
def _(s):
    s.archive("one", s.object("one", function(3)))
    if s.side == "mutant":
        s.shared("one", function(5))
    return [f"-L{s.folder}", "-lone", *runtime(s.folder)]


def by_script(name, script):
    """A script in the place of a library."""
    def make(s):
        s.archive("real", s.object("real", function(s.k)))
        s.text(name, script.replace("@", str(s.folder)))
        return [f"-L{s.folder}", "-lone"]
    return make


for name in ("libone.so", "libone.a"):
    for script in ("INPUT(-lreal)", "GROUP(@/libreal.a)", "INPUT(AS_NEEDED(@/libreal.a))"):
        CASES[f"{name} as a script: {script}"] = ("libraries", by_script(name, script))
@case("script by its path", "libraries")
def _(s): return [s.object("one", function(3, "one") + function(5, "two")), s.text("names.ld", f"c_called = {s.either('one', 'two')};")]
@case("script by its path that names an object", "libraries")
def _(s):
    s.object("one", function(s.k))
    return [s.text("names.ld", f"INPUT({s.folder}/one.o)")]


def two_functions(s):
    return s.object("two", function(3, "target_one") + function(5, "target_two"), "-ffunction-sections")


for spelled in ("-Wl,--defsym=c_called=@", "-Wl,--defsym,c_called=@", "-Xlinker --defsym=c_called=@", "-Xlinker --defsym -Xlinker c_called=@",
                "-Wl,-defsym=c_called=@", "-Wl,-defsym,c_called=@"):
    CASES[f"another name by {spelled}"] = ("linking", lambda s, spelled=spelled: [two_functions(s), *spelled.replace("@", s.either("target_one", "target_two")).split(" ")])
    CASES[f"function behind {spelled}"] = ("linking", lambda s, spelled=spelled: [s.object("one", function(s.k, "target_one")), *spelled.replace("@", "target_one").split(" ")])
for spelled in ("-Wl,--wrap=c_called", "-Wl,--wrap,c_called", "-Xlinker --wrap=c_called", "-Xlinker --wrap -Xlinker c_called", "-Wl,-wrap,c_called", "-Wl,-wrap=c_called"):
    def wrapped(s, spelled=spelled):
        return [s.object("plain", function(9)), s.object("wrapped", function(s.k, "__wrap_c_called")), *spelled.split(" ")]
    CASES[f"function behind {spelled}"] = ("linking", wrapped)
    CASES[f"{spelled} comes"] = ("linking", lambda s, spelled=spelled: [
        s.object("plain", function(9)), s.object("wrapped", function(3, "__wrap_c_called")), *s.either([], spelled.split(" "))])
@case("wrapped, with the real one behind")
def _(s):
    wrap = "unsigned long __real_c_called(unsigned long); unsigned long __wrap_c_called(unsigned long x) { return __real_c_called(x) + 1; }"
    return [s.object("plain", function(s.k)), s.object("wrapped", wrap), "-Wl,--wrap=c_called"]
for option in ("-Wl,-T,@", "-Wl,--script=@", "-T @", "-Xlinker -T -Xlinker @"):
    def scripted(s, option=option):
        s.text("more.ld", f"SECTIONS {{ c_called = {s.either('target_one', 'target_two')}; }} INSERT AFTER .data;")
        return [two_functions(s), *option.replace("@", str(s.folder / "more.ld")).split(" ")]
    CASES[f"script behind {option}"] = ("linking", scripted)
@case("inputs exchanged by --remap-inputs")
def _(s):
    s.object("one", function(9))
    s.object("two", function(s.k))
    return [s.folder / "one.o", f"-Wl,--remap-inputs={s.folder}/one.o={s.folder}/two.o"]
@case("inputs exchanged by --remap-inputs-file")
def _(s):
    s.object("one", function(9))
    s.object("two", function(s.k))
    return [s.folder / "one.o", f"-Wl,--remap-inputs-file={s.text('list', f'{s.folder}/one.o={s.folder}/two.o')}"]
for option in ("-Wl,--allow-multiple-definition", "-Wl,-z,muldefs", "-Xlinker -z -Xlinker muldefs", "-z muldefs"):
    def several(s, option=option):
        objects = [s.object("one", function(3)), s.object("two", function(5))]
        return [*option.split(" "), *s.either(objects, objects[::-1])]
    CASES[f"the first of two behind {option}"] = ("linking", several)
@case("member order of an archive")
def _(s):
    objects = [s.object("one", function(3)), s.object("two", function(5))]
    return [s.archive("one", *s.either(objects, objects[::-1]))]
@case("sysroot behind =")
def _(s):
    s.path("usr/x")
    s.archive("usr/one", s.object("usr/one", function(s.k)))
    return [f"-Wl,--sysroot={s.folder}", "-Wl,-L,=/usr", "-lone"]
VARIABLE = "unsigned long seen = 1; unsigned long c_called(unsigned long x) { return x + seen; }\n"
for option in ("-Wl,-init,early", "-Wl,-init=early", "-Wl,--init=early", "-Xlinker -init -Xlinker early"):
    CASES[f"{option}"] = ("linking", lambda s, option=option: [
        s.object("one", VARIABLE), s.object("two", f"extern unsigned long seen; void early(void) {{ seen = {s.k}; }}"), *option.split(" ")])
for option in ("-Wl,-e,early", "-Wl,--entry=early", "-e early", "-Wl,-entry=early", "-Xlinker -e -Xlinker early"):
    text = ".globl early\n.text\nearly: movq $@, seen(%rip)\n jmp _start\n.section .note.GNU-stack,\"\",@progbits\n"
    CASES[f"{option}"] = ("linking", lambda s, option=option, text=text: [
        s.object("one", VARIABLE), s.object("two", text.replace("@,", f"{s.k},"), language="s"), *option.split(" ")])
for option in ("-Wl,-u,wanted", "-Wl,--undefined=wanted", "-u wanted", "-Wl,--require-defined=wanted", "-Wl,--undefined-glob=want*", "-Xlinker -u -Xlinker wanted"):
    text = "extern unsigned long seen; int wanted; __attribute__((constructor)) static void early(void) { seen = @; }"
    def pulled(s, option=option, text=text):
        return [s.object("one", VARIABLE), s.archive("more", s.object("two", text.replace("@", str(s.k)))), *option.split(" ")]
    CASES[f"constructor that {option} pulls"] = ("linking", pulled)
    CASES[f"{option} comes"] = ("linking", lambda s, option=option, text=text: [
        s.object("one", VARIABLE), s.archive("more", s.object("two", text.replace("@", "3"))), *s.either([], option.split(" "))])


# Shared libraries and what they lead to.
CALLBACK = "unsigned long back(unsigned long); unsigned long c_called(unsigned long x) { return back(x) + 1; }\n"


@case("content of a shared library by its path", "shared")
def _(s): return [s.shared("one", function(s.k)), *runtime(s.folder)]
@case("call-back into the program", "shared")
def _(s): return [s.object("back", function(s.k, "back")), s.shared("one", CALLBACK), *runtime(s.folder)]
@case("call-back into the program by -l", "shared")
def _(s):
    s.shared("one", CALLBACK)
    return [s.object("back", function(s.k, "back")), f"-L{s.folder}", "-lone", *runtime(s.folder)]
@case("call-back into an archive", "shared")
def _(s): return [s.archive("back", s.object("back", function(s.k, "back"))), s.shared("one", CALLBACK), s.folder / "libback.a", *runtime(s.folder)]
@case("call-back by a weak reference", "shared")
def _(s):
    text = CALLBACK.replace("unsigned long back(unsigned long);", "__attribute__((weak)) unsigned long back(unsigned long);").replace("return back(x)", "return back ? back(x) : 9")
    return [s.object("back", function(s.k, "back")), s.shared("one", text), *runtime(s.folder)]
@case("variable of the program that a library reads", "shared")
def _(s):
    text = "extern unsigned long given; unsigned long c_called(unsigned long x) { return given * x; }\n"
    return [s.object("given", f"unsigned long given = {s.k};"), s.shared("one", text), *runtime(s.folder)]
@case("function of a library that the program replaces", "shared")
def _(s): return [s.object("back", function(s.k, "back")), s.shared("one", CALLBACK + function(9, "back")), *runtime(s.folder)]
@case("function of a library that the program comes to replace", "shared")
def _(s): return [s.object("back", function(3, s.either("other", "back"))), s.shared("one", CALLBACK + function(9, "back")), *runtime(s.folder)]
@case("function table of the program that a library reads", "shared")
def _(s):
    text = "extern unsigned long (*given[2])(unsigned long); unsigned long c_called(unsigned long x) { return given[x & 1](x); }\n"
    table = function(3, "f") + function(7, "g") + f"unsigned long (*given[2])(unsigned long) = {{ {s.either('f, g', 'g, f')} }};"
    return [s.object("given", table), s.shared("one", text), *runtime(s.folder)]
@case("constructor of a shared library", "shared")
def _(s):
    text = f"static unsigned long seen = 1; __attribute__((constructor)) static void early(void) {{ seen = {s.k}; }} unsigned long c_called(unsigned long x) {{ return x * seen; }}"
    return [s.shared("one", text), *runtime(s.folder)]
@case("variable of a shared library", "shared")
def _(s):
    s.shared("one", f"unsigned long given = {s.k};")
    return [s.object("one", "extern unsigned long given; unsigned long c_called(unsigned long x) { return given * x; }"), s.folder / "libone.so", *runtime(s.folder)]
for found in ("-rpath", "-rpath-link", "$ORIGIN"):
    for named in ("path", "-l"):
        def needed(s, found=found, named=named):
            s.shared("inner", function(s.k, "back"))
            own = {"-rpath": [f"-Wl,-rpath,{s.folder}"], "-rpath-link": [], "$ORIGIN": ["-Wl,-rpath,$ORIGIN"]}[found]
            outer = s.shared("one", CALLBACK, s.folder / "libinner.so", *own)
            more = [f"-Wl,-rpath-link,{s.folder}"] if found == "-rpath-link" else []
            return [*([outer] if named == "path" else [f"-L{s.folder}", "-lone"]), *more, *(["-Wl,--disable-new-dtags"] if more else []), *runtime(s.folder)]
        CASES[f"library that a library needs, found by {found}, outer by {named}"] = ("shared", needed)
@case("library behind two libraries", "shared")
def _(s):
    s.shared("inmost", function(s.k, "inmost"))
    s.shared("inner", "unsigned long inmost(unsigned long); unsigned long back(unsigned long x) { return inmost(x) + 2; }", s.folder / "libinmost.so", f"-Wl,-rpath,{s.folder}")
    return [s.shared("one", CALLBACK, s.folder / "libinner.so", f"-Wl,-rpath,{s.folder}"), *runtime(s.folder)]
@case("call-back of a library that a library needs", "shared")
def _(s):
    s.shared("inner", "unsigned long inmost(unsigned long); unsigned long back(unsigned long x) { return inmost(x) + 2; }")
    return [s.object("inmost", function(s.k, "inmost")), s.shared("one", CALLBACK, s.folder / "libinner.so", f"-Wl,-rpath,{s.folder}"), "-Wl,--export-dynamic", *runtime(s.folder)]
@case("library behind a link to its version", "shared")
def _(s):
    for version, k in (("1", 3), ("2", 5)):
        s.shared(f"v{version}", function(k)).rename(s.folder / f"libone.so.{version}")
    (s.folder / "libone.so").symlink_to(s.either("libone.so.1", "libone.so.2"))
    for version in "12":
        (s.folder / f"libv{version}.so").symlink_to(f"libone.so.{version}")
    return [f"-L{s.folder}", "-lone", *runtime(s.folder)]
@case("order of two shared libraries by their paths", "shared")
def _(s):
    both(s, "shared")
    return [*(s.folder / name for name in s.either(["libone.so", "libtwo.so"], ["libtwo.so", "libone.so"])), *runtime(s.folder)]
@case("folder in which the loader finds it", "shared")
def _(s):
    for folder, k in (("first", 3), ("second", 5)):
        s.path(f"{folder}/x")
        s.shared(f"{folder}/one", function(k))
    return [f"-L{s.folder}/first", "-lone", f"-Wl,-rpath,{s.folder}/{s.either('first', 'second')}"]


def run_case(one, name):
    """The verdicts of a mutant and of the base once more, and whether answers differ (`None`: the program cannot be linked)."""
    family, make = CASES[name]
    folder = one.laboratory.folder / "shops" / str(list(CASES).index(name))
    programs, said = {}, {}
    for side in ("base", "mutant", "again"):
        shop = Shop(folder, side)
        arguments = make(shop)
        without = []
        programs[side] = one.link(arguments, **shop.variables)
        if programs[side] is None:
            programs[side] = one.graph(arguments, **shop.variables)
            said[side] = None
        elif side != "again":
            program = one.link(arguments, is_answers=True, **shop.variables)
            said[side] = program and (printed(program) or {}).get("called")
        if programs[side] is None:
            raise SystemExit(f"{name}: neither linked nor kept: {one.said}")
    # The folder has the libraries of one side only.
    base, mutant, again = (one.alone(programs[side]) for side in ("base", "mutant", "again"))
    return name, said, one.laboratory.judged(base, mutant), one.laboratory.judged(base, again)


def run(laboratory, options):
    one = linked(laboratory)
    tallies = {family: Tally(family) for family in ("libraries", "linking", "shared")}
    for name, said, verdicts, again in side_by_side(lambda name: run_case(one, name), CASES):
        tally = tallies[CASES[name][0]]
        if said["base"] is None or said["mutant"] is None:
            tally.notes.append(f"{name}: not run: by construction")
        elif said["base"] == said["mutant"]:
            raise SystemExit(f"{name}: the mutant answers the same: {said}")
        tally.mutant(name, verdicts["called"])
        tally.same(name, again["called"])
    return list(tallies.values())
