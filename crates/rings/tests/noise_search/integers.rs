//! Exact integers.

use crate::noise_search::Dice;
use crate::noise_search::recipe::Step;
use crate::noise_search::shape::Pattern;
use crate::noise_search::subject::Subject;
use fathom::wide::{Ciphertext, Evaluator, Integer, Params, Plaintext, PublicKey, SecretKey};
use fathom::wire::{Wire, WireFresh, WireObject};
use fathom::{Error, SecretRng};

/// Keys of exact integers, which have no slots: steps on slots are refused.
pub(crate) struct Integers {
    params: Params,
    secret: SecretKey,
    public: PublicKey,
    evaluator: Evaluator,
    rng: SecretRng,
    dice: Dice,
}

impl Subject for Integers {
    type Set = Params;
    type Ciphertext = Ciphertext;

    const NAME: &'static str = "exact";
    const HAS_BORDER: bool = false;

    fn new(params: &Params, seed: u64) -> Integers {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        let keys = secret.evaluation_keys(&mut rng).unwrap();
        let (params, evaluator, dice) = (params.clone(), Evaluator::new(keys), Dice(seed));
        Integers { params, secret, public, evaluator, rng, dice }
    }

    fn set_name(set: &Params) -> &str {
        &set.spec().name
    }

    fn level(c: &Ciphertext) -> usize {
        c.level().get()
    }

    fn byte_len(c: &Ciphertext) -> usize {
        c.byte_len()
    }

    fn step(&mut self, step: Step, operands: &[&Ciphertext]) -> Option<Ciphertext> {
        let result = match step {
            Step::Encrypt { pattern, .. } => self.fresh(pattern),
            Step::EncryptPublic { pattern, .. } => {
                let plain = self.encode(pattern);
                self.public.encrypt(&plain, &mut self.rng)
            }
            Step::RotatedSum { .. } => return None,
            Step::ProductSum { pattern, log_count } => self.sum_of_products(pattern, log_count),
            Step::MulPlain(pattern) => {
                let plain = self.encode(pattern);
                self.evaluator.mul_plain(operands[0], &plain.to_multiplicand())
            }
            Step::AddPlain(pattern) => {
                let plain = self.encode(pattern);
                self.evaluator.add_plain(operands[0], &plain)
            }
            _ => return self.computed(step, operands),
        };
        // Every error is a refusal: of noise, of a value that could wrap around, of shapes.
        result.ok()
    }

    fn slack(&self, c: &Ciphertext) -> Option<f64> {
        if c.is_fresh() {
            return None;
        }
        let clear = self.secret.decrypt(c).unwrap();
        Some(match self.secret.debug_noise_budget_bits(c, &clear) {
            Ok(measured) => measured - c.noise_budget_bits(),
            Err(Error::OtherMessage) => f64::NEG_INFINITY,
            Err(error) => panic!("{error}"),
        })
    }
}

impl Integers {
    /// Runs a step that draws nothing at random; none if it is refused, or a step on slots.
    fn computed(&self, step: Step, c: &[&Ciphertext]) -> Option<Ciphertext> {
        let (e, a) = (&self.evaluator, c[0]);
        let result = match step {
            Step::Add => e.add(a, c[1]),
            Step::Sub => e.sub(a, c[1]),
            Step::Tensor => e.tensor(a, c[1]),
            Step::Mul => e.mul(a, c[1]),
            Step::Dot => {
                let all: Vec<_> = c.iter().map(|&operand| operand.clone()).collect();
                let (left, right) = all.split_at(all.len() / 2);
                e.dot(left, right)
            }
            Step::Neg => e.neg(a),
            Step::MulScalar(bits) => e.mul_scalar(a, i64::MAX >> (4 * u32::from(bits % 16))),
            Step::Switch(down) => e.mod_switch_to(a, a.level().get().saturating_sub(down.into())),
            Step::Relinearize => e.relinearize(a),
            Step::RelinearizeAndSwitch => e.relinearize_and_switch(a),
            Step::Travel => Ciphertext::from_bytes(&self.params, &a.to_bytes()),
            Step::TravelFresh => Ciphertext::from_bytes_fresh(&self.params, &a.to_bytes()),
            _ => return None,
        };
        result.ok()
    }

    fn sum_of_products(&mut self, pattern: Pattern, log_count: u8) -> Result<Ciphertext, Error> {
        let mut terms = Vec::new();
        for _ in 0..1 << log_count {
            let (a, b) = (self.fresh(pattern)?, self.fresh(pattern)?);
            terms.push(self.evaluator.mul(&a, &b)?);
        }
        self.evaluator.sum(&terms)
    }

    fn fresh(&mut self, pattern: Pattern) -> Result<Ciphertext, Error> {
        let plain = self.encode(pattern);
        self.secret.encrypt(&plain, &mut self.rng)
    }

    /// Encodes the integer whose digits in base two have this form; a narrow pattern has few.
    fn encode(&mut self, pattern: Pattern) -> Plaintext {
        // The width of an integer is that of its words.
        let words = ((self.params.widest_bits() / 64) >> pattern.narrowness()).max(1) as usize;
        let bits = 64 * words;
        let signs = pattern.coefficients(bits, 3, &mut self.dice);
        let mut limbs = vec![0; words];
        for (bit, sign) in signs.iter().enumerate() {
            limbs[bit / 64] |= u64::from(*sign > 0) << (bit % 64);
        }
        let integer = Integer::from_limbs(&limbs);
        let is_negative = signs[bits - 1] < 0;
        self.params.encode(if is_negative { integer.negated() } else { integer }).unwrap()
    }
}
