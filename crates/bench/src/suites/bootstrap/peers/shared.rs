//! This module holds the limit on samples and the sizes that all circuits of other libraries share.

use fathom_cases::record::Bytes;

use crate::measure::bootstrapping::Bootstrapping;

/// Largest number of samples, which the time for the program limits in practice.
pub(super) const MOST_SAMPLES: usize = 100;

/// Returns the sizes of keys and of the ciphertexts before and after the operation.
pub(super) fn bytes(peer: &Bootstrapping, ct_in: u64, ct_out: u64) -> Bytes {
    let bytes = peer.keys.bytes;
    let known = |bytes: u64| Some(bytes).filter(|bytes| *bytes > 0);
    Bytes {
        ct_in: known(ct_in),
        ct_out: known(ct_out),
        sk: known(bytes.sk),
        bootstrapping: known(bytes.bootstrapping),
        bootstrapping_memory: known(bytes.bootstrapping_memory),
        peak_rss: known(peer.peak_rss()),
        ..Bytes::default()
    }
}
