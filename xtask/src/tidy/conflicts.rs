//! No file holds the markers of an unresolved merge.

use super::tree::{Finding, Tree};

/// Beginnings of the lines that git writes into a file with a conflict. The line between the two
/// sides is left out: documents underline headings in the same way.
const MARKERS: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

/// Checks every text file, whatever its kind.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let texts = tree.files.iter().map(|file| (&file.path, &file.text));
    let others = tree.others.iter().map(|(path, text)| (path, text));
    texts.chain(others).flat_map(|(path, text)| of_file(path, text)).collect()
}

fn of_file(path: &str, text: &str) -> Vec<Finding> {
    let marked = |line: &str| MARKERS.iter().any(|marker| line.starts_with(marker));
    let lines = text.lines().enumerate().filter(|(_, line)| marked(line));
    lines
        .map(|(index, line)| {
            let what = format!("`{}` is a mark of an unresolved merge", &line[..7]);
            Finding::new(path, index + 1, what, "keep what is meant of both sides")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn conflict() -> String {
        let [left, base, right] = MARKERS;
        format!("a\n{left}HEAD\nb\n{base}1234\n=======\nc\n{right}side\n")
    }

    #[test]
    fn the_markers_of_a_merge_are_found_in_files_of_every_kind() {
        let mut tree = tree(&[("docs/a.md", &conflict()), ("b.rs", &conflict())]);
        tree.others.push(("c.csv".to_owned(), conflict()));
        let found: Vec<_> = check(&tree).into_iter().map(|f| (f.path, f.line)).collect();
        let expected = |path: &str| [2, 4, 7].map(|line| (path.to_owned(), line));
        assert_eq!(found, ["docs/a.md", "b.rs", "c.csv"].map(expected).concat());
    }

    #[test]
    fn underlines_shifts_and_quotations_are_no_markers() {
        let text = "Heading\n=======\nx <<<<<<< y\n    >>>>>>> side\n<<<<<<<<\n";
        assert_eq!(check(&tree(&[("a.md", text)])), []);
    }

    #[test]
    fn files_without_a_rule_of_their_own_are_read_too() {
        let tree = Tree::read(&crate::root()).unwrap();
        assert!(tree.others.iter().any(|(path, _)| path == ".ci/run"));
    }
}
