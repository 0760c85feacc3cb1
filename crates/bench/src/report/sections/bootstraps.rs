//! Bootstraps: their number in each operation, the output noise and the failure probability.

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::Section;
use crate::report::format;
use crate::report::table::{Cell, Table};

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let columns = [
        "operation",
        "library",
        "parameters",
        "lane",
        "bootstraps#",
        "layers#",
        "noise variance, log2#",
        "predicted variance, log2#",
        "noise samples#",
        "p_fail at most, log2#",
        "failures#",
        "checked#",
    ];
    let mut table = Table::new("Bootstraps, noise and failures", &columns);
    for (case, entry) in catalog.entries.iter().enumerate().filter(|(_, entry)| is_torus(entry)) {
        table.push(case, entry, cells(entry));
    }
    if table.rows.is_empty() {
        return None;
    }
    let notes = table.take_constants(&[("lane", "Lane"), ("parameters", "Parameters")]);
    Some(Section {
        id: "bootstraps",
        title: "Bootstraps",
        lead: "The number of blind rotations in one call, and the number of sequential batches \
               (layers) in which they run. The noise variance of the results is measured with the \
               secret key; the predicted variance comes from the library's noise model. Both are \
               relative to the modulus. p_fail bounds the probability of any failure within the \
               operation; failures are wrong values among those decrypted and checked."
            .into(),
        table: Some(table),
        notes,
        ..Section::default()
    })
}

/// Returns true for cases of torus schemes, whose results may be wrong with a small probability.
pub(super) fn is_torus(entry: &Entry) -> bool {
    entry.case.params.as_ref().is_some_and(|params| params.torus.is_some())
}

fn cells(entry: &Entry) -> Vec<Cell> {
    let verify = &entry.case.verify;
    let noise = verify.noise_variance;
    let power = |log2: Option<f64>| Cell::number(log2, |log2| format!("{log2:.2}"));
    vec![
        Cell::code(&entry.case.op),
        Cell::text(&entry.lib),
        Cell::text(&entry.params),
        Cell::text(entry.lane()),
        Cell::number(verify.bootstraps.map(|found| found.count), format::significant),
        Cell::number(verify.bootstraps.map(|found| found.layers), format::significant),
        power(noise.map(|found| found.measured_log2)),
        power(noise.map(|found| found.model_log2)),
        Cell::count(noise.map(|found| found.n)),
        Cell::bits(verify.p_fail_log2.map(|rate| rate.predicted)),
        Cell::count(Some(verify.mismatches)),
        Cell::count(Some(verify.checked)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;
    use serde_json::json;

    #[test]
    fn torus_cases_have_a_row_each_and_others_none() {
        let key = json!({
            "dimension": 900, "log_q": 64.0, "secret": "binary", "deviation_log2": -20.0,
        });
        let info = json!({
            "family": "U", "message_bits": 2, "carry_bits": 2, "lwe": key, "glwe": key,
        });
        let torus = json!({
            "op": "ks_pbs", "scheme": "tfhe", "params": {"name": "x", "torus": info},
            "verify": {"bootstraps": {"count": 7.0, "layers": 2.0}, "mismatches": 0, "checked": 80,
                "noise_variance": {"n": 80, "measured_log2": -13.31, "model_log2": -13.02},
                "p_fail_log2": {"predicted": -128.0, "observed": {"fail": 0, "n": 80}}},
        });
        let other = json!({"op": "mul", "scheme": "bfv", "params": {"name": "e1"}});
        let catalog = catalog_of([torus, other]);
        let table = section(&catalog).unwrap().table.unwrap();
        assert_eq!(table.rows.len(), 1);
        let shown: Vec<&str> = table.rows[0].cells.iter().map(|cell| cell.text.as_str()).collect();
        for text in ["7.00", "2.00", "-13.31", "-13.02", "0", "80"] {
            assert!(shown.contains(&text), "{text} in {shown:?}");
        }
    }
}
