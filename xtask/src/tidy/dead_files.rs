//! Source files that no `mod` declares.

use super::tree::{File, Finding, Tree};
use std::collections::BTreeSet;

/// Finds `.rs` files under a `src` folder that the compiler does not read.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let sources: BTreeSet<&str> = tree
        .rust()
        .map(|(file, _)| file.path.as_str())
        .filter(|path| path.starts_with("src/") || path.contains("/src/"))
        .collect();
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<String> =
        sources.iter().filter(|path| is_root(path)).map(|path| (*path).to_owned()).collect();
    while let Some(path) = waiting.pop() {
        if let Some(file) = tree.files.iter().find(|file| file.path == path) {
            waiting.extend(modules(file).into_iter().filter(|path| !reached.contains(path)));
        }
        reached.insert(path);
    }
    let dead = sources.into_iter().filter(|&path| !reached.contains(path));
    dead.map(|path| Finding::new(path, 1, "no `mod` reaches this file", "declare or delete it"))
        .collect()
}

/// Returns true if cargo compiles the file as a crate root.
fn is_root(path: &str) -> bool {
    let inside = path.rsplit_once("src/").map_or(path, |(_, inside)| inside);
    inside == "lib.rs" || inside == "main.rs" || inside.starts_with("bin/")
}

/// Returns the possible paths of the modules that a file declares.
fn modules(file: &File) -> Vec<String> {
    let Some(rust) = &file.rust else { return Vec::new() };
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let stem = name.trim_end_matches(".rs");
    let is_folder_root = stem == "mod" || is_root(&file.path);
    let children = if is_folder_root { folder.to_owned() } else { format!("{folder}/{stem}") };

    let mut paths = Vec::new();
    for (code, original) in rust.code.lines().zip(file.text.lines()) {
        if code.trim_start().starts_with("#[path") {
            paths.extend(original.split('"').nth(1).map(|path| format!("{folder}/{path}")));
        }
        let declaration = code.trim().trim_end_matches(';');
        let mut words = declaration.split_whitespace().skip_while(|word| *word != "mod");
        let is_declaration = code.trim_end().ends_with(';');
        if let (true, Some(_), Some(module), None) =
            (is_declaration, words.next(), words.next(), words.next())
        {
            paths.push(format!("{children}/{module}.rs"));
            paths.push(format!("{children}/{module}/mod.rs"));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    #[test]
    fn a_file_that_no_mod_reaches_is_dead() {
        let files = [
            ("a/src/lib.rs", "pub(crate) mod one;\nmod two;\n// mod gone;\n#[cfg(test)]\nmod t;\n"),
            ("a/src/one.rs", "mod deep;\n"),
            ("a/src/one/deep.rs", ""),
            ("a/src/two/mod.rs", "mod deep;\n#[path = \"odd.rs\"]\nmod even;\n"),
            ("a/src/two/deep.rs", ""),
            ("a/src/two/odd.rs", ""),
            ("a/src/t.rs", ""),
            ("a/src/bin/tool.rs", ""),
            ("a/src/gone.rs", "mod below;\n"),
            ("a/src/gone/below.rs", ""),
            ("a/tests/law.rs", ""),
        ];
        let dead: Vec<String> = check(&tree(&files)).into_iter().map(|f| f.path).collect();
        assert_eq!(dead, ["a/src/gone.rs", "a/src/gone/below.rs"]);
    }
}
