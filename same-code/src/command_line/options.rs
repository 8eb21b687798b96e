//! The options of linkers that are understood, from the manuals of lld and GNU ld. Whatever is in none of these lists is not.

use Means::*;
use Value::*;

/// How an option of a linker is treated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Means {
    Output,
    Folder,
    RuntimeFolder,
    Library,
    /// Takes only archives for the libraries that follow, or no longer.
    Archives(bool),
    /// Links all of the archives that follow, or no longer.
    Whole(bool),
    /// Has the shared libraries that follow loaded even if nothing refers to them, or no longer.
    Always(bool),
    /// Links the objects that follow only if something refers to them, or no longer.
    Lazy(bool),
    /// Keeps what holds for inputs that follow, to come back to it.
    Push,
    /// Comes back to what was kept.
    Pop,
    /// The folder below which the system's files lie.
    Sysroot,
    /// A keyword of `-z`.
    Keyword,
    /// Makes the linker do the same on both sides if the text is the same.
    Text,
    /// Changes nothing that is loaded: what is printed, and files that are written besides.
    Nothing,
    /// Names a file that contains the linker's instructions.
    Content,
    /// Names a symbol that the linker or the loader needs.
    Symbol,
    /// Has references to one symbol mean another one.
    Exchange,
    /// A list of symbols that other programs' code can find by name.
    Exports,
    /// Names a folder, or, for GNU ld, a file with symbols.
    FolderOrSymbols,
}

/// Where the value of an option stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    /// Nowhere: it has none.
    Absent,
    /// Behind `=`, or as the next argument.
    Needed,
    /// Behind `=`, if there is one.
    Joined,
}

const LONG: &[(Means, Value, &str)] = &[
    (Output, Needed, "output"),
    (Folder, Needed, "library-path"),
    (RuntimeFolder, Needed, "rpath rpath-link"),
    (Library, Needed, "library"),
    (Archives(true), Absent, "Bstatic dn non_shared static"),
    (Archives(false), Absent, "Bdynamic dy call_shared"),
    (Whole(true), Absent, "whole-archive"),
    (Whole(false), Absent, "no-whole-archive"),
    (Always(false), Absent, "as-needed"),
    (Always(true), Absent, "no-as-needed"),
    (Lazy(true), Absent, "start-lib"),
    (Lazy(false), Absent, "end-lib"),
    (Push, Absent, "push-state"),
    (Pop, Absent, "pop-state"),
    (Sysroot, Needed, "sysroot"),
    (
        Content,
        Needed,
        "version-script retain-symbols-file symbol-ordering-file call-graph-ordering-file section-ordering-file \
         irpgo-profile dynamic-linker",
    ),
    (Symbol, Needed, "undefined require-defined entry init fini export-dynamic-symbol"),
    (Exchange, Needed, "wrap defsym"),
    (Exports, Needed, "dynamic-list export-dynamic-symbol-list"),
    (
        Exports,
        Absent,
        "export-dynamic dynamic-list-data dynamic-list-cpp-new dynamic-list-cpp-typeinfo gc-keep-exported",
    ),
    (
        Text,
        Absent,
        "start-group end-group allow-shlib-undefined no-allow-shlib-undefined apply-dynamic-relocs \
         no-apply-dynamic-relocs be8 Bno-symbolic Bsymbolic Bsymbolic-functions Bsymbolic-non-weak \
         Bsymbolic-non-weak-functions Bshareable shared branch-to-branch no-branch-to-branch check-sections \
         no-check-sections no-define-common disable-new-dtags enable-new-dtags discard-all discard-locals \
         discard-none EB EL eh-frame-hdr no-eh-frame-hdr emit-relocs execute-only no-execute-only \
         fix-cortex-a53-843419 fix-cortex-a8 fortran-common no-fortran-common gc-sections no-gc-sections \
         gnu-unique no-gnu-unique ignore-data-address-equality ignore-function-address-equality \
         merge-exidx-entries no-merge-exidx-entries optimize-bb-jumps no-optimize-bb-jumps pcrel-optimize \
         no-pcrel-optimize pic-executable pie no-pie pic-veneer relax no-relax relax-gp no-relax-gp rosegment \
         no-rosegment xosegment no-xosegment strip-all strip-discarded no-strip-discarded target1-abs \
         target1-rel toc-optimize no-toc-optimize undefined-version no-undefined-version use-android-relr-tags \
         no-use-android-relr-tags no-dynamic-linker no-omagic no-nmagic no-undefined no-export-dynamic nostdlib \
         no-dependent-libraries no-fat-lto-objects no-allow-multiple-definition no-copy-dt-needed-entries \
         copy-dt-needed-entries ld-generated-unwind-info no-ld-generated-unwind-info \
         no-lto-whole-program-visibility android-memtag-heap android-memtag-stack \
         bp-compression-sort-startup-functions",
    ),
    (
        Text,
        Needed,
        "soname hash-style icf image-base keep-unique section-start sort-section Ttext Tdata Tbss Ttext-segment \
         Trodata-segment Tldata-segment unresolved-symbols exclude-libs target2 shuffle-sections \
         randomize-section-padding orphan-handling pack-dyn-relocs call-graph-profile-sort \
         bp-startup-sort bp-compression-sort split-stack-adjust-size ignore-unresolved-symbol spare-dynamic-tags \
         android-memtag-mode mllvm",
    ),
    (Text, Joined, "sort-common power10-stubs"),
    (
        Nothing,
        Absent,
        "no-demangle trace print-map cref stats no-color-diagnostics fatal-warnings no-fatal-warnings no-warnings \
         no-warn-mismatch no-warn-search-mismatch warn-common no-warn-common warn-constructors warn-execstack \
         no-warn-execstack warn-rwx-segments no-warn-rwx-segments warn-multiple-gp warn-once warn-section-align \
         warn-textrel warn-alternate-em warn-backrefs no-warn-backrefs warn-ifunc-textrel no-warn-ifunc-textrel \
         warn-symbol-ordering no-warn-symbol-ordering warn-unresolved-symbols error-unresolved-symbols \
         mmap-output-file no-mmap-output-file print-icf-sections no-print-icf-sections no-print-gc-sections \
         print-memory-usage print-map-discarded no-print-map-discarded no-keep-memory reduce-memory-overheads \
         vs-diagnostics verbose-bp-section-orderer gdb-index no-gdb-index debug-names no-debug-names \
         opt-remarks-with-hotness no-threads ctf-variables no-ctf-variables strip-debug",
    ),
    (
        Nothing,
        Needed,
        "Map dependency-file error-limit trace-symbol print-archive-stats print-symbol-order reproduce \
         why-extract why-live time-trace-granularity warn-backrefs-exclude max-cache-size hash-size \
         compress-debug-sections thinlto-jobs thinlto-cache-dir thinlto-cache-policy opt-remarks-filename \
         opt-remarks-format opt-remarks-passes opt-remarks-hotness-threshold ctf-share-types",
    ),
    (
        Nothing,
        Joined,
        "build-id threads demangle verbose color-diagnostics print-gc-sections time-trace save-temps package-metadata",
    ),
];

