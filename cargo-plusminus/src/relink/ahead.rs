//! Gives each round of a comparison programs that were linked for it, some rounds ahead.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
};

use plusminus::{
    engine::{Layouts, Program, Versions, WorkerError},
    system::go_last,
};

use super::{
    Recipe,
    once::check_order,
    order::{Order, SharedOrder},
};

/// How many rounds are linked ahead if a processor is free. The first rounds take longer than a link, the last ones, with few open
/// rows, take less and use up what was linked ahead.
const ROUNDS_AHEAD: u32 = 8;

/// A program, and how it was linked.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// How it is started; its file is replaced by those of the rounds.
    pub(crate) program: Program,
    pub(crate) recipe: Recipe,
}

/// Both versions of a program, linked again for each round. Dropping it removes the files.
#[derive(Debug)]
pub(crate) struct Relinked {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    base: Origin,
    new: Origin,
    /// Where the programs of rounds of base and new are put, with the beginning of their names.
    stems: [PathBuf; 2],
    seed: u64,
    /// The order that both sides share, where their symbols tell one.
    order: Option<SharedOrder>,
    /// How many rounds are linked before they are asked for.
    ahead: u32,
    state: Mutex<State>,
    changed: Condvar,
}

/// A program of a round: of base, or of new.
type Task = (u32, usize);

const SIDES: [&str; 2] = ["base", "new"];

#[derive(Debug, Default)]
struct State {
    /// The round that is being measured.
    round: u32,
    /// The next round of each side to link.
    next: [u32; 2],
    /// Programs that are linked, or why they are not.
    linked: BTreeMap<Task, Result<(), String>>,
    ended: bool,
}

impl State {
    /// Takes the earliest program that no thread links yet, at most `ahead` rounds after the one that is measured. Skips rounds
    /// that have passed.
    fn take(&mut self, ahead: u32) -> Option<Task> {
        self.next = self.next.map(|next| next.max(self.round));
        let (round, side) = (0..SIDES.len()).map(|side| (self.next[side], side)).min()?;
        (round <= self.round + ahead).then(|| {
            self.next[side] += 1;
            (round, side)
        })
    }
}

