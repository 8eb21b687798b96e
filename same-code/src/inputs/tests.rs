//! Small objects that the C compiler makes, instead of a linker's inputs.

use std::{
    fs,
    process::{Command, Stdio},
};

use plusminus_worker::protocol::CaseDescription;

use super::*;
use crate::{
    graph::Target,
    identity::Pairing,
    walk::{Stop, Walk},
};

/// Compiles sources of C to inputs, one object each, with these further arguments.
fn compiled(sources: &[&str], arguments: &[&str]) -> Vec<Input> {
    let folder = tempfile::tempdir().unwrap();
    let object = |(number, source): (usize, &&str)| {
        let (text, object) = (folder.path().join("a.c"), folder.path().join("a.o"));
        fs::write(&text, source).unwrap();
        let mut command = Command::new("cc");
        command
            .args(["-c", "-O1", "-ffunction-sections", "-fno-pic", "-o"])
            .arg(&object)
            .arg(&text);
        assert!(command.args(arguments).status().unwrap().success());
        let (name, bytes) = (format!("{number}.o"), fs::read(object).unwrap());
        Input { name, bytes, certain: true, of_standard: false }
    };
    sources.iter().enumerate().map(object).collect()
}

fn called(names: &[&str]) -> Asked {
    Asked {
        called: names.iter().map(|name| name.as_bytes().to_vec()).collect(),
        ..Asked::default()
    }
}

/// Whether what runs before benchmarks is the same in two programs.
fn is_same(base: &[&str], new: &[&str]) -> bool {
    is_same_with(&[], &Asked::default(), base, new)
}

fn is_same_with(arguments: &[&str], asked: &Asked, base: &[&str], new: &[&str]) -> bool {
    let [base, new] =
        [base, new].map(|sources| graph(&compiled(sources, arguments), asked).unwrap());
    let pairs: Vec<_> = base.start.iter().copied().zip(new.start.iter().copied()).collect();
    let same = Walk::new(&base, &new).compare(&pairs, &mut Pairing::of([b"", b""]));
    base.start.len() == new.start.len() && same.is_ok()
}

#[test]
fn code_that_a_plugin_makes_is_not_known() {
    let source = ["int main(void) { return 7; }"];
    let slim = compiled(&source, &["-flto", "-fno-fat-lto-objects"]);
    let fat = compiled(&source, &["-flto", "-ffat-lto-objects"]);
    let with = |plugin| Asked { plugin, ..Asked::default() };
    // Clang has bitcode in both.
    assert!(
        graph(&slim, &with(false))
            .is_err_and(|why| why.contains("-flto") || why.contains("bitcode"))
    );
    assert!(graph(&slim, &with(true)).is_err());
    if fat[0].bytes.windows(9).any(|text| text == b".gnu.lto_") {
        assert!(graph(&fat, &with(true)).is_err_and(|why| why.contains("plugin")));
        assert!(graph(&fat, &with(false)).is_ok());
    }
}

#[test]
fn objects_without_what_their_symbols_promise_are_not_known() {
    let whole = compiled(&["int main(void) { return 7; }"], &[]).remove(0);
    let read = |bytes: Vec<u8>| {
        graph(
            &[Input { name: "a.o".to_owned(), bytes, certain: true, ..Input::default() }],
            &Asked::default(),
        )
    };
    assert!(read(whole.bytes.clone()).is_ok());
    let at = |field: usize| {
        u64::from_le_bytes(whole.bytes[field..field + 8].try_into().unwrap()) as usize
    };
    let elf = objects::Elf::parse(&*whole.bytes).unwrap();
    let text = elf.section_by_name_bytes(b".text.main").unwrap().index().0;
    let header = at(0x28) + 64 * text;
    // The size of the section of `main`, and where it lies.
    for (field, value) in [(header + 0x20, 0_u64), (header + 0x18, 1 << 40)] {
        let mut bytes = whole.bytes.clone();
        bytes[field..field + 8].copy_from_slice(&value.to_le_bytes());
        assert!(read(bytes).is_err_and(|why| why.contains("lacks")), "{field:x}");
    }
    let mut program = whole.bytes.clone();
    program[16] = 3;
    assert!(read(program).is_err_and(|why| why.contains("no object")));
    assert!(read(b"BC\xc0\xde and more".to_vec()).is_err_and(|why| why.contains("bitcode")));
}

