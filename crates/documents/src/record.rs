//! The committed record of a document: its runs, one sitting after another, in a compressed file.
//!
//! A sitting is the text of a `results.jsonl`: a context with machine, build and date, and the
//! cases that ended. The file is a gzip stream of these texts. A later sitting adds what the
//! earlier ones lack, so that a record can take hours in parts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use fathom_cases::effort::RECORDED;
use fathom_cases::record::{Case, Context, Status, Stored};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::documents::Document;

/// One run of a record.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// The machine, the build and the date; `None` if the line is damaged.
    pub context: Option<Context>,
    /// The cases that ended.
    pub cases: Vec<Case>,
}

/// The cases of all sittings: of each id the one that counts.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The sittings, in order.
    pub sittings: Vec<Sitting>,
    /// The cases that count, in the order in which their ids first came.
    pub cases: Vec<Case>,
    /// The number of the sitting of each of `cases`.
    pub runs: Vec<usize>,
}

/// Returns the file of a document's record in a folder of records.
pub fn file(folder: &Path, document: &Document) -> PathBuf {
    folder.join(format!("{}.jsonl.gz", document.name))
}

/// Compresses the text of a record.
///
/// # Errors
/// None on memory; the signature is that of the encoder.
pub fn compress(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Returns the text of the file of a record; empty if there is no file.
///
/// # Errors
/// Errors of the file system, and a file that is no gzip stream.
pub fn text(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match std::fs::File::open(path) {
        Ok(file) => {
            let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
            MultiGzDecoder::new(file).read_to_end(&mut text).map_err(named)?;
            Ok(text)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(text),
        Err(error) => Err(error),
    }
}

impl Record {
    /// Reads the record of a document in a folder; an empty one if there is none.
    ///
    /// # Errors
    /// As [`text`].
    pub fn read(folder: &Path, document: &Document) -> io::Result<Self> {
        Ok(Self::of(&text(&file(folder, document))?))
    }

    /// Reads the text of a record. Damaged lines are left out: what they measured is measured
    /// again.
    pub fn of(text: &[u8]) -> Self {
        let mut record = Self::default();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (number, part) in parts(text).into_iter().enumerate() {
            let Stored { context, cases, .. } = Stored::of(part);
            for case in &cases {
                match places.get(&case.id) {
                    Some(&at) if worth(case) >= worth(&record.cases[at]) => {
                        record.cases[at] = case.clone();
                        record.runs[at] = number;
                    }
                    Some(_) => {}
                    None => {
                        places.insert(case.id.clone(), record.cases.len());
                        record.cases.push(case.clone());
                        record.runs.push(number);
                    }
                }
            }
            record.sittings.push(Sitting { context, cases });
        }
        record
    }

    /// Returns the ids that need no further sitting: see [`is_complete`].
    pub fn complete(&self) -> BTreeSet<&str> {
        self.cases.iter().filter(|case| is_complete(case)).map(|case| &*case.id).collect()
    }

    /// Returns the largest noise floor of the sittings; 0 if none was measured.
    pub fn noise_floor(&self) -> f64 {
        let contexts = self.sittings.iter().filter_map(|sitting| sitting.context.as_ref());
        contexts.filter_map(|context| context.noise_floor_rel).fold(0.0, f64::max)
    }
}

/// Returns true if a further sitting would add nothing: the case was refused, or verified without
/// an interruption, hence with as many samples as an interval needs unless a call takes too long
/// for that or the case is a single chain. A peer's failure is its outcome; one of the engine is
/// measured again.
pub fn is_complete(case: &Case) -> bool {
    let flags = case.time_ns.as_ref().map_or(&[][..], |time| &time.flags);
    let is_interrupted = flags.iter().any(|flag| flag == "interrupted");
    let is_final = match case.verify.status {
        Status::Ok | Status::NoiseExhausted | Status::Unsupported => true,
        Status::Wrong | Status::Failed => case.lib.name != "fathom",
        Status::Unverified => false,
    };
    is_final && !is_interrupted
}

/// Returns the order of two measurements of one case: a complete one counts more than one that is
/// not, a verified one more than a failure, and more samples more than fewer.
fn worth(case: &Case) -> (bool, bool, usize) {
    let samples = case.time_ns.as_ref().map_or(0, |time| time.n).min(RECORDED);
    (is_complete(case), case.verify.status == Status::Ok, samples)
}

/// Splits a text before each line of a context.
fn parts(text: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if at == 0 || line.starts_with(b"{\"kind\":\"context\"") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .filter(|(from, to)| *from < to)
        .map(|(&from, to)| &text[from..to])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const RUN: &str = include_str!("../../../records/quick-2026-11-20.jsonl");

    /// A sitting whose second line is the first case of a run, changed by `change`.
    fn sitting(change: impl Fn(&mut Value)) -> String {
        let mut lines = RUN.lines();
        let context = lines.next().unwrap();
        let timed = lines.find(|line| line.contains("\"op\":\"mul\"")).unwrap();
        let mut case: Value = serde_json::from_str(timed).unwrap();
        change(&mut case);
        format!("{context}\n{case}\n")
    }

    fn samples(n: usize) -> impl Fn(&mut Value) {
        move |case| case["time_ns"]["n"] = json!(n)
    }

    #[test]
    fn a_record_is_read_as_it_was_written_whatever_the_number_of_its_streams() {
        let folder = std::env::temp_dir().join(format!("fathom-record-{}", std::process::id()));
        let bytes = [compress(RUN.as_bytes()).unwrap(), compress(b"").unwrap()].concat();
        assert!(bytes.len() * 3 < RUN.len(), "{} of {}", bytes.len(), RUN.len());
        std::fs::write(&folder, &bytes).unwrap();
        assert_eq!(text(&folder).unwrap(), RUN.as_bytes());
        std::fs::write(&folder, &bytes[..bytes.len() / 2]).unwrap();
        assert!(text(&folder).is_err(), "half a stream is no record");
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(text(&folder).unwrap(), b"");
    }

    #[test]
    fn of_two_sittings_the_complete_case_counts_and_else_the_later() {
        let of = |texts: &[String]| Record::of(texts.concat().as_bytes());
        let record = of(&[sitting(samples(40)), sitting(samples(50))]);
        assert_eq!((record.sittings.len(), record.cases.len(), record.runs[0]), (2, 1, 1));
        assert_eq!(record.complete().len(), 1);
        let failed = |case: &mut Value| case["verify"]["status"] = json!("failed");
        assert_eq!(of(&[sitting(samples(40)), sitting(failed)]).runs, [0]);
        assert_eq!(of(&[sitting(failed), sitting(samples(2))]).runs, [1]);
        let half = [sitting(samples(40)), "{\"kind\":\"case\",\"id\"".into()];
        assert_eq!(of(&half).cases.len(), 1, "a killed sitting leaves half a line");
    }

    #[test]
    fn what_failed_or_was_interrupted_lacks() {
        let interrupted = |case: &mut Value| case["time_ns"]["flags"] = json!(["interrupted"]);
        let failed = |case: &mut Value| case["verify"]["status"] = json!("failed");
        let peer = |case: &mut Value| {
            failed(case);
            case["lib"]["name"] = json!("openfhe");
        };
        let refused = |case: &mut Value| {
            case["verify"]["status"] = json!("noise_exhausted");
            case["time_ns"] = Value::Null;
        };
        let lacks = |text: String| Record::of(text.as_bytes()).complete().is_empty();
        assert!(lacks(sitting(interrupted)) && lacks(sitting(failed)));
        assert!(!lacks(sitting(samples(6))) && !lacks(sitting(refused)) && !lacks(sitting(peer)));
    }
}
