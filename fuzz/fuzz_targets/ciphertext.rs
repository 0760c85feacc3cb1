#![no_main]

use fathom::bfv::Ciphertext;
use fathom::wire::Kind;
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::Ciphertext, bytes, |bytes| Ok(Ciphertext::from_bytes(params(), bytes)?.to_bytes()));
});
