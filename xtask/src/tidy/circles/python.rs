//! Imports among the files in Python.
//!
//! An import within a function counts as one at the top: it hides a circle from the interpreter,
//! not from a reader. Those under `if TYPE_CHECKING:` do not count, since nothing runs them.

use super::super::tree::{Finding, Tree};
use super::graph::{Graph, circles};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Checks every package, and the files beside each other in every other folder.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let finding = |circle: Vec<String>| {
        let what = format!("files import each other in a circle: {}", circle.join(", "));
        let fix = "move what both need into a file of its own, or let the lower one call back";
        Finding::new(&circle[0], 1, what, fix)
    };
    circles(&imports(tree)).into_iter().map(finding).collect()
}

/// The file of every module, by the folder where absolute imports begin and by its dotted name.
type Modules<'a> = BTreeMap<(&'a str, String), &'a str>;

/// Returns the imports among all Python files, by their paths.
fn imports(tree: &Tree) -> Graph {
    let ends_in = |path: &str, end: &str| Path::new(path).extension().is_some_and(|own| own == end);
    let files: BTreeMap<&str, &str> = (tree.others.iter())
        .filter(|(path, _)| ends_in(path, "py") || ends_in(path, "pyi"))
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    // A file in Python stands before its stub.
    let modules: Modules<'_> =
        files.keys().rev().map(|&path| (module(&files, path), path)).collect();
    let mut graph = Graph::new();
    for (path, text) in files.iter().filter(|(path, _)| ends_in(path, "py")) {
        let (root, name) = module(&files, path);
        let is_package = path.ends_with("/__init__.py");
        let package = if is_package { &*name } else { name.rsplit_once('.').unwrap_or_default().0 };
        let found = imported(text).into_iter().filter_map(|(base, name)| {
            let base = absolute(package, &base);
            let inner = name.map(|name| format!("{base}.{name}").trim_start_matches('.').into());
            let inner = inner.and_then(|inner| modules.get(&(root, inner)));
            inner.or_else(|| modules.get(&(root, base))).filter(|other| *other != path)
        });
        let found: BTreeSet<String> = found.map(|&other| other.to_owned()).collect();
        graph.insert((*path).to_owned(), found);
    }
    graph
}

/// Returns the folder where the absolute imports of a file begin, the first that is no package, and
/// the dotted name of the file from there.
fn module<'a>(files: &BTreeMap<&str, &str>, path: &'a str) -> (&'a str, String) {
    let mut root = path.rsplit_once('/').unwrap_or_default().0;
    while files.contains_key(format!("{root}/__init__.py").as_str()) {
        root = root.rsplit_once('/').unwrap_or_default().0;
    }
    let name = path[root.len()..].trim_start_matches('/').split('.').next().unwrap_or_default();
    (root, name.trim_end_matches("/__init__").replace('/', "."))
}

/// Returns the name of a module that a file of a package names, perhaps with dots in front.
fn absolute(package: &str, base: &str) -> String {
    let rest = base.trim_start_matches('.');
    let dots = base.len() - rest.len();
    if dots == 0 {
        return base.to_owned();
    }
    let mut parts: Vec<&str> = package.split('.').collect();
    parts.truncate((parts.len() + 1).saturating_sub(dots));
    parts.extend(Some(rest).filter(|rest| !rest.is_empty()));
    parts.join(".")
}

/// Returns the modules that a text imports, each with the name that is taken from it, if one is.
fn imported(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    // The indentation of the `if TYPE_CHECKING:` whose lines are read.
    let mut unread: Option<usize> = None;
    for line in logical_lines(text) {
        let indent = line.len() - line.trim_start().len();
        if unread.is_some_and(|outer| indent > outer) {
            continue;
        }
        unread = None;
        let line = line.trim();
        if line.starts_with("if ") && line.ends_with("TYPE_CHECKING:") {
            unread = Some(indent);
        } else if let Some((base, names)) =
            line.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
        {
            let names = names.split([',', '(', ')']);
            let names = names.filter_map(|name| name.split_whitespace().next());
            found.extend(names.map(|name| (base.trim().to_owned(), Some(name.to_owned()))));
        } else if let Some(names) = line.strip_prefix("import ") {
            let names = names.split(',').filter_map(|name| name.split_whitespace().next());
            found.extend(names.map(|name| (name.to_owned(), None)));
        }
    }
    found
}

