#![no_main]

use fathom::tfhe::Params;
use fathom::wire::{Kind, WireObject};
use fathom_fuzz::{Label, check_labeled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let label = Label { kind: Kind::Params, scheme: *b"tfhe", params_id: [0; 32] };
    check_labeled(label, bytes, |bytes| Ok(Params::from_bytes(bytes)?.to_bytes()));
});
