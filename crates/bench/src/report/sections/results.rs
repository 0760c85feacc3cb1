//! Every case of the report, sortable.

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::Section;
use crate::report::format;
use crate::report::table::{Cell, Table};

#[expect(clippy::unnecessary_wraps, reason = "the sections share one signature")]
pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let columns = [
        "operation",
        "library",
        "scheme",
        "parameters",
        "lane",
        "status",
        "median#",
        "95 % interval#",
        "n#",
        "min#",
        "noise left (bits)#",
        "bootstraps#",
        "ciphertext#",
        "security (bits)#",
        "provenance",
        "remarks",
    ];
    let mut table = Table::new("All results", &columns);
    for (case, entry) in catalog.entries.iter().enumerate() {
        table.push(case, entry, cells(entry));
    }
    let notes = table.take_constants(&[("lane", "Lane"), ("provenance", "Provenance")]);
    Some(Section {
        id: "results",
        title: "All results",
        lead:
            "One row per case. Click a heading to sort by it, or a row to see its samples in the \
               order in which they were taken. Grey rows are not ranked."
                .into(),
        table: Some(table),
        notes,
        ..Section::default()
    })
}

fn cells(entry: &Entry) -> Vec<Cell> {
    let case = &entry.case;
    let time = case.time_ns.as_ref();
    let mut remarks = time.map(|time| time.flags.clone()).unwrap_or_default();
    remarks.extend(entry.character());
    remarks.extend(case.verify.reason.clone());
    vec![
        Cell::code(&case.op),
        Cell::text(&entry.lib),
        Cell::text(&case.scheme),
        Cell::text(&entry.params),
        Cell::text(entry.lane()),
        Cell::status(case.verify.status),
        Cell::time(entry.median()),
        Cell::interval(entry),
        Cell::count(Some(entry.samples()).filter(|n| *n > 0)),
        Cell::time(time.map(|time| time.min as f64).filter(|min| *min > 0.0)),
        Cell::bits(case.verify.noise_budget_bits.after),
        Cell::number(case.verify.bootstraps.map(|found| found.count), format::significant),
        Cell::size(case.bytes.ct_out),
        security(entry),
        Cell::text(&case.provenance),
        Cell::text(remarks.join(", ")),
    ]
}

/// Returns the cell of the bits, or of the badge if there are none.
fn security(entry: &Entry) -> Cell {
    match entry.security_bits() {
        Some(bits) => Cell::bits(Some(bits)),
        None => Cell::text(entry.security().map_or("", |security| &security.badge)),
    }
}
