//! The coverage of the published documents: the rows that the suites measure, and the reasons why
//! the others are out of scope.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use fathom_cases::machine::processors;
use regex::Regex;
use serde::Deserialize;

use super::documents;
use super::table::Row;

/// The rules, in the order in which they are tried.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        rule: Vec<Rule>,
    }
    let file: File =
        toml::from_str(include_str!("../data/coverage.toml")).expect("a test reads the rules");
    file.rule
});

/// A rule for some rows of a document: the cases that measure them, or the reason why none does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    document: String,
    rows: Pattern,
    /// Parameters that a row must have.
    #[serde(default, rename = "where")]
    condition: BTreeMap<String, String>,
    /// Suite of the cases.
    #[serde(default)]
    pub suite: Option<String>,
    #[serde(default)]
    cases: Vec<String>,
    /// Cases with other parameters, which stand beside the row without a ratio.
    #[serde(default)]
    stand_ins: Vec<String>,
    /// Difference between the row and its stand-ins.
    #[serde(default)]
    pub because: Option<String>,
    /// Remark on the row and its cases.
    #[serde(default)]
    pub note: Option<String>,
    /// True for a ratio of two other rows, which is computed from their measured figures.
    #[serde(default)]
    pub computed: bool,
    /// Reason why no case measures the row.
    #[serde(default)]
    pub reason: Option<String>,
    /// True for figures of a page that the document only links to.
    #[serde(default)]
    pub linked: bool,
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
        self.cases.iter().filter_map(|template| self.expand(template, row)).collect()
    }

    /// Returns the cases that stand in for a row.
    pub fn stand_ins(&self, row: &Row) -> Vec<String> {
        self.stand_ins.iter().filter_map(|template| self.expand(template, row)).collect()
    }

    fn expand(&self, template: &str, row: &Row) -> Option<String> {
        let name = row.name();
        let groups = self.rows.0.captures(&name)?;
        // `$1_u8` would name the group `1_u8`.
        let template = GROUP.replace_all(template, "$${$1}");
        let mut case = String::new();
        groups.expand(&template, &mut case);
        for (param, value) in &row.params {
            case = case.replace(&format!("{{{param}}}"), value);
        }
        case = case.replace("{processors}", &processors().to_string());
        // One thread is the lane without a name.
        let ends = ["?threads=1", "?op_threads=1"];
        let plain = ends.iter().find_map(|end| case.strip_suffix(end)).map(str::to_owned);
        Some(plain.unwrap_or(case))
    }

    fn holds(&self, document: &str, row: &Row) -> bool {
        let has = |(param, value): (&String, &String)| row.params.get(param) == Some(value);
        self.document == document
            && self.rows.0.is_match(&row.name())
            && self.condition.iter().all(has)
    }
}

/// A group in a template, `$1`.
static GROUP: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\$(\d)").expect("the pattern is constant"));

/// Returns the rule for a row of a document; a test checks that every row has one.
pub fn rule(document: &str, row: &Row) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.holds(document, row))
}

/// Returns the suites that the rules name.
pub fn suites() -> BTreeSet<&'static str> {
    RULES.iter().filter_map(|rule| rule.suite.as_deref()).collect()
}

/// Returns the rows of the documents that no rule covers, the rules that cover no row or are
/// neither measured nor explained, and the cases that `known` does not contain, whatever their
/// lane: a machine runs the numbers of threads that it has.
pub fn faults(known: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut faults = BTreeSet::new();
    let mut used = HashSet::new();
    for document in documents::ALL {
        for row in document.rows() {
            let Some(rule) = rule(document.name, &row) else {
                faults.insert(format!("document {}: no rule for {}", document.name, row.name()));
                continue;
            };
            used.insert(std::ptr::from_ref(rule));
            let suite = rule.suite.as_deref().unwrap_or_default();
            let cases = rule.cases(&row).into_iter().chain(rule.stand_ins(&row));
            let unknown = cases.filter(|case| !known(suite, stem(case)));
            faults.extend(unknown.map(|case| format!("suite `{suite}` has no case {case}")));
        }
    }
    for rule in RULES.iter() {
        let named = !rule.cases.is_empty() || !rule.stand_ins.is_empty();
        let measured = rule.suite.is_some() && named;
        let explained = rule.reason.as_ref().is_some_and(|reason| reason.len() > 30);
        let sources = [measured, explained, rule.computed].into_iter().filter(|is| *is).count();
        let substitutes = rule.stand_ins.is_empty() == rule.because.is_none();
        if sources != 1 || !substitutes || !used.contains(&std::ptr::from_ref(rule)) {
            faults.insert(format!("the rule for {} says too much or too little", rule.rows.0));
        }
    }
    faults.into_iter().collect()
}

/// Returns a case id without its lane.
pub fn stem(case: &str) -> &str {
    case.split('?').next().unwrap_or(case)
}
