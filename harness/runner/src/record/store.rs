//! Records as files: written whole or not at all, and read with an error that contains the fault and its place.

use std::{
    fmt, fs,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    COMPARISON_SCHEMA, ComparisonRecord, Record, SCHEMA, comparison, consistent::consistent,
};
use crate::output::{self, Disk, Existing, System};
use plusminus_worker::json::{ToJson, decode, encode, json_object};

/// Why a record could not be read or written.
#[derive(Debug)]
pub enum StoreError {
    /// The file system refused.
    File {
        /// The failed action.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The file is not a record.
    Format {
        /// The file.
        path: PathBuf,
        /// The fault, and its place in the file.
        reason: String,
    },
    /// The file was written by a later version of plusminus.
    Newer {
        /// The file.
        path: PathBuf,
        /// The schema it has.
        schema: u64,
        /// The largest one of its kind that this version reads.
        known: u32,
    },
    /// The file is the report of a comparison as JSON, which lacks what was measured.
    Report {
        /// The file.
        path: PathBuf,
    },
    /// The file is the record of a comparison, and one of a measurement was wanted.
    Comparison {
        /// The file.
        path: PathBuf,
    },
    /// The file is the record of a measurement, and one of a comparison was wanted.
    Measurement {
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { action, path, error } => {
                write!(f, "cannot {action} {}: {error}", path.display())
            }
            Self::Format { path, reason } => {
                write!(f, "{} is not a record of plusminus: {reason}", path.display())
            }
            Self::Newer { path, schema, known } => write!(
                f,
                "{} has schema {schema}, but this version of plusminus reads up to {known}; update plusminus",
                path.display()
            ),
            Self::Report { path } => write!(
                f,
                "{} is the JSON report of a comparison, as `--json` writes it: give the file of `--record`",
                path.display()
            ),
            Self::Comparison { path } => write!(
                f,
                "{} is the record of a comparison: `cargo plusminus compare --from` reads it",
                path.display()
            ),
            Self::Measurement { path } => write!(
                f,
                "{} is the record of a measurement, not of a comparison: `cargo plusminus study` and `cargo bench` read it",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StoreError {}

/// The largest record that is read: beyond, the file is something else.
const LARGEST_BYTES: u64 = 256 << 20;

/// A record of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyRecord {
    /// The result of one invocation.
    Measurement(Box<Record>),
    /// Two versions that were measured in turns.
    Comparison(Box<ComparisonRecord>),
}

/// Reads the record of a measurement.
///
/// # Errors
/// A message with the fault of the file. Nothing of a damaged record is used. A comparison is an error of its own.
pub fn read(path: &Path) -> Result<Record, StoreError> {
    parse(&bytes(path)?, path)
}

/// Reads the record of a comparison.
///
/// # Errors
/// As [`read`]; the record of a measurement is an error of its own.
pub fn read_comparison(path: &Path) -> Result<ComparisonRecord, StoreError> {
    match read_any(path)? {
        AnyRecord::Comparison(record) => Ok(*record),
        AnyRecord::Measurement(_) => Err(StoreError::Measurement { path: path.to_owned() }),
    }
}

/// Reads a record of either kind.
///
/// # Errors
/// A message with the fault of the file. Nothing of a damaged record is used.
pub fn read_any(path: &Path) -> Result<AnyRecord, StoreError> {
    parse_any(&bytes(path)?, path)
}

/// The contents of a file, unless they are too many to be a record.
fn bytes(path: &Path) -> Result<Vec<u8>, StoreError> {
    let file_error = |error| StoreError::File { action: "read", path: path.to_owned(), error };
    // Opening a pipe would wait for its writer, for ever perhaps.
    if !fs::metadata(path).map_err(file_error)?.is_file() {
        let reason = "it is no regular file".to_owned();
        return Err(StoreError::Format { path: path.to_owned(), reason });
    }
    // The stated size of a file is not trusted: files of the system have none.
    let mut text = Vec::new();
    let file = fs::File::open(path).map_err(file_error)?;
    file.take(LARGEST_BYTES + 1).read_to_end(&mut text).map_err(file_error)?;
    Ok(text)
}

/// Reads the record of a measurement that is in memory; errors name `path` as the file that it came from.
pub fn parse(text: &[u8], path: &Path) -> Result<Record, StoreError> {
    match parse_any(text, path)? {
        AnyRecord::Measurement(record) => Ok(*record),
        AnyRecord::Comparison(_) => Err(StoreError::Comparison { path: path.to_owned() }),
    }
}

/// Reads a record of either kind that is in memory; errors name `path` as the file that it came from.
pub fn parse_any(text: &[u8], path: &Path) -> Result<AnyRecord, StoreError> {
    let format_error = |reason: String| StoreError::Format { path: path.to_owned(), reason };
    if text.len() as u64 > LARGEST_BYTES {
        return Err(format_error(format!("it has more than {LARGEST_BYTES} bytes")));
    }
    let version: Version = decode(text).map_err(|error| format_error(error.to_string()))?;
    let is_known = |known: u32| {
        let schema = version.schema;
        match schema > u64::from(known) {
            true => Err(StoreError::Newer { path: path.to_owned(), schema, known }),
            false => Ok(()),
        }
    };
    if version.headline.is_some() {
        return Err(StoreError::Report { path: path.to_owned() });
    }
    if version.kind.is_none() {
        is_known(SCHEMA)?;
        let record: Record = decode(text).map_err(|error| format_error(error.to_string()))?;
        consistent(&record).map_err(format_error)?;
        return Ok(AnyRecord::Measurement(Box::new(record)));
    }
    is_known(COMPARISON_SCHEMA)?;
    let mut record: ComparisonRecord =
        decode(text).map_err(|error| format_error(error.to_string()))?;
    record.identical_code.append(&mut record.unchanged);
    comparison::consistent(&record).map_err(format_error)?;
    Ok(AnyRecord::Comparison(Box::new(record)))
}

json_object! {
    /// The fields that every version of either format has; only comparisons have a kind, and only reports a headline.
    struct Version {
        schema: u64,
        kind: Option<String>,
        headline: Option<String>,
    }
}

/// Writes a record in one step: a reader sees the old file or the new one, never a part.
pub fn write(record: &Record, path: &Path) -> Result<(), StoreError> {
    write_on(&System, record, path)
}

/// Writes a record of either kind as [`write()`] does, on a disk.
pub(crate) fn write_on(
    disk: &dyn Disk,
    record: &dyn ToJson,
    path: &Path,
) -> Result<(), StoreError> {
    write_text(disk, encode(record), path, Existing::Replaced).map_err(writing(path))
}

/// Writes the record of a comparison, as [`write()`] does that of a measurement.
pub fn write_comparison(record: &ComparisonRecord, path: &Path) -> Result<(), StoreError> {
    write_on(&System, record, path)
}

fn writing(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::File { action: "write", path, error }
}

fn write_text(
    disk: &dyn Disk,
    mut text: Vec<u8>,
    path: &Path,
    existing: Existing,
) -> io::Result<()> {
    text.push(b'\n');
    output::write_on(disk, path, existing, |path| disk.write(path, &text))
}

/// Writes a new record under a name of its own, by time and commit, and returns the path that was tried.
///
/// Two processes that begin at the same time get two files: the name is taken by the same step that writes the record.
pub(crate) fn create(
    disk: &dyn Disk,
    record: &Record,
    folder: &Path,
) -> (PathBuf, Result<(), StoreError>) {
    let manifest = &record.manifest;
    loop {
        let path = new_path(disk, folder, &manifest.started, manifest.commit.as_deref());
        match write_text(disk, encode(record), &path, Existing::Kept) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            written => return (path.clone(), written.map_err(writing(&path))),
        }
    }
}

/// A file for a new record, named by time and commit, that does not exist yet.
fn new_path(disk: &dyn Disk, folder: &Path, timestamp: &str, commit: Option<&str>) -> PathBuf {
    // The commit comes from git: nothing of it but letters and digits becomes a path.
    let known: String =
        commit.unwrap_or("").chars().filter(char::is_ascii_alphanumeric).take(10).collect();
    let commit = if known.is_empty() { known } else { format!("-{known}") };
    let base = format!("{}{commit}", timestamp.replace(':', ""));
    let records = folder.join("records");
    (1..)
        .map(|n| if n == 1 { format!("{base}.json") } else { format!("{base}-{n}.json") })
        .map(|name| records.join(name))
        .find(|path| !disk.exists(path))
        .unwrap_or_else(|| records.join(base))
}

/// The time as `2026-01-31T12:34:56Z`.
pub(crate) fn utc_timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of year 0, in eras of 400 years, so that a leap day is the last day of its year.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    #[cfg(unix)]
    use crate::output::Scratch;

    #[cfg(unix)]
    #[test]
    fn names_that_are_taken_and_what_is_no_file_are_left_alone() {
        let folder = Scratch::new("store");
        let records = folder.join("records");
        fs::create_dir_all(&records).unwrap();
        let time = "2026-01-31T12:34:56Z";
        let first = new_path(&System, &folder, time, Some("aé/../é0123456789"));
        assert_eq!(first, records.join("2026-01-31T123456Z-a012345678.json"));
        // A link to nothing has the name all the same.
        std::os::unix::fs::symlink("nothing", &first).unwrap();
        let second = new_path(&System, &folder, time, Some("aé/../é0123456789"));
        assert_eq!(second, records.join("2026-01-31T123456Z-a012345678-2.json"));
        // This pipe has no writer.
        let pipe = folder.join("pipe.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = read(&pipe).unwrap_err().to_string();
        assert!(refused.contains("it is no regular file"), "{refused}");
    }

    #[test]
    fn timestamps_agree_with_the_calendar() {
        let at = |seconds| utc_timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
