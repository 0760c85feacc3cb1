//! Text files with one number a line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Reads numbers a batch at a time.
pub struct Numbers {
    lines: BufReader<File>,
    line: Vec<u8>,
}

impl Numbers {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn open(path: &Path) -> io::Result<Numbers> {
        let lines = BufReader::with_capacity(1 << 20, File::open(path)?);
        Ok(Numbers { lines, line: Vec::new() })
    }

    /// Returns the next numbers, at most `count`; none at the end. They are read as signed words of
    /// the same bits.
    ///
    /// # Errors
    /// Those of the file system; `InvalidData` for a line that is no number of 64 bits.
    pub fn next(&mut self, count: usize) -> io::Result<Vec<i64>> {
        let mut numbers = Vec::with_capacity(count);
        while numbers.len() < count {
            self.line.clear();
            if self.lines.read_until(b'\n', &mut self.line)? == 0 {
                break;
            }
            let digits = self.line.trim_ascii();
            if !digits.is_empty() {
                numbers.push(parse(digits)?.cast_signed());
            }
        }
        Ok(numbers)
    }
}

fn parse(digits: &[u8]) -> io::Result<u64> {
    let number = digits.iter().try_fold(0u64, |number, &digit| {
        let value = u64::from(digit.wrapping_sub(b'0'));
        let next = number.checked_mul(10)?.checked_add(value)?;
        (value < 10).then_some(next)
    });
    number.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "not a number of 64 bits"))
}

/// Appends numbers to a text, one a line.
///
/// # Errors
/// None.
pub fn append(numbers: &[i64], text: &mut Vec<u8>) -> io::Result<()> {
    numbers.iter().try_for_each(|number| writeln!(text, "{}", number.cast_unsigned()))
}
