#![no_main]

use fathom::hfhe::compat::{LayeredCiphertext, SecretKey};
use fathom_fuzz::hfhe_public;
use libfuzzer_sys::fuzz_target;

// What is read writes a file that reads as the same.
fuzz_target!(|bytes: &[u8]| {
    let public = hfhe_public();
    let _ = SecretKey::from_reference_secret_bytes(public, bytes);
    if let Ok(ciphertexts) = LayeredCiphertext::from_reference_bytes(public, bytes) {
        let again = LayeredCiphertext::to_reference_bytes(&ciphertexts);
        assert_eq!(LayeredCiphertext::from_reference_bytes(public, &again), Ok(ciphertexts));
    }
});
