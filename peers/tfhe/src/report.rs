//! Tables for people, a file for programs.

use crate::bench::{Bench, SizeRow, TimeRow};
use crate::race::Failure;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Where and when it was measured.
#[derive(Debug, Serialize)]
pub struct Machine {
    cpu: String,
    cores: usize,
    /// Processes ready to run, over the last minute, before the first row: 0 on a quiet machine.
    load: String,
    peer: &'static str,
}

impl Machine {
    /// This machine now.
    pub fn observe() -> Machine {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        Machine {
            cpu: cpu.trim_start_matches([' ', '\t', ':']).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: load.split(' ').next().unwrap_or_default().to_owned(),
            peer: "tfhe-rs 1.8.2",
        }
    }
}

/// Prints both tables.
pub fn print(bench: &Bench, machine: &Machine) {
    let Machine { cpu, cores, load, peer } = machine;
    println!("Fathom and {peer}, {cpu}, {cores} cores, load {load}");
    if !bench.times.is_empty() {
        let head = ["row", "Fathom ms", "tfhe-rs ms", "ratio", "cpu ratio", "n", "verified"];
        table(head, bench.times.iter().map(time_cells).collect());
    }
    if !bench.sizes.is_empty() {
        let head = ["size", "Fathom MB", "tfhe-rs MB", "ratio"];
        table(head, bench.sizes.iter().map(size_cells).collect());
    }
}

fn time_cells(row: &TimeRow) -> [String; 7] {
    [
        row.id.clone(),
        number(row.engine_ms),
        number(row.peer_ms),
        format!("{:.2}", row.ratio),
        format!("{:.2}", row.cpu_ratio),
        if row.n == 1 { "1 (single shot)".to_owned() } else { row.n.to_string() },
        format!("{}/{}", row.correct, row.checked),
    ]
}

fn size_cells(row: &SizeRow) -> [String; 4] {
    let (engine, peer) = (row.engine_bytes as f64 / 1e6, row.peer_bytes as f64 / 1e6);
    [row.id.clone(), number(engine), number(peer), format!("{:.2}", peer / engine)]
}

/// Three significant digits at least.
fn number(value: f64) -> String {
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

fn table<const COLUMNS: usize>(head: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) {
    let head = head.map(str::to_owned);
    let rule = [(); COLUMNS].map(|()| "---".to_owned());
    let lines: Vec<_> = [head, rule].into_iter().chain(rows).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..COLUMNS).map(width).collect();
    println!();
    for line in &lines {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!(" {cell:width$} |"));
        println!("|{}", cells.collect::<String>());
    }
}

/// Writes all of it, every round included, as JSON.
///
/// # Errors
/// If the file cannot be written.
pub fn write(bench: &Bench, machine: &Machine, path: &Path) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Report<'a> {
        machine: &'a Machine,
        times: &'a [TimeRow],
        sizes: &'a [SizeRow],
    }
    let report = Report { machine, times: &bench.times, sizes: &bench.sizes };
    fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    Ok(())
}
