//! Suite `bootstrap`: bootstrapping of CKKS, functions of integers that it applies on the way, and
//! the refresh of BFV; beside them, the bootstrappings of other libraries.
//!
//! The programs of one parameter set stand together and share their keys, which take seconds to
//! make and gigabytes to hold; they are dropped after the last program of the set.

mod exact;
mod messages;
mod parties;
pub(super) mod peers;
mod single;
mod tables;

use std::rc::Rc;

use fathom::ckks::BootstrapSet;
use fathom_cases::program::Program;
use fathom_documents::options::Options;

use self::parties::Desk;

/// Returns the programs of the suite; those of the smallest set only for a quick run.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let sets =
        [BootstrapSet::C, BootstrapSet::T, BootstrapSet::A13, BootstrapSet::A, BootstrapSet::B];
    let sets = if options.quick { &sets[..1] } else { &sets[..] };
    let mut programs: Vec<_> = sets.iter().flat_map(|set| of_set(*set)).collect();
    if !options.quick {
        programs.extend(exact::programs());
    }
    programs
}

fn of_set(set: BootstrapSet) -> Vec<Program> {
    let desk = Rc::new(Desk::new(set));
    let mut programs = vec![single::program(&desk)];
    match set {
        BootstrapSet::C => programs.extend(tables::programs(&desk, 4)),
        BootstrapSet::T => {
            programs.extend(tables::programs(&desk, 4));
            programs.extend(tables::programs(&desk, 8));
            programs.push(tables::sign(&desk));
        }
        BootstrapSet::A13 | BootstrapSet::A | BootstrapSet::B => {}
    }
    programs
}
