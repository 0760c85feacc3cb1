//! No inner crate exports a name that nobody outside needs.
//!
//! A name is needed if another crate imports it, or if a public signature of its own crate contains
//! it: whoever holds a value can then name its type.

use super::paths::named;
use super::tree::{Finding, Tree};
use crate::rust_text::{is_word, line_of, occurrences};
use std::collections::BTreeSet;

/// The crates that only other crates of the project use: folder and name in paths.
const INNER: [(&str, &str); 3] = [
    ("crates/kernels/", "fathom_kernels"),
    ("crates/ring/", "fathom_ring"),
    ("crates/security/", "fathom_security"),
];

/// Checks every inner crate.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    INNER.iter().flat_map(|&(folder, name)| of_crate(tree, folder, name)).collect()
}

fn of_crate(tree: &Tree, folder: &str, name: &str) -> Vec<Finding> {
    let root = format!("{folder}src/lib.rs");
    let Some((_, lib)) = tree.rust().find(|(file, _)| file.path == root) else {
        return Vec::new();
    };
    let mut needed = BTreeSet::new();
    for (file, rust) in tree.rust() {
        if !file.path.starts_with(folder) {
            needed.extend(imports(&rust.code, name));
        } else if file.path.starts_with(&format!("{folder}src/")) && file.path != root {
            needed.extend(signatures(&rust.code));
        }
    }
    let exported = named(&lib.code, |_| false).into_iter().filter(|path| path.is_public);
    let unneeded = exported.filter_map(|path| path.import).filter(|name| !needed.contains(name));
    let finding = |name: String| {
        let line = occurrences(&lib.code, &name).last().map_or(1, |at| line_of(&lib.code, at));
        let what = format!("no other crate and no public signature names `{name}`");
        Finding::new(&root, line, what, "do not export it")
    };
    unneeded.map(finding).collect()
}

/// Returns the names in all paths that start with the name of a crate.
fn imports(code: &str, name: &str) -> Vec<String> {
    let paths = named(code, |first| first == name).into_iter();
    paths.map(|path| path.segments).filter(|all| all[0] == name).flatten().collect()
}

/// Returns the words in public items, without the names that they define, and in the types of trait
/// implementations.
fn signatures(code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    for at in occurrences(code, "pub") {
        let item = code[at + "pub".len()..].trim_start();
        if item.starts_with('(') || item.starts_with("use ") || item.starts_with("mod ") {
            continue;
        }
        let is_open = item.starts_with("enum ") || item.starts_with("trait ");
        let end = if is_open { block_end(item) } else { signature_end(item) };
        let words = item[..end].split(|c| !is_word(c)).filter(|word| !word.is_empty());
        let defined = words.clone().skip_while(|word| KEYWORDS.contains(word)).take(1);
        let defined: Vec<&str> = defined.collect();
        found.extend(words.filter(|word| !defined.contains(word)).map(str::to_owned));
    }
    for at in occurrences(code, "type") {
        let alias = &code[at..];
        let words = alias[..alias.find(';').unwrap_or(alias.len())].split(|c| !is_word(c));
        found.extend(words.skip(2).map(str::to_owned));
    }
    found
}

/// The words before the name that an item defines.
const KEYWORDS: [&str; 8] = ["const", "enum", "fn", "static", "struct", "trait", "type", "unsafe"];

/// Returns the end of a signature or of a field.
fn signature_end(item: &str) -> usize {
    let is_item = item.split(|c| !is_word(c)).next().is_some_and(|word| KEYWORDS.contains(&word));
    let ends: &[&str] = if is_item { &["{", ";"] } else { &[",\n", "}", ";"] };
    ends.iter().filter_map(|end| item.find(end)).min().unwrap_or(item.len())
}

/// Returns the end of the block that follows.
fn block_end(item: &str) -> usize {
    let mut depth = 0;
    for (at, c) in item.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    item.len()
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn unneeded(inside: &str, outside: &str) -> Vec<String> {
        let lib = "mod a;\npub use a::{One, Two};\n";
        let files = [
            ("crates/ring/src/lib.rs", lib),
            ("crates/ring/src/a.rs", inside),
            ("crates/ring/tests/law.rs", "use fathom_ring::{One, Two};"),
            ("crates/fathom/src/b.rs", outside),
        ];
        check(&tree(&files)).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn a_name_that_nobody_needs_is_found() {
        let inside = "pub struct One(u8);\npub struct Two;\nimpl One {\n    fn two(&self) -> Two \
                      { Two }\n}\n#[cfg(test)]\nmod tests {\n    pub fn f(x: Two) {}\n}\n";
        let found = unneeded(inside, "use fathom_ring::One;\n// Two\n");
        assert_eq!(found, ["no other crate and no public signature names `Two`"]);
        assert_eq!(unneeded(inside, "fn f(x: fathom_ring::One, y: fathom_ring::Two) {}").len(), 0);
        assert_eq!(unneeded(inside, "use other::{One, Two};").len(), 2);
    }

    #[test]
    fn names_in_public_signatures_are_needed() {
        for two in [
            "impl One {\n    pub fn two(&self, x: u8) -> Option<Two> { None }\n}",
            "pub struct Three {\n    pub two: Vec<(Two, Two)>,\n    four: u8,\n}",
            "pub enum Three {\n    A,\n    B(Two),\n}",
            "pub trait Three {\n    fn two(&self, x: &mut Two);\n}",
            "impl TryFrom<u8> for One {\n    type Error = Two;\n}",
            "pub struct Three<T: Two>(T);",
        ] {
            let inside = format!("pub struct One;\npub struct Two;\n{two}\n");
            assert_eq!(unneeded(&inside, "use fathom_ring::One;"), [""; 0], "{two}");
        }
    }
}
