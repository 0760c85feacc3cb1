//! Measures bootstrappings of CKKS, and what their keys cost.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use fathom::ckks::{BootstrapSecret, Bootstrapper, BootstrappingKeys, Params, SecretKey, Table};
use fathom::wire::{Wire, WireObject};
use fathom::{Error, SecretRng};

use crate::ring_costs::{BootstrappingCosts, RingCosts};
use crate::work::RingOperation;

/// Peak memory of a process that bootstraps, for each byte of the bootstrapping keys as they are
/// sent. Measured: 4.4 for `boot-c`, 5.5 for `boot-a`, 6 for a refresh, and 7.5 for `boot-t` in a
/// server that holds the message with the keys too.
pub const MEMORY_PER_KEY_BYTE: u64 = 8;

/// Measures the bootstrappings among the operations of a circuit: times in nanoseconds by
/// [`RingCosts::key`], and the costs of the keys. Takes a minute and gigabytes.
///
/// # Errors
/// Those of the random generator of the system, of the keys and of the bootstrappings.
pub(crate) fn measure(
    params: &Params,
    threads: usize,
    operations: &BTreeSet<(RingOperation, usize)>,
) -> Result<(BTreeMap<String, f64>, BootstrappingCosts), Error> {
    // Rings keep the memory that was used in them: these are dropped at the end.
    let own = params.bootstrap_set().map(Params::bootstrappable).transpose()?;
    let params = own.as_ref().unwrap_or(params);
    let mut rng = SecretRng::from_os()?;
    let secret = SecretKey::generate(params, &mut rng);
    let started = Instant::now();
    let bytes = secret.bootstrapping_keys(&mut rng)?.to_bytes();
    let keygen_ns = nanoseconds(started);
    let started = Instant::now();
    let keys = BootstrappingKeys::from_bytes(params, &bytes)?;
    drop(bytes);
    let server = Bootstrapper::new(keys).with_threads(threads)?;
    let mut functions = Vec::new();
    for &(operation, level) in operations {
        let RingOperation::Bootstrap { depth } = operation else { continue };
        let prepared = server.prepare(&[Table::new(depth, f64::from)?])?;
        functions.push((RingCosts::key(operation, level), prepared));
    }
    let keys_ns = nanoseconds(started);
    let x = secret.encrypt(&params.encode(&vec![1.0; params.slot_count()])?, &mut rng)?;
    let mut times = BTreeMap::new();
    for (key, prepared) in functions {
        // The first one touches the memory that later ones reuse.
        server.apply(&x, &prepared)?;
        let started = Instant::now();
        server.apply(&x, &prepared)?;
        times.insert(key, nanoseconds(started));
    }
    Ok((times, BootstrappingCosts { keygen_ns, keys_ns }))
}

fn nanoseconds(since: Instant) -> f64 {
    since.elapsed().as_nanos() as f64
}
