//! Rust source as the compiler's grammar divides it: tokens, items, and two views as text.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// A Rust source. The views keep all line numbers.
pub(crate) struct RustText {
    /// The source with blank comments and literals: code only.
    pub(crate) code: String,
    /// The source with blank literals: code and comments.
    pub(crate) prose: String,
    /// All tokens, those of macros too.
    pub(crate) tokens: TokenStream,
    /// All items; none if the source does not compile.
    pub(crate) items: Vec<syn::Item>,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Literal,
}

impl RustText {
    /// Divides a source. What is not Rust has no tokens and is code as a whole.
    pub(crate) fn new(source: &str) -> Self {
        let Ok(tokens) = source.parse::<TokenStream>() else {
            let (code, prose) = (source.to_owned(), source.to_owned());
            return Self { code, prose, tokens: TokenStream::new(), items: Vec::new() };
        };
        let file = syn::parse2::<syn::File>(tokens.clone());
        let items = file.map_or_else(|_| Vec::new(), |file| file.items);
        // Comments are no tokens.
        let mut parts = vec![Part::Comment; source.len()];
        mark(source, &tokens, &mut parts);
        let view = |is_kept: fn(Part) -> bool| {
            let kept =
                |(at, c): (usize, char)| if c == '\n' || is_kept(parts[at]) { c } else { ' ' };
            source.char_indices().map(kept).collect()
        };
        let (code, prose) = (view(|part| part == Part::Code), view(|part| part != Part::Literal));
        Self { code, prose, tokens, items }
    }
}

/// Marks the bytes of all tokens.
fn mark(source: &str, tokens: &TokenStream, parts: &mut [Part]) {
    for token in tokens.clone() {
        match token {
            TokenTree::Literal(literal) => set(source, literal.span(), Part::Literal, parts),
            TokenTree::Ident(ident) => set(source, ident.span(), Part::Code, parts),
            TokenTree::Punct(punct) => set(source, punct.span(), Part::Code, parts),
            TokenTree::Group(group) => {
                set(source, group.span_open(), Part::Code, parts);
                set(source, group.span_close(), Part::Code, parts);
                mark(source, &group.stream(), parts);
            }
        }
    }
}

/// Marks the bytes of a span, unless they are a doc comment, which is the tokens of an attribute.
fn set(source: &str, span: Span, part: Part, parts: &mut [Part]) {
    let range = span.byte_range();
    let text = &source[range.clone()];
    if !text.starts_with("//") && !text.starts_with("/*") {
        parts[range].fill(part);
    }
}

/// Returns all identifiers of a stream, those within brackets too.
pub(crate) fn idents(tokens: TokenStream) -> Vec<Ident> {
    let of_token = |token| match token {
        TokenTree::Ident(ident) => vec![ident],
        TokenTree::Group(group) => idents(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
    };
    tokens.into_iter().flat_map(of_token).collect()
}

/// Returns true for an item under `#[cfg(test)]`.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    let of_test = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    attributes.iter().any(of_test)
}

/// Returns the line on which a span begins, counted from 1.
pub(crate) fn line(span: Span) -> usize {
    span.start().line
}

/// Returns true if `c` can be part of an identifier.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the byte offsets at which `word` occurs in `text` as a whole word.
pub(crate) fn occurrences<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let first_is_word = word.starts_with(is_word);
        let last_is_word = word.ends_with(is_word);
        let joins_before = first_is_word && before.is_some_and(is_word);
        let joins_after = last_is_word && after.is_some_and(is_word);
        !joins_before && !joins_after
    })
}

/// Returns the line of a byte offset, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        let source = "//! unsafe\nconst A: &str = \"unsafe \\\" // no\"; // unsafe é\n\
                      /* x /* y */ unsafe */ fn f<'a>() {}\n/// unsafe\nmod m;\n";
        let text = RustText::new(source);
        assert!(!text.code.contains("unsafe") && !text.code.contains("no"));
        assert!(text.code.contains("fn f<'a>() {}") && text.code.contains("mod m;"));
        assert_eq!(text.prose.matches("unsafe").count(), 4);
        assert_eq!((text.code.lines().count(), text.items.len()), (5, 3));
    }

    #[test]
    fn raw_strings_and_characters_are_literals() {
        let source = "r#\"a \" b\"# b\"c\" br\"d\" '\"' '\\'' b'x' r#type 'life e";
        let code = RustText::new(source).code;
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(words, ["r#type", "'life", "e"]);
    }

    #[test]
    fn what_is_not_rust_is_code() {
        for source in ["\"", "r#\"", "/*", "(", "}"] {
            let text = RustText::new(source);
            assert_eq!((text.code.as_str(), text.items.len()), (source, 0));
        }
    }

    #[test]
    fn a_word_stands_alone() {
        let found: Vec<usize> =
            occurrences("unsafe_code unsafe xunsafe unsafe", "unsafe").collect();
        assert_eq!(found, [12, 27]);
        assert_eq!(occurrences("todo!() todo", "todo!").count(), 1);
    }
}
