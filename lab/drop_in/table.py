"""The table of crates: what is found, what runs once in a test, what is measured, and what fails."""

import re
import time

from .crates import Failure, build, call, names, prepare, reason


def run_crate(crate, options):
    """One line of the table."""
    row = {"crate": crate, "harness": "", "targets": 0, "found": 0, "tested": 0, "measured": 0, "failed": [], "seconds": 0.0, "test": 0.0}
    try:
        folder, row["harness"], targets = prepare(crate)
        row["crate"], row["targets"] = folder.name, len(targets)
        programs, broken = build(crate, folder, targets, options.jobs)
    except Failure as failure:
        row["failed"].append(str(failure))
        return row
    row["failed"] += [f"{target}: {why}" for target, why in broken.items()]
    for target, program in programs.items():
        try:
            row["found"] += len(names(program, folder))
        except Failure as failure:
            row["failed"].append(f"{target}: {failure}")
            continue
        begin = time.monotonic()
        tested = call(program, folder, "--test", timeout=options.patience)
        row["test"] += time.monotonic() - begin
        row["tested"] += len(re.findall(r"^test .* \.\.\. ok$", tested.stdout, re.MULTILINE))
        if tested.returncode != 0:
            lost = re.findall(r"^test (.*) \.\.\. FAILED$", tested.stdout, re.MULTILINE)
            row["failed"].append(f"{target}: {len(lost)} in a test, such as {lost[:1]}: {reason(tested)}")
        begin = time.monotonic()
        measured = call(
            program, folder, "--bench", "--format", "bencher", "--quiet", "--runs", "2", "--samples", "4",
            "--sample-time", "0.002", "--max-time", str(options.seconds), timeout=options.patience,
        )
        row["seconds"] += time.monotonic() - begin
        row["measured"] += len(re.findall(r"^test .* \.\.\. bench:", measured.stdout, re.MULTILINE))
        if measured.returncode != 0:
            row["failed"].append(f"{target}: measuring: exit code {measured.returncode}: {reason(measured)}")
    return row


def table(rows):
    print("| crate | harness | targets | benchmarks found | run in a test | measured | seconds | failed |")
    print("|---|---|---:|---:|---:|---:|---:|---|")
    for row in rows:
        failed = "; ".join(row["failed"]).replace("|", "\\|").replace("\n", " ") or "none"
        print(
            f"| {row['crate']} | {row['harness']} | {row['targets']} | {row['found']} | {row['tested']} | {row['measured']} "
            f"| {row['seconds']:.0f} | {failed} |"
        )
    total = {key: sum(row[key] for row in rows) for key in ("targets", "found", "tested", "measured")}
    good = sum(1 for row in rows if row["found"] and not row["failed"])
    print(f"| {len(rows)} crates, {good} without any failure | | {total['targets']} | {total['found']} | {total['tested']} | {total['measured']} | | |")
