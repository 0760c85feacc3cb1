//! No inner crate exports a name that nobody outside needs.
//!
//! A name is needed if another crate imports it, or if a public signature of its own crate contains
//! it: whoever holds a value can then name its type.

use super::paths::{Tests, named};
use super::tree::{Finding, Tree};
use crate::rust_text::{idents, is_test};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

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
            needed.extend(imports(&rust.items, name));
        } else if file.path.starts_with(&format!("{folder}src/")) && file.path != root {
            needed.extend(signatures(&rust.items));
        }
    }
    let exported = named(&lib.items, Tests::Read, |_| false).into_iter();
    let exported = exported.filter(|path| path.is_public);
    let exported = exported.filter_map(|path| Some((path.import?, path.line)));
    let finding = |(name, line): (String, usize)| {
        let what = format!("no other crate and no public signature names `{name}`");
        Finding::new(&root, line, what, "do not export it")
    };
    exported.filter(|(name, _)| !needed.contains(name)).map(finding).collect()
}

/// Returns the names in all paths that start with the name of a crate.
fn imports(items: &[syn::Item], name: &str) -> Vec<String> {
    let paths = named(items, Tests::Read, |first| first == name).into_iter();
    paths.map(|path| path.segments).filter(|all| all[0] == name).flatten().collect()
}

/// Returns the names in public signatures, without those that the items define, and in the types
/// of trait implementations.
fn signatures(items: &[syn::Item]) -> BTreeSet<String> {
    let mut signatures = Signatures(BTreeSet::new());
    for item in items {
        signatures.visit_item(item);
    }
    signatures.0
}

struct Signatures(BTreeSet<String>);

impl Signatures {
    /// Adds the names in a part of an item with this visibility.
    fn add(&mut self, visibility: &syn::Visibility, part: impl ToTokens) {
        if matches!(visibility, syn::Visibility::Public(_)) {
            self.0.extend(idents(part.to_token_stream()).iter().map(ToString::to_string));
        }
    }

    /// Adds the names in a signature, without that of the function.
    fn add_function(&mut self, visibility: &syn::Visibility, signature: &syn::Signature) {
        self.add(visibility, &signature.generics);
        self.add(visibility, &signature.inputs);
        self.add(visibility, &signature.output);
    }
}

impl<'a> Visit<'a> for Signatures {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add_function(&item.vis, &item.sig);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add_function(&item.vis, &item.sig);
    }

    fn visit_impl_item_type(&mut self, item: &'a syn::ImplItemType) {
        self.add(&syn::parse_quote!(pub), &item.ty);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(&item.vis, &item.ty);
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.add(&item.vis, &item.ty);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.add(&item.vis, &item.ty);
    }

    fn visit_item_type(&mut self, item: &'a syn::ItemType) {
        self.add(&item.vis, &item.ty);
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.add(&item.vis, &item.generics);
        for field in &item.fields {
            self.add(&field.vis, &field.ty);
        }
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.add(&item.vis, &item.generics);
        for variant in &item.variants {
            self.add(&item.vis, &variant.fields);
        }
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.add(&item.vis, &item.generics);
        self.add(&item.vis, &item.supertraits);
        for part in &item.items {
            self.add(&item.vis, part);
        }
    }

    /// A macro may make public items of any name in its input.
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.add(&syn::parse_quote!(pub), &call.tokens);
    }
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
            ("crates/rings/src/b.rs", outside),
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
