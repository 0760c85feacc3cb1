//! Options of the program of document 000, which begin with one dash.

use std::ffi::OsString;

/// Replaces the options of `./bench` among the arguments of `fathom bench`: `-all`, `-scheme NAME`
/// and `-compare`. All that the program of the document measures is the suite `schemes`.
pub(super) fn translated(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut line: Vec<OsString> = arguments.by_ref().take(2).collect();
    if line.get(1).is_none_or(|command| command != "bench") {
        line.extend(arguments);
        return line;
    }
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-all") => line.push("schemes".into()),
            Some("-scheme") => line.push("--schemes".into()),
            Some("-compare") => line.extend(["--peers".into(), "all".into()]),
            // The value of this option may be anything.
            Some("--driver-arg") => line.extend(std::iter::once(argument).chain(arguments.next())),
            Some(text) => match text.strip_prefix("-scheme=") {
                Some(scheme) => line.push(format!("--schemes={scheme}").into()),
                None => line.push(argument),
            },
            None => line.push(argument),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        let words = translated(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_document_000_are_read_and_others_stay() {
        for (there, here) in [
            ("fathom bench -all", "fathom bench schemes"),
            ("fathom bench --all", "fathom bench --all"),
            ("fathom bench -scheme bfv", "fathom bench --schemes bfv"),
            ("fathom bench -scheme=bfv,bgv -v", "fathom bench --schemes=bfv,bgv -v"),
            ("fathom bench schemes -compare", "fathom bench schemes --peers all"),
            ("fathom bench --driver-arg -all", "fathom bench --driver-arg -all"),
            ("fathom report -all", "fathom report -all"),
            ("fathom", "fathom"),
        ] {
            assert_eq!(of(there), here);
        }
    }
}
