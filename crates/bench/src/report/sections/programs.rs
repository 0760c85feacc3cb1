//! Whole programs: their costs, and the planner's predictions against the measurements.

use fathom_cases::record::{ACCURATE, Application, deviation};
use serde_json::{Map, Value, json};

use crate::report::catalog::{Catalog, Entry};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::table::{Cell, Table};

const HEIGHT_PX: u32 = 320;

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    let programs: Vec<Program<'_>> = catalog
        .entries
        .iter()
        .enumerate()
        .filter_map(|(case, entry)| Program::of(case, entry))
        .collect();
    if programs.is_empty() {
        return None;
    }
    let predicted: Vec<_> =
        programs.iter().filter(|program| program.deviation().is_some()).collect();
    let figures = if predicted.is_empty() { Vec::new() } else { vec![figure(catalog, &predicted)] };
    Some(Section {
        id: "programs",
        title: "Whole programs",
        lead: "Programs on encrypted data in three processes: a client, a server without the \
               secret key, and a verifier. Computation is the median of the warm computations; \
               memory is the peak of the server. The planner predicts from the unit costs of \
               this machine and a simulation of the program, without running it."
            .into(),
        figures,
        table: Some(table(&programs)),
        notes: note(&predicted).into_iter().collect(),
        ..Section::default()
    })
}

/// A case that is a whole program.
struct Program<'a> {
    case: usize,
    entry: &'a Entry,
    application: &'a Application,
}

impl<'a> Program<'a> {
    fn of(case: usize, entry: &'a Entry) -> Option<Self> {
        Some(Self { case, entry, application: entry.case.application.as_ref()? })
    }

    /// Returns the deviation of the predicted time relative to the measured one.
    fn deviation(&self) -> Option<f64> {
        self.application.deviation()
    }
}

fn note(predicted: &[&Program<'_>]) -> Option<String> {
    let deviations = predicted.iter().filter_map(|program| program.deviation());
    let accurate = deviations.filter(|deviation| deviation.abs() <= ACCURATE).count();
    (!predicted.is_empty()).then(|| {
        let count = predicted.len();
        format!("{accurate} of {count} predicted times are within {} %.", ACCURATE * 100.0)
    })
}

fn table(programs: &[Program<'_>]) -> Table {
    let columns = [
        "program",
        "size",
        "library",
        "scheme",
        "threads#",
        "keys#",
        "upload#",
        "computation#",
        "predicted#",
        "deviation#",
        "memory#",
        "predicted memory#",
        "deviation of memory#",
        "download#",
    ];
    let mut table = Table::new("Whole programs", &columns);
    for Program { case, entry, application } in programs {
        let Application { phases, messages, predicted, .. } = application;
        let size = |bytes: u64| Cell::bytes(Some(bytes as f64));
        let percent = |value: Option<f64>| Cell::number(value, signed_percent);
        let memory = predicted.map(|predicted| predicted.server_peak_bytes);
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&application.task.size),
            Cell::text(&entry.lib),
            Cell::text(&entry.case.scheme),
            Cell::count(Some(entry.op_threads())),
            size(messages.keys),
            size(messages.upload),
            Cell::time(Some(phases.compute_warm_ns as f64)),
            Cell::time(predicted.map(|predicted| predicted.compute_ns as f64)),
            percent(application.deviation()),
            size(application.server_peak_bytes),
            Cell::bytes(memory.map(|bytes| bytes as f64)),
            percent(memory.and_then(|bytes| deviation(bytes, application.server_peak_bytes))),
            size(messages.download),
        ];
        table.push(*case, entry, cells);
    }
    table
}

