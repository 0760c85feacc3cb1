//! Vectors of wide integers, of two plans.

use crate::mixing::mixer::{Key, Mixer, Party, Reading, mix};
use crate::mixing::{operations, seed};
use fathom::wide::{
    Circuit, Encryption, Rotations, Vector, VectorEvaluator, VectorParams, VectorPublicKey,
    VectorSecretKey,
};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Operation};

struct Vectors {
    params: VectorParams,
    secret: VectorSecretKey,
    public: VectorPublicKey,
    evaluator: VectorEvaluator,
}

/// The most elements that are added up.
const MOST: usize = 6;

type Row = Operation<Mixer<Vectors>>;
type Pointwise = fn(i128, i128) -> i128;

/// Returns a row with a small integer.
fn scalar_row(
    name: &'static str,
    apply: fn(&VectorEvaluator, &Vector<i64>, i64) -> Result<Vector<i64>, Error>,
    op: Pointwise,
) -> Row {
    Operation::drawn(name, 1, move |_, dice| {
        let small = dice.below(33) as i64 - 16;
        Formula::new(
            small.to_string(),
            move |party: &Vectors, c| apply(&party.evaluator, c[0], small),
            move |x: &[&Vec<i128>]| x[0].iter().map(|x| op(*x, small.into())).collect(),
        )
    })
}

/// Returns a row with clear integers.
fn plain_row(
    name: &'static str,
    apply: fn(&VectorEvaluator, &Vector<i64>, &[i64]) -> Result<Vector<i64>, Error>,
    op: Pointwise,
) -> Row {
    Operation::drawn(name, 1, move |_, dice| {
        let all: Vec<i64> = (0..MOST).map(|_| dice.below(7) as i64 - 3).collect();
        let clear: Vec<i128> = all.iter().copied().map(i128::from).collect();
        Formula::new(
            format!("{all:?}"),
            move |party: &Vectors, c| apply(&party.evaluator, c[0], &all[..c[0].len()]),
            move |x| both(&[x[0], &clear], op),
        )
    })
}

fn both(x: &[&Vec<i128>], op: Pointwise) -> Vec<i128> {
    x[0].iter().zip(x[1]).map(|(x, y)| op(*x, *y)).collect()
}

/// Returns a sum; what exceeds 128 bits is refused.
fn total(x: &[i128]) -> Vec<i128> {
    vec![x.iter().fold(0, |sum: i128, x| sum.wrapping_add(*x))]
}

impl Party for Vectors {
    const NAME: &'static str = "exact vectors";
    type Object = Vector<i64>;
    type Clear = Vec<i128>;
    type Plain = Vec<i64>;

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

    fn message(&self, dice: &mut Dice) -> (Vec<i64>, Vec<i128>) {
        // Vectors of different lengths are refused; most have one.
        let length = if dice.once_in(8) { 1 } else { MOST };
        let down = 63 - self.params.input_bits();
        let values: Vec<i64> = (0..length).map(|_| dice.word() as i64 >> down).collect();
        let clear: Vec<i128> = values.iter().copied().map(i128::from).collect();
        (values, clear)
    }

    fn encrypt(
        &self,
        (key, plain): (Key, &Vec<i64>),
        rng: &mut SecretRng,
    ) -> Result<Vector<i64>, Error> {
        match key {
            Key::Public => self.public.encrypt(plain, rng),
            Key::Secret => self.secret.encrypt(plain, rng),
        }
    }

    fn operations() -> Vec<Row> {
        let prefix = Operation::drawn("sum_prefix", 1, |_, dice| {
            let count = dice.below(MOST + 2);
            Formula::new(
                count.to_string(),
                move |party: &Vectors, c| party.evaluator.sum_prefix(c[0], count),
                move |x: &[&Vec<i128>]| total(&x[0][..count.min(x[0].len())]),
            )
        });
        vec![
            Row::new("add", 2, |p, c| p.evaluator.add(c[0], c[1]), |x| both(x, i128::wrapping_add))
                .weight(2),
            Row::new("sub", 2, |p, c| p.evaluator.sub(c[0], c[1]), |x| both(x, i128::wrapping_sub)),
            Row::new("neg", 1, |p, c| p.evaluator.neg(c[0]), |x| x[0].iter().map(|x| -x).collect()),
            Row::new("mul", 2, |p, c| p.evaluator.mul(c[0], c[1]), |x| both(x, i128::wrapping_mul))
                .weight(2),
            Row::new(
                "square",
                1,
                |p, c| p.evaluator.square(c[0]),
                |x| both(&[x[0], x[0]], i128::wrapping_mul),
            ),
            Row::new(
                "dot",
                2,
                |p, c| {
                    p.evaluator.dot(&[c[0].clone(), c[1].clone()], &[c[1].clone(), c[1].clone()])
                },
                |x| both(x, |x, y| x.wrapping_mul(y).wrapping_add(y.wrapping_mul(y))),
            ),
            plain_row("mul_plain", |e, c, all| e.mul_plain(c, all), i128::wrapping_mul),
            plain_row("add_plain", |e, c, all| e.add_plain(c, all), i128::wrapping_add),
            plain_row("sub_plain", |e, c, all| e.sub_plain(c, all), i128::wrapping_sub),
            scalar_row("mul_scalar", |e, c, k| e.mul_scalar(c, k), i128::wrapping_mul),
            scalar_row("add_scalar", |e, c, k| e.add_scalar(c, k), i128::wrapping_add),
            scalar_row("sub_scalar", |e, c, k| e.sub_scalar(c, k), i128::wrapping_sub),
            Row::new("sum_slots", 1, |p, c| p.evaluator.sum_slots(c[0]), |x| total(x[0])),
            prefix,
        ]
    }

    fn check(&self, object: &Vector<i64>, clear: &Vec<i128>) -> Result<Option<String>, Error> {
        assert!(self.params.value_bits() < 127.0, "clear results have 128 bits");
        let seen = self.secret.decrypt(object)?;
        let seen: Vec<i128> = seen.iter().map(|value| value.wrapping_u128() as i128).collect();
        Ok((seen != *clear).then(|| format!("should be {clear:?}, is {seen:?}")))
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
