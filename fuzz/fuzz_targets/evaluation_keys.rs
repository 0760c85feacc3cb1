#![no_main]

use fathom::bfv::EvaluationKeys;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::EvaluationKeys, bytes, |bytes| {
        Ok(EvaluationKeys::from_bytes(params(), bytes)?.to_bytes())
    });
});
