//! No file of a crate imports, through others, a file that imports it.
//!
//! A file imports another if its code names something in it: with `use`, or by a path such as
//! `super::noise::bound`. Tests do not count, nor do re-exports of a module's own children; a name
//! that a module re-exports stands for the file that defines it.
//!
//! Nor do folders beside each other, or a folder and a file beside it: what is below a name counts
//! as that name. A file and the folder of its own name are one.
//!
//! Files in Python import each other in no circle either.

mod graph;
mod modules;
mod python;

use super::tree::{Finding, Tree};
use modules::{Crate, crates};

/// Checks every crate, and all files in Python.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = crates(tree).iter().flat_map(of_crate).collect();
    findings.extend(python::check(tree));
    findings
}

fn of_crate(found: &Crate) -> Vec<Finding> {
    let in_folder = |(folder, graph): (&String, &graph::Graph)| {
        let finding = |circle: &Vec<String>| {
            let what = format!("folders import each other in a circle: {}", circle.join(", "));
            let fix = "move what both need into one that knows neither";
            Finding::new(&format!("{}/{folder}", found.root), 1, what, fix)
        };
        graph::circles(graph).iter().map(finding).collect::<Vec<_>>()
    };
    let finding = |circle: &Vec<String>| {
        let what = format!("files import each other in a circle: {}", circle.join(", "));
        let fix = "move what both need into a file of its own";
        Finding::new(&format!("{}/{}", found.root, circle[0]), 1, what, fix)
    };
    let imports = found.imports();
    let of_files = graph::circles(&imports).iter().map(finding).collect::<Vec<_>>();
    // A circle of two files is one of their names as well.
    if !of_files.is_empty() {
        return of_files;
    }
    graph::siblings(&imports).iter().flat_map(in_folder).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        crates(&tree(files)).iter().flat_map(|found| graph::circles(&found.imports())).collect()
    }

    #[test]
    fn imports_in_a_circle_are_found_in_every_form() {
        let own = ("a/src/lib.rs", "mod x;\nmod y;\nmod z;\n");
        for (x, y) in [
            ("use crate::y::Y;", "use crate::x::X;"),
            ("use super::y;", "fn f() { super::x::g() }"),
            ("use super::{y::{A, B}, z};", "use crate::{x as other};"),
            ("fn f() -> crate::y::Y {}", "pub use super::x::X;"),
        ] {
            let files = [own, ("a/src/x.rs", x), ("a/src/y.rs", y), ("a/src/z.rs", "")];
            assert_eq!(circles(&files), [["x.rs", "y.rs"]], "{x} {y}");
        }
    }

    #[test]
    fn a_longer_circle_and_one_through_a_parent_are_found() {
        let long = [
            ("a/src/lib.rs", "mod x;\nmod y;\nmod z;\n"),
            ("a/src/x.rs", "use crate::y::Y;"),
            ("a/src/y.rs", "use crate::z::Z;"),
            ("a/src/z.rs", "use crate::x::X;"),
        ];
        assert_eq!(circles(&long), [["x.rs", "y.rs", "z.rs"]]);
        let parent = [
            ("a/src/lib.rs", "mod x;\n"),
            ("a/src/x/mod.rs", "mod y;\nfn f() { y::g() }\nfn h() {}\n"),
            ("a/src/x/y.rs", "fn g() { super::h() }"),
        ];
        assert_eq!(circles(&parent), [["x/mod.rs", "x/y.rs"]]);
    }

    #[test]
    fn tests_re_exports_and_siblings_are_no_circle() {
        let files = [
            ("a/src/lib.rs", "pub mod x;\n#[cfg(test)]\nmod laws;\n"),
            ("a/src/x/mod.rs", "mod y;\nmod z;\npub use y::Y;\npub use z::{Z, W as V};\n"),
            (
                "a/src/x/y.rs",
                "use super::V;\nuse super::Z;\n#[cfg(test)]\nmod tests { use crate::x; }",
            ),
            ("a/src/x/z.rs", "// use super::Y;\nconst A: &str = \"super::y\";\n"),
            ("a/src/laws.rs", "use crate::x::Y;"),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
        let hidden = [files[0], files[1], ("a/src/x/y.rs", "use super::Z;"), files[4]];
        let through = [&hidden[..], &[("a/src/x/z.rs", "use crate::x;\nfn f() { x::Y::g() }")]];
        assert_eq!(circles(&through.concat()), [["x/y.rs", "x/z.rs"]]);
    }

    #[test]
    fn folders_in_a_circle_are_found_and_a_folder_with_its_own_file_is_none() {
        let own = ("a/src/lib.rs", "mod x;\nmod y;\n");
        let files = [
            own,
            ("a/src/x.rs", "mod one;\nmod two;\n"),
            ("a/src/x/one.rs", "use super::two::Two;\nuse crate::y::Y;"),
            ("a/src/x/two.rs", ""),
            ("a/src/y/mod.rs", "mod three;\npub struct Y;\n"),
            ("a/src/y/three.rs", "use crate::x::two::Two;"),
        ];
        let what = |files: &[(&str, &str)]| -> Vec<String> {
            check(&tree(files)).into_iter().map(|finding| finding.what).collect()
        };
        assert_eq!(what(&files), ["folders import each other in a circle: x, y"]);
        assert!(what(&[&files[..5], &[("a/src/y/three.rs", "")]].concat()).is_empty());
    }

    #[test]
    fn a_circle_is_a_finding_with_its_remedy() {
        let tree = tree(&[
            ("a/src/lib.rs", "mod x;\nmod y;\n"),
            ("a/src/x.rs", "use crate::y::Y;"),
            ("a/src/y.rs", "use crate::x::X;"),
        ]);
        let findings = check(&tree);
        assert_eq!(findings.len(), 1);
        let text = findings[0].to_string();
        assert!(text.contains("x.rs, y.rs") && text.contains("a file of its own"), "{text}");
    }
}
