//! BFV and BGV.

use crate::calls::border::Border;
use crate::calls::{Calls, exact, keys};
use crate::noise_search::rows::{FRESH, formula, row};
use crate::noise_search::shape::Pattern;
use crate::noise_search::subject::{Keys, Rotate, Row, Searched};
use fathom::rlwe::EvaluationKeys;
use fathom::rlwe::modular::{Ciphertext, LinearMap, Modular, Packed, Params, Plaintext, SecretKey};
use fathom::wire::WireError;
use fathom::{Error, SecretRng};
use fathom_circuits::{Dice, Formula, Operation};
use fathom_verbs::Schemes;

/// Number of rows of the matrices.
const ROWS: usize = 4;
/// The largest degree at which keys for sums of all slots do not take gigabytes.
const ALL_KEYS: usize = 16_384;
/// The longest rotation at larger degrees.
const LONGEST: i64 = 8;

impl<S: Border> Searched for S {
    const TITLE: &'static str = S::NAME;
    const ROTATE: Option<Rotate<S>> = Some(|e, c| e.rotate(c, 1));
    type Other = Vec<LinearMap<S>>;

    fn message(params: &Params<S>, pattern: Pattern) -> Plaintext<S> {
        let coefficients = pattern.coefficients(params.degree(), params.plain_modulus());
        params.encode_coefficients_signed(&coefficients).unwrap()
    }

    fn number(params: &Params<S>, halvings: u32) -> i64 {
        (high(params) >> halvings).max(1) as i64
    }

    fn evaluation_keys(
        params: &Params<S>,
        secret: &SecretKey<S>,
        rng: &mut SecretRng,
    ) -> EvaluationKeys<S> {
        let mut rotations = keys(params.degree(), 2, Schemes::Reals);
        rotations.steps.extend([1, 2, 3, 4, 8]);
        rotations.steps.retain(|&step| params.degree() <= ALL_KEYS || step.abs() <= LONGEST);
        secret.evaluation_keys(&rotations, rng).unwrap()
    }

    fn other(params: &Params<S>) -> Vec<LinearMap<S>> {
        if params.slot_count() == 0 { Vec::new() } else { matrices(params) }
    }

    fn verbs() -> Calls<S> {
        exact()
    }

    fn rows() -> Vec<Row<S>> {
        vec![
            Operation::drawn("rotate_many", 1, |_, dice| {
                let which = dice.below(4);
                formula::<S>(format!("1..=4, the result {which}"), move |e, c| {
                    Ok(e.rotate_many(c[0], &[1, 2, 3, 4])?.swap_remove(which))
                })
            })
            .weight(3),
            Operation::drawn("sum_rotations", 1, |_, dice| {
                let count = 2 << dice.below(3);
                formula::<S>(count.to_string(), move |e, c| e.sum_rotations(c[0], count))
            })
            .weight(2),
            Operation::drawn("evaluate_polynomial", 1, |keys: &Keys<S>, dice| {
                let (degree, kind) = (1 + dice.below(6), dice.below(5));
                let coefficients = polynomial(keys.params.plain_modulus(), degree, kind);
                formula::<S>(format!("{coefficients:?}"), move |e, c| {
                    e.evaluate_polynomial(c[0], &coefficients)
                })
            }),
            Operation::drawn("transform", 1, |_, dice| {
                let kind = dice.below(MATRICES);
                let apply = move |keys: &Keys<S>, c: &[&Ciphertext<S>]| {
                    let Some(map) = keys.other.get(kind) else {
                        return keys.evaluator.neg(c[0]);
                    };
                    let result = keys.evaluator.transform(map, &Packed::assume(ROWS, c[0].clone()));
                    result.map(Packed::into_value)
                };
                Formula::new(format!("matrix {kind}"), apply, |_| ())
            })
            .weight(2),
            row("mul_scale_invariant", 2, |e, c| S::mul_scale_invariant(e, c[0], c[1])).weight(2),
            Operation::drawn("msb", 1, |_, dice| {
                let wire = dice.once_in(2);
                let apply =
                    move |keys: &Keys<S>, c: &[&Ciphertext<S>]| S::msb(&keys.params, c[0], wire);
                Formula::new(if wire { "as bytes" } else { "" }, apply, |_| ())
            })
            .weight(2),
        ]
    }

    fn measured(secret: &SecretKey<S>, c: &Ciphertext<S>) -> Result<f64, Error> {
        secret.debug_noise_budget_bits(c, &secret.decrypt(c)?)
    }

    fn may_refuse(step: &'static str, error: &Error) -> bool {
        match error {
            Error::NoiseExhausted { .. }
            | Error::LevelMismatch { .. }
            | Error::NoSuchLevel { .. }
            | Error::Components { .. }
            | Error::Transparent { .. }
            | Error::NoSlots { .. }
            | Error::MissingGaloisKey { .. }
            | Error::Ring(_) => true,
            // At low levels an encryption under the public key would not fit.
            Error::Wire(WireError::NoiseBound { .. } | WireError::NotFresh) => step == FRESH,
            _ => false,
        }
    }
}

/// Returns half of the plaintext modulus.
fn high<S: Modular>(params: &Params<S>) -> u64 {
    (params.plain_modulus() - 1) / 2
}

/// Returns the coefficients of a polynomial: dense, sparse, large or small.
fn polynomial(t: u64, degree: usize, kind: usize) -> Vec<u64> {
    let mut all: Vec<u64> = match kind {
        0 => vec![t / 2; degree + 1],
        1 => (0..=degree).map(|i| if i % 2 == 0 { t / 2 } else { t / 2 + 1 }).collect(),
        2 => vec![1; degree + 1],
        3 => vec![0; degree + 1],
        _ => (0..=degree as u64).map(|i| (i * i * 7919 + 12_345) % t).collect(),
    };
    all[degree] = if kind == 3 { 1 } else { all[degree].max(1) };
    all
}

/// Number of matrices.
const MATRICES: usize = 6;

/// Returns matrices of four rows: the identity, constant, alternating, small, sparse, random.
fn matrices<S: Modular>(params: &Params<S>) -> Vec<LinearMap<S>> {
    let t = params.plain_modulus();
    let mut dice = Dice::new(t);
    let mut entry = |kind: usize, row: usize, column: usize| match kind {
        0 => u64::from(row == column),
        1 => t / 2,
        2 => t / 2 + u64::from((row + column) % 2 == 1),
        3 => dice.word() % 3,
        4 => u64::from(column == (row + 1) % ROWS) * (t / 2),
        _ => dice.word() % t,
    };
    let mut matrix = |kind: usize| {
        let mut row = |row| (0..ROWS).map(|column| entry(kind, row, column)).collect();
        (0..ROWS).map(&mut row).collect::<Vec<Vec<u64>>>()
    };
    (0..MATRICES).map(|kind| LinearMap::new(params, &matrix(kind)).unwrap()).collect()
}
