//! Unit costs of BFV and CKKS with one set of parameters.

use std::collections::BTreeMap;

use crate::work::RingOperation;
use serde::{Deserialize, Serialize};

/// The costs of the operations of both roles on this machine. Times are lower quartiles in
/// nanoseconds, of operations that run on one thread each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RingCosts {
    /// Scheme and identifier of the parameters.
    pub params: String,
    /// Number of threads that computed at once while the operations were measured.
    pub threads: usize,
    /// The time of the measurement (RFC 3339).
    pub measured: String,
    /// Time of an operation by its name and level ([`RingCosts::key`]).
    pub operations: BTreeMap<String, f64>,
    /// Time to start work on all threads and to wait for its end.
    pub join_ns: f64,
    /// Time of the client to generate and to encode one evaluation key.
    pub keygen_ns: f64,
    /// Time of the server to decode and to expand one evaluation key.
    pub keys_ns: f64,
    /// Time of the client to encrypt a vector.
    pub encrypt_ns: f64,
    /// Time of the server to decode a fresh ciphertext.
    pub load_ns: f64,
    /// Time of the server to encode a ciphertext of the result.
    pub answer_ns: f64,
    /// Time of the client to decode and to decrypt a ciphertext of the result.
    pub decrypt_ns: f64,
    /// A ciphertext of the top level in memory.
    pub ciphertext_bytes: u64,
    /// Memory of a server without keys.
    pub process_bytes: u64,
    /// The costs of the bootstrapping keys, if circuits with these parameters bootstrap.
    #[serde(default)]
    pub bootstrapping: Option<BootstrappingCosts>,
}

/// The costs of bootstrapping keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BootstrappingCosts {
    /// Time of the client to generate and to encode them.
    pub keygen_ns: f64,
    /// Time of the server to decode and to expand them, and to prepare the functions.
    pub keys_ns: f64,
}

impl RingCosts {
    /// Returns true if they are those of these parameters on this number of threads.
    pub(crate) fn is_of(&self, params: &str, threads: usize) -> bool {
        self.params == params && self.threads == threads
    }

    /// Returns the key of an operation on operands of a level.
    pub fn key(operation: RingOperation, level: usize) -> String {
        format!("{operation:?} at level {level}")
    }

    /// Returns the time of an operation in nanoseconds, if it was measured.
    pub fn time_ns(&self, operation: RingOperation, level: usize) -> Option<f64> {
        self.operations.get(&Self::key(operation, level)).copied()
    }

    /// Returns true if every time is a number that a measurement can give.
    pub(crate) fn is_valid(&self) -> bool {
        let times = [
            self.join_ns,
            self.keygen_ns,
            self.keys_ns,
            self.encrypt_ns,
            self.load_ns,
            self.answer_ns,
            self.decrypt_ns,
        ];
        let own = self.bootstrapping.map(|own| [own.keygen_ns, own.keys_ns]);
        let own = own.as_ref().map_or(&[][..], |own| own);
        let mut all = times.iter().chain(own).chain(self.operations.values());
        self.threads > 0 && all.all(|time| time.is_finite() && *time >= 0.0)
    }
}
