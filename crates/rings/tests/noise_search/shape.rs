//! Structured polynomials: messages and plaintexts that align noise.

use fathom_circuits::Dice;
use std::f64::consts::PI;

/// The form of a polynomial's coefficients.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Uniform modulo `t`.
    Uniform,
    /// Equal coefficients.
    Flat,
    /// Equal coefficients, rotated by one step, as the errors of such a rotation are.
    Turned,
    /// `cos(pi (2 r + 1) j / N)` at the multiples `j` of a stride: large at root number `r`.
    Wave { log_stride: u32, root: u64 },
    /// A single nonzero coefficient.
    Single { power: u64 },
    /// Uniform small coefficients.
    Small,
}

/// A polynomial of this form with coefficients up to a fraction `2^-log_scale` of `t/2`, and the
/// seed of those that are random.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    shape: Shape,
    log_scale: u32,
    seed: u64,
}

impl Pattern {
    pub(crate) fn random(dice: &mut Dice) -> Pattern {
        let shape = match dice.below(7) {
            0 => Shape::Uniform,
            1 => Shape::Flat,
            2 | 3 => Shape::Wave { log_stride: dice.below(12) as u32, root: dice.word() % 64 },
            6 => Shape::Turned,
            4 => Shape::Single { power: dice.word() % 4096 },
            _ => Shape::Small,
        };
        Pattern { shape, log_scale: dice.below(15) as u32, seed: dice.word() % 3 }
    }

    /// Returns small equal coefficients, rotated by as many steps, 0 or 1: a plaintext that is
    /// large at the roots where errors of nonzero mean are.
    pub(crate) fn aligned(dice: &mut Dice, steps: u8) -> Pattern {
        let shape = if steps == 0 { Shape::Flat } else { Shape::Turned };
        Pattern { shape, log_scale: 8 + dice.below(12) as u32, seed: 0 }
    }

    /// Returns the pattern with other random coefficients.
    pub(crate) fn nth(self, number: u64) -> Pattern {
        Pattern { seed: self.seed + 3 * number, ..self }
    }

    /// Returns the number of times that the width of an integer is halved.
    pub(crate) fn narrowness(self) -> u32 {
        self.log_scale
    }

    /// Returns the centred coefficients for plaintext modulus `t`.
    pub(crate) fn coefficients(self, degree: usize, t: u64) -> Vec<i64> {
        let dice = &mut Dice::new(self.seed);
        let high = (t - 1) / 2;
        let peak = (high >> self.log_scale).max(1);
        let uniform =
            |dice: &mut Dice, peak: u64| (dice.word() % (2 * peak + 1)) as i64 - peak as i64;
        match self.shape {
            Shape::Uniform => (0..degree).map(|_| uniform(dice, high)).collect(),
            Shape::Small => (0..degree).map(|_| uniform(dice, peak)).collect(),
            Shape::Flat => vec![peak as i64; degree],
            Shape::Turned => {
                let mut all = vec![0; degree];
                for power in (0..degree).map(|i| 3 * i % (2 * degree)) {
                    all[power % degree] = if power < degree { peak as i64 } else { -(peak as i64) };
                }
                all
            }
            Shape::Single { power } => {
                let mut all = vec![0; degree];
                all[power as usize % degree] = peak as i64;
                all
            }
            Shape::Wave { log_stride, root } => (0..degree)
                .map(|j| {
                    let angle = PI * ((2 * root + 1) * j as u64) as f64 / degree as f64;
                    let on = j % (1 << log_stride) == 0;
                    if on { (peak as f64 * angle.cos()).round() as i64 } else { 0 }
                })
                .collect(),
        }
    }
}
