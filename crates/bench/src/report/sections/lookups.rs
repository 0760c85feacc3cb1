//! Tables that a bootstrapping applies to all values of a ciphertext, in every library.

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::Section;
use crate::report::table::{Cell, Table};

/// The names of the operations in this section begin with one of these words.
const NAMES: [&str; 2] = ["table", "sign_slots"];

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let columns = [
        "library",
        "parameters",
        "operation",
        "time#",
        "values in a call#",
        "time a value#",
        "modulus of keys, log2#",
        "keys#",
        "peak memory#",
    ];
    let mut table = Table::new("Tables by bootstrapping", &columns);
    for (case, entry) in catalog.entries.iter().enumerate().filter(|(_, entry)| is_lookup(entry)) {
        table.push(case, entry, cells(entry));
    }
    if table.rows.is_empty() {
        return None;
    }
    Some(Section {
        id: "lookups",
        title: "Tables by bootstrapping",
        lead: "Functions of small integers that a bootstrapping applies to all values of a \
               ciphertext. Operands include every integer of the table, functions are random, and \
               every result is decrypted and is the right integer. The time a value is that of one \
               call divided by the values of all ciphertexts in it; `x4` computes four functions."
            .into(),
        table: Some(table),
        ..Section::default()
    })
}

fn is_lookup(entry: &Entry) -> bool {
    let named = NAMES.iter().any(|name| entry.case.op.starts_with(name));
    let bootstraps = entry.case.bytes.bootstrapping.is_some();
    named && bootstraps && !entry.is_unproven() && entry.median().is_some()
}

fn cells(entry: &Entry) -> Vec<Cell> {
    // A call takes two integers in every slot, or several ciphertexts.
    let each = entry.case.derived.ns_per_slot;
    let values = entry.median().zip(each).map(|(time, each)| (time / each).round() as u64);
    // Parameters of exact schemes are those of users, whose keys are others.
    let modulus = entry.number(|params| params.log_qp).filter(|_| entry.case.scheme == "ckks");
    vec![
        Cell::text(&entry.lib),
        Cell::text(&entry.params),
        Cell::code(&entry.case.op),
        Cell::time(entry.median()),
        Cell::count(values),
        Cell::time(each),
        Cell::number(modulus, |bits| format!("{bits:.0}")),
        Cell::size(entry.case.bytes.bootstrapping),
        Cell::size(entry.case.bytes.peak_rss),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;
    use serde_json::{Value, json};

    fn case(lib: &str, op: &str, status: &str, keys: Option<u64>) -> Value {
        json!({
            "lib": {"name": lib}, "op": op, "scheme": "ckks",
            "params": {"name": "a", "log_qp": 1536.2}, "lane": {"slots": 32_768},
            "time_ns": {"median": 6_553_600_000_u64, "n": 3}, "derived": {"ns_per_slot": 1e5},
            "verify": {"status": status}, "bytes": {"bootstrapping": keys},
        })
    }

    #[test]
    fn tables_of_all_libraries_have_their_time_a_value_and_wrong_ones_are_left_out() {
        let cases = vec![
            case("fathom", "table8", "ok", Some(1_000_000_000)),
            case("openfhe", "table", "ok", Some(7_000_000_000)),
            case("openfhe", "table", "wrong", Some(7_000_000_000)),
            case("fathom", "table_of_prices", "ok", None),
            case("fathom", "bootstrap", "ok", Some(1_000_000_000)),
        ];
        let catalog = catalog_of(cases);
        let table = section(&catalog).unwrap().table.unwrap();
        let shown: Vec<Vec<&str>> = table
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect())
            .collect();
        assert_eq!(shown.len(), 2);
        assert!(shown.iter().any(|row| row[..3] == ["fathom", "a", "table8"]), "{shown:?}");
        assert!(shown.iter().any(|row| row[..3] == ["openfhe", "a", "table"]), "{shown:?}");
        for row in shown {
            assert!(row[4].starts_with("65") && row[5].starts_with("100"), "{row:?}");
            assert_eq!(row[6], "1536");
        }
    }
}
