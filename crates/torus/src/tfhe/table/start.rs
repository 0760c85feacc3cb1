//! The identity of the polynomial that a blind rotation starts from.

use super::lut::{Lut, Sharing};
use crate::tfhe::noise::source_name;

/// A starting polynomial, up to its sign.
///
/// The arithmetic of a blind rotation is symmetric in the sign: from the negative polynomial it
/// leaves the negative accumulator, bit by bit. It is not so under rotations, since the error of
/// the floating-point transform depends on the place of a coefficient and reaches the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// Identifies the polynomial or its negative.
    pub(crate) name: u64,
    /// The sign of the polynomial, relative to the one of the two that has the name.
    pub(crate) sign: i32,
}

impl Lut {
    /// Returns the polynomial that the blind rotation of an argument starts from: the test
    /// polynomial, whose places count from `turn` on.
    pub(crate) fn start(&self, turn: usize) -> Start {
        match self.sharing() {
            Sharing::ManyLut => self.rotated(&self.outputs()[0].entries, turn),
            Sharing::MultiValue => self.rotated(&vec![1; self.space().half() as usize], turn),
        }
    }

    fn rotated(&self, entries: &[i32], turn: usize) -> Start {
        let half = entries.len();
        let at = |place: usize| match place % (2 * half) {
            place if place < half => i64::from(entries[place]),
            place => -i64::from(entries[place - half]),
        };
        // The same torus elements have the same name, whatever the space of the values is.
        let unit = 32 - self.output_space().bits();
        let values = (turn..turn + half).map(|place| at(place) << unit);
        let first = values.clone().find(|&value| value != 0).unwrap_or(1);
        let sign = first.signum();
        let values: Vec<i64> = values.map(|value| sign * value).collect();
        // Only the polynomial of multi-value bootstraps is not centred on the places.
        let centred = self.sharing() == Sharing::ManyLut;
        Start { name: source_name(&(values, centred)), sign: sign as i32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tfhe::Space;

    const SPACE: Space = Space::of::<5>();

    fn table(f: impl Fn(i32) -> i32) -> Lut {
        Lut::new(SPACE, 0..=15, f).unwrap()
    }

    #[test]
    fn a_table_of_a_shifted_argument_starts_from_the_same_polynomial() {
        for shift in 1..16 {
            let plain = table(|x| x % 3);
            let shifted = Lut::new(SPACE, shift..=15 + shift, |x| (x - shift) % 3).unwrap();
            for turn in 0..32 {
                let [a, b] = [plain.start(turn), shifted.start((turn + shift as usize) % 32)];
                assert_eq!(a, b, "{shift} {turn}");
            }
            assert_ne!(plain.start(0).name, plain.start(shift as usize).name);
        }
    }

    #[test]
    fn negative_polynomials_have_one_name_and_opposite_signs() {
        let (plain, negated) =
            (Lut::negacyclic(SPACE, 0, &[&|x| x]), Lut::negacyclic(SPACE, 0, &[&|x| -x]));
        let [a, b] = [plain, negated].map(|lut| lut.unwrap().start(3));
        assert_eq!((a.name, a.sign), (b.name, -b.sign));
        let [a, b] = [0, 16].map(|turn| table(|x| x).start(turn));
        assert_eq!((a.name, a.sign), (b.name, -b.sign));
    }

    #[test]
    fn equal_torus_elements_have_one_name() {
        let wide = table(|x| 2 * x);
        let narrow = table(|x| x).with_output_space(Space::of::<4>());
        assert_eq!(wide.start(1), narrow.start(1));
        assert_ne!(wide.start(1), table(|x| x).start(1));
    }
}
