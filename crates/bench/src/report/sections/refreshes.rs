//! Bootstrapping of CKKS: what it takes and leaves, in every library.

use fathom_cases::record::{KeySecurity, Refresh};

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::Section;
use crate::report::table::{Cell, Table};

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let columns = [
        "library",
        "parameters",
        "time#",
        "slots#",
        "levels#",
        "usable bits#",
        "usable bits x slots / s#",
        "worst slot, uniform, log2#",
        "worst slot, ones, log2#",
        "bound, log2#",
        "security of published keys",
        "keys#",
        "peak memory#",
    ];
    let mut table = Table::new("Bootstrapping of CKKS", &columns);
    for (case, entry) in catalog.entries.iter().enumerate() {
        if let Some(refresh) = entry.case.derived.refresh.as_ref().filter(|_| !entry.is_unproven())
        {
            table.push(case, entry, cells(entry, refresh));
        }
    }
    if table.rows.is_empty() {
        return None;
    }
    Some(Section {
        id: "refreshes",
        title: "Bootstrapping of CKKS",
        lead: "One bootstrapping, from the last level to the top one. Levels are products until \
               the next bootstrapping, and usable bits are levels times the bits of the scale. \
               The worst slot is the largest error of a slot, for a message uniform in the unit \
               disc and for one that is 1 everywhere, decrypted and compared here; the bound is \
               the one that the result carries. Every published key is judged at the length of its \
               modulus, by the same rule for all libraries: the table or the estimator for 128 \
               bits, and 16 bits more for a secret below 64 nonzero coefficients."
            .into(),
        table: Some(table),
        ..Section::default()
    })
}

fn cells(entry: &Entry, refresh: &Refresh) -> Vec<Cell> {
    let power = |log2: f64| Cell::number(Some(log2), |log2| format!("{log2:.1}"));
    let keys: Vec<String> = refresh.keys.iter().map(KeySecurity::to_string).collect();
    vec![
        Cell::text(&entry.lib),
        Cell::text(&entry.params),
        Cell::time(entry.median()),
        Cell::count(Some(entry.case.lane.slots as u64)),
        Cell::number(Some(refresh.levels), |levels| format!("{levels}")),
        Cell::number(Some(refresh.usable_bits), |bits| format!("{bits}")),
        Cell::number(Some(refresh.usable_bits_per_s), |rate| format!("{:.2} M", rate / 1e6)),
        power(refresh.uniform_error_log2),
        power(refresh.ones_error_log2),
        refresh.error_bound_log2.map_or_else(Cell::absent, power),
        Cell::text(keys.join("; ")),
        Cell::size(entry.case.bytes.bootstrapping),
        Cell::size(entry.case.bytes.peak_rss),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;
    use serde_json::{Value, json};

    fn case(lib: &str, status: &str, bound: Option<f64>, granted: bool) -> Value {
        let keys = json!([
            {"purpose": "raised modulus", "secret": "ternary", "log2": 852.3, "bits": 128.04,
                "granted": granted},
            {"purpose": "to the sparse secret", "secret": "sparse_ternary:32", "log2": 91.6,
                "bits": 146.2, "granted": true},
        ]);
        let refresh = json!({
            "levels": 4.0, "usable_bits": 152.0, "usable_bits_per_s": 2_500_000.0,
            "uniform_error_log2": -19.96, "ones_error_log2": -7.34, "error_bound_log2": bound,
            "keys": keys,
        });
        json!({
            "lib": {"name": lib}, "op": "bootstrap", "scheme": "ckks", "params": {"name": "boot-c"},
            "lane": {"slots": 16384}, "verify": {"status": status},
            "derived": {"refresh": refresh}, "bytes": {"peak_rss": 3_000_000_000_u64},
        })
    }

    #[test]
    fn bootstrappings_of_all_libraries_stand_in_one_table_and_wrong_ones_do_not() {
        let cases = vec![
            case("fathom", "ok", Some(-18.2), true),
            case("lattigo", "ok", None, false),
            case("poulpy", "wrong", None, true),
            json!({"op": "mul", "scheme": "ckks"}),
        ];
        let catalog = catalog_of(cases);
        let table = section(&catalog).unwrap().table.unwrap();
        let shown: Vec<Vec<&str>> = table
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect())
            .collect();
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0][4..10], ["4", "152", "2.50 M", "-20.0", "-7.3", "-18.2"]);
        assert_eq!(shown[0][10], "128 at 852 bits; 146 at 92 bits, weight 32");
        assert_eq!((shown[1][0], shown[1][9]), ("lattigo", "\u{2013}"));
        assert!(shown[1][10].starts_with("128 at 852 bits (128 not granted)"), "{}", shown[1][10]);
    }
}
