//! Objects that the C compiler makes, exchanged, linked and run.

use std::{fs, path::Path, process::Command};

use super::{unwinding::records, *};

fn compiled(folder: &Path, source: &str) -> Vec<u8> {
    let (text, object) = (folder.join("a.c"), folder.join("a.o"));
    fs::write(&text, source).unwrap();
    let options = "-c -O1 -ffunction-sections -fdata-sections -fasynchronous-unwind-tables -o";
    let mut cc = Command::new("cc");
    assert!(cc.args(options.split(' ')).arg(&object).arg(&text).status().unwrap().success());
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

/// Four functions, of which each has the text of one of two versions. One of them is known outside. They have a table, a recursion,
/// a pointer to a function, and a variable that two of them share.
fn mixture(is_new: [bool; 4]) -> String {
    let [one, two, three, four] = is_new.map(usize::from);
    format!(
        "#define KEEP __attribute__((noipa))\n\
         static int calls;\n\
         static const int odd[] = {{3, 1, 4, 1, 5}}, even[] = {{2, 7, 1, 8, 2, 8}};\n\
         static KEEP int one(int n) {{ return {one}; }}\n\
         static KEEP int two(int n) {{ if (n <= 0) return 1; return {two}; }}\n\
         KEEP int three(int n) {{ calls += {three}; return one(n) + calls; }}\n\
         static KEEP int four(int n) {{ {four} }}\n\
         static int (*const functions[])(int) = {{one, two, three, four}};\n\
         int main(int argc, char **argv) {{\n\
           int sum = 0;\n\
           for (int n = 0; n < 12; n++) sum = sum * 3 + functions[n % 4](n % 5) + two(n % 3) + calls;\n\
           return (unsigned)sum % 251;\n\
         }}\n",
        one = ["odd[n % 5]", "even[n % 6] + 1"][one],
        two = ["two(n - 1) + 2", "two(n - 2) * 3 + one(n)"][two],
        three = ["1", "2"][three],
        four = [
            "return three(n) ^ 9;",
            "switch (n) { case 0: return 7; case 1: return one(3); case 2: return 40; case 3: return two(4); case 4: return 6; } return 0;",
        ][four],
    )
}

#[test]
fn each_mixture_of_two_versions_computes_what_its_source_would() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names = ["one", "two", "three", "four"];
    let [base, new] = [false, true].map(|is_new| compiled(folder, &mixture([is_new; 4])));
    let mut codes = BTreeSet::new();
    for number in 0..16 {
        let is_new = [0, 1, 2, 3].map(|bit| number >> bit & 1 == 1);
        let expected = code(folder, &compiled(folder, &mixture(is_new)));
        let taken = names.into_iter().zip(is_new).filter(|(_, is_new)| *is_new);
        let taken: Vec<String> = taken.map(|(name, _)| name.to_owned()).collect();
        let made = exchanged(&base, &new, &taken, &BTreeSet::new()).unwrap();
        assert_eq!(code(folder, &made), expected, "{taken:?}");
        codes.insert(expected);
    }
    assert!(codes.len() > 12, "the mixtures compute much the same: {codes:?}");
}

#[test]
fn what_cannot_be_exchanged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = "static __attribute__((noinline)) int inner(int n) { return n + 1; }\n\
                  static int same(int n) __attribute__((alias(\"inner\")));\n\
                  int main(int argc, char **argv) { return inner(argc) + same(argc); }\n";
    let object = compiled(folder.path(), source);
    let exchange = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        exchanged(&object, &object, &names, &BTreeSet::new())
    };
    let shares = "`inner` shares its instructions with another function";
    assert_eq!(exchange(&["inner"]).unwrap_err(), shares);
    assert_eq!(code(folder.path(), &exchange(&["inner", "same"]).unwrap()), 4);
    assert_eq!(exchange(&["nothing"]).unwrap_err(), "`nothing` is not one function");
    assert!(exchanged(b"no object", b"no object", &[], &BTreeSet::new()).is_err());
}

#[test]
fn names_of_several_functions_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let one = |name: &str, text: &str| {
        fs::write(folder.join(name), compiled(folder, text)).unwrap();
    };
    one(
        "one.o",
        "static __attribute__((noipa)) int twice(int n) { return n; }\nint one(int n) { return twice(n); }\n",
    );
    one(
        "two.o",
        "static __attribute__((noipa)) int twice(int n) { return n + 1; }\nint two(int n) { return twice(n); }\n",
    );
    let mut joining = Command::new("cc");
    joining.current_dir(folder).args(["-r", "-nostdlib", "-o", "both.o", "one.o", "two.o"]);
    assert!(joining.status().unwrap().success());
    let [one, both] = ["one.o", "both.o"].map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(ambiguous([&one, &both]), Ok(HashSet::from(["twice".to_owned()])));
    assert_eq!(ambiguous([&one, &one]), Ok(HashSet::new()));
    assert!(ambiguous([&one, b"no object"]).is_err());
}

#[test]
fn damaged_objects_end_in_a_reason_or_another_object() {
    let folder = tempfile::tempdir().unwrap();
    let [base, new] = [false, true].map(|is_new| compiled(folder.path(), &mixture([is_new; 4])));
    let taken = ["one", "two", "three", "four"].map(str::to_owned);
    let mut refused = 0;
    let mut exchange = |base: &[u8], new: &[u8]| {
        refused += u32::from(exchanged(base, new, &taken, &BTreeSet::new()).is_err());
    };
    for end in (0..new.len()).step_by(97) {
        exchange(&base, &new[..end]);
        exchange(&base[..end.min(base.len())], &new);
    }
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    for _ in 0..4000 {
        let mut both = [base.clone(), new.clone()];
        for _ in 0..=random(3) {
            let damaged = &mut both[random(2)];
            let at = random(damaged.len());
            damaged[at] = [0, 1, 0x7f, 0xff][random(4)];
        }
        exchange(&both[0], &both[1]);
    }
    assert!((50..3000).contains(&refused), "{refused}");
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
