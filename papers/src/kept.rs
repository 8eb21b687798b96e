//! Records that are kept: a folder for each paper, and files that gzip has compressed.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use cargo_plusminus::{
    error::{Result, at, error},
    study::named_system,
};
use flate2::read::GzDecoder;

/// The records of a paper from the paths that a command line names. Compressed ones are unpacked below a folder.
pub(super) fn records(paths: &[PathBuf], paper: &str, unpacked: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let folder = path.join(paper);
        let files = fs::read_dir(&folder).map_err(at("read", &folder))?;
        let mut files: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        if files.is_empty() {
            return error(format!("{} has no records", folder.display()));
        }
        found.append(&mut files);
    }
    found.iter().map(|path| plain(path, unpacked)).collect()
}

/// The same record as a plain file.
fn plain(argument: &Path, folder: &Path) -> Result<PathBuf> {
    let (name, path) = named_system(argument);
    if path.extension().is_none_or(|ending| ending != "gz") {
        return Ok(argument.to_owned());
    }
    let compressed = fs::read(&path).map_err(at("read", &path))?;
    let mut record = Vec::new();
    GzDecoder::new(&compressed[..]).read_to_end(&mut record).map_err(at("unpack", &path))?;
    fs::create_dir_all(folder).map_err(at("create", folder))?;
    let to = folder.join(path.file_stem().unwrap_or(path.as_os_str()));
    fs::write(&to, record).map_err(at("write", &to))?;
    Ok(match name {
        Some(name) => PathBuf::from(format!("{name}={}", to.display())),
        None => to,
    })
}
