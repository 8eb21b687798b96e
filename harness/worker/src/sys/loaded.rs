//! The files that the loader has put into this process.

use std::fs;

/// Returns the files that are mapped into this process: the program and its shared libraries. None on systems other than
/// Linux, which do not list them as a file.
pub fn loaded_files() -> Vec<String> {
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else { return Vec::new() };
    let mut files: Vec<String> = Vec::new();
    for line in maps.lines() {
        // Addresses, rights, offset, device and number stand before the path, which begins with the first slash.
        let Some((_, path)) = line.split_once(" /") else { continue };
        let path = format!("/{path}");
        if !files.contains(&path) {
            files.push(path);
        }
    }
    files
}
