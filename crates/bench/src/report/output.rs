//! Writes the files of a run case by case, so that an interrupted run keeps its finished cases.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::measure::stats::without_severe_outliers;
use crate::record::{Case, Context, Lane, Status};
use crate::report::terminal::verified;

/// Header of `all.csv`.
pub const CSV_HEADER: &str = "scheme,mode,op,mean,stddev,unit,n";

/// The open files of a run.
#[derive(Debug)]
pub struct ResultFiles {
    folder: PathBuf,
    jsonl: File,
    csv: File,
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
        Ok(Self { folder: folder.into(), jsonl, csv, verified })
    }

    /// Adds one case to all files. If one file cannot be written, the others are restored, so that
    /// every file holds whole lines and the case can be added later.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn add(&mut self, case: &Case) -> io::Result<()> {
        let record = format!("{}\n", serde_json::to_string(case)?);
        let rows: String = csv_rows(case).into_iter().map(|row| row + "\n").collect();
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
        Ok(())
    }

    /// Writes `report.html` from `results.jsonl` and returns its path.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if the report cannot be made.
    pub fn write_report(&self) -> io::Result<PathBuf> {
        let report = self.folder.join("report.html");
        write_report(&[self.folder.join("results.jsonl")], &report)?;
        Ok(report)
    }
}

/// Renders one or more `results.jsonl` into one HTML file.
///
/// # Errors
/// Errors of the file system, and [`io::ErrorKind::InvalidData`] for invalid records.
pub fn write_report(records: &[PathBuf], report: &Path) -> io::Result<()> {
    let mut text = String::new();
    for path in records {
        let part = std::fs::read_to_string(path)
            .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        text.push_str(&part);
        text.push('\n');
    }
    let page = crate::report::render(&text)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.to_string()))?;
    std::fs::write(report, page)
}

/// Returns the rows of a case in `all.csv`: times in milliseconds, sizes in bytes. Empty without
/// figures, and for a case whose result was wrong or missing.
pub fn csv_rows(case: &Case) -> Vec<String> {
    if case.verify.status != Status::Ok {
        return Vec::new();
    }
    let params = case.params.as_ref().map_or("", |params| params.name.as_str());
    let Lane { threads, op_threads, .. } = case.lane;
    let lanes = [("threads", threads), ("op_threads", op_threads)].into_iter();
    let lanes = lanes.filter(|(_, count)| *count > 1);
    let lanes = lanes.map(|(name, count)| format!("{name}={count}"));
    let mark = case.caution().map(|caution| words(&caution));
    let parts = std::iter::once(params.to_owned()).chain(lanes).chain(mark);
    let mode = parts.collect::<Vec<_>>().join("/");
    // Rows of the engine have the same names with and without peers.
    let peer = case.division.is_some() && case.lib.name != "fathom" && case.lib.name != "plain";
    let mode = if peer { format!("{}:{mode}", case.lib.name) } else { mode };
    let row = |op: &str, mean: f64, deviation: f64, unit: &str, n: usize| {
        format!("{},{mode},{op},{mean},{deviation},{unit},{n}", case.scheme)
    };
    let size = |bytes: Option<u64>| {
        bytes.map(|bytes| row(&case.op, bytes as f64, 0.0, "bytes", 1)).into_iter().collect()
    };
    match (&case.time_ns, case.op.as_str()) {
        (Some(time), _) => {
            let ms = |ns: f64| (ns * 1e3).round() / 1e9;
            let (mean, deviation) = without_severe_outliers(&time.samples);
            vec![row(&case.op, ms(mean), ms(deviation), "ms", time.n)]
        }
        (None, "ct_size_bytes") => size(case.bytes.ct_in),
        (None, "pk_size_bytes") => size(case.bytes.bootstrapping.or(case.bytes.pk)),
        (None, _) => Vec::new(),
    }
}
/// Converts cautions to parts of a mode name: `less_studied_assumption/ind_cpa_only`.
fn words(caution: &str) -> String {
    let parts = caution.split("; ").map(|part| part.trim_start_matches("a ").to_lowercase());
    parts.collect::<Vec<_>>().join("/").replace([' ', '-'], "_")
}
