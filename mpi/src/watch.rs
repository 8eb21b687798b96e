//! Prints for which rank the others wait. If a rank hangs, all others stay in a meeting that it does not come to.
//! Each worker has a thread that then asks the others of this machine for their position, and prints who is behind.
//! It ends nothing: the runner does, at the timeout of the benchmark, and shows its output.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::ranks::gather_bytes;

/// The numbers of meetings that this rank has entered, and left.
static ENTERED: AtomicU64 = AtomicU64::new(0);
static LEFT: AtomicU64 = AtomicU64::new(0);

/// A wait that is worth a word.
const LONG: Duration = Duration::from_secs(2);
/// How often a watcher looks.
const LOOK: Duration = Duration::from_millis(250);
/// How long another rank's watcher may take to answer.
const TO_ANSWER: Duration = Duration::from_millis(600);

/// Begins to wait for all ranks.
#[inline]
pub(crate) fn enter() {
    ENTERED.fetch_add(1, Relaxed);
}

/// All ranks have come.
#[inline]
pub(crate) fn leave() {
    LEFT.fetch_add(1, Relaxed);
}

/// The knowledge of a rank's watcher.
struct Watcher {
    socket: UdpSocket,
    rank: usize,
    /// The watchers of other ranks of this machine.
    others: Vec<(usize, SocketAddr)>,
    /// How far each of them says it is.
    told: Vec<Option<u64>>,
    /// The meeting that this rank waits in, since when, and when the others were asked.
    waiting: Option<(u64, Instant)>,
    asked: Option<Instant>,
}

/// Starts the watcher of this rank. All ranks make this call. Where there is no socket, nothing is watched.
pub(crate) fn start(rank: usize) {
    let socket = UdpSocket::bind("127.0.0.1:0").ok();
    let port = socket
        .as_ref()
        .and_then(|socket| socket.local_addr().ok())
        .map_or(0, |address| address.port());
    let machine = mpi::environment::processor_name().unwrap_or_default();
    let mine = format!("{port} {machine}");
    let others =
        gather_bytes(mine.as_bytes()).into_iter().enumerate().filter_map(|(other, told)| {
            let told = String::from_utf8(told).ok()?;
            let (port, on) = told.split_once(' ')?;
            let port: u16 = port.parse().ok().filter(|&port| port > 0)?;
            (other != rank && on == machine)
                .then(|| (other, SocketAddr::from(([127, 0, 0, 1], port))))
        });
    let others: Vec<_> = others.collect();
    let Some(socket) = socket else { return };
    if socket.set_read_timeout(Some(LOOK)).is_err() {
        return;
    }
    let told = vec![None; others.len()];
    let mut watcher = Watcher { socket, rank, others, told, waiting: None, asked: None };
    // Where no thread can be had, nothing is watched.
    let _ = std::thread::Builder::new().name("watcher".to_owned()).spawn(move || {
        loop {
            watcher.hear();
            watcher.look();
        }
    });
}

impl Watcher {
    /// Hears one question or answer, or nothing for a while.
    fn hear(&mut self) {
        let mut bytes = [0; 9];
        let Ok((9, from)) = self.socket.recv_from(&mut bytes) else { return };
        let Some(other) = self.others.iter().position(|(_, address)| *address == from) else {
            return;
        };
        let [kind, number @ ..] = bytes;
        if kind == b'?' {
            self.send(b'=', ENTERED.load(Relaxed), from);
        } else {
            self.told[other] = Some(u64::from_le_bytes(number));
        }
    }

    fn send(&self, kind: u8, number: u64, to: SocketAddr) {
        let mut bytes = [kind; 9];
        bytes[1..].copy_from_slice(&number.to_le_bytes());
        // A word that is lost is one of another rank that does not answer.
        let _ = self.socket.send_to(&bytes, to);
    }

    /// Asks the others if this rank has waited for long, and prints who is behind.
    fn look(&mut self) {
        let (entered, left) = (ENTERED.load(Relaxed), LEFT.load(Relaxed));
        let same = self.waiting.is_some_and(|(meeting, _)| meeting == entered && entered > left);
        if !same {
            self.waiting = (entered > left).then(|| (entered, Instant::now()));
            self.asked = None;
            return;
        }
        let Some((meeting, since)) = self.waiting else { return };
        match self.asked {
            None if since.elapsed() >= LONG => {
                self.told.fill(None);
                self.asked = Some(Instant::now());
                for &(_, address) in &self.others {
                    self.send(b'?', 0, address);
                }
            }
            Some(asked) if (TO_ANSWER..TO_ANSWER + 2 * LOOK).contains(&asked.elapsed()) => {
                self.say(meeting);
                // Said once: the time of answers is over from now on.
                self.asked = Some(asked - TO_ANSWER - 2 * LOOK);
            }
            _ => {}
        }
    }

    fn say(&self, meeting: u64) {
        let behind =
            self.others.iter().zip(&self.told).filter_map(|((other, _), told)| match told {
                None => Some(format!("rank {other}, which does not answer")),
                Some(told) if *told < meeting => {
                    Some(format!("rank {other}, which is still in its kernel"))
                }
                Some(_) => None,
            });
        let behind: Vec<String> = behind.collect();
        if !behind.is_empty() {
            let seconds = LONG.as_secs();
            eprintln!(
                "plusminus-mpi: rank {} has waited for {seconds} s for {}",
                self.rank,
                behind.join(", ")
            );
        }
    }
}
