//! CKKS: reals in slots, of two parameter sets. Every slot is within the error bound.

use crate::mixing::mixer::{Known, Outcome, Party, Reading, Used, below, mix};
use crate::mixing::{operations, seed};
use fathom::ckks::{
    Ciphertext, Evaluator, LinearMap, Packed, Params, Preset, PublicKey, Rotations, RowSwap,
    SecretKey,
};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng};

struct Reals {
    params: Params,
    secret: SecretKey,
    public: PublicKey,
    evaluator: Evaluator,
    map: LinearMap,
}

/// Rows and columns of the matrices: of ones.
const ROWS: usize = 4;

/// Relative error of clear results, which are computed in double precision.
const CLEAR_ERROR: f64 = 1e-12;

fn zipped(x: &[f64], y: &[f64], op: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| op(*x, *y)).collect()
}

fn rotated(x: &[f64], steps: usize) -> Vec<f64> {
    let mut x = x.to_vec();
    let length = x.len().max(1);
    x.rotate_left(steps % length);
    x
}

fn value(rng: &mut SecretRng) -> f64 {
    (rng.next_word() as i64 as f64) / 64f64.exp2() * 2.0
}

impl Party for Reals {
    const NAME: &'static str = "ckks";
    type Object = Ciphertext;
    type Clear = Vec<f64>;

    fn new(set: usize, rng: &mut SecretRng) -> Reals {
        let params = Params::preset([Preset::E3Depth1, Preset::E3Small][set]).unwrap();
        let secret = SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let rotations = Rotations { steps: vec![1, 2, 3], row_swap: RowSwap::With };
        let keys = secret.evaluation_keys(&rotations, rng).unwrap();
        let matrix = vec![vec![1.0; ROWS]; ROWS];
        let map = LinearMap::for_level(&params, &matrix, params.top_level()).unwrap();
        Reals { params, secret, public, evaluator: Evaluator::new(keys), map }
    }

    fn encrypt(&self, rng: &mut SecretRng) -> (Ciphertext, Vec<f64>) {
        let values: Vec<f64> = (0..self.params.slot_count()).map(|_| value(rng)).collect();
        let plain = self.params.encode(&values).unwrap();
        let encrypted = if below(rng, 2) == 0 {
            self.public.encrypt(&plain, rng)
        } else {
            self.secret.encrypt(&plain, rng)
        };
        (encrypted.unwrap(), values)
    }

    fn operate(
        &self,
        other: &Reals,
        [(a, x), (b, y)]: [Known<'_, Reals>; 2],
        rng: &mut SecretRng,
    ) -> Outcome<Reals> {
        let e = &self.evaluator;
        let (small, factor) = (below(rng, 9) as f64 - 4.0, value(rng));
        let clear: Vec<f64> = (0..other.params.slot_count()).map(|_| value(rng)).collect();
        let plain = other.params.encode(&clear).unwrap();
        let each = |op: &dyn Fn(f64) -> f64| x.iter().map(|x| op(*x)).collect::<Vec<_>>();
        let (used, result, clear) = match below(rng, 18) {
            0 | 1 => (Used::Both, e.add(a, b), zipped(x, y, |x, y| x + y)),
            2 => (Used::Both, e.sub(a, b), zipped(x, y, |x, y| x - y)),
            3 => (Used::First, e.neg(a), each(&|x| -x)),
            4..6 => (Used::Both, e.mul(a, b), zipped(x, y, |x, y| x * y)),
            6 => (Used::First, e.square(a), each(&|x| x * x)),
            7 => {
                let [left, right] = [[a.clone(), b.clone()], [b.clone(), b.clone()]];
                (Used::Both, e.dot(&left, &right), zipped(x, y, |x, y| x * y + y * y))
            }
            8 => (Used::First, e.mul_scalar(a, small), each(&|x| x * small)),
            9 => (Used::First, e.mul_scalar(a, factor), each(&|x| x * factor)),
            10 => (Used::First, e.add_scalar(a, factor), each(&|x| x + factor)),
            11 => (Used::FirstAndClear, e.add_plain(a, &plain), zipped(x, &clear, |x, y| x + y)),
            12 => (Used::FirstAndClear, e.sub_plain(a, &plain), zipped(x, &clear, |x, y| x - y)),
            13 => {
                // Prepared for a level that the other set may not have.
                let level = a.level().min(other.params.top_level());
                let plain = plain.to_multiplicand(level).unwrap();
                (Used::FirstAndClear, e.mul_plain(a, &plain), zipped(x, &clear, |x, y| x * y))
            }
            14 => (Used::First, e.rotate(a, 3), rotated(x, 3)),
            15 => (Used::First, e.conjugate(a), x.clone()),
            16 => (Used::First, e.mod_switch_to(a, 0), x.clone()),
            _ => {
                let result = e.transform(&other.map, &Packed::assume(ROWS, a.clone()));
                let sums = (1..ROWS)
                    .fold(x.clone(), |sum, step| zipped(&sum, &rotated(x, step), |x, y| x + y));
                (Used::FirstAndClear, result.map(Packed::into_value), sums)
            }
        };
        Outcome { used, result, clear }
    }

    fn check(&self, object: &Ciphertext, clear: &Vec<f64>) -> Result<(), Error> {
        let seen = self.secret.decrypt(object)?;
        let slots = seen.slots();
        assert_eq!(slots.len(), clear.len());
        for (found, expected) in slots.iter().zip(clear) {
            let allowed = seen.error_bound() + CLEAR_ERROR * (1.0 + expected.abs());
            assert!((found - expected).abs() <= allowed, "{found} for {expected}, {allowed}");
        }
        Ok(())
    }

    fn sent(object: &Ciphertext) -> (Vec<u8>, bool) {
        (object.to_bytes(), object.is_fresh())
    }

    fn receive(&self, bytes: &[u8], reading: Reading) -> Result<Ciphertext, Error> {
        match reading {
            Reading::Any => Ciphertext::from_bytes(&self.params, bytes),
            Reading::Fresh => Ciphertext::from_bytes_fresh(&self.params, bytes),
        }
    }
}

#[test]
fn ckks_is_right_or_refuses_whatever_is_mixed() {
    mix::<Reals>(operations() / 4, seed(7));
}
