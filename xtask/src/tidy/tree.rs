//! The files of the repository, and what rules say of them.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::rust_text::RustText;

/// Folders without hand-written files.
const SKIPPED_FOLDERS: [&str; 5] = ["target", "results", ".git", ".venv", "node_modules"];

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    /// Path from the root, with `/`.
    pub(super) path: String,
    /// Line, counted from 1.
    pub(super) line: usize,
    /// Description of the violation.
    pub(super) what: String,
    /// Remedy.
    fix: String,
}

impl Finding {
    pub(super) fn new(
        path: &str,
        line: usize,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), fix: fix.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.what, self.fix)
    }
}

/// A text file of the repository.
pub(super) struct File {
    /// Path from the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    /// The parts of a `.rs` file.
    pub(super) rust: Option<RustText>,
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let is_rust = Path::new(path).extension().is_some_and(|end| end == "rs");
        let rust = is_rust.then(|| RustText::new(text));
        Self { path: path.to_owned(), text: text.to_owned(), rust }
    }
}

/// The largest file without rules of its own that is read.
const OTHER_BYTES: u64 = 4 << 20;

/// Every `.rs`, `.md` and `.toml` file, the texts of the others, and the paths of all, so that
/// links can be checked.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    /// Paths and texts of the files of other kinds that are text.
    pub(super) others: Vec<(String, String)>,
    /// Paths of all files and folders.
    pub(super) paths: std::collections::BTreeSet<String>,
}

impl Tree {
    pub(super) fn read(root: &Path) -> std::io::Result<Self> {
        let mut tree = Self::default();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder))? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = folder.join(&name);
                let is_folder = entry.file_type()?.is_dir();
                if is_folder && SKIPPED_FOLDERS.contains(&name.as_str()) {
                    continue;
                }
                tree.paths.insert(slashed(&path));
                if is_folder {
                    folders.push(path);
                } else if [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end)) {
                    let text = fs::read_to_string(root.join(&path))?;
                    tree.files.push(File::new(&slashed(&path), &text));
                } else if entry.metadata()?.len() <= OTHER_BYTES
                    && let Ok(text) = fs::read_to_string(root.join(&path))
                {
                    tree.others.push((slashed(&path), text));
                }
            }
        }
        Ok(tree)
    }

    /// Iterates over the `.rs` files with their parts.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&File, &RustText)> {
        self.files.iter().filter_map(|file| Some((file, file.rust.as_ref()?)))
    }

    pub(super) fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.path.ends_with(end))
    }
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Makes a tree of the given files and the folders above them.
    pub(in super::super) fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in files {
            tree.files.push(File::new(path, text));
            for folder in Path::new(path).ancestors() {
                tree.paths.insert(slashed(folder));
            }
        }
        tree
    }

    #[test]
    fn a_finding_says_where_what_and_how_to_fix_it() {
        let finding = Finding::new("a/b.rs", 7, "too long", "split it");
        assert_eq!(finding.to_string(), "a/b.rs:7: too long: split it");
    }

    #[test]
    fn this_repository_is_read_without_build_outputs() {
        let tree = Tree::read(&crate::root()).unwrap();
        assert!(tree.paths.contains("xtask/src/tidy.rs") && tree.paths.contains("crates"));
        assert!(!tree.paths.contains("target"));
        assert!(tree.rust().any(|(file, _)| file.path == "xtask/src/main.rs"));
        assert!(tree.ending("Cargo.toml").count() > 5);
    }
}
