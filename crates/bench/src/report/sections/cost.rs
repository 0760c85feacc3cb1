//! Cost: the price of a million operations on a machine whose hourly price the reader states.

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::Section;
use crate::report::format;
use crate::report::table::{Cell, Table};

/// Operations in a million, divided by the seconds of an hour.
const MILLION_SECONDS: f64 = 1e6 / 3600.0;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let price = catalog.extras.price_per_hour?;
    let columns = [
        "operation",
        "library",
        "scheme",
        "parameters",
        "lane",
        "operations per second#",
        "USD per million#",
    ];
    let mut table = Table::new("Cost", &columns);
    for (case, entry) in catalog.entries.iter().enumerate().filter(|(_, e)| e.is_ranked()) {
        let Some(rate) = rate(entry) else { continue };
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::text(&entry.params),
            Cell::text(entry.lane()),
            Cell::number(Some(rate), format::rate),
            Cell::number(Some(cost(price, rate)), |usd| format!("{usd:.3e}")),
        ];
        table.push(case, entry, cells);
    }
    if table.rows.is_empty() {
        return None;
    }
    Some(Section {
        id: "cost",
        title: "Cost",
        lead: format!(
            "The price of a million operations if the whole machine costs {price} USD an hour and \
             does nothing else than the row, at the measured rate. A row on one thread leaves the \
             other cores idle and is therefore an upper bound."
        ),
        table: Some(table),
        ..Section::default()
    })
}

/// Returns the operations per second of a case, over all its threads.
fn rate(entry: &Entry) -> Option<f64> {
    let computed = || Some(entry.threads() as f64 * 1e9 / entry.median()?);
    entry.case.derived.ops_per_s.filter(|rate| *rate > 0.0).or_else(computed)
}

/// Returns the price of a million operations at `price` an hour and `rate` operations a second.
fn cost(price: f64, rate: f64) -> f64 {
    price * MILLION_SECONDS / rate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousand_operations_a_second_cost_a_fraction_of_an_hour_a_million() {
        // A million operations take 1000 s, 1000/3600 of an hour.
        assert!((cost(3.6, 1000.0) - 1.0).abs() < 1e-12);
    }
}
