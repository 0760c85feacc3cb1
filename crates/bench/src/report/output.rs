//! Writes the files of a run case by case, so that an interrupted run keeps its finished cases, and
//! never over those of another run.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fathom_base::whole_file::{Replaces, WholeFile};
use fathom_cases::record::stored::{self, Damage, Lines};
use fathom_cases::record::{Case, Context, History};

use super::{Extras, PAGE_START, ReportError, input, render_with};
use crate::report::all_csv::{AllCsv, CSV_HEADER};
use crate::report::terminal::verified;

/// The record of a run, which makes a folder that of a run.
const RECORDS: &str = "results.jsonl";

/// The files that a run begins with.
const FILES: [&str; 3] = [RECORDS, "all.csv", "verified.csv"];

/// The page of a run.
const REPORT: &str = "report.html";

/// The open files of a run.
///
/// They are removed again if no case was added: a run that measured nothing leaves nothing.
#[derive(Debug)]
pub struct ResultFiles {
    folder: PathBuf,
    /// True if this run made the folder.
    made: bool,
    jsonl: File,
    csv: File,
    rows: AllCsv,
    verified: File,
    cases: usize,
}

/// Reason why a folder cannot take the files of a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder holds the files of another run.
    #[error("{} {what}", .folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The files that are there, and whether a process is writing them.
        what: &'static str,
    },
    /// The folder cannot be written.
    #[error("{} cannot hold result files: {error}", .folder.display())]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// The error of the file system.
        error: io::Error,
    },
}

impl ResultFiles {
    /// Creates `results.jsonl`, `all.csv` and `verified.csv` in `folder`, which is made if it is
    /// missing. Two processes cannot both create them, and an earlier run is never overwritten.
    ///
    /// # Errors
    /// [`FolderError::Taken`] if one of these files or a report is there already.
    pub fn create(folder: &Path) -> Result<Self, FolderError> {
        let made = !folder.exists();
        let unwritable = |error| FolderError::Unwritable { folder: folder.into(), error };
        std::fs::create_dir_all(folder).map_err(unwritable)?;
        if folder.join(REPORT).exists() {
            return Err(taken(folder.into()));
        }
        let [jsonl, csv, verified] = new_files(folder)?;
        // Tells others that the run is not over. What excludes them is that the file exists, so a
        // file system without locks is as safe.
        let _ = jsonl.try_lock();
        let rows = AllCsv::default();
        Ok(Self { folder: folder.into(), made, jsonl, csv, rows, verified, cases: 0 })
    }

    /// Creates the files in a new folder named `name` in `parent`; if there is one of that name,
    /// with a number after it.
    ///
    /// # Errors
    /// [`FolderError::Unwritable`].
    pub fn create_unique(parent: &Path, name: &str) -> Result<Self, FolderError> {
        let unwritable =
            |folder: &Path, error| Err(FolderError::Unwritable { folder: folder.into(), error });
        if let Err(error) = std::fs::create_dir_all(parent) {
            return unwritable(parent, error);
        }
        for number in 1_u32.. {
            let suffix = if number > 1 { format!("-{number}") } else { String::new() };
            let folder = parent.join(format!("{name}{suffix}"));
            match std::fs::create_dir(&folder) {
                Ok(()) => {
                    let mut files = Self::create(&folder)?;
                    files.made = true;
                    return Ok(files);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return unwritable(&folder, error),
            }
        }
        unwritable(parent, io::ErrorKind::AlreadyExists.into())
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes `context` and the headers.
    ///
    /// # Errors
    /// [`FolderError::Unwritable`].
    pub fn begin(&mut self, context: &Context) -> Result<(), FolderError> {
        let folder = self.folder.clone();
        self.write_heads(context).map_err(|error| FolderError::Unwritable { folder, error })
    }

    fn write_heads(&mut self, context: &Context) -> io::Result<()> {
        writeln!(self.jsonl, "{}", serde_json::to_string(context)?)?;
        writeln!(self.csv, "{CSV_HEADER}")?;
        writeln!(self.verified, "{}", verified::CSV_HEADER)
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
                    // If truncation fails too, the file keeps part of a line, which readers leave
                    // out.
                    let _ = file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length)));
                }
                return Err(error);
            }
        }
        self.rows = keys;
        self.cases += 1;
        Ok(())
    }

    /// Writes `report.html` from `results.jsonl` and the earlier runs of the machine, and returns
    /// its path.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if the report cannot be made.
    pub fn write_report(&self, history: History) -> io::Result<PathBuf> {
        let report = self.folder.join(REPORT);
        let extras = Extras { history, price_per_hour: None };
        let records = std::fs::read(self.folder.join(RECORDS))?;
        let shown = Shown::of(&records).map_err(invalid)?;
        let page = render_with(&shown.text, extras).map_err(invalid)?;
        WholeFile::replace(&report, Replaces::Starting(PAGE_START))?
            .write_whole(page.as_bytes())?;
        Ok(report)
    }
}

