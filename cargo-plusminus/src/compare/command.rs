//! Runs git and cargo so that an interrupt, the end of this process or a time limit ends them and all that they have
//! started, and what they say reaches the user.

use std::{
    env,
    ffi::OsString,
    io::{self, Read},
    path::PathBuf,
    process::{self, Child, Command, Output, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use plusminus::system::{interrupt, kill_group, own_group};

use crate::error::{Error, Result, error};

/// Interval between looks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// Time that is left for the output of a command that has ended: a daemon that it started may hold the pipe for ever.
const GRACE: Duration = Duration::from_secs(2);

/// Time after which git is considered hung.
pub(super) const QUESTION: Duration = Duration::from_secs(60);

/// Time after which a check-out is considered hung: large files and submodules may come from a server.
pub(super) const CHECK_OUT: Duration = Duration::from_secs(1800);

/// Runs a command to its end and captures both of its outputs.
///
/// # Errors
/// When it cannot be started, is interrupted, or takes longer than `limit`.
pub(super) fn ask(command: Command, limit: Duration) -> Result<Output> {
    run(command, [Stdio::null(), Stdio::piped(), Stdio::piped()], Some(limit))
}

/// Runs a program of the user to its end, however long that takes, and captures its errors.
///
/// # Errors
/// When it cannot be started, or is interrupted.
pub(crate) fn watched(command: Command, stdin: Stdio) -> Result<Output> {
    run(command, [stdin, Stdio::null(), Stdio::piped()], None)
}

/// Runs a command that may take long, under a guard which ends all that it has started if this process is killed.
///
/// # Errors
/// As [`ask`]; without a limit the command may take as long as it likes.
pub(super) fn guarded(
    command: &Command,
    show_errors: bool,
    limit: Option<Duration>,
) -> Result<Output> {
    let stderr = if show_errors { Stdio::inherit() } else { Stdio::piped() };
    match guard_of(command) {
        Some(guard) => run(guard, [Stdio::piped(), Stdio::piped(), stderr], limit),
        None => error("the program of this subcommand is gone: install it again"),
    }
}

/// The message of a command that failed, behind ours: above, if its errors were shown.
pub(super) fn said(output: &Output) -> String {
    match String::from_utf8_lossy(&output.stderr).trim() {
        "" => "; cargo's message is above".to_owned(),
        said => format!(":\n{said}"),
    }
}

fn run(mut command: Command, streams: [Stdio; 3], limit: Option<Duration>) -> Result<Output> {
    let shown = shown(&command);
    let [stdin, stdout, stderr] = streams;
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    // A group of its own: an interrupt typed at the terminal reaches us alone, and we end the whole group.
    own_group(&mut command);
    let begin = Instant::now();
    let mut child = command
        .spawn()
        .or_else(|reason| error(format!("cannot run `{shown}`: {reason}; is it installed?")))?;
    let stdout = child.stdout.take().map(Pipe::of).transpose();
    let stderr = child.stderr.take().map(Pipe::of).transpose();
    let (stdout, stderr) = match stdout.and_then(|stdout| Ok((stdout, stderr?))) {
        Ok(pipes) => pipes,
        Err(reason) => {
            end(&mut child);
            return error(format!("cannot read what `{shown}` prints: {reason}"));
        }
    };
    let status = loop {
        if let Some(signal) = interrupt() {
            end(&mut child);
            return Err(Error::Interrupted(signal));
        }
        if limit.is_some_and(|limit| begin.elapsed() > limit) {
            end(&mut child);
            let seconds = begin.elapsed().as_secs();
            return error(format!("`{shown}` was ended: it did not finish within {seconds} s"));
        }
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => thread::sleep(LOOK),
            Err(reason) => return error(format!("cannot wait for `{shown}`: {reason}")),
        }
    };
    let text =
        |pipe: Option<Pipe>| pipe.map(Pipe::finish).transpose().map(Option::unwrap_or_default);
    match text(stdout).and_then(|stdout| Ok((stdout, text(stderr)?))) {
        Ok((stdout, stderr)) => Ok(Output { status, stdout, stderr }),
        Err(reason) => error(format!("cannot read what `{shown}` prints: {reason}")),
    }
}

/// The program and its first arguments, for messages.
fn shown(command: &Command) -> String {
    let guard = command.get_args().next().is_some_and(|first| first == GUARD);
    let arguments = command.get_args().skip(if guard { 2 } else { 0 });
    let program = [command.get_program()];
    let words = program.into_iter().filter(|_| !guard).chain(arguments);
    let text: Vec<String> = words.take(5).map(|word| word.to_string_lossy().into_owned()).collect();
    text.join(" ").escape_debug().to_string()
}

fn end(child: &mut Child) {
    kill_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// The output of a child, read as it comes so that its writer never waits.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<io::Result<()>>,
}

impl Pipe {
    /// # Errors
    /// Where the system allows no more threads.
    fn of(mut pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let kept = Arc::clone(&bytes);
        thread::Builder::new().spawn(move || {
            let mut chunk = [0_u8; 1 << 16];
            let ended = loop {
                match pipe.read(&mut chunk) {
                    Ok(0) => break Ok(()),
                    Ok(count) => {
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        kept.extend_from_slice(&chunk[..count]);
                    }
                    Err(reason) if reason.kind() == io::ErrorKind::Interrupted => {}
                    Err(reason) => break Err(reason),
                }
            };
            let _ = sender.send(ended);
        })?;
        Ok(Self { bytes, ended })
    }

    /// All that was written; what came until now where a process that the command left behind holds the pipe.
    ///
    /// # Errors
    /// Where it could not be read to its end.
    fn finish(self) -> io::Result<Vec<u8>> {
        self.ended.recv_timeout(GRACE).unwrap_or(Ok(()))?;
        Ok(std::mem::take(&mut self.bytes.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

const GUARD: &str = "guard";

/// A command that starts another one; for `compare` itself.
#[derive(Debug, clap::Args)]
pub(crate) struct GuardArguments {
    /// The program and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Puts this program, as guard, in front of a command.
fn guard_of(command: &Command) -> Option<Command> {
    // A program that was replaced while it runs is still found under this name.
    let running = PathBuf::from("/proc/self/exe");
    let program = if running.exists() { running } else { env::current_exe().ok()? };
    let mut guard = Command::new(program);
    guard.arg(GUARD).arg("--").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => guard.env(name, value),
            None => guard.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        guard.current_dir(folder);
    }
    Some(guard)
}

/// Runs a command, and kills it with all of this process group when standard input ends: when the process that
/// started this one is gone, however it ended.
pub(crate) fn stand_guard(arguments: &GuardArguments) -> Result<i32> {
    let [program, rest @ ..] = &arguments.command[..] else { return error("guard of nothing") };
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null());
    let mut child = command.spawn().or_else(|reason| {
        let program = program.to_string_lossy();
        error(format!("cannot run `{}`: {reason}; is it installed?", program.escape_debug()))
    })?;
    let watching = thread::Builder::new().spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        kill_group(process::id());
        process::exit(plusminus::exit::FAILED);
    });
    if let Err(reason) = watching {
        let _ = child.kill();
        let _ = child.wait();
        return error(format!("cannot watch over a command: {reason}"));
    }
    let status = child.wait();
    let status = status.or_else(|reason| error(format!("cannot wait for a command: {reason}")))?;
    Ok(status.code().unwrap_or(plusminus::exit::FAILED))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_ended_and_named() {
        let mut command = Command::new("sleep");
        command.arg("1000");
        let ended = ask(command, Duration::from_millis(50));
        let Err(Error::Message(message)) = ended else { panic!("{ended:?}") };
        assert!(message.contains("`sleep 1000` was ended"), "{message}");
    }

    #[test]
    fn a_daemon_that_keeps_the_pipe_does_not_hold_the_answer_back() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo answer; sleep 1000 & echo $! >&2"]);
        let output = ask(command, QUESTION).unwrap();
        let daemon = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Command::new("kill").arg(daemon).status().unwrap();
        assert_eq!(output.stdout, b"answer\n");
    }
}
