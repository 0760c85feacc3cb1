//! The paths that a source names.

use proc_macro2::{TokenStream, TokenTree};
use syn::UseTree;
use syn::visit::{self, Visit};

use crate::rust_text::{is_test, line};

/// A path in a source, such as `crate::ops::Op`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// The segments of the path; a glob ends with `*`.
    pub(super) segments: Vec<String>,
    /// The name under which a `use` imports it; `None` for a path in other code.
    pub(super) import: Option<String>,
    /// True for a `use` that other modules can see.
    pub(super) is_public: bool,
    /// The line of the path.
    pub(super) line: usize,
}

/// The treatment of items under `#[cfg(test)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tests {
    /// Items under `#[cfg(test)]` are read like all others.
    Read,
    /// Items under `#[cfg(test)]` are left out.
    Skipped,
}

/// Returns the paths in `use` items and in the rest of the code; of the latter only those whose
/// first segment `is_start` accepts.
pub(super) fn named(
    items: &[syn::Item],
    tests: Tests,
    is_start: impl Fn(&str) -> bool,
) -> Vec<Named> {
    let mut paths = Paths { found: Vec::new(), tests, is_start };
    for item in items {
        paths.visit_item(item);
    }
    paths.found
}

struct Paths<F> {
    found: Vec<Named>,
    tests: Tests,
    is_start: F,
}

impl<F: Fn(&str) -> bool> Paths<F> {
    fn add(&mut self, segments: Vec<String>, line: usize) {
        if segments.len() > 1 && (self.is_start)(&segments[0]) {
            self.found.push(Named { segments, import: None, is_public: false, line });
        }
    }

    /// Adds the paths in the input of a macro, which has no grammar.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut segments, mut colons, mut at) = (Vec::new(), 0, 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.add(std::mem::take(&mut segments), at);
                        at = line(ident.span());
                    }
                    segments.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.add(std::mem::take(&mut segments), at);
                    colons = 0;
                }
                TokenTree::Group(group) => {
                    self.add(std::mem::take(&mut segments), at);
                    colons = 0;
                    self.add_tokens(group.stream());
                }
            }
        }
        self.add(segments, at);
    }

    fn skips(&self, attributes: &[syn::Attribute]) -> bool {
        self.tests == Tests::Skipped && is_test(attributes)
    }
}

impl<'a, F: Fn(&str) -> bool> Visit<'a> for Paths<F> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !self.skips(item_attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        if !self.skips(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let is_public = !matches!(item.vis, syn::Visibility::Inherited);
        let line = line(item.use_token.span);
        expand(&item.tree, &[], &mut |segments: Vec<String>, name: String| {
            self.found.push(Named { segments, import: Some(name), is_public, line });
        });
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if let Some(first) = path.segments.first() {
            let names = path.segments.iter().map(|segment| segment.ident.to_string());
            self.add(names.collect(), line(first.ident.span()));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.visit_path(&call.path);
        self.add_tokens(call.tokens.clone());
    }

    /// Leaves out the path of `pub(in path)`.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}
}

/// Returns the attributes of the items that tests consist of.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other items name no paths of tests")]
fn item_attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        _ => &[],
    }
}

/// Calls `each` with every path of a tree such as `a::{b, c::{self, d as e}}` and its name.
fn expand(tree: &UseTree, prefix: &[String], each: &mut impl FnMut(Vec<String>, String)) {
    let with = |name: &str| [prefix, &[name.to_owned()]].concat();
    match tree {
        UseTree::Path(path) => expand(&path.tree, &with(&path.ident.to_string()), each),
        UseTree::Group(group) => {
            for tree in &group.items {
                expand(tree, prefix, each);
            }
        }
        UseTree::Glob(_) => each(with("*"), "*".to_owned()),
        UseTree::Name(name) if name.ident == "self" => {
            each(prefix.to_vec(), prefix.last().cloned().unwrap_or_default());
        }
        UseTree::Name(name) => each(with(&name.ident.to_string()), name.ident.to_string()),
        UseTree::Rename(name) if name.ident == "self" => {
            each(prefix.to_vec(), name.rename.to_string());
        }
        UseTree::Rename(name) => each(with(&name.ident.to_string()), name.rename.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust_text::RustText;

    fn paths(code: &str) -> Vec<String> {
        let is_start = |first: &str| ["crate", "super", "own"].contains(&first);
        let named = named(&RustText::new(code).items, Tests::Read, is_start);
        named.into_iter().map(|named| named.segments.join("::")).collect()
    }

    #[test]
    fn trees_are_expanded() {
        let code = "use a::{b, c::{self, d as e},\n f::*};\npub(crate) use crate::g;\n";
        assert_eq!(paths(code), ["a::b", "a::c", "a::c::d", "a::f::*", "crate::g"]);
        let named = named(&RustText::new(code).items, Tests::Read, |_| false);
        assert_eq!(named[2].import.as_deref(), Some("e"));
        assert!(named[4].is_public && !named[0].is_public && named[4].line == 3);
    }

    #[test]
    fn paths_in_code_begin_with_a_known_name() {
        let code = "fn f(x: super::y::Z) -> Vec<own::T> { crate::a::b::<u8>(std::mem::take(x)) }";
        assert_eq!(paths(code), ["super::y::Z", "own::T", "crate::a::b"]);
        let others = "fn f() { let because = x; reuse::d(); Self::new() }";
        assert!(paths(others).is_empty());
        let restricted = "pub(in crate::a) fn f() {}";
        assert!(paths(restricted).is_empty());
    }

    #[test]
    fn paths_in_macros_are_found() {
        let code = "fn f() { assert!(x == own::y(crate::Z), \"super::no\", a: own::b) }";
        assert_eq!(paths(code), ["own::y", "crate::Z", "own::b"]);
    }

    #[test]
    fn tests_are_skipped_on_request() {
        let code = "use crate::a;\n#[cfg(test)]\nmod tests { use crate::b; }\n\
                    impl X {\n    #[cfg(test)]\n    fn f() { crate::c() }\n}\n";
        let count = |tests| named(&RustText::new(code).items, tests, |name| name == "crate").len();
        assert_eq!((count(Tests::Read), count(Tests::Skipped)), (3, 1));
    }
}
