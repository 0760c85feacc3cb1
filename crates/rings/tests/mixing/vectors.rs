//! Vectors of wide integers, of two plans.

use crate::mixing::mixer::{Known, Outcome, Party, Reading, Used, below, mix};
use crate::mixing::{operations, seed};
use fathom::wide::{
    Circuit, Encryption, Rotations, Vector, VectorEvaluator, VectorParams, VectorPublicKey,
    VectorSecretKey,
};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, SecretRng};

struct Vectors {
    params: VectorParams,
    secret: VectorSecretKey,
    public: VectorPublicKey,
    evaluator: VectorEvaluator,
}

/// The most elements that are added up.
const MOST: usize = 6;

impl Party for Vectors {
    const NAME: &'static str = "exact vectors";
    type Object = Vector<i64>;
    type Clear = Vec<i128>;

    fn new(set: usize, rng: &mut SecretRng) -> Vectors {
        let (input_bits, depth) = [(24, 2), (60, 1)][set];
        let encryption = Encryption::PublicKey;
        let circuit = Circuit { input_bits, depth, encryption, ..Circuit::products_of::<i64>(4) };
        let params = VectorParams::plan(&circuit.sum_slots(MOST as u32)).unwrap();
        let secret = VectorSecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let keys = secret.evaluation_keys(&Rotations::for_sum(MOST), rng).unwrap();
        Vectors { params, secret, public, evaluator: VectorEvaluator::new(&keys) }
    }

    fn encrypt(&self, rng: &mut SecretRng) -> (Vector<i64>, Vec<i128>) {
        // Vectors of different lengths are refused; most have one.
        let length = if below(rng, 8) == 0 { 1 } else { MOST };
        let down = 63 - self.params.input_bits();
        let values: Vec<i64> = (0..length).map(|_| rng.next_word() as i64 >> down).collect();
        let encrypted = if below(rng, 2) == 0 {
            self.public.encrypt(&values, rng)
        } else {
            self.secret.encrypt(&values, rng)
        };
        (encrypted.unwrap(), values.into_iter().map(i128::from).collect())
    }

    fn operate(
        &self,
        _: &Vectors,
        [(a, x), (b, y)]: [Known<'_, Vectors>; 2],
        rng: &mut SecretRng,
    ) -> Outcome<Vectors> {
        let e = &self.evaluator;
        let small = below(rng, 33) as i64 - 16;
        let clear: Vec<i64> = x.iter().map(|_| below(rng, 7) as i64 - 3).collect();
        let both = |op: fn(i128, i128) -> i128| {
            x.iter().zip(y).map(|(x, y)| op(*x, *y)).collect::<Vec<_>>()
        };
        // What exceeds 128 bits is refused: see `check`.
        let total = |x: &[i128]| vec![x.iter().fold(0, |sum: i128, x| sum.wrapping_add(*x))];
        let each = |op: &dyn Fn(i128, i128) -> i128| {
            x.iter().zip(&clear).map(|(x, c)| op(*x, (*c).into())).collect::<Vec<_>>()
        };
        let small_value = i128::from(small);
        let (used, result, clear) = match below(rng, 16) {
            0 | 1 => (Used::Both, e.add(a, b), both(i128::wrapping_add)),
            2 => (Used::Both, e.sub(a, b), both(i128::wrapping_sub)),
            3 => (Used::First, e.neg(a), each(&|x, _| -x)),
            4..6 => (Used::Both, e.mul(a, b), both(i128::wrapping_mul)),
            6 => (Used::First, e.square(a), each(&|x, _| x.wrapping_mul(x))),
            7 => {
                let [left, right] = [[a.clone(), b.clone()], [b.clone(), b.clone()]];
                let sum = both(|x, y| x.wrapping_mul(y).wrapping_add(y.wrapping_mul(y)));
                (Used::Both, e.dot(&left, &right), sum)
            }
            8 => {
                let product = e.mul_plain(a, &clear);
                (Used::First, product, each(&|x, c| x.wrapping_mul(c)))
            }
            9 => (Used::First, e.add_plain(a, &clear), each(&|x, c| x + c)),
            10 => (Used::First, e.sub_plain(a, &clear), each(&|x, c| x - c)),
            11 => {
                let product = e.mul_scalar(a, small);
                (Used::First, product, each(&|x, _| x.wrapping_mul(small_value)))
            }
            12 => (Used::First, e.add_scalar(a, small), each(&|x, _| x + small_value)),
            13 => (Used::First, e.sub_scalar(a, small), each(&|x, _| x - small_value)),
            14 => (Used::First, e.sum_slots(a), total(x)),
            _ => {
                let count = below(rng, MOST + 2);
                let sum = total(&x[..count.min(x.len())]);
                (Used::First, e.sum_prefix(a, count), sum)
            }
        };
        Outcome { used, result, clear }
    }

    fn check(&self, object: &Vector<i64>, clear: &Vec<i128>) -> Result<(), Error> {
        assert!(self.params.value_bits() < 127.0, "clear results have 128 bits");
        let seen = self.secret.decrypt(object)?;
        let seen: Vec<i128> = seen.iter().map(|value| value.wrapping_u128() as i128).collect();
        assert_eq!(seen, *clear);
        Ok(())
    }

    fn sent(object: &Vector<i64>) -> (Vec<u8>, bool) {
        (object.to_bytes(), object.is_fresh())
    }

    fn receive(&self, bytes: &[u8], reading: Reading) -> Result<Vector<i64>, Error> {
        match reading {
            Reading::Any => Vector::from_bytes(&self.params, bytes),
            Reading::Fresh => Vector::from_bytes_fresh(&self.params, bytes, Encryption::PublicKey),
        }
    }
}

#[test]
fn vectors_are_right_or_refuse_whatever_is_mixed() {
    mix::<Vectors>(operations() / 4, seed(6));
}
