//! A disk in memory that refuses calls, is full, or is all that is left when the process is killed or the power fails.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::Duration,
};

use super::draw::Draw;
use crate::{
    engine::simulated::SimulatedMachine,
    output::{Disk, Place},
    record::{AnyRecord, parse_any},
};

/// The trouble that a call of the disk meets.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trouble {
    /// Nothing, ever.
    None,
    /// This call fails with this error.
    Refused(ErrorKind),
    /// From here on nothing can be written: half of it is, and an error follows.
    Full,
    /// From here on all calls fail, as on a file system that the system has made read-only.
    ReadOnly,
    Killed,
    /// The power fails: what was not forced to the disk is cut off.
    PowerFails,
}

#[derive(Debug, Clone, PartialEq)]
struct File {
    content: Vec<u8>,
    forced: bool,
}

#[derive(Debug)]
pub(super) struct SimulatedDisk {
    files: RefCell<BTreeMap<PathBuf, File>>,
    trouble: Trouble,
    /// Calls until the trouble.
    left: Cell<usize>,
    /// Whether a removal was refused.
    left_over: Cell<bool>,
    cost: Duration,
    machine: SimulatedMachine,
}

/// The prefix of the name of a file that is not announced yet.
const TEMPORARY: &str = ".plusminus-";

impl SimulatedDisk {
    pub(super) fn draw(draw: &mut Draw, machine: &SimulatedMachine) -> Self {
        let refused = [ErrorKind::PermissionDenied, ErrorKind::StorageFull, ErrorKind::Unsupported];
        let all = [
            Trouble::None,
            Trouble::Refused(draw.any(&refused)),
            Trouble::Refused(draw.any(&refused)),
            Trouble::Full,
            Trouble::ReadOnly,
            Trouble::Killed,
            Trouble::PowerFails,
        ];
        Self {
            files: RefCell::default(),
            trouble: draw.any(&all),
            left: Cell::new(1 + draw.below(120)),
            left_over: Cell::new(false),
            cost: Duration::from_secs_f64(draw.between(1e-6, 1e-2)),
            machine: machine.clone(),
        }
    }

    /// Whether the process outlives its calls.
    pub(super) fn is_alive(&self) -> bool {
        self.left.get() > 0 || !matches!(self.trouble, Trouble::Killed | Trouble::PowerFails)
    }

    /// Whether a call was refused, or may have been.
    pub(super) fn has_refused(&self) -> bool {
        self.left.get() == 0 && self.trouble != Trouble::None
    }

    /// Says whether a call goes well.
    fn call(&self) -> io::Result<()> {
        self.machine.pass(self.cost);
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        match self.trouble {
            Trouble::Refused(kind) if left == 1 => Err(kind.into()),
            Trouble::ReadOnly if left <= 1 => Err(ErrorKind::ReadOnlyFilesystem.into()),
            Trouble::Killed if left <= 1 => Err(io::Error::other("the process is gone")),
            Trouble::PowerFails if left <= 1 => {
                for file in self.files.borrow_mut().values_mut().filter(|file| !file.forced) {
                    file.content.truncate(file.content.len() / 2);
                }
                Err(io::Error::other("the process is gone"))
            }
            _ => Ok(()),
        }
    }

    /// The files and their content, as text; each that is announced has to be whole.
    pub(super) fn left_behind(&self) -> Result<Vec<(PathBuf, AnyRecord)>, String> {
        let files = self.files.borrow();
        let mut records = Vec::new();
        for (path, file) in files.iter() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(TEMPORARY) {
                // Nobody is left to remove it, or it could not be removed.
                if self.is_alive() && !self.left_over.get() {
                    return Err(format!("{name} is left over"));
                }
                continue;
            }
            let record = parse_any(&file.content, path).map_err(|error| error.to_string())?;
            records.push((path.clone(), record));
        }
        Ok(records)
    }

    pub(super) fn content(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.borrow().get(path).map(|file| file.content.clone())
    }

    /// Puts a file there that was written long ago.
    pub(super) fn put(&self, path: &Path, content: Vec<u8>) {
        self.files.borrow_mut().insert(path.to_owned(), File { content, forced: true });
    }
}

impl Disk for SimulatedDisk {
    fn place(&self, path: &Path) -> io::Result<Place> {
        self.call().map(|()| Place::File(path.to_owned()))
    }

    fn prepare(&self, _: &Path) -> io::Result<()> {
        self.call()
    }

    fn create(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        if self.exists(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let empty = File { content: Vec::new(), forced: false };
        self.files.borrow_mut().insert(path.to_owned(), empty);
        Ok(())
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let was_alive = self.is_alive();
        let mut done = self.call();
        if self.trouble == Trouble::Full && self.left.get() == 0 {
            done = Err(ErrorKind::StorageFull.into());
        }
        let part = match &done {
            Ok(()) => content.len(),
            // Who is killed while writing has written a part.
            Err(error)
                if error.kind() == ErrorKind::StorageFull || was_alive && !self.is_alive() =>
            {
                content.len() / 2
            }
            Err(_) => return done,
        };
        let file = File { content: content[..part].to_vec(), forced: false };
        self.files.borrow_mut().insert(path.to_owned(), file);
        done
    }

    fn permit(&self, _: &Path, _: &Path) -> io::Result<()> {
        self.call()
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        let mut files = self.files.borrow_mut();
        files.get_mut(path).ok_or(ErrorKind::NotFound)?.forced = true;
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        let mut files = self.files.borrow_mut();
        let file = files.remove(from).ok_or(ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        if self.exists(to) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let mut files = self.files.borrow_mut();
        let file = files.get(from).cloned().ok_or(ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call().inspect_err(|_| self.left_over.set(true))?;
        let removed = self.files.borrow_mut().remove(path);
        removed.map(drop).ok_or(ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.borrow().contains_key(path)
    }
}
