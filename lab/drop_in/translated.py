"""What `cargo plusminus migrate` translates, whether that compiles, and whether its times are those from before."""

import shutil
import statistics

from .crates import HOME, ROOT, Failure, build, names, prepare, run, subcommand
from .times import beside_each_other


def migrate(crates, options):
    """The share of benchmarks that are translated, and the times of translations beside those of the drop-in."""
    program = subcommand(options)
    found, moved, ratios, broken = 0, 0, [], []
    for crate in crates:
        try:
            folder, _, targets = prepare(crate)
        except Failure as failure:
            print(f"{crate}: {failure}", flush=True)
            continue
        copy = HOME / "crates" / f"{folder.name}-migrated"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        command = [program, "plusminus", "migrate", "--write", "--allow-dirty"]
        done = run([*command, "--harness", str(ROOT / "harness"), "--manifest-path", str(copy / "Cargo.toml")], copy)
        print(f"{folder.name}:\n{done.stdout}{done.stderr}", end="", flush=True)
        translated = [target for target in targets if f"/{target}.rs: translated" in done.stdout or f"/{target}/main.rs: translated" in done.stdout]
        programs, failed = build(crate, folder, targets, options.jobs)
        after, lost = build(crate, copy, [target for target in translated if target in programs], options.jobs)
        broken += [f"{folder.name} {target}: {why}" for target, why in lost.items()]
        for target, before_it in programs.items():
            try:
                before = names(before_it, folder)
            except Failure as failure:
                print(f"{folder.name} {target}: {failure}", flush=True)
                continue
            found += len(before)
            if target not in after:
                continue
            own = {name: name.partition("::")[2] if name.partition("::")[2] in before else name for name in names(after[target], copy)}
            same = [name for name in own.values() if name in before]
            moved += len(same)
            missing = [name for name in before if name not in same]
            print(f"{folder.name} {target}: {len(same)} of {len(before)} by the same names{', without ' + str(missing[:3]) if missing else ''}", flush=True)
            if options.seconds:
                ratios += beside_each_other(before_it, folder, after[target], copy, own, options)
    print(f"{moved} of {found} benchmarks translated; translations that do not compile: {broken or 'none'}")
    if ratios:
        near = sum(1 for _, ratio, meet in ratios if meet)
        print(f"times of {len(ratios)}: median ratio {statistics.median(ratio for _, ratio, _ in ratios):.3f}, intervals meet in {near}")
    return 1 if broken else 0
