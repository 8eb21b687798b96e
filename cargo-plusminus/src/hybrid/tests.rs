//! Objects that the C compiler makes, exchanged, linked and run.

use std::{fs, path::Path, process::Command};

use super::*;

fn compiled(folder: &Path, source: &str) -> Vec<u8> {
    let (text, object) = (folder.join("a.c"), folder.join("a.o"));
    fs::write(&text, source).unwrap();
    let arguments = [
        "-c",
        "-O1",
        "-ffunction-sections",
        "-fdata-sections",
        "-fasynchronous-unwind-tables",
        "-o",
    ];
    let mut cc = Command::new("cc");
    assert!(cc.args(arguments).arg(&object).arg(&text).status().unwrap().success());
    fs::read(object).unwrap()
}

/// The exit code of a program of one object.
fn code(folder: &Path, object: &[u8]) -> i32 {
    let (path, program) = (folder.join("all.o"), folder.join("program"));
    fs::write(&path, object).unwrap();
    assert!(Command::new("cc").arg("-o").arg(&program).arg(&path).status().unwrap().success());
    Command::new(program).status().unwrap().code().unwrap()
}

/// Two functions with a table and a variable that both use.
fn source(one: u32, two: u32, helper: &str) -> String {
    format!(
        "#define KEEP __attribute__((noinline, noclone))\n\
         static int calls;\n\
         const int tables[2][4] = {{{{{one}, 1, 1, 1}}, {{{two}, 2, 2, 2}}}};\n\
         {helper}\n\
         KEEP int count(void) {{ return ++calls; }}\n\
         KEEP int one(int n) {{ const char *text = \"text {one}\"; return count() * 0 + tables[0][n] + (text[0] != 't') + HELP; }}\n\
         KEEP int two(int n) {{ return count() * 0 + tables[1][n]; }}\n\
         int main(int argc, char **argv) {{ return 10 * one(argc - 1) + two(argc - 1) + (calls == 2 ? 0 : 100); }}\n"
    )
}

#[test]
fn each_function_alone_and_both_are_exchanged_and_share_their_variables() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let base = compiled(folder, &source(1, 2, "#define HELP 0"));
    let helper = "KEEP int help(int n) { return n ? n : calls + 1; }\n#define HELP help(n)";
    let new = compiled(folder, &source(3, 4, helper));
    assert_eq!((code(folder, &base), code(folder, &new)), (12, 54));
    let added = BTreeSet::from(["help".to_owned()]);
    for (taken, expected) in
        [(&["one"][..], 32), (&["tables"], 34), (&["one", "two", "tables"], 54), (&[], 12)]
    {
        let taken: Vec<String> = taken.iter().map(|&name| name.to_owned()).collect();
        let made = exchanged(&base, &new, &taken, &added).unwrap();
        assert_eq!(code(folder, &made), expected, "{taken:?}");
    }
}

#[test]
fn what_cannot_be_exchanged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = "static __attribute__((noinline)) int inner(int n) { return n + 1; }\n\
                  int main(int argc, char **argv) { return inner(argc); }\n";
    let object = compiled(folder.path(), source);
    let refused =
        |name: &str| exchanged(&object, &object, &[name.to_owned()], &BTreeSet::new()).unwrap_err();
    assert_eq!(refused("inner"), "`inner` is known within its crate alone");
    assert_eq!(refused("nothing"), "`nothing` is not one function");
    assert!(exchanged(b"no object", b"no object", &[], &BTreeSet::new()).is_err());
}

#[test]
fn records_for_unwinding_are_found_and_damage_is_told() {
    let record = |back: u32, body: &[u8]| {
        let length = (4 + body.len()) as u32;
        [&length.to_le_bytes(), &back.to_le_bytes(), body].concat()
    };
    let data = [record(0, &[1; 8]), record(20, &[2; 12]), vec![0; 4]].concat();
    let found = records(&data).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].shared, found[0].own), ((0, 16), (16, 36)));
    assert!(records(&data[..30]).is_err());
    assert!(records(&record(99, &[0; 4])).is_err());
}
