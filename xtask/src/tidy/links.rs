//! Broken links in the documents, and names of files that do not exist.

use super::tree::{Finding, Tree};
use crate::book::resolve;
use crate::rust_text::is_word;

/// Checks the relative links of every `.md` file, the sources and the folders of crates that it
/// names, and each document named in a source. The changelog may name sources of the past.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.ending(".md") {
        for (line, target) in links(&file.text) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !tree.paths.contains(&resolve(&file.path, path)) {
                let what = format!("the link `{target}` leads nowhere");
                findings.push(Finding::new(&file.path, line, what, "correct or remove it"));
            }
        }
        for (line, source) in named_sources(&file.text) {
            if file.path != "CHANGELOG.md" && !is_end_of_path(tree, &source) {
                let what = format!("`{source}` does not exist");
                findings.push(Finding::new(&file.path, line, what, "name the file that has it"));
            }
        }
    }
    for (file, rust) in tree.rust() {
        for (line, document) in named_documents(&rust.prose) {
            if !tree.paths.contains(document) {
                let what = format!("`{document}` does not exist");
                findings.push(Finding::new(&file.path, line, what, "write it or name another"));
            }
        }
    }
    findings
}

/// Returns the targets of relative links outside code blocks, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut in_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            let is_remote = target.contains("://") || target.starts_with("mailto:");
            if !is_remote && !target.starts_with('#') {
                links.push((index + 1, target.trim_matches(['<', '>'])));
            }
        }
    }
    links
}

/// Returns every document path in a text, with its line.
fn named_documents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        line.match_indices("docs/").filter_map(move |(at, _)| {
            let rest = &line[at..];
            let is_path = |c: char| is_word(c) || matches!(c, '/' | '-' | '.');
            let path = &rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())];
            let path = path.trim_end_matches('.');
            let is_whole = !line[..at].ends_with(is_path);
            let is_document = path.rsplit_once('.').is_some_and(|(_, end)| end == "md");
            (is_whole && is_document).then_some((index + 1, path))
        })
    })
}

/// Endings of the sources that documents may name only if they exist.
const SOURCES: [&str; 3] = ["rs", "toml", "py"];

/// Returns every path in backquotes of a source, or of anything in the folder of crates, with its
/// line: `a/{b,c}.rs` names two.
fn named_sources(text: &str) -> Vec<(usize, String)> {
    let mut sources = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for code in line.split('`').skip(1).step_by(2) {
            let code = code.trim_end_matches('/');
            let is_path = |c: char| is_word(c) || matches!(c, '/' | '-' | '.' | '{' | '}' | ',');
            let is_source = code.rsplit('.').next().is_some_and(|end| SOURCES.contains(&end));
            if (is_source && code.contains('/') || code.starts_with("crates/"))
                && code.chars().all(is_path)
            {
                sources.extend(alternatives(code).map(|path| (index + 1, path)));
            }
        }
    }
    sources
}

/// Returns the paths that a path with at most one group in braces stands for.
fn alternatives(path: &str) -> impl Iterator<Item = String> {
    let (before, rest) = path.split_once('{').unwrap_or((path, "}"));
    let (group, after) = rest.split_once('}').unwrap_or((rest, ""));
    group.split(',').map(move |name| format!("{before}{name}{after}"))
}

fn is_end_of_path(tree: &Tree, end: &str) -> bool {
    tree.paths.iter().any(|path| {
        path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    #[test]
    fn a_broken_link_is_found_and_a_good_one_is_not() {
        let text = "[a](b.md) [b](../README.md#top) [c](https://x.y) [d](#here)\n\n[e](gone.md)\n\
                    ```\n[f](gone.md)\n```\n";
        let files = [("docs/a.md", text), ("docs/b.md", ""), ("README.md", "[docs](docs/)")];
        let findings = check(&tree(&files));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!((findings[0].path.as_str(), findings[0].line), ("docs/a.md", 3));
    }

    #[test]
    fn a_document_names_only_sources_that_exist() {
        let text = "In `ring/{a,gone}.rs` and\n`src/a.rs`, not `a.rs` or `x / y.rs`.\n\
                    `src/b.toml` and `crates/c/gone/`, not `crates/c/src`.\n";
        let past = ("CHANGELOG.md", "`src/past.rs`");
        let sources = ["ring/src/a.rs", "ring/a.rs", "crates/c/src/a.rs"].map(|path| (path, ""));
        let files = [&[("docs/a.md", text), past][..], &sources].concat();
        let lines: Vec<usize> = check(&tree(&files)).iter().map(|found| found.line).collect();
        assert_eq!(lines, [1, 3, 3]);
    }

    /// The walks through the code are worth reading only while they are true.
    #[test]
    fn walks_of_the_architecture_name_sources_that_exist() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let tree = Tree::read(&root).expect("the repository can be read");
        let text = std::fs::read_to_string(root.join("docs/architecture.md"));
        let text = text.expect("the architecture has a document");
        let walks: Vec<&str> =
            text.split("\n## ").filter(|section| section.starts_with("Follow one ")).collect();
        assert_eq!(walks.len(), 3, "a ciphertext, a case and a column");
        for walk in walks {
            let named = named_sources(walk);
            assert!(named.len() >= 10, "{named:?}");
            for (_, source) in named {
                assert!(is_end_of_path(&tree, &source), "{source} does not exist");
            }
        }
    }

    #[test]
    fn a_source_names_only_documents_that_exist() {
        let source = "//! See docs/maths/ntt.md.\n//! And docs/gone.md (x).\n";
        let findings = check(&tree(&[("a.rs", source), ("docs/maths/ntt.md", "")]));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].line, 2);
    }
}