impl Drop for ResultFiles {
    fn drop(&mut self) {
        if self.cases > 0 {
            return;
        }
        for name in FILES {
            // What cannot be removed holds no case and is read as such.
            let _ = std::fs::remove_file(self.folder.join(name));
        }
        if self.made {
            // Fails if somebody else put a file there.
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

/// Creates the files of a run. If one of them cannot be created, those before it are removed again.
fn new_files(folder: &Path) -> Result<[File; FILES.len()], FolderError> {
    let mut files = Vec::new();
    for name in FILES {
        match File::create_new(folder.join(name)) {
            Ok(file) => files.push(file),
            Err(error) => {
                for name in &FILES[..files.len()] {
                    // An empty file that cannot be removed refuses the next run, as any file does.
                    let _ = std::fs::remove_file(folder.join(name));
                }
                let exists = error.kind() == io::ErrorKind::AlreadyExists;
                let folder = folder.into();
                return Err(if exists {
                    taken(folder)
                } else {
                    FolderError::Unwritable { folder, error }
                });
            }
        }
    }
    Ok(files.try_into().expect("there is a file for each name"))
}

/// Describes the files that another run has in a folder.
fn taken(folder: PathBuf) -> FolderError {
    let busy = File::open(folder.join(RECORDS))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)));
    let what = if busy {
        "is where another run is writing its results; choose another --out"
    } else {
        "holds the results of an earlier run, which stay as they are: choose another --out, or \
         move them away"
    };
    FolderError::Taken { folder, what }
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// The lines of a result file that a report can show.
#[derive(Debug)]
pub struct Shown {
    /// The lines.
    pub text: String,
    /// The number of cases.
    pub cases: usize,
    /// The lines left out.
    pub damaged: Vec<Damage>,
    /// Number of cases whose scheme had its earlier name in the file.
    pub renamed: usize,
}

impl Shown {
    /// Chooses the lines of a file.
    ///
    /// # Errors
    /// [`ReportError::Schema`] for a file of another schema, which is not damaged but foreign.
    pub fn of(content: &[u8]) -> Result<Self, ReportError> {
        let (mut text, mut cases, mut foreign) = (String::new(), 0, None);
        let Lines { damaged, renamed, .. } = stored::lines(content, |index, line| {
            match input::read_line(index, line) {
                Ok(input::Line::Case(_)) => {
                    // Cases that lost their context are not those of the file before.
                    if text.is_empty() {
                        text.push_str(input::UNKNOWN_CONTEXT);
                    }
                    cases += 1;
                }
                Ok(input::Line::Context(_) | input::Line::Other) => {}
                Err(ReportError::Json { source, .. }) => return Err(source.to_string()),
                Err(error) => {
                    let why = error.to_string();
                    foreign = foreign.take().or(Some(error));
                    return Err(why);
                }
            }
            text.push_str(line);
            text.push('\n');
            Ok(())
        });
        match foreign {
            Some(error) => Err(error),
            None => Ok(Self { text, cases, damaged, renamed }),
        }
    }
}
