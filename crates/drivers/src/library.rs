//! The interface of a library that is served as a driver.

use super::protocol::{LibraryInfo, ParamsInfo, Prepare, Refusal, SchemeInfo};
use super::served::Served;

/// A homomorphic-encryption library.
pub trait Library {
    /// Returns name, version and build.
    fn info(&self) -> LibraryInfo;

    /// Returns the schemes with their presets and operations.
    fn schemes(&self) -> Vec<SchemeInfo>;

    /// Chooses parameters, without keys. [`serving`](super::served::serving) wraps the session.
    ///
    /// # Errors
    /// `unsupported`, `insecure` or `bad_request`.
    fn open(&self, request: &Prepare) -> Result<(Box<dyn Served>, ParamsInfo), Refusal>;
}
