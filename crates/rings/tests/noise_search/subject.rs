//! Keys of one set of parameters, and the circuits that run under them.

use crate::calls::{Answer, Calls};
use crate::noise_search::rows;
use crate::noise_search::shape::Pattern;
use fathom::rlwe::{
    Ciphertext, EvaluationKeys, Evaluator, Params, PublicKey, Scheme as Rings, SecretKey,
};
use fathom::wire::WireObject;
use fathom::{Error, SecretRng};
use fathom_circuits::{Climb, Dice, Expression, Formula, Model, Operation, Scheme, Step, Verdict};
use std::rc::Rc;

/// A scheme whose bounds on noise are searched.
pub(crate) trait Searched: Rings {
    const TITLE: &'static str;
    /// Rotates slots by one, if there are slots.
    const ROTATE: Option<Rotate<Self>>;
    /// The data that operations need beside keys.
    type Other;

    fn message(params: &Params<Self>, pattern: Pattern) -> Self::Plaintext;

    /// Returns a large number, halved so many times.
    fn number(params: &Params<Self>, halvings: u32) -> Self::Value;

    fn evaluation_keys(
        params: &Params<Self>,
        secret: &SecretKey<Self>,
        rng: &mut SecretRng,
    ) -> EvaluationKeys<Self>;

    fn other(params: &Params<Self>) -> Self::Other;

    /// Returns the verbs of the table that the scheme has.
    fn verbs() -> Calls<Self>;

    /// Returns the rows that other schemes do not have.
    fn rows() -> Vec<Row<Self>>;

    /// Returns the measured noise budget of a ciphertext that decrypts.
    fn measured(secret: &SecretKey<Self>, c: &Ciphertext<Self>) -> Result<f64, Error>;

    /// Returns whether an operation may be refused for this reason.
    fn may_refuse(step: &'static str, error: &Error) -> bool;
}

pub(crate) type Row<S> = Operation<Subject<S>>;
pub(crate) type Rotate<S> = fn(&Evaluator<S>, &Ciphertext<S>) -> Answer<S>;

/// Keys, and what operations need.
pub(crate) struct Keys<S: Searched> {
    pub(crate) params: Params<S>,
    secret: SecretKey<S>,
    public: PublicKey<S>,
    pub(crate) evaluator: Evaluator<S>,
    pub(crate) other: S::Other,
    seed: u64,
}

/// The keys and the operations.
pub(crate) struct Subject<S: Searched> {
    keys: Keys<S>,
    rows: Rc<[Row<S>]>,
}

impl<S: Searched> Subject<S> {
    pub(crate) fn new(params: &Params<S>, seed: u64) -> Subject<S> {
        let mut rng = SecretRng::insecure_from_seed(seed);
        let secret = SecretKey::generate(params, &mut rng);
        let public = secret.public_key(&mut rng);
        let keys = S::evaluation_keys(params, &secret, &mut rng);
        let (params, other) = (params.clone(), S::other(params));
        let keys = Keys { params, secret, public, evaluator: Evaluator::new(keys), other, seed };
        Subject { keys, rows: rows::all().into() }
    }
}

impl<S: Searched> Keys<S> {
    /// Encrypts under the secret key. Numbers below a thousand make encryptions of one pattern
    /// differ.
    fn encrypt(&self, pattern: Pattern, number: u64) -> Answer<S> {
        let top = self.params.top_level().get();
        self.encrypt_at(pattern, top, number)
    }

    fn encrypt_at(&self, pattern: Pattern, level: usize, number: u64) -> Answer<S> {
        let plain = S::message(&self.params, pattern);
        self.secret.encrypt_at(&plain, level, &mut self.rng(number))
    }

    /// Adds up so many terms.
    fn sum(&self, count: u64, term: impl Fn(u64) -> Answer<S>) -> Answer<S> {
        let add = |sum, number| self.evaluator.add(&sum, &term(number)?);
        (1..count).try_fold(term(0)?, add)
    }

    fn rng(&self, number: u64) -> SecretRng {
        SecretRng::insecure_from_seed(self.seed.wrapping_mul(1000) + number)
    }
}

impl<S: Searched> Model for Subject<S> {
    type Server = Keys<S>;
    type Object = Ciphertext<S>;
    type Clear = ();
    type Error = Error;
    type Domain = ();
}

impl<S: Searched> Scheme for Subject<S> {
    type Value = Ciphertext<S>;

    fn apply(
        &mut self,
        step: &Step<Self>,
        operands: &[&Ciphertext<S>],
    ) -> Result<Vec<Ciphertext<S>>, Error> {
        step.formula.apply(&self.keys, operands)
    }

