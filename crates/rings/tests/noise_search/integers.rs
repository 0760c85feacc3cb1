//! Exact integers, which have no slots.

use crate::calls::{Calls, ring};
use crate::noise_search::shape::Pattern;
use crate::noise_search::subject::{Rotate, Row, Searched};
use fathom::wide::{Ciphertext, EvaluationKeys, Integer, Params, Plaintext, SecretKey, Wide};
use fathom::{Error, SecretRng};

impl Searched for Wide {
    const TITLE: &'static str = "exact";
    const ROTATE: Option<Rotate<Wide>> = None;
    type Other = ();

    /// Encodes the integer whose digits in base two have this form; a narrow pattern has few.
    fn message(params: &Params, pattern: Pattern) -> Plaintext {
        // The width of an integer is that of its words.
        let words = ((params.widest_bits() / 64) >> pattern.narrowness()).max(1) as usize;
        let bits = 64 * words;
        let signs = pattern.coefficients(bits, 3);
        let mut limbs = vec![0; words];
        for (bit, sign) in signs.iter().enumerate() {
            limbs[bit / 64] |= u64::from(*sign > 0) << (bit % 64);
        }
        let integer = Integer::from_limbs(&limbs);
        let is_negative = signs[bits - 1] < 0;
        params.encode(if is_negative { integer.negated() } else { integer }).unwrap()
    }

    fn number(_: &Params, halvings: u32) -> Integer {
        Integer::from(i64::MAX >> (4 * halvings))
    }

    fn evaluation_keys(_: &Params, secret: &SecretKey, rng: &mut SecretRng) -> EvaluationKeys {
        secret.evaluation_keys(rng).unwrap()
    }

    fn other(_: &Params) {}

    fn verbs() -> Calls<Wide> {
        ring()
    }

    fn rows() -> Vec<Row<Wide>> {
        Vec::new()
    }

    fn measured(secret: &SecretKey, c: &Ciphertext) -> Result<f64, Error> {
        secret.debug_noise_budget_bits(c, &secret.decrypt(c)?)
    }

    /// Every error is a refusal: of noise, of a value that could wrap around, of shapes.
    fn may_refuse(_: &'static str, _: &Error) -> bool {
        true
    }
}
