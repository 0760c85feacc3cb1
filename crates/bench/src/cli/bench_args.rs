//! The arguments of `fathom bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use fathom_cases::question::Division;
use fathom_drivers::ops::torus::IntegerType;
use regex::Regex;

use super::programs::ProgramArgs;
use super::shared::DriverArgs;
use super::values::duration;

/// The end of the help: how options of document 000 are spelled here.
pub(super) const HABITS: &str = "\
The options of the program of document 000 work too:
  -all            schemes: the rows of that document, in minutes (--all runs every suite)
  -scheme NAME    --schemes NAME
  -compare        --peers all (`fathom compare A B` compares two runs)

docs/suites.md describes the suites and their options.";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct BenchArgs {
    /// Suites to run (default: quick); `all` runs every one
    #[arg(value_name = "SUITE")]
    pub(super) suites: Vec<String>,
    /// Run every suite
    #[arg(long, conflicts_with = "suites")]
    pub(super) all: bool,
    /// Run only these schemes
    #[arg(long, value_delimiter = ',')]
    pub(super) schemes: Vec<String>,
    /// Run only these operations
    #[arg(long, value_delimiter = ',')]
    pub(super) ops: Vec<String>,
    /// Run only operations on integers of these widths in bits; `--ops` may then name operations
    /// without the type, such as `mul,div`
    #[arg(long, value_delimiter = ',', value_parser = width)]
    pub(super) widths: Vec<u16>,
    /// Run only cases whose id matches
    #[arg(long, value_name = "REGEX")]
    pub(super) filter: Option<Regex>,
    /// Peer libraries to measure beside the engine: `none`, `all` (every installed one, the
    /// default), or names
    #[arg(long, value_delimiter = ',')]
    pub(super) peers: Vec<String>,
    /// Folder of the peers (default: `peers` in this folder or the nearest one above)
    #[arg(long, value_name = "DIR")]
    pub(super) peers_folder: Option<PathBuf>,
    /// Rules by which the parameters of peers are chosen
    #[arg(long, value_enum, value_delimiter = ',', default_value = "equal")]
    pub(super) divisions: Vec<Division>,
    /// Numbers of threads that run the operation in parallel; each number is a case of its own, and
    /// `all` is the number of processors
    #[arg(long, value_delimiter = ',', value_parser = threads)]
    pub(super) threads: Vec<usize>,
    /// Numbers of threads that a single operation may use; each number is a case of its own
    #[arg(long, value_delimiter = ',', value_parser = threads)]
    pub(super) op_threads: Vec<usize>,
    /// Wall-clock time for all cases together
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) budget: Option<Duration>,
    /// Run for at most a minute, or run the quick part of a suite that has one
    #[arg(long, conflicts_with = "full")]
    pub(super) quick: bool,
    /// Run for four times the usual time
    #[arg(long)]
    pub(super) full: bool,
    /// Seed of the clear inputs; keys and encryption noise are always fresh
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Folder of the result files (default: results/<utc>-<host>)
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Format of the output on stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// Print a table of all cases and of all ratios before the verdict
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// List the cases with an estimate of their times; nothing is computed
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Run even though this is a debug build, whose times are meaningless
    #[arg(long)]
    pub(super) allow_debug: bool,
    /// True if another command prints the results.
    #[arg(skip)]
    pub(super) is_part: bool,
    #[command(flatten)]
    pub(super) driver: DriverArgs,
    #[command(flatten)]
    pub(super) programs: ProgramArgs,
}

/// The format of the output on stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table for people
    Table,
    /// The records, one JSON object per line
    Json,
    /// The rows of all.csv
    Csv,
    /// A Markdown table
    Md,
}

fn width(text: &str) -> Result<u16, String> {
    let widths = IntegerType::WIDTHS;
    let found = widths.into_iter().find(|width| width.to_string() == text);
    found.ok_or_else(|| format!("one of {widths:?}"))
}
fn threads(text: &str) -> Result<usize, String> {
    if text == "all" {
        return Ok(fathom_cases::machine::processors());
    }
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        Ok(_) | Err(_) => Err("a number of threads from 1 to 1024, or `all`".into()),
    }
}
