//! The driver processes of a run: each starts when first needed and ends when no case needs it.

use std::collections::HashMap;

use fathom_drivers::client::Driver;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::Keygen;
use fathom_drivers::random::SplitMix64;

use crate::measure::workbench::Workbench;
use crate::plan::libraries::{Known, Libraries};
use crate::plan::suite::CaseSpec;

/// Largest number of restarts of a driver that died.
const RESTARTS: usize = 3;

/// Library, scheme, parameters and lanes, which all cases of one driver share.
type Key = (usize, String, String, [usize; 2]);

/// The drivers of a run.
pub struct Benches<'a> {
    libraries: &'a Libraries,
    cases: Vec<(usize, CaseSpec)>,
    seed: u64,
    slots: HashMap<Key, Slot>,
}

#[derive(Default)]
struct Slot {
    bench: Option<Workbench>,
    starts: usize,
    refused: Option<Fault>,
}

impl<'a> Benches<'a> {
    /// Creates the pool without starting a driver. `cases` are all cases of the run: they determine
    /// the keys that each driver needs.
    pub fn new(libraries: &'a Libraries, cases: Vec<(usize, CaseSpec)>, seed: u64) -> Self {
        Self { libraries, cases, seed, slots: HashMap::new() }
    }

    /// Returns a library.
    pub fn library(&self, number: usize) -> &'a Known {
        &self.libraries.known()[number]
    }

    /// Ends the drivers that none of `cases` needs, because keys can be large.
    pub fn retain(&mut self, cases: &[(usize, CaseSpec)]) {
        self.slots
            .retain(|key, _| cases.iter().any(|(library, case)| key_of(*library, case) == *key));
    }

    /// Returns the workbench of a case, if it is open.
    pub fn peek(&self, library: usize, case: &CaseSpec) -> Option<&Workbench> {
        self.slots.get(&key_of(library, case))?.bench.as_ref()
    }

    /// Returns the workbench of a case and opens it if needed.
    ///
    /// # Errors
    /// The reason why the library cannot run the case, or any fault of its driver.
    pub fn get(&mut self, library: usize, case: &CaseSpec) -> Result<&mut Workbench, Fault> {
        let known = &self.libraries.known()[library];
        known.check(case)?;
        let slot = self.slots.entry(key_of(library, case)).or_default();
        if let Some(fault) = &slot.refused {
            return Err(fault.clone());
        }
        if slot.bench.is_none() {
            slot.starts += 1;
            let same = |(other, spec): &&(usize, CaseSpec)| {
                key_of(*other, spec) == key_of(library, case) && known.check(spec).is_ok()
            };
            let cases: Vec<&CaseSpec> =
                self.cases.iter().filter(same).map(|(_, case)| case).collect();
            match open(known, case, &cases, self.seed) {
                Ok(bench) => slot.bench = Some(bench),
                Err(fault) => {
                    slot.refused = Some(fault.clone());
                    return Err(fault);
                }
            }
        }
        slot.bench.as_mut().ok_or_else(|| Fault::NotStarted("the driver has exited".into()))
    }

    /// Records a fault; after a fatal one the driver has ended and may be restarted for the next
    /// case.
    pub fn note(&mut self, library: usize, case: &CaseSpec, fault: &Fault) {
        if let Some(slot) = self.slots.get_mut(&key_of(library, case))
            && fault.is_fatal()
        {
            slot.bench = None;
            if slot.starts > RESTARTS {
                slot.refused = Some(fault.clone());
            }
        }
    }
}

fn key_of(library: usize, case: &CaseSpec) -> Key {
    (library, case.scheme.clone(), case.params.clone(), case.lanes())
}

/// Starts a driver with a session for `case` and the keys that all of its `cases` need.
fn open(
    library: &Known,
    case: &CaseSpec,
    cases: &[&CaseSpec],
    seed: u64,
) -> Result<Workbench, Fault> {
    let launch = Launch { op_threads: case.op_threads, ..library.entrant.launch.clone() };
    let mut driver = Driver::start(&launch)?;
    let prepared = driver.prepare(&case.scheme, case.request.clone(), case.lanes(), None)?;
    let rows = prepared.params.rows();
    let (mut rotations, mut row_swap) = (Vec::new(), false);
    for other in cases {
        let (steps, swap) = other.op.rotation_keys(prepared.params.slots, rows);
        rotations.extend(steps);
        row_swap |= swap;
    }
    rotations.sort_unstable();
    rotations.dedup();
    let session = prepared.session;
    let request = Keygen { session, rotations, row_swap: u8::from(row_swap), reps: 1 };
    let keys = driver.keygen(request)?;
    Ok(Workbench {
        driver,
        session,
        params: prepared.params,
        keys: keys.bytes,
        operations: library.operations(&case.scheme).to_vec(),
        threads: case.threads,
        op_threads: case.op_threads,
        inputs: case.inputs,
        random: SplitMix64(seed),
    })
}
