//! Length limits of files and functions, with a ratchet for those that still exceed them.
//!
//! The ratchet file has one line for each exception, `<path> <lines>` or
//! `<path>::<function> <lines>`, and `#` comments. A number may only decrease: it must equal the
//! current length.

use super::tree::{File, Finding, Tree};
use crate::rust_text::{RustText, line};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;

/// The ratchet file.
pub(super) const RATCHET: &str = "xtask/tidy-ratchet.txt";

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 70;

/// A file or function: its name in the ratchet, its first line, and its length.
#[derive(Debug)]
struct Extent<'a> {
    name: String,
    path: &'a str,
    line: usize,
    lines: usize,
    limit: usize,
}

/// Checks all lengths against the limits and the ratchet.
pub(super) fn check(tree: &Tree, ratchet: &str) -> Vec<Finding> {
    let mut too_long: BTreeMap<String, Extent> = BTreeMap::new();
    for (file, rust) in tree.rust() {
        for extent in extents(file, rust).into_iter().filter(|extent| extent.lines > extent.limit) {
            let known = too_long.get(&extent.name).map_or(0, |known| known.lines);
            if extent.lines > known {
                too_long.insert(extent.name.clone(), extent);
            }
        }
    }
    let mut findings = Vec::new();
    for (index, entry) in ratchet.lines().enumerate() {
        if entry.is_empty() || entry.starts_with('#') {
            continue;
        }
        let (name, allowed) = entry.rsplit_once(' ').unwrap_or((entry, ""));
        let extent = too_long.remove(name);
        findings.extend(against_ratchet(index + 1, name, allowed, extent.as_ref()));
    }
    findings.extend(too_long.into_values().map(|extent| {
        let Extent { path, line, lines, limit, .. } = extent;
        let what = format!("`{}` has {lines} lines, {limit} are allowed", extent.name);
        Finding::new(path, line, what, "split it by what it does")
    }));
    findings
}

/// Checks one entry of the ratchet.
fn against_ratchet(
    line: usize,
    name: &str,
    allowed: &str,
    extent: Option<&Extent>,
) -> Option<Finding> {
    let Some(extent) = extent else {
        let what = format!("stale entry: `{name}` is within its limit or gone");
        return Some(Finding::new(RATCHET, line, what, "delete the entry"));
    };
    match allowed.parse::<usize>() {
        Ok(allowed) if allowed == extent.lines => None,
        Ok(allowed) if allowed < extent.lines => {
            let what = format!("`{name}` grew from {allowed} to {} lines", extent.lines);
            Some(Finding::new(extent.path, extent.line, what, "split it by what it does"))
        }
        Ok(_) | Err(_) => {
            let what = format!("stale entry: `{name}` has {} lines now", extent.lines);
            Some(Finding::new(RATCHET, line, what, "write that number"))
        }
    }
}

/// Returns the file and each of its functions.
fn extents<'a>(file: &'a File, rust: &RustText) -> Vec<Extent<'a>> {
    let path = file.path.as_str();
    let lines = file.text.lines().count();
    let mut extents =
        vec![Extent { name: path.to_owned(), path, line: 1, lines, limit: FILE_LINES }];
    functions(&rust.tokens, &mut |name, line, last| {
        let (name, lines) = (format!("{path}::{name}"), last - line + 1);
        extents.push(Extent { name, path, line, lines, limit: FUNCTION_LINES });
    });
    extents
}

/// Calls `each` with the name, the first and the last line of every function that has a body, also
/// within macros.
fn functions(tokens: &TokenStream, each: &mut impl FnMut(String, usize, usize)) {
    // The function whose body has not begun.
    let mut open: Option<(String, usize)> = None;
    let mut keyword: Option<usize> = None;
    for token in tokens.clone() {
        let begun = keyword.take();
        match token {
            TokenTree::Ident(ident) if ident == "fn" => keyword = Some(line(ident.span())),
            TokenTree::Ident(ident) => {
                open = begun.map(|line| (ident.to_string(), line)).or(open);
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => open = None,
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace
                    && let Some((name, first)) = open.take()
                {
                    each(name, first, line(group.span_close()));
                }
                functions(&group.stream(), each);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::tests::tree;
    use super::*;

    fn source(lines: usize) -> String {
        format!("fn long(a: [u8; 2]) {{\n{}}}\n", "    f();\n".repeat(lines - 2))
    }

    fn whats(text: &str, ratchet: &str) -> Vec<String> {
        check(&tree(&[("a.rs", text)]), ratchet).into_iter().map(|f| f.what).collect()
    }

    #[test]
    fn long_functions_and_files_are_found() {
        assert_eq!(whats(&source(70), ""), [""; 0]);
        assert_eq!(whats(&source(71), ""), ["`a.rs::long` has 71 lines, 70 are allowed"]);
        let file = "// x\n".repeat(501);
        assert_eq!(whats(&file, ""), ["`a.rs` has 501 lines, 500 are allowed"]);
    }

    #[test]
    fn the_ratchet_allows_what_it_names_and_only_that() {
        let text = source(80);
        assert_eq!(whats(&text, "# why\na.rs::long 80\n"), [""; 0]);
        assert_eq!(whats(&text, "a.rs::long 79\n"), ["`a.rs::long` grew from 79 to 80 lines"]);
    }

    #[test]
    fn a_stale_entry_of_the_ratchet_is_an_error() {
        let stale = "stale entry: `a.rs::long` has 80 lines now";
        assert_eq!(whats(&source(80), "a.rs::long 81\n"), [stale]);
        assert_eq!(whats(&source(80), "a.rs::long eighty\n"), [stale]);
        let gone = "stale entry: `a.rs::long` is within its limit or gone";
        assert_eq!(whats(&source(9), "a.rs::long 80\n"), [gone]);
    }

    #[test]
    fn declarations_and_function_types_have_no_length() {
        let text = "trait T { fn a(&self) -> [u8; 3]; }\nconst F: fn(u8) -> u8 = g;\n";
        assert_eq!(extents(&File::new("a.rs", text), &RustText::new(text)).len(), 1);
    }
}
