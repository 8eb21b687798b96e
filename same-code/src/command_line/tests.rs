//! Command lines as rustc and build scripts make them, every option of two manuals that names a file or a symbol, and
//! libraries that C compilers make.

use std::{fs, path::Path, process::Command};

use super::{libraries::Given, *};

fn strings(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn of(text: &str) -> CommandLine {
    read(&expanded(&strings(text)).unwrap())
}

fn paths(line: &CommandLine) -> Vec<String> {
    let name = |named: &Named| match named {
        Named::Path(path) => path.display().to_string(),
        Named::Library(name) => format!("-l{name}"),
    };
    line.inputs.iter().map(|(named, _)| name(named)).collect()
}

#[test]
fn a_command_line_is_taken_apart() {
    let line = of(
        "-m64 /tmp/rustcAb1234/symbols.o a.o -Wl,--as-needed -Wl,-Bstatic libx.rlib -lown \
                   -Wl,-Bdynamic -lc -L /tmp/rustcAb1234/raw -o out -Wl,--soname=/tmp/rustcAb1234/list libshared.so.2",
    );
    assert_eq!(line.output, Some("out".into()));
    assert_eq!(
        paths(&line),
        ["/tmp/rustcAb1234/symbols.o", "a.o", "libx.rlib", "-lown", "-lc", "libshared.so.2"]
    );
    let archives: Vec<bool> = line.inputs.iter().map(|(_, state)| state.archives).collect();
    assert_eq!(archives, [false, false, true, true, false, false]);
    assert_eq!(line.options, ["-m64", "--soname=/tmp/rustc/list"]);
    assert_eq!(line.trouble, None);
}

#[test]
fn long_command_lines_come_in_a_file_that_may_name_another() {
    let folder = tempfile::tempdir().unwrap();
    let (file, inner) = (folder.path().join("arguments"), folder.path().join("inner"));
    fs::write(&inner, "'-lwith blank' c.o").unwrap();
    fs::write(&file, format!("-o\na\\ folder/out\n\"b\\\\c.o\"\n@{}\n", inner.display())).unwrap();
    let line = of(&format!("@{}", file.display()));
    assert_eq!(line.output, Some("a folder/out".into()));
    assert_eq!(paths(&line), ["b\\c.o", "-lwith blank", "c.o"]);
    // The same option after the compiler's prefix.
    let line = of(&format!("a.o -Wl,@{} -Wl,-z,now", inner.display()));
    assert_eq!(paths(&line), ["a.o", "-lwith blank", "c.o"]);
    fs::write(&inner, format!("@{}", inner.display())).unwrap();
    assert!(expanded(&[format!("@{}", inner.display())]).is_err());
}

/// Command lines that rustc 1.95 gives to compilers and linkers for its profiles, targets and code options.
#[test]
fn what_rustc_itself_tells_every_linker_is_understood() {
    let common = "-m64 /tmp/rustcAb1234/symbols.o a.rcgu.o -Wl,--as-needed -Wl,-Bstatic libstd.rlib -Wl,-Bdynamic -lgcc_s -lc \
                  -L /tmp/rustcAb1234/raw-dylibs -B/tools/gcc-ld -fuse-ld=lld -Wl,--eh-frame-hdr -Wl,-z,noexecstack -L /lib -o a \
                  -Wl,-z,relro,-z,now -nodefaultlibs";
    for more in [
        "-Wl,--gc-sections -pie",
        "-Wl,--gc-sections -pie -Wl,-O1",
        "-Wl,-O1 -Wl,--strip-all -no-pie",
        "-Wl,--strip-debug -static-pie",
        "-u __llvm_profile_runtime -pie",
        "-Wl,-rpath,$ORIGIN/../lib,--enable-new-dtags,-z,origin",
        "-Wl,--whole-archive -lown -Wl,--no-whole-archive",
        "-Wl,--start-group -lown -lother -Wl,--end-group",
        "-Wl,--no-as-needed -lown -Wl,--push-state -Wl,--pop-state",
        "-nostartfiles -static -Wl,--build-id=sha1 -Wl,--emit-relocs",
        "-Wl,--shuffle-sections=.text*=7 -Wl,--threads=1 -Wl,--Map=a.map -Wl,--compress-debug-sections=zlib",
        "--target=aarch64-unknown-linux-gnu --sysroot=/cross -fno-lto -flto -march=native -O3 -g -Wall",
        "-Xlinker -z -Xlinker lazy -Xlinker -l -Xlinker m",
    ] {
        assert_eq!(of(&format!("{common} {more}")).trouble, None, "{more}");
    }
    let direct = "-flavor gnu symbols.o --as-needed -Bstatic libstd.rlib -Bdynamic -lgcc_s -lc -L raw --eh-frame-hdr \
                  -z noexecstack -L /lib -o a --gc-sections -pie -z relro -z now -O1 -static --no-dynamic-linker";
    let line = of(direct);
    assert_eq!(line.trouble, None);
    assert_eq!(paths(&line), ["symbols.o", "libstd.rlib", "-lgcc_s", "-lc"]);
    assert!(line.options.contains(&"-z relro".to_owned()));
    // It follows from the level of debug information, of which nothing is loaded.
    for strip in ["--strip-debug", "-S"] {
        assert_eq!(of(&format!("{direct} {strip}")).options, line.options);
    }
    assert_ne!(of(&format!("{direct} --strip-all")).options, line.options);
}

/// How an option that names a file or a symbol has to be treated.
#[derive(Clone, Copy)]
enum Treated {
    /// The text is compared, or there is no effect.
    Known,
    /// The name stands for an input.
    Input,
    /// The symbol has to be the same before any benchmark is.
    Root,
    /// The program is unknown, and the option is reported.
    Unknown,
}

use Treated::*;

/// All of lld's and GNU ld's manual that name a file, a folder, a section or a symbol: `FILE`, `SYM` and `DIR` stand for them.
const NAMING: &[(Treated, &str)] = &[
    (Input, "-lFILE|-l FILE|--library=FILE|--library FILE|-l:FILE|-library=FILE|FILE"),
    (
        Known,
        "-LDIR|-L DIR|--library-path=DIR|--library-path DIR|-rpath DIR|-rpath=DIR|--rpath-link=DIR|-o FILE|-oFILE|--output=FILE|\
         --output FILE|--sysroot=DIR|-soname FILE|-soname=FILE|-h FILE|-hFILE|-m elf_x86_64|--version-script=FILE|\
         --version-script FILE|--retain-symbols-file=FILE|--symbol-ordering-file=FILE|--call-graph-ordering-file=FILE|\
         --irpgo-profile=FILE|--section-ordering-file=FILE|-dynamic-linker FILE|--dynamic-linker=FILE|-IFILE|-I FILE|\
         --exclude-libs=FILE|--keep-unique=SYM|-Map FILE|-Map=FILE|--dependency-file=FILE|--print-archive-stats=FILE|\
         --print-symbol-order=FILE|--reproduce=FILE|--why-extract=FILE|--why-live=SYM|--time-trace=FILE|--print-gc-sections=FILE|\
         -y SYM|-ySYM|--trace-symbol=SYM|--trace-symbol SYM|--warn-backrefs-exclude=FILE|--opt-remarks-filename FILE|\
         --section-start SYM=0x1000|--section-start=SYM=0x1000|-Ttext=0x1|-Tdata 0x1|-Tbss=0x1|-Ttext-segment=0x1|-Trodata-segment=0x1|\
         -Tldata-segment=0x1|--ignore-unresolved-symbol SYM|--shuffle-sections=SYM=1|--thinlto-cache-dir=DIR|\
         --thinlto-cache-policy=SYM|--split-stack-adjust-size=1|--image-base=0x1",
    ),
    (
        Root,
        "-u SYM|-uSYM|--undefined=SYM|--undefined SYM|--require-defined=SYM|-e SYM|-eSYM|--entry=SYM|--entry SYM|-init SYM|-init=SYM|\
         -fini SYM|--init=SYM|--fini=SYM|--export-dynamic-symbol=SYM|--export-dynamic-symbol SYM",
    ),
    (
        Unknown,
        "--defsym=SYM=OTHER|--defsym SYM=OTHER|-defsym=SYM=OTHER|--wrap=SYM|--wrap SYM|-wrap=SYM|-R FILE|-RFILE|--just-symbols=FILE|\
         --just-symbols FILE|-T FILE|-TFILE|--script=FILE|--script FILE|--default-script=FILE|-dT FILE|-c FILE|--mri-script FILE|\
         -b FILE|--format=binary|--oformat=binary|--dynamic-list=FILE|--dynamic-list FILE|--export-dynamic-symbol-list=FILE|\
         --export-dynamic-symbol=S*|--export-dynamic|-E|--dynamic-list-data|--dynamic-list-cpp-new|--dynamic-list-cpp-typeinfo|\
         --undefined-glob=S*|--undefined=S*|-f FILE|-fFILE|--auxiliary=FILE|-F FILE|-FFILE|--filter=FILE|-plugin FILE|--plugin=FILE|\
         -plugin-opt=FILE|--plugin-opt=FILE|--load-pass-plugin=FILE|--remap-inputs=a=FILE|--remap-inputs-file=FILE|--in-implib=FILE|\
         --out-implib=FILE|--cmse-implib|--lto-sample-profile=FILE|--lto-cs-profile-file=FILE|--lto-known-safe-vtables=SYM|\
         --thinlto-index-only=FILE|--thinlto-distributor=FILE|--thinlto-remote-compiler=FILE|--thinlto-single-module=FILE|\
         --error-handling-script=FILE|--task-link=SYM|--version-exports-section=SYM|--unique=SYM|-Y DIR|-undefined-glob=S*|\
         -error-handling-script=FILE|-load-pass-plugin=FILE|-lto-sample-profile=FILE|-O FILE|--fat-lto-objects|\
         --allow-multiple-definition|-z muldefs|-r|--relocatable|-i|-Ur|--split-by-file=1|--base_file FILE|--output-def FILE|\
         --thumb-entry=SYM|--nobody-knows|--nobody-knows=FILE|-z nobody-knows",
    ),
];

#[test]
fn every_option_that_names_a_file_or_a_symbol_is_understood_or_named() {
    for (treated, options) in NAMING {
        for option in options.split('|') {
            let words = strings(option);
            let behind = |word: &String| ["-Xlinker".to_owned(), word.clone()];
            let ways = [
                vec![format!("-Wl,{}", words.join(","))],
                [vec!["-Wl,-O1".to_owned()], words.iter().flat_map(behind).collect()].concat(),
                words.clone(),
            ];
            for way in ways {
                let line = read(&[vec!["a.o".to_owned()], way].concat());
                match treated {
                    Unknown => {
                        let why = line.trouble.unwrap_or_else(|| panic!("{option} is not named"));
                        assert!(
                            why.contains(words[0].split('=').next().unwrap()),
                            "{option}: {why}"
                        );
                        continue;
                    }
                    Input => {
                        assert_eq!(paths(&line).len(), 2, "{option}");
                        assert!(paths(&line)[1].ends_with("FILE"), "{option}");
                    }
                    Root => assert!(line.symbols.contains("SYM"), "{option}"),
                    Known => assert_eq!(paths(&line), ["a.o"], "{option}"),
                }
                assert_eq!(line.trouble, None, "{option}");
            }
        }
    }
}

#[test]
fn options_of_compilers_that_are_not_understood_are_named() {
    for option in [
        "-specs=x",
        "-x",
        "-fplugin=x",
        "-wrapper",
        "-fno-use-linker-plugin",
        "-r",
        "-nobody-knows",
    ] {
        let why = of(&format!("-Wl,-O1 {option} a.o")).trouble;
        assert!(why.is_some_and(|why| why.contains(option)), "{option}");
    }
    let why = of("-Wl,-O1 -rdynamic").trouble.unwrap();
    assert!(why.contains("--export-dynamic"), "{why}");
    assert!(of("-flavor darwin a.o").trouble.is_some());
}

#[test]
fn the_plugin_makes_code_unless_lld_links() {
    for (text, plugin) in [
        ("-Wl,-O1 -fuse-ld=lld", false),
        ("-Wl,-O1 -fuse-ld=lld -flto", true),
        ("-Wl,-O1 -fuse-ld=mold", true),
        ("-Wl,-O1", true),
        ("-flavor gnu a.o", false),
    ] {
        assert_eq!(of(text).plugin, plugin, "{text}");
    }
}

#[test]
fn the_content_of_a_list_counts_and_not_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let options = |name: &str, content: &str| {
        let file = folder.path().join(name);
        fs::write(&file, content).unwrap();
        of(&format!("-Wl,--version-script={}", file.display())).options
    };
    assert_eq!(options("one", "{};"), options("two", "{};"));
    assert_ne!(options("one", "{};"), options("one", "{a;};"));
}

