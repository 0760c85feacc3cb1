//! The figures of a whole program, in the record of its case.

use serde::{Deserialize, Serialize};

use fathom_workloads::Task;

/// A whole program: how it was computed, and what each phase cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Application {
    /// The task that was computed.
    pub task: Task,
    /// The algorithm in one sentence.
    pub method: String,
    /// Seeds of the inputs, each computed and verified.
    pub seeds: Vec<u64>,
    /// Name of the parameters.
    pub parameters: String,
    /// Times.
    pub phases: Phases,
    /// Sizes of the messages.
    pub messages: Messages,
    /// Peak memory of the process with the secret key, in bytes.
    pub client_peak_bytes: u64,
    /// Peak memory of the process that computed, in bytes.
    pub server_peak_bytes: u64,
    /// Processor time of one computation over all threads; null if unknown.
    pub compute_cpu_ns: Option<u64>,
    /// The prediction of the planner for the same task on this machine; null if none was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
}

/// Times of the phases in nanoseconds, by the clock of the process that worked. Transfers between
/// processes are not part of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Generation of all keys by the client.
    pub keygen_ns: u64,
    /// Reading and expansion of the evaluation keys by the server.
    pub keys_ns: u64,
    /// Encryption by the client.
    pub encrypt_ns: u64,
    /// Reading of the ciphertexts by the server.
    pub load_ns: u64,
    /// The first computation.
    pub compute_cold_ns: u64,
    /// The median of the later computations; that of the first if there is one only.
    pub compute_warm_ns: u64,
    /// Writing of the answer by the server.
    pub answer_ns: u64,
    /// Decryption by the client.
    pub decrypt_ns: u64,
}

/// Sizes of the messages in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages {
    /// Evaluation keys, sent once.
    pub keys: u64,
    /// Encrypted inputs.
    pub upload: u64,
    /// Encrypted result.
    pub download: u64,
}

/// The predictions of the planner. Times are in nanoseconds and sizes in bytes; each field has the
/// meaning that it has in [`Phases`] and [`Messages`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// Generation of all keys by the client.
    pub keygen_ns: u64,
    /// Reading and expansion of the evaluation keys by the server.
    pub keys_ns: u64,
    /// Encryption by the client.
    pub encrypt_ns: u64,
    /// One computation.
    pub compute_ns: u64,
    /// Decryption by the client.
    pub decrypt_ns: u64,
    /// Evaluation keys.
    pub key_bytes: u64,
    /// Encrypted inputs.
    pub upload_bytes: u64,
    /// Encrypted result.
    pub download_bytes: u64,
    /// Peak memory of the server.
    pub server_peak_bytes: u64,
    /// True if the planner chose this implementation among those of its library.
    pub chosen: bool,
}

impl Phases {
    /// Returns the time from the clear inputs to the clear result, without the keys.
    pub fn request_ns(&self) -> u64 {
        self.encrypt_ns + self.load_ns + self.compute_warm_ns + self.answer_ns + self.decrypt_ns
    }
}

impl Predicted {
    /// Returns the prediction with the mean times of two.
    #[must_use]
    pub fn mean(self, other: Self) -> Self {
        Self {
            keygen_ns: self.keygen_ns.midpoint(other.keygen_ns),
            keys_ns: self.keys_ns.midpoint(other.keys_ns),
            encrypt_ns: self.encrypt_ns.midpoint(other.encrypt_ns),
            compute_ns: self.compute_ns.midpoint(other.compute_ns),
            decrypt_ns: self.decrypt_ns.midpoint(other.decrypt_ns),
            ..self
        }
    }
}

impl Application {
    /// Returns the deviation of the predicted time of a computation from the measured one, relative
    /// to the measured one; `None` without a prediction or a measurement.
    pub fn deviation(&self) -> Option<f64> {
        deviation(self.predicted?.compute_ns, self.phases.compute_warm_ns)
    }
}

/// Returns the deviation of a prediction relative to the measurement; `None` if that is 0.
pub fn deviation(predicted: u64, measured: u64) -> Option<f64> {
    (measured > 0).then(|| predicted as f64 / measured as f64 - 1.0)
}
