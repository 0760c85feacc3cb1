//! Files that are written whole or not at all, and never over a file of another kind.
//!
//! A file is opened beside its path and renamed when all of it is on disk. Until then the earlier
//! file is what it was, also after an interruption, a full disk or a killed process, which leaves a
//! file behind whose name ends in `.part-` and a number. Readers see the earlier file or the new
//! one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The first bytes of a file that tell whether it is text.
const HEAD: u64 = 1024;

/// The files that a new one may replace. Empty files are always replaced.
#[derive(Clone, Copy, Debug)]
pub enum Replaces {
    /// Files that start with these bytes: earlier ones of the same kind.
    Starting(&'static [u8]),
    /// Text, which no key, ciphertext or table is.
    Text,
}

/// The reason why a file was not written; what was there before is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct NotWritten {
    /// The path of the file.
    pub path: PathBuf,
    /// The error of the system, or the refusal to replace what is there.
    pub source: io::Error,
}

impl From<NotWritten> for io::Error {
    fn from(error: NotWritten) -> io::Error {
        io::Error::new(error.source.kind(), error.to_string())
    }
}

/// A file that gets its name when it is whole. It is opened at the beginning of a long command, so
/// that a path that cannot be written is reported before any time is spent.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// A file beside the path, renamed at the end.
    Beside(Part),
    /// A device or a pipe, which has no earlier content and must not be replaced by a file.
    Special(File),
}

/// A file without its final name, which is removed unless it gets it.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    file: File,
    end: End,
}

/// The way in which a written part gets its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The part replaces a file of that name.
    Replace,
    /// The part gets the name only if no file has it.
    Claim,
    /// The part has its name.
    Done,
}

impl WholeFile {
    /// Opens a file that may replace another one. A link stays a link: the file behind it is
    /// replaced. Permissions stay those of the earlier file.
    ///
    /// # Errors
    /// [`NotWritten`]: errors of the system, and an earlier file of another kind or without the
    /// permission to write.
    pub fn replace(path: &Path, what: Replaces) -> Result<WholeFile, NotWritten> {
        let open = || -> io::Result<WholeFile> {
            let Ok(earlier) = fs::metadata(path) else {
                return Ok(WholeFile::beside(path, Part::create(path, None, End::Replace)?));
            };
            if earlier.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            if !earlier.is_file() {
                let file = File::options().write(true).open(path)?;
                return Ok(WholeFile { path: path.into(), place: Place::Special(file) });
            }
            let path = path.canonicalize()?;
            File::options().write(true).open(&path)?;
            what.check(&path)?;
            let part = Part::create(&path, None, End::Replace)?;
            part.file.set_permissions(earlier.permissions())?;
            Ok(WholeFile::beside(&path, part))
        };
        open().map_err(|source| NotWritten { path: path.into(), source })
    }

    /// Opens a file that must not exist, such as a key. `mode` states who may read and write it, on
    /// systems that have modes.
    ///
    /// # Errors
    /// [`NotWritten`]: errors of the system, and [`ErrorKind::AlreadyExists`].
    pub fn create_new(path: &Path, mode: u32) -> Result<WholeFile, NotWritten> {
        let open = || {
            if fs::symlink_metadata(path).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            Ok(WholeFile::beside(path, Part::create(path, Some(mode), End::Claim)?))
        };
        open().map_err(|source| NotWritten { path: path.into(), source })
    }

    fn beside(path: &Path, part: Part) -> WholeFile {
        WholeFile { path: path.into(), place: Place::Beside(part) }
    }

    /// Gives the file its name, once all of it is written.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn finish(self) -> Result<(), NotWritten> {
        let WholeFile { path, place } = self;
        let done = match place {
            Place::Special(mut file) => file.flush(),
            Place::Beside(part) => part.rename(&path),
        };
        done.map_err(|source| NotWritten { path, source })
    }

    /// Writes the content and gives the file its name.
    ///
    /// # Errors
    /// [`NotWritten`].
    pub fn write_whole(mut self, content: &[u8]) -> Result<(), NotWritten> {
        match self.write_all(content) {
            Ok(()) => self.finish(),
            Err(source) => Err(NotWritten { path: self.path, source }),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Beside(part) => part.file.write(bytes),
            Place::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Beside(part) => part.file.flush(),
            Place::Special(file) => file.flush(),
        }
    }
}