/// Compiles with the C compiler in a folder: pairs of a file and its source, and further arguments.
fn compile(folder: &Path, file: &str, source: &str, arguments: &[&str]) {
    let text = folder.join(file).with_extension("c");
    fs::write(&text, source).unwrap();
    let mut command = Command::new("cc");
    command.current_dir(folder).args(["-O1", "-o", file]).arg(&text).args(arguments);
    assert!(command.status().unwrap().success(), "{file}");
}

fn given(folder: &Path, text: &str) -> Given {
    let text = text.replace("DIR", folder.to_str().unwrap());
    of(&text).given(&[folder.join("system")]).unwrap()
}

#[test]
fn libraries_of_the_build_are_inputs_and_those_of_the_system_have_their_content() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("system")).unwrap();
    for (file, bytes) in [("libown.a", "!<arch>\n"), ("system/libfar.a", "!<arch>\n")] {
        fs::write(folder.path().join(file), bytes).unwrap();
    }
    compile(folder.path(), "libother.so", "int other(void) { return 1; }", &["-shared"]);
    compile(folder.path(), "system/libone.so", "int f(void) { return 1; }", &["-shared"]);
    compile(folder.path(), "system/libtwo.so", "int f(void) { return 2; }", &["-shared"]);
    fs::write(
        folder.path().join("system/libscript.so"),
        "/* */ GROUP ( libone.so AS_NEEDED ( libtwo.so ) )",
    )
    .unwrap();
    let of = |text: &str| given(folder.path(), &format!("-Wl,--as-needed -LDIR {text}"));
    let names = |text: &str| {
        let given = of(text);
        let names =
            given.libraries.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(" ");
        (given.inputs.len(), names.replace(" libc.so.6", "").replace("libc.so.6 ", ""))
    };
    assert_eq!(of("-lown -lown").inputs.len(), 2);
    assert!(!of("-lown").inputs[0].certain);
    // The compiler has crates in its standard library that users may have as well.
    let places = [("lib/rustlib/machine/lib", true), ("rustlib/own/lib", false), ("deps", false)];
    for (path, of_standard) in places {
        fs::create_dir_all(folder.path().join(path)).unwrap();
        if of_standard {
            let source =
                "static int hook asm(\"_ZN3std4HOOK17h0E\"); int *f(void) { return &hook; }";
            compile(folder.path(), "std.rcgu.o", source, &["-c"]);
            let archive = format!("{path}/libstd-2.rlib");
            let mut command = Command::new("ar");
            command.current_dir(folder.path()).args(["rcs", &archive, "std.rcgu.o"]);
            assert!(command.status().unwrap().success());
        }
        fs::write(folder.path().join(path).join("libmemchr-1.rlib"), "!<arch>\n").unwrap();
        let given = of(&format!("DIR/{path}/libmemchr-1.rlib"));
        assert_eq!(given.inputs[0].of_standard, of_standard, "{path}");
        assert_eq!(given.asked.standard.contains("_ZN3std4HOOK17h0E"), of_standard, "{path}");
    }
    for way in ["-Wl,--whole-archive,-lown,--no-whole-archive", "-Wl,--whole-archive -lown"] {
        assert!(of(way).inputs[0].certain, "{way}");
    }
    assert_eq!(of("-Wl,--start-group,-lown,--end-group").inputs.len(), 1);
    assert_eq!(names("-lother"), (0, "libother.so".to_owned()));
    assert_eq!(names("-Wl,--no-as-needed -lother").1, "libother.so, loaded in any case");
    assert_eq!(names("-Wl,-Bstatic -lother").1, "-lother as an archive");
    assert_eq!(names("-lfar -lnowhere"), (0, "libfar.a -lnowhere".to_owned()));
    assert_eq!(names("-l:libone.so").1, "libone.so");
    assert_eq!(names("-lscript").1, "libone.so libtwo.so");
    // Both define a function of the same name; the other one has nothing in common with them.
    assert_ne!(of("-lone -ltwo").libraries, of("-ltwo -lone").libraries);
    assert_eq!(of("-lone -lother").libraries, of("-lother -lone").libraries);
    assert_ne!(of("-lone").libraries, of("-ltwo").libraries);
    assert_ne!(of("-lone -lnowhere").libraries, of("-lnowhere -lone").libraries);
    // So do an archive of the build and a library: calls go to whichever stands first.
    compile(folder.path(), "f.o", "int f(void) { return 3; }", &["-c"]);
    let mut archive = Command::new("ar");
    archive.current_dir(folder.path()).args(["rcs", "libf.a", "f.o"]);
    assert!(archive.status().unwrap().success());
    assert_ne!(of("-lone -lf").libraries, of("-lf -lone").libraries);
    assert_eq!(of("-lother -lf").libraries, of("-lf -lother").libraries);
    // The loader may find another library of the name than the linker.
    fs::create_dir_all(folder.path().join("run")).unwrap();
    compile(folder.path(), "run/libother.so", "int other(void) { return 4; }", &["-shared"]);
    assert_ne!(of("-lother -Wl,-rpath,DIR/run").libraries, of("-lother -Wl,-rpath,DIR").libraries);
    let before = of("-lother").libraries;
    compile(folder.path(), "libother.so", "int other(void) { return 2; }", &["-shared"]);
    assert_ne!(before, of("-lother").libraries);
}

