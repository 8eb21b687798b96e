"""Files of the repository that a benchmark reads while it runs, changed one by one."""
import json, os, shutil, subprocess, sys

from .common import HOME, Tally, benches

READ = """data/words.txt data/authors.csv data/AUTHORS.json .data/words.txt data/licenses.json data/license-list.tsv data/LICENSE.bin data/notices.csv
    data/NOTICE.dat data/readme_corpus.csv data/README.json data/copying.toml data/copyright.xml authors.csv licenses.json benches/.input/words.txt .fixtures/a.bin
    tests/.cache/large.json data/.hidden .corpus data/config.toml data/a.yml config.toml Makefile.in data/input.lock data/noextension data/two.words.gz
    data/Ünïcode.txt data/with-blank-in.txt authors/list.txt README/list.csv license/texts.csv data/words.TXT data/read.me readme.bin""".split()
# Nothing of these is read by a benchmark: documents, what editors and servers read, and comments.
NOT_READ = ["README.md", "LICENSE-MIT", "LICENSE", "COPYING", "AUTHORS", "NOTICE", "docs/guide.md", ".github/workflows/ci.yml", ".gitignore", "rustfmt.toml", "CHANGELOG.md"]
KINDS = ["changed", "longer", "gone", "new"]


def run(laboratory, options):
    tally = Tally("files")
    folder = laboratory.folder / "files"
    body = " + ".join(f'std::fs::read("{name}").map_or(0, |all| all.len() as u64)' for name in READ)
    manifest = ('[package]\nname = "files"\nversion = "0.1.0"\nedition = "2024"\n[workspace]\n[lib]\nbench = false\n'
                f'[dev-dependencies]\nplusminus = {{ path = "{HOME}/harness" }}\n[[bench]]\nname = "speed"\nharness = false\n')
    texts = {"Cargo.toml": manifest, "benches/speed.rs": benches("files", ["reads"]), ".gitignore": "target\nCargo.lock\n",
             "src/lib.rs": f"pub fn reads(x: u64) -> u64 {{ {body} + x }}\n"}
    texts.update({name: f"first text of {name}\n" for name in [*READ, *NOT_READ] if name not in texts})
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def git(*arguments):
        own = ["-c", "user.name=lab", "-c", "user.email=lab@example.org", "-c", "core.excludesFile="]
        subprocess.run(["git", *own, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)

    def verdict():
        command = [laboratory.program, "plusminus", "compare", "HEAD", "--measure", "none", "--format", "json", "--quiet"]
        environment = {**os.environ, "CARGO_TARGET_DIR": str(laboratory.folder / "files-target")}
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        if done.returncode not in (0, 1):
            sys.exit(f"compare ends with {done.returncode}: {done.stderr}")
        code = json.loads(done.stdout)["benchmarks"][0]["code"]
        return code["verdict"], code["reason"]

    git("init", "-q")
    git("add", "-f", *(name for name in texts))
    git("commit", "-qm", "first")
    for number, name in enumerate(READ):
        # Each file is changed in one way, in its turn; a name that begins like a document is the same to each of them.
        kind = KINDS[number % 3]
        path = folder / name
        if kind == "gone":
            path.unlink()
        else:
            path.write_text(("other" if kind == "changed" else "first") + f" text of {name}\n" + ("more\n" if kind == "longer" else ""))
        tally.mutant(f"{name} {kind}", verdict())
        path.write_text(texts[name])
    for name in ("data/authors-new.csv", ".data/new.txt", "licenses/new.json"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("new")
        tally.mutant(f"{name} new", verdict())
        path.unlink()
    tally.same("nothing", verdict())
    for name in NOT_READ:
        if name != ".gitignore":
            (folder / name).write_text(f"another text of {name}\n" if not name.endswith("toml") else "max_width = 99\n")
            tally.same(name, verdict())
    (folder / "src/lib.rs").write_text("// A comment.\n" + texts["src/lib.rs"])
    tally.same("comment", verdict())
    return tally
