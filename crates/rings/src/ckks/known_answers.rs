//! Known answers of an independent slow implementation, `vectors/ckks.py`.

use super::{Complex64, Evaluator, Params, Preset, Rotations, RowSwap, SecretKey};
use crate::SecretRng;
use crate::rlwe::Level;
use fathom_ring::{RealRow, rotation_exponent};
use serde_json::Value;

fn answers() -> Value {
    serde_json::from_str(include_str!("../../tests/data/ckks-known-answers.json")).unwrap()
}

fn size(v: &Value) -> usize {
    v.as_u64().unwrap() as usize
}

fn cases(v: &Value) -> &[Value] {
    let cases = v.as_array().unwrap();
    assert!(!cases.is_empty());
    cases
}

fn params() -> Params {
    Params::preset(Preset::E3Depth1).unwrap()
}

/// Returns a fraction from -1/2 to 1/2, as the function of the same name in the script.
fn dyadic(j: usize, factor: usize, offset: usize, modulus: usize) -> f64 {
    let residue = (factor * j * j + offset * j + 1) % modulus % 257;
    (residue as f64 - 128.0) / 256.0
}

fn slots_of(count: usize, kind: &str) -> Vec<Complex64> {
    let imaginary = |j| if kind == "real" { 0.0 } else { dyadic(j, 5, 11, 2003) };
    (0..count).map(|j| Complex64::new(dyadic(j, 7, 3, 1009), imaginary(j))).collect()
}

/// Returns slots that are written as decimal numbers.
fn slots(v: &Value) -> Vec<Complex64> {
    let part = |v: &Value| v.as_str().unwrap().parse::<f64>().unwrap();
    cases(v).iter().map(|z| Complex64::new(part(&z[0]), part(&z[1]))).collect()
}

fn same(found: &[Complex64], expected: &[Complex64], error: f64) {
    for (j, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).norm() <= error, "slot {j}: {a} instead of {b}");
    }
}

#[test]
fn provenance_is_stated() {
    let provenance = &answers()["provenance"];
    assert_eq!(provenance["script"], "crates/rings/vectors/ckks.py");
    assert!(provenance["python"].as_str().unwrap().starts_with("3."));
}

#[test]
fn encodings_have_the_known_coefficients() {
    let (answers, params) = (answers(), params());
    for case in cases(&answers["encodings"]) {
        let degree = size(&case["degree"]);
        let values = slots_of(degree / 2, case["kind"].as_str().unwrap());
        let plain = params.encode_repeated(&values).unwrap();
        // Fewer slots than there are lie in the subring of this degree.
        assert_eq!((plain.coefficients.len(), plain.stride()), (degree, 4096 / degree));
        let scale = 2f64.powi(size(&case["scale_bits"]) as i32);
        let limbs = params.top_level().limbs().chain();
        let (polynomial, _) = plain.rounded_at(scale, limbs).unwrap();
        let found = polynomial.into_coeff().to_centered_reals();
        for term in cases(&case["coefficients"]) {
            let (index, expected) = (size(&term[0]), term[1].as_i64().unwrap());
            assert_eq!(found[index * plain.stride()] as i64, expected, "coefficient {index}");
        }
    }
}

/// Returns the polynomial of the decodings, by the rule of the script, at its scale.
fn polynomial(case: &Value) -> RealRow {
    let degree = size(&case["degree"]);
    let scale = 2f64.powi(size(&case["scale_bits"]) as i32);
    let mut row = RealRow::zeroed(degree);
    for (k, c) in row.iter_mut().enumerate() {
        *c = (((37 * k * k + 11 * k + 5) % 4001) as f64 - 2000.0) / scale;
    }
    row
}

#[test]
fn decodings_have_the_known_slots() {
    let (answers, params) = (answers(), params());
    for case in cases(&answers["decodings"]) {
        let mut plain = params.encode_repeated(&[0.0]).unwrap();
        plain.coefficients = polynomial(case);
        let expected = slots(&case["slots"]);
        let found = plain.slots_complex();
        assert_eq!(found.len(), expected.len());
        same(&found, &expected, 1e-14);
    }
}

#[test]
fn rotations_and_conjugations_move_slots_as_the_known_automorphisms() {
    let (answers, params) = (answers(), params());
    let mut rng = SecretRng::insecure_from_seed(80);
    let secret = SecretKey::generate(&params, &mut rng);
    for case in cases(&answers["decodings"]) {
        let degree = size(&case["degree"]);
        let steps = |image: &Value| size(&image["rotation"]) as i64;
        let all: Vec<i64> = cases(&case["rotations"]).iter().map(steps).collect();
        let rotations = Rotations { steps: all, row_swap: RowSwap::With };
        let server = Evaluator::new(secret.evaluation_keys(&rotations, &mut rng).unwrap());
        let plain = params.encode_repeated(&slots(&case["slots"])).unwrap();
        let a = secret.encrypt_at(&plain, Level::ZERO, &mut rng).unwrap();
        let compare = |c: &super::Ciphertext, image: &Value| {
            let found = secret.decrypt(c).unwrap();
            same(&found.slots_complex(), &slots(&image["slots"]), found.error_bound());
        };
        for image in cases(&case["rotations"]) {
            let exponent = rotation_exponent(degree, steps(image));
            assert_eq!(exponent, size(&image["galois_element"]));
            compare(&server.rotate(&a, steps(image)).unwrap(), image);
        }
        assert_eq!(size(&case["conjugate"]["galois_element"]), 2 * degree - 1);
        compare(&server.conjugate(&a).unwrap(), &case["conjugate"]);
    }
}
