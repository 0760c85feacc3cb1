#![no_main]

use fathom_fuzz::{hfhe_public, metered};
use fathom_hfhe::compat::{LayeredCiphertext, PublicKey, SecretKey};
use libfuzzer_sys::fuzz_target;

// A file that was read is written, and read again as the same.
fuzz_target!(|bytes: &[u8]| {
    let public = hfhe_public();
    let _ = metered(bytes, PublicKey::check_reference_params_json);
    let _ = metered(bytes, |bytes| SecretKey::from_reference_secret_bytes(public, bytes));
    let read = |bytes: &[u8]| LayeredCiphertext::from_reference_bytes(public, bytes);
    if let Ok(ciphertexts) = metered(bytes, read) {
        let again = LayeredCiphertext::to_reference_bytes(&ciphertexts);
        assert_eq!(LayeredCiphertext::from_reference_bytes(public, &again), Ok(ciphertexts));
    }
});
