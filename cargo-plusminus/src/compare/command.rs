//! Runs git and cargo so that an interrupt ends them, and what they say reaches the user.

use std::{
    io::Read,
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use plusminus::system::{interrupt, kill_group, own_group};

use crate::error::{Error, Result, error};

/// How often a waiting comparison looks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a command to its end and captures its output; standard error only if it is not to be shown.
///
/// The command gets a process group of its own, so that an interrupt typed at the terminal reaches us alone and we
/// end it with everything it has started.
pub(super) fn run(mut command: Command, show_errors: bool) -> Result<Output> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(if show_errors { Stdio::inherit() } else { Stdio::piped() });
    own_group(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(reason) => {
            return error(format!("cannot run `{program}`: {reason}; is it installed?"));
        }
    };
    let stdout = child.stdout.take().map(read_all);
    let stderr = child.stderr.take().map(read_all);
    let status = loop {
        if let Some(signal) = interrupt() {
            end(&mut child);
            return Err(Error::Interrupted(signal));
        }
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => thread::sleep(LOOK),
            Err(reason) => return error(format!("cannot wait for `{program}`: {reason}")),
        }
    };
    let joined = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok(Output { status, stdout: joined(stdout), stderr: joined(stderr) })
}

fn end(child: &mut Child) {
    kill_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads a pipe to its end, so that its writer never waits.
fn read_all(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}
