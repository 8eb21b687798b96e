"""The kernels of `values` under harnesses that are not ours, each in a bench target of its own, by `cargo plusminus changed`."""
import json, os, subprocess, sys

from .common import Tally, printed, write
from .values import KERNELS, STILL, at, source

# Of each harness: the bench of a kernel, in which criterion's own code is compiled for its closure.
HARNESSES = {
    "criterion": "use criterion::{Criterion, criterion_group, criterion_main};\nfn kernel(c: &mut Criterion) { c.bench_function(\"@K\", "
                 "|b| b.iter(|| mutants::@K(std::hint::black_box(7)))); }\ncriterion_group!(benches, kernel);\ncriterion_main!(benches);\n",
    "criterion, called by pointer": "fn main() { called::bench(\"@K\", mutants::@K); }\n",
    "divan": "fn main() { divan::main(); }\n#[divan::bench] fn kernel() -> u64 { mutants::@K(divan::black_box(7)) }\n",
}
# Such a bench takes the compiler long, so the first is built only once with mutants.
ONCE = "criterion"
# Calls kernels by pointer, so that criterion's code is compiled once for all.
CALLED = {
    "called/Cargo.toml": '[package]\nname = "called"\nversion = "0.1.0"\nedition = "2024"\n[lib]\nbench = false\n[dependencies]\ncriterion = "*"\n',
    "called/src/lib.rs": "use std::hint::black_box;\npub fn bench(name: &str, kernel: fn(u64) -> u64) { criterion::Criterion::default().configure_from_args()"
                         ".bench_function(name, |b| b.iter(|| black_box(kernel)(black_box(7)))); }\n",
}
# As in a repository of its own: ours has a configuration that a build would take.
GIT = ["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost"]


def run(laboratory, options):
    return [of_harness(laboratory, harness, options) for harness in HARNESSES]


def of_harness(laboratory, harness, options):
    """Counts the mutants of one harness. A target stands for its one benchmark."""
    tally, folder = Tally(harness), laboratory.folder / f"foreign-{len(harness)}"
    needed = 'called = { path = "called" }' if "called" in harness else f'{harness} = "*"'
    targets = "".join(f'[[bench]]\nname = "{kernel}"\nharness = false\n' for kernel in KERNELS)
    manifest, rest = STILL["Cargo.toml"].split("[dev-dependencies]")
    manifest += f'[dev-dependencies]\n{needed}\n{targets}[[bin]]{rest.split("[[bin]]")[1]}'
    benches = {f"benches/{kernel}.rs": HARNESSES[harness].replace("@K", kernel) for kernel in KERNELS}
    write(folder, {**STILL, **CALLED, **source(0), "Cargo.toml": manifest, **benches, ".gitignore": "target\n"})
    (folder / "benches/speed.rs").unlink()
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Begin"]):
        subprocess.run([*GIT, *command], cwd=folder, check=True)
    reference = answers(laboratory, folder)
    # Comments and versions change nothing.
    write(folder, {"src/lib.rs": "// A comment.\n" + source(0)["src/lib.rs"], "Cargo.toml": manifest.replace("0.1.0", "0.1.1", 1)})
    for kernel, verdict in changed(laboratory, folder).items():
        tally.same(f"{harness}, a comment: {kernel}", verdict)
    for build in range(1, 2 if harness == ONCE else options.builds + 1):
        write(folder, source(build))
        now = answers(laboratory, folder)
        for kernel, verdict in changed(laboratory, folder).items():
            name = f"{harness}, build {build}: {kernel} {at(kernel, KERNELS[kernel][1], build)}"
            (tally.same if now[kernel] == reference[kernel] else tally.mutant)(name, verdict)
    return tally


def answers(laboratory, folder):
    """What each kernel returns now."""
    target = laboratory.folder / "target"
    build = ["cargo", "build", "--release", "--quiet", "--bin", "answers", "--target-dir", target]
    subprocess.run(build, cwd=folder, check=True)
    return printed(target / "release/answers")


def changed(laboratory, folder):
    """Whether the code of each bench target is that of the commit, with the reason."""
    command = [laboratory.program, "plusminus", "changed", "HEAD", "--quiet", "--format", "json"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(laboratory.folder / "compared")}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"changed ends with {done.returncode}: {done.stderr}")
    return {one["target"]: (one["code"], one["why"]) for one in json.loads(done.stdout)["benchmarks"]}