#[test]
fn members_of_archives_that_linkers_pass_over_do_not_count() {
    let with = |name: &str, content: &str| {
        let head = format!(
            "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            format!("{name}/"),
            0,
            0,
            0,
            644,
            content.len()
        );
        let bytes = format!("!<arch>\n{head}{content}").into_bytes();
        graph(&[Input { name: "liba.a".to_owned(), bytes, ..Input::default() }], &Asked::default())
    };
    assert!(with("lib.rmeta", "rust").is_ok());
    assert!(with("read.me", "text").is_ok());
    assert!(with("a.o", "text").is_err_and(|why| why.contains("a.o")));
}

#[test]
fn common_symbols_are_variables_with_a_size() {
    let main = "int counter; int main(void) { return ++counter; }";
    let (one, more) = ("int counter;", "int counter[100];");
    let arguments = ["-fcommon"];
    let none = Asked::default();
    let same = |new: [&str; 2]| is_same_with(&arguments, &none, &[main, one], &new);
    assert!(same([main, one]) && same([one, main]));
    assert!(!same([main, more]), "another size");
    assert!(!same([main, "int counter = 5;"]), "a value");
    let graph = graph(&compiled(&[main, one], &arguments), &none).unwrap();
    let common: Vec<&Node> = graph.nodes.iter().filter(|node| node.section == "COMMON").collect();
    let [common] = common.as_slice() else { panic!("{:?}", graph.nodes) };
    assert_eq!((common.size, common.align), (4, 4));
    assert_eq!(common.flags & SHF_WRITE.0, SHF_WRITE.0);
}

#[test]
fn threads_of_a_kernel_share_no_variables_of_the_standard_library() {
    const THEIRS: &str = "_ZN5alloc1A17h0123456789abcdefE";
    let theirs = format!("int theirs __asm__(\"{THEIRS}.0\");");
    let main = format!("extern {theirs} int own; int main(void) {{ return own++ + theirs++; }}");
    let judged = |name: &str, of_standard, symbols: &[&str]| {
        let mut inputs = compiled(&[&main, &theirs], &["-fno-common"]);
        (inputs[1].name, inputs[1].of_standard) = (name.to_owned(), of_standard);
        let standard = symbols.iter().map(|symbol| (*symbol).to_owned()).collect();
        let graph = graph(&inputs, &Asked { standard, ..Asked::default() }).unwrap();
        let pairs: Vec<_> = graph.start.iter().map(|place| (*place, *place)).collect();
        let (mut walk, mut pairing) = (Walk::new(&graph, &graph), Pairing::of([b"", b""]));
        walk.compare(&pairs, &mut pairing)?;
        pairing.check(&[(&walk, &pairs)], true)
    };
    assert_eq!(judged("std.rcgu.o", true, &[]), Ok(()));
    assert_eq!(judged("all.rcgu.o", false, &[THEIRS]), Ok(()));
    // Without symbols, the lines of two variables are not known. Users may have a crate of a name of the library.
    for (name, of_standard) in [("alloc.rcgu.o", false), ("malloc.o", true)] {
        let judged = judged(name, of_standard, &["_ZN5alloc1A17hfedcba9876543210E"]);
        assert!(matches!(judged, Err(Stop::Unknown(_))), "{name}");
    }
}

#[test]
fn variables_have_the_names_that_they_have_in_the_source() {
    for (symbol, name) in [
        ("_RNvNtCsj_3std5panic4HOOK", "_RNvNtCsj_3std5panic4HOOK"),
        ("_RNvNtCsj_3std2io6STDOUT.llvm.364", "_RNvNtCsj_3std2io6STDOUT"),
        ("_ZN3std6DLSYM17h0aE.1.llvm.364", "_ZN3std6DLSYM17h0aE"),
        ("_ZN3std22_$LT$impl..X$GT$1A17h0aE", "_ZN3std22_$LT$impl..X$GT$1A17h0aE"),
    ] {
        assert_eq!(objects::in_source(symbol), name);
    }
}

