//! The laws of all verbs of `fathom_verbs`: on random messages, each computes its clear form, and
//! its bound on noise or error holds.

use crate::ckks::setup::{Setup as RealSetup, complex};
use crate::common::Setup;
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::ckks::{self, Ckks};
use fathom::rlwe::modular::{Modular, Preset};
use fathom::rlwe::{Ciphertext, Evaluator, Level, Mapped, Rotations, RowSwap, Scheme};
use fathom_verbs::{Arithmetic, Clear, Given, Modulo, Real, Schemes, Takes, Verb, verbs};
use fathom_verbs::{exact_verbs, real_verbs, ring_verbs, slot_verbs};

/// An evaluator and two messages in every form that verbs take.
struct Operands<S: Scheme> {
    evaluator: Evaluator<S>,
    a: Ciphertext<S>,
    b: Ciphertext<S>,
    message: S::Plaintext,
    factor: S::Factor,
}

impl<S: Scheme> Operands<S> {
    /// Returns the product with three components.
    fn product(&self) -> Ciphertext<S> {
        self.evaluator.tensor(&self.a, &self.b).unwrap()
    }
}

type Call<S> = Option<Result<Ciphertext<S>, Error>>;

/// Calls the verb of a name among those of a macro of the table: an arm for each kind of operands.
/// Levels and polynomials are called by hand.
macro_rules! call {
    ($verb:ident $o:ident: $($name:ident($takes:ident) { call: $call:expr, $($facts:tt)* })*) => {
        $(if $verb.name == stringify!($name) {
            return call!($takes $call, $verb, $o);
        })*
    };
    (One $call:expr, $verb:ident, $o:ident) => { Some(of_one($o, &$o.a, $call)) };
    (Product $call:expr, $verb:ident, $o:ident) => { Some(of_one($o, &$o.product(), $call)) };
    (Unscaled $call:expr, $verb:ident, $o:ident) => {
        Some(of_one($o, &$o.evaluator.relinearize(&$o.product()).unwrap(), $call))
    };
    (Pair $call:expr, $verb:ident, $o:ident) => { Some(of_two($o, &$o.b, $call)) };
    (Message $call:expr, $verb:ident, $o:ident) => { Some(of_two($o, &$o.message, $call)) };
    (Factor $call:expr, $verb:ident, $o:ident) => { Some(of_two($o, &$o.factor, $call)) };
    (Number $call:expr, $verb:ident, $o:ident) => {
        Some(of_two($o, S::Scalar::from(numbers::<S>($verb).swap_remove(0)), $call))
    };
    (Numbers $call:expr, $verb:ident, $o:ident) => { Some(of_two($o, numbers::<S>($verb), $call)) };
    (Steps $call:expr, $verb:ident, $o:ident) => { Some(of_two($o, $verb.numbers[0], $call)) };
    ($other:ident $call:expr, $verb:ident, $o:ident) => { None };
}

fn of_one<S: Scheme>(
    o: &Operands<S>,
    a: &Ciphertext<S>,
    call: impl Fn(&Evaluator<S>, &Ciphertext<S>) -> Result<Ciphertext<S>, Error>,
) -> Result<Ciphertext<S>, Error> {
    call(&o.evaluator, a)
}

fn of_two<S: Scheme, T>(
    o: &Operands<S>,
    second: T,
    call: impl Fn(&Evaluator<S>, &Ciphertext<S>, T) -> Result<Ciphertext<S>, Error>,
) -> Result<Ciphertext<S>, Error> {
    call(&o.evaluator, &o.a, second)
}

fn numbers<S: Scheme>(verb: &Verb) -> Vec<S::Value> {
    verb.numbers.iter().map(|&number| S::Value::from(i32::try_from(number).unwrap())).collect()
}

/// Calls a verb of BFV, BGV and CKKS.
fn slotted<S: Mapped>(verb: &Verb, o: &Operands<S>) -> Call<S> {
    ring_verbs!(call verb o:);
    slot_verbs!(call verb o:);
    None
}

