//! The options of `fathom bench` for the suites that have programs.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use fathom_base::whole_file::{NotWritten, Replaces, WholeFile};
use fathom_cases::program::{Meter, Program};
use fathom_documents::nine65::DOCUMENT_START;
use fathom_documents::options::{Config, Options};
use serde_json::Value;

use super::outcome::{Exit, Failure};
use super::values::duration;
use crate::applications::Effort;
use crate::plan::suite;

/// Options of the suites h33, nine65, kernels and bootstrap.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the suites h33 and nine65")]
pub(super) struct ProgramArgs {
    /// Tier of the suite h33: h0, h1, h33, h2 or h-256
    #[arg(long, value_name = "TIER")]
    tier: Option<String>,
    /// Configuration of the suite nine65; all if absent, of which `--output` describes `secure_128`
    #[arg(long, value_name = "NAME", value_parser = config)]
    config: Option<Config>,
    /// Number of operations of the depth chain of nine65 (default: 80)
    #[arg(long, value_name = "COUNT", value_parser = positive)]
    max_depth: Option<usize>,
    /// First operand of the depth chain of nine65 (default: 8)
    #[arg(long, value_name = "VALUE")]
    a: Option<u64>,
    /// Second operand of the depth chain of nine65 (default: 8)
    #[arg(long, value_name = "VALUE")]
    b: Option<u64>,
    /// Write the JSON of nine65 to this file; `-` for stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of calls of each operation and program, in place of as many as its time allows
    #[arg(long, value_name = "COUNT", value_parser = positive)]
    iterations: Option<usize>,
    /// Run only the batches of h33, on one thread and on all processors
    #[arg(long)]
    throughput: bool,
    /// Users in a batch of h33, up to 32 (default: as many as a ciphertext holds)
    #[arg(long, value_name = "USERS", value_parser = users)]
    batch_size: Option<usize>,
    /// Time for each program
    #[arg(long, value_name = "TIME", value_parser = time)]
    duration: Option<Duration>,
}

impl ProgramArgs {
    /// Returns the options of programs for these suites.
    ///
    /// # Errors
    /// A sentence for an option of a suite that is not run.
    pub(super) fn options(
        &self,
        suites: &[&str],
        threads: &[usize],
        quick: bool,
    ) -> Result<Options, Failure> {
        let only = |given: bool, option: &str, suite: &str| {
            if given && !suites.contains(&suite) {
                let text =
                    format!("{option} is an option of the suite {suite}: fathom bench {suite}");
                return Err(Failure::usage(text));
            }
            Ok(())
        };
        only(self.tier.is_some(), "--tier", "h33")?;
        only(self.throughput, "--throughput", "h33")?;
        only(self.batch_size.is_some(), "--batch-size", "h33")?;
        only(self.config.is_some(), "--config", "nine65")?;
        only(self.max_depth.is_some(), "--max-depth", "nine65")?;
        only(self.output.is_some(), "--output", "nine65")?;
        only(self.a.is_some(), "--a", "nine65")?;
        only(self.b.is_some(), "--b", "nine65")?;
        let tier = self.tier.as_deref().map(suite::tier).transpose().map_err(Failure::usage)?;
        Ok(Options {
            config: self.config,
            max_depth: self.max_depth,
            a: self.a.unwrap_or(8),
            b: self.b.unwrap_or(8),
            tier: tier.unwrap_or_default(),
            batch_size: self.batch_size,
            duration: self.duration,
            throughput: self.throughput,
            threads: threads.to_vec(),
            quick,
        })
    }

    /// Returns the parameter sets to which the cases of suites are restricted; all if empty.
    pub(super) fn sets(options: &Options) -> Vec<String> {
        let config = options.config.map(|config| config.published().to_owned());
        options.tier.iter().cloned().chain(config).collect()
    }

    /// Returns true if no case of a suite file is wanted.
    pub(super) fn wants_programs_only(&self) -> bool {
        self.throughput
    }

    /// Returns a meter for each of `programs`, which share `budget`.
    pub(super) fn meter(&self, programs: &[Program], budget: Duration, seed: u64) -> Meter {
        Meter::new(self.share(programs, budget), seed).with_calls(self.iterations)
    }

    /// Returns the time of each of `programs`, which share `budget`.
    pub(super) fn share(&self, programs: &[Program], budget: Duration) -> Duration {
        let share = (budget / (programs.len().max(1) as u32)).max(Duration::from_millis(10));
        self.duration.unwrap_or(share)
    }

    /// Returns true if the time of each program is stated.
    pub(super) fn has_duration(&self) -> bool {
        self.duration.is_some()
    }

    /// Returns the number of calls of each operation and program, if it is stated.
    pub(super) fn iterations(&self) -> Option<usize> {
        self.iterations
    }

    /// Returns the effort of whole programs: three seeds, unless a group has fewer, and more
    /// computations of tasks that are short, or as many as are stated.
    pub(super) fn effort(&self, seed: u64) -> Effort {
        let seeds = (0..3).map(|index| seed.wrapping_add(index)).collect();
        match self.iterations {
            None => Effort { seeds, computations: 30, time: Duration::from_secs(1), least: 1 },
            Some(computations) => Effort { seeds, computations, time: Duration::MAX, least: 1 },
        }
    }

    /// Returns true if stdout is for the JSON of nine65 alone.
    pub(super) fn owns_stdout(&self) -> bool {
        self.output.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// Opens the file of the JSON of nine65, if it is asked for.
    pub(super) fn output(&self) -> Result<Option<Output>, Failure> {
        match &self.output {
            None => Ok(None),
            Some(_) if self.owns_stdout() => Ok(Some(Output::Stdout)),
            Some(path) => {
                let file = WholeFile::replace(path, Replaces::Starting(DOCUMENT_START));
                file.map(Output::File).map(Some).map_err(Failure::usage)
            }
        }
    }
}

/// The destination of the JSON of nine65.
pub(super) enum Output {
    /// Stdout, on which nothing else is then printed.
    Stdout,
    /// A file.
    File(WholeFile),
}

impl Output {
    /// Writes the JSON.
    pub(super) fn write(self, document: &Value) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(document)
            .map_err(|error| Failure::nothing(format!("the JSON of nine65: {error}")))?;
        match self {
            Self::Stdout => println!("{text}"),
            Self::File(file) => {
                let failed =
                    |error: NotWritten| Failure { exit: Exit::Check, text: error.to_string() };
                file.write_whole((text + "\n").as_bytes()).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn config(text: &str) -> Result<Config, String> {
    Config::parse(text).ok_or_else(|| format!("one of {}", Config::NAMES.join(", ")))
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "a number of at least 1".into())
}

fn users(text: &str) -> Result<usize, String> {
    let fits = |users: &usize| (1..=32).contains(users);
    text.parse().ok().filter(fits).ok_or_else(|| "a number of users from 1 to 32".into())
}

/// Parses a time; a number without a unit is in seconds, as in document 001.
fn time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0);
    seconds.map_or_else(|| duration(text), |seconds: u32| Ok(Duration::from_secs(seconds.into())))
}