fn figure(catalog: &Catalog, programs: &[&Program<'_>]) -> Figure {
    let columns = ["program", "size", "library", "threads#", "measured#", "predicted#"];
    let mut table = Table::new("Predicted and measured times", &columns);
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for program in programs {
        let Program { case, entry, application } = program;
        let measured = application.phases.compute_warm_ns as f64;
        let predicted = application.predicted.map(|predicted| predicted.compute_ns as f64);
        let mut row = chart::row(*case, entry);
        row.insert("measured".into(), json!(measured));
        row.insert("predicted".into(), json!(predicted));
        row.insert("deviation".into(), program.deviation().map(signed_percent).into());
        rows.push(row);
        let cells = vec![
            Cell::code(&entry.case.op),
            Cell::text(&application.task.size),
            Cell::text(&entry.lib),
            Cell::count(Some(entry.op_threads())),
            Cell::time(Some(measured)),
            Cell::time(predicted),
        ];
        table.push(*case, entry, cells);
    }
    Figure {
        id: "chart-programs".into(),
        question: String::new(),
        title: "Predicted and measured times of a computation".into(),
        legend: chart::legend(catalog, programs.iter().map(|program| program.entry)),
        spec: spec(catalog, &rows),
        table,
    }
}

/// Draws the predicted over the measured time, with the line on which both are equal.
fn spec(catalog: &Catalog, rows: &[Map<String, Value>]) -> Value {
    let scale = chart::log_scale(10);
    let titled = |field: &str, title: &str| {
        let mut channel = chart::time(field, &scale);
        channel["axis"]["title"] = title.into();
        channel
    };
    let x = titled("measured", "measured");
    let place = json!({ "x": x, "y": titled("predicted", "predicted") });
    let equal = json!({
        "mark": { "type": "line", "strokeWidth": 1.0, "strokeDash": [4, 3], "opacity": 0.5 },
        "encoding": { "x": x, "y": titled("measured", "predicted") },
    });
    let extra = [("deviation", "deviation")];
    let layers = json!([equal, chart::dots(catalog, place, &extra)]);
    chart::spec(rows, &HEIGHT_PX.into(), &layers)
}

fn signed_percent(deviation: f64) -> String {
    let sign = if deviation < 0.0 { "−" } else { "+" };
    format!("{sign}{}", format::percent(deviation.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::catalog_of;

    fn program(size: &str, measured: u64, predicted: Option<u64>) -> Value {
        let predicted = predicted.map(|compute_ns| fathom_cases::record::Predicted {
            compute_ns,
            server_peak_bytes: 120,
            ..fathom_cases::record::Predicted::default()
        });
        let application = json!({
            "task": { "workload": "sort", "variant": "plain", "size": size, "shape": {} },
            "method": "m", "seeds": [1], "parameters": "p",
            "phases": { "keygen_ns": 1, "keys_ns": 1, "encrypt_ns": 1, "load_ns": 1,
                "compute_cold_ns": 1, "compute_warm_ns": measured, "answer_ns": 1,
                "decrypt_ns": 1 },
            "messages": { "keys": 1, "upload": 1, "download": 1 },
            "client_peak_bytes": 1, "server_peak_bytes": 100,
            "predicted": predicted,
        });
        json!({ "op": "sort-plain", "scheme": "tfhe", "application": application })
    }

    #[test]
    fn predictions_stand_beside_measurements_and_operations_are_no_programs() {
        let other = json!({ "op": "mul", "scheme": "bfv" });
        let cases = vec![
            program("tiny", 2_000_000, Some(2_500_000)),
            program("small", 10_000_000, Some(5_000_000)),
            program("large", 10_000_000, None),
            other,
        ];
        let catalog = catalog_of(cases);
        let section = section(&catalog).unwrap();
        assert_eq!(section.notes, ["1 of 2 predicted times are within 30 %."]);
        let rows = &section.table.unwrap().rows;
        assert_eq!(rows.len(), 3);
        let shown: Vec<&str> = rows[0].cells.iter().map(|cell| cell.text.as_str()).collect();
        for text in ["sort-plain", "tiny", "2.00 ms", "2.50 ms", "+25 %", "120 B", "+20 %"] {
            assert!(shown.contains(&text), "{text} in {shown:?}");
        }
        assert_eq!(section.figures[0].table.rows.len(), 2);
        let drawn = section.figures[0].spec["data"]["values"].as_array().unwrap();
        assert_eq!(drawn[1]["deviation"], "−50 %");
    }

    #[test]
    fn a_run_without_programs_has_no_section() {
        let other = json!({ "op": "mul", "scheme": "bfv" });
        let catalog = catalog_of([other]);
        assert!(section(&catalog).is_none());
    }
}
