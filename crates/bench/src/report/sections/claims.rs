//! Claims: the figures of the published documents that come with the testbed, each beside what this
//! run measured for the same operation, with the doubts that the documents raise by themselves.

use std::collections::HashMap;

use fathom_documents::beside::{Beside, Outcome};
use fathom_documents::evidence::{Against, Evidence, Samples};
use fathom_documents::judged;
use fathom_documents::{Finding, Row, Unit, coverage, documents, outcomes};

use crate::report::catalog::{Catalog, distinct};
use crate::report::chart::Section;
use crate::report::format;
use crate::report::table::{Cell, Table};

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let columns = [
        "claim",
        "document",
        "line#",
        "printed#",
        "measured here#",
        "samples",
        "printed / measured",
        "outcome",
        "remark",
        "doubts",
    ];
    let mut table = Table::new("Published claims", &columns);
    let mut notes = Vec::new();
    let places: HashMap<&str, usize> =
        catalog.entries.iter().enumerate().map(|(at, entry)| (&*entry.case.id, at)).collect();
    let cases = catalog.whole_cases();
    for document in documents::ALL {
        let rows = document.rows();
        let findings = fathom_documents::check(&rows);
        let judged = judged::document(document.name, &rows, &Evidence::of(&cases));
        let shown = |beside: &&Beside<'_>| beside.case.is_some();
        for beside in judged.iter().filter(shown) {
            let doubts = doubts(&findings, beside.row);
            let case = beside.case.and_then(|case| places.get(&*case.id).copied());
            table.push_summary(case.as_slice(), cells(document.name, beside, doubts));
        }
        if judged.iter().any(|beside| beside.case.is_some()) {
            let own = |beside: &&Beside<'_>| {
                !coverage::rule(document.name, beside.row).is_some_and(|rule| rule.linked)
            };
            let own: Vec<Outcome> =
                judged.iter().filter(own).map(|beside| beside.outcome).collect();
            notes.push(format!(
                "Document {} ({}): {} of {} figures; {} findings about its figures (fathom \
                 check-claims --document {}).",
                document.name,
                document.title,
                outcomes::counts(own.iter().copied()),
                own.len(),
                findings.len(),
                document.name
            ));
        }
    }
    (!table.rows.is_empty()).then(|| Section {
        id: "claims",
        title: "Published claims",
        lead: "Figures of published documents, each beside the same figure by these results: a \
               time, a time per slot, a total, a rate or a size, from the median of the case. A \
               ratio compares machines as well as programs: above 1, the printed time or size is \
               the larger, or the printed rate the lower. A case that differs from the figure in \
               its parameters, failure probability or threads stands in for it and has no ratio. \
               Doubts are contradictions and omissions of a document, found without a \
               measurement."
            .into(),
        table: Some(table),
        notes,
        ..Section::default()
    })
}

/// Returns the codes of the doubts about a row.
fn doubts(findings: &[Finding], row: &Row) -> String {
    let own = findings.iter().filter(|finding| finding.lines.contains(&row.line));
    distinct(own.map(|finding| finding.doubt.code().replace('_', " "))).join(", ")
}

/// Returns the cells of a claim, both figures in the unit of the document.
fn cells(document: &str, beside: &Beside<'_>, doubts: String) -> Vec<Cell> {
    let Beside { row, measured, samples, ratio, .. } = beside;
    let why = [Some(beside.why.clone()), beside.unranked.clone()].into_iter().flatten();
    let why: Vec<String> = why.filter(|why| !why.is_empty()).collect();
    let figure = |value: Option<f64>| Cell::number(value, |value| in_words(value, row.unit));
    vec![
        Cell::code(row.name()),
        Cell::text(document),
        Cell::count(row.source),
        figure(Some(row.mean)),
        figure(*measured),
        Cell::text(samples.as_ref().map_or_else(String::new, Samples::text)),
        Cell::text(ratio.as_ref().map_or_else(String::new, Against::text)),
        Cell::text(beside.outcome.word()),
        Cell::text(why.join("; ")),
        Cell::text(doubts),
    ]
}

/// Writes a figure in a unit of the documents.
fn in_words(value: f64, unit: Unit) -> String {
    match (unit.seconds(), unit.bytes()) {
        (Some(seconds), _) => format::time(value * seconds * 1e9),
        (_, Some(bytes)) => format::bytes(value * bytes),
        (None, None) => format!("{} {}", format::significant(value), unit.name()),
    }
}
