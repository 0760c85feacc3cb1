//! Received parameters cost little memory, since they have no tables before they are used.

use crate::rlwe::modular::{Modular, Preset};
use crate::rlwe::{Encoding, Params};
use crate::wire::{Wire, WireObject};
use crate::{SecretRng, bfv, bgv, ckks, wide};
use fathom_ring::Ring;
use std::sync::Arc;

/// Reads parameters back, and asserts that nothing made their tables.
fn read_without_tables<S: Encoding>(params: &Params<S>) -> Params<S>
where
    Params<S>: WireObject + Wire<Context = ()>,
{
    let read = Params::<S>::from_bytes(&(), &params.to_bytes()).unwrap();
    for params in [params, &read] {
        assert!(!params.context().ring.has_tables(), "{}", params.name());
    }
    read
}

fn exact<S: Modular>() -> Arc<Ring>
where
    Params<S>: WireObject + Wire<Context = ()>,
{
    let params = read_without_tables(&Params::<S>::preset(Preset::E2).unwrap());
    crate::rlwe::SecretKey::generate(&params, &mut SecretRng::insecure_from_seed(1));
    Arc::clone(&params.context().ring)
}

/// A frame of two hundred bytes made tables of megabytes.
#[test]
fn parameters_have_no_tables_before_their_first_use() {
    for ring in [exact::<bfv::Bfv>(), exact::<bgv::Bgv>()] {
        assert!(ring.has_tables());
    }
    let preset = ckks::Params::preset(ckks::Preset::E3).unwrap();
    read_without_tables(&preset);
    assert!(ckks::Params::from_bytes_within(&preset.to_bytes(), 1 << 12).is_err());
    read_without_tables(&wide::Params::preset(wide::Preset::ALL[0]).unwrap());
    let circuit = wide::Circuit::sums_of::<u64>(4);
    read_without_tables(&wide::VectorParams::plan(&circuit).unwrap());
}
