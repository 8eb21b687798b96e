"""Verdicts of `cargo plusminus compare`: how it is run, how a row is counted, and those of programs with themselves."""

import collections
import json
import os
import shutil
import subprocess
import time

from .crates import HOME, Failure, build, prepare, reason, run, subcommand

# What it exits with after a comparison: nothing found, slower, unreliable.
ENDED = (0, 1, 3)


def compared(program, folder, *arguments, environment=None, patience=3600):
    """The report of one comparison, with its exit code and the seconds of it all."""
    begin = time.monotonic()
    command = [program, "plusminus", "compare", "--format", "json", "--quiet", *arguments]
    done = run(command, folder, {**os.environ, **(environment or {})}, patience)
    if done.returncode not in ENDED:
        raise Failure(f"exit code {done.returncode}: {reason(done)}")
    return json.loads(done.stdout), done.returncode, time.monotonic() - begin


def verdict(row):
    """The verdict of a row: from its interval where identical code was measured, undecided where it is not relied on."""
    if not row["reliable"]:
        return "inconclusive"
    if row["verdict"] != "identical_code":
        return row["verdict"]
    low, high = row["change_low"], row["change_high"]
    if low is None or high is None:
        return "inconclusive"
    if -row["margin"] <= low and high <= row["margin"]:
        return "within_margin"
    return "slower" if low > 0 else "faster" if high < 0 else "inconclusive"


def verdicts(report, everything=False):
    """The benchmarks of a report with their verdicts. Identical code has that for its own, but where everything was to be measured."""
    found = []
    for case in report["benchmarks"]:
        code = (case["code"] or {}).get("verdict")
        decided = case["rows"] and (everything or code != "identical_code")
        found.append((case["name"], verdict(case["rows"][-1]) if decided else code))
    return found


def twin(program, path):
    """Copies a program with one byte behind all that is loaded: equal files would answer instead of the measurement."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, path)
    with path.open("ab") as file:
        file.write(b"\0")
    return path


def same(crates, options):
    """Identical code: every verdict of a difference is wrong."""
    subcommand_program = subcommand(options)
    counts = collections.Counter()
    for crate in crates:
        folder, _, targets = prepare(crate)
        programs, broken = build(crate, folder, targets, options.jobs)
        for target, why in broken.items():
            print(f"{folder.name} {target}: not built: {why}", flush=True)
        for target, program in programs.items():
            try:
                report, _, _ = compared(
                    subcommand_program, folder, "--binaries", str(program), str(twin(program, program.with_name(f"{target}-twin"))),
                    "--max-time", f"{options.seconds}s", "--measure", "all", environment={"CARGO_MANIFEST_DIR": str(folder)},
                )
            except Failure as failure:
                print(f"{folder.name} {target}: {failure}", flush=True)
                continue
            for name, found in verdicts(report, everything=True):
                counts[found] += 1
                if found in ("slower", "faster"):
                    print(f"WRONG: {folder.name} {target} {name}: {found}", flush=True)
            print(f"{folder.name} {target}: {dict(counts)} so far", flush=True)
    wrong = counts["slower"] + counts["faster"]
    print(f"{counts.total()} verdicts on identical code: {dict(counts)}; wrong: {wrong}")
    return 1 if wrong else 0


class Noise:
    """Bursts of arithmetic and streaming on every processor, while it is entered; none without a program that makes them."""

    def __init__(self, program):
        self.program = program

    def __enter__(self):
        # It ends when its standard input does, even if this script is killed.
        self.process = self.program and subprocess.Popen([self.program, "noise"], stdin=subprocess.PIPE)

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()
