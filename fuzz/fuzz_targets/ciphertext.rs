#![no_main]

use fathom::bfv::Ciphertext;
use fathom::wire::{Kind, Wire, WireFresh, WireObject};
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::Ciphertext, bytes, |bytes| {
        if let Ok(fresh) = Ciphertext::from_bytes_fresh(params(), bytes) {
            assert!(fresh.noise_budget_bits() >= 0.0);
        }
        Ok(Ciphertext::from_bytes(params(), bytes)?.to_bytes())
    });
});
