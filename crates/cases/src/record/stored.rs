//! Result files on disk, of which some lines may be damaged.
//!
//! A process that is killed leaves half a line, a full disk a file that ends early, and a person an
//! edit that is no JSON. Every whole line remains a measurement: readers leave out the others and
//! say so.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::case::{Case, Context};
use super::earlier;

/// A line of a result file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Number of the line, from 1.
    pub line: usize,
    /// The reason why it cannot be read.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// A run as far as its file can be read.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// Facts that hold for the whole run.
    pub context: Option<Context>,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
    /// The lines left out.
    pub damaged: Vec<Damage>,
    /// Number of cases whose scheme had its earlier name in the file.
    pub renamed: usize,
}

impl Stored {
    /// Reads a file.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if no line can be read.
    pub fn read(path: &Path) -> io::Result<Self> {
        let stored = Self::of(&std::fs::read(path)?);
        match stored.damaged.first() {
            Some(first) if stored.context.is_none() && stored.cases.is_empty() => {
                Err(io::Error::new(io::ErrorKind::InvalidData, first.to_string()))
            }
            _ => Ok(stored),
        }
    }

    /// Reads the content of a file; unknown fields and kinds are ignored.
    pub fn of(content: &[u8]) -> Self {
        let Lines { whole, damaged, renamed } = lines(content, |_, line| {
            let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
            let read = match value["kind"].as_str() {
                Some("context") => {
                    serde_json::from_value(value).map(|context| Line::Context(Box::new(context)))
                }
                Some("case") => {
                    serde_json::from_value(value).map(|case| Line::Case(Box::new(case)))
                }
                _ => return Ok(Line::Other),
            };
            read.map_err(|e| e.to_string())
        });
        let mut stored = Self { damaged, renamed, ..Self::default() };
        for line in whole {
            match line {
                Line::Context(context) => stored.context = Some(*context),
                Line::Case(case) => stored.cases.push(*case),
                Line::Other => {}
            }
        }
        stored
    }

    /// Returns what to say about the file: the damage with the first line at fault, and the earlier
    /// name of a scheme.
    pub fn warnings(&self, path: &Path) -> Vec<String> {
        warnings(path, &self.damaged, self.cases.len(), self.renamed)
    }
}

enum Line {
    Context(Box<Context>),
    Case(Box<Case>),
    Other,
}

/// Describes damaged lines of a file of which `cases` cases remain, and how many of these were
/// `renamed`; nothing without either.
pub fn warnings(path: &Path, damaged: &[Damage], cases: usize, renamed: usize) -> Vec<String> {
    let lines = if damaged.len() == 1 { "a damaged line" } else { "damaged lines" };
    let damage = damaged.first().map(|first| {
        format!("{}: {lines} left out, {cases} cases remain: {first}", path.display())
    });
    damage.into_iter().chain(earlier::remark(path, renamed)).collect()
}

/// The lines of a file.
#[derive(Debug)]
pub struct Lines<T> {
    /// The lines that were read.
    pub whole: Vec<T>,
    /// The lines that were refused.
    pub damaged: Vec<Damage>,
    /// Number of cases whose scheme had its earlier name.
    pub renamed: usize,
}

/// Reads the lines of a file that are not blank, under the present names of schemes, and lists
/// those that `read` refuses. The first argument of `read` is the number of the line, from 0.
pub fn lines<T>(
    content: &[u8],
    mut read: impl FnMut(usize, &str) -> Result<T, String>,
) -> Lines<T> {
    let (mut whole, mut damaged, mut renamed) = (Vec::new(), Vec::new(), 0);
    for (index, line) in content.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let text = std::str::from_utf8(line).map_err(|_| "this is not a text file".to_owned());
        let outcome = text.map(earlier::present).and_then(|line| {
            let whole = read(index, &line)?;
            renamed += usize::from(matches!(line, Cow::Owned(_)));
            Ok(whole)
        });
        match outcome {
            Ok(line) => whole.push(line),
            Err(why) => damaged.push(Damage { line: index + 1, why }),
        }
    }
    Lines { whole, damaged, renamed }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDS: &str = include_str!("../../../../records/quick-2026-11-20.jsonl");

    #[test]
    fn whole_lines_are_read_and_the_others_are_named() {
        let whole = Stored::of(RECORDS.as_bytes());
        assert!(whole.context.is_some() && whole.cases.len() > 40 && whole.damaged.is_empty());
        assert_eq!(whole.warnings(Path::new("a")), [""; 0]);
        // Killed in the middle of the last line.
        let cut = Stored::of(&RECORDS.as_bytes()[..RECORDS.len() - 100]);
        assert_eq!((cut.cases.len(), cut.damaged.len()), (whole.cases.len() - 1, 1));
        assert!(cut.warnings(Path::new("a"))[0].starts_with("a: a damaged line left out"));
        // Zeros in place of a line, as a crash of the machine may leave them.
        let mut lines: Vec<Vec<u8>> = RECORDS.lines().map(Into::into).collect();
        lines[3] = vec![0; 500];
        lines[5] = b"{\"kind\":\"case\",\"id\":\"fathom/bfv/e1/mul\"}".to_vec();
        lines[7][20] = 0xff;
        let damaged = Stored::of(&lines.join(&b"\n"[..]));
        let places: Vec<usize> = damaged.damaged.iter().map(|damage| damage.line).collect();
        assert_eq!((damaged.cases.len(), places), (whole.cases.len() - 3, vec![4, 6, 8]));
    }

    #[test]
    fn a_run_without_its_first_line_keeps_its_cases() {
        let headless = RECORDS.split_once('\n').unwrap().1;
        let stored = Stored::of(format!("{{\"kind\":\"cont\n{headless}").as_bytes());
        assert!(stored.context.is_none() && stored.cases.len() > 40);
    }
    #[test]
    fn a_scheme_under_its_earlier_name_is_that_of_today_and_said() {
        let wide = |line: &&str| line.contains("\"scheme\":\"bfv\"");
        let earlier = RECORDS.lines().filter(wide).map(|line| line.replace("bfv", "exact"));
        let stored = Stored::of(earlier.collect::<Vec<_>>().join("\n").as_bytes());
        assert!(stored.renamed > 5 && stored.renamed == stored.cases.len());
        for case in &stored.cases {
            assert_eq!((&*case.scheme, case.id.split('/').nth(1)), ("wide", Some("wide")));
            assert!(case.question.as_ref().is_none_or(|question| question.starts_with("wide/")));
        }
        let said = stored.warnings(Path::new("old.jsonl"));
        assert!(said.len() == 1 && said[0].contains("`exact`, is now `wide`"), "{said:?}");
    }
}
