//! Every remedy in an error's text is exercised: the failing call, its message, what the text
//! advises, and success.
//!
//! A case is a test that calls [`remedied`] with the name of the variant and the remedy as the
//! source states it. What the sources state and no case exercises is found by reading both.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "of the grammar of Rust, a few forms matter here"
)]

mod lengths;
mod reals;
mod ring;
mod slots;
mod sources;
mod torus;

use fathom::Error;

/// The most characters of a message, for numbers as they occur.
const LONGEST: usize = 240;

/// Checks that the error is this variant, that its text ends with the remedy, whose placeholders
/// stand for any text, and that it is short. The caller then does what the remedy says.
#[track_caller]
fn remedied(error: &Error, variant: &str, remedy: &str) {
    let (text, shown) = (error.to_string(), format!("{error:?}"));
    let name = variant.rsplit("::").next().unwrap();
    assert!(shown.contains(name), "{variant} is not {shown}");
    let mut rest = text.as_str();
    for (index, part) in literal_parts(remedy).into_iter().enumerate() {
        let at = rest.find(&part).unwrap_or_else(|| panic!("{part:?} is not in: {text}"));
        assert!(index > 0 || at > 0, "there is only a remedy: {text}");
        rest = &rest[at + part.len()..];
    }
    assert!(text.len() <= LONGEST, "{} characters: {text}", text.len());
}

/// Returns what stands between the placeholders of a format string.
fn literal_parts(format: &str) -> Vec<String> {
    let pieces =
        format.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, after)| after));
    pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}
