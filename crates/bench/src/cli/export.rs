//! `fathom export`: writes results in the formats of other tools.

use std::path::PathBuf;

use clap::Args;

use super::outcome::{Exit, Failure, Outcome};
use super::report::in_folder;
use super::shared::stored;
use super::stdout;
use crate::record::Stored;
use crate::report::export::{ExportFormat, export};

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Result file (results.jsonl), or the folder that holds it
    file: PathBuf,
    /// Format of the output on stdout
    #[arg(long, value_enum)]
    format: ExportFormat,
}

pub(super) fn run(args: &ExportArgs) -> Outcome {
    let path = in_folder(&args.file);
    let Stored { context, cases, .. } = stored(&path)?;
    if cases.is_empty() {
        let text = format!("{} holds no case: there is nothing to export", path.display());
        return Err(Failure::nothing(text));
    }
    stdout::bytes(&export(context.as_ref(), &cases, args.format));
    Ok(Exit::Ok)
}
