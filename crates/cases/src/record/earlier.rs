//! Records of earlier versions, in which a scheme has another name.

use std::borrow::Cow;
use std::path::Path;

use fathom_drivers::ops::Scheme;
use serde_json::Value;

/// Returns a line of a result file with the present name of its scheme; the line itself if that is
/// the name it has, or if it is no case.
pub(crate) fn present(line: &str) -> Cow<'_, str> {
    // Samples make lines long: of most, not one value is read.
    if !line.contains(&format!("\"{}\"", Scheme::RENAMED.0)) {
        return Cow::Borrowed(line);
    }
    let Ok(mut case) = serde_json::from_str::<Value>(line) else { return Cow::Borrowed(line) };
    let scheme = case["scheme"].as_str().unwrap_or_default().to_owned();
    let Some(present) = Scheme::renamed(&scheme) else { return Cow::Borrowed(line) };
    for (field, place) in [("id", 1), ("question", 0)] {
        if let Some(text) = case[field].as_str() {
            case[field] = with_segment(text, place, &scheme, present).into();
        }
    }
    case["scheme"] = present.into();
    Cow::Owned(case.to_string())
}

/// Returns the lines of a result file, each as `present` returns it.
pub fn present_lines(jsonl: &str) -> String {
    jsonl.lines().flat_map(|line| [present(line), "\n".into()]).collect()
}

/// Says how many cases of a file have the earlier name of their scheme; `None` if none has.
pub fn remark(path: &Path, renamed: usize) -> Option<String> {
    let (earlier, scheme) = Scheme::RENAMED;
    let (path, present) = (path.display(), scheme.name());
    (renamed > 0)
        .then(|| format!("{path}: the scheme of {renamed} cases, `{earlier}`, is now `{present}`"))
}

/// Replaces a segment between slashes if it is `earlier`.
fn with_segment(text: &str, place: usize, earlier: &str, present: &str) -> String {
    let mut segments: Vec<&str> = text.split('/').collect();
    if segments.get(place) == Some(&earlier) {
        segments[place] = present;
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_gets_the_present_name_in_its_scheme_id_and_question() {
        let old = r#"{"id":"exact/exact/e4/mul","question":"exact/e4/mul","scheme":"exact"}"#;
        let new = r#"{"id":"exact/wide/e4/mul","question":"wide/e4/mul","scheme":"wide"}"#;
        assert_eq!(present(old), new);
        let others =
            [new, r#"{"scheme":"bfv","op":"exact"}"#, r#"{"scheme":"exact""#, "[\"exact\"]"];
        for line in others {
            assert!(matches!(present(line), Cow::Borrowed(same) if same == line), "{line}");
        }
    }

    #[test]
    fn the_earlier_name_is_remarked_upon() {
        let text = remark(Path::new("a.jsonl"), 2).unwrap();
        assert_eq!(text, "a.jsonl: the scheme of 2 cases, `exact`, is now `wide`");
        assert_eq!(remark(Path::new("a.jsonl"), 0), None);
    }
}
