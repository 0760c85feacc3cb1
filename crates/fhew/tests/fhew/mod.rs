//! FHEW through its public interface.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::wildcard_enum_match_arm, reason = "the public enumerations may grow")]

mod copies;
#[path = "../../../torus/tests/tfhe/frame.rs"]
#[expect(dead_code, reason = "every test binary uses its own part")]
mod frame;
mod golden;
mod mixing;
mod objects;
#[path = "../../../fathom/tests/wire/reference.rs"]
#[expect(dead_code, reason = "every test binary uses its own part")]
mod reference;
