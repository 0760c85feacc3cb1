#![no_main]

use fathom::wire::{Kind, Wire, WireObject};
use fathom_fuzz::{Label, check_decoder, hfhe_key, metered};
use fathom_hfhe::Error;
use fathom_hfhe::native::Ciphertext;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let id = hfhe_key().id();
    let label = Label { kind: Kind::Ciphertext, scheme: *b"hfhn", params_id: *id.as_bytes() };
    let read = |bytes: &[u8]| Ciphertext::from_bytes(&id, bytes);
    check_decoder(label, bytes, |bytes| Ok::<_, Error>(metered(bytes, read)?.to_bytes()));
});