/// Returns the lines of a text without comments and the contents of strings, those within
/// parentheses joined.
fn logical_lines(text: &str) -> Vec<String> {
    let (mut lines, mut line, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        match letter {
            '#' => taken = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => taken = string_len(rest, letter),
            '\n' if depth == 0 => lines.push(std::mem::take(&mut line)),
            '\n' => line.push(' '),
            _ => {
                depth = match letter {
                    '(' | '[' | '{' => depth + 1,
                    ')' | ']' | '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                line.push(letter);
            }
        }
        rest = &rest[taken..];
    }
    lines.push(line);
    lines
}

/// Returns the length of the string that a text begins with, quotes included.
fn string_len(text: &str, quote: char) -> usize {
    let three: String = [quote; 3].iter().collect();
    let end = if text.starts_with(&three) { three } else { quote.to_string() };
    let mut at = end.len();
    while at < text.len() && !text[at..].starts_with(&end) {
        at += usize::from(text[at..].starts_with('\\'));
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    (at + end.len()).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let others = files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
        circles(&imports(&Tree { others, ..Tree::default() }))
    }

    #[test]
    fn imports_in_a_circle_are_found_in_every_form() {
        for (x, y) in [
            ("from .y import Y\n", "from .x import X\n"),
            ("from . import y\n", "def f():\n    from .x import g\n"),
            ("from .y import (\n    A,  # one\n    B as C,\n)\n", "import p.x as other\n"),
            ("if a:\n    import p.y\n", "from p import z, x\n"),
        ] {
            let files = [("s/p/__init__.py", ""), ("s/p/x.py", x), ("s/p/y.py", y)];
            assert_eq!(circles_of(&files), [["s/p/x.py", "s/p/y.py"]], "{x} {y}");
        }
    }

    #[test]
    fn circles_through_packages_and_their_parents_are_found() {
        let files = [
            ("s/p/__init__.py", "from .q import Q\n"),
            ("s/p/q/__init__.py", "from ._inner import Q\n"),
            ("s/p/q/_inner.py", "from ..low import L\n"),
            ("s/p/low.py", "def f():\n    from . import q\n"),
        ];
        let found = ["s/p/low.py", "s/p/q/__init__.py", "s/p/q/_inner.py"];
        assert_eq!(circles_of(&files), [found]);
        let beside = [("tests/model.py", "import cases\n"), ("tests/cases.py", "import model\n")];
        assert_eq!(circles_of(&beside), [["tests/cases.py", "tests/model.py"]]);
    }

    #[test]
    fn types_texts_stubs_and_files_of_other_folders_are_no_circle() {
        for y in [
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .x import X\n",
            "\"\"\"Write\n\n    from .x import X\n\"\"\"\n",
            "# import p.x\nSHOWN = 'it\\'s\\nfrom .x import X'\n",
            "import x\nfrom . import compiled\n",
        ] {
            let files = [
                ("s/p/__init__.py", "from .x import X\n"),
                ("s/p/compiled.pyi", "from .x import X\n"),
                ("s/p/x.py", "from .y import Y\n"),
                ("s/p/y.py", y),
                ("s/other/x.py", "import y\n"),
            ];
            assert_eq!(circles_of(&files), Vec::<Vec<String>>::new(), "{y}");
        }
    }

    #[test]
    fn what_follows_the_imports_of_types_is_read() {
        let y = "if _TYPE_CHECKING:\n    from . import z\nelse:\n    from . import x\n";
        let files = [("p/__init__.py", ""), ("p/x.py", "from . import y\n"), ("p/y.py", y)];
        assert_eq!(circles_of(&files), [["p/x.py", "p/y.py"]]);
    }

    #[test]
    fn a_circle_is_a_finding_with_its_remedy() {
        let files = [("p/x.py", "import y\n"), ("p/y.py", "import x\n")];
        let others = files.map(|(path, text)| (path.into(), text.into())).into();
        let findings = check(&Tree { others, ..Tree::default() });
        assert_eq!(findings.len(), 1);
        let text = findings[0].to_string();
        assert!(text.contains("p/x.py, p/y.py") && text.contains("a file of its own"), "{text}");
    }
}
