//! What can go wrong before or around measuring, in words for people.

use std::{fmt, io, path::Path, process::ExitCode};

use plusminus::exit;

/// Why a subcommand ends early.
#[derive(Debug)]
pub enum Error {
    /// The user wants to stop: the signal.
    Interrupted(i32),
    /// What was wrong, where, and what to do.
    Message(String),
}

/// The exit code of a subcommand, after its error is printed.
pub fn exit_code(done: Result<i32>) -> ExitCode {
    let code = done.unwrap_or_else(|error| {
        if !matches!(error, Error::Interrupted(_)) {
            plusminus::output::complain(&format!("plusminus: {error}\n"));
        }
        error.code()
    });
    ExitCode::from(code as u8)
}

impl Error {
    /// What the process answers with.
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

/// The result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// An error with this message.
pub fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::Message(message.into()))
}

/// Turns what the system says about a file into a sentence: "cannot {action} {path}: …".
pub fn at<'a>(action: &'a str, path: &'a Path) -> impl FnOnce(io::Error) -> Error + 'a {
    move |error| Error::Message(format!("cannot {action} {}: {error}", path.display()))
}
