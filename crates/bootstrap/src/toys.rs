//! Numbers of bootstrappings at a small degree, which has no security.

use fathom_rings::ckks::BootstrapSet;
use fathom_rings::internals::{Schedule, schedule};

/// Returns the widths and the functions of set A.
pub(crate) fn toy() -> Schedule {
    Schedule { name: "boot-toy", special_bits: vec![45.0; 9], ..small(BootstrapSet::A) }
}

/// Returns the widths and the functions of set B.
pub(crate) fn precise_toy() -> Schedule {
    Schedule { name: "boot-toy-b", special_bits: vec![45.8; 8], ..small(BootstrapSet::B) }
}

fn small(set: BootstrapSet) -> Schedule {
    Schedule {
        degree: 1 << 10,
        depth: 2,
        out_layers: &[3, 3, 3],
        in_layers: &[3, 3, 3],
        ..schedule(set)
    }
}
