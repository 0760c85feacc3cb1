//! Lower and upper case of ASCII letters.

use super::{BYTE_BLOCKS, ByteStrings, FheBytes, Text};
use crate::tfhe::integer::blocks::pair;
use crate::tfhe::integer::value::digits::SPACE;
use crate::tfhe::{Block, Error, Lut};

/// The third digit of a byte: bits 4 and 5, of which bit 5 is the case of a letter.
const CASE_DIGIT: usize = 2;

/// The case that letters are brought to.
#[derive(Clone, Copy)]
enum Case {
    Lower,
    Upper,
}

impl ByteStrings {
    /// Brings the ASCII letters of a string to lower case. Cost: three bootstraps per byte.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn to_ascii_lowercase(&self, string: &FheBytes) -> Result<FheBytes, Error> {
        self.in_case(string, Case::Lower)
    }

    /// Brings the ASCII letters of a string to upper case. Cost: three bootstraps per byte.
    ///
    /// # Errors
    /// [`Error::ParamsMismatch`], [`Error::KeyMismatch`].
    pub fn to_ascii_uppercase(&self, string: &FheBytes) -> Result<FheBytes, Error> {
        self.in_case(string, Case::Upper)
    }

    /// Letters of one case are the bytes `c1` to `cf` and `d0` to `da` for a high nibble `c` and
    /// `d = c + 1`. Only the digit of bits 4 and 5 changes. It is a function of the class of the
    /// low nibble (0; 1 to 10; 11 to 15) and the class of the high one (`c`; `d`; else the digit),
    /// and the two classes are added up to one argument.
    fn in_case(&self, string: &FheBytes, case: Case) -> Result<FheBytes, Error> {
        let integers = &self.integers;
        Text::from(string).check(integers)?;
        let tables = tables(case)?;
        let mut nibbles = Vec::with_capacity(2 * string.capacity());
        for byte in string.blocks().chunks_exact(BYTE_BLOCKS) {
            nibbles.push((pair(&byte[0], &byte[1]), &tables.low));
            nibbles.push((pair(&byte[2], &byte[3]), &tables.high));
        }
        let classes: Vec<Block> = integers.layer(&nibbles)?.into_iter().flatten().collect();
        let sums = classes.chunks_exact(2).map(|classes| classes[0].unchecked_add(&classes[1]));
        let digits = integers.apply_each(sums, &tables.digit)?;
        let mut blocks = string.blocks().to_vec();
        for (byte, digit) in blocks.chunks_exact_mut(BYTE_BLOCKS).zip(digits) {
            byte[CASE_DIGIT] = digit.within(0, 3);
        }
        Ok(FheBytes::wrap(blocks, string.padding()))
    }
}

struct Tables {
    /// The class of the low nibble: 0, 1 or 2.
    low: Lut,
    /// Three times the class of the high nibble.
    high: Lut,
    /// The new digit of bits 4 and 5, for the sum of both.
    digit: Lut,
}

/// Returns the tables that change letters to this case.
fn tables(case: Case) -> Result<Tables, Error> {
    // The high nibble of the first fifteen letters that change, and the bit that they get.
    let (first, change): (i32, i32) = match case {
        Case::Lower => (4, 2),
        Case::Upper => (6, -2),
    };
    // The classes of high nibbles without letters are their digits; the classes 0 and 5 are those
    // of the digits 0 and 3, so that arguments at a distance of 16 have digits with one sum.
    let class = move |nibble: i32| match nibble - first {
        0 => 3,
        1 => 4,
        _ => [0, 1, 2, 5][(nibble & 3) as usize],
    };
    let digit = move |x: i32| {
        let (high, low) = (x / 3, x % 3);
        match high {
            3 => (first & 3) + if low > 0 { change } else { 0 },
            4 => (first & 3) + 1 + if low < 2 { change } else { 0 },
            5 => 3,
            digit => digit,
        }
    };
    Ok(Tables {
        low: Lut::new(SPACE, 0..=15, |x| if x == 0 { 0 } else { 1 + i32::from(x > 10) })?,
        high: Lut::new(SPACE, 0..=15, move |x| 3 * class(x))?,
        digit: Lut::new(SPACE, 0..=17, digit)?,
    })
}