/// Options of one letter that a value follows, joined or as the next argument.
const SHORT: &[(Means, &str)] = &[
    (Output, "o"),
    (Folder, "L"),
    (Library, "l"),
    (Symbol, "eu"),
    (Keyword, "z"),
    (Text, "mAGhO"),
    (Content, "I"),
    (Nothing, "y"),
    (FolderOrSymbols, "R"),
];

/// Options of one letter without a value.
const FLAGS: &[(Means, &str)] = &[(Text, "()qsxX"), (Exports, "E"), (Nothing, "StvVMwg")];

/// Keywords of `-z` that are understood. With `muldefs`, the first of several definitions counts.
const KEYWORDS: &str = "combreloc common copyreloc defs dynamic-undefined-weak execstack execstack-if-needed force-bti force-ibt \
         gcs global globalaudit gnustack hazardplt ibt ibtplt ifunc-noplt indirect-extern-access initfirst \
         interpose keep-data-section-prefix keep-text-section-prefix lam-u48 lam-u57 lazy loadfltr mark-plt \
         nocombreloc nocommon nocopyreloc nodefaultlib nodelete nodlopen nodump nodynamic-undefined-weak \
         noexecstack noextern-protected-data nognustack noindirect-extern-access nokeep-data-section-prefix \
         nokeep-text-section-prefix nomark-plt nopack-relative-relocs norelro noseparate-code nosectionheader \
         nostart-stop-gc notext nounique nounique-symbol now origin pac-plt pack-relative-relocs rel rela relro \
         report-relative-reloc retpolineplt rodynamic separate-code separate-loadable-segments shstk \
         start-stop-gc text textoff undefs unique unique-symbol wxneeded x86-64-baseline x86-64-v2 x86-64-v3 \
         x86-64-v4";

/// The same with a value.
const KEYWORDS_WITH_VALUE: &str = "bti-report call-nop cet-report common-page-size gcs-report gcs-report-dynamic lam-report lam-u48-report \
         lam-u57-report max-page-size pauth-report stack-size start-stop-visibility zicfilp-unlabeled-report";

fn is_one(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|one| one == name)
}

pub(super) fn is_known_keyword(keyword: &str) -> bool {
    match keyword.split_once('=') {
        Some((name, _)) => is_one(KEYWORDS_WITH_VALUE, name),
        None => is_one(KEYWORDS, keyword),
    }
}

/// Finds how an option is treated, with its value if that is joined; whether the value is the next argument.
pub(super) fn found(argument: &str) -> Option<(Means, Option<&str>, bool)> {
    let (body, is_double) = match argument.strip_prefix("--") {
        Some(body) => (body, true),
        None => (argument.strip_prefix('-')?, false),
    };
    // With one dash, `-omagic` is `-o magic`.
    if is_double || !body.starts_with('o') {
        let (name, value) =
            body.split_once('=').map_or((body, None), |(name, value)| (name, Some(value)));
        let long = LONG.iter().find(|(_, _, names)| is_one(names, name));
        match (long, value) {
            (Some((means, Needed, _)), None) => return Some((*means, None, true)),
            (Some((means, Needed | Joined, _)), Some(value)) => {
                return Some((*means, Some(value), false));
            }
            (Some((means, Absent | Joined, _)), None) => return Some((*means, None, false)),
            _ => {}
        }
    }
    let first = body.chars().next().filter(|_| !is_double)?;
    let rest = &body[first.len_utf8()..];
    if rest.is_empty()
        && let Some((means, _)) = FLAGS.iter().find(|(_, letters)| letters.contains(first))
    {
        return Some((*means, None, false));
    }
    // lld, which has more long options than stand here, takes them with one dash as well.
    let is_long = match first {
        'u' | 'e' | 'h' | 'm' | 'y' => rest.contains(['-', '=']),
        'l' => rest.starts_with("to-") || rest.starts_with("oad-"),
        // Whether the level is the next argument depends on the linker.
        'O' => rest.is_empty(),
        _ => false,
    };
    let (means, _) = SHORT.iter().find(|(_, letters)| letters.contains(first) && !is_long)?;
    Some(if rest.is_empty() { (*means, None, true) } else { (*means, Some(rest), false) })
}
