"""Building, linking again, comparing and counting, for all families."""
import concurrent.futures, dataclasses, itertools, json, os, pathlib, shutil, subprocess, sys

HOME = pathlib.Path(__file__).resolve().parent.parent.parent
# The flags with which comparisons build.
FLAGS = ("-Cllvm-args=-align-all-functions=6 -Cllvm-args=-align-all-nofallthru-blocks=6 -Ccodegen-units=1 "
         "-Clink-dead-code")
# What `compare` calls a benchmark whose code is the same.
SAME = "identical_code"
# Stands in the command line of the linker where families put their own arguments.
PLACE = "-Wl,--unresolved-symbols=ignore-all"


@dataclasses.dataclass
class Tally:
    """What came out of one family."""
    family: str
    mutants: int = 0
    unknown: int = 0
    differ: int = 0
    still: int = 0
    recognized: int = 0
    missed: list = dataclasses.field(default_factory=list)
    lost: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)

    def mutant(self, name, verdict):
        """Counts a mutant that computes or costs something else."""
        self.mutants += 1
        if verdict[0] == SAME:
            self.missed.append(name)
        elif verdict[0] == "unknown":
            self.unknown += 1
        else:
            assert verdict[0] == "differs", verdict
            self.differ += 1

    def same(self, name, verdict):
        """Counts a mutant that changes nothing."""
        self.still += 1
        if verdict[0] == SAME:
            self.recognized += 1
        else:
            self.lost.append(f"{name}: {verdict[0]}: {verdict[1]}")

    def line(self):
        return (f"{self.family:<12} {self.mutants:5} mutants: {len(self.missed):3} identical, {self.unknown:4} unknown, "
                f"{self.differ:5} differ; {self.recognized:4} of {self.still:4} without a change recognized")


