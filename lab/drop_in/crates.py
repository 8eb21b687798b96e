"""Published crates: gets them through cargo, changes the one line of their manifest, and builds their benches."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib

# The checkout whose harness and subcommand are measured: an earlier one for figures from before a change.
ROOT = pathlib.Path(os.environ.get("DROP_IN_CHECKOUT", pathlib.Path(__file__).resolve().parent.parent.parent))
HOME = pathlib.Path(os.environ.get("DROP_IN_HOME", ROOT / "target/drop-in"))

CRITERION = """httparse itoa semver ryu base64 hex crc32fast bytecount tinyvec smol_str hashbrown unicode-segmentation
itertools weezl png event-listener concurrent-queue async-broadcast async-executor deadpool flume jwalk@0.8.1 litemap
tinystr boxcar rangemap smartstring""".split()
DIVAN = "annotate-snippets@0.11.5 fastlanes pco serde-saphyr salsa".split()
# Neighboring versions that `versions` compares by itself.
PAIRS = """smol_str@0.3.2..0.3.7 itoa@1.0.15..1.0.18 hex@0.4.2..0.4.3 rangemap@1.7.1..1.8.0 tinyvec@1.9.0..1.10.0
hashbrown@0.16.1..0.17.0 bytecount@0.6.8..0.6.9""".split()
# What the benches of a crate read from the environment.
VARIABLES = {"jwalk": {"JWALK_BENCHMARK_DIR": str(ROOT / "harness")}}
# Features that the benches of a crate need.
FEATURES = {"deadpool": ["managed", "unmanaged", "rt_tokio_1"], "tinyvec": ["alloc"], "base64": ["std"]}
# Whether programs that were built before are taken.
BUILT = False
COMPATIBLE = {
    "criterion": ("plusminus-criterion", "compat/criterion"),
    "divan": ("plusminus-divan", "compat/divan"),
}


def cargo(folder, *arguments, environment=None, timeout=None):
    """Runs cargo, and returns how it ended, with what it printed and the seconds that it took."""
    everything = {**os.environ, "CARGO_TARGET_DIR": str(HOME / "build"), "CARGO_TERM_COLOR": "never", **(environment or {})}
    begin = time.monotonic()
    done = run(["cargo", *arguments], folder, everything, timeout)
    return done, time.monotonic() - begin


def run(command, folder, environment=None, timeout=None):
    """Runs a command; one that takes too long has the code of `timeout`."""
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, text=True, capture_output=True, timeout=timeout, errors="replace"
        )
    except subprocess.TimeoutExpired as late:
        text = lambda part: part.decode(errors="replace") if isinstance(part, bytes) else part or ""
        return subprocess.CompletedProcess(command, 124, text(late.stdout), text(late.stderr) + f"\nerror: took longer than {timeout} s")


def executable(folder):
    """The last program that `cargo bench` builds in a folder."""
    done, _ = cargo(folder, "bench", "--no-run", "--message-format=json-render-diagnostics", environment={"CARGO_TARGET_DIR": str(folder / "target")})
    programs = [json.loads(line).get("executable") for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not any(programs):
        raise Failure(reason(done))
    return pathlib.Path([program for program in programs if program][-1])


def download(crate, version):
    """The folder in which cargo has unpacked the crate."""
    folder = HOME / "fetch"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src/lib.rs").write_text("")
    (folder / "Cargo.lock").unlink(missing_ok=True)
    wanted = f"={version}" if version else "*"
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        f'{crate} = {{ version = "{wanted}", default-features = false }}\n'
    )
    done, _ = cargo(folder, "metadata", "--format-version", "1")
    if done.returncode != 0:
        raise Failure(reason(done))
    packages = [package for package in json.loads(done.stdout)["packages"] if package["name"] == crate]
    newest = max(packages, key=lambda package: [int(part) for part in re.findall(r"\d+", package["version"])[:3]])
    return pathlib.Path(newest["manifest_path"]).parent


class Failure(Exception):
    """Why a crate cannot be measured, in a line."""


def reason(done):
    """The first error that a command has printed."""
    lines = (done.stderr + "\n" + done.stdout).splitlines()
    wrong = [line.strip() for line in lines if re.match(r"\s*(error|fatal:|plusminus:|thread '.*' panicked)", line)]
    where = [line.strip() for line in lines if line.strip().startswith("-->")]
    return " ".join((wrong[:1] or lines[-1:] or [f"exit code {done.returncode}"]) + where[:1])[:200]


def unpacked(name, version, suffix=""):
    """A copy of the crate as it was published, but for files that are about its author's machine."""
    source = download(name, version)
    folder = HOME / "crates" / (source.name + suffix)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    for unwanted in ("Cargo.lock", "Cargo.toml.orig"):
        (folder / unwanted).unlink(missing_ok=True)
    settle(folder)
    return folder


def settle(folder):
    """Removes the author's toolchain, and settings such as a forbidden `unsafe`, which hold for path dependencies."""
    for unwanted in ("rust-toolchain", "rust-toolchain.toml"):
        (folder / unwanted).unlink(missing_ok=True)
    shutil.rmtree(folder / ".cargo", ignore_errors=True)


