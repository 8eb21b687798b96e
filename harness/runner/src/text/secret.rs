//! Secrets that people type or set where everybody can read them later.

const HIDDEN: &str = "…";

/// Words in the name of an option or a variable whose value is a secret.
const NAMES: [&str; 10] = [
    "token",
    "secret",
    "passw",
    "pwd",
    "apikey",
    "api_key",
    "api-key",
    "credential",
    "private",
    "auth",
];

/// The beginnings of tokens of well-known services, and the least number of letters that follow.
const TOKENS: [(&str, usize); 14] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 16),
    ("AIza", 30),
    ("sk-", 20),
    ("npm_", 30),
    ("eyJ", 30),
];

/// Returns arguments without what looks like a secret: values of options such as `--token` and of settings such as
/// `PASSWORD=…`, the user's part of addresses (`://user:password@`), and tokens of well-known services. `…` stands for it.
///
/// ```
/// let arguments = ["--api-token", "abc", "SECRET=def", "--runs", "5"].map(str::to_owned);
/// assert_eq!(plusminus::text::without_secrets(&arguments), ["--api-token", "…", "SECRET=…", "--runs", "5"]);
/// ```
pub fn without_secrets(arguments: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut value_is_secret = false;
    for argument in arguments {
        let hidden = value_is_secret && !argument.starts_with("--");
        kept.push(if hidden { HIDDEN.to_owned() } else { words(argument) });
        value_is_secret =
            argument.starts_with('-') && !argument.contains('=') && names_secret(argument);
    }
    kept
}

/// An argument, whose words may be settings, addresses and tokens: one may be a whole command.
fn words(argument: &str) -> String {
    let mut kept = String::with_capacity(argument.len());
    let mut value_is_secret = false;
    for word in argument.split_inclusive(char::is_whitespace) {
        let text = word.trim_end();
        let blank: String = word.chars().skip(text.chars().count()).collect();
        if value_is_secret && !text.is_empty() {
            kept.push_str(HIDDEN);
        } else {
            kept.push_str(&self::word(text));
        }
        kept.push_str(&blank);
        let bearer = text.trim_matches(['\'', '"']).eq_ignore_ascii_case("bearer");
        let option =
            argument != text && text.starts_with('-') && !text.contains('=') && names_secret(text);
        value_is_secret = bearer || option;
    }
    kept
}

fn word(word: &str) -> String {
    if let Some((name, value)) = word.split_once('=')
        && !value.is_empty()
    {
        let value = if names_secret(name) { HIDDEN.to_owned() } else { self::word(value) };
        return format!("{name}={value}");
    }
    if let Some((scheme, rest)) = word.split_once("://") {
        let (host, path) = match rest.split_once('/') {
            Some((host, path)) => (host, format!("/{path}")),
            None => (rest, String::new()),
        };
        return match host.rsplit_once('@') {
            Some((_, host)) => format!("{scheme}://{HIDDEN}@{host}{path}"),
            None => word.to_owned(),
        };
    }
    if is_token(word) { HIDDEN.to_owned() } else { word.to_owned() }
}

fn names_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
}

fn is_token(word: &str) -> bool {
    let of_token = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    TOKENS.iter().any(|(prefix, length)| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= *length && rest.chars().all(of_token))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_left_out_and_all_else_stays() {
        let token = format!("ghp_{}", "a1".repeat(18));
        for (line, expected) in [
            (vec!["--bench", "sort", "--runs", "5"], vec!["--bench", "sort", "--runs", "5"]),
            (vec!["--token", "x", "y"], vec!["--token", "…", "y"]),
            (vec!["--api-key=x"], vec!["--api-key=…"]),
            (vec!["GITHUB_TOKEN=abc"], vec!["GITHUB_TOKEN=…"]),
            (vec![&token], vec!["…"]),
            (vec!["https://me:word@host/x"], vec!["https://…@host/x"]),
            (vec!["https://host/a@b"], vec!["https://host/a@b"]),
            (
                vec!["--launcher", "env PASSWORD=x curl --token y -H 'Bearer z' {pid}"],
                vec!["--launcher", "env PASSWORD=… curl --token … -H 'Bearer … {pid}"],
            ),
            (vec!["tokenize::words"], vec!["tokenize::words"]),
            (vec!["--token", "--bench"], vec!["--token", "--bench"]),
        ] {
            let line: Vec<String> = line.into_iter().map(str::to_owned).collect();
            assert_eq!(without_secrets(&line), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_arguments_are_taken(arguments in proptest::collection::vec(".{0,20}", 0..5)) {
            proptest::prop_assert_eq!(without_secrets(&arguments).len(), arguments.len());
        }
    }
}
