//! A gate that several circuits compute gives the same ciphertext, its complement, or one with an
//! unlike mask.

use fathom::SecretRng;
use fathom_fhew::{FhewGate, FhewParams, FhewSecretKey};

/// Bits are the same ciphertext, complements, or have unlike masks. A gate of the first two
/// is clear or uses a constant in place of one copy.
#[test]
fn gates_by_every_name_are_copies_complements_or_unlike() {
    let params = FhewParams::preset("fhew_ginx_128").unwrap();
    let mut rng = SecretRng::insecure_from_seed(22);
    let secret = FhewSecretKey::generate(&params, &mut rng);
    let keys = secret.evaluation_keys(&mut rng).unwrap();
    let [a, b] = [true, false].map(|bit| secret.encrypt(bit, &mut rng));
    let (not_a, not_b) = (!&a, !&b);
    let jobs = [
        (FhewGate::And, &a, &b),
        (FhewGate::And, &b, &a),
        (FhewGate::AndNy, &not_a, &b),
        (FhewGate::Nand, &a, &b),
        (FhewGate::Nor, &not_a, &not_b),
        (FhewGate::Or, &a, &b),
        (FhewGate::OrYn, &a, &not_b),
        (FhewGate::Xor, &a, &b),
        (FhewGate::Xnor, &b, &a),
    ];
    let bits = jobs.map(|(gate, x, y)| keys.gate(gate, x, y).unwrap());
    let mut alike = 0;
    for (index, x) in bits.iter().enumerate() {
        for y in &bits[..index] {
            let expected = secret.decrypt(x).unwrap() ^ secret.decrypt(y).unwrap();
            let sum = keys.gate(FhewGate::Xor, x, y).unwrap();
            assert_eq!(secret.decrypt(&sum).unwrap(), expected);
            let is_alike = x == y || *x == !y;
            assert_eq!(sum.is_clear(), is_alike);
            alike += usize::from(is_alike);
        }
    }
    assert!(alike >= 8, "{alike} pairs are alike");
}
