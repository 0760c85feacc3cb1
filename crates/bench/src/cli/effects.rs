//! Options of `fathom bench` that would do nothing: they are refused with the reason, because a
//! result would not be what its command line says.

use fathom_cases::question::Division;

use super::bench_args::{BenchArgs, Format};
use super::choice::Choice;
use super::outcome::Failure;

/// Kinds of work in a run.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a run has any of the kinds")]
struct Work {
    /// Operations behind the driver protocol.
    cases: bool,
    /// Programs of suites, in this process.
    programs: bool,
    /// Whole programs in processes of their own.
    applications: bool,
    /// Bootstrappings of peers, behind the driver protocol.
    bootstraps: bool,
}

/// Refuses the first option that has no effect on the chosen work.
pub(super) fn check(args: &BenchArgs, choice: &Choice) -> Result<(), Failure> {
    let work = Work {
        cases: !choice.cases.is_empty(),
        programs: !choice.programs.is_empty(),
        applications: !choice.applications.is_empty(),
        bootstraps: choice.races_bootstraps,
    };
    match idle(args, work) {
        None => Ok(()),
        Some((option, why)) => {
            Err(Failure::usage(format!("{option} does nothing for this selection: {why}")))
        }
    }
}

/// Returns an option without an effect on the work, and the reason.
fn idle(args: &BenchArgs, work: Work) -> Option<(&'static str, &'static str)> {
    let Work { cases, programs, applications, bootstraps } = work;
    let driver = &args.driver;
    let named_peers = !args.peers.is_empty() && args.peers != ["none"];
    let peerless = args.peers == ["none"] || (driver.driver.is_some() && args.peers.is_empty());
    let in_process = "programs of suites run in this process, on the engine";
    let fixed = "whole programs compute as many seeds as their suite says";
    let rules = [
        (
            !args.threads.is_empty() && !cases && !programs,
            "--threads",
            "it repeats operations in parallel; the server of a whole program has --op-threads",
        ),
        (
            !args.op_threads.is_empty() && !cases && !applications,
            "--op-threads",
            "programs of suites choose the threads of an operation; --threads repeats them",
        ),
        (
            !args.widths.is_empty() && !cases,
            "--widths",
            "only operations on integers have a width; whole programs have --filter",
        ),
        (named_peers && !cases && !applications && !bootstraps, "--peers", in_process),
        (
            args.peers_folder.is_some() && (peerless || (!cases && !applications && !bootstraps)),
            "--peers-folder",
            "no peer runs here",
        ),
        (
            args.divisions != [Division::Equal] && (!cases || peerless),
            "--divisions",
            "it chooses the parameters of peers, and none of their operations run here",
        ),
        (driver.driver.is_some() && !cases && !applications, "--driver", in_process),
        (
            driver.reply_time.is_some() && !cases && !bootstraps,
            "--reply-time",
            "no driver is asked here",
        ),
        (args.budget.is_some() && !cases && !programs, "--budget", fixed),
        (
            args.programs.owns_stdout() && args.format != Format::Table,
            "--format",
            "stdout is for the JSON of `--output -` alone",
        ),
        (
            args.programs.has_duration() && !programs,
            "--duration",
            "it is the time of each program of the suites h33, nine65, kernels and bootstrap; \
             cases share --budget",
        ),
    ];
    rules.into_iter().find(|(idle, ..)| *idle).map(|(_, option, why)| (option, why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: BenchArgs,
    }

    fn idle_in(
        arguments: &[&str],
        [cases, programs, applications, bootstraps]: [bool; 4],
    ) -> Option<String> {
        let line = Line::parse_from([&["bench"], arguments].concat());
        let work = Work { cases, programs, applications, bootstraps };
        idle(&line.args, work).map(|(option, _)| option.into())
    }

    #[test]
    fn each_option_without_effect_is_named() {
        let only = |kind| std::array::from_fn(|place| place == kind);
        let [cases, programs, applications, bootstraps] = std::array::from_fn(only);
        for (arguments, work) in [
            (&["--threads", "2"][..], applications),
            (&["--op-threads", "2"], programs),
            (&["--widths", "8"], applications),
            (&["--peers", "seal"], programs),
            (&["--peers-folder", "x", "--peers", "none"], cases),
            (&["--divisions", "defaults"], applications),
            (&["--driver", "x"], programs),
            (&["--reply-time", "9s"], programs),
            (&["--budget", "9s"], applications),
            (&["--duration", "9s"], cases),
            (&["--format", "csv", "--output", "-"], programs),
        ] {
            assert_eq!(idle_in(arguments, work).as_deref(), Some(arguments[0]), "{arguments:?}");
            let always = ["none", "-"].iter().any(|word| arguments.contains(word));
            assert_eq!(idle_in(arguments, [true; 4]).is_some(), always, "{arguments:?}");
        }
        assert_eq!(idle_in(&["--peers", "seal", "--reply-time", "9s"], bootstraps), None);
        assert_eq!(idle_in(&["--seed", "3", "--quick", "--iterations", "9"], applications), None);
    }
}
