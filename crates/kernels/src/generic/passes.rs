//! How the levels of a transform are grouped into passes over the row.
//!
//! The six levels inside blocks of 64 are one pass, done in registers with one transposition. The
//! levels above them are grouped by three (radix 8), and by four or two where their number asks.

use crate::lanes::{Lanes, Line};

/// Number of values that one step of a pass combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Two,
    Four,
    Eight,
    Sixteen,
}

impl Radix {
    pub(super) fn levels(self) -> u32 {
        match self {
            Self::Two => 1,
            Self::Four => 2,
            Self::Eight => 3,
            Self::Sixteen => 4,
        }
    }

    /// The first pass where `levels` (at least 1) remain above the blocks. Radix 16 comes last, where
    /// strides are short: the lines of wide steps with long strides would evict each other.
    pub(super) fn next(levels: u32, many_registers: bool) -> Self {
        match (levels, levels % 3, many_registers) {
            (1, ..) => Self::Two,
            (4, _, true) => Self::Sixteen,
            (_, 2, _) | (_, 1, false) => Self::Four,
            _ => Self::Eight,
        }
    }
}

/// Cuts the lines of a group into `R` equal columns of lines.
#[inline(always)]
pub(super) fn columns<const R: usize>(mut group: &mut [Line]) -> [&mut [Line]; R] {
    let height = group.len() / R;
    let mut columns: [&mut [Line]; R] = std::array::from_fn(|_| Default::default());
    for column in &mut columns {
        (*column, group) = group.split_at_mut(height);
    }
    columns
}

/// The twiddle pairs of one step: pair `i` of `level` for the group `group` of the level before.
#[inline(always)]
pub(super) fn twiddle<L: Lanes>(
    lanes: L,
    pairs: &[[u64; 2]],
    group: usize,
    level: u32,
    i: usize,
) -> L::Factor {
    lanes.factor(pairs[(group << level) + i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_cover_the_levels_and_wide_ones_need_registers() {
        for many_registers in [false, true] {
            for levels in 0..=11 {
                let (mut left, mut count) = (levels, 0);
                while left > 0 {
                    let radix = Radix::next(left, many_registers);
                    assert!(many_registers || radix != Radix::Sixteen);
                    left -= radix.levels();
                    count += 1;
                }
                assert!(count <= levels.div_ceil(3) + u32::from(levels % 3 == 1));
            }
        }
    }
}