#[test]
fn symbols_that_are_numbers_are_compared_as_such() {
    let main = "extern char limit[]; int main(void) { return (int)(long)limit; }";
    let number = |value: u32| format!("asm(\".globl limit\\nlimit = {value}\\n\");");
    let (seven, eight) = (number(7), number(8));
    assert!(is_same(&[main, &seven], &[main, &seven]));
    assert!(!is_same(&[main, &seven], &[main, &eight]));
    assert!(!is_same(&[main, &seven], &[main]), "nobody defines it");
    assert!(!is_same(&[main, &seven, &eight], &[main, &seven, &eight]), "two numbers");
}

#[test]
fn places_in_the_source_have_no_name_whatever_the_compiler_calls_them() {
    let place = |name: &str, line: u32| {
        format!(
            "struct place {{ const char *file; unsigned long length; unsigned line, column; }};
             extern const struct place p __asm__(\"{name}\");
             const struct place p __attribute__((section(\".data.rel.ro.p\"))) = {{ \"src/lib.rs\", 10, {line}, 3 }};
             int main(void) {{ return (int)(long)&p; }}"
        )
    };
    let same = |base: &str, new: &str, line| is_same(&[&place(base, 5)], &[&place(new, line)]);
    let shared =
        ["0123456789abcdef", "fedcba9876543210"].map(|half| format!("anon.{half}{half}.7.llvm.42"));
    assert!(same(&shared[0], &shared[1], 6));
    assert!(same("place", "place", 5));
    assert!(!same("place", "place", 6), "a constant of the source");
    assert!(!same("anon.place", "anon.place", 6));
}

#[test]
fn weak_symbols_without_a_definition_stay_names() {
    let main =
        "__attribute__((weak)) int maybe(void); int main(void) { return maybe ? maybe() : 0; }";
    assert!(is_same(&[main], &[main]));
    assert!(!is_same(&[main], &[main, "int maybe(void) { return 1; }"]));
    let graph = graph(&compiled(&[main], &[]), &Asked::default()).unwrap();
    let mut targets = graph.nodes.iter().flat_map(|node| &node.edges).map(|edge| &edge.target);
    let weak =
        |target: &Target| matches!(target, Target::Name { name, weak: true } if name == "maybe");
    assert!(targets.any(weak));
}

#[test]
fn functions_that_libraries_call_are_compared_before_benchmarks() {
    let main = "int main(void) { return 0; }";
    let back = |value: u32| format!("int callback(int n) {{ return n * {value}; }}");
    let (one, other) = (back(31), back(33));
    let asked = called(&["callback", "elsewhere"]);
    assert!(is_same_with(&[], &asked, &[main, &one], &[main, &one]));
    assert!(!is_same_with(&[], &asked, &[main, &one], &[main, &other]));
    assert!(is_same(&[main, &one], &[main, &other]), "nobody calls it");
    assert!(!is_same_with(&[], &asked, &[main, &one], &[main]), "one side has none");
    let hidden = ["-fvisibility=hidden"];
    assert!(
        is_same_with(&hidden, &asked, &[main, &one], &[main, &other]),
        "libraries cannot call it"
    );
    let named = Asked { symbols: asked.called, ..Asked::default() };
    assert!(
        !is_same_with(&hidden, &named, &[main, &one], &[main, &other]),
        "a linker option has its name"
    );
}

#[test]
fn a_version_behind_a_symbol_hides_no_definition() {
    let main = "int plain(void); int main(void) { return plain(); }";
    let versioned = |value: u32| {
        format!("__asm__(\".symver inner, plain@@V1\"); int inner(void) {{ return {value}; }}")
    };
    let (one, other) = (versioned(1), versioned(2));
    assert!(is_same(&[main, &one], &[main, &one]));
    assert!(!is_same(&[main, &one], &[main, &other]));
}

#[test]
fn functions_before_main_are_called_by_priority() {
    let sections = [
        ".preinit_array",
        ".init_array.00200",
        ".ctors.65235",
        ".init_array.00400",
        ".init_array",
        ".fini_array.00100",
        ".fini_array",
    ];
    let turns: Vec<_> = sections.map(|section| super::turn(section).unwrap()).to_vec();
    assert!(turns.is_sorted_by(|one, other| one < other), "{turns:?}");
    assert_eq!(super::turn(".text.init_array"), None);
}

/// The graph of a program from an object and archives with an object each, and its exit code.
fn linked(main: &str, archives: &[(&str, &str)], linker: &str) -> Option<(Graph, i32)> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).stderr(Stdio::null());
        command.status().unwrap().code().unwrap()
    };
    let object = |name: &str, source: &str| {
        fs::write(at("a.c"), source).unwrap();
        let options = ["-c", "-O1", "-ffunction-sections", "-fno-pic", "a.c", "-o", name];
        assert_eq!(run("cc", &options), 0);
    };
    let input = |name: &str, certain| {
        let bytes = fs::read(at(name)).unwrap();
        Input { name: name.to_owned(), bytes, certain, of_standard: false }
    };
    object("main.o", main);
    let mut inputs = vec![input("main.o", true)];
    let mut arguments = vec![linker, "-no-pie", "-Wl,-Map=map", "-o", "program", "main.o"];
    for (name, source) in archives {
        object("part.o", source);
        assert_eq!(run("ar", &["rcs", name, "part.o"]), 0);
        inputs.push(input(name, false));
        arguments.push(name);
    }
    (run("cc", &arguments) == 0).then(|| {
        let taken = Some(Taken::of(&fs::read(at("map")).unwrap()));
        let graph = graph(&inputs, &Asked { taken, ..Asked::default() }).unwrap();
        (graph, run("./program", &[]))
    })
}

#[test]
fn archives_have_the_members_that_the_linker_took() {
    let strong = ("libs.a", "int other(void) { return 3; } int f(void) { return 2; }");
    let weak = ("libw.a", "__attribute__((weak)) int f(void) { return 1; }");
    let of_f = |graph: &Graph| {
        let named = |node: &&Node| node.names.iter().any(|name| name == "f");
        let found: Vec<_> =
            graph.nodes.iter().filter(named).map(|node| node.data.clone()).collect();
        found
    };
    let returned = |value: i32| {
        let f = format!("int f(void) {{ return {value}; }}");
        let inputs = compiled(&["int f(void); int main(void) { return f(); }", &f], &[]);
        of_f(&graph(&inputs, &Asked::default()).unwrap())
    };
    let mut linkers = 0;
    for linker in ["-fuse-ld=bfd", "-fuse-ld=gold", "-fuse-ld=lld", "-fuse-ld=mold", "-O1"] {
        let call = "int f(void); int other(void); int main(void) { return f(); }";
        let Some((alone, answer)) = linked(call, &[weak, strong], linker) else { continue };
        linkers += 1;
        assert_eq!(of_f(&alone), returned(answer), "{linker}");
        let call = format!("{call} int (*used)(void) = other;");
        let (both, answer) = linked(&call, &[weak, strong], linker).unwrap();
        assert_eq!((of_f(&both), answer), (returned(2), 2), "{linker}");
        let (none, _) = linked("int main(void) { return 0; }", &[weak], linker).unwrap();
        assert_eq!(of_f(&none).len(), 0, "{linker}");
    }
    assert!(linkers > 0);
    let mut inputs =
        compiled(&["int f(void); int main(void) { return f(); }", strong.1, weak.1], &[]);
    inputs[1..].iter_mut().for_each(|input| input.certain = false);
    let untold = graph(&inputs, &Asked::default()).unwrap();
    let mut targets = untold.nodes.iter().flat_map(|node| &node.edges).map(|edge| &edge.target);
    assert!(
        targets.any(|target| matches!(target, Target::Unknown(why) if why.starts_with("f is")))
    );
}

/// A registered benchmark in C as [`plusminus_worker`] lays it out, in a group `one::inner`.
const REGISTERED: &str = r#"
struct text { const char *begin; unsigned long length; };
struct entry {
    char mark[16]; struct text module, name, file; unsigned line, column, combination;
    double (*metrics)(void); unsigned long kind; int (*run)(void), (*points)(void); void *options;
};
struct group {
    char mark[16]; struct text parent, module, name; double (*metrics)(void); int (*options)(void);
};
static double read_own(void) { return OWN; }
static double read_group(void) { return OF_GROUP; }
static int runs(void) { return RUNS; }
static int bench(void) { return KERNEL; }
struct group group = {
    "plusminus:group2", {"one", 3}, {"inner", 5}, {"shown", 5}, read_group, runs
};
struct entry entry = {
    "plusminus:bench3", {MODULE, sizeof(MODULE) - 1}, {"f", 1}, {"a.rs", 4}, 7, 1, COMBINATION,
    METRICS, 0, bench, runs, runs
};
"#;

/// The graph of [`REGISTERED`], with other values of some of its macros.
fn registered(others: &[&str]) -> Graph {
    graph(&object_of_registered(others), &Asked::default()).unwrap()
}

fn object_of_registered(others: &[&str]) -> Vec<Input> {
    let usual = ["OWN=1", "OF_GROUP=2", "RUNS=3", "MODULE=\"one::inner\"", "METRICS=read_own"];
    let usual = usual.iter().chain(&["COMBINATION=0", "KERNEL=1"]);
    let values = usual.chain(others).flat_map(|value| ["-D", *value]);
    let arguments: Vec<&str> = values.chain(["-w", "-fdata-sections"]).collect();
    compiled(&[REGISTERED], &arguments)
}

#[test]
fn modules_have_the_names_that_groups_give_them() {
    let module = |module: &str| registered(&[module]).entries[0].module.clone();
    assert_eq!(module("MODULE=\"one::inner\""), "one::shown");
    assert_eq!(module("MODULE=\"one::inner::inner\""), "one::shown::inner");
    assert_eq!(module("MODULE=\"one::other::inner\""), "one::other::inner");
}

#[test]
fn metrics_are_code_of_a_benchmark_and_its_options_are_not() {
    let is_same = |base: &[&str], new: &[&str]| {
        let (base, new) = (registered(base), registered(new));
        let roots = [&base, &new].map(|graph| Place { node: graph.entries[0].root, offset: 0 });
        let mut pairing = Pairing::of([b"", b""]);
        Walk::new(&base, &new).compare(&[roots.into()], &mut pairing).is_ok()
    };
    assert!(is_same(&[], &[]));
    assert!(is_same(&[], &["RUNS=4"]));
    assert!(!is_same(&[], &["OWN=4"]));
    assert!(!is_same(&[], &["METRICS=0"]));
    assert!(!is_same(&[], &["OF_GROUP=4"]));
    for module in ["MODULE=\"one\"", "MODULE=\"one::inner2\""] {
        assert!(is_same(&[module], &[module, "OF_GROUP=4"]), "{module} is not in the group");
    }
}

#[test]
fn the_size_of_a_symbol_is_not_known_where_the_linker_fills_it_in() {
    let sized = "__asm__(\".data\\n.globl table\\ntable: .skip 32\\n.size table, 8\\n.text\\n\");\n\
                 unsigned long main(void) { unsigned long n; __asm__(\"movabsq $table@SIZE, %0\" : \"=r\"(n)); return n; }";
    assert!(!is_same_with(&["-w"], &Asked::default(), &[sized], &[sized]));
}

#[test]
fn each_combination_of_types_has_code_of_its_own() {
    let program = |kernels: &[u32]| {
        let object = |(number, kernel)| {
            let values = [format!("COMBINATION={number}"), format!("KERNEL={kernel}")];
            object_of_registered(&values.each_ref().map(String::as_str))
        };
        let objects: Vec<Input> = kernels.iter().enumerate().flat_map(object).collect();
        graph(&objects, &Asked::default()).unwrap()
    };
    // One stands before the others, and no longer behind them.
    let (base, new) = (program(&[7, 8, 6]), program(&[6, 7, 8]));
    let root = |graph, combination| {
        let (krate, function) = ("one".to_owned(), "shown::f".to_owned());
        let (file, line) = ("a.rs".to_owned(), 7);
        let case =
            CaseDescription { krate, function, file, line, combination, ..Default::default() };
        Place { node: crate::entry(graph, &case).unwrap().root, offset: 0 }
    };
    let is_same = |old, fresh| {
        let (mut walk, mut pairing) = (Walk::new(&base, &new), Pairing::of([b"", b""]));
        walk.compare(&[(root(&base, old), root(&new, fresh))], &mut pairing).is_ok()
    };
    assert!(is_same(0, 1) && is_same(1, 2) && is_same(2, 0));
    assert!(!is_same(0, 0) && !is_same(1, 1) && !is_same(0, 2));
}
