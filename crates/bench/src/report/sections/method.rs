//! Method and environment: the conditions of the measurements.

use serde_json::Value;

use crate::report::catalog::{Catalog, distinct};
use crate::report::format;
use crate::report::input::Context;
use crate::report::table::{Cell, Table};

/// The conditions of the measurements, one block per run.
pub(crate) struct Method {
    pub(crate) runs: Vec<RunFacts>,
    pub(crate) libraries: Table,
}

/// The recorded facts of one run.
pub(crate) struct RunFacts {
    pub(crate) title: String,
    pub(crate) line: String,
    pub(crate) command: String,
    pub(crate) warnings: Vec<Caution>,
    pub(crate) machine: Table,
}

/// A warning and its remedy.
pub(crate) struct Caution {
    pub(crate) code: String,
    pub(crate) text: String,
    pub(crate) fix: String,
}

impl Method {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let several = catalog.contexts.len() > 1;
        let facts = |(number, context): (usize, &Context)| RunFacts {
            title: if several { format!("Run {}", number + 1) } else { "This run".into() },
            line: machine_line(context),
            command: command(context),
            warnings: context.warnings.iter().map(caution).collect(),
            machine: machine(context),
        };
        Self {
            runs: catalog.contexts.iter().enumerate().map(facts).collect(),
            libraries: libraries(catalog),
        }
    }
}

fn caution(warning: &crate::report::input::Warning) -> Caution {
    let [code, text, fix] = [&warning.code, &warning.text, &warning.fix].map(Clone::clone);
    Caution { code, text, fix }
}

/// Returns the run in one line: date, machine and build.
fn machine_line(context: &Context) -> String {
    let machine = |name: &str| context.machine.get(name);
    let cores = machine("cores").and_then(Value::as_u64).map(|cores| match cores {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    });
    let tool = &context.tool;
    let build = [tool.version.as_str(), tool.git.as_str(), tool.profile.as_str()];
    let build: Vec<&str> = build.into_iter().filter(|word| !word.is_empty()).collect();
    let parts = [
        (!context.started.is_empty()).then(|| readable_date(&context.started)),
        machine("cpu").map(format::plain),
        cores,
        (!build.is_empty()).then(|| format!("testbed {}", build.join(" "))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Formats `2026-11-20T15:40:02Z` as `2026-11-20 15:40 UTC`; returns anything else unchanged.
fn readable_date(date: &str) -> String {
    match (date.split_once('T'), date.strip_suffix('Z')) {
        (Some((day, time)), Some(_)) => {
            format!("{day} {} UTC", time.get(..5).unwrap_or_default())
        }
        _ => date.to_owned(),
    }
}

fn command(context: &Context) -> String {
    let own = context.command.line();
    if own.is_empty() { context.tool.command.line() } else { own }
}

fn machine(context: &Context) -> Table {
    let mut table = Table::new("Machine", &["fact", "value"]);
    if !context.tool.build.is_empty() {
        table.push_summary(&[], vec![Cell::text("testbed build"), Cell::text(&context.tool.build)]);
    }
    for (name, value) in &context.machine {
        for (name, value) in flat(name, value) {
            table.push_summary(&[], vec![Cell::text(name.replace('_', " ")), Cell::text(value)]);
        }
    }
    table
}

/// Flattens a fact into `name part` pairs; lists become one line, byte counts get a unit.
fn flat(name: &str, value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(part, value)| flat(&format!("{name} {part}"), value)).collect()
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(format::plain).collect();
            vec![(name.into(), items.join(" "))]
        }
        Value::Number(number) if name.ends_with("bytes") || name.starts_with("caches") => {
            let size = number.as_f64().map(format::bytes).unwrap_or_default();
            vec![(name.trim_end_matches("_bytes").into(), size)]
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            vec![(name.into(), format::plain(value))]
        }
    }
}

fn libraries(catalog: &Catalog) -> Table {
    let columns = ["library", "version", "build", "instruction set"];
    let mut table = Table::new("Libraries", &columns);
    let used = distinct(catalog.entries.iter().map(|entry| {
        let lib = &entry.case.lib;
        [&entry.lib, &lib.version, &lib.build, &lib.isa_used].map(Clone::clone)
    }));
    for words in used {
        table.push_summary(&[], words.into_iter().map(Cell::text).collect());
    }
    table
}
