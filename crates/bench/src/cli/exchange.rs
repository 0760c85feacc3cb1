//! `fathom import` and `fathom export`: results from and for other tools.

use std::path::PathBuf;

use clap::Args;
use fathom_cases::record::Stored;

use super::earlier;
use super::outcome::{Exit, Failure, Outcome};
use super::report::in_folder;
use super::shared::{stored, text_of};
use super::stdout;
use crate::report::export::{self, ExportFormat};
use crate::report::import::{self, ImportFormat};

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// File that the other tool wrote
    file: PathBuf,
    /// Format of the file
    #[arg(long, value_enum)]
    format: ImportFormat,
}

pub(super) fn import(args: &ImportArgs) -> Outcome {
    let text = text_of(&args.file)?;
    if args.format == ImportFormat::AllCsv {
        earlier::table(&args.file.display().to_string(), &text);
    }
    let rows = import::import(&text, args.format)
        .map_err(|e| Failure::usage(format!("{}: {e}", args.file.display())))?;
    println!("{}", rows.trim_end());
    Ok(Exit::Ok)
}

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Result file (results.jsonl), or the folder that holds it
    file: PathBuf,
    /// Format of the output on stdout
    #[arg(long, value_enum)]
    format: ExportFormat,
}

pub(super) fn export(args: &ExportArgs) -> Outcome {
    let path = in_folder(&args.file);
    let Stored { context, cases, .. } = stored(&path)?;
    if cases.is_empty() {
        let text = format!("{} holds no case: there is nothing to export", path.display());
        return Err(Failure::nothing(text));
    }
    let exported = export::export(context.as_ref(), &cases, args.format);
    stdout::bytes(&exported.map_err(Failure::usage)?);
    Ok(Exit::Ok)
}
