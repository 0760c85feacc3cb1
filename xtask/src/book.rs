//! Checks the documentation site: its summary names every page, every block of code that can run
//! is run by some check, and the built site has no broken link.

mod links;
mod site;

use std::fs;
use std::path::Path;

use crate::readme;

pub(crate) use links::resolve;

/// Languages of blocks that can run.
const RUNS: [&str; 4] = ["sh", "bash", "console", "rust"];
/// Beginning of the line that says why a block is not run.
const NOT_RUN: &str = "<!-- not run: ";

/// Checks the pages.
pub(crate) fn run(root: &Path) -> bool {
    let faults = faults(root);
    for fault in &faults {
        println!("book: {fault}");
    }
    println!("book: {} faults", faults.len());
    faults.is_empty()
}

/// Checks the pages, builds the site and checks its links.
pub(crate) fn site(root: &Path) -> bool {
    let pages = run(root);
    site::build(root) && pages
}

fn faults(root: &Path) -> Vec<String> {
    let summary = fs::read_to_string(root.join(site::SUMMARY)).unwrap_or_default();
    let mut faults = Vec::new();
    for document in readme::documents(root) {
        let name = document.strip_prefix(root).unwrap_or(&document).display().to_string();
        let page = name.strip_prefix("docs/").filter(|page| *page != "SUMMARY.md");
        if page.is_some_and(|page| !summary.contains(&format!("]({page})"))) {
            faults.push(format!("{name}: docs/SUMMARY.md does not name this page"));
        }
        let text = fs::read_to_string(&document).unwrap_or_default();
        let doctested = is_doctested(root, &name);
        let idle = idle_blocks(&text, doctested).into_iter();
        faults.extend(idle.map(|line| {
            format!("{name}:{line}: nothing runs this block: mark it `<!-- ci -->`, or state why")
        }));
    }
    faults
}

/// Returns true if the documentation tests of a crate include the page.
fn is_doctested(root: &Path, name: &str) -> bool {
    let include = format!("/{name}\")]");
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    crates.map(|entry| fs::read_to_string(entry.path().join("src/lib.rs"))).any(|text| {
        text.is_ok_and(|text| text.contains("include_str!(") && text.contains(&include))
    })
}

/// Returns the lines of the blocks of a page that could run and that no check runs.
fn idle_blocks(text: &str, doctested: bool) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut idle = Vec::new();
    let mut inside = false;
    for (index, line) in lines.iter().enumerate() {
        let Some(language) = line.strip_prefix("```") else { continue };
        inside = !inside;
        let language = language.split(',').next().unwrap_or_default();
        if !inside || !RUNS.contains(&language) {
            continue;
        }
        let before = index.checked_sub(1).map_or("", |above| lines[above]);
        let run = if language == "rust" { doctested } else { before == readme::MARK };
        let excused = before.starts_with(NOT_RUN) && before.len() > NOT_RUN.len() + 4;
        if !run && !excused {
            idle.push(index + 1);
        }
    }
    idle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_nothing_runs_is_named() {
        let text = "```sh\none\n```\n<!-- ci -->\n```sh\ntwo\n```\n```json\n{}\n```\n\
                    <!-- not run: needs a network -->\n```sh\nthree\n```\n```rust\nlet a;\n```\n";
        assert_eq!(idle_blocks(text, false), [1, 15]);
        assert_eq!(idle_blocks(text, true), [1]);
        assert_eq!(idle_blocks("<!-- not run: -->\n```sh\nno reason\n```\n", true), [2]);
    }
}
