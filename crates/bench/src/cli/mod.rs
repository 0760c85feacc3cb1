//! The command line: prints results on stdout, progress and warnings on stderr.

#[macro_use]
mod stdout;

mod bench;
mod claims;
mod compare;
mod contest;
mod doctor;
mod driver;
mod explain;
mod list;
mod params;
mod peers;
mod progress;
mod report;
mod security;
mod security_input;

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::drivers::process::Launch;
use crate::table::Style;

/// Outcome of a command; the number is the exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command succeeded.
    Ok = 0,
    /// There was a regression, a doubtful figure, or a case that failed.
    Check = 1,
    /// The command cannot be carried out as given.
    Usage = 2,
    /// A result was wrong.
    Wrong = 3,
    /// No case ran.
    Nothing = 4,
}

/// Measures homomorphic encryption libraries on the same operations and verifies every result.
#[derive(Debug, Parser)]
#[command(name = "fathom", version, about, infer_subcommands = false)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure operations, verify the results and write a report
    Bench(Box<bench::BenchArgs>),
    /// Make an HTML report from result files
    Report(report::ReportArgs),
    /// Compare two result files
    Compare(compare::CompareArgs),
    /// Find doubtful figures in a published table
    CheckClaims(claims::ClaimsArgs),
    /// Report the properties of this machine that make measurements less reliable
    Doctor(doctor::DoctorArgs),
    /// List schemes, suites, operations, parameters or peers
    List(list::ListArgs),
    /// Show parameter sets, or find one for a given depth
    Params(params::ParamsArgs),
    /// Estimate the security of lattice parameters
    Security(security::SecurityArgs),
    /// List, install and check peer libraries
    Peers(peers::PeersArgs),
    /// Run the engine as a driver: JSON lines on stdin and stdout
    Driver,
    /// Explain a code, an operation or a case
    Explain(explain::ExplainArgs),
}

/// A failure: the text for stderr and the exit code.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    text: String,
}

type Outcome = Result<Exit, Failure>;

impl Failure {
    fn usage(text: impl Display) -> Self {
        Self { exit: Exit::Usage, text: text.to_string() }
    }

    fn nothing(text: impl Display) -> Self {
        Self { exit: Exit::Nothing, text: text.to_string() }
    }
}

impl Cli {
    /// Runs the command given by the arguments of this process.
    pub fn main() -> Exit {
        stdout::conclude(match Self::parse().run() {
            Ok(exit) => exit,
            Err(Failure { exit, text }) => {
                eprintln!("fathom: {text}");
                exit
            }
        })
    }

    fn run(self) -> Outcome {
        match self.command {
            Command::Bench(args) => bench::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::CheckClaims(args) => claims::run(&args),
            Command::Doctor(args) => doctor::run(&args),
            Command::List(args) => list::run(&args),
            Command::Params(args) => params::run(&args),
            Command::Security(args) => security::run(&args),
            Command::Peers(args) => peers::run(&args),
            Command::Driver => driver::run(),
            Command::Explain(args) => explain::run(&args),
        }
    }
}

/// The options that say how the driver of a library is started.
#[derive(Debug, Clone, clap::Args)]
struct DriverArgs {
    /// Program that speaks the driver protocol, to use instead of the engine
    #[arg(long, value_name = "PROGRAM")]
    driver: Option<std::path::PathBuf>,
    /// Argument for that program; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, requires = "driver")]
    driver_arg: Vec<String>,
    /// Longest time to wait for one reply of a driver
    #[arg(long, value_name = "TIME", value_parser = duration)]
    reply_time: Option<Duration>,
}

/// Longest wait for a reply, unless the command line or a suite sets another.
const REPLY_TIME: Duration = Duration::from_mins(2);

impl DriverArgs {
    /// Returns how to start the driver; without --driver, this program runs the engine.
    fn launch(&self) -> Result<Launch, Failure> {
        let mut launch = if let Some(program) = &self.driver {
            let arguments: Vec<&str> = self.driver_arg.iter().map(String::as_str).collect();
            Launch::new(program, &arguments)
        } else {
            let this = std::env::current_exe()
                .map_err(|e| Failure::nothing(format!("this program's path is not known: {e}")))?;
            Launch::engine(this)
        };
        launch.reply_time = self.reply_time.unwrap_or(REPLY_TIME);
        Ok(launch)
    }
}

/// Reads a file named on the command line as text.
fn text_of(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        let path = path.display();
        let remedies = [
            (ErrorKind::NotFound, "; name a result file, or a folder of `fathom bench --out`"),
            (ErrorKind::InvalidData, "; this is not a text file"),
            (ErrorKind::IsADirectory, "; name a file in it"),
        ];
        let remedy = remedies.iter().find(|(kind, _)| *kind == error.kind());
        let remedy = remedy.map_or("", |(_, text)| text);
        Failure::usage(format!("{path}: {error}{remedy}"))
    })
}

fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; finished cases are kept (press Ctrl-C again to quit at once)");
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::nothing(format!("Ctrl-C: {e}")))?;
    Ok(stop)
}

/// Returns the style of tables on stdout: colours on a terminal unless `NO_COLOR` is set.
fn style() -> Style {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !refused { Style::Colour } else { Style::Plain }
}

/// Reads a time such as `500ms`, `60s`, `2m` or `90`.
fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time: use ms, s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    let valid = number > 0.0 && number * seconds < 1e7;
    let allowed = "a time is more than 0 and less than 10000000 s";
    if valid { Ok(Duration::from_secs_f64(number * seconds)) } else { Err(allowed.into()) }
}

/// Reads a fraction such as `5%` or `0.05`.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) =
        text.strip_suffix('%').map_or((text, 1.0), |percentage| (percentage, 0.01));
    let value: f64 = number
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is not a number such as 5% or 0.05"))?;
    let allowed = "a fraction is a number of at least 0, such as 5% or 0.05".to_owned();
    if value >= 0.0 && value.is_finite() { Ok(value * unit) } else { Err(allowed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_and_shares_are_read_with_their_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("60"), Ok(Duration::from_mins(1)));
        assert!(["", "s", "-1s", "1d", "0s", "1e300h"].iter().all(|text| duration(text).is_err()));
        assert_eq!(share("5%"), Ok(0.05));
        assert_eq!(share("0.5"), Ok(0.5));
        assert!(share("-1%").is_err() && share("x").is_err());
    }
}
