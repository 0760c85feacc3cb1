//! Banned words with their replacements, summaries that are no sentences, and lines that are too
//! wide.

use super::tree::{Finding, Tree};
use crate::rust_text::{is_word, line_of, occurrences};

/// Maximum width of a line in characters, except for lines with a URL.
const COLUMNS: usize = 100;

/// Maximum width of a line in a document, outside tables and code.
const DOCUMENT_COLUMNS: usize = 120;

/// Macros that must not be committed, each with its replacement.
const MACROS: [(&str, &str); 3] = [
    ("todo!", "write it, or return a typed error"),
    ("unimplemented!", "write it, or return a typed error"),
    ("dbg!", "remove it"),
];

/// Marks of unfinished work, also in comments.
const MARKS: [(&str, &str); 3] = [
    ("FIXME", "mend it, or state the limitation as a fact"),
    ("XXX", "mend it, or state the limitation as a fact"),
    ("TODO", "do it, or state the limitation as a fact"),
];

/// Module names that do not describe their content.
const EMPTY_NAMES: [&str; 3] = ["util", "utils", "misc"];

/// Endings of names that state history instead of a difference.
const HISTORY_ENDS: [&str; 2] = ["_v2", "_v3"];

/// First words of a summary that is a fragment, or has a pronoun without its noun.
const FRAGMENTS: [&str; 10] =
    ["Of", "What", "Whether", "How", "Why", "Where", "Which", "Its", "Those", "That"];

/// Checks all sources.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in tree.rust() {
        let path = &file.path;
        for (text, words) in [(&rust.code, MACROS), (&rust.prose, MARKS)] {
            for (word, fix) in words {
                findings.extend(occurrences(text, word).map(|at| {
                    let what = format!("`{word}` is not allowed");
                    Finding::new(path, line_of(text, at), what, fix)
                }));
            }
        }
        findings.extend(wide_lines(path, &file.text));
        findings.extend(fragments(path, &file.text));
        findings.extend(history_names(path, &rust.code));
        findings.extend(empty_name(path));
    }
    for file in tree.ending(".md") {
        findings.extend(wide_paragraphs(&file.path, &file.text));
    }
    findings
}

/// Finds wide lines in a document's text; tables, code and lines with a URL are exempt.
fn wide_paragraphs(path: &str, text: &str) -> Vec<Finding> {
    let mut in_code = false;
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        in_code ^= line.trim_start().starts_with("```");
        let exempt = in_code || line.starts_with(['|', '<']) || line.starts_with("    ");
        let columns = line.chars().count();
        if columns > DOCUMENT_COLUMNS && !exempt && !line.contains("://") {
            let fix = format!("break the line at {DOCUMENT_COLUMNS}");
            findings.push(Finding::new(path, index + 1, format!("{columns} columns"), fix));
        }
    }
    findings
}

fn wide_lines<'a>(path: &'a str, text: &'a str) -> impl Iterator<Item = Finding> + 'a {
    text.lines().enumerate().filter_map(move |(index, line)| {
        let columns = line.chars().count();
        let exempt = line.contains("https://") || line.contains("http://");
        (columns > COLUMNS && !exempt).then(|| {
            let what = format!("{columns} columns");
            Finding::new(path, index + 1, what, format!("break the line at {COLUMNS}"))
        })
    })
}

/// Finds doc comments that open with a fragment.
fn fragments<'a>(path: &'a str, text: &'a str) -> impl Iterator<Item = Finding> + 'a {
    let mut before = None;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let line = line.trim_start();
        let mark = line.get(..3).filter(|mark| ["///", "//!"].contains(mark));
        let is_first = std::mem::replace(&mut before, mark) != mark;
        let word = line.get(4..).filter(|_| mark.is_some() && is_first)?;
        let word = word.split([' ', ',']).next().filter(|word| FRAGMENTS.contains(word))?;
        let fix = "write a sentence with its verb, or the noun that is described";
        Some(Finding::new(path, index + 1, format!("a summary opens with `{word}`"), fix))
    })
}

fn history_names<'a>(path: &'a str, code: &'a str) -> impl Iterator<Item = Finding> + 'a {
    let names = code
        .lines()
        .enumerate()
        .flat_map(|(index, line)| line.split(|c| !is_word(c)).map(move |name| (index + 1, name)));
    names.filter(|(_, name)| HISTORY_ENDS.iter().any(|end| name.ends_with(end))).map(
        move |(line, name)| {
            let what = format!("the name `{name}` tells history");
            Finding::new(path, line, what, "name the difference, or replace the old one")
        },
    )
}

fn empty_name(path: &str) -> Option<Finding> {
    let mut parts = path.trim_end_matches(".rs").split('/');
    let name = parts.find(|part| EMPTY_NAMES.contains(part))?;
    let what = format!("a module named `{name}` says nothing");
    Some(Finding::new(path, 1, what, "name what it holds"))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        check(&tree(&[(path, text)])).into_iter().map(|f| (f.line, f.what)).collect()
    }

    #[test]
    fn unfinished_work_is_found_in_code_and_comments_but_not_in_strings() {
        let bad = "fn f() {\n    todo!();\n    // FIXME later\n    dbg!(1);\n}\n";
        let lines: Vec<usize> = found("a.rs", bad).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 4, 3]);
        assert_eq!(found("a.rs", "const WORDS: &str = \"FIXME todo!\";\n"), []);
    }

    #[test]
    fn summaries_that_are_fragments_are_found() {
        let bad = "//! What is here.\n\n/// Returns it.\n/// What follows is no summary.\n\
                   fn f() {}\n    /// Its size.\n/// Offers.\n";
        let opens = |line, word| (line, format!("a summary opens with `{word}`"));
        assert_eq!(found("a.rs", bad), [opens(1, "What"), opens(6, "Its")]);
    }

    #[test]
    fn wide_lines_are_found_unless_they_hold_a_url() {
        let wide = format!("// {}\n", "x".repeat(98));
        assert_eq!(found("a.rs", &wide), [(1, "101 columns".to_owned())]);
        assert_eq!(found("a.rs", &format!("// https://a.b/{}\n", "x".repeat(98))), []);
        assert_eq!(found("a.rs", &format!("// {}\n", "é".repeat(97))), []);
    }

    #[test]
    fn wide_lines_of_documents_are_found_outside_of_tables_and_code() {
        let wide = "x".repeat(121);
        assert_eq!(found("a.md", &wide), [(1, "121 columns".to_owned())]);
        assert_eq!(found("a.md", &format!("```\n{wide}\n```\n| {wide} |\n    {wide}\n")), []);
    }

    #[test]
    fn names_that_say_nothing_are_found() {
        assert_eq!(found("a/src/util.rs", "").len(), 1);
        assert_eq!(found("a/src/misc/sort.rs", "").len(), 1);
        assert_eq!(found("a/src/utility.rs", ""), []);
        assert_eq!(found("a.rs", "fn mul_v2() {}\nlet v2 = 1;\n").len(), 1);
    }
}
