//! Writes the files of a run case by case, so that an interrupted run keeps its finished cases.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::record::{Case, Context, History};
use crate::report::Extras;
use crate::report::all_csv::{AllCsv, CSV_HEADER};
use crate::report::terminal::verified;

/// The open files of a run.
#[derive(Debug)]
pub struct ResultFiles {
    folder: PathBuf,
    jsonl: File,
    csv: File,
    rows: AllCsv,
    verified: File,
}

impl ResultFiles {
    /// Creates `folder` with `results.jsonl`, which begins with `context`, `all.csv` and
    /// `verified.csv`.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn create(folder: &Path, context: &Context) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut jsonl = File::create(folder.join("results.jsonl"))?;
        writeln!(jsonl, "{}", serde_json::to_string(context)?)?;
        let mut csv = File::create(folder.join("all.csv"))?;
        writeln!(csv, "{CSV_HEADER}")?;
        let mut verified = File::create(folder.join("verified.csv"))?;
        writeln!(verified, "{}", verified::CSV_HEADER)?;
        Ok(Self { folder: folder.into(), jsonl, csv, rows: AllCsv::default(), verified })
    }

    /// Adds one case to all files. If one file cannot be written, the others are restored, so that
    /// every file holds whole lines and the case can be added later.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn add(&mut self, case: &Case) -> io::Result<()> {
        let record = format!("{}\n", serde_json::to_string(case)?);
        let mut keys = self.rows.clone();
        let rows: String = keys.rows(case).into_iter().map(|row| row + "\n").collect();
        let verified = verified::csv_row(case) + "\n";
        let parts =
            [(&mut self.jsonl, record), (&mut self.csv, rows), (&mut self.verified, verified)];
        let mut done: Vec<(&mut File, u64)> = Vec::new();
        for (file, text) in parts {
            let length = file.stream_position()?;
            done.push((file, length));
            let Some((file, _)) = done.last_mut() else { continue };
            if let Err(error) = file.write_all(text.as_bytes()) {
                for (file, length) in done {
                    // If truncation fails too, the file keeps part of a line; readers report its
                    // line number.
                    let _ = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
                }
                return Err(error);
            }
        }
        self.rows = keys;
        Ok(())
    }

    /// Writes `report.html` from `results.jsonl` and the earlier runs of the machine, and returns
    /// its path.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if the report cannot be made.
    pub fn write_report(&self, history: History) -> io::Result<PathBuf> {
        let report = self.folder.join("report.html");
        let extras = Extras { history, price_per_hour: None };
        write_report(&[self.folder.join("results.jsonl")], &report, extras)?;
        Ok(report)
    }
}

/// Renders one or more `results.jsonl` into one HTML file, with the data that the reader adds to
/// them.
///
/// # Errors
/// Errors of the file system, and [`io::ErrorKind::InvalidData`] for invalid records.
pub fn write_report(records: &[PathBuf], report: &Path, extras: Extras) -> io::Result<()> {
    let mut text = String::new();
    for path in records {
        let part = std::fs::read_to_string(path)
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        text.push_str(&part);
        text.push('\n');
    }
    let page = crate::report::render_with(&text, extras)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.to_string()))?;
    std::fs::write(report, page)
}
