//! Questions of a report: what was asked of every library for one purpose.
//!
//! Only answers to the same question are compared. A question is a scheme with a purpose (depth,
//! plaintext, security) and a division; operations on machine integers are grouped by type too.

use fathom_cases::question::{self, Division};
use fathom_drivers::ops::torus::IntegerOp;

use super::catalog::{Catalog, Entry, distinct};

/// Operations by which a question is decided, the first that was answered; also the order of the
/// tiles and of the lines on a terminal.
pub(crate) const DECIDING: [&str; 16] = [
    "mul",
    "simd_mul",
    "ks_pbs",
    "nand",
    "mul_u64",
    "mul_u32",
    "add_u64",
    "add",
    "rotate",
    "encrypt_pk",
    "encrypt_sk",
    "decrypt",
    "dot32",
    "polynomial",
    "keygen",
    "rotate_keygen",
];

/// A question with the operations that were asked.
pub(crate) struct Question {
    /// Identifier on the page and in its address: `bgv-d5-t65537`.
    pub(crate) id: String,
    /// Name of the scheme, as it is written in text: `BGV`.
    pub(crate) scheme: String,
    /// Purpose in words: `depth 5, t = 65537`.
    pub(crate) purpose: String,
    /// Number of products of the purpose; `None` if it does not name one.
    pub(crate) depth: Option<u32>,
    /// Operations in the order of the page.
    pub(crate) rows: Vec<Asked>,
}

/// One operation of a question, with the cases that answer it.
pub(crate) struct Asked {
    pub(crate) op: String,
    /// The operation and its lane: `mul, 2 threads`.
    pub(crate) label: String,
    /// Numbers of the cases.
    pub(crate) cases: Vec<usize>,
}

/// The properties in which two questions differ.
#[derive(Clone, PartialEq)]
struct Key {
    scheme: String,
    topic: String,
    integer: Option<String>,
    division: Division,
}

impl Question {
    /// Returns scheme and purpose: `BGV, depth 5, t = 65537`.
    pub(crate) fn title(&self) -> String {
        format!("{}, {}", self.scheme, self.purpose)
    }
}

/// Returns the questions of a report in the order of the page: by scheme, then by purpose.
pub(crate) fn all(catalog: &Catalog) -> Vec<Question> {
    let keys = distinct(catalog.entries.iter().map(Key::of));
    let mut questions: Vec<Question> = keys.iter().map(|key| question(catalog, key)).collect();
    questions.retain(|question| !question.rows.is_empty());
    let schemes = distinct(questions.iter().map(|question| question.scheme.clone()));
    questions.sort_by_key(|question| {
        let scheme = schemes.iter().position(|scheme| *scheme == question.scheme);
        (scheme, question.depth, question.id.clone())
    });
    questions
}

/// Returns the place of the question that the page shows first: a product of depth 5 if one was
/// asked of several libraries, else the question that the most libraries answered.
pub(crate) fn first(catalog: &Catalog, questions: &[Question]) -> usize {
    let worth = |question: &Question| {
        let answered = question.rows.iter().flat_map(|row| &row.cases);
        let answered = answered.map(|case| &catalog.entries[*case]).filter(|e| e.is_ranked());
        let libs = distinct(answered.map(|entry| entry.lib.as_str())).len();
        let product = question.rows.iter().any(|row| row.op == "mul");
        let deep = product && question.depth == Some(5);
        (libs > 1, libs > 1 && deep, libs, product, question.rows.len())
    };
    let places = 0..questions.len();
    places.rev().max_by_key(|place| worth(&questions[*place])).unwrap_or(0)
}

impl Key {
    fn of(entry: &Entry) -> Self {
        Self {
            scheme: entry.case.scheme.clone(),
            topic: topic(entry).to_owned(),
            integer: IntegerOp::parse(&entry.case.op).map(|op| op.ty.to_string()),
            division: entry.case.division.unwrap_or_default(),
        }
    }

    /// Returns true if an answer belongs to the question. The baseline has one answer, whatever the
    /// rule for the parameters of the others.
    fn holds(&self, entry: &Entry, baseline: Option<&String>) -> bool {
        let own = Self::of(entry);
        let division = own.division == self.division || Some(&entry.lib) == baseline;
        division && Self { division: self.division, ..own } == *self
    }
}

fn question(catalog: &Catalog, key: &Key) -> Question {
    let baseline = catalog.libs.first();
    let indexed = catalog.entries.iter().enumerate();
    let own: Vec<(usize, &Entry)> =
        indexed.filter(|(_, entry)| key.holds(entry, baseline) && is_shown(entry)).collect();
    let labels = distinct(own.iter().map(|(_, entry)| label(entry)));
    let row = |wanted: &String| {
        let found: Vec<&(usize, &Entry)> =
            own.iter().filter(|(_, entry)| label(entry) == *wanted).collect();
        let op = found.first().map_or_else(String::new, |(_, entry)| entry.case.op.clone());
        Asked { op, label: wanted.clone(), cases: found.iter().map(|(case, _)| *case).collect() }
    };
    let asked_of_others = |row: &Asked| {
        let others = |case: &usize| Some(&catalog.entries[*case].lib) != baseline;
        key.division == Division::Equal || row.cases.iter().any(others)
    };
    Question {
        id: id(key),
        scheme: scheme(&key.scheme),
        purpose: purpose(key),
        depth: depth(&key.topic),
        rows: labels.iter().map(row).filter(asked_of_others).collect(),
    }
}

