"""Times beside those of the harness for which benches were written, and of translations beside the drop-in's."""

import itertools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from .crates import build, call, prepare, run


# The seconds that criterion gets for a benchmark from the second turn on.
SHORT = ["--warm-up-time", "1", "--measurement-time", "1", "--nresamples", "10000"]
# A time this near is that of criterion.
NEAR = 0.03


def beside(crates, options):
    """Times of default measurements beside those of criterion in turns, and how often a harness contradicts itself.

    What disturbs a machine lasts for seconds: one after the other, the two would measure different machines. Divan keeps no
    times in files: its suites are measured by ours alone.
    """
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    try:
        lines = [line for crate in crates for line in suite(crate, options)]
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print("| crate | benchmarks | median σ, % | within 3 % or in both intervals | ratio of times (range) | of medians of processes "
          "| criterion with its next turn | our intervals apart | criterion's | seconds of a turn | criterion's |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|")
    print("\n".join(lines))
    return 0


def suite(crate, options):
    """Measures a crate's benches in turns. Returns its line of the table."""
    folder, harness, targets = prepare(crate)
    own = prepare(crate, ours=False)[0] if harness == "criterion" else None
    programs, theirs = both(crate, folder, own, targets, options)
    filters = options.filter.split()
    turns, seconds = [], [0.0, 0.0]
    # The first turn has criterion's own settings, and tells the seconds.
    for turn in range(options.rounds):
        if options.layouts:
            programs, theirs = both(crate, folder, own, targets, options, order=turn + 1)
        sides = ({}, {})
        for target, program in programs.items():
            measured = [by_plusminus(program, folder, filters)]
            measured += [by_criterion(theirs[target], own, [*filters, *(SHORT if turns else [])])] if target in theirs else []
            for side, (found, taken) in enumerate(measured):
                sides[side].update({(target, name): times for name, times in found.items()})
                seconds[side] += 0 if turns else taken
        turns.append(sides)
    rows = [name for name in turns[0][0] if all(name in ours for ours, _ in turns)]
    if not rows:
        return [f"| {folder.name} | 0 |"]
    sigma = statistics.median(ours[name]["u"] / ours[name]["time"] for ours, _ in turns for name in rows)
    apart = contradictions([ours for ours, _ in turns], rows)
    if not theirs:
        return [f"| {folder.name} | {len(rows)} | {100 * sigma:.2f} | | | | | {apart} | | {seconds[0]:.0f} | |"]
    rows = [name for name in rows if all(name in theirs for _, theirs in turns)]
    if not rows:
        return [f"| {folder.name} | 0 of the same name as criterion's |"]
    near = [agree(ours[name], theirs[name]) for ours, theirs in turns for name in rows]
    # No harness can agree with criterion more often than criterion does with itself.
    itself = [agree(one[name], next_one[name]) for (_, one), (_, next_one) in itertools.pairwise(turns) for name in rows]
    ratios = [side_by_side(name, turns) for name in rows]
    whole, typical = (sorted(ratio[kind] for ratio in ratios) for kind in (0, 1))
    return [f"| {folder.name} | {len(rows)} | {100 * sigma:.2f} | {sum(near)} of {len(near)} | {statistics.median(whole):.3f} ({whole[0]:.3f} to {whole[-1]:.3f}) | "
            f"{statistics.median(typical):.3f} ({typical[0]:.3f} to {typical[-1]:.3f}) | {sum(itself)} of {len(itself)} | {apart} | {contradictions([theirs for _, theirs in turns], rows)} | "
            f"{seconds[0]:.0f} | {seconds[1]:.0f} |"]


def both(crate, folder, own, targets, options, order=None):
    """Builds a crate's benches with our harness, and with criterion. Returns the programs of each."""
    sides = []
    for place in (folder, own):
        programs, failed = build(crate, place, targets, options.jobs, order) if place else ({}, {})
        for target, why in failed.items():
            print(f"{place.name} {target}: not built: {why}", flush=True)
        sides.append(programs)
    return sides


