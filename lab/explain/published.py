"""Edits of published crates under the drop-in for criterion: a function that does more, and often another one that changes
without taking longer."""

import re

from drop_in import crates

MORE = " for more in 0..{turns}_u32 {{ core::hint::black_box(more); }}"
HARMLESS = " core::hint::black_box(1_u8);"


class Crate:
    """A published crate: its version, the bench target, and the file whose functions are edited."""

    def __init__(self, crate, target, file="src/lib.rs"):
        self.crate, self.target, self.file = crate, target, file

    def prepared(self):
        """Its folder as it was published, but for the line about the harness and targets that are not asked for."""
        folder, _, targets = crates.prepare(self.crate)
        assert self.target in targets, (self.crate, targets)
        return folder


def inside(begin, text, file=None):
    """An edit that puts a text where the body of the function begins whose head begins so."""
    def edit(source):
        assert begin in source, begin
        body = re.compile(r"\{\n").search(source, source.index(begin)).start() + 1
        return source[:body] + text + source[body:]
    edit.file = file
    return edit


def more(begin, turns=200, file=None):
    return inside(begin, MORE.format(turns=turns), file)


def harmless(begin, file=None):
    return inside(begin, HARMLESS, file)


SEMVER = Crate("semver@1.0.28", "parse", "src/parse.rs")
ITOA = Crate("itoa@1.0.18", "bench")
HEX = Crate("hex@0.4.3", "hex")
HTTPARSE = Crate("httparse@1.10.1", "parse")
SMOL = Crate("smol_str@0.3.7", "bench")
NEW, IDENTIFIER = "unsafe fn new_unchecked(string", "src/identifier.rs"

# The crate, the benchmark, the culprit's part, the rest of the edit, and texts of which the culprit's name has one: the function, or
# one into which the compiler puts it.
EDITS = [
    (SEMVER, "parse Version", [more("fn numeric_identifier(")], [harmless("fn drop(&mut self)", IDENTIFIER)], ["numeric_identifier", "from_str"]),
    (SEMVER, "parse Version", [more(NEW, file=IDENTIFIER)], [harmless("fn numeric_identifier(")], ["new_unchecked", "_identifier", "from_str"]),
    (SEMVER, "parse Version", [more("fn drop(&mut self)", file=IDENTIFIER)], [harmless("fn identifier(")], ["Identifier", "drop"]),
    (SEMVER, "parse Version", [more("fn identifier(input")], [harmless("fn drop(&mut self)", IDENTIFIER)], ["identifier"]),
    (SEMVER, "parse Prerelease", [more("fn prerelease_identifier(")], [harmless("fn drop(&mut self)", IDENTIFIER)], ["prerelease_identifier", "from_str"]),
    (SEMVER, "parse VersionReq", [more("fn comparator(input")], [harmless("fn wildcard(")], ["comparator", "version_req"]),
    (SEMVER, "parse VersionReq", [more("fn op(input")], [harmless("fn numeric_identifier(")], ["op", "comparator", "version_req"]),
    (SEMVER, "parse VersionReq", [more("fn version_req(input")], [harmless("fn numeric_identifier(")], ["version_req", "from_str"]),
    (ITOA, "u64[max]/itoa", [more("fn fmt(self, buf: &mut Self::Buffer) -> usize {")], [], ["fmt", "write"]),
    (ITOA, "u64[max]/itoa", [more("fn fmt(self, buf: &mut Self::Buffer) -> usize {")], [harmless("pub fn format<I")], ["fmt", "write", "format"]),
    (ITOA, "u128[max]/itoa", [more("fn div_rem_1e16(")], [harmless("fn enc_16lsd<")], ["div_rem_1e16", "fmt"]),
    (ITOA, "u128[max]/itoa", [more("fn enc_16lsd<")], [harmless("fn div_rem_1e16(")], ["enc_16lsd", "fmt"]),
    (HEX, "hex_decode", [more("fn val(", 20)], [harmless("fn next(&mut self)")], ["val", "from_hex", "decode", "iter", "closure"]),
    (HEX, "hex_encode", [more("fn next(&mut self)", 20)], [harmless("fn val(")], ["next", "encode", "from_iter", "extend", "closure"]),
    (HTTPARSE, "req/req", [more("pub fn parse_uri<'a>(")], [harmless("fn parse_headers_iter_uninit<'a>(")], ["parse_uri", "parse_with_config"]),
    (HTTPARSE, "req/req", [more("pub fn parse_version(")], [harmless("fn detect_runtime_feature()", "src/simd/runtime.rs")], ["parse_version", "parse_with_config"]),
    (HTTPARSE, "req/req", [more("fn parse_headers_iter_uninit<'a>(")], [harmless("pub fn parse_version(")], ["parse_headers_iter_uninit"]),
    (HTTPARSE, "resp/resp", [more("pub fn match_header_value_vectored(", 20, "src/simd/runtime.rs")], [harmless("fn parse_code(")], ["match_header_value", "parse_headers_iter_uninit"]),
    (SMOL, "SmolStr::from len=50", [more("fn new(text: &str) -> Self")], [], ["new", "from"]),
    (SMOL, "replace_smolstr len=50", [more("fn replacen_smolstr(&self, from: &str, to: &str, mut count")], [harmless("pub fn push_str(&mut self")], ["replace"]),
    (SMOL, "format_smolstr! len=50", [more("pub fn push_str(&mut self")], [harmless("fn replacen_smolstr(&self, from: &str, to: &str, mut count")], ["push_str", "write_str", "Builder"]),
    (SMOL, "to_lowercase_smolstr len=50", [more("fn to_lowercase_smolstr(&self) -> SmolStr {")], [harmless("pub fn push(&mut self")], ["to_lowercase_smolstr"]),
]
