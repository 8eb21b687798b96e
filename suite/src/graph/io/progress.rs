//! How far a file has been read, for readers that wait for it.

use std::fmt;
use std::io::{self, IsTerminal, Read};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How far a file has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the file that have been read, packed ones if it is compressed.
    pub read: u64,
    /// Bytes of the whole file.
    pub total: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.read as f64 / self.total.max(1) as f64;
        write!(f, "{share:.0} % of {:.2} GB", self.total as f64 * 1e-9)
    }
}

/// The receiver of reports, from any thread, after every piece of a file.
pub(super) type Listener<'a> = &'a (dyn Fn(Progress) + Sync);

/// Counts the bytes that have been read, and reports them.
pub(super) struct Meter<'a> {
    read: AtomicU64,
    total: u64,
    listener: Listener<'a>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(total: u64, listener: Listener<'a>) -> Self {
        Self { read: AtomicU64::new(0), total, listener }
    }

    /// Adds this number of bytes that have been read.
    pub(super) fn add(&self, bytes: u64) {
        let read = self.read.fetch_add(bytes, Relaxed) + bytes;
        // Without a length, as in a pipe, all bytes read so far are the total.
        (self.listener)(Progress { read, total: self.total.max(read) });
    }
}

/// Input whose bytes are counted.
pub(super) struct Metered<'a, R> {
    pub(super) input: R,
    pub(super) meter: &'a Meter<'a>,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        if read > 0 {
            self.meter.add(read as u64);
        }
        Ok(read)
    }
}

/// Milliseconds before a first word.
const FIRST: u64 = 2_000;
/// Milliseconds from one word to the next, at least.
const NEXT: u64 = 500;

/// Writes to the terminal.
type Voice = Box<dyn Fn(&str) + Sync>;

/// Says on the terminal how far a reading is once it has taken two seconds, in one line that is written anew twice a second
/// and erased at the end.
///
/// ```no_run
/// use std::path::Path;
///
/// use plusminus_suite::graph::io::{self, Announcer, RowOrder};
///
/// let announcer = Announcer::of_terminal();
/// let graph = io::read_file_watched(Path::new("k25.wsg"), RowOrder::LightFirst, &|progress| announcer.hear(progress));
/// ```
pub struct Announcer {
    clock: Box<dyn Fn() -> Duration + Sync>,
    /// None without a terminal.
    voice: Option<Voice>,
    /// When the next word is due, in milliseconds of the clock.
    due: AtomicU64,
}

impl Announcer {
    /// Writes to stderr if it is a terminal, and otherwise nothing at all. The two seconds begin now.
    pub fn of_terminal() -> Self {
        let start = Instant::now();
        let voice = |text: &str| eprint!("{text}");
        let terminal = io::stderr().is_terminal();
        Self::new(move || start.elapsed(), terminal.then(|| Box::new(voice) as Voice))
    }

    fn new(clock: impl Fn() -> Duration + Sync + 'static, voice: Option<Voice>) -> Self {
        Self { clock: Box::new(clock), voice, due: AtomicU64::new(FIRST) }
    }

    /// Hears how far it is, from any thread and as often as there is news.
    pub fn hear(&self, progress: Progress) {
        let Some(voice) = &self.voice else { return };
        let now = (self.clock)().as_millis() as u64;
        let due = self.due.load(Relaxed);
        // Of several threads with news only one speaks.
        let speaks =
            now >= due && self.due.compare_exchange(due, now + NEXT, Relaxed, Relaxed).is_ok();
        if speaks {
            voice(&format!("\rreading: {progress}\x1b[K"));
        }
    }
}

impl Drop for Announcer {
    fn drop(&mut self) {
        if let Some(voice) = self.voice.as_ref().filter(|_| *self.due.get_mut() > FIRST) {
            voice("\r\x1b[K");
        }
    }
}

impl fmt::Debug for Announcer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcer").field("due", &self.due).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A source that gives a few bytes at a time.
    struct Drops {
        left: usize,
    }

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let given = buffer.len().min(self.left).min(7);
            self.left -= given;
            buffer[..given].fill(b'#');
            Ok(given)
        }
    }

    #[test]
    fn every_piece_of_a_source_is_told_once() {
        for (length, declared) in [(70, 70), (71, 71), (0, 0), (71, 0)] {
            let told = Mutex::new(Vec::new());
            let listener = |progress| told.lock().unwrap().push(progress);
            let meter = Meter::new(declared, &listener);
            let mut source = Metered { input: Drops { left: length }, meter: &meter };
            while source.read(&mut [0; 64]).unwrap() > 0 {}
            let told = told.into_inner().unwrap();
            assert_eq!(told.len(), length.div_ceil(7));
            for (index, progress) in told.iter().enumerate() {
                assert_eq!(progress.read, (7 * (index + 1)).min(length) as u64);
                assert_eq!(progress.total, progress.read.max(declared));
            }
        }
    }

    /// Returns the messages for news every 100 ms, for this time.
    fn said(milliseconds: u64) -> Vec<String> {
        let words = Arc::new(Mutex::new(Vec::new()));
        let now = Arc::new(AtomicU64::new(0));
        let (clock, mouth) = (now.clone(), words.clone());
        let voice = move |text: &str| mouth.lock().unwrap().push(text.to_owned());
        let clock = move || Duration::from_millis(clock.load(Relaxed));
        let announcer = Announcer::new(clock, Some(Box::new(voice)));
        for time in (0..=milliseconds).step_by(100) {
            now.store(time, Relaxed);
            announcer.hear(Progress { read: time, total: 10_000 });
        }
        drop(announcer);
        std::mem::take(&mut words.lock().unwrap())
    }

    #[test]
    fn short_readings_are_silent_and_long_ones_speak_now_and_then() {
        assert_eq!(said(1_900), Vec::<String>::new());
        let words = said(10_000);
        assert_eq!(words.len(), 1 + (10_000 - FIRST as usize) / NEXT as usize + 1);
        assert_eq!(words[0], "\rreading: 20 % of 0.00 GB\x1b[K");
        assert_eq!(words[words.len() - 2], "\rreading: 100 % of 0.00 GB\x1b[K");
        assert_eq!(words[words.len() - 1], "\r\x1b[K", "the line is erased");
    }

    #[test]
    fn without_a_terminal_not_even_the_clock_is_asked() {
        let announcer = Announcer::new(|| panic!("asked"), None);
        announcer.hear(Progress { read: 1, total: 2 });
    }
}