def agree(ours, theirs):
    """Whether our time is criterion's median, or each lies within the other's interval."""
    return (abs(ours["time"] / theirs["time"] - 1) <= NEAR
            or ours["low"] <= theirs["time"] <= ours["high"] and theirs["low"] <= ours["time"] <= theirs["high"])


def contradictions(turns, rows):
    """How many pairs of turns have intervals that exclude each other."""
    pairs = [(a[name], b[name]) for name in rows for a, b in itertools.combinations(turns, 2)]
    return f"{sum(a['low'] > b['high'] or b['low'] > a['high'] for a, b in pairs)} of {len(pairs)}"


def side_by_side(name, turns):
    """A line for a benchmark. Returns the ratios over the turns of times, and of medians of processes, to criterion's."""
    ours, theirs = ([turn[side][name] for turn in turns] for side in (0, 1))
    middle = [statistics.median(one["time"] for one in side) for side in (ours, theirs)]
    typical = statistics.median(one["typical"] or one["time"] for one in ours)
    print(
        f"{' '.join(name)}: {middle[0]:.2f} ns [{min(one['low'] for one in ours):.2f}, {max(one['high'] for one in ours):.2f}], criterion {middle[1]:.2f} "
        f"[{min(one['low'] for one in theirs):.2f}, {max(one['high'] for one in theirs):.2f}], ratio {middle[0] / middle[1]:.3f}, of medians of processes "
        f"{typical / middle[1]:.3f}; σ {100 * statistics.median(one['u'] / one['time'] for one in ours):.2f} %; intervals apart: "
        f"{contradictions([turn[0] for turn in turns], [name])}, criterion's {contradictions([turn[1] for turn in turns], [name])}",
        flush=True,
    )
    return middle[0] / middle[1], typical / middle[1]


def by_plusminus(program, folder, filters):
    """The times of one call of ours with their intervals, and the seconds that it took."""
    begin = time.monotonic()
    done = call(program, folder, "--bench", "--quiet", "--format", "json", *filters)
    seconds = time.monotonic() - begin
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    record = next((line["record"] for line in found if line.get("record")), None)
    typical = medians_of_processes(json.loads(pathlib.Path(record).read_text())) if record else {}
    found = [result for result in found if result.get("type") == "bench" and result.get("low_95_ns")]
    return {one["name"]: {"time": one["median"], "low": one["low_95_ns"], "high": one["high_95_ns"], "u": one["u_ns"], "typical": typical.get(one["name"])}
            for one in found}, seconds


def medians_of_processes(record):
    """Of each benchmark, the median over its processes of the median of their samples: what a process does that nothing disturbs."""
    medians = {}
    for case in record["cases"]:
        runs = [statistics.median(case_run["wall_ns"]) / case_run["calls"] for case_run in case["measurements"] if case_run["wall_ns"]]
        if runs:
            medians[case["name"]] = statistics.median(runs)
    return medians


def by_criterion(program, folder, filters):
    """The medians of one process of criterion with the ends of their intervals, and the seconds that it took."""
    home = folder / "criterion"
    shutil.rmtree(home, ignore_errors=True)
    environment = {**os.environ, "CRITERION_HOME": str(home), "CARGO_MANIFEST_DIR": str(folder)}
    begin = time.monotonic()
    run([str(program), "--bench", "--noplot", *filters], folder, environment)
    seconds = time.monotonic() - begin
    medians = {}
    for file in home.glob("**/new/benchmark.json"):
        estimate = json.loads((file.parent / "estimates.json").read_text())["median"]
        ends = [estimate["confidence_interval"][end] for end in ("lower_bound", "upper_bound")]
        medians[json.loads(file.read_text())["full_id"]] = {"time": estimate["point_estimate"], "low": ends[0], "high": ends[1]}
    return medians, seconds
