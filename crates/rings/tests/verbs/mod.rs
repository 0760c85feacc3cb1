//! The laws of all verbs of `fathom_verbs`: on random messages, each computes its clear form, and
//! its bound on noise or error holds.

use crate::calls::{Call, exact, keys, real};
use crate::ckks::setup::{Setup as RealSetup, complex};
use crate::common::Setup;
use fathom::Error;
use fathom::bfv::Bfv;
use fathom::bgv::Bgv;
use fathom::ckks::{self, Ckks};
use fathom::rlwe::modular::{Modular, Preset};
use fathom::rlwe::{Ciphertext, Evaluator, Scheme};
use fathom_verbs::{Arithmetic, Clear, Given, Modulo, Real, Schemes, Takes, Verb};

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

fn numbers<S: Scheme>(verb: &Verb) -> Vec<S::Value> {
    verb.numbers.iter().map(|&number| S::Value::from(i32::try_from(number).unwrap())).collect()
}

/// Calls a verb; none if its scheme alone knows what it takes.
fn called<S: Scheme>(
    verb: &Verb,
    call: &Call<S>,
    o: &Operands<S>,
) -> Option<Result<Ciphertext<S>, Error>> {
    let (e, a) = (&o.evaluator, &o.a);
    Some(match *call {
        Call::One(call) => call(e, a),
        Call::Product(call) => call(e, &o.product()),
        Call::Unscaled(call) => call(e, &e.relinearize(&o.product()).unwrap()),
        Call::Pair(call) => call(e, a, &o.b),
        Call::Message(call) => call(e, a, &o.message),
        Call::Factor(call) => call(e, a, &o.factor),
        Call::Number(call) => call(e, a, numbers::<S>(verb).swap_remove(0).into()),
        Call::Numbers(call) => call(e, a, numbers::<S>(verb)),
        Call::Steps(call) => call(e, a, verb.numbers[0]),
        Call::ByHand if verb.name == "mod_switch_to" => {
            e.mod_switch_to(a, a.level().next().unwrap())
        }
        Call::ByHand => return None,
    })
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
    let coefficients = |verb: &Verb| verb.numbers.iter().map(|c| c.unsigned_abs()).collect();
    for (verb, call) in exact::<S>() {
        let result = called(verb, &call, &operands).unwrap_or_else(|| {
            let coefficients: Vec<u64> = coefficients(verb);
            operands.evaluator.evaluate_polynomial(&operands.a, &coefficients)
        });
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
    for (verb, call) in real() {
        let result = called(verb, &call, &operands).unwrap_or_else(|| {
            operands.evaluator.evaluate_polynomial(&operands.a, &numbers::<Ckks>(verb))
        });
        let result = result.unwrap_or_else(|error| panic!("{}: {error}", verb.name));
        let expected = clear(verb, verb.reals, &Real, [&x, &y]);
        let measured = s.check(verb.name, &result, &complex(&expected));
        assert!(measured.bound < 0.1, "{}: the bound {} says nothing", verb.name, measured.bound);
    }
}
