//! Suite `kernels`: the hot row operations on every instruction set of this processor, each beside
//! the limits that this machine has shown in the same run (a roofline).

mod residues;
mod roofline;
mod torus;

use fathom_cases::program::Program;
use fathom_documents::options::Options;

/// Returns the programs of the suite.
pub(super) fn programs(options: &Options) -> Vec<Program> {
    let mut programs = roofline::programs(options);
    programs.extend(residues::programs(options));
    programs.extend(torus::programs(options));
    programs
}
