#![no_main]

use fathom::bfv::Plaintext;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::Plaintext, bytes, |bytes| Ok(Plaintext::from_bytes(params(), bytes)?.to_bytes()));
});