    /// Compares the measured noise with its bound. Both budgets refer to the same modulus, so that
    /// their difference is the logarithm of the ratio. Nothing is measured of a fresh encryption.
    fn compare(
        &mut self,
        _: &Step<Self>,
        _: &[&Ciphertext<S>],
        c: &Ciphertext<S>,
    ) -> Result<f64, String> {
        if c.is_fresh() {
            return Ok(0.0);
        }
        // Decryption reads as many primes as the bound requires.
        let measured = S::measured(&self.keys.secret, c).map_err(|error| error.to_string())?;
        let slack = measured - c.noise_budget_bits();
        if slack >= 0.0 {
            return Ok((-slack).exp2().max(f64::MIN_POSITIVE));
        }
        Err(format!("the bound on the noise is exceeded by {:.3} bits", -slack))
    }

    fn judge_refusal(
        &mut self,
        step: &Step<Self>,
        _: &[&Ciphertext<S>],
        error: &Error,
    ) -> Verdict<Ciphertext<S>> {
        if S::may_refuse(step.name, error) {
            return Verdict::Refused(error.to_string());
        }
        Verdict::Wrong(format!("refused: {error}"))
    }
}

impl<S: Searched> Climb for Subject<S> {
    fn rows(&self) -> Rc<[Row<S>]> {
        Rc::clone(&self.rows)
    }

    fn server(&self) -> &Keys<S> {
        &self.keys
    }

    /// Returns an encryption, which may have been received, or a sum of what was computed from many
    /// encryptions under one key, which may be multiplied.
    fn leaf(&self, dice: &mut Dice) -> Rc<Expression<Self>> {
        if dice.once_in(2) {
            let rotate = S::ROTATE.filter(|_| !dice.once_in(3));
            let rotated = rotate.is_some();
            let sum = match rotate {
                Some(rotate) => rotated_sum(dice, rotate),
                None => product_sum(dice),
            };
            let sum = Expression::new(sum, Vec::new());
            if dice.once_in(3) {
                return sum;
            }
            let factor = rows::factor(Pattern::aligned(dice, rotated.into()));
            return Expression::new(Step::new("mul_plain", factor, Vec::new()), vec![sum]);
        }
        let encryption = Expression::new(encryption(dice), Vec::new());
        let fresh = match dice.below(8) {
            0 => true,
            1 => false,
            _ => return encryption,
        };
        let travel = rows::travel(fresh).step(&self.keys, dice, Vec::new());
        Expression::new(travel, vec![encryption])
    }

    fn level(c: &Ciphertext<S>) -> usize {
        c.level().get()
    }

    fn byte_len(c: &Ciphertext<S>) -> usize {
        c.byte_len()
    }
}

fn leaf<S: Searched>(
    name: &'static str,
    arguments: String,
    apply: impl Fn(&Keys<S>) -> Answer<S> + 'static,
) -> Step<Subject<S>> {
    let formula = Formula::new(arguments, move |keys, _: &[&_]| apply(keys), |_| ());
    Step::new(name, formula, Vec::new())
}

fn encryption<S: Searched>(dice: &mut Dice) -> Step<Subject<S>> {
    let (pattern, number) = (Pattern::random(dice), dice.word() % 3);
    if dice.once_in(4) {
        return leaf(
            "encrypt_public",
            format!("{pattern:?}, number {number}"),
            move |keys: &Keys<S>| {
                let plain = S::message(&keys.params, pattern);
                keys.public.encrypt(&plain, &mut keys.rng(number))
            },
        );
    }
    // Lower levels are quicker, and obey the same rules.
    let below = if dice.once_in(3) { 0 } else { dice.below(16) };
    let arguments = format!("{pattern:?}, {below} levels below the top, number {number}");
    leaf("encrypt", arguments, move |keys: &Keys<S>| {
        let top = keys.params.top_level().get();
        keys.encrypt_at(pattern, top - below % (top + 1), number)
    })
}

/// Returns the sum of rotations of encryptions of one pattern.
fn rotated_sum<S: Searched>(dice: &mut Dice, rotate: Rotate<S>) -> Step<Subject<S>> {
    let (pattern, log_count) = (Pattern::random(dice), 4 + dice.below(3));
    leaf("rotated_sum", format!("2^{log_count} of {pattern:?}"), move |keys: &Keys<S>| {
        keys.sum(1 << log_count, |n| rotate(&keys.evaluator, &keys.encrypt(pattern.nth(n), n)?))
    })
}

/// Returns the sum of relinearised products of two encryptions of one pattern.
fn product_sum<S: Searched>(dice: &mut Dice) -> Step<Subject<S>> {
    let (pattern, log_count) = (Pattern::random(dice), 4 + dice.below(3));
    leaf("product_sum", format!("2^{log_count} of {pattern:?}"), move |keys: &Keys<S>| {
        let fresh = |n| keys.encrypt(pattern.nth(n), n);
        keys.sum(1 << log_count, |n| {
            let product = keys.evaluator.tensor(&fresh(2 * n)?, &fresh(2 * n + 1)?)?;
            keys.evaluator.relinearize(&product)
        })
    })
}