/// Returns true for cases that may have a time: sizes have a section of their own.
fn is_shown(entry: &Entry) -> bool {
    let op = &entry.case.op;
    !op.ends_with("_bytes") && op != "chain_past_budget"
}

/// Returns the purpose of a case; without a question in the file, its parameter set.
pub(crate) fn topic(entry: &Entry) -> &str {
    entry.case.question.as_deref().and_then(question::topic_of).unwrap_or(&entry.params)
}

/// Returns the operation with the parts of its lane that differ from the usual.
fn label(entry: &Entry) -> String {
    let mut label = entry.case.op.clone();
    if entry.case.scenario.as_deref() == Some("cold") {
        label += ", cold";
    }
    label + &lane(entry.threads(), entry.op_threads())
}

/// Puts the threads of a lane into words; empty for one thread.
pub(crate) fn lane(threads: u64, op_threads: u64) -> String {
    let counted = |count: u64, what: &str| {
        if count > 1 { format!(", {count} threads{what}") } else { String::new() }
    };
    counted(threads, "") + &counted(op_threads, " each")
}

fn id(key: &Key) -> String {
    let division = if key.division == Division::Equal { "" } else { key.division.word() };
    let parts = [&key.scheme, &key.topic, key.integer.as_deref().unwrap_or_default(), division];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let plain = |sign: char| if sign.is_ascii_alphanumeric() || sign == '_' { sign } else { '-' };
    parts.join("-").chars().map(plain).collect()
}

fn purpose(key: &Key) -> String {
    let mut words = vec![words(&key.topic)];
    words.extend(key.integer.iter().map(|ty| format!("integers {ty}")));
    words.extend(match key.division {
        Division::Equal => None,
        Division::Ring => Some("same ring".to_owned()),
        Division::Defaults => Some("defaults".to_owned()),
        Division::Failure => Some("unequal failure probability".to_owned()),
    });
    words.join(", ")
}

/// Returns the number of products that a topic such as `d5-t65537` names.
pub(crate) fn depth(topic: &str) -> Option<u32> {
    topic.split('-').next()?.strip_prefix('d')?.parse().ok()
}

/// Puts a topic into words: `d5-t65537-192bit` is `depth 5, t = 65537, 192 bits`.
pub(crate) fn words(topic: &str) -> String {
    let Some(depth) = depth(topic) else { return topic.to_owned() };
    let mut words = vec![format!("depth {depth}")];
    for part in topic.split('-').skip(1) {
        let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let said = if let Some(t) = part.strip_prefix('t').filter(|t| number(t)) {
            format!("t = {t}")
        } else if let Some(bits) = part.strip_prefix('s').filter(|s| number(s)) {
            format!("{bits}-bit scale")
        } else if let Some(bits) = part.strip_suffix("bit") {
            format!("{bits}-bit security")
        } else {
            part.to_owned()
        };
        words.push(said);
    }
    words.join(", ")
}

/// Returns the name of a scheme as it is written in text.
pub(crate) fn scheme(name: &str) -> String {
    match name {
        "wide" | "plain" | "kernel" => name.to_owned(),
        name => name.to_uppercase().replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;
    use serde_json::{Value, json};

    fn case(lib: &str, question: &str, division: Division) -> Value {
        let parts: Vec<&str> = question.split('/').collect();
        json!({
            "lib": { "name": lib }, "scheme": parts[0], "op": parts[2], "question": question,
            "division": division,
        })
    }

    #[test]
    fn topics_are_put_into_words() {
        assert_eq!(words("d5-t65537-192bit"), "depth 5, t = 65537, 192-bit security");
        assert_eq!(words("d6-s38"), "depth 6, 38-bit scale");
        assert_eq!(words("u_2_2_128"), "u_2_2_128");
    }

    #[test]
    fn only_answers_to_one_purpose_share_a_question() {
        let cases = vec![
            case("fathom", "bgv/d5-t65537/mul", Division::Equal),
            case("peer", "bgv/d5-t65537/mul", Division::Equal),
            case("peer", "bgv/d1-t65537/mul", Division::Equal),
            case("fathom", "tfhe/u_2_2_128/add_u8", Division::Equal),
            case("fathom", "tfhe/u_2_2_128/add_u64", Division::Equal),
        ];
        let catalog = catalog_of(cases);
        let found = all(&catalog);
        let ids: Vec<&str> = found.iter().map(|question| question.id.as_str()).collect();
        let expected =
            ["bgv-d1-t65537", "bgv-d5-t65537", "tfhe-u_2_2_128-u64", "tfhe-u_2_2_128-u8"];
        assert_eq!(ids, expected);
        assert_eq!(found[1].rows[0].cases.len(), 2);
    }

    #[test]
    fn the_baseline_answers_in_every_division_that_others_have() {
        let cases = vec![
            case("fathom", "tfhe/u_bool_128/nand", Division::Equal),
            case("fathom", "tfhe/u_bool_128/xor", Division::Equal),
            case("peer", "tfhe/u_bool_128/nand", Division::Failure),
        ];
        let catalog = catalog_of(cases);
        let found = all(&catalog);
        assert_eq!(found.len(), 2);
        let unequal = found.iter().find(|question| question.id.ends_with("failure")).unwrap();
        assert_eq!(unequal.rows.len(), 1);
        assert_eq!(unequal.rows[0].cases.len(), 2);
    }
}
