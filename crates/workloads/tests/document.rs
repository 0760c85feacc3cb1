//! docs/workloads.md describes every workload as its specification does.

use std::fmt::Write as _;
use std::path::Path;

use fathom_workloads::{Spec, all};

const MARKER: &str = "<!-- programs:";

/// Returns the section of a workload. Writing to a string cannot fail.
fn section(spec: &Spec, schemes: &[&str]) -> String {
    let mut text = format!("\n## {}\n\n", spec.name);
    let mut prose = spec.summary.clone();
    if !spec.source.is_empty() {
        let _ = write!(prose, " Source: {}", spec.source);
    }
    let _ = write!(prose, " Schemes: {}.", schemes.join(", "));
    if spec.tolerance > 0.0 {
        let _ = write!(prose, " Results may deviate by at most {}.", spec.tolerance);
    }
    text += &wrapped(&prose);
    text += "\n| variant | function |\n|---|---|\n";
    for variant in &spec.variants {
        let _ = writeln!(text, "| `{}` | {} |", variant.name, variant.meaning.replace('|', "\\|"));
    }
    text += "\n| column | role | content |\n|---|---|---|\n";
    let roles = [("public", &spec.public), ("secret", &spec.secret), ("result", &spec.outputs)];
    for (role, columns) in roles {
        for (name, meaning) in columns {
            let _ = writeln!(text, "| `{name}` | {role} | {} |", meaning.replace('|', "\\|"));
        }
    }
    let numbers: Vec<_> =
        spec.numbers.iter().map(|(name, what)| format!("`{name}`: {what}")).collect();
    let _ = writeln!(text, "\n| size | {} |", numbers.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(numbers.len()));
    for size in &spec.sizes {
        let shape = spec.numbers.keys().map(|name| match size.shape.get(name) {
            Some(number) => number.to_string(),
            None => String::new(),
        });
        let _ = writeln!(text, "| `{}` | {} |", size.name, shape.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// Breaks lines at 118 columns.
fn wrapped(prose: &str) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in prose.split_whitespace() {
        if column > 0 {
            let breaks = column + 1 + word.len() > 118;
            text.push(if breaks { '\n' } else { ' ' });
            column = if breaks { 0 } else { column + 1 };
        }
        text += word;
        column += word.len();
    }
    text + "\n"
}

#[test]
fn the_page_of_workloads_agrees_with_the_specifications() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workloads.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find(MARKER).expect("the page has the marker");
    let head = page[start..].find('\n').map_or(page.len(), |end| start + end + 1);
    let mut expected = page[..head].to_owned();
    for workload in all() {
        let mut schemes: Vec<_> =
            workload.implementations().iter().map(|program| program.scheme()).collect();
        schemes.sort_unstable();
        schemes.dedup();
        expected += &section(workload.spec(), &schemes);
    }
    if std::env::var_os("FATHOM_WRITE_WORKLOADS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "see the marker of the page");
}
