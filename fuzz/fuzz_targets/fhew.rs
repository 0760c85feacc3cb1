#![no_main]

use fathom::tfhe::fhew::{FhewBit, FhewEvaluationKeys, FhewParams, FhewSecretKey};
use fathom::wire::Kind;
use fathom_fuzz::{Label, check_labelled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let params = FhewParams::preset("fhew_ginx_128").expect("this set ships");
    let label = |kind| Label { kind, scheme: *b"fhew", params_id: params.id() };
    check_labelled(label(Kind::Params), bytes, |bytes| {
        Ok(FhewParams::from_bytes(bytes)?.to_bytes())
    });
    check_labelled(label(Kind::Ciphertext), bytes, |bytes| {
        FhewBit::from_bytes(&params, bytes)?.to_bytes(&params)
    });
    check_labelled(label(Kind::SecretKey), bytes, |bytes| {
        Ok(FhewSecretKey::from_secret_bytes(&params, bytes)?.to_secret_bytes().to_vec())
    });
    check_labelled(label(Kind::EvaluationKeys), bytes, |bytes| {
        Ok(FhewEvaluationKeys::from_bytes(&params, bytes)?.to_bytes())
    });
});
