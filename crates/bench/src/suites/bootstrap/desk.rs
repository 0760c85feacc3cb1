//! The keys of a parameter set, shared by its programs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fathom::ckks::{BootstrapSet, Bootstrapper, Params, SecretKey};
use fathom::{Error, SecretRng};

use crate::drivers::engine::describe_ckks;
use crate::drivers::protocol::KeyKind;
use crate::drivers::{available_bytes, peak_rss, restart_peak};
use crate::record::Bytes;
use crate::suites::meter::Meter;
use crate::suites::program::Program;

/// Both sides of a bootstrapping.
pub(super) struct Parties {
    pub(super) params: Params,
    pub(super) secret: SecretKey,
    pub(super) server: Bootstrapper,
}

/// Where the programs of one set find their keys: the first of them makes the keys.
pub(super) struct Desk {
    set: BootstrapSet,
    parties: RefCell<Option<Parties>>,
    /// Number of programs that have run.
    served: Cell<usize>,
}

impl Parties {
    fn new(set: BootstrapSet) -> Result<Self, Error> {
        let mut rng = SecretRng::from_os()?;
        let params = Params::bootstrappable(set)?;
        let secret = SecretKey::generate(&params, &mut rng);
        let server = Bootstrapper::new(secret.bootstrapping_keys(&mut rng)?);
        Ok(Self { params, secret, server })
    }
}

impl Desk {
    pub(super) fn new(set: BootstrapSet) -> Self {
        Self { set, parties: RefCell::new(None), served: Cell::new(0) }
    }

    /// Returns the parameter set.
    pub(super) fn set(&self) -> BootstrapSet {
        self.set
    }

    /// Returns a program that works with the keys of the desk. It is skipped on a machine that
    /// lacks the memory.
    pub(super) fn program(
        self: &Rc<Self>,
        op: impl Into<String>,
        meaning: impl Into<String>,
        work: impl Fn(&mut Meter, &Parties) -> Result<(), Error> + 'static,
    ) -> Program {
        let desk = Rc::clone(self);
        Program::new("ckks", self.set.name(), op, meaning, move |meter| desk.serve(meter, &work))
    }

    fn serve(
        self: &Rc<Self>,
        meter: &mut Meter,
        work: impl Fn(&mut Meter, &Parties) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut place = self.parties.borrow_mut();
        if place.is_none() {
            let wire = Params::bootstrappable(self.set)?.bootstrapping_keys_byte_len()? as u64;
            if let Some(reason) = shortage(wire, available_bytes()) {
                eprintln!("{}: skipped: {reason}", self.set);
                meter.skip(reason);
                return Ok(());
            }
            restart_peak();
            *place = Some(Parties::new(self.set)?);
        }
        let Some(parties) = place.as_ref() else { return Ok(()) };
        meter.params(describe_ckks(&parties.params));
        meter.inputs(KeyKind::Sk);
        let worked = work(meter, parties);
        let wire = parties.params.bootstrapping_keys_byte_len()? as u64;
        let peak = Some(peak_rss(std::process::id())).filter(|bytes| *bytes > 0);
        meter.bytes(Bytes { bootstrapping: Some(wire), peak_rss: peak, ..Bytes::default() });
        self.served.set(self.served.get() + 1);
        // Every program that is left holds the desk: after the last one, nobody needs the keys.
        if self.served.get() >= Rc::strong_count(self) {
            *place = None;
        }
        worked
    }
}

/// Memory of the programs of a set, keys included, for each byte of its keys on the wire. The peak
/// of `boot-c` was 4.4 times its keys, that of `boot-a` 5.5 times.
const MEMORY_PER_KEY_BYTE: u64 = 6;

/// Returns why a machine with this much memory cannot run programs with keys of `wire` bytes;
/// `None` if it can, or if its memory is unknown.
fn shortage(wire: u64, available: Option<u64>) -> Option<String> {
    let (needed, present) = (MEMORY_PER_KEY_BYTE * wire, available?);
    (present < needed).then(|| {
        let [needed, present] = [needed, present].map(|bytes| bytes as f64 / 1e9);
        format!("needs {needed:.1} GB of memory, of which {present:.1} GB are available")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_the_memory_is_told_what_is_needed_and_what_is_there() {
        let wire = 1_000_000_000;
        assert_eq!(shortage(wire, Some(6_000_000_000)), None);
        assert_eq!(shortage(wire, None), None);
        let text = shortage(wire, Some(1_200_000_000)).unwrap();
        assert!(text.contains("6.0 GB") && text.contains("1.2 GB are available"), "{text}");
    }
}
