#![no_main]

use fathom::tfhe::boolean::Bit;
use fathom::tfhe::integer::{FheBool, FheUint8};
use fathom::tfhe::shortint::ShortInt;
use fathom::wire::{Kind, Wire, WireFresh, WireValue};
use fathom_fuzz::{Label, check_labeled, torus_params};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let params = torus_params();
    let label = Label { kind: Kind::RadixValue, scheme: *b"tfhe", params_id: params.id() };
    check_labeled(label, bytes, |bytes| FheUint8::from_bytes(params, bytes)?.to_bytes(params));
    check_labeled(label, bytes, |bytes| FheBool::from_bytes(params, bytes)?.to_bytes(params));
    check_labeled(label, bytes, |bytes| Bit::from_bytes(params, bytes)?.to_bytes(params));
    check_labeled(label, bytes, |bytes| ShortInt::from_bytes(params, bytes)?.to_bytes(params));
    // A frame that is read as fresh is also read with its claims.
    if FheUint8::from_bytes_fresh(params, bytes).is_ok() {
        assert!(FheUint8::from_bytes(params, bytes).is_ok());
    }
});
