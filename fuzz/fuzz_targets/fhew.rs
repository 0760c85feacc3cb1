#![no_main]

use fathom::wire::{Kind, Wire, WireObject, WireValue};
use fathom_fhew::{Error, FhewBit, FhewEvaluationKeys, FhewParams, FhewSecretKey};
use fathom_fuzz::{Label, check_decoder};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let params = FhewParams::preset("fhew_ginx_128").expect("this set ships");
    let label = |kind| Label { kind, scheme: *b"fhew", params_id: params.id() };
    check_decoder(label(Kind::Params), bytes, |bytes| {
        Ok::<_, Error>(FhewParams::from_bytes(bytes)?.to_bytes())
    });
    check_decoder(label(Kind::Ciphertext), bytes, |bytes| {
        FhewBit::from_bytes(&params, bytes)?.to_bytes(&params)
    });
    check_decoder(label(Kind::SecretKey), bytes, |bytes| {
        Ok::<_, Error>(FhewSecretKey::from_secret_bytes(&params, bytes)?.to_secret_bytes().to_vec())
    });
    check_decoder(label(Kind::EvaluationKeys), bytes, |bytes| {
        Ok::<_, Error>(FhewEvaluationKeys::from_bytes(&params, bytes)?.to_bytes())
    });
});
