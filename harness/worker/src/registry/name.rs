//! Names that can be listed and typed, and are unique, whatever points and arguments display.

use crate::{order::order, text::escaped};

/// Characters of one part of a name at most: of a longer one the beginning stays, with a checksum.
const LONGEST: usize = 400;

/// Makes one part of a name: on one line, visible, bounded, and different for different texts.
///
/// The empty text becomes `""`; control characters, invisible characters and characters that change the direction of
/// writing become escapes such as `\n` and `\u{202e}`, and a backslash becomes two. So do blanks at the ends, which
/// people and tools lose.
pub(crate) fn part(text: &str) -> String {
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let inner = text.trim_matches(' ');
    let before = text.len() - text.trim_start_matches(' ').len();
    let behind = if inner.is_empty() { 0 } else { text.len() - text.trim_end_matches(' ').len() };
    let blanks = |count| "\\u{20}".repeat(count);
    let part = blanks(before) + &escaped(inner, usize::MAX, true) + &blanks(behind);
    escaped(&part, LONGEST, false)
}

/// Makes equal names unique: `ending` makes what the second one of a name gets behind it out of the number 2, and so on.
pub(crate) fn apart(names: &mut [String], ending: fn(usize) -> String) {
    loop {
        let sorted = order(names.len(), &|a, b| names[a].cmp(&names[b]));
        let mut numbers = vec![1; names.len()];
        for pair in sorted.windows(2) {
            if names[pair[0]] == names[pair[1]] {
                numbers[pair[1]] = numbers[pair[0]] + 1;
            }
        }
        if numbers.iter().all(|&number| number == 1) {
            return;
        }
        for (name, number) in names.iter_mut().zip(numbers).filter(|(_, number)| *number > 1) {
            name.push_str(&ending(number));
        }
    }
}

/// The file name, without its extension, under which something named by a user is kept.
///
/// Letters, digits, `-`, `_` and dots that are not in front stay; every other byte becomes `%` and two hexadecimal
/// digits, capital letters too, as some file systems do not tell `Main` from `main`. So do names that Windows keeps
/// for devices. Different names never share a file.
///
/// # Errors
/// The reason, if the name is empty or too long for a file name.
pub fn file_name(name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Err("a baseline needs a name".to_owned());
    }
    let device = ["con", "prn", "aux", "nul", "com", "lpt"].iter().any(|device| {
        name.len() >= 3 && name.as_bytes()[..3].eq_ignore_ascii_case(device.as_bytes())
    });
    let mut file = String::new();
    for (position, byte) in name.bytes().enumerate() {
        let stays = byte.is_ascii_lowercase()
            || byte.is_ascii_digit()
            || b"-_".contains(&byte)
            || (byte == b'.' && position > 0);
        if stays && !(device && position == 0) {
            file.push(char::from(byte));
        } else {
            file.push_str(&format!("%{byte:02x}"));
        }
    }
    // Room is left for an extension and for the number of a temporary file, within the usual limit of 255 bytes.
    if file.len() > 200 {
        return Err(format!(
            "the name of the baseline has {} bytes where {} are allowed (each byte other than a-z, 0-9, `-`, `_` and \
             `.` takes three); choose a shorter one",
            file.len(),
            200
        ));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const HOSTILE: [&str; 22] = [
        "",
        "\"\"",
        " ",
        "  ",
        " a",
        "a ",
        "a",
        "A",
        ".",
        "..",
        "../x",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\nb",
        "a\\nb",
        "\u{202e}gpj",
        "\u{7}",
        "ä",
        "a\u{308}",
        "名前",
        "nul",
    ];

    #[test]
    fn parts_are_visible_and_on_one_line() {
        for text in HOSTILE {
            let part = part(text);
            assert!(!part.is_empty() && !part.chars().any(char::is_control), "{text:?}");
            assert_eq!(part.trim(), part, "{text:?}");
            assert_eq!(part.lines().count(), 1, "{text:?}");
        }
        assert_eq!(part("../x y"), "../x y");
        assert_eq!(part("a\nb"), "a\\nb");
        assert_eq!(part("\u{202e}"), "\\u{202e}");
        assert_eq!(part(" a  "), "\\u{20}a\\u{20}\\u{20}");
    }

    #[test]
    fn different_texts_have_different_parts() {
        // The empty text and its own escape are the one exception; the registry refuses benchmarks of one name.
        let texts: Vec<&str> = HOSTILE.into_iter().filter(|text| *text != "\"\"").collect();
        let parts: BTreeSet<String> = texts.iter().map(|text| part(text)).collect();
        assert_eq!(parts.len(), texts.len());
    }

    #[test]
    fn file_names_stay_in_their_folder_and_apart() {
        let mut files = BTreeSet::new();
        for text in HOSTILE.into_iter().filter(|text| !text.is_empty()) {
            let file = file_name(text).unwrap();
            assert!(
                !file.contains(['/', '\\', ':', '\0']) && !file.starts_with('.'),
                "{text:?}: {file}"
            );
            assert!(files.insert(file.to_lowercase()), "{text:?} shares {file}");
        }
        assert_eq!(file_name("main").unwrap(), "main");
        assert_eq!(file_name("v1.2-rc_3").unwrap(), "v1.2-rc_3");
        assert_eq!(file_name("nul").unwrap(), "%6eul");
        assert!(file_name("").unwrap_err().contains("needs a name"));
        assert!(file_name(&"x".repeat(300)).unwrap_err().contains("300 bytes"));
    }

    #[test]
    fn long_parts_are_cut_and_commands_of_build_services_broken() {
        assert_eq!(part("::error::x"), "\\u{3a}:error::x");
        let (one, other) = ("x".repeat(10_000_000), " ".repeat(10_000));
        for long in [part(&one), part(&other)] {
            assert!(long.chars().count() <= LONGEST && long.trim() == long);
        }
        assert_ne!(part(&one), part(&(one.clone() + "y")));
    }

    #[test]
    fn equal_names_are_numbered() {
        let mut names = ["a", "b", "a", "a (2)", "a"].map(str::to_owned);
        apart(&mut names, |number| format!(" ({number})"));
        assert_eq!(names, ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }

    proptest::proptest! {
        #[test]
        fn any_two_names_keep_apart(one in ".{1,60}", other in ".{1,60}") {
            let lower = |name: &str| file_name(name).map(|file| file.to_lowercase());
            if let (Ok(a), Ok(b)) = (lower(&one), lower(&other)) {
                proptest::prop_assert_eq!(a == b, one == other);
            }
            if !one.is_empty() && one != "\"\"" && other != "\"\"" {
                proptest::prop_assert_eq!(part(&one) == part(&other), one == other);
            }
        }
    }
}
