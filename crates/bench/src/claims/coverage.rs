//! Which rows of the published documents the suites measure, and why the others are out of scope.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::documents::{self, Document};
use super::table::Row;

/// The rules, in the order in which they are tried.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        rule: Vec<Rule>,
    }
    let file: File = toml::from_str(include_str!("../../documents/coverage.toml"))
        .expect("a test reads the rules");
    file.rule
});

/// A rule for some rows of a document: the cases that measure them, or the reason why none does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    document: String,
    rows: Pattern,
    /// Suite of the cases.
    #[serde(default)]
    pub suite: Option<String>,
    #[serde(default)]
    cases: Vec<String>,
    /// Difference between the row and its cases.
    #[serde(default)]
    pub note: Option<String>,
    /// Reason why no case measures the row.
    #[serde(default)]
    pub reason: Option<String>,
}

/// A regular expression on the whole name of a row.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Pattern(Regex);

impl TryFrom<String> for Pattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&format!("^(?:{text})$")).map(Self)
    }
}

impl Rule {
    /// Returns the cases of a row, as `scheme/params/op?lane`.
    pub fn cases(&self, row: &Row) -> Vec<String> {
        let name = row.name();
        let Some(groups) = self.rows.0.captures(&name) else { return Vec::new() };
        let expand = |template: &String| {
            // `$1_u8` would name the group `1_u8`.
            let template = GROUP.replace_all(template, "$${$1}");
            let mut case = String::new();
            groups.expand(&template, &mut case);
            case
        };
        self.cases.iter().map(expand).collect()
    }
}

/// A group in a template.
static GROUP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\$(\d)").expect("the pattern is constant"));

/// Returns the rule for a row of a document; a test checks that every row has one.
pub fn rule(document: &str, row: &Row) -> Option<&'static Rule> {
    let name = row.name();
    RULES.iter().find(|rule| rule.document == document && rule.rows.0.is_match(&name))
}

/// Returns the suites that the rules name.
pub fn suites() -> BTreeSet<&'static str> {
    RULES.iter().filter_map(|rule| rule.suite.as_deref()).collect()
}

/// Returns the rows of the documents that no rule covers, the rules that cover no row or are
/// neither measured nor explained, and the cases that `known` does not contain.
pub fn faults(known: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut faults = BTreeSet::new();
    let mut used = BTreeSet::new();
    for document in documents::ALL {
        for row in document.rows() {
            let Some(rule) = rule(document.name, &row) else {
                faults.insert(format!("document {}: no rule for {}", document.name, row.name()));
                continue;
            };
            used.insert(rule.rows.0.as_str());
            let suite = rule.suite.as_deref().unwrap_or_default();
            let unknown = rule.cases(&row).into_iter().filter(|case| !known(suite, case));
            faults.extend(unknown.map(|case| format!("suite `{suite}` has no case {case}")));
        }
    }
    for rule in RULES.iter() {
        let measured = rule.suite.is_some() && !rule.cases.is_empty();
        let explained = rule.reason.as_ref().is_some_and(|reason| reason.len() > 30);
        if measured == explained || !used.contains(rule.rows.0.as_str()) {
            faults.insert(format!("the rule for {} says too much or too little", rule.rows.0));
        }
    }
    faults.into_iter().collect()
}

/// The beginning of the page.
const INTRODUCTION: &str = "\
# Coverage of the published tables

Five published documents state times and sizes of homomorphic encryption. Their figures come with
the testbed, and `fathom check-claims --document 000` examines the first. This page says for each
row which cases measure the same operation, or why none does. \"Imported\" means that the printed
figure is shown as such and nothing here measured it.

The page is generated from `crates/bench/documents/coverage.toml`, and a test compares it with the
cases of `fathom bench SUITE --dry-run`. This command writes it:
`FATHOM_WRITE_COVERAGE=1 cargo test -p fathom-bench --test words coverage`.
";

/// Returns the page `docs/coverage.md`.
pub fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for document in documents::ALL {
        section(&mut page, &document);
    }
    page
}

fn section(page: &mut String, document: &Document) {
    let rows = document.rows();
    let measured = |row: &&Row| rule(document.name, row).is_some_and(|rule| rule.reason.is_none());
    let count = rows.iter().filter(measured).count();
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "\n## Document {}: {}\n\n{} figures, {count} of them measured, {} out of scope.\n\n\
         | rows | figures | lines | measured by | remark |\n|---|---|---|---|---|\n",
        document.name,
        document.title,
        rows.len(),
        rows.len() - count,
    );
    for rule in RULES.iter().filter(|rule| rule.document == document.name) {
        let own = |row: &&Row| {
            self::rule(document.name, row).is_some_and(|found| std::ptr::eq(found, rule))
        };
        let rows: Vec<&Row> = rows.iter().filter(own).collect();
        let _ = writeln!(page, "{}", table_row(rule, &rows));
    }
}

fn table_row(rule: &Rule, rows: &[&Row]) -> String {
    let names = few(rows.iter().map(|row| row.name()));
    let lines: BTreeSet<u64> = rows.iter().filter_map(|row| row.source).collect();
    let lines = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    let cases = few(rows.iter().flat_map(|row| rule.cases(row)));
    let measured = rule.suite.as_ref().map(|suite| format!("`bench {suite}`: {cases}"));
    let measured = measured.unwrap_or_else(|| "out of scope".into());
    let remark = rule.reason.as_ref().or(rule.note.as_ref()).cloned().unwrap_or_default();
    format!("| {names} | {} | {lines} | {measured} | {remark} |", rows.len())
}

/// Lists distinct names, of which only the first and the last if there are many.
fn few(names: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for name in names.map(|name| format!("`{name}`")) {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.as_slice() {
        [first, .., last] if distinct.len() > 6 => {
            format!("{first} to {last} ({})", distinct.len())
        }
        names => names.join(", "),
    }
}
