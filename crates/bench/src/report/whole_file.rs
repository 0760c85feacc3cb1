//! Files that are written whole or not at all.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file to be written at the end of a long command. It is opened at the beginning, so that a path
/// that cannot be written is reported before any time is spent, and it appears under its name only
/// when all of it is on disk: a full disk or a killed process leaves the earlier file as it was.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// A file beside the path, renamed at the end.
    Beside(NamedTempFile),
    /// A device or a pipe, which has no earlier content and must not be replaced by a file.
    Special(File),
}

impl WholeFile {
    /// Opens a file beside `path`.
    ///
    /// # Errors
    /// Errors of the file system, with the path.
    pub fn create(path: &Path) -> io::Result<Self> {
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        let existing = std::fs::metadata(path).ok();
        if existing.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            return Err(named(io::ErrorKind::IsADirectory.into()));
        }
        if existing.as_ref().is_some_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path).map_err(named)?;
            return Ok(Self { path: path.into(), place: Place::Special(file) });
        }
        // A link stays a link: the file behind it is replaced. A file that forbids writing is not.
        let path = path.canonicalize().unwrap_or_else(|_| path.into());
        if existing.is_some() {
            File::options().write(true).open(&path).map_err(named)?;
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        let permissions = existing.map(|found| found.permissions());
        let permissions = permissions.unwrap_or_else(usual_permissions);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fathom-").permissions(permissions);
        let file = builder.tempfile_in(folder).map_err(named)?;
        Ok(Self { path, place: Place::Beside(file) })
    }

    /// Writes the content and gives the file its name.
    ///
    /// # Errors
    /// Errors of the file system, with the path; what was there before is then unchanged.
    pub fn write(self, content: &[u8]) -> io::Result<()> {
        let Self { path, place } = self;
        let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
        match place {
            Place::Special(mut file) => file.write_all(content).map_err(named),
            Place::Beside(mut file) => {
                file.write_all(content).map_err(named)?;
                // A name that survives a crash of the machine has its content too.
                file.as_file().sync_data().map_err(named)?;
                file.persist(&path).map(drop).map_err(|e| named(e.error))
            }
        }
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// Those of [`WholeFile`].
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    WholeFile::create(path)?.write(content)
}

/// Returns the permissions of a new file, which the user's mask restricts: those of a temporary
/// file would let its owner alone read it.
fn usual_permissions() -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(0o666)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the files in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_and_replaces_the_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"first").unwrap();
        let second = WholeFile::create(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"first", "until the end");
        second.write(b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        drop(WholeFile::create(&folder.path().join("never")).unwrap());
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_refused_at_the_beginning() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("missing/a.json")] {
            let error = WholeFile::create(&path).unwrap_err().to_string();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_links_stay_what_they_are() {
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
        let full = write(Path::new("/dev/full"), b"text").unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }
}
