//! Coverage: the operations that each library supports, and those it lacks.

use fathom_cases::record::Status;

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::Section;
use crate::report::table::{Cell, Table};

/// Largest number of operation names in a cell.
const NAMES: usize = 12;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    if !catalog.several_libraries() {
        return None;
    }
    let columns =
        ["library", "scheme", "verified#", "asked#", "wrong", "refused", "failed", "not offered"];
    let mut table = Table::new("Coverage", &columns);
    let schemes = distinct(catalog.entries.iter().map(|entry| entry.case.scheme.as_str()));
    for lib in &catalog.libs {
        for scheme in &schemes {
            push(catalog, &mut table, lib, scheme);
        }
    }
    Some(Section {
        id: "coverage",
        title: "Coverage",
        lead: "The number of operations of each scheme for which a library gave verified results. \
               Read it together with the times: a library that lacks an operation has no time \
               there."
            .into(),
        notes: absent(catalog, &schemes),
        table: Some(table),
        ..Section::default()
    })
}

/// Adds the row of a library in a scheme, unless the library has no case there.
fn push(catalog: &Catalog, table: &mut Table, lib: &str, scheme: &str) {
    let indexed = catalog.entries.iter().enumerate();
    let own = |entry: &Entry| entry.lib == lib && entry.case.scheme == scheme;
    let found: Vec<(usize, &Entry)> = indexed.filter(|(_, entry)| own(entry)).collect();
    if found.is_empty() {
        return;
    }
    let asked = distinct(found.iter().map(|(_, entry)| entry.case.op.as_str()));
    let of = |wanted: &[Status]| {
        let of_status = found.iter().filter(|(_, e)| wanted.contains(&e.case.verify.status));
        distinct(of_status.map(|(_, entry)| entry.case.op.as_str()))
    };
    let verified = of(&[Status::Ok]);
    let not_verified = |status| {
        let ops = of(&[status]).into_iter().filter(|op| !verified.contains(op));
        Cell::text(listed(&ops.collect::<Vec<_>>()))
    };
    let wrong = Cell { class: "wrong", ..Cell::text(listed(&of(&[Status::Wrong]))) };
    let cells = vec![
        Cell::text(lib),
        Cell::text(scheme),
        Cell::count(Some(verified.len() as u64)),
        Cell::count(Some(asked.len() as u64)),
        wrong,
        not_verified(Status::NoiseExhausted),
        not_verified(Status::Failed),
        not_verified(Status::Unsupported),
    ];
    let cases: Vec<usize> = found.iter().map(|(case, _)| *case).collect();
    table.push_summary(&cases, cells);
}

fn listed(ops: &[&str]) -> String {
    let shown = ops.iter().take(NAMES).copied().collect::<Vec<_>>().join(" ");
    match ops.len().saturating_sub(NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Returns a sentence for each scheme that only some of the libraries have.
fn absent(catalog: &Catalog, schemes: &[&str]) -> Vec<String> {
    let has = |lib: &str, scheme: &str| {
        catalog.entries.iter().any(|entry| entry.lib == lib && entry.case.scheme == scheme)
    };
    let sentence = |scheme: &&str| {
        let without: Vec<&str> =
            catalog.libs.iter().map(String::as_str).filter(|lib| !has(lib, scheme)).collect();
        (!without.is_empty()).then(|| format!("No {scheme} in this run: {}.", without.join(", ")))
    };
    schemes.iter().filter_map(sentence).collect()
}
