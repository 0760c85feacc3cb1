//! The work of a circuit, in units that a machine can be measured in.

use std::collections::BTreeMap;

use fathom::{bfv, ckks, tfhe};

/// The work of a program on TFHE. Additions of blocks are not counted: each takes less than a
/// thousandth of a bootstrap.
#[derive(Clone, Debug)]
pub struct BootstrapWork {
    /// The parameters of the circuit.
    pub params: tfhe::Params,
    /// Number of layers of the circuit by their number of bootstraps.
    pub layers: BTreeMap<u64, u64>,
    /// Number of blocks that the client encrypts.
    pub encrypted_blocks: u64,
    /// Number of blocks of the result.
    pub result_blocks: u64,
    /// Number of values of the result, each of one or more blocks.
    pub result_values: u64,
}

impl BootstrapWork {
    /// Returns the number of bootstraps of the circuit, and of its sequential layers.
    pub fn bootstraps(&self) -> (u64, u64) {
        let bootstraps = self.layers.iter().map(|(bootstraps, layers)| bootstraps * layers);
        (bootstraps.sum(), self.layers.values().sum())
    }
}

/// The work of a program on vectors in the slots of a ring scheme.
#[derive(Clone, Debug)]
pub struct RingWork {
    /// The parameters of the circuit.
    pub params: RingParams,
    /// Number of operations of the server by kind and by the level of the operands: the number of
    /// primes that can still be dropped.
    pub counts: RingCounts,
    /// Number of operations on the critical path: of parts that run on several threads, those of
    /// the thread with the most.
    pub spans: RingSpans,
    /// Number of times that the circuit distributes a part over several threads and waits for all.
    pub joins: u64,
    /// Number of row transforms of degree `N` of the whole circuit.
    pub transforms: u64,
    /// Number of ciphertexts that the client encrypts.
    pub encrypted: u64,
    /// Number of ciphertexts of the result.
    pub results: u64,
    /// Number of evaluation keys: the relinearisation key and one for each rotation.
    pub keys: u64,
    /// Bytes of the evaluation keys as they are sent.
    pub key_bytes: u64,
    /// Bytes of the bootstrapping keys as they are sent; 0 for circuits that do not bootstrap.
    pub bootstrapping_key_bytes: u64,
    /// Bytes of the encrypted inputs as they are sent.
    pub upload_bytes: u64,
    /// Bytes of the result as it is sent.
    pub download_bytes: u64,
}

impl RingWork {
    /// Returns the number of bootstrappings.
    pub fn bootstraps(&self) -> u64 {
        let all = self.counts.iter().filter(|((operation, _), _)| operation.is_bootstrap());
        all.map(|(_, count)| count).sum()
    }
}

/// Number of operations by kind and level.
pub type RingCounts = BTreeMap<(RingOperation, usize), u64>;

/// Number of operations on the critical path of a circuit, by kind and level.
///
/// Operations outside parallel parts count as one each. In a part whose `m` items are distributed
/// over threads, each counts as `k / m`, where `k` is the largest number of items of one thread.
pub type RingSpans = BTreeMap<(RingOperation, usize), f64>;

/// Parameters of a ring scheme.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RingParams {
    /// Integers modulo `t` in slots.
    Bfv(bfv::Params),
    /// Real numbers in slots.
    Ckks(ckks::Params),
}

/// The kinds of operations on ciphertexts of a ring scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RingOperation {
    /// A sum or difference of two ciphertexts, or of a ciphertext and an integer.
    Add,
    /// A product with an integer.
    MulScalar,
    /// A product with a public vector, which is encoded for it.
    MulPlain,
    /// A product of a vector with a public matrix.
    Transform {
        /// Number of rows of the matrix.
        rows: u32,
        /// Number of columns of the matrix.
        columns: u32,
        /// Size of the layout of its operand and its result.
        size: u32,
    },
    /// A product of two ciphertexts without relinearisation, as one term of an inner product.
    Tensor,
    /// A product of two ciphertexts with relinearisation and the switch to the next level.
    Mul,
    /// A rotation or a swap of rows.
    Rotate,
    /// A switch to a lower level.
    ModSwitch,
    /// A bootstrapping of CKKS on real slots that applies a function, on all threads of the server:
    /// a table of this many bits, or a smooth function of as many levels.
    Bootstrap {
        /// Levels that the function takes.
        depth: u32,
    },
}

impl RingOperation {
    /// Returns true for a bootstrapping.
    pub fn is_bootstrap(self) -> bool {
        matches!(self, RingOperation::Bootstrap { .. })
    }
}