impl Part {
    /// Creates a file beside `path` that no other writer has.
    fn create(path: &Path, mode: Option<u32>, end: End) -> io::Result<Part> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(mode) = mode {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        }
        #[cfg(not(unix))]
        let _ = mode;
        let mut number = 0_u64;
        loop {
            let part = path.with_added_extension(format!("part-{number}"));
            match options.open(&part) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                file => return Ok(Part { path: part, file: file?, end }),
            }
        }
    }

    fn rename(mut self, path: &Path) -> io::Result<()> {
        // A name that survives a crash of the machine has its content too.
        self.file.sync_all()?;
        if self.end == End::Claim {
            // Of several writers, one creates the file, and that one replaces it.
            File::create_new(path)?;
            fs::rename(&self.path, path).inspect_err(|_| drop(fs::remove_file(path)))?;
        } else {
            fs::rename(&self.path, path)?;
        }
        self.end = End::Done;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if self.end != End::Done {
            // What cannot be removed has a name that nobody takes for the file.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Replaces {
    /// Refuses an earlier file of another kind.
    fn check(self, path: &Path) -> io::Result<()> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        let is_own = match self {
            Replaces::Starting(start) => head.starts_with(start),
            Replaces::Text => is_text(&head),
        };
        if is_own || head.is_empty() {
            return Ok(());
        }
        let text = "a file of another kind is there, such as a key, and stays as it is; name \
                    another file, or move this one away";
        Err(io::Error::new(ErrorKind::AlreadyExists, text))
    }
}

/// Returns whether bytes are the beginning of a text.
fn is_text(head: &[u8]) -> bool {
    let is_whole = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_whole && !head.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of one test, which is removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("fathom-whole-file-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn file(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        /// Returns the names of the files.
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap().flatten();
            let mut names: Vec<_> =
                entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn write(path: &Path, content: &[u8]) -> Result<(), NotWritten> {
        WholeFile::replace(path, Replaces::Text)?.write_whole(content)
    }

    #[test]
    fn a_file_appears_whole_and_replaces_the_earlier_one() {
        let folder = Folder::new("whole");
        let path = folder.file("a.json");
        write(&path, b"first").unwrap();
        let mut second = WholeFile::replace(&path, Replaces::Text).unwrap();
        second.write_all(b"sec").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first", "until the end");
        second.write_all(b"ond").unwrap();
        second.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        drop(WholeFile::replace(&folder.file("never"), Replaces::Text).unwrap());
        drop(WholeFile::create_new(&folder.file("never"), 0o600).unwrap());
        assert_eq!(folder.names(), ["a.json"]);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_refused_at_the_beginning() {
        let folder = Folder::new("refused");
        for path in [folder.0.clone(), folder.file("missing/a.json")] {
            let error = WholeFile::replace(&path, Replaces::Text).unwrap_err().to_string();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
        }
    }

    #[test]
    fn a_file_of_another_kind_stays_as_it_is() {
        let folder = Folder::new("kinds");
        let path = folder.file("found");
        let cut = &"é".as_bytes()[..1];
        let cases: [(&[u8], Replaces, bool); 8] = [
            (b"FTHMCSK1\0\0", Replaces::Text, false),
            (b"FTHMCSK1\0\0", Replaces::Starting(b"FTHMCRS1"), false),
            (b"FTHMCRS1\0\0", Replaces::Starting(b"FTHMCRS1"), true),
            (b"FTH", Replaces::Starting(b"FTHMCRS1"), false),
            (b"", Replaces::Starting(b"FTHMCRS1"), true),
            (&[b"text", cut].concat(), Replaces::Text, true),
            (&[cut, b"text"].concat(), Replaces::Text, false),
            (b"text", Replaces::Starting(b"FTHMCRS1"), false),
        ];
        for (found, replaces, is_replaced) in cases {
            fs::write(&path, found).unwrap();
            let opened = WholeFile::replace(&path, replaces);
            assert_eq!(opened.is_ok(), is_replaced, "{found:?} by {replaces:?}");
            if let Err(refused) = opened {
                assert_eq!(refused.source.kind(), ErrorKind::AlreadyExists);
                assert!(refused.to_string().contains("name another file"), "{refused}");
            }
            assert_eq!(fs::read(&path).unwrap(), found);
        }
        assert_eq!(folder.names(), ["found"]);
    }

    #[test]
    fn a_new_file_replaces_nothing_and_has_its_mode() {
        let folder = Folder::new("new");
        let path = folder.file("key");
        let [first, second] = [(); 2].map(|()| WholeFile::create_new(&path, 0o600).unwrap());
        first.write_whole(b"first").unwrap();
        let late = second.write_whole(b"second").unwrap_err();
        assert_eq!(late.source.kind(), ErrorKind::AlreadyExists);
        assert!(WholeFile::create_new(&path, 0o600).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(folder.names(), ["key"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_links_and_permissions_stay_what_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let full = write(Path::new("/dev/full"), b"text").unwrap_err();
        assert_eq!(full.source.kind(), ErrorKind::StorageFull);
        let folder = Folder::new("links");
        let (file, link) = (folder.file("file"), folder.file("link"));
        write(&file, b"old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
