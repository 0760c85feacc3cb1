//! The keys of a parameter set that take seconds to make and gigabytes to hold, shared by its
//! programs.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use fathom::Error;
use fathom_drivers::memory::shortage;
use fathom_drivers::protocol::{KeyKind, ParamsInfo};
use fathom_drivers::{peak_rss, restart_peak};

use super::Program;
use super::meter::Meter;
use crate::pace::{Pace, SetTime};
use crate::record::Bytes;

/// The keys of both sides.
pub trait Keys: Sized + 'static {
    /// The description of the parameters from which the keys are made.
    type Set: Clone + 'static;
    /// The scheme of its programs.
    const SCHEME: &'static str;

    /// Returns the name of the set.
    fn name(set: &Self::Set) -> &str;

    /// Returns the bytes of the public keys on the wire.
    ///
    /// # Errors
    /// Those of the parameters.
    fn wire_len(set: &Self::Set) -> Result<u64, Error>;

    /// Makes the keys.
    ///
    /// # Errors
    /// Those of the parameters.
    fn make(set: &Self::Set) -> Result<Self, Error>;

    /// Describes the parameters.
    fn describe(&self) -> ParamsInfo;
}

/// The time of a set, of any in order of magnitude.
const TIME: SetTime = SetTime { keys_s: 20.0, call_s: 4.0 };

/// The place where the programs of one set find their keys: the first of them makes the keys, and
/// after the last one they are dropped.
pub struct Desk<K: Keys> {
    set: K::Set,
    /// The keys and the bytes of the public ones.
    keys: RefCell<Option<(K, u64)>>,
    /// Number of programs that have run.
    served: Cell<usize>,
}

impl<K: Keys> Desk<K> {
    /// Creates the desk of a set, without keys.
    pub fn new(set: K::Set) -> Self {
        Self { set, keys: RefCell::new(None), served: Cell::new(0) }
    }

    /// Returns the parameter set.
    pub fn set(&self) -> &K::Set {
        &self.set
    }

    /// Returns a program that works with the keys of the desk. It is skipped on a machine that
    /// lacks the memory.
    pub fn program(
        self: &Rc<Self>,
        op: impl Into<String>,
        meaning: impl Into<String>,
        work: impl Fn(&mut Meter, &K) -> Result<(), Error> + 'static,
    ) -> Program {
        let (desk, name) = (Rc::clone(self), K::name(&self.set).to_owned());
        let work = move |meter: &mut Meter| desk.serve(meter, &work);
        Program::new(K::SCHEME, name, op, meaning, work).at_pace(Pace::SharedKeys(TIME))
    }

    fn serve(
        self: &Rc<Self>,
        meter: &mut Meter,
        work: impl Fn(&mut Meter, &K) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut place = self.keys.borrow_mut();
        if place.is_none() {
            let wire = K::wire_len(&self.set)?;
            if let Some(reason) = shortage(wire) {
                eprintln!("{}: skipped: {reason}", K::name(&self.set));
                meter.skip(reason);
                return Ok(());
            }
            restart_peak();
            *place = Some((K::make(&self.set)?, wire));
        }
        let Some((keys, wire)) = place.as_ref() else { return Ok(()) };
        meter.params(keys.describe());
        meter.inputs(KeyKind::Sk);
        let worked = work(meter, keys);
        let peak = Some(peak_rss(std::process::id())).filter(|bytes| *bytes > 0);
        meter.bytes(Bytes { bootstrapping: Some(*wire), peak_rss: peak, ..Bytes::default() });
        self.served.set(self.served.get() + 1);
        // Every program that is left holds the desk: after the last one, nobody needs the keys.
        if self.served.get() >= Rc::strong_count(self) {
            *place = None;
        }
        worked
    }
}
