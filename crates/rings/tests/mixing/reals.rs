//! CKKS: reals in slots, of two parameter sets. Every slot is within the error bound.

use crate::calls::{keys, real};
use crate::mixing::mixer::{CLEAR, Key, Mixer, Party, Reading, mix};
use crate::mixing::rows::{RingParty, verb_row};
use crate::mixing::{operations, seed};
use fathom::ckks::{
    Ciphertext, Ckks, Evaluator, LinearMap, Packed, Params, Plaintext, Preset, PublicKey,
    Rotations, RowSwap, SecretKey,
};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Operation};
use fathom_verbs::{Given, Real, Schemes, Verb};

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

fn values(count: usize, dice: &mut Dice) -> Vec<f64> {
    (0..count).map(|_| value(dice)).collect()
}

fn value(dice: &mut Dice) -> f64 {
    (dice.word() as i64 as f64) / 64f64.exp2() * 2.0
}

type Row = Operation<Mixer<Reals>>;

/// Returns a row with a number that is not an integer.
fn scalar_row(
    name: &'static str,
    apply: fn(&Evaluator, &Ciphertext, f64) -> Result<Ciphertext, Error>,
    op: fn(f64, f64) -> f64,
) -> Row {
    Operation::drawn(name, 1, move |_, dice| {
        let number = value(dice);
        Formula::new(
            number.to_string(),
            move |party: &Reals, c| apply(&party.evaluator, c[0], number),
            move |x: &[&Vec<f64>]| x[0].iter().map(|x| op(*x, number)).collect(),
        )
    })
}

/// Returns a row for a matrix of ones.
fn transform() -> Row {
    let row = Operation::drawn("transform", 1, |guest: &Reals, _| {
        let map = guest.map.clone();
        let apply = move |party: &Reals, c: &[&Ciphertext]| {
            let result = party.evaluator.transform(&map, &Packed::assume(ROWS, c[0].clone()));
            result.map(Packed::into_value)
        };
        Formula::new("", apply, |x: &[&Vec<f64>]| {
            let add = |sum: Vec<f64>, step| zipped(&sum, &rotated(x[0], step), |x, y| x + y);
            (1..ROWS).fold(x[0].clone(), add)
        })
    });
    row.group(CLEAR)
}

impl RingParty for Reals {
    type Scheme = Ckks;

    const MOST: i32 = 4;

    fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    fn clear(verb: &Verb, x: &[&Vec<f64>], numbers: &[i64]) -> Vec<f64> {
        let x: Vec<&[f64]> = x.iter().map(|slots| slots.as_slice()).collect();
        (verb.reals)(&Real, &x, Given { count: 1, numbers })
    }
}

impl Party for Reals {
    const NAME: &'static str = "ckks";
    type Object = Ciphertext;
    type Clear = Vec<f64>;
    type Plain = Plaintext;

    fn new(set: usize, rng: &mut SecretRng) -> Reals {
        let params = Params::preset([Preset::E3Depth1, Preset::E3Small][set]).unwrap();
        let secret = SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let rotations = keys(params.slot_count(), 1, Schemes::Exact);
        let rotations = rotations.and(&Rotations { steps: vec![1, 2, 3], row_swap: RowSwap::With });
        let keys = secret.evaluation_keys(&rotations, rng).unwrap();
        let matrix = vec![vec![1.0; ROWS]; ROWS];
        let map = LinearMap::for_level(&params, &matrix, params.top_level()).unwrap();
        Reals { params, secret, public, evaluator: Evaluator::new(keys), map }
    }

    fn message(&self, dice: &mut Dice) -> (Plaintext, Vec<f64>) {
        let clear = values(self.params.slot_count(), dice);
        (self.params.encode(&clear).unwrap(), clear)
    }

    fn encrypt(
        &self,
        (key, plain): (Key, &Plaintext),
        rng: &mut SecretRng,
    ) -> Result<Ciphertext, Error> {
        match key {
            Key::Public => self.public.encrypt(plain, rng),
            Key::Secret => self.secret.encrypt(plain, rng),
        }
    }

    fn operations() -> Vec<Row> {
        let others = vec![
            Row::new(
                "dot",
                2,
                |p, c| {
                    p.evaluator.dot(&[c[0].clone(), c[1].clone()], &[c[1].clone(), c[1].clone()])
                },
                |x| zipped(x[0], x[1], |x, y| x * y + y * y),
            ),
            scalar_row("mul_scalar", |e, c, k| e.mul_scalar(c, k), |x, k| x * k),
            scalar_row("add_scalar", |e, c, k| e.add_scalar(c, k), |x, k| x + k),
            Row::new(
                "mod_switch_to_0",
                1,
                |p, c| p.evaluator.mod_switch_to(c[0], 0),
                |x| x[0].clone(),
            ),
            transform(),
        ];
        real().into_iter().filter_map(verb_row).chain(others).collect()
    }

    fn check(&self, object: &Ciphertext, clear: &Vec<f64>) -> Result<Option<String>, Error> {
        let seen = self.secret.decrypt(object)?;
        let slots = seen.slots();
        assert_eq!(slots.len(), clear.len());
        let allowed = |expected: f64| seen.error_bound() + CLEAR_ERROR * (1.0 + expected.abs());
        let beyond = |(found, expected): &(&f64, &f64)| {
            (*found - *expected)
                .abs()
                .partial_cmp(&allowed(**expected))
                .is_none_or(std::cmp::Ordering::is_gt)
        };
        let fault = slots.iter().zip(clear).find(beyond);
        Ok(fault.map(|(found, expected)| {
            format!("{found} for {expected}, off by more than {}", allowed(*expected))
        }))
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
