#![no_main]

use fathom::tfhe::ClientKey;
use fathom::wire::Kind;
use fathom_fuzz::{Label, block_binary_params, check_labeled};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let params = block_binary_params();
    let label = Label { kind: Kind::SecretKey, scheme: *b"tfhe", params_id: params.id() };
    check_labeled(label, bytes, |bytes| {
        Ok(ClientKey::from_secret_bytes(params, bytes)?.to_secret_bytes().to_vec())
    });
});
