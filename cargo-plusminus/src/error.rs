//! Errors before or around measuring, in words for people.

use std::{fmt, io, path::Path, process::ExitCode};

use plusminus::{exit, output::complain, record::StoreError, text::sentence};

/// Why a subcommand ends early.
#[derive(Debug, Clone)]
pub enum Error {
    /// The user wants to stop: the signal.
    Interrupted(i32),
    /// The fault, its place, and the cure.
    Message(String),
}

/// The exit code of a subcommand, after its error is printed.
pub fn exit_code(done: Result<i32>) -> ExitCode {
    let code = done.unwrap_or_else(|error| {
        if !matches!(error, Error::Interrupted(_)) {
            complain(&format!("plusminus: {}\n", harmless(&error.to_string())));
        }
        error.code()
    });
    ExitCode::from(code as u8)
}

/// Returns a message line by line, with nothing hidden in it: it may hold paths, and output of other programs.
pub(crate) fn harmless(message: &str) -> String {
    message.lines().map(sentence).collect::<Vec<_>>().join("\n")
}

impl Error {
    fn code(&self) -> i32 {
        match self {
            Self::Interrupted(signal) => exit::INTERRUPTED + signal,
            Self::Message(_) => exit::FAILED,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted(signal) => write!(f, "interrupted by signal {signal}"),
            Self::Message(message) => f.write_str(message),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Message(error.to_string())
    }
}

/// The result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// An error with this message.
pub fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::Message(message.into()))
}

/// Turns an error of the system about a file into a sentence: "cannot {action} {path}: …".
pub fn at<'a>(action: &'a str, path: &'a Path) -> impl FnOnce(io::Error) -> Error + 'a {
    move |error| Error::Message(format!("cannot {action} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn messages_keep_their_lines_and_hide_nothing() {
        let said = harmless("git says:\n::error::x\u{1b}[2J\n  indented");
        assert_eq!(said, "git says:\n\\u{3a}:error::x\\u{1b}[2J\n  indented");
    }
}
