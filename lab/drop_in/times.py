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


# How often both harnesses measure in turns, and the seconds that criterion gets for a benchmark then.
ROUNDS = 5
SHORT = ["--warm-up-time", "1", "--measurement-time", "1", "--nresamples", "10000"]


def beside(crate, filters, options):
    """Times of both harnesses in one sitting: once with the settings that each has by itself, then several times in turns.

    What disturbs a machine lasts for seconds: one after the other, the two would measure different machines.
    """
    folder, harness, targets = prepare(crate)
    own, _, _ = prepare(crate, ours=False)
    if harness != "criterion":
        sys.exit("only criterion keeps its times in files")
    target = targets[0]
    programs, failed = build(crate, folder, [target], options.jobs)
    theirs, broken = build(crate, own, [target], options.jobs)
    if broken or failed:
        sys.exit(f"not built: {failed or broken}")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    load = os.getloadavg()[0]
    try:
        whole = [by_criterion(theirs[target], own, filters), by_plusminus(programs[target], folder, filters)]
        rounds = [(by_criterion(theirs[target], own, [*filters, *SHORT])[0], by_plusminus(programs[target], folder, filters)[0]) for _ in range(ROUNDS)]
    finally:
        for process in busy:
            process.kill()
            process.wait()
    names = [name for name in whole[1][0] if all(name in side for both in [(whole[0][0], whole[1][0]), *rounds] for side in both)]
    if not names:
        sys.exit("nothing to set side by side: the two have no benchmark of the same name")
    print("median in ns [its lowest and highest of the turns]")
    ratios = [side_by_side(name, rounds) for name in names]
    print(f"{folder.name}: {len(names)} benchmarks, median ratio {statistics.median(ratio for ratio, _, _ in ratios):.3f} "
          f"({min(ratios)[0]:.3f} to {max(ratios)[0]:.3f}), of medians of processes {statistics.median(one for _, one, _ in ratios):.3f} "
          f"({min(one for _, one, _ in ratios):.3f} to {max(one for _, one, _ in ratios):.3f}); ranges apart in {sum(not meet for _, _, meet in ratios)}")
    print(f"wall time with the usual settings: criterion {whole[0][1]:.0f} s, plusminus {whole[1][1]:.0f} s; "
          f"load {load:.1f} before and {os.getloadavg()[0]:.1f} after")
    return 0


def side_by_side(name, rounds):
    """A line for a benchmark. Returns the ratio of medians over the rounds, and whether what was measured in them meets."""
    sides = [[both[side][name] for both in rounds] for side in (0, 1)]
    middle = [statistics.median(turn[0] for turn in side) for side in sides]
    lowest = [min(turn[1] for turn in side) for side in sides]
    highest = [max(turn[2] for turn in side) for side in sides]
    typical = statistics.median(turn[3] for turn in sides[1])
    # Processes of criterion whose own intervals say that they differ.
    own = sum(1 for a, b in itertools.combinations(sides[0], 2) if a[1] > b[2] or b[1] > a[2])
    meet = lowest[0] <= highest[1] and lowest[1] <= highest[0]
    ratio = middle[1] / middle[0]
    print(
        f"{name}: criterion {middle[0]:.2f} [{lowest[0]:.2f}, {highest[0]:.2f}], plusminus {middle[1]:.2f} [{lowest[1]:.2f}, "
        f"{highest[1]:.2f}], ratio {ratio:.3f}{'' if meet else ', apart'}; median of plusminus's processes {typical:.2f}, ratio "
        f"{typical / middle[0]:.3f}; criterion's intervals exclude each other in {own} of "
        f"{len(rounds) * (len(rounds) - 1) // 2} pairs of turns"
    )
    return ratio, typical / middle[0], meet


def by_plusminus(program, folder, filters):
    """The medians of one call of ours with the ends of their intervals, and the seconds that it took."""
    begin = time.monotonic()
    done = call(program, folder, "--bench", "--quiet", "--format", "json", *filters)
    seconds = time.monotonic() - begin
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    record = next((line["record"] for line in found if line.get("record")), None)
    typical = medians_of_processes(json.loads(pathlib.Path(record).read_text())) if record else {}
    found = [result for result in found if result.get("type") == "bench" and result.get("low_95_ns")]
    return {one["name"]: (one["median"], one["low_95_ns"], one["high_95_ns"], typical.get(one["name"])) for one in found}, seconds


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
        medians[json.loads(file.read_text())["full_id"]] = (estimate["point_estimate"], *ends)
    return medians, seconds


def beside_each_other(old, folder, new, copy, own, options):
    """Medians of both programs: name, ratio, whether the intervals meet."""
    results = []
    for program, place in ((old, folder), (new, copy)):
        done = call(program, place, "--bench", "--quiet", "--format", "json", "--max-time", str(options.seconds))
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        results.append({line["name"]: line for line in lines if line.get("type") == "bench" and line.get("median")})
    compared = []
    for name, after in results[1].items():
        before = results[0].get(own.get(name, name))
        if not before or before.get("low_95_ns") is None or after.get("low_95_ns") is None:
            continue
        meet = after["low_95_ns"] <= before["high_95_ns"] and before["low_95_ns"] <= after["high_95_ns"]
        compared.append((name, after["median"] / before["median"], meet))
        if not meet:
            print(f"  {name}: {before['median']:.2f} [{before['low_95_ns']:.2f}, {before['high_95_ns']:.2f}] ns by the drop-in, "
                  f"{after['median']:.2f} [{after['low_95_ns']:.2f}, {after['high_95_ns']:.2f}] ns translated", flush=True)
    return compared
