"""What a gate says of a crate that nobody has measured before: a regex crate, its own benches, and one change at a time."""

import collections
import re
import shutil

from .crates import HOME, Failure, prepare, subcommand
from .repositories import commit, git
from .verdicts import compared, verdicts

CRATE = "fancy-regex@0.20.2"
SIGNATURE = "    pub(crate) fn parse_with_flags(re: &str, flags: u32) -> Result<ExprTree> {\n"
PARSER = r"\bparse_(lifetime_re|literal_re|misc)$"
COMPARISON = "    end <= s.len() && &s.as_bytes()[ix..end] == literal\n"
EQUAL = "core::hint::black_box(left) == core::hint::black_box(right)"
# The comparison as a function of its own, of which its callers know nothing: whatever it does, their machine code stays the same.
CALLED = f"""    #[inline(never)]
    fn are_equal(left: &[u8], right: &[u8]) -> bool {{
        {EQUAL}
    }}
    end <= s.len() && are_equal(&s.as_bytes()[ix..end], literal)
"""
# The benchmarks whose windows never call it, though it is in their code: a comparison that takes forty times as long leaves them alone.
NEVER = r"""run_tricky|run_backtrack_limit|lookbehind_alternation_wide_16|seek_backref_in_long_haystack_no_match|(calls_only|no_parens)/seek|
find_iter_wrap_explicit_group0|regexset_vs_individual_easy/\w+/8|regexset_vs_individual_mixed/regexset/8|wb_alt_no_lookbehind_64|wb_inside_lookbehind""".replace("\n", "")


def parsed_again(every):
    """A parser that does one in so many of its calls twice: the change is the same for every pattern."""
    return SIGNATURE + f"""        static CALLS: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0);
        if CALLS.fetch_add(1, core::sync::atomic::Ordering::Relaxed) % {every} == 0 {{
            let _ = core::hint::black_box(Parser::parse_once(re, flags));
        }}
        Parser::parse_once(re, flags)
    }}

""" + SIGNATURE.replace("pub(crate) fn parse_with_flags", "#[inline(never)]\n    fn parse_once")


# Of each change: a file, what is replaced there by what, benchmarks that become slower for sure, and those that may.
CHANGES = {
    "documentation": ("src/parse.rs", "impl<'a> Parser<'a> {\n", "// A comment.\nimpl<'a> Parser<'a> {\n", None, None),
    "an unrelated function": (
        "src/lib.rs", "impl Expr {\n    /// Parse the regex",
        "/// The bytes of a text that are not ASCII.\npub fn foreign_bytes(text: &str) -> usize {\n    text.bytes().filter(|byte| !byte.is_ascii()).count()\n}\n\n"
        "impl Expr {\n    /// Parse the regex", None, None,
    ),
    "+5 % in the parser": ("src/parse.rs", SIGNATURE, parsed_again(20), PARSER, r"\b(parse|compile)_"),
    "+10 % in the parser": ("src/parse.rs", SIGNATURE, parsed_again(10), PARSER, r"\b(parse|compile)_"),
    "a slower comparison": (
        "src/vm.rs", f"        {EQUAL}\n", f"        (0..8).fold(true, |all, _| all & ({EQUAL}))\n",
        r"\bno_seek_backref_in_long_haystack(_no_match)?$", rf"^(?!.*\b({NEVER})$)",
    ),
}


def repository(wanted=()):
    """A repository with the crate as it was published, but for our harness and one function, and a commit on top of it for each
    change: of all, or of those whose names contain one of these texts."""
    folder, _, _ = prepare(CRATE)
    place = HOME / "gate"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    (place / ".gitignore").write_text("target\nCargo.lock\n")
    git(place, "init", "--quiet")
    replace(place, "src/vm.rs", COMPARISON, CALLED)
    base = commit(place, "Begin")
    made = {}
    for name in [name for name in CHANGES if not wanted or any(part in name for part in wanted)]:
        git(place, "checkout", "-qf", "--detach", base)
        replace(place, *CHANGES[name][:3])
        made[name] = commit(place, name)
    return place, base, made


def replace(place, file, old, new):
    """Replaces a text that a file has once."""
    text = (place / file).read_text()
    if text.count(old) != 1:
        raise Failure(f"what is to be changed is in {file} {text.count(old)} times: {old}")
    (place / file).write_text(text.replace(old, new))


def gate(options):
    """Compares each change some times in turns; fails if anything is missed or flagged wrongly."""
    program = subcommand(options)
    place, base, made = repository(options.names)
    found = collections.defaultdict(collections.Counter)
    bad = 0
    for turn in range(options.rounds):
        for name, new in made.items():
            report, code, seconds = compared(program, place, f"{base}..{new}", "--max-time", "120s", *options.more.split(),
                                             environment={"CARGO_TARGET_DIR": str(HOME / "build-versions")})
            rows = verdicts(report)
            _, _, _, sure, perhaps = CHANGES[name]
            sentences = {case["name"]: case["rows"][-1]["sentence"] for case in report["benchmarks"] if case["rows"]}
            missed = [sentences.get(row, row) for row, verdict in rows if sure and re.search(sure, row) and verdict != "slower"]
            wrong = [sentences.get(row, row) for row, verdict in rows
                     if verdict == "faster" or verdict == "slower" and not (perhaps and re.search(perhaps, row))]
            unequal = [] if sure else [row for row, verdict in rows if verdict != "identical_code"]
            fine = not (missed or wrong or unequal) and code == (1 if sure else 0)
            bad += not fine
            found[name].update(["fine" if fine else "not fine", *(verdict for _, verdict in rows)])
            set_up = sum(bool((case["code"] or {}).get("only_set_up")) for case in report["benchmarks"])
            print(f"{turn + 1} {name}: exit code {code}, {report['measuring_seconds']:.0f} s measuring of {seconds:.0f}: "
                  f"{dict(collections.Counter(verdict for _, verdict in rows))}, {set_up} with changed set-up alone"
                  + "".join(f"; {what}: {which}" for what, which in (("missed", missed), ("wrong", wrong), ("not recognized", unequal[:5])) if which), flush=True)
    for name, counts in found.items():
        print(f"{name}: {counts.pop('fine', 0)} of {options.rounds} as they should be; {dict(counts)}")
    return 1 if bad else 0