class Laboratory:
    """A folder in which everything is built, with one target folder for all crates."""

    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        self.numbers = itertools.count()

    def path(self, name):
        """A fresh path in the folder."""
        return self.folder / f"{next(self.numbers)}-{name}"

    def crate(self, name, files, dependencies=""):
        """Writes a crate with a bench `speed` and a program `answers`; files that stay the same are left alone."""
        folder = self.folder / name
        manifest = (f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2024"\n[workspace]\nmembers = ["*"]\nexclude = ["src", "benches", "c", "data"]\n'
                    f'[lib]\nbench = false\n[dependencies]\n{dependencies}\n'
                    f'[dev-dependencies]\nplusminus = {{ path = "{HOME}/harness" }}\n'
                    '[[bench]]\nname = "speed"\nharness = false\n'
                    '[[bin]]\nname = "answers"\npath = "src/answers.rs"\nbench = false\n')
        write(folder, {"Cargo.toml": manifest, **files})
        return folder

    def build(self, folder, flags=FLAGS):
        """Builds a crate as `compare` does; copies of the bench and of the program that prints answers."""
        kept = {"RUSTC_WRAPPER": self.program, "PLUSMINUS_BUILD_FLAGS": flags,
                "PLUSMINUS_LINK_FOLDER": str(self.folder / "linkers"), "CARGO_TARGET_DIR": str(self.folder / "target")}
        command = ["cargo", "bench", "--no-run", "--bench", "speed", "--quiet", "--message-format=json"]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, env={**os.environ, **kept}, text=True)
        if done.returncode != 0:
            messages = [json.loads(line).get("message") or {} for line in done.stdout.splitlines() if line.startswith("{")]
            sys.exit("".join(message.get("rendered", "") for message in messages if isinstance(message, dict)))
        found = {}
        for line in done.stdout.splitlines():
            message = json.loads(line) if line.startswith("{") else {}
            if message.get("executable"):
                found[message["target"]["name"]] = pathlib.Path(message["executable"])
        copies = []
        for name in ("speed", "answers"):
            copies.append(self.path(name))
            shutil.copy(found[name], copies[-1])
            # Cargo gives a program a second name; what it was linked from lies beside the first.
            own = [path for path in (found[name], *(self.folder / "target/release/deps").glob(f"{name}-*")) if path.is_file() and path.samefile(found[name])]
            for link in filter(pathlib.Path.exists, (path.with_name(path.name + ".link") for path in own)):
                shutil.copytree(link, copies[-1].with_name(copies[-1].name + ".link"), dirs_exist_ok=True)
        return copies

    def judged(self, base, new, **variables):
        """The verdict of each benchmark, with its reason."""
        command = [self.program, "plusminus", "compare", "--binaries", base, new, "--measure", "none", "--format", "json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **variables})
        if done.returncode not in (0, 1):
            sys.exit(f"compare ends with {done.returncode}: {done.stderr}")
        return {case["name"]: (case["code"]["verdict"], case["code"]["reason"]) for case in json.loads(done.stdout)["benchmarks"]}


class Linked:
    """A crate that is linked again and again, by the wrapper itself, with other arguments in one place."""

    def __init__(self, laboratory, folder, foreign):
        self.laboratory = laboratory
        speed, answers = laboratory.build(folder)
        self.lines = {}
        for program in (speed, answers):
            recipe = json.loads((program.with_name(program.name + ".link") / "recipe.json").read_text())
            # The kept copies of inputs were moved with the program.
            arguments = [self.moved(argument, program) for argument in recipe["arguments"]]
            self.lines[program is answers] = (recipe["linker"], arguments)
        self.fake = laboratory.folder / "fake-linker"
        self.fake.write_text('#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done\ncp "$PLAIN" "$out"\n')
        self.fake.chmod(0o755)
        self.plain = laboratory.path("plain")
        stub = laboratory.folder / "stub.c"
        stub.write_text("".join(f"long {name}(long x) {{ return x; }}\n" for name in foreign))
        subprocess.run(["gcc", "-c", stub, "-o", stub.with_suffix(".o")], check=True)
        speed = self.link([stub.with_suffix(".o")])
        self.plain.write_bytes(speed.read_bytes()[:-kept(speed)])
        self.plain.chmod(0o755)

    def moved(self, argument, program):
        marked = ".link/"
        if marked in argument and str(self.laboratory.folder) in argument:
            before = argument[:argument.index(str(self.laboratory.folder))]
            return before + str(program) + marked + argument.split(marked, 1)[1]
        return argument

    def command(self, is_answers, arguments, output, without=()):
        linker, line = self.lines[is_answers]
        line = [one for one in line if one not in without]
        at, out = line.index(PLACE), line.index("-o")
        line[out + 1] = str(output)
        return linker, line[:at] + [str(argument) for argument in arguments] + line[at + 1:]

    def link(self, arguments, is_answers=False, without=(), **variables):
        """Links a program with arguments; `None` if the linker refuses."""
        output = self.laboratory.path("answers" if is_answers else "speed")
        linker, line = self.command(is_answers, arguments, output, without)
        variables = {"PLUSMINUS_LINKER": linker, **variables}
        done = subprocess.run([self.laboratory.program, *line], env={**os.environ, **variables}, stderr=subprocess.PIPE, text=True,
                              cwd=self.laboratory.folder)
        self.said = done.stderr
        return output if done.returncode == 0 else None

    def alone(self, program):
        """What the wrapper kept of a program, behind one that runs without the libraries of that program."""
        data = program.read_bytes()
        # No two programs are the same file. The wrapper keeps nothing where it does not understand what is written.
        program.write_bytes(self.plain.read_bytes() + program.name.encode() + data[len(data) - kept(program):])
        return program

    def graph(self, arguments, **variables):
        """A program that runs, with what the wrapper keeps of this command line: nothing is linked."""
        program = self.link(arguments, PLUSMINUS_LINKER=str(self.fake), PLAIN=str(self.plain), **variables)
        return program and self.alone(program)


def kept(program):
    """The number of bytes that the wrapper has put behind a program, if any: what it keeps, the length of it, and a mark."""
    end = program.read_bytes()[-24:]
    if not end[8:].startswith(b"plusminus code"):
        return 0
    return int.from_bytes(end[:8], "little") + len(end)


def write(folder, files):
    """Writes files that are not there yet as they should be."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def printed(program, **variables):
    """The answers of each kernel, by name; `None` where the program does not run to its end."""
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **variables}, timeout=60)
    if done.returncode != 0:
        return None
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def side_by_side(work, items):
    """The results of calls on both processors, in order."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, items))


def benches(crate, names):
    """A bench target that calls each kernel of a crate."""
    return ("use plusminus::bench;\nuse std::hint::black_box;\n"
            + "".join(f"#[bench] fn {k}() -> u64 {{ {crate}::{k}(black_box(7)) }}\n" for k in names) + "plusminus::main!();\n")


def answers(crate, inputs=12):
    """A program that prints what each kernel returns; the flag in it has the wrapper keep how it was linked."""
    return (f'fn main() {{ std::hint::black_box("--plusminus-worker"); for (name, f) in {crate}::all() {{ '
            f'let all: Vec<u64> = (1..{inputs}).map(f).collect(); println!("{{name}} {{all:?}}"); }} }}\n')


def listed(names):
    """The function that lists all kernels."""
    return ("pub fn all() -> Vec<(&'static str, fn(u64) -> u64)> { vec!["
            + ", ".join(f'("{k}", {k} as fn(u64) -> u64)' for k in names) + "] }\n")
