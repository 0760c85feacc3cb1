//! `fathom completions`: scripts that complete commands and options in a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::outcome::{Exit, Outcome};
use super::{Cli, stdout};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "fathom", &mut script);
    stdout::bytes(&script);
    Ok(Exit::Ok)
}
