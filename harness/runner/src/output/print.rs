//! Standard output.

use std::io::{self, Write};

/// Prints a text on standard output, at once.
///
/// A reader may close the pipe early, as `head` does, without causing an error.
pub fn print(text: &str) -> Result<(), String> {
    written(io::stdout().lock(), text)
}

fn written(mut to: impl Write, text: &str) -> Result<(), String> {
    match to.write_all(text.as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Refusing(io::ErrorKind);

    impl Write for Refusing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_a_closed_pipe_is_forgiven() {
        assert_eq!(written(Refusing(io::ErrorKind::BrokenPipe), "x"), Ok(()));
        let refused = written(Refusing(io::ErrorKind::StorageFull), "x").unwrap_err();
        assert!(refused.starts_with("cannot write to standard output: "), "{refused}");
        assert_eq!(written(Vec::new(), "x"), Ok(()));
    }
}
