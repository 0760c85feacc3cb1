//! Files of frames of equal length, read and written at their places by several threads.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A file that is a row of frames of one length.
pub struct Frames {
    file: File,
    length: usize,
    count: usize,
}

impl Frames {
    /// Opens a file of frames, whose length the first header states.
    ///
    /// # Errors
    /// Those of the file system, and a file that is no row of equal frames.
    pub fn open(path: &Path) -> Result<Frames, Box<dyn std::error::Error>> {
        let file = File::open(path)?;
        let size = usize::try_from(file.metadata()?.len())?;
        let mut head = vec![0; size.min(4096)];
        file.read_exact_at(&mut head, 0)?;
        let length = fathom::wire::summary(&head)?.byte_len;
        if length == 0 || !size.is_multiple_of(length) {
            return Err(format!("{} is no row of equal frames", path.display()).into());
        }
        Ok(Frames { file, length, count: size / length })
    }

    /// The number of frames.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads a frame into `bytes`.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn read(&self, index: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.resize(self.length, 0);
        self.file.read_exact_at(bytes, (index * self.length) as u64)
    }
}

/// Writes a frame at its place: every frame of a file has the same length.
///
/// # Errors
/// Those of the file system.
pub fn write(file: &File, index: usize, frame: &[u8]) -> io::Result<()> {
    file.write_all_at(frame, (index * frame.len()) as u64)
}
