//! HFHE through its public interface.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod circuits;
mod kernels;
mod reference_model;
mod refusals;
mod remedies;
#[cfg(target_os = "linux")]
mod stack;
mod threads;
mod unmerged;
mod wire;

use fathom::SecretRng;
use fathom_hfhe::{Workers, compat, native};
use std::sync::OnceLock;

/// Returns a key of the compatible mode, which is generated once.
fn compat_key() -> &'static compat::SecretKey {
    static KEY: OnceLock<compat::SecretKey> = OnceLock::new();
    KEY.get_or_init(|| {
        let workers = Workers::new(2).unwrap();
        compat::SecretKey::generate(&mut SecretRng::insecure_from_seed(1), &workers).unwrap()
    })
}

fn native_key() -> native::SecretKey {
    native::SecretKey::generate(&mut SecretRng::insecure_from_seed(1))
}
