//! Integers: the time of each operation by width.

use fathom_drivers::ops::torus::{CarryMode, IntegerOp, IntegerType};

use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::Section;
use crate::report::table::{Cell, Table};

/// The properties that the cases of one row share.
#[derive(Clone, PartialEq)]
struct Row {
    operation: &'static str,
    operands: &'static str,
    signed: bool,
    library: String,
    params: String,
    lane: String,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let cases: Vec<(Row, IntegerOp, usize, &Entry)> =
        catalog.entries.iter().enumerate().filter_map(integer).collect();
    if cases.is_empty() {
        return None;
    }
    let columns = [
        "operation",
        "operands",
        "library",
        "parameters",
        "lane",
        "8 bits#",
        "16 bits#",
        "32 bits#",
        "64 bits#",
        "128 bits#",
        "256 bits#",
    ];
    let mut table = Table::new("Integers by width", &columns);
    for row in distinct(cases.iter().map(|(row, ..)| row.clone())) {
        let of_row: Vec<_> = cases.iter().filter(|(other, ..)| *other == row).collect();
        let at = |bits: u16| of_row.iter().find(|(_, op, ..)| op.ty.bits() == u32::from(bits));
        let times =
            IntegerType::PUBLISHED.map(|bits| Cell::time(at(bits).and_then(|c| c.3.median())));
        let numbers: Vec<usize> = of_row.iter().map(|(_, _, case, _)| *case).collect();
        let sign = if row.signed { "signed" } else { "unsigned" };
        let mut cells = vec![
            Cell::code(row.operation),
            Cell::text(format!("{}, {sign}", row.operands)),
            Cell::text(row.library),
            Cell::text(row.params),
            Cell::text(row.lane),
        ];
        cells.extend(times);
        table.push_summary(&numbers, cells);
    }
    let notes = table.take_constants(&[("lane", "Lane"), ("parameters", "Parameters")]);
    Some(Section {
        id: "integers",
        title: "Integers",
        lead: "Median time of one operation on encrypted machine integers. Intervals, bootstraps \
               and verification of each case are listed under all results."
            .into(),
        table: Some(table),
        notes,
        ..Section::default()
    })
}

fn integer((case, entry): (usize, &Entry)) -> Option<(Row, IntegerOp, usize, &Entry)> {
    let op = IntegerOp::parse(&entry.case.op).filter(|_| !entry.is_unproven())?;
    entry.median()?;
    // The other widths are among all results.
    IntegerType::PUBLISHED.iter().find(|bits| u32::from(**bits) == op.ty.bits())?;
    let operands = match (op.mode, op.kind.arity(), op.scalar) {
        (CarryMode::Unchecked, ..) => "both encrypted, unchecked",
        (CarryMode::Checked, ..) => "both encrypted, checked",
        (CarryMode::Smart, ..) => "both encrypted, smart",
        (CarryMode::Default, 1, _) => "one encrypted",
        (CarryMode::Default, _, true) => "right operand clear",
        (CarryMode::Default, _, false) => "both encrypted",
    };
    let row = Row {
        operation: op.kind.stem(),
        operands,
        signed: op.ty.is_signed(),
        library: entry.lib.clone(),
        params: entry.params.clone(),
        lane: entry.lane(),
    };
    Some((row, op, case, entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;
    use serde_json::{Value, json};

    #[test]
    fn widths_of_one_operation_share_a_row_and_wrong_results_have_none() {
        let case = |op: &str, status: &str| {
            json!({
                "op": op, "scheme": "tfhe", "time_ns": { "median": 1_000_000 },
                "verify": { "status": status },
            })
        };
        let names = ["add_u8", "add_u64", "add_u64_scalar", "add_i64", "nand"];
        let mut cases: Vec<Value> = names.iter().map(|name| case(name, "ok")).collect();
        cases.push(case("add_u16", "wrong"));
        cases.push(case("add_u12", "ok"));
        cases.push(case("add_u64_smart", "ok"));
        let catalog = catalog_of(cases);
        let table = section(&catalog).unwrap().table.unwrap();
        assert_eq!(table.rows.len(), 4, "a mode has a row of its own");
        let shown: Vec<usize> = table.rows.iter().map(|row| row.cases.len()).collect();
        assert_eq!(shown.iter().sum::<usize>(), 5);
        assert!(shown.contains(&2), "8 and 64 bits");
    }
}
