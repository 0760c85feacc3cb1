#![no_main]

use fathom::bfv::Params;
use fathom::wire::{Kind, WireObject};
use fathom_fuzz::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::Params, bytes, |bytes| Ok(Params::from_bytes(bytes)?.to_bytes()));
});
