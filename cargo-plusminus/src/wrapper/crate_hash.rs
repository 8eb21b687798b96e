//! The hash in the names of a crate's functions. Cargo makes it from the crate's version and all its dependencies, and the
//! compiler works in the order of names, so that another version alone can change which functions are inlined. Comparisons
//! make it from the compiler's command line.

use plusminus_same_code::checksum;

/// Options in two words whose value names a place, or sets how warnings are printed.
const PLACES: [&str; 8] = [
    "--extern",
    "-L",
    "--out-dir",
    "--check-cfg",
    "--emit",
    "--json",
    "--error-format",
    "--diagnostic-width",
];
/// Options of code generation that name a place.
const OF_PLACES: [&str; 4] = ["metadata=", "extra-filename=", "incremental=", "linker="];

/// Returns the argument with the hash that cargo gave to a crate of `package`, by its number, and what to put there.
///
/// Two crates of one program have different hashes still: they have different packages or different sources, and the path
/// of a published package contains its version.
pub(super) fn settled(arguments: &[String], package: &str) -> Option<(usize, String)> {
    let place = arguments.iter().position(|argument| argument.starts_with("metadata="))?;
    let hash = checksum(format!("{package}\n{}", told(arguments)).as_bytes());
    Some((place, format!("metadata={hash:016x}")))
}

/// The part of the command line that decides which code is made.
fn told(arguments: &[String]) -> String {
    let mut told = String::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let is_place = |name: &&str| {
            let value = argument.strip_prefix(*name);
            value.is_some_and(|value| value.starts_with('=') || *name == "-L")
        };
        if PLACES.contains(&argument.as_str()) {
            rest.next();
        } else if argument == "-C"
            && let Some(value) = rest.next()
        {
            if !OF_PLACES.iter().any(|name| value.starts_with(*name)) {
                told += &format!("-C {value}\n");
            }
        } else if !PLACES.iter().any(is_place) {
            told += &format!("{argument}\n");
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str, package: &str) -> String {
        let arguments: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let (place, hash) = settled(&arguments, package).unwrap();
        assert!(arguments[place].starts_with("metadata="));
        hash
    }

    #[test]
    fn another_version_or_dependency_has_the_same_hash_and_other_code_another() {
        let of = |name: &str, hash: &str, rest: &str| {
            format!(
                "--crate-name {name} src/lib.rs --error-format=json --crate-type lib {rest}-C metadata={hash} \
                 -C extra-filename=-{hash} --out-dir /t/{hash} -L dependency=/t/{hash} -Ldependency=/u/{hash} \
                 --extern serde=/t/libserde-{hash}.rmeta --emit=dep-info,link"
            )
        };
        let first = hash(&of("own", "1", ""), "own");
        assert_ne!(first, "metadata=1");
        assert_eq!(hash(&of("own", "2", ""), "own"), first);
        assert_ne!(hash(&of("own", "1", "-C opt-level=3 "), "own"), first);
        assert_ne!(hash(&of("own", "1", "--cfg x "), "own"), first);
        assert_ne!(hash(&of("other", "1", ""), "own"), first);
        assert_ne!(hash(&of("own", "1", ""), "other"), first);
    }

    #[test]
    fn what_has_no_hash_gets_none() {
        let arguments = ["--crate-name", "own", "lib.rs"].map(str::to_owned);
        assert_eq!(settled(&arguments, "own"), None);
    }
}
