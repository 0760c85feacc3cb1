use super::{FhewGate, FhewParams, FhewSecretKey, Method};
use crate::tfhe::Error;
use fathom_ring::SecretRng;

/// A gate and its function on clear bits.
pub(super) type Row = (FhewGate, fn(bool, bool) -> bool);

pub(super) const GATES: [Row; 10] = [
    (FhewGate::And, |a, b| a & b),
    (FhewGate::Nand, |a, b| !(a & b)),
    (FhewGate::Or, |a, b| a | b),
    (FhewGate::Nor, |a, b| !(a | b)),
    (FhewGate::Xor, |a, b| a ^ b),
    (FhewGate::Xnor, |a, b| a == b),
    (FhewGate::AndNy, |a, b| !a & b),
    (FhewGate::AndYn, |a, b| a && !b),
    (FhewGate::OrNy, |a, b| !a | b),
    (FhewGate::OrYn, |a, b| a || !b),
];

/// Checks the truth tables of all gates, on outputs of gates.
fn check_truth_tables(params: &FhewParams) {
    let mut rng = SecretRng::insecure_from_seed(5);
    let key = FhewSecretKey::generate(params, &mut rng);
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let fresh = [a, b].map(|bit| key.encrypt(bit, &mut rng));
        let bits = fresh.map(|bit| evaluation.gate(FhewGate::And, &bit, &bit).unwrap());
        for (gate, expected) in GATES {
            let output = evaluation.gate(gate, &bits[0], &bits[1]).unwrap();
            assert_eq!(key.decrypt(&output).unwrap(), expected(a, b), "{gate:?} of {a}, {b}");
        }
    }
}

/// Returns a set of small dimensions for quick tests. It is **not secure**.
pub(super) fn insecure(method: Method) -> FhewParams {
    FhewParams {
        name: "insecure",
        method,
        lwe_dimension: 40,
        ..FhewParams::preset("fhew_ginx_128").unwrap()
    }
}

#[test]
fn ginx_truth_tables_hold_at_128_bits() {
    check_truth_tables(&FhewParams::preset("fhew_ginx_128").unwrap());
}

#[test]
fn lmkcdey_truth_tables_hold_at_128_bits() {
    check_truth_tables(&FhewParams::preset("fhew_lmkcdey_128").unwrap());
}

#[test]
fn ap_truth_tables_hold() {
    check_truth_tables(&insecure(FhewParams::preset("fhew_ap_128").unwrap().method()));
}

#[test]
fn methods_agree_with_any_window_and_base() {
    for window in [1, 3] {
        check_truth_tables(&insecure(Method::Lmkcdey { window }));
    }
    check_truth_tables(&insecure(Method::Ap { base_log: 2 }));
}

/// The sum of a bit and its own copy would fail with probability `2^-33`.
#[test]
fn a_bit_beside_itself_meets_a_constant() {
    let params = insecure(Method::Ginx);
    let mut rng = SecretRng::insecure_from_seed(7);
    let key = FhewSecretKey::generate(&params, &mut rng);
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    for bit in [false, true] {
        let a = key.encrypt(bit, &mut rng);
        for (gate, expected) in GATES {
            let output = evaluation.gate(gate, &a, &a.clone()).unwrap();
            assert_eq!(key.decrypt(&output).unwrap(), expected(bit, bit), "{gate:?} of {bit}");
        }
        for (gate, neutral) in [(FhewGate::And, true), (FhewGate::Or, false)] {
            let constant = a.trivial(neutral);
            let gate = |b| evaluation.gate(gate, &a, b).unwrap();
            assert_eq!(gate(&a), gate(&constant));
        }
    }
}

#[test]
fn gates_err_as_rarely_as_stated() {
    for params in FhewParams::presets() {
        let failure = params.failure_log2();
        assert!(failure < -50.0, "{}: 2^{failure}", params.name());
    }
}

#[test]
fn bits_of_another_dimension_are_refused() {
    let mut rng = SecretRng::insecure_from_seed(1);
    let key = FhewSecretKey::generate(&insecure(Method::Ginx), &mut rng);
    let other = FhewParams { lwe_dimension: 41, ..insecure(Method::Ginx) };
    let other = FhewSecretKey::generate(&other, &mut rng);
    let bit = other.encrypt(true, &mut rng);
    assert!(matches!(key.decrypt(&bit), Err(Error::ParamsMismatch { .. })));
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    let own = key.encrypt(true, &mut rng);
    let refused = evaluation.gate(FhewGate::And, &own, &bit);
    assert!(matches!(refused, Err(Error::ParamsMismatch { .. })));
}
