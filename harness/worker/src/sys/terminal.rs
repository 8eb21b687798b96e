//! Terminals: their width, and messages for who sits there.

/// A standard stream that may lead to a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// The columns of the terminal behind a stream; `None` where there is none, or it does not tell.
#[cfg(unix)]
pub fn terminal_columns(stream: Stream) -> Option<usize> {
    let descriptor = match stream {
        Stream::Output => libc::STDOUT_FILENO,
        Stream::Error => libc::STDERR_FILENO,
    };
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: `size` is a valid, writable winsize for the whole call, which is what this request writes to; on a
    // descriptor that is closed or no terminal the call fails and writes nothing.
    let result = unsafe { libc::ioctl(descriptor, libc::TIOCGWINSZ, &mut size) };
    (result == 0 && size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// The columns of the terminal behind a stream: not known on this system.
#[cfg(not(unix))]
pub fn terminal_columns(_: Stream) -> Option<usize> {
    None
}

/// Prints a text on standard error, at once. There is no other place to report that this is impossible.
pub fn complain(text: &str) {
    use std::io::Write as _;
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
