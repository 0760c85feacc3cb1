//! Bytes of expanded keys that several threads read at once.

use std::fs::File;
use std::io::{ErrorKind, Result};
#[cfg(not(unix))]
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
#[cfg(not(unix))]
use std::sync::{Mutex, PoisonError};

/// A file or bytes in memory.
#[derive(Debug)]
pub(super) enum Source<'a> {
    /// One open file: a writer may replace the one of this path meanwhile.
    #[cfg(unix)]
    File(File),
    #[cfg(not(unix))]
    File(Mutex<File>),
    Bytes(&'a [u8]),
}

impl Source<'_> {
    pub(super) fn open(path: &Path) -> Result<Source<'static>> {
        let file = File::open(path)?;
        #[cfg(not(unix))]
        let file = Mutex::new(file);
        Ok(Source::File(file))
    }

    /// Returns the number of bytes, at most `usize::MAX`.
    pub(super) fn len(&self) -> Result<usize> {
        match self {
            Source::Bytes(bytes) => Ok(bytes.len()),
            Source::File(file) => {
                #[cfg(not(unix))]
                let file = file.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX))
            }
        }
    }

    /// Fills `out` with the bytes from `offset` on.
    pub(super) fn read_at(&self, offset: usize, out: &mut [u8]) -> Result<()> {
        match self {
            Source::Bytes(bytes) => {
                let own = bytes.get(offset..).and_then(|bytes| bytes.get(..out.len()));
                out.copy_from_slice(own.ok_or(ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            #[cfg(unix)]
            Source::File(file) => {
                std::os::unix::fs::FileExt::read_exact_at(file, out, offset as u64)
            }
            #[cfg(not(unix))]
            Source::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset as u64))?;
                file.read_exact(out)
            }
        }
    }
}
