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
    for item in &rust.items {
        let syn::Item::Mod(module) = item else { continue };
        if module.content.is_none() {
            paths.push(format!("{children}/{}.rs", module.ident));
            paths.push(format!("{children}/{}/mod.rs", module.ident));
        }
        paths.extend(module.attrs.iter().filter_map(stated_path).map(|p| format!("{folder}/{p}")));
    }
    paths
}

/// Returns the path that `#[path = "..."]` states.
fn stated_path(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(stated) = &attribute.meta else { return None };
    let syn::Expr::Lit(value) = &stated.value else { return None };
    let syn::Lit::Str(path) = &value.lit else { return None };
    stated.path.is_ident("path").then(|| path.value())
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
