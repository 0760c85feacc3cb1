//! Names of earlier versions on the command line and in tables, read with a word on stderr.

use fathom_drivers::ops::Scheme;
use regex::Regex;

use super::shared::warn;

/// Returns the present name of a scheme.
pub(super) fn scheme(name: &str) -> String {
    let Some(present) = Scheme::renamed(name) else { return name.to_owned() };
    warn(&format!("the scheme `{name}` is now `{present}`"));
    present.to_owned()
}

/// Returns a pattern for ids with the present names of schemes, where it has an earlier one as a
/// whole word.
pub(super) fn filter(pattern: &Regex) -> Regex {
    let (earlier, scheme) = Scheme::RENAMED;
    let word = Regex::new(&format!(r"\b{earlier}\b")).expect("the name is a word");
    let renamed = word.replace_all(pattern.as_str(), scheme.name());
    if renamed == pattern.as_str() {
        return pattern.clone();
    }
    warn(&format!("the scheme `{earlier}` is now `{}`; the filter is `{renamed}`", scheme.name()));
    // A word in place of a word is as valid.
    Regex::new(&renamed).unwrap_or_else(|_| pattern.clone())
}

/// Says that rows of a table have the earlier name of their scheme, which its reader renames.
pub(super) fn table(name: &str, csv: &str) {
    let (earlier, scheme) = Scheme::RENAMED;
    if csv.lines().any(|line| line.split(',').next() == Some(earlier)) {
        warn(&format!("{name}: the scheme `{earlier}` is now `{}`", scheme.name()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_gets_the_present_name_of_a_scheme_and_nothing_else() {
        for (old, new) in [
            ("/exact/e4/", "/wide/e4/"),
            ("^fathom/(bfv|exact)/", "^fathom/(bfv|wide)/"),
            ("exact_divide5", "exact_divide5"),
            ("/wide/e4/mul$", "/wide/e4/mul$"),
        ] {
            assert_eq!(filter(&Regex::new(old).unwrap()).as_str(), new);
        }
    }
}