#[test]
fn what_a_library_needs_and_what_it_calls_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    fs::create_dir_all(top.join("deep")).unwrap();
    let inner = |value: &str| {
        let source = format!("int inner(void) {{ return {value}; }}");
        compile(top, "deep/libinner.so", &source, &["-shared"]);
    };
    inner("1");
    let outer = "int inner(void); int callback(int); int outer(void) { return callback(inner()); }";
    let dynamic = ["-shared", "-Ldeep", "-linner", "-Wl,-rpath,$ORIGIN/deep"];
    compile(top, "libouter.so", outer, &dynamic);
    let of = || given(top, "-Wl,--as-needed -LDIR -louter");
    let before = of();
    assert!(
        before.libraries.iter().any(|(name, _)| name == "libinner.so"),
        "{:?}",
        before.libraries
    );
    assert!(before.asked.called.contains(&b"callback"[..]));
    inner("2");
    assert_ne!(before.libraries, of().libraries);
    // Without a folder of its own, through one of the command line or of the program.
    compile(top, "libouter.so", outer, &dynamic[..3]);
    fs::remove_file(top.join("libouter.c")).unwrap();
    let missing = of().libraries;
    assert!(missing.contains(&("libinner.so".to_owned(), 0)), "{missing:?}");
    for more in ["-LDIR/deep", "-Wl,-rpath,DIR/deep", "-Wl,-rpath,$ORIGIN/deep -o DIR/out"] {
        let libraries = given(top, &format!("-Wl,--as-needed -LDIR -louter {more}")).libraries;
        assert!(libraries.iter().any(|(name, sum)| name == "libinner.so" && *sum != 0), "{more}");
    }
}

#[test]
fn a_library_that_nothing_calls_may_not_be_loaded() {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path(), "libone.so", "int one(void) { return 1; }", &["-shared"]);
    let loaded = |source: &str| {
        let line = ["-L.", "-Wl,--as-needed", "-lone"];
        compile(folder.path(), "program", source, &line);
        super::loaded(&fs::read(folder.path().join("program")).unwrap())
    };
    assert!(loaded("int one(void); int main(void) { return one(); }").contains("libone.so"));
    assert!(!loaded("int main(void) { return 0; }").contains("libone.so"));
    assert!(super::loaded(b"no program").is_empty());
}
