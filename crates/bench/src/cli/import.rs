//! `fathom import`: converts the results of another tool to rows of `all.csv`.

use std::path::PathBuf;

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use crate::report::import::{ImportFormat, import};

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// File that the other tool wrote
    file: PathBuf,
    /// Format of the file
    #[arg(long, value_enum)]
    format: ImportFormat,
}

pub(super) fn run(args: &ImportArgs) -> Outcome {
    let text = super::shared::text_of(&args.file)?;
    let rows = import(&text, args.format)
        .map_err(|e| Failure::usage(format!("{}: {e}", args.file.display())))?;
    println!("{}", rows.trim_end());
    Ok(Exit::Ok)
}
