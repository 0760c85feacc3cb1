//! `fathom list`: lists schemes, suites, operations, parameters and peers.

use clap::{Args, ValueEnum};
use fathom_documents::options::Options;
use fathom_drivers::ops::Op;
use fathom_drivers::ops::torus;

use super::outcome::{Exit, Failure, Outcome};
use super::shared::DriverArgs;
use crate::peers::PeersFolder;
use crate::plan::libraries::Libraries;
use crate::plan::suite::{self, Selection, Suite};
use crate::suites;

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Kind of items to list
    what: What,
    #[command(flatten)]
    driver: DriverArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Schemes with their parameters and operations
    Schemes,
    /// Suites, each with its purpose
    Suites,
    /// Operations with their descriptions
    Ops,
    /// Parameter presets of each scheme
    Params,
    /// Peer libraries, with those installed marked
    Peers,
}

pub(super) fn run(args: &ListArgs) -> Outcome {
    match args.what {
        What::Suites => {
            for name in suite::names() {
                let suite = Suite::built_in(name).map_err(Failure::usage)?;
                let programs = suites::programs(name, &Options::default()).len();
                let count = suite.cases("fathom", &Selection::default()).len() + programs;
                let seconds = suite.budget_s + suite.programs_s;
                println!("{name:<10} {count:>4} cases, {seconds:>4} s  {}", suite.reason);
                for group in &suite.groups {
                    println!("{:<10} - {}", "", group.reason);
                }
            }
        }
        What::Ops => {
            for op in Op::catalog() {
                println!("{:<18} {}", op.name(), op.meaning());
            }
            println!("Integers: u or i, 2 to 256 bits; _scalar where the right operand is clear.");
        }
        What::Peers => {
            return super::peers::list(&PeersFolder::find(None).map_err(Failure::usage)?);
        }
        What::Schemes | What::Params => {
            let launch = args.driver.launch()?;
            let libraries = Libraries::alone(&launch).map_err(Failure::nothing)?;
            for scheme in libraries.known().iter().flat_map(|known| &known.schemes) {
                if args.what == What::Schemes {
                    println!("{:<6} {}", scheme.scheme, torus::condensed(&scheme.ops).join(" "));
                } else {
                    println!("{:<6} {}", scheme.scheme, scheme.params.join(" "));
                }
            }
        }
    }
    Ok(Exit::Ok)
}
