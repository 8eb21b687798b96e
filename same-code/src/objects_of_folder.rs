//! Compares objects that any compiler of the machine has made: `lab/mutants` does so with those for other processors.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{Code, begin, graph::Graph, identity::Pairing, inputs, judge, walk::Walk};

/// The graph of all objects in a folder, in the order of their names; what `main` reaches is its start.
fn graph_of(folder: &Path) -> Result<Graph, String> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "o"));
    paths.sort();
    assert!(!paths.is_empty(), "{} has no objects", folder.display());
    let input = |path: &PathBuf| inputs::Input {
        name: path.display().to_string(),
        bytes: fs::read(path).unwrap(),
        certain: true,
        of_standard: false,
    };
    inputs::graph(&paths.iter().map(input).collect::<Vec<_>>(), &inputs::Asked::default())
}

/// Judges what `main` reaches, as what runs before benchmarks is judged.
fn judged(base: &Path, new: &Path) -> Code {
    let graphs = graph_of(base).and_then(|base| Ok((base, graph_of(new)?)));
    let (base, new) = match graphs {
        Ok(graphs) => graphs,
        Err(why) => return Code::Unknown(why),
    };
    if let Some(why) = base.trouble.as_ref().or(new.trouble.as_ref()) {
        return Code::Unknown(why.clone());
    }
    assert!(!base.start.is_empty(), "no object defines main");
    if base.start.len() != new.start.len() {
        return Code::Unknown("other code runs before `main`".to_owned());
    }
    let pairs = begin(&base, &new);
    // Nothing is linked, so that no variable has a place that could be shared with another.
    let (mut walk, mut pairing) = (Walk::new(&base, &new), Pairing::of([&[], &[]]));
    let walked =
        walk.compare(&pairs, &mut pairing).and_then(|()| pairing.check(&[(&walk, &pairs)], false));
    judge(walked, Vec::new)
}

#[test]
#[ignore = "reads the folder that PLUSMINUS_OBJECTS names: pairs of folders `base` and `new` with objects"]
fn objects_of_a_folder_are_compared() {
    let folder = env::var_os("PLUSMINUS_OBJECTS").expect("PLUSMINUS_OBJECTS is not set");
    for pair in fs::read_dir(folder).unwrap() {
        let pair = pair.unwrap();
        let (verdict, why) = match judged(&pair.path().join("base"), &pair.path().join("new")) {
            Code::Identical => ("identical_code", String::new()),
            Code::Differs { first, .. } => ("differs", first),
            Code::Unknown(why) => ("unknown", why),
        };
        println!("pair\t{}\t{verdict}\t{why}", pair.file_name().display());
    }
}
