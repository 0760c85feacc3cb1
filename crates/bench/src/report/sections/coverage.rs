//! Coverage: what each library has of what was asked, and what is missing.

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::Section;
use crate::report::input::Status;
use crate::report::table::{Cell, Table};

/// Most names of operations in a cell.
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
        lead:
            "How many of the operations of each scheme a library answered with verified results. \
               A library that is slow in one place and absent in another is not judged by the \
               place where it is fast alone."
                .into(),
        notes: absent(catalog, &schemes),
        table: Some(table),
        ..Section::default()
    })
}

/// The row of a library in a scheme, unless it has nothing there.
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

/// Schemes that some libraries have and others have not, a sentence each.
fn absent(catalog: &Catalog, schemes: &[&str]) -> Vec<String> {
    let has = |lib: &str, scheme: &str| {
        catalog.entries.iter().any(|entry| entry.lib == lib && entry.case.scheme == scheme)
    };
    let sentence = |scheme: &&str| {
        let without: Vec<&str> =
            catalog.libs.iter().map(String::as_str).filter(|lib| !has(lib, scheme)).collect();
        (!without.is_empty()).then(|| format!("Without {scheme} here: {}.", without.join(", ")))
    };
    schemes.iter().filter_map(sentence).collect()
}
