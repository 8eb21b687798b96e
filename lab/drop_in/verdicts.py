"""Verdicts of `cargo plusminus compare`: of programs with themselves, and of published versions with later ones."""

import collections
import json
import os
import re
import shutil
import time
import tomllib

from .crates import HOME, Failure, build, features_of, prepare, reason, run, subcommand, unpacked


def verdicts(old, new, folder, options, filters=()):
    """What `cargo plusminus compare` says of two programs: a list of verdicts."""
    subcommand = HOME / "build-subcommand/release/cargo-plusminus"
    output = HOME / "verdicts.json"
    output.unlink(missing_ok=True)
    command = [
        str(subcommand), "plusminus", "compare", "--binaries", str(old), str(new), *filters, "--max-time", str(options.seconds),
        "--json", str(output), "--fail-on", "never", "--measure", "all",
    ]
    done = run(command, folder, {**os.environ, "CARGO_MANIFEST_DIR": str(folder)}, options.seconds + 600)
    if done.returncode not in (0, 3) or not output.exists():
        raise Failure(reason(done))
    found = json.loads(output.read_text())
    return [(case["name"], row["verdict"]) for case in found["benchmarks"] for row in case["rows"]]


def same(crates, options):
    """Identical code: every verdict of a difference is wrong."""
    subcommand(options)
    counts = {}
    for crate in crates:
        folder, _, targets = prepare(crate)
        programs, broken = build(crate, folder, targets, options.jobs)
        for target, why in broken.items():
            print(f"{folder.name} {target}: not built: {why}", flush=True)
        for target, program in programs.items():
            twin = program.with_name(f"{target}-twin")
            shutil.copy(program, twin)
            with twin.open("ab") as file:
                # One byte behind all that is loaded: otherwise the files being equal would answer instead of the measurement.
                file.write(b"\0")
            try:
                for name, verdict in verdicts(program, twin, folder, options):
                    counts[verdict] = counts.get(verdict, 0) + 1
                    if verdict in ("slower", "faster"):
                        print(f"WRONG: {folder.name} {target} {name}: {verdict}", flush=True)
                print(f"{folder.name} {target}: {counts} so far", flush=True)
            except Failure as failure:
                print(f"{folder.name} {target}: {failure}", flush=True)
    wrong = counts.get("slower", 0) + counts.get("faster", 0)
    print(f"{sum(counts.values())} verdicts on identical code: {counts}; wrong: {wrong}")
    return 1 if wrong else 0


def git(folder, *arguments):
    """Runs git in a repository of ours."""
    done = run(["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", *arguments], folder)
    if done.returncode != 0:
        raise Failure(f"git {arguments[0]}: {reason(done)}")


def benches_for_both(older, newer):
    """Puts the newer benches beside the older library: otherwise a change of the benches would be taken for one of the crate.

    Benches that read a source file of their library as input get the newer file on both sides. The older manifest is kept
    where it has the same bench targets for the same harness, for the sake of its features and dependencies.
    """
    shutil.rmtree(older / "benches", ignore_errors=True)
    shutil.copytree(newer / "benches", older / "benches")
    targets = lambda folder: sorted(bench["name"] for bench in tomllib.loads((folder / "Cargo.toml").read_text()).get("bench", []))
    if targets(older) != targets(newer) or "plusminus-" not in (older / "Cargo.toml").read_text():
        shutil.copy(newer / "Cargo.toml", older / "Cargo.toml")
    for folder in (older, newer):
        for bench in (folder / "benches").glob("**/*.rs"):
            text = bench.read_text()
            for path in re.findall(r'include_(?:bytes|str)!\("\.\./(src/[^"]+)"\)', text):
                kept = folder / "benches/input-of-both" / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(newer / path, kept)
                text = text.replace(f'"../{path}"', f'"input-of-both/{path}"')
            bench.write_text(text)


def repository_of(crate, old, new):
    """A repository whose two commits are the versions, and the bench targets of it."""
    newer, _, targets = prepare(f"{crate}@{new}")
    try:
        older, _, _ = prepare(f"{crate}@{old}")
    except Failure:
        # Its benches are for another harness: the manifest becomes the newer one below.
        older = unpacked(crate, old)
    benches_for_both(older, newer)
    place = HOME / "versions" / crate
    shutil.rmtree(place, ignore_errors=True)
    for number, folder in enumerate((older, newer)):
        if number:
            for entry in place.iterdir():
                if entry.name != ".git":
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(folder, place, dirs_exist_ok=True)
        (place / ".gitignore").write_text("target\nCargo.lock\n")
        if not number:
            git(place, "init", "--quiet")
        git(place, "add", "--all", "--force", ".")
        git(place, "commit", "--quiet", "--message", folder.name)
    return place, targets


def versions(crate, old, new, filters, options):
    """Two published versions, on the benches of the newer one, by `cargo plusminus compare`."""
    subcommand(options)
    place, targets = repository_of(crate, old, new)
    output = place / "target/verdicts.json"
    command = [str(HOME / "build-subcommand/release/cargo-plusminus"), "plusminus", "compare", "HEAD~1..HEAD", "--layout", options.layout]
    command += [part for target in targets for part in ("--bench", target)]
    features = features_of(crate, place, targets)
    command += ["--features", ",".join(features)] if features else []
    # Dependencies are built once for all crates.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(HOME / "build-versions")}
    if options.what == "build-versions":
        done = run([*command, "--no-run"], place, environment)
        print(f"{crate} {old}..{new}: {'built' if done.returncode == 0 else reason(done)}", flush=True)
        return done.returncode
    command += [*filters, "--max-time", f"{options.seconds}s", "--fail-on", "never", "--json", str(output), "--measure", options.measure]
    output.parent.mkdir(exist_ok=True)
    begin = time.monotonic()
    done = run(command, place, environment, options.seconds + 600)
    if done.returncode not in (0, 3) or not output.exists():
        print(f"{crate} {old}..{new}: {reason(done)}")
        return 1
    print(f"{crate} {old}..{new} ({time.monotonic() - begin:.0f} s, exit code {done.returncode}):\n{done.stdout}", end="")
    found = json.loads(output.read_text())
    counts = collections.Counter(row["verdict"] for case in found["benchmarks"] for row in case["rows"])
    print(f"{crate} {old}..{new}: {sum(counts.values())} verdicts: {dict(counts)}", flush=True)
    return 0
