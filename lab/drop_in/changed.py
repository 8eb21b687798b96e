"""What `cargo plusminus changed` says of crates under the harness that they have: nothing of ours is in them."""

import json
import os
import shutil
import time

from .crates import HOME, Failure, features_of, prepare, reason, run, subcommand, unpacked
from .repositories import commit, git, remarked


def changed(asked, options):
    """A line for each crate: targets listed after a comment, and between two versions with the newer one's benches."""
    program = subcommand(options)
    print("| crate | harness | targets | listed after a comment | seconds | listed between versions | seconds |\n|---|---|---|---|---|---|---|")
    every, listed = 0, 0
    for one in asked:
        try:
            crate, _, versions = one.partition("@")
            old, new = versions.split("..")
            harness, place, older, newer, arguments = repository(crate, old, new)
            commented, first = look(program, place, f"{newer}..{remarked(place, newer)}", arguments)
            between, second = look(program, place, f"{older}..{newer}", arguments)
        except Failure as failure:
            print(f"{one}: {failure}", flush=True)
            continue
        every, listed = every + len(commented), listed + sum(commented.values())
        print(f"| {one} | {harness} | {len(commented)} | {sum(commented.values())} | {first:.0f} | {sum(between.values())} of {len(between)} | {second:.0f} |", flush=True)
    print(f"{listed} of {every} targets listed after a comment")
    return 0


def repository(crate, old, new):
    """Two versions with the newer one's benches and manifest, whose other packages both have."""
    newer, harness, targets = prepare(f"{crate}@{new}", ours=False)
    older = unpacked(crate, old, "-own")
    place = HOME / "changed" / crate
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(newer, place)
    (place / ".gitignore").write_text("target\nCargo.lock\n")
    git(place, "init", "--quiet")
    shutil.rmtree(place / "src")
    shutil.copytree(older / "src", place / "src")
    first = commit(place, old)
    shutil.rmtree(place / "src")
    shutil.copytree(newer / "src", place / "src")
    features = features_of(crate, place, targets)
    arguments = [part for target in targets for part in ("--bench", target)]
    return harness, place, first, commit(place, new), arguments + (["--features", ",".join(features)] if features else [])


def look(program, place, versions, arguments):
    """Whether each target is listed, and the seconds that it took."""
    begin = time.monotonic()
    command = [program, "plusminus", "changed", versions, "--quiet", "--format", "json", *arguments]
    done = run(command, place, {**os.environ, "CARGO_TARGET_DIR": str(HOME / "build-versions")}, 1800)
    if done.returncode != 0:
        raise Failure(reason(done))
    found = {one["target"]: one["code"] != "identical_code" for one in json.loads(done.stdout)["benchmarks"]}
    return found, time.monotonic() - begin
