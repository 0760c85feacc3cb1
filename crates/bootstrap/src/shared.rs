//! Keys that tests share: making those of a bootstrapping takes longer than most tests.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

type Made = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

/// Returns the value of this type and name, which the first test that asks for it makes.
pub(super) fn shared<T: Any + Send + Sync>(name: &str, make: impl FnOnce() -> T) -> Arc<T> {
    static ALL: OnceLock<Mutex<HashMap<(TypeId, String), Made>>> = OnceLock::new();
    let cell = {
        let mut all =
            ALL.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(all.entry((TypeId::of::<T>(), name.to_owned())).or_default())
    };
    let value = cell.get_or_init(|| Arc::new(make()));
    Arc::clone(value).downcast().unwrap()
}

/// Seed of the generator that makes shared keys: no test encrypts with it.
pub(super) const SEED: u64 = 1 << 32;
