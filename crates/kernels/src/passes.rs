//! Grouping of the levels of a transform into passes over the row.
//!
//! The six levels inside blocks of 64 form one pass, in registers with one transposition. The
//! levels above are grouped by three (radix 8), and by four or two if their number requires it.

/// The number of values that one step of a pass combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Radix {
    One,
    Two,
    Four,
    Eight,
    Sixteen,
}

impl Radix {
    pub(crate) fn levels(self) -> u32 {
        match self {
            Self::One => 0,
            Self::Two => 1,
            Self::Four => 2,
            Self::Eight => 3,
            Self::Sixteen => 4,
        }
    }

    /// Returns the radix of the first pass when `levels` levels remain above the blocks. Radix 16
    /// comes last, where strides are short: with long strides, the lines of its steps would evict
    /// each other from the cache.
    pub(crate) fn next(levels: u32, many_registers: bool) -> Self {
        match (levels, levels % 3, many_registers) {
            (0, ..) => Self::One,
            (1, ..) => Self::Two,
            (4, _, true) => Self::Sixteen,
            (_, 2, _) | (_, 1, false) => Self::Four,
            _ => Self::Eight,
        }
    }
}

/// Returns the passes of an inverse transform with `levels` levels above the blocks, and its last
/// pass, which takes three levels if there are that many.
pub(crate) fn inverse_plan(levels: u32, many_registers: bool) -> (Vec<Radix>, Radix) {
    let last = Radix::next(levels.min(3), many_registers);
    let mut left = levels - last.levels();
    let mut plan = Vec::new();
    while left > 0 {
        plan.push(Radix::next(left, many_registers));
        left -= plan[plan.len() - 1].levels();
    }
    // The widest pass comes first, because its strides are the shortest.
    plan.reverse();
    (plan, last)
}

/// Splits a slice of lines, or of chunks of lines, into `R` equal columns.
#[cfg_attr(optimized, inline(always))]
pub(crate) fn columns<const R: usize, T>(mut group: &mut [T]) -> [&mut [T]; R] {
    let height = group.len() / R;
    let mut columns: [&mut [T]; R] = std::array::from_fn(|_| Default::default());
    for column in &mut columns {
        (*column, group) = group.split_at_mut(height);
    }
    columns
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
                let (plan, last) = inverse_plan(levels, many_registers);
                let inverse = plan.iter().map(|radix| radix.levels()).sum::<u32>();
                assert_eq!(inverse + last.levels(), levels);
                assert!(many_registers || !plan.contains(&Radix::Sixteen));
                assert!(last != Radix::Sixteen);
            }
        }
    }
}
