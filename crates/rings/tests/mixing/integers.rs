//! Exact integers: one in a ciphertext, of two parameter sets.

use crate::calls::ring;
use crate::mixing::mixer::{Key, Mixer, Party, Reading, mix};
use crate::mixing::rows::{RingParty, verb_row};
use crate::mixing::{operations, seed};
use fathom::wide::{
    Ciphertext, Evaluator, Integer, Params, Plaintext, Preset, PublicKey, SecretKey, Wide,
};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Operation};
use fathom_verbs::Verb;
use num_bigint::{BigInt, Sign};

struct Integers {
    params: Params,
    secret: SecretKey,
    public: PublicKey,
    evaluator: Evaluator,
}

/// The integer, or its residue where arithmetic wraps.
fn centered(value: &BigInt, params: &Params) -> BigInt {
    let modulus = (BigInt::from(1) << params.degree()) + 1;
    let least = ((value % &modulus) + &modulus) % &modulus;
    if &least * 2 > modulus { least - modulus } else { least }
}

fn integer(value: &BigInt) -> Integer {
    let (sign, limbs) = value.to_u64_digits();
    let value = Integer::from_limbs(&limbs);
    if sign == Sign::Minus { value.negated() } else { value }
}

type Row = Operation<Mixer<Integers>>;

impl RingParty for Integers {
    type Scheme = Wide;

    const MOST: i32 = 1000;

    fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    fn clear(verb: &Verb, x: &[&BigInt], numbers: &[i64]) -> BigInt {
        match verb.name {
            "add" | "add_plain" => x[0] + x[1],
            "sub" | "sub_plain" => x[0] - x[1],
            "neg" => -x[0],
            "mul" | "tensor" | "relinearize" | "mul_plain" => x[0] * x[1],
            "square" => x[0] * x[0],
            "add_scalar" => x[0] + numbers[0],
            "sub_scalar" => x[0] - numbers[0],
            "mul_scalar" => x[0] * numbers[0],
            name => panic!("say here what {name} computes on integers"),
        }
    }
}

impl Party for Integers {
    const NAME: &'static str = "exact integers";
    type Object = Ciphertext;
    type Clear = BigInt;
    type Plain = Plaintext;

    fn new(set: usize, rng: &mut SecretRng) -> Integers {
        let params = Params::preset(Preset::ALL[set]).unwrap();
        let secret = SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let evaluator = Evaluator::new(secret.evaluation_keys(rng).unwrap());
        Integers { params, secret, public, evaluator }
    }

    fn message(&self, dice: &mut Dice) -> (Plaintext, BigInt) {
        // Some integers are so wide that their products wrap.
        let limbs: Vec<u64> = if dice.once_in(4) {
            (0..self.params.degree() / 80).map(|_| dice.word()).collect()
        } else {
            vec![dice.word() >> 1]
        };
        let clear = limbs.iter().rev().fold(BigInt::from(0), |sum, limb| (sum << 64) + *limb);
        let clear = if dice.once_in(2) { -clear } else { clear };
        (self.params.encode(integer(&clear)).unwrap(), clear)
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
                |x| x[0] * x[1] + x[1] * x[1],
            ),
            Row::new(
                "mod_switch_to_0",
                1,
                |p, c| p.evaluator.mod_switch_to(c[0], 0),
                |x| x[0].clone(),
            ),
            Row::new("neg_wrapping", 1, |p, c| p.evaluator.neg(&c[0].wrapping()), |x| -x[0]),
        ];
        ring().into_iter().filter_map(verb_row).chain(others).collect()
    }

    fn check(&self, object: &Ciphertext, clear: &BigInt) -> Result<Option<String>, Error> {
        let seen = self.secret.decrypt(object)?;
        let wraps = object.is_wrapping();
        let expected = if wraps { centered(clear, object.params()) } else { clear.clone() };
        let fault = || format!("should be {expected}, is {:?}", seen.value());
        Ok((*seen.value() != integer(&expected)).then(fault))
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
fn exact_integers_are_right_or_refuse_whatever_is_mixed() {
    mix::<Integers>(operations(), seed(5));
}
