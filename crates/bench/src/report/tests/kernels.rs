//! Sections of kernels and of published claims.

use fathom_cases::record;
use serde_json::{Value, json};

use super::super::{Extras, sections};
use super::{lines, sample, section, text};
use crate::report::terminal::verdict::verdict;

/// A run of two instruction sets; the figures are invented.
fn kernels() -> String {
    let mut lines = lines(&sample::engine_run());
    lines.truncate(2);
    let template = lines.pop().unwrap();
    let row = |set: &str, op: &str, ns: u64, multiplications: Option<f64>| {
        let mut case = template.clone();
        let id = format!("kernel/{set}-n4096/{op}");
        case["id"] = format!("fathom/{id}").into();
        case["question"] = id.into();
        case["scheme"] = "kernel".into();
        case["op"] = op.into();
        case["params"] = Value::Null;
        case["security"] = Value::Null;
        case["time_ns"]["median"] = ns.into();
        case["time_ns"]["ci95"] = json!([ns, ns]);
        let limit = if set == "ifma" { 20.0 } else { 5.0 };
        case["derived"]["roofline"] = json!({
            "multiplications": multiplications, "bytes": 64_000.0,
            "multiplication_limit": multiplications.map(|_| limit), "byte_limit": 80.0,
        });
        case
    };
    lines.push(row("avx2", "ntt_forward", 20_000, Some(72_000.0)));
    lines.push(row("ifma", "ntt_forward", 4_000, Some(72_000.0)));
    lines.push(row("ifma", "multiply", 1_000, Some(16_000.0)));
    lines.push(row("avx2", "fourier", 3_200, None));
    text(&lines)
}

#[test]
fn kernels_stand_below_the_limits_of_their_instruction_set() {
    let roofline = section(&kernels(), "roofline").unwrap();
    let figure = &roofline.figures[0];
    let rows = figure.spec["data"]["values"].as_array().unwrap();
    let points: Vec<&Value> = rows.iter().filter(|row| row["rate"].is_f64()).collect();
    assert_eq!(points.len(), 3, "a kernel without counted multiplications has no place");
    let ifma = points.iter().find(|row| row["set"] == "ifma" && row["rate"] == 18.0).unwrap();
    assert_eq!(
        (&ifma["intensity"], &ifma["share"]),
        (&json!(1.125), &json!("90 % of multiplication"))
    );
    let levels: Vec<&Value> = rows.iter().filter(|row| row["limit"] == 20.0).collect();
    assert!(!levels.is_empty() && levels.iter().all(|row| row["set"] == "ifma"));
    assert_eq!(figure.table.rows.len(), 4);
    let product = figure.table.rows.iter().find(|row| row.cells[0].text == "multiply").unwrap();
    let texts: Vec<&str> = product.cells[5..].iter().map(|cell| cell.text.as_str()).collect();
    assert_eq!(texts, ["80 %", "80 %", "multiplication"]);
    assert!(section(&sample::engine_run(), "roofline").is_none());
}

#[test]
fn the_verdict_of_kernels_names_the_nearest_limit_of_each_operation() {
    let (_, cases) = record::read(&kernels()).unwrap();
    let text = verdict(&cases, 0.0, false);
    let line = |op: &str| {
        let line = text.lines().find(|line| line.starts_with(op)).unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("ntt_forward"), "ntt_forward ifma-n4096 4.00 us 90 % multiplication");
    assert_eq!(line("fourier"), "fourier avx2-n4096 3.20 us 25 % bandwidth");
    assert!(text.contains("% of limit  nearest limit"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn claims_stand_beside_what_was_measured_with_their_doubts() {
    let run = include_str!("../../../../../records/quick-2026-11-20.jsonl");
    let claims = section(run, "claims").unwrap();
    let table = claims.table.as_ref().unwrap();
    let place = |title: &str| {
        let found = table.columns.iter().position(|column| column.title == title);
        found.unwrap_or_else(|| panic!("no column {title}"))
    };
    let [claim, measured, samples] = ["claim", "measured here", "samples"].map(place);
    let [outcome, remark] = ["outcome", "remark"].map(place);
    let row = |name: &str| {
        let mut rows = table.rows.iter().filter(|row| row.cells[claim].text == name);
        rows.next().unwrap_or_else(|| panic!("the record has {name} of document 000"))
    };
    // The document prints another degree, and its products may use 8 threads each.
    for (name, doubt) in [("bfv/shallow/ct_size_est_bytes", "4096"), ("bfv/shallow/mul", "8")] {
        let row = row(name);
        assert_eq!(row.cells[outcome].text, "stands in", "{name}");
        assert!(row.cells[remark].text.contains(doubt), "{}", row.cells[remark].text);
        assert!(row.cells[measured].value.parse::<f64>().is_ok(), "{name}");
    }
    assert!(row("bfv/shallow/mul").cells[samples].text.starts_with("n "), "times have intervals");
    // What only stands in has no ratio, and no row of this run is like for like.
    assert!(table.columns.iter().all(|column| column.title != "printed / measured"));
    assert!(claims.notes.iter().any(|note| note.starts_with("Document 000 (PVAC-HFHE")));
    assert!(!claims.open, "the section is folded");
    assert!(section(&kernels(), "claims").is_none());
}

#[test]
fn the_history_shows_cases_that_several_runs_have() {
    let run = sample::engine_run();
    let (_, cases) = record::read(&run).unwrap();
    let mul = cases.iter().find(|case| case.op == "mul").unwrap();
    let mut history = record::History::default();
    let run_at = |started: &str| record::RunStart { started: started.into(), run_id: "1".into() };
    for (started, ns) in [("2026-11-21T00:00:00Z", 500), ("2026-11-20T00:00:00Z", 1000)] {
        history.add(&mul.id, run_at(started), ns);
    }
    history.add("fathom/gone/e1/mul", run_at("2026-11-20T00:00:00Z"), 7);
    history.add(&cases[0].id, run_at("2026-11-20T00:00:00Z"), 7);
    let with = |history| {
        let extras = Extras { history, ..Extras::default() };
        let catalog = crate::report::catalog(&run, extras).unwrap();
        sections::all(&catalog).into_iter().find(|section| section.id == "history")
    };
    let section = with(history).unwrap();
    let figure = &section.figures[0];
    let rows = figure.spec["data"]["values"].as_array().unwrap();
    let relative: Vec<f64> = rows.iter().map(|row| row["relative"].as_f64().unwrap()).collect();
    assert_eq!(relative, [1.0, 0.5]);
    let texts: Vec<&str> = figure.table.rows[0].cells.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, [&*mul.id, "2", "1.00 µs", "500 ns", "0.500", "500 ns"]);
    assert!(section.lead.contains("2 runs"), "{}", section.lead);
    assert!(with(record::History::default()).is_none());
}
