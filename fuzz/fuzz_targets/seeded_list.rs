#![no_main]

use fathom::tfhe::SeededList;
use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{Label, check_labeled, torus_params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let params = torus_params();
    let label = Label { kind: Kind::SeededList, scheme: *b"tfhe", params_id: params.id() };
    check_labeled(label, bytes, |bytes| Ok(SeededList::from_bytes(params, bytes)?.to_bytes()));
});
