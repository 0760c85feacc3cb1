//! The paths that a source names.

use crate::rust_text::{is_word, occurrences};

/// A path in a source, such as `crate::ops::Op`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Its segments; a glob ends with `*`.
    pub(super) segments: Vec<String>,
    /// The name under which a `use` imports it; `None` for a path in other code.
    pub(super) import: Option<String>,
    /// True for a `use` that other modules can see.
    pub(super) is_public: bool,
}

/// Returns the paths in `use` items and in the rest of the code; of the latter only those whose
/// first segment `is_start` accepts.
pub(super) fn named(code: &str, is_start: impl Fn(&str) -> bool) -> Vec<Named> {
    let (mut found, rest) = uses(code);
    for (at, _) in rest.match_indices("::") {
        let head = rest[..at].trim_end_matches(is_word);
        let first = &rest[head.len()..at];
        let visibility = head.ends_with("pub(in ");
        if first.is_empty() || visibility || head.ends_with("::") || !is_start(first) {
            continue;
        }
        let mut segments = vec![first.to_owned()];
        let mut tail = &rest[at..];
        while let Some(next) = tail.strip_prefix("::") {
            let end = next.find(|c| !is_word(c)).unwrap_or(next.len());
            if end == 0 {
                break;
            }
            segments.push(next[..end].to_owned());
            tail = &next[end..];
        }
        found.push(Named { segments, import: None, is_public: false });
    }
    found
}

/// Returns the paths of the `use` items, and the code without these.
fn uses(code: &str) -> (Vec<Named>, String) {
    let (mut found, mut rest) = (Vec::new(), code.to_owned());
    for at in occurrences(code, "use").collect::<Vec<_>>() {
        let before = code[..at].trim_end();
        let is_public = before.ends_with("pub") || is_restricted(before);
        let is_item = before.is_empty() || before.ends_with([';', '}', '{', ']']) || is_public;
        let Some(length) = code[at..].find(';').filter(|_| is_item) else { continue };
        let tree = &code[at + "use".len()..at + length];
        expand(tree.trim(), &[], &mut |segments: Vec<String>, name: String| {
            found.push(Named { segments, import: Some(name), is_public });
        });
        rest.replace_range(at..at + length, &" ".repeat(length));
    }
    (found, rest)
}

/// Returns true after `pub(crate)` and the like.
fn is_restricted(before: &str) -> bool {
    let inside = before.strip_suffix(')').and_then(|text| text.rsplit_once('('));
    inside.is_some_and(|(head, _)| head.ends_with("pub"))
}

/// Calls `each` with every path of a tree such as `a::{b, c::{self, d as e}}` and its name.
fn expand(tree: &str, prefix: &[String], each: &mut impl FnMut(Vec<String>, String)) {
    let tree = tree.trim();
    if let Some((head, branches)) = tree.split_once('{') {
        let head = head.trim().trim_end_matches("::").trim();
        let mut prefix = prefix.to_vec();
        prefix.extend(head.split("::").filter(|part| !part.is_empty()).map(str::to_owned));
        let inside = branches.rsplit_once('}').map_or(branches, |(inside, _)| inside);
        for branch in split(inside) {
            expand(branch, &prefix, each);
        }
        return;
    }
    if tree.is_empty() {
        return;
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(p, a)| (p, Some(a.trim())));
    let own = path.split("::").map(|part| part.trim().to_owned());
    let mut segments: Vec<String> = prefix.iter().cloned().chain(own).collect();
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    let name = alias.map(str::to_owned).or_else(|| segments.last().cloned()).unwrap_or_default();
    each(segments, name);
}

/// Splits at the commas outside braces.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(code: &str) -> Vec<String> {
        let named = named(code, |first| ["crate", "super", "own"].contains(&first));
        named.into_iter().map(|named| named.segments.join("::")).collect()
    }

    #[test]
    fn trees_are_expanded() {
        let code = "use a::{b, c::{self, d as e},\n f::*};\npub(crate) use crate::g;\n";
        assert_eq!(paths(code), ["a::b", "a::c", "a::c::d", "a::f::*", "crate::g"]);
        let named = named(code, |_| false);
        assert_eq!(named[2].import.as_deref(), Some("e"));
        assert!(named[4].is_public && !named[0].is_public);
    }

    #[test]
    fn paths_in_code_begin_with_a_known_name() {
        let code = "fn f(x: super::y::Z) -> Vec<own::T> { crate::a::b::<u8>(std::mem::take(x)) }";
        assert_eq!(paths(code), ["super::y::Z", "own::T", "crate::a::b"]);
        assert!(paths("let because = x; reuse::d(); Self::new()").is_empty());
    }
}