fn exact<S: Modular>(verb: &Verb, o: &Operands<S>) -> Call<S> {
    exact_verbs!(call verb o:);
    match verb.name {
        "mod_switch_to" => Some(o.evaluator.mod_switch_to(&o.a, below(o.a.level()))),
        "evaluate_polynomial" => {
            let coefficients: Vec<u64> = verb.numbers.iter().map(|c| c.unsigned_abs()).collect();
            Some(o.evaluator.evaluate_polynomial(&o.a, &coefficients))
        }
        _ => slotted(verb, o),
    }
}

fn real(verb: &Verb, o: &Operands<Ckks>) -> Call<Ckks> {
    type S = Ckks;
    real_verbs!(call verb o:);
    match verb.name {
        "mod_switch_to" => Some(o.evaluator.mod_switch_to(&o.a, below(o.a.level()))),
        "evaluate_polynomial" => Some(o.evaluator.evaluate_polynomial(&o.a, &numbers::<S>(verb))),
        _ => slotted(verb, o),
    }
}

fn below(level: Level) -> Level {
    level.next().unwrap()
}

/// Returns the keys of all verbs of some schemes.
fn keys(slots: usize, rows: usize, other: Schemes) -> Rotations {
    let mut rotations = Rotations::none();
    for verb in verbs().filter(|verb| verb.schemes != other) {
        let (steps, swaps) = verb.keys.steps(slots, rows);
        let row_swap = if swaps { RowSwap::With } else { RowSwap::Without };
        rotations = rotations.and(&Rotations { steps, row_swap });
    }
    rotations
}

/// Returns the clear result of a verb.
fn clear<A: Arithmetic>(
    verb: &Verb,
    form: Clear<A>,
    arithmetic: &A,
    operands: [&[A::Value]; 2],
) -> Vec<A::Value> {
    let two = matches!(
        verb.takes,
        Takes::Pair | Takes::Product | Takes::Unscaled | Takes::Message | Takes::Factor
    );
    form(arithmetic, &operands[..=usize::from(two)], Given { count: 1, numbers: verb.numbers })
}

fn laws_of_integers<S: Modular>(seed: u64) {
    let degree = Preset::E1Depth2.spec().degree;
    let mut s = Setup::<S>::new(Preset::E1Depth2, &keys(degree, 2, Schemes::Reals), seed);
    let (x, y) = (s.random(), s.random());
    let message = s.plain(&y);
    let operands = Operands {
        evaluator: s.evaluator.clone(),
        a: s.encrypt(&x),
        b: s.encrypt_public(&y),
        factor: message.to_multiplicand(),
        message,
    };
    for verb in verbs().filter(|verb| verb.schemes != Schemes::Reals) {
        let result = exact(verb, &operands).unwrap_or_else(|| panic!("no call of {}", verb.name));
        let result = result.unwrap_or_else(|error| panic!("{}: {error}", verb.name));
        s.check(verb.name, &result, &clear(verb, verb.residues, &Modulo(s.t), [&x, &y]));
    }
}

#[test]
fn verbs_of_bfv_compute_their_clear_forms_within_their_bounds() {
    laws_of_integers::<Bfv>(71);
}

#[test]
fn verbs_of_bgv_compute_their_clear_forms_within_their_bounds() {
    laws_of_integers::<Bgv>(72);
}

#[test]
fn verbs_of_ckks_compute_their_clear_forms_within_their_bounds() {
    let params = ckks::Params::preset(ckks::Preset::E3Small).unwrap();
    let rotations = keys(params.slot_count(), 1, Schemes::Exact);
    let mut s = RealSetup::of(params, &rotations, 73);
    let (x, y) = (s.random_reals(), s.random_reals());
    let (a, b) = (s.encrypt(&complex(&x)), s.encrypt_public(&complex(&y)));
    let message = s.params.encode(&y).unwrap();
    let factor = message.to_multiplicand(a.level()).unwrap();
    let operands = Operands { evaluator: s.evaluator.clone(), a, b, message, factor };
    for verb in verbs().filter(|verb| verb.schemes != Schemes::Exact) {
        let result = real(verb, &operands).unwrap_or_else(|| panic!("no call of {}", verb.name));
        let result = result.unwrap_or_else(|error| panic!("{}: {error}", verb.name));
        let expected = clear(verb, verb.reals, &Real, [&x, &y]);
        let measured = s.check(verb.name, &result, &complex(&expected));
        assert!(measured.bound < 0.1, "{}: the bound {} says nothing", verb.name, measured.bound);
    }
}
