#![no_main]

use fathom::bfv::LinearMap;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{check, slotted_params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::LinearMap, bytes, |bytes| {
        Ok(LinearMap::from_bytes(slotted_params(), bytes)?.to_bytes())
    });
});
