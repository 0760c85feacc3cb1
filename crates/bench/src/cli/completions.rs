//! `fathom completions`: scripts that complete commands and options in a shell.

use clap::{Args, Command};
use clap_complete::Shell;

use super::outcome::Exit;
use super::stdout;

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, command: &mut Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "fathom", &mut script);
    stdout::bytes(&script);
    Exit::Ok
}
