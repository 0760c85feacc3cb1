//! Bootstrappings of other libraries, through the driver protocol.

mod lookup;
mod refresh;
mod shared;

use fathom_cases::pace::Pace;
use fathom_cases::program::Meter;
use fathom_cases::program::Program;
use fathom_drivers::process::{Fault, Launch};

use crate::measure::bootstrapping::{Circuit, LOOKUP, REFRESH};
use crate::plan::libraries::Known;

/// Returns a program for every set under which a library bootstraps or applies tables.
pub fn programs(library: &Known) -> Vec<Program> {
    let refresh = "one bootstrapping of complex slots, from the last level to the top one";
    let lookup = "one random table, of all values of a ciphertext";
    let mut programs = of_circuit(library, &REFRESH, refresh, refresh::run);
    programs.extend(of_circuit(library, &LOOKUP, lookup, lookup::run));
    programs
}

fn of_circuit(
    library: &Known,
    circuit: &'static Circuit,
    meaning: &'static str,
    run: fn(&mut Meter, &Launch, &str) -> Result<(), Fault>,
) -> Vec<Program> {
    let program = |set: &String| {
        let (launch, name) = (library.entrant.launch.clone(), set.clone());
        let work = move |meter: &mut Meter| {
            if let Err(fault) = run(meter, &launch, &name) {
                meter.fault(fault);
            }
        };
        // The scheme of the record is that of the keys.
        let program = Program::infallible(REFRESH.scheme, set.clone(), circuit.op, meaning, work);
        let pace = Pace::OwnKeys(library.set_time(set));
        program.of_library(library.info.clone()).at_pace(pace)
    };
    circuit.sets(&library.schemes).iter().map(program).collect()
}
