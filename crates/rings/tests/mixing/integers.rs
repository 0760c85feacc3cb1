//! Exact integers: one in a ciphertext, of two parameter sets.

use crate::mixing::mixer::{Known, Outcome, Party, Reading, Used, below, mix};
use crate::mixing::{operations, seed};
use fathom::wide::{Ciphertext, Evaluator, Integer, Params, Preset, PublicKey, SecretKey};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng};
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

impl Party for Integers {
    const NAME: &'static str = "exact integers";
    type Object = Ciphertext;
    type Clear = BigInt;

    fn new(set: usize, rng: &mut SecretRng) -> Integers {
        let params = Params::preset(Preset::ALL[set]).unwrap();
        let secret = SecretKey::generate(&params, rng);
        let public = secret.public_key(rng);
        let evaluator = Evaluator::new(secret.evaluation_keys(rng).unwrap());
        Integers { params, secret, public, evaluator }
    }

    fn encrypt(&self, rng: &mut SecretRng) -> (Ciphertext, BigInt) {
        let value = rng.next_word() as i64;
        // Some integers are so wide that their products wrap.
        let wide = below(rng, 4) == 0;
        let (plain, clear) = if wide {
            let limbs: Vec<u64> = (0..self.params.degree() / 80).map(|_| rng.next_word()).collect();
            let place = |sum: BigInt, limb: &u64| (sum << 64) + *limb;
            let clear = limbs.iter().rev().fold(BigInt::from(0), place);
            (self.params.encode(Integer::from_limbs(&limbs)), clear)
        } else {
            (self.params.encode(value), BigInt::from(value))
        };
        let plain = plain.unwrap();
        let encrypted = if below(rng, 2) == 0 {
            self.public.encrypt(&plain, rng)
        } else {
            self.secret.encrypt(&plain, rng)
        };
        (encrypted.unwrap(), clear)
    }

    fn operate(
        &self,
        other: &Integers,
        [(a, x), (b, y)]: [Known<'_, Integers>; 2],
        rng: &mut SecretRng,
    ) -> Outcome<Integers> {
        let e = &self.evaluator;
        let small = below(rng, 2001) as i64 - 1000;
        let plain = other.params.encode(small).unwrap();
        let kind = below(rng, 16);
        let (used, result, clear) = match kind {
            0 | 1 => (Used::Both, e.add(a, b), x + y),
            2 => (Used::Both, e.sub(a, b), x - y),
            3 => (Used::First, e.neg(a), -x),
            4..7 => (Used::Both, e.mul(a, b), x * y),
            7 => (Used::First, e.square(a), x * x),
            8 => {
                let [left, right] = [[a.clone(), b.clone()], [b.clone(), b.clone()]];
                (Used::Both, e.dot(&left, &right), x * y + y * y)
            }
            9 => {
                let product = e.tensor(a, b).and_then(|ab| e.relinearize(&ab));
                (Used::Both, product, x * y)
            }
            10 => (Used::First, e.mul_scalar(a, small), x * small),
            11 => (Used::FirstAndClear, e.mul_plain(a, &plain.to_multiplicand()), x * small),
            12 => (Used::FirstAndClear, e.add_plain(a, &plain), x + small),
            13 => (Used::FirstAndClear, e.sub_plain(a, &plain), x - small),
            14 => (Used::First, e.mod_switch_to(a, 0), x.clone()),
            _ => (Used::First, e.neg(&a.wrapping()), -x),
        };
        let clear = match &result {
            Ok(c) if c.is_wrapping() => centered(&clear, c.params()),
            _ => clear,
        };
        Outcome { used, result, clear }
    }

    fn check(&self, object: &Ciphertext, clear: &BigInt) -> Result<(), Error> {
        let seen = self.secret.decrypt(object)?;
        assert_eq!(*seen.value(), integer(clear), "{clear}");
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
fn exact_integers_are_right_or_refuse_whatever_is_mixed() {
    mix::<Integers>(operations(), seed(5));
}
