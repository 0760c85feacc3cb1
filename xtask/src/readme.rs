//! Runs the marked commands of the documents.
//!
//! A fenced block of `console`, `sh` or `bash` directly after a line `<!-- ci -->` is run. In a
//! `console` block, the lines that start with `$ ` are commands and the others are output.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The main job: it must leave its files in a new folder below [`RESULTS`].
const MAIN_JOB: &str = "cargo run --release -- bench";
const RESULTS: &str = "results";
const RESULT_FILES: [&str; 4] = ["results.jsonl", "all.csv", "verified.csv", "report.html"];

/// The line that marks a block.
pub(crate) const MARK: &str = "<!-- ci -->";

/// A command and its position.
#[derive(Debug, PartialEq, Eq)]
struct Promise {
    line: usize,
    command: String,
}

/// Runs every marked command of `README.md`, `CONTRIBUTING.md` and `docs`, at the root.
pub(crate) fn run(root: &Path) -> bool {
    let mut all_well = true;
    let mut count = 0;
    for document in documents(root) {
        let Ok(text) = fs::read_to_string(&document) else {
            eprintln!("cannot read {}", document.display());
            return false;
        };
        let name = document.strip_prefix(root).unwrap_or(&document).display().to_string();
        for Promise { line, command } in promises(&text) {
            eprintln!("readme: {name}:{line}: {command}");
            count += 1;
            let start = Instant::now();
            let before = folders(&root.join(RESULTS));
            let shell = ["-euo", "pipefail", "-c", &command];
            let ok = Command::new("bash").args(shell).current_dir(root).status();
            let ok = ok.is_ok_and(|status| status.success())
                && (command != MAIN_JOB || left_results(root, &before));
            println!("readme: {:.0} s: {command}", start.elapsed().as_secs_f64());
            if !ok {
                println!("{name}:{line}: `{command}` failed: correct the command or the program");
                all_well = false;
            }
        }
    }
    println!("readme: {count} commands, {}", if all_well { "all work" } else { "not all work" });
    all_well
}

/// Returns the folders in a folder.
fn folders(parent: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// Returns true if a folder of results that was not there `before` has all files.
fn left_results(root: &Path, before: &BTreeSet<PathBuf>) -> bool {
    let after = folders(&root.join(RESULTS));
    let mut new = after.difference(before);
    let is_whole = |folder: &PathBuf| RESULT_FILES.iter().all(|name| folder.join(name).exists());
    new.any(is_whole)
}

/// Returns the documents whose commands are run.
pub(crate) fn documents(root: &Path) -> Vec<PathBuf> {
    let mut documents = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    documents.retain(|document| document.exists());
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                documents.push(path);
            }
        }
    }
    documents
}

/// Returns the marked commands of a document, in order. A trailing `\` continues a command.
fn promises(text: &str) -> Vec<Promise> {
    let lines: Vec<&str> = text.lines().collect();
    let mut promises = Vec::new();
    for (index, _) in lines.iter().enumerate().filter(|(_, line)| line.trim() == MARK) {
        let Some(fence) = lines.get(index + 1) else { continue };
        let is_console = fence.trim() == "```console";
        if !is_console && !["```sh", "```bash"].contains(&fence.trim()) {
            continue;
        }
        let mut pending: Option<Promise> = None;
        let body = lines.iter().enumerate().skip(index + 2);
        for (at, line) in body.take_while(|(_, line)| line.trim() != "```") {
            let line = line.trim_end();
            let text = match (&pending, line.strip_prefix("$ ")) {
                (None, Some(command)) => command,
                (None, None) if is_console || line.is_empty() || line.starts_with('#') => continue,
                (Some(_), _) | (None, None) => line,
            };
            let promise = pending.get_or_insert(Promise { line: at + 1, command: String::new() });
            promise.command.push_str(text.trim_end_matches('\\'));
            if !text.ends_with('\\') {
                promises.extend(pending.take());
            }
        }
        promises.extend(pending);
    }
    promises
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> Vec<(usize, String)> {
        promises(text).into_iter().map(|promise| (promise.line, promise.command)).collect()
    }

    #[test]
    fn only_marked_blocks_are_run() {
        let text = "```sh\nrm everything\n```\n\
                    <!-- ci -->\n```sh\n# why\none\n\ntwo --x \\\n  y\n```\n\
                    <!-- ci -->\n```rust\nlet a = 1;\n```\n";
        let expected = [(7, "one".to_owned()), (9, "two --x   y".to_owned())];
        assert_eq!(commands(text), expected);
    }

    #[test]
    fn output_in_a_console_block_is_not_run() {
        let text = "<!-- ci -->\n```console\n$ fathom list\nbfv\n$ fathom doctor\n```\n";
        assert_eq!(
            commands(text),
            [(3, "fathom list".to_owned()), (5, "fathom doctor".to_owned())]
        );
    }

    #[test]
    fn an_open_block_ends_with_the_document() {
        assert_eq!(commands("<!-- ci -->\n```sh\none \\"), [(3, "one ".to_owned())]);
        assert_eq!(commands("<!-- ci -->"), []);
    }
}
