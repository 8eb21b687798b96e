"""Repositories with pairs of neighboring versions: published ones, or commits of somebody's history."""

import pathlib
import re
import shutil
import tomllib

from .crates import COMPATIBLE, HOME, Failure, change_line, features_of, prepare, reason, run, settle, unpacked


def git(folder, *arguments):
    """Runs git in a repository of ours, and returns what it prints."""
    done = run(["git", "-c", "user.name=lab", "-c", "user.email=lab@localhost", "-c", "advice.detachedHead=false", *arguments], folder)
    if done.returncode != 0:
        raise Failure(f"git {arguments[0]}: {reason(done)}")
    return done.stdout.strip()


def commit(folder, subject):
    """Commits everything, and returns the commit."""
    git(folder, "add", "--all", "--force", ".")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)
    return git(folder, "rev-parse", "HEAD")


def pairs_of(asked):
    """The name, folder, options of compare, and pairs of commits of `CRATE@OLD..NEW`, `FOLDER@OLD..NEW` or `FOLDER@NUMBER`."""
    source, _, wanted = asked.rpartition("@")
    if "/" in source:
        return of_history(pathlib.Path(source).resolve(), wanted)
    return of_versions(source, *wanted.split(".."))


def of_versions(crate, old, new):
    """Two published versions, with the newer one's benches in both."""
    newer, _, targets = prepare(f"{crate}@{new}")
    try:
        older, _, _ = prepare(f"{crate}@{old}")
    except Failure:
        # Its benches are for another harness: the manifest becomes the newer one below.
        older = unpacked(crate, old)
    benches_for_both(older, newer)
    place = HOME / "versions" / crate
    shutil.rmtree(place, ignore_errors=True)
    made = []
    for folder in (older, newer):
        for entry in place.iterdir() if made else ():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.copytree(folder, place, dirs_exist_ok=True)
        # What publishing adds: no repository has it, and a benchmark might read it.
        for added in (".cargo_vcs_info.json", ".cargo-ok", "Cargo.toml.orig"):
            (place / added).unlink(missing_ok=True)
        (place / ".gitignore").write_text("target\nCargo.lock\n")
        if not made:
            git(place, "init", "--quiet")
        made.append(commit(place, folder.name))
    options = [part for target in targets for part in ("--bench", target)]
    features = features_of(crate, place, targets)
    return crate, place, options + (["--features", ",".join(features)] if features else []), [(*made, f"{old}..{new}")]


def benches_for_both(older, newer):
    """Puts the newer benches beside the older library: otherwise a change of the benches would be taken for one of the crate.

    Benches that read a source file of their library as input get the newer file on both sides. The older manifest is kept
    where it has the same bench targets for the same harness, for the sake of its features and dependencies.
    """
    if not (newer / "benches").is_dir():
        raise Failure("its benches are not in a folder `benches`")
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


def of_history(source, wanted):
    """Commits of a repository, each with our package for its harness: two, or the last ones that touch sources."""
    name = source.name if source.name != "repo" else source.parent.name
    place = HOME / "versions" / name
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    cloned = run(["git", "clone", "--quiet", str(source), str(place)], None)
    if cloned.returncode:
        raise Failure(reason(cloned))
    if ".." in wanted:
        made = [(adapted(place, each), each) for each in wanted.split("..")]
    else:
        made = []
        for each in git(place, "log", "--no-merges", "--first-parent", f"-{int(wanted) + 1}", "--format=%H", "--", "*.rs").split():
            try:
                made.insert(0, (adapted(place, each), each[:10]))
            except Failure:
                # Earlier ones are of a time before their harness.
                break
        if len(made) < 2:
            raise Failure(f"{source}: the last commits have no line for criterion or divan")
    git(place, "checkout", "-qf", made[-1][0])
    return name, bench_package(place), [], [(old, new, f"{a}..{b}") for (old, a), (new, b) in zip(made, made[1:])]


def bench_package(place):
    """The folder in which `cargo bench` runs its benches: the repository, or a package with ours that its workspace excludes."""
    excluded = tomllib.loads((place / "Cargo.toml").read_text()).get("workspace", {}).get("exclude", [])
    manifests = [place / folder / "Cargo.toml" for folder in excluded]
    return next((each.parent for each in manifests if each.exists() and 'package = "plusminus-' in each.read_text()), place)


def adapted(place, revision):
    """A commit on top of a revision in which its benches are ours."""
    git(place, "checkout", "-qf", "--detach", revision)
    subject = git(place, "log", "-1", "--format=%s")
    settle(place)
    changed = 0
    for manifest in git(place, "ls-files", "*Cargo.toml").splitlines():
        for harness in COMPATIBLE:
            if text := change_line((place / manifest).read_text(), harness):
                (place / manifest).write_text(text)
                changed += 1
    root = place / "Cargo.toml"
    if not changed or not root.exists():
        raise Failure(f"{revision}: no manifest has a line for criterion or divan")
    if "workspace" not in tomllib.loads(root.read_text()):
        root.write_text(root.read_text() + "\n[workspace]\n")
    return commit(place, subject)


def remarked(place, revision):
    """A commit on top of a revision which changes no code: a comment behind that of each library."""
    git(place, "checkout", "-qf", "--detach", revision)
    for library in git(place, "ls-files", "src/lib.rs", "*/src/lib.rs").splitlines():
        with (place / library).open("a") as file:
            file.write("\n// A comment.\n")
    return commit(place, "Add a comment")
