//! Claims: the figures of the published documents that come with the testbed, each beside what this
//! run measured for the same operation, with the doubts that the documents raise by themselves.

use std::collections::HashMap;

use crate::claims::{self, Finding, Row, beside, documents};
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
        "printed / measured#",
        "doubts",
    ];
    let mut table = Table::new("Published claims", &columns);
    let mut notes = Vec::new();
    let places: HashMap<&str, usize> =
        catalog.entries.iter().enumerate().map(|(at, entry)| (&*entry.case.id, at)).collect();
    for document in documents::ALL {
        let rows = document.rows();
        let findings = claims::check(&rows);
        let before = table.rows.len();
        for (row, pair) in beside::document(document.name, &rows, &catalog.records) {
            let Ok(pair) = pair else { continue };
            let doubts = doubts(&findings, row);
            let case = places.get(&*pair.case.id).copied();
            table.push_summary(case.as_slice(), cells(document.name, row, pair.measured, doubts));
        }
        let measured = table.rows.len() - before;
        if measured > 0 {
            notes.push(format!(
                "Document {} ({}): {measured} of {} figures were measured in these results; {} \
                 findings about its figures (fathom check-claims --document {}).",
                document.name,
                document.title,
                rows.len(),
                findings.len(),
                document.name
            ));
        }
    }
    (!table.rows.is_empty()).then(|| Section {
        id: "claims",
        title: "Published claims",
        lead: "Figures of published documents, each beside the median that these results have for \
               the same operation. A ratio compares machines as well as programs: above 1, the \
               printed time or size is the larger. Doubts are contradictions and omissions of a \
               document, found without a measurement."
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

/// Returns the cells of a claim; `measured` is in seconds, or in bytes if the claim is a size.
fn cells(document: &str, row: &Row, measured: f64, doubts: String) -> Vec<Cell> {
    let claimed = row.bytes().or_else(|| row.seconds());
    let is_size = row.bytes().is_some();
    let cell = |value: f64| {
        if is_size { Cell::bytes(Some(value)) } else { Cell::time(Some(value * 1e9)) }
    };
    // A rate has no counterpart in seconds, so the time of its operation stands beside it.
    let printed = Cell::number(Some(row.mean), |mean| {
        format!("{} {}", format::significant(mean), row.unit.name())
    });
    vec![
        Cell::code(row.name()),
        Cell::text(document),
        Cell::count(row.source),
        claimed.map_or(printed, cell),
        cell(measured),
        Cell::number(claimed.map(|claimed| claimed / measured), |ratio| {
            format!("{}×", format::significant(ratio))
        }),
        Cell::text(doubts),
    ]
}
