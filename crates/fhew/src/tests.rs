use super::{FhewBit, FhewEvaluationKeys, FhewGate, FhewParams, FhewSecretKey, Method};
use crate::Error;
use fathom::Error::{KeyMismatch, ParamsMismatch, Wire as Damaged};
use fathom::wire::{Wire, WireError, WireObject, WireValue};
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

#[test]
fn methods_compute_the_gates_they_are_named_after() {
    let mut rng = SecretRng::insecure_from_seed(6);
    let params = insecure(Method::Ginx);
    let [key, other] = [(); 2].map(|()| FhewSecretKey::generate(&params, &mut rng));
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let [a, b] = [x, y].map(|bit| key.encrypt(bit, &mut rng));
        let all = [
            (evaluation.and(&a, &b), x & y),
            (evaluation.nand(&a, &b), !(x & y)),
            (evaluation.or(&a, &b), x | y),
            (evaluation.nor(&a, &b), !(x | y)),
            (evaluation.xor(&a, &b), x ^ y),
            (evaluation.xnor(&a, &b), x == y),
            (evaluation.and_ny(&a, &b), !x & y),
            (evaluation.and_yn(&a, &b), x && !y),
            (evaluation.or_ny(&a, &b), !x | y),
            (evaluation.or_yn(&a, &b), x || !y),
            (evaluation.not(&a), !x),
        ];
        for (index, (output, expected)) in all.into_iter().enumerate() {
            assert_eq!(key.decrypt(&output.unwrap()).unwrap(), expected, "{index} of {x}, {y}");
        }
    }
    let foreign = other.encrypt(true, &mut rng);
    assert!(matches!(evaluation.not(&foreign), Err(Error::Fathom(KeyMismatch { .. }))));
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

/// Fault M1: a result that anyone can read is a clear bit, which gates take like any other.
#[test]
fn m1_results_that_are_public_are_clear() {
    let params = insecure(Method::Ginx);
    let mut rng = SecretRng::insecure_from_seed(9);
    let key = FhewSecretKey::generate(&params, &mut rng);
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    for bit in [false, true] {
        let (a, b) = (key.encrypt(bit, &mut rng), key.encrypt(!bit, &mut rng));
        let zero = evaluation.gate(FhewGate::Xor, &a, &a).unwrap();
        let one = evaluation.gate(FhewGate::Or, &a, &!&a).unwrap();
        for (clear, value) in [(&zero, false), (&one, true), (&!&one, false), (&!&zero, true)] {
            assert!(clear.is_clear() && key.decrypt(clear).unwrap() == value);
            let bytes = clear.to_bytes(&params).unwrap();
            assert_eq!(bytes.len(), clear.byte_len(&params));
            let read = FhewBit::from_bytes(&params, &bytes).unwrap();
            assert!(read == *clear && read.key_id() == key.id());
            for (gate, expected) in GATES {
                let mixed = evaluation.gate(gate, &b, &read).unwrap();
                assert_eq!(key.decrypt(&mixed).unwrap(), expected(!bit, value), "{gate:?}");
                let both = evaluation.gate(gate, clear, &read).unwrap();
                assert!(both.is_clear(), "{gate:?} of clear bits");
                assert_eq!(key.decrypt(&both).unwrap(), expected(value, value), "{gate:?}");
            }
        }
    }
}

/// Evaluation keys of every method are read back and evaluate gates.
#[test]
fn evaluation_keys_travel() {
    let methods = [Method::Ginx, Method::Lmkcdey { window: 2 }, Method::Ap { base_log: 3 }];
    for method in methods {
        let params = FhewParams { lwe_dimension: 12, ..insecure(method) };
        let mut rng = SecretRng::insecure_from_seed(10);
        let key = FhewSecretKey::generate(&params, &mut rng);
        let evaluation = key.evaluation_keys(&mut rng).unwrap();
        let bytes = evaluation.to_bytes();
        assert_eq!(bytes.len(), evaluation.byte_len());
        let read = FhewEvaluationKeys::from_bytes(&params, &bytes).unwrap();
        assert!(read.to_bytes() == bytes && read.key_id() == key.id());
        let [a, b] = [true, false].map(|bit| key.encrypt(bit, &mut rng));
        for (gate, expected) in GATES {
            let outputs = [&evaluation, &read].map(|keys| keys.gate(gate, &a, &b).unwrap());
            assert_eq!(outputs[0], outputs[1]);
            assert_eq!(key.decrypt(&outputs[1]).unwrap(), expected(true, false), "{gate:?}");
        }
        refuses_damage(&params, &bytes);
    }
}

/// Damaged evaluation keys are refused, or encode to the bytes that were read.
fn refuses_damage(params: &FhewParams, bytes: &[u8]) {
    let read = |bytes: &[u8]| FhewEvaluationKeys::from_bytes(params, bytes).map(drop).unwrap_err();
    let sealed = |mut bytes: Vec<u8>| {
        let end = bytes.len() - 16;
        let sum = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.as_bytes()[..16]);
        bytes
    };
    let with = |at: usize, new: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = new;
        bytes
    };
    for at in [0, 20, 60, 72, 80, bytes.len() / 2, bytes.len() - 20, bytes.len() - 1] {
        assert!(matches!(read(&bytes[..at]), Damaged(WireError::Truncated { .. })), "{at}");
        let damaged = with(at, bytes[at] ^ 1);
        assert!(matches!(read(&damaged), Damaged(_) | ParamsMismatch { .. }), "{at}");
    }
    // The first residue has its 26 bits set, which is not below the modulus.
    let mut residue = bytes.to_vec();
    residue[72..76].fill(0xff);
    assert!(matches!(read(&sealed(residue)), Damaged(WireError::Range { .. })));
    // The last word has 16 bits.
    let word = sealed(with(bytes.len() - 18, bytes[bytes.len() - 18] | 1));
    assert_eq!(read(&word), WireError::Malformed { field: "word" }.into());
    // A frame that states a length of 2^60 is refused by its length.
    let long = sealed(with(71, 16));
    assert!(matches!(read(&long), Damaged(WireError::Truncated { .. })));
    let other = FhewParams { lwe_dimension: 13, ..params.clone() };
    let refused = FhewEvaluationKeys::from_bytes(&other, bytes).map(drop).unwrap_err();
    assert!(matches!(refused, ParamsMismatch { .. }));
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
fn sets_are_read_as_they_are_displayed() {
    for params in FhewParams::presets() {
        assert_eq!(params.to_string().parse::<FhewParams>().unwrap().id(), params.id());
    }
    assert!("fhew_ginx_256".parse::<FhewParams>().is_err());
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
    assert!(matches!(key.decrypt(&bit), Err(Error::Fathom(ParamsMismatch { .. }))));
    let evaluation = key.evaluation_keys(&mut rng).unwrap();
    let own = key.encrypt(true, &mut rng);
    let refused = evaluation.gate(FhewGate::And, &own, &bit);
    assert!(matches!(refused, Err(Error::Fathom(ParamsMismatch { .. }))));
}
