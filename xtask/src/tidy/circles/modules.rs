//! The modules of a crate, and which file of it names which other.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use super::super::tree::Tree;
use super::graph::Graph;
use crate::rust_text::is_test;
use crate::tidy::paths::{Named, Tests, named};

/// A module path from the root of the crate.
type Module = Vec<String>;

/// Longest chain of re-exports that is followed.
const LONGEST_CHAIN: usize = 16;

/// The files of a crate.
pub(super) struct Crate {
    /// The folder of its sources, from the root of the repository.
    pub(super) root: String,
    files: BTreeMap<Module, Source>,
}

/// A file without its tests.
struct Source {
    /// Path from the folder of the sources.
    path: String,
    defined: BTreeSet<String>,
    named: Vec<Named>,
}

/// Returns every crate of the repository.
pub(super) fn crates(tree: &Tree) -> Vec<Crate> {
    let is_root = |path: &str| path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    let paths = tree.rust().map(|(file, _)| file.path.as_str());
    let roots: BTreeSet<&str> = paths
        .filter(|path| is_root(path))
        .filter_map(|path| Some(path.rsplit_once('/')?.0))
        .collect();
    roots.into_iter().map(|root| Crate::read(tree, root)).collect()
}

impl Crate {
    fn read(tree: &Tree, root: &str) -> Self {
        let mut sources = BTreeMap::new();
        for (file, rust) in tree.rust() {
            let Some(path) = file.path.strip_prefix(root).and_then(|path| path.strip_prefix('/'))
            else {
                continue;
            };
            // A program beside a library is a crate of its own, of one file.
            let beside = path == "main.rs" && tree.paths.contains(&format!("{root}/lib.rs"));
            if !beside && !path.starts_with("bin/") {
                sources.insert(module_of(path), (path.to_owned(), &rust.items));
            }
        }
        let tests: Vec<Module> = sources
            .iter()
            .flat_map(|(module, (_, items))| {
                let tests = files_below(items, is_test).into_iter();
                tests.map(|name| [&module[..], &[name]].concat())
            })
            .collect();
        sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let files = sources.into_iter().map(|(module, (path, items))| {
            let children = files_below(items, |attributes| !is_test(attributes));
            let known = ["crate", "super", "self"];
            let first = named(items, Tests::Skipped, |name| known.contains(&name));
            // Names that a `use` gives to modules begin paths as well.
            let imported: BTreeSet<String> =
                first.iter().filter_map(|named| named.import.clone()).collect();
            let starts = |name: &str| {
                known.contains(&name) || children.contains(name) || imported.contains(name)
            };
            let named = named(items, Tests::Skipped, starts);
            (module, Source { path, defined: defined(items), named })
        });
        Self { root: root.to_owned(), files: files.collect() }
    }

    /// Returns the files that each file names.
    pub(super) fn imports(&self) -> Graph {
        let mut graph = Graph::new();
        for (module, source) in &self.files {
            let own: BTreeSet<String> =
                source.named.iter().filter_map(|named| self.target(module, named)).collect();
            graph.insert(source.path.clone(), own);
        }
        graph
    }

    /// Returns the file in which a named path ends, unless it is the same file, outside the crate,
    /// or a re-export of a child.
    fn target(&self, module: &Module, named: &Named) -> Option<String> {
        let found = self.resolve(module, &named.segments, LONGEST_CHAIN)?;
        let own_child = found.len() > module.len() && found.starts_with(module);
        if found == *module || (named.is_public && named.import.is_some() && own_child) {
            return None;
        }
        Some(self.files[&found].path.clone())
    }

    /// Returns the module in whose file a path ends.
    fn resolve(&self, module: &Module, segments: &[String], most: usize) -> Option<Module> {
        let most = most.checked_sub(1)?;
        let mut at = module.clone();
        let mut rest = segments;
        while let Some((first, tail)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()?),
                _ => break,
            }
            rest = tail;
        }
        let relative = rest.len() == segments.len();
        while let Some((first, tail)) = rest.split_first() {
            let child = [&at[..], std::slice::from_ref(first)].concat();
            if self.files.contains_key(&child) {
                (at, rest) = (child, tail);
                continue;
            }
            return match self.import(&at, first) {
                // A name of another crate leads out of this one.
                Some(named) => self.resolve(&at, &[&named.segments[..], tail].concat(), most),
                // A first segment that is no module and no import names another crate.
                None if relative && at == *module => None,
                None => Some(self.behind_globs(&at, first, most).unwrap_or(at)),
            };
        }
        Some(at)
    }

    /// Returns the `use` that gives a name in a module.
    fn import(&self, module: &Module, name: &str) -> Option<&Named> {
        let named = &self.files.get(module)?.named;
        named.iter().find(|named| named.import.as_deref() == Some(name) && name != "*")
    }

    /// Returns the module that defines a name which `module` re-exports with `*`.
    fn behind_globs(&self, module: &Module, name: &str, most: usize) -> Option<Module> {
        let source = self.files.get(module)?;
        let globs = source.named.iter().filter(|named| named.is_public);
        globs.filter(|named| named.import.as_deref() == Some("*")).find_map(|named| {
            let (_, path) = named.segments.split_last()?;
            let target = self.resolve(module, path, most)?;
            if self.files.get(&target)?.defined.contains(name) {
                Some(target)
            } else {
                self.behind_globs(&target, name, most.checked_sub(1)?)
            }
        })
    }
}

/// Returns the module that a file holds.
fn module_of(path: &str) -> Module {
    let stem = path.trim_end_matches(".rs");
    let mut module: Module = stem.split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// Returns the names of the modules in files of their own whose attributes `is_wanted` accepts.
fn files_below(
    items: &[syn::Item],
    is_wanted: impl Fn(&[syn::Attribute]) -> bool,
) -> BTreeSet<String> {
    let name = |item: &syn::Item| {
        let syn::Item::Mod(module) = item else { return None };
        let is_below = module.content.is_none() && is_wanted(&module.attrs);
        is_below.then(|| module.ident.to_string())
    };
    items.iter().filter_map(name).collect()
}

/// Returns the names of all items that a source defines, at any depth.
fn defined(items: &[syn::Item]) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl<'a> Visit<'a> for Names {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the other items have no name")]
        fn visit_item(&mut self, item: &'a syn::Item) {
            let ident = match item {
                syn::Item::Const(item) => Some(&item.ident),
                syn::Item::Enum(item) => Some(&item.ident),
                syn::Item::Fn(item) => Some(&item.sig.ident),
                syn::Item::Mod(item) => Some(&item.ident),
                syn::Item::Static(item) => Some(&item.ident),
                syn::Item::Struct(item) => Some(&item.ident),
                syn::Item::Trait(item) => Some(&item.ident),
                syn::Item::Type(item) => Some(&item.ident),
                syn::Item::Union(item) => Some(&item.ident),
                _ => None,
            };
            self.0.extend(ident.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }
    let mut names = Names(BTreeSet::new());
    for item in items {
        names.visit_item(item);
    }
    names.0
}
