#![no_main]

use fathom::bfv::MsbCiphertext;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::MsbCiphertext, bytes, |bytes| {
        Ok(MsbCiphertext::from_bytes(params(), bytes)?.to_bytes())
    });
});
