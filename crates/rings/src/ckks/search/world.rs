//! Keys and tables that the circuits of one set share.

use super::super::{Ckks, Complex64, Mode, SignApproximation};
use super::dice::Dice;
use crate::SecretRng;
use crate::rlwe::{Evaluator, LinearMap, Params, PublicKey, Rotations, SecretKey};

/// Keys, a simulated evaluator, matrices and approximations of one set.
pub(super) struct World<M: Mode> {
    pub(super) params: Params<Ckks<M>>,
    pub(super) secret: SecretKey<Ckks<M>>,
    pub(super) public: PublicKey<Ckks<M>>,
    /// The evaluator with keys, and the simulated one.
    pub(super) evaluators: [Evaluator<Ckks<M>>; 2],
    pub(super) matrices: Vec<Vec<Vec<f64>>>,
    pub(super) signs: Vec<SignApproximation>,
    pub(super) rng: SecretRng,
}

/// Number of rows of the matrices.
pub(super) const ROWS: usize = 4;
/// The length of the vectors that are rotated within their window.
pub(super) const WINDOW: usize = 5;
/// Steps of their rotations besides those of others.
const WINDOW_STEPS: [i64; 5] = [-1, -2, -3, -4, 4];
/// Steps of rotations besides the powers of two.
pub(super) const STEPS: [i64; 4] = [1, 2, 3, -1];

impl<M: Mode> World<M> {
    pub(super) fn new(params: Params<Ckks<M>>, seed: u64) -> World<M> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(&params, &mut rng);
        let public = secret.public_key(&mut rng);
        let rotations = Rotations::for_slot_sum(params.degree());
        let rotations = rotations.with_steps(&STEPS).with_steps(&WINDOW_STEPS);
        let keys = secret.evaluation_keys(&rotations, &mut rng).unwrap();
        let evaluators = [Evaluator::new(keys), Evaluator::simulated(&params).unwrap()];
        let signs = [(0.1, &[7, 7][..]), (0.2, &[7, 3]), (0.3, &[3, 3]), (0.05, &[15, 15])];
        let sign = |(gap, degrees): (f64, &[usize])| SignApproximation::new(gap, degrees).unwrap();
        let mut dice = Dice::new(seed);
        World {
            matrices: matrices(&mut dice),
            signs: signs.map(sign).into(),
            params,
            secret,
            public,
            evaluators,
            rng,
        }
    }

    pub(super) fn slots(&self) -> usize {
        self.params.slot_count()
    }

    /// Returns a matrix prepared for a level.
    pub(super) fn map(
        &self,
        which: usize,
        evaluator: &Evaluator<Ckks<M>>,
        level: crate::rlwe::Level,
    ) -> Result<LinearMap<Ckks<M>>, crate::Error> {
        LinearMap::for_level_with_size(evaluator.params(), &self.matrices[which], ROWS, level)
    }

    /// Returns the largest error of a slot of a decryption whose precision is not checked.
    pub(super) fn errors(
        &self,
        c: &crate::rlwe::Ciphertext<Ckks<M>>,
        expected: &[Complex64],
    ) -> Option<Vec<f64>> {
        let found = self.secret.decoded(c).ok()?.slots_complex();
        Some(found.iter().zip(expected).map(|(a, b)| (a - b).norm()).collect())
    }
}

/// Returns matrices of up to four rows: the identity, zeros, a row, small, large, random.
fn matrices(dice: &mut Dice) -> Vec<Vec<Vec<f64>>> {
    let entry = |kind: usize, row: usize, column: usize, dice: &mut Dice| match kind {
        0 => f64::from(u8::from(row == column)),
        1 => 0.0,
        2 => dice.within(-1.0, 1.0),
        3 => dice.within(-1e-3, 1e-3),
        4 => dice.within(-40.0, 40.0),
        _ => f64::from(u8::from(column == (row + 1) % ROWS)),
    };
    let mut matrix = |kind: usize| {
        let rows = if kind == 2 { 1 } else { ROWS };
        (0..rows)
            .map(|row| (0..ROWS).map(|column| entry(kind, row, column, dice)).collect())
            .collect::<Vec<Vec<f64>>>()
    };
    (0..6).map(&mut matrix).collect()
}