def prepare(crate, ours=True):
    """A copy of the crate, whose benches use our harness or its own. Returns it with the harness and the bench targets."""
    name, _, version = crate.partition("@")
    folder = unpacked(name, version, "" if ours else "-own")
    manifest = folder / "Cargo.toml"
    text = manifest.read_text()
    parsed = tomllib.loads(text)
    harness = next((harness for harness in COMPATIBLE if f".{harness}]" in text), None)
    if not harness:
        raise Failure("no bench with criterion or divan in its package")
    if ours:
        text = change_line(text, harness)
        if not text:
            raise Failure("its manifest has another form")
    manifest.write_text(text + ("" if "workspace" in parsed else "\n[workspace]\n"))
    uses = {"criterion": "criterion_main!", "divan": "divan::"}[harness]
    targets = []
    for bench in parsed.get("bench", []):
        file = folder / bench.get("path", f"benches/{bench['name']}.rs")
        texts = [part.read_text(errors="replace") for part in ([file] if file.parent.name == "benches" else file.parent.glob("**/*.rs")) if part.exists()]
        if not bench.get("harness", True) and any(uses in text for text in texts):
            targets.append(bench["name"])
    if not targets:
        raise Failure("no bench target with this harness in its package")
    return folder, harness, targets


def change_line(manifest, harness):
    """The manifest with our package for the harness, as a table or in a line; None if it does not need the harness."""
    package, path = COMPATIBLE[harness]
    lines, inside, changed = [], False, False
    for line in manifest.splitlines():
        if line.startswith("["):
            inside = re.fullmatch(rf"\[.*dependencies\.{harness}\]", line) is not None
        if inside and line.startswith("version = "):
            lines += [f'package = "{package}"', f'path = "{ROOT / path}"']
            changed = True
        elif needs := re.match(rf'{harness} = (?:"[^"]*"|\{{(.*)\}})', line):
            kept = re.sub(r'\b(version|package|path) = "[^"]*",?', "", needs[1] or "").strip(" ,")
            # A workspace's member inherits the line that was changed there.
            changed |= "workspace = true" not in kept
            lines.append(line if "workspace = true" in kept else
                         f'{harness} = {{ package = "{package}", path = "{ROOT / path}"{", " + kept if kept else ""} }}')
        # Other stand-ins for the harness are named by their package.
        elif not (inside and line.startswith("package = ")):
            lines.append(line)
    return "\n".join(lines) + "\n" if changed else None


def features_of(crate, folder, targets):
    """The features that bench targets need."""
    manifest = tomllib.loads((folder / "Cargo.toml").read_text())
    required = [feature for bench in manifest["bench"] if bench["name"] in targets for feature in bench.get("required-features", [])]
    return [*FEATURES.get(crate.partition("@")[0], []), *required]


def build(crate, folder, targets, jobs, order=None):
    """Builds bench targets one by one, if asked with their functions in a random order of that number. Returns the programs, and
    what failed."""
    programs, failed = {}, {}
    for target in targets:
        kept = HOME / "programs" / folder.name / target
        if BUILT and kept.exists() and order is None:
            programs[target] = kept
            continue
        how = ["bench", "--no-run"] if order is None else ["rustc", "--profile", "bench"]
        arguments = [*how, "--bench", target, "--message-format=json-render-diagnostics", "-j", str(jobs)]
        features = features_of(crate, folder, [target])
        if features:
            arguments += ["--features", ",".join(features)]
        if order is not None:
            arguments += ["--", "-Clink-arg=-fuse-ld=lld", f"-Clink-arg=-Wl,--shuffle-sections=.text.*={order}"]
        done, _ = cargo(folder, *arguments, timeout=900)
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        executable = [one["executable"] for one in found if one.get("executable") and one["target"]["name"] == target]
        if done.returncode == 0 and executable:
            kept.parent.mkdir(parents=True, exist_ok=True)
            programs[target] = pathlib.Path(shutil.copy(executable[-1], kept))
        else:
            failed[target] = reason(done)
    return programs, failed


def call(program, folder, *arguments, timeout=600):
    """Runs a bench program as `cargo bench` would, with records of its own."""
    environment = {**os.environ, "PLUSMINUS_OUTPUT": str(HOME / "records"), "CARGO_MANIFEST_DIR": str(folder), "CARGO_TARGET_DIR": str(HOME / "build")}
    for crate, variables in VARIABLES.items():
        if folder.name.startswith(crate):
            environment.update(variables)
    return run([str(program), *arguments], folder, environment, timeout)


def names(program, folder):
    """The benchmarks of a program."""
    done = call(program, folder, "--list", "--format", "terse", "--bench")
    if done.returncode != 0:
        raise Failure(reason(done))
    return [line.removesuffix(": benchmark") for line in done.stdout.splitlines() if line.endswith(": benchmark")]


def subcommand(options):
    """The subcommand that is measured: the one asked for, or that of the checkout, built anew."""
    program = HOME / "build-subcommand/release/cargo-plusminus"
    if options.program:
        return str(pathlib.Path(options.program).resolve())
    if not (BUILT and program.exists()):
        environment = {"CARGO_TARGET_DIR": str(HOME / "build-subcommand")}
        done, _ = cargo(ROOT, "build", "--release", "-p", "cargo-plusminus", "-j", str(options.jobs), environment=environment)
        if done.returncode != 0:
            sys.exit(reason(done))
    return str(program)
