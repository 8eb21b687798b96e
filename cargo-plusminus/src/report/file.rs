//! Writes files whole or not at all.

use std::{fs, io::Write, path::Path};

use crate::error::{Result, at, error};

/// Writes a text to a temporary file beside the wanted one, and renames it.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(at("create", folder))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(at("write to", folder))?;
    file.write_all(text.as_bytes()).map_err(at("write", path))?;
    file.persist(path).map_err(|reason| at("write", path)(reason.error))?;
    Ok(())
}

/// Finds out whether [`write`] will succeed, as far as that can be known, before anything expensive is done.
pub(crate) fn check(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() {
        return error("a file to write to needs a name");
    }
    if path.is_dir() {
        return error(format!("{} is a folder: name a file in it", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(at("create", folder))?;
    tempfile::NamedTempFile::new_in(folder).map_err(at("write to", folder))?;
    Ok(())
}
