//! Rust source with strings and comments replaced by blanks, so that words can be searched
//! reliably.

use std::iter::repeat_n;

/// Two views of a source. Both keep all line numbers.
#[derive(Debug)]
pub(crate) struct RustText {
    /// The source with blank comments and literals: code only.
    pub(crate) code: String,
    /// The source with blank literals: code and comments.
    pub(crate) prose: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Literal,
}

impl RustText {
    /// Splits a source into its parts. Accepts invalid Rust: an unclosed part ends with the text.
    pub(crate) fn new(source: &str) -> Self {
        let chars: Vec<char> = source.chars().collect();
        let mut text = Self { code: String::new(), prose: String::new() };
        let mut at = 0;
        while at < chars.len() {
            let (part, end) = part_at(&chars, at);
            let end = end.min(chars.len());
            text.push(&chars[at..end], part);
            at = end;
        }
        text
    }

    fn push(&mut self, chars: &[char], part: Part) {
        for &c in chars {
            let blank = if c == '\n' { '\n' } else { ' ' };
            self.code.push(if part == Part::Code { c } else { blank });
            self.prose.push(if part == Part::Literal { blank } else { c });
        }
    }
}

/// Returns the kind of the part that starts at `at`, and the index after it.
fn part_at(chars: &[char], at: usize) -> (Part, usize) {
    let next = chars.get(at + 1);
    match (chars[at], next) {
        ('/', Some('/')) => (Part::Comment, find(chars, at, |rest| rest[0] == '\n')),
        ('/', Some('*')) => (Part::Comment, block_comment_end(chars, at)),
        ('"', _) => (Part::Literal, string_end(chars, at)),
        ('\'', Some('\\')) => (Part::Literal, 1 + find(chars, at + 3, |rest| rest[0] == '\'')),
        ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => (Part::Literal, at + 3),
        ('r' | 'b' | 'c', _) if at == 0 || !is_word(chars[at - 1]) => prefixed(chars, at),
        _ => (Part::Code, at + 1),
    }
}

/// Returns a literal with a prefix such as `r#` or `b`, or one character of code.
fn prefixed(chars: &[char], at: usize) -> (Part, usize) {
    let letters = chars[at..].iter().take_while(|c| matches!(c, 'r' | 'b' | 'c')).count();
    let hashes = chars[at + letters..].iter().take_while(|&&c| c == '#').count();
    let quote = at + letters + hashes;
    if chars.get(quote) != Some(&'"') {
        return (Part::Code, at + 1);
    }
    if !chars[at..at + letters].contains(&'r') {
        return (Part::Literal, string_end(chars, quote));
    }
    let close: Vec<char> = std::iter::once('"').chain(repeat_n('#', hashes)).collect();
    let end = find(chars, quote + 1, |rest| rest.starts_with(&close));
    (Part::Literal, end + close.len())
}

/// Returns the index after the string whose opening quote is at `at`.
fn string_end(chars: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while end < chars.len() && chars[end] != '"' {
        end += if chars[end] == '\\' { 2 } else { 1 };
    }
    end + 1
}

/// Returns the index after the comment, possibly nested, that opens at `at`.
fn block_comment_end(chars: &[char], at: usize) -> usize {
    let (mut depth, mut end) = (0, at);
    while end < chars.len() {
        if chars[end..].starts_with(&['/', '*']) {
            depth += 1;
            end += 2;
        } else if chars[end..].starts_with(&['*', '/']) {
            depth -= 1;
            end += 2;
        } else {
            end += 1;
        }
        if depth == 0 {
            break;
        }
    }
    end
}

/// Returns the first index from `at` on at which the rest satisfies `is_end`, or the length.
fn find(chars: &[char], at: usize, is_end: impl Fn(&[char]) -> bool) -> usize {
    (at..chars.len()).find(|&index| is_end(&chars[index..])).unwrap_or(chars.len())
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
        let source =
            "let a = \"unsafe \\\" // no\"; // unsafe\n/* x /* y */ unsafe */ fn f<'a>() {}\n";
        let text = RustText::new(source);
        assert!(!text.code.contains("unsafe") && !text.code.contains("no"));
        assert!(text.code.contains("fn f<'a>() {}"));
        assert_eq!(text.prose.matches("unsafe").count(), 2);
        assert_eq!(text.code.lines().count(), 2);
    }

    #[test]
    fn raw_strings_and_characters_are_literals() {
        let source = "r#\"a \" b\"# b\"c\" br\"d\" '\"' '\\'' b'x' r#type 'life e";
        let code = RustText::new(source).code;
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(words, ["b", "r#type", "'life", "e"]);
    }

    #[test]
    fn an_open_end_is_no_error() {
        for source in ["\"", "'", "r#\"", "/*", "'\\", "\"\\", "b"] {
            assert_eq!(RustText::new(source).prose.chars().count(), source.chars().count());
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
