"""The table of verdicts between neighboring versions of crates, and of what they took."""

import collections
import json
import pathlib

from .crates import HOME, Failure, subcommand
from .repositories import pairs_of, remarked
from .verdicts import Noise, compared, verdicts

DECIDED = ("slower", "faster", "within_margin")


def versions(asked, options):
    """Compares each pair, and prints a line for each and one for all; goes on where the file of results ends."""
    program = subcommand(options)
    kept = pathlib.Path(options.json) if options.json else None
    rows = json.loads(kept.read_text()) if kept and kept.exists() else []
    print("| crate | pair | exit code | rows | identical | measured | slower | faster | within | inconclusive | others | seconds in all | measuring | a row |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(line(row), flush=True)
    for one in asked:
        try:
            name, place, more, pairs = pairs_of(one)
            if options.unchanged:
                pairs = [(new, remarked(place, new), "a comment") for _, new, _ in pairs[-1:]]
        except Failure as failure:
            print(f"{one}: {failure}", flush=True)
            continue
        for old, new, pair in pairs:
            if any((row["crate"], row["pair"]) == (name, pair) for row in rows):
                continue
            try:
                rows.append({"crate": name, "pair": pair, **row_of(program, place, [f"{old}..{new}", *more], options)})
            except Failure as failure:
                print(f"{name} {pair}: {failure}", flush=True)
                continue
            print(line(rows[-1]), flush=True)
            if kept:
                kept.write_text(json.dumps(rows, indent=1))
    print(line(total(rows)))
    return 0


def row_of(program, place, arguments, options):
    """The verdicts of one comparison, counted."""
    measure = "all" if options.unchanged else options.measure
    arguments += ["--measure", measure, *options.more.split()]
    with Noise(options.noise):
        # Dependencies are built once for all crates.
        report, code, seconds = compared(program, place, *arguments, environment={"CARGO_TARGET_DIR": str(HOME / "build-versions")})
    found = verdicts(report, everything=measure == "all")
    for name, verdict in found:
        if options.unchanged and verdict in ("slower", "faster"):
            print(f"WRONG: {name}: {verdict}", flush=True)
    return {"code": code, "seconds": seconds, "measuring": report["measuring_seconds"], "counts": collections.Counter(verdict for _, verdict in found)}


def total(rows):
    """The sums of all lines."""
    counts = sum((collections.Counter(row["counts"]) for row in rows), collections.Counter())
    sums = {key: sum(row[key] for row in rows) for key in ("seconds", "measuring")}
    return {"crate": f"{len({row['crate'] for row in rows})} crates", "pair": len(rows), "code": "", "counts": counts, **sums}


def line(row):
    """A line of the table. Rows that were to be measured are those of another code, or all."""
    counts = collections.Counter(row["counts"])
    measured = sum(counts[verdict] for verdict in (*DECIDED, "inconclusive"))
    others = {verdict: number for verdict, number in counts.items() if verdict not in (*DECIDED, "inconclusive", "identical_code")}
    each = f"{row['measuring'] / measured:.2f}" if measured else ""
    cells = [row["crate"], row["pair"], row["code"], counts.total(), counts["identical_code"], measured, *(counts[one] for one in (*DECIDED, "inconclusive")),
             ", ".join(f"{number} {verdict}" for verdict, number in others.items()), f"{row['seconds']:.0f}", f"{row['measuring']:.0f}", each]
    return "| " + " | ".join(map(str, cells)) + " |"
