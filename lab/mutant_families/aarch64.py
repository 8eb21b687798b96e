"""The mutants of C and C++, as objects for aarch64 Linux that a cross compiler makes, and beside them as objects of this machine."""
import os, shutil, subprocess

from .common import HOME, Tally, printed, side_by_side
from .objects import LANGUAGE, NAMES, STEPS, at
from .outside import Shop

# The instructions in these are those of x86-64.
HERE_ONLY = ["assembly", "elsewhere"]
COMPILERS = {"x86-64": "", "aarch64": "aarch64-linux-gnu-"}
FLAGS = {"plain": [], "sections": ["-ffunction-sections", "-fdata-sections"], "slim": ["-flto"]}
HEAD = "typedef unsigned long U;\n#define N __attribute__((noinline))\n"


def text_of(name, step):
    extern = f'extern "C" U c_{name}(U);\n' if LANGUAGE[name] == "cc" else ""
    note = "/* again */ " if step > STEPS else ""
    return f"{HEAD}{extern}{note}{at(name, step)}\n"


def answers_of(laboratory, step):
    """What all kernels return, as programs of this machine."""
    shop = Shop(laboratory.folder / "shops" / f"driver-{step}", "base")
    calls = "".join(f'printf("{name}"); for (U x = 1; x < 12; x++) printf(" %lu", c_{name}(x)); puts("");' for name in NAMES)
    objects = [shop.object(name, text_of(name, step), "-w", language=LANGUAGE[name]) for name in NAMES]
    driver = HEAD + "#include <stdio.h>\n" + "".join(f"U c_{name}(U);" for name in NAMES) + f"int main(void) {{ {calls} }}"
    shop.run("g++", shop.object("driver", driver), *objects, "-o", "driver")
    return printed(shop.folder / "driver")


def pair(laboratory, folder, machine, way, name, step):
    """Compiles base and mutant of a kernel, with a `main` that calls it."""
    for side, own in (("base", 0), ("new", step)):
        shop = Shop(folder / f"{way}.{step}.{name}" / side, "base")
        source = shop.text(f"{name}.{LANGUAGE[name]}", text_of(name, own))
        caller = shop.text("main.c", f"{HEAD}U c_{name}(U); int main(void) {{ return c_{name}(7); }}\n")
        for text, compiler in ((source, "g++" if LANGUAGE[name] == "cc" else "gcc"), (caller, "gcc")):
            shop.run(COMPILERS[machine] + compiler, "-O2", "-w", *FLAGS[way], "-c", text.name)


def judged(laboratory, folder):
    """The verdicts of the room itself on all pairs: no Rust target is needed for these objects."""
    command = ["cargo", "test", "--quiet", "-p", "plusminus-same-code", "--lib", "objects_of_a_folder_are_compared", "--", "--ignored", "--nocapture"]
    done = subprocess.run(command, cwd=HOME, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PLUSMINUS_OBJECTS": str(folder)})
    lines = [line.split("\t") for line in done.stdout.splitlines() if "pair\t" in line]
    return {name: (verdict, why) for _, name, verdict, why in lines}


def run(laboratory, options):
    if missing := [c for c in COMPILERS.values() if not shutil.which(c + "g++")]:
        raise SystemExit(f"{missing[0]}g++ is missing: apt-get install g++-aarch64-linux-gnu, or name other families")
    answers = [answers_of(laboratory, step) for step in range(STEPS + 2)]
    tallies = []
    for machine in COMPILERS:
        folder = laboratory.folder / f"objects-{machine}"
        shutil.rmtree(folder, ignore_errors=True)
        wanted = [(way, name, step) for way in FLAGS for step in range(1, STEPS + 2) for name in NAMES
                  if not (machine != "x86-64" and name in HERE_ONLY) and (step > STEPS or answers[step][name] != answers[0][name])]
        side_by_side(lambda one: pair(laboratory, folder, machine, *one), wanted)
        verdicts, tally = judged(laboratory, folder), Tally(machine)
        for way, name, step in wanted:
            verdict = verdicts[f"{way}.{step}.{name}"]
            if step <= STEPS:
                tally.mutant(f"{way}, step {step}: {name}", verdict)
            elif way != "slim":
                tally.same(f"{way}: {name}", verdict)
        tallies.append(tally)
    return tallies
