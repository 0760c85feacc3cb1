#![no_main]

use fathom::bfv::PublicKey;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{check, params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(Kind::PublicKey, bytes, |bytes| Ok(PublicKey::from_bytes(params(), bytes)?.to_bytes()));
});
