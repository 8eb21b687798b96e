"""Every option with a value that the manuals of lld and GNU ld list: with another value, and with another file behind it."""
import pathlib, re, subprocess

from .common import Tally, side_by_side
from .outside import Shop, function, linked

# Options that change nothing that is loaded: what the linker writes about its work and where, what it keeps for the next link.
NO_EFFECT = """threads build-id y trace-symbol error-limit color-diagnostics thinlto-jobs thinlto-cache-dir thinlto-cache-policy
    time-trace-granularity compress-debug-sections hash-size max-cache-size ctf-share-types package-metadata demangle why-live
    opt-remarks-format opt-remarks-passes opt-remarks-hotness-threshold Map dependency-file out-implib print-archive-stats print-gc-sections
    print-symbol-order time-trace reproduce o output opt-remarks-filename why-extract warn-backrefs-exclude verbose plugin-opt=stats-file
    plugin-opt=time-trace plugin-opt=opt-remarks-filename save-temps""".split()
# Options that name a folder: without libraries in it, another one changes nothing. The family `outside` has folders with libraries.
FOLDER = "L library-path rpath rpath-link".split()
# Options whose value is no file: a number, a word, the name of a symbol or section, or a text that is kept in the program.
NO_FILE = """a A architecture b format e entry G gpsize h soname m u undefined require-defined assert defsym fini init oformat sort-section
    spare-dynamic-tags task-link section-start Tbss Tdata Ttext Ttext-segment Trodata-segment Tldata-segment unresolved-symbols
    version-exports-section export-dynamic-symbol wrap ignore-unresolved-symbol orphan-handling hash-style z O image-base keep-unique lto-O
    lto-CGO compress-sections shuffle-sections pack-dyn-relocs target2 power10-stubs split-stack-adjust-size randomize-section-padding mllvm
    lto-newpm-passes lto-aa-pipeline lto-partitions lto-basic-block-sections undefined-glob rsp-quoting thinlto-single-module
    bp-compression-sort bp-startup-sort call-graph-profile-sort lto android-memtag-mode exclude-libs Y sysroot f F auxiliary filter P audit
    depaudit plugin-opt unique sort-common split-by-file split-by-reloc lto-known-safe-vtables thinlto-distributor-arg
    thinlto-remote-compiler-arg thinlto-remote-compiler-prepend-arg plugin-opt=O plugin-opt=dwo_dir plugin-opt=jobs
    plugin-opt=lto-partitions plugin-opt=opt-remarks-format plugin-opt=opt-remarks-hotness-threshold plugin-opt=opt-remarks-passes
    plugin-opt=thinlto-object-suffix-replace plugin-opt=thinlto-prefix-replace plugin-opt=obj-path remap-inputs l library""".split()


def of_help(text):
    """The options with a value that a linker's help lists."""
    found = {}
    # GNU ld lists options of Windows programs behind those of ELF.
    for line in re.split(r"\n\s*(?:i386pep|pep|PE)\b[^\n]*:", text)[0].splitlines():
        if not (listed := re.match(r"\s{1,6}(-{1,2}\S.*)", line)):
            continue
        # Names and values end where two blanks begin the explanation.
        for one in re.split(r",\s+(?=-)", re.split(r"\s{2,}", listed[1])[0]):
            match = re.match(r"(-{1,2}(?:plugin-opt=[\w-]+|[\w-]+))(?:(=-?|\s|\[=|)(<[^>]+>|[A-Z][A-Z/=]*\b|\[[^\]]*\]?|file\b|glob\b|-?<value>)(.*))?$", one.strip())
            if match and match[3]:
                found[match[1].lstrip("-")] = match[1]
    return {name: spelled for name, spelled in found.items() if name not in ("", "help")}


def all_options():
    """All options, with how each is written; help texts come from the linkers themselves."""
    asked = subprocess.run(["rustc", "--print", "sysroot"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    lld = next(pathlib.Path(asked).glob("lib/rustlib/*/bin/gcc-ld/ld.lld"))
    options = {}
    for command in ([str(lld), "--help"], ["ld", "--help"]):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found = of_help(done.stdout)
        if len(found) < 40:
            raise SystemExit(f"{command}: only {len(found)} options were understood")
        options.update({name: spelled for name, spelled in found.items() if name not in options})
    return options


def spellings(name, spelled, value):
    """How an option and its value may stand on the compiler's command line."""
    dashed = spelled if len(name) > 1 else "-" + name
    joined = f"{dashed}{value}" if len(name) == 1 else f"{dashed}={value}"
    if "=" in name:
        joined = f"{dashed}{'' if spelled.endswith('O') else '='}{value}"
    yield [f"-Wl,{joined}"]
    yield ["-Xlinker", joined]
    if "=" in name:
        return
    yield [f"-Wl,{dashed},{value}"]
    yield ["-Xlinker", dashed, "-Xlinker", value]
    if len(name) > 1:
        yield [f"-Wl,{'-' if dashed.startswith('--') else '--'}{name}={value}"]


def probe(one, item):
    """The verdicts of both mutants of one option, in one way of writing."""
    number, name, spelled, way = item
    folder = one.laboratory.folder / "shops" / f"option-{number}"

    def made(side, value):
        shop = Shop(folder, side)
        for file in ("first", "second"):
            # A file that could be many a thing: symbols, a script, a list.
            shop.text(file, f"c_called = {shop.k if file == 'first' else 9};\n")
        arguments = [shop.object("called", function(3)), *list(spellings(name, spelled, str(folder / value)))[way]]
        return one.graph(arguments)

    base = made("base", "first")
    verdicts = {}
    if name not in NO_EFFECT:
        verdicts["value"] = one.laboratory.judged(base, made("base", "second"))["called"]
        if name not in NO_FILE:
            verdicts["file"] = one.laboratory.judged(base, made("mutant", "first"))["called"]
    return name, way, verdicts


def run(laboratory, options):
    one = linked(laboratory)
    tally = Tally("options")
    items = []
    for number, (name, spelled) in enumerate(sorted(all_options().items())):
        ways = len(list(spellings(name, spelled, "")))
        if name in FOLDER:
            continue
        # What names a file is written in every way, others in one way, each in its turn.
        items += [(f"{number}-{way}", name, spelled, way) for way in (range(ways) if name not in NO_FILE + NO_EFFECT else [number % ways])]
    for name, way, verdicts in side_by_side(lambda item: probe(one, item), items):
        for what, verdict in verdicts.items():
            tally.mutant(f"{name}, written in way {way}: another {what}", verdict)
    return tally