impl Relinked {
    /// Begins to link. With `ahead`, the next rounds are linked while one is measured, which needs a processor on
    /// which nothing measures. Files lie in the folder of the stem of their side, and begin with its name.
    ///
    /// # Errors
    /// Why the sections of these programs cannot be put into another order: found by doing so.
    pub(crate) fn begin(
        base: Origin,
        new: Origin,
        stems: [PathBuf; 2],
        seed: u64,
        ahead: bool,
    ) -> Result<Self, String> {
        let order = SharedOrder::of(&base.program.binary, &new.program.binary);
        let shared = Shared {
            base,
            new,
            stems,
            seed,
            order,
            ahead: if ahead { ROUNDS_AHEAD } else { 0 },
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        let shared = Arc::new(shared.with_first_round()?);
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("linking".to_owned());
        let serve = move || {
            // Processes that are measured go first.
            go_last();
            own.serve();
        };
        let thread = thread.spawn(serve).map_err(|reason| reason.to_string())?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Layouts for Relinked {
    fn of_round(&self, round: u32) -> Result<Versions, WorkerError> {
        let shared = &self.shared;
        let mut state = shared.lock();
        for gone in state.linked.keys().take_while(|(linked, _)| *linked < round) {
            shared.remove(*gone);
        }
        state.linked.retain(|(linked, _), _| *linked >= round);
        state.round = round;
        shared.changed.notify_all();
        drop(state);
        // This thread would only wait: it links as well.
        while let Some(task) = shared.take(0) {
            shared.link_for(task);
        }
        for side in 0..SIDES.len() {
            shared.linked((round, side)).map_err(WorkerError::Protocol)?;
        }
        let version = |origin: &Origin, side| Program {
            binary: shared.file(side, round),
            ..origin.program.clone()
        };
        Ok(Versions {
            base: version(&shared.base, "base"),
            new: version(&shared.new, "new"),
            control: Some(version(&shared.base, "copy")),
        })
    }

    fn is_ready(&self, round: u32) -> bool {
        let shared = &self.shared;
        let state = shared.lock();
        shared.ahead == 0 || (0..SIDES.len()).all(|side| state.linked.contains_key(&(round, side)))
    }
}

impl Drop for Relinked {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        for round in self.shared.lock().linked.keys() {
            self.shared.remove(*round);
        }
    }
}

impl Shared {
    /// Links the first round; where the linker cannot have both sides share an order, each gets its own.
    fn with_first_round(mut self) -> Result<Self, String> {
        let first = (0..SIDES.len()).try_for_each(|side| self.link((0, side)));
        if first.is_err() && self.order.take().is_some() {
            (0..SIDES.len()).try_for_each(|side| self.link((0, side)))?;
        } else {
            first?;
        }
        check_order(&self.base.program.binary, &self.file("base", 0))?;
        let mut state = self.lock();
        state.next = [1, 1];
        state.linked.extend((0..SIDES.len()).map(|side| ((0, side), Ok(()))));
        drop(state);
        Ok(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The results of the other thread are whole at every moment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Links round after round, never more than `ahead` before the one that is measured, until the end.
    fn serve(&self) {
        loop {
            let mut task = None;
            let nothing_to_do = |state: &mut State| {
                task = state.take(self.ahead);
                !state.ended && task.is_none()
            };
            let waited = self.changed.wait_while(self.lock(), nothing_to_do);
            if waited.unwrap_or_else(PoisonError::into_inner).ended {
                return;
            }
            if let Some(task) = task {
                self.link_for(task);
            }
        }
    }

    fn take(&self, ahead: u32) -> Option<Task> {
        self.lock().take(ahead)
    }

    /// Links a program, and wakes the threads that wait for it.
    fn link_for(&self, task: Task) {
        let linked = self.link(task);
        self.lock().linked.insert(task, linked);
        self.changed.notify_all();
    }

    /// Waits until a program is linked.
    fn linked(&self, task: Task) -> Result<(), String> {
        let mut state = self.lock();
        loop {
            if let Some(linked) = state.linked.get(&task) {
                return linked.clone();
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Links a program, and gives that of base a second name for the control. The system keeps a copy in other pieces than what a
    /// linker has written, and code that needs many of them is a percent faster in a copy.
    fn link(&self, (round, side): Task) -> Result<(), String> {
        let file = self.file(SIDES[side], round);
        let recipe = &[&self.base, &self.new][side].recipe;
        match &self.order {
            None => recipe.link(self.seed_of(2 * round + side as u32), None, &file)?,
            Some(order) => {
                let seed = self.seed_of(2 * round);
                let mut symbols = file.clone().into_os_string();
                symbols.push(".symbols");
                let symbols = PathBuf::from(symbols);
                let text = order
                    .write(seed.into(), side, &symbols)
                    .map_err(|reason| format!("cannot write {}: {reason}", symbols.display()))?;
                let linked = recipe.link(seed, Some(Order { symbols: &symbols, text }), &file);
                let _ = fs::remove_file(&symbols);
                linked?;
            }
        }
        if side > 0 {
            return Ok(());
        }
        let copy = self.file("copy", round);
        fs::hard_link(&file, &copy)
            .or_else(|_| fs::copy(&file, &copy).map(drop))
            .map_err(|reason| format!("cannot copy {}: {reason}", file.display()))
    }

    fn file(&self, side: &str, round: u32) -> PathBuf {
        let mut name = self.stems[usize::from(side == "new")].as_os_str().to_owned();
        name.push(format!("-{side}-{round}{}", std::env::consts::EXE_SUFFIX));
        name.into()
    }

    fn remove(&self, (round, side): Task) {
        let names: &[&str] = if side == 0 { &["base", "copy"] } else { &["new"] };
        for name in names {
            // The folder goes after the comparison anyway.
            let _ = fs::remove_file(self.file(name, round));
        }
    }

    /// A seed for the linker: neither 0, by which it would choose one itself, nor too large for it.
    fn seed_of(&self, number: u32) -> u32 {
        let mixed = (self.seed ^ u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((mixed >> 33) as u32).max(1)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    /// A linker that writes the order into its output: with `fails_at`, not that of this round.
    fn origin(folder: &Path, name: &str, script: &str) -> Origin {
        let program = folder.join(name);
        fs::write(&program, "plain").unwrap();
        let arguments: Vec<String> =
            ["-c", script, "sh", "-o", "x"].iter().map(|&text| text.to_owned()).collect();
        super::super::keep("sh".as_ref(), true, &arguments, &program).unwrap();
        Origin { recipe: Recipe::of(&program).unwrap(), program: Program::of(&program) }
    }

    const WRITES_ITS_ORDER: &str = "echo \"$3\" > \"$2\"";

    fn relinked(folder: &Path, script: &str, ahead: bool) -> Result<Relinked, String> {
        let [base, new] = ["base", "new"].map(|name| origin(folder, name, script));
        Relinked::begin(base, new, [folder.join("0"), folder.join("0")], 5, ahead)
    }

    fn files(folder: &Path) -> usize {
        let round = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("0-");
        fs::read_dir(folder).unwrap().filter(|entry| round(entry.as_ref().unwrap())).count()
    }

    #[test]
    fn every_round_has_an_order_of_its_own_and_leaves_nothing() {
        for ahead in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let layouts = relinked(folder.path(), WRITES_ITS_ORDER, ahead).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            // A round that is requested twice has one layout; round 3 is skipped.
            for round in [0, 0, 1, 2, 4, 4, 5] {
                let versions = layouts.of_round(round).unwrap();
                let text = |program: &Program| fs::read_to_string(&program.binary).unwrap();
                let (base, new) = (text(&versions.base), text(&versions.new));
                assert_eq!(text(versions.control.as_ref().unwrap()), base);
                assert_ne!(base, new);
                seen.extend([base, new]);
                let most = 3 * (2 + ROUNDS_AHEAD as usize);
                assert!(files(folder.path()) <= most, "those of earlier rounds are gone");
            }
            assert_eq!(seen.len(), 10);
            drop(layouts);
            assert_eq!(files(folder.path()), 0);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_orders() {
        let orders = || {
            let folder = tempfile::tempdir().unwrap();
            let layouts = relinked(folder.path(), WRITES_ITS_ORDER, true).unwrap();
            [0, 1, 2].map(|round| {
                fs::read_to_string(layouts.of_round(round).unwrap().new.binary).unwrap()
            })
        };
        assert_eq!(orders(), orders());
    }

    #[test]
    fn a_linker_that_cannot_is_found_out_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let failed = relinked(folder.path(), "echo unknown option >&2; exit 1", true).unwrap_err();
        assert!(failed.ends_with("unknown option"), "{failed}");
        let ignores = relinked(folder.path(), "printf plain > \"$2\"", true).unwrap_err();
        assert!(ignores.contains("in their order"), "{ignores}");
    }

    #[test]
    fn a_link_that_fails_later_is_told_when_its_round_comes() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!("case $2 in *-1) echo full >&2; exit 1;; esac; {WRITES_ITS_ORDER}");
        let layouts = relinked(folder.path(), &script, true).unwrap();
        layouts.of_round(0).unwrap();
        assert!(
            matches!(layouts.of_round(1), Err(WorkerError::Protocol(why)) if why.contains("full"))
        );
    }
}
