//! Unit costs and work that nobody measured, for tests.

use std::collections::BTreeMap;

use fathom::tfhe::Params;

use crate::layer_curve::LayerCurve;
use crate::tfhe_costs::TfheCosts;
use crate::work::BootstrapWork;

/// Unit costs that nobody measured.
pub fn costs(threads: usize) -> TfheCosts {
    let points = BTreeMap::from([(1, 1000.0), (2, 1500.0), (8, 4500.0)]);
    TfheCosts {
        params: "test".into(),
        measured: "2026-01-01T00:00:00Z".into(),
        layers: LayerCurve::new(threads, points).expect("the points are positive"),
        keygen_ns: 1e6,
        keys_ns: 2e6,
        encrypt_ns: 10.0,
        load_ns: 20.0,
        answer_ns: 30.0,
        decrypt_ns: 40.0,
        key_bytes: 1_000_000,
        decoded_key_bytes: 2_000_000,
        expanded_key_bytes: 5_000_000,
        upload_bytes: 100,
        upload_block_bytes: 4,
        result_value_bytes: 60,
        result_block_bytes: 1000,
        block_bytes: 1100,
        process_bytes: 10_000,
    }
}

/// Returns the work of a circuit with these layers; `blocks` are the numbers of blocks of inputs,
/// of blocks of results and of values of results.
pub fn work(layers: &[(u64, u64)], blocks: [u64; 3]) -> BootstrapWork {
    BootstrapWork {
        params: Params::preset(Params::INTEGERS).expect("it is a preset"),
        layers: layers.iter().copied().collect(),
        encrypted_blocks: blocks[0],
        result_blocks: blocks[1],
        result_values: blocks[2],
    }
}
