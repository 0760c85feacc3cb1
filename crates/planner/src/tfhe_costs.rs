//! Unit costs of TFHE with one parameter set on a number of threads.

use serde::{Deserialize, Serialize};

use crate::layer_curve::LayerCurve;

/// The costs of the operations of both roles on this machine. Times are lower quartiles in
/// nanoseconds; sizes are in bytes and exact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TfheCosts {
    /// Name of the parameter set.
    pub params: String,
    /// The time of the measurement (RFC 3339).
    pub measured: String,
    /// Times of layers of bootstraps.
    pub layers: LayerCurve,
    /// Time of the client to generate the evaluation keys and to encode them.
    pub keygen_ns: f64,
    /// Time of the server to decode and to expand the evaluation keys.
    pub keys_ns: f64,
    /// Time of the client to encrypt a block.
    pub encrypt_ns: f64,
    /// Time of the server to decode a block and to draw its mask.
    pub load_ns: f64,
    /// Time of the server to encode a block of the result.
    pub answer_ns: f64,
    /// Time of the client to decode and to decrypt a block of the result.
    pub decrypt_ns: f64,
    /// Bytes of the evaluation keys as they are sent.
    pub key_bytes: u64,
    /// Bytes of memory of the evaluation keys between decoding and expansion.
    pub decoded_key_bytes: u64,
    /// Evaluation keys after expansion, in memory.
    pub expanded_key_bytes: u64,
    /// Encrypted inputs as they are sent: what does not depend on their number.
    pub upload_bytes: u64,
    /// Bytes of an encrypted block as it is sent.
    pub upload_block_bytes: u64,
    /// A value of the result as it is sent: what does not depend on its blocks.
    pub result_value_bytes: u64,
    /// A block of a result as it is sent.
    pub result_block_bytes: u64,
    /// A block in memory.
    pub block_bytes: u64,
    /// Memory of a server without keys.
    pub process_bytes: u64,
}

impl TfheCosts {
    /// Returns the number of threads of the server.
    pub fn threads(&self) -> usize {
        self.layers.threads()
    }

    /// Returns true if every time is a number that a measurement can give.
    pub(crate) fn is_valid(&self) -> bool {
        let times = [
            self.keygen_ns,
            self.keys_ns,
            self.encrypt_ns,
            self.load_ns,
            self.answer_ns,
            self.decrypt_ns,
        ];
        self.layers.is_valid() && times.iter().all(|time| time.is_finite() && *time >= 0.0)
    }
}
