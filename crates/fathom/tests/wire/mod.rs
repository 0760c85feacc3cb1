//! The wire format: objects are read back as written, and hostile frames are refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(clippy::float_cmp, reason = "numbers survive bit by bit")]
#![allow(clippy::wildcard_enum_match_arm, reason = "the public enumerations may grow")]
#![allow(clippy::needless_pass_by_value, reason = "refusals are taken apart where they occur")]

mod documented;
mod floats;
mod golden;
mod golden_torus;
mod hostile;
mod maps;
mod mutation;
mod reference;
mod roundtrip;
mod sample;
