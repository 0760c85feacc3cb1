//! docs/maths/tfhe-programs.md has the numbers of bootstraps that simulations count.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use fathom_workloads::{Operations, Task, find};

/// The tasks of the table.
const TASKS: [&str; 12] = [
    "private-db/filter/small",
    "private-db/count/small",
    "private-db/sum/small",
    "private-db/group-by/small",
    "private-db/filter/r512",
    "decision-tree/encrypted-model/small",
    "decision-tree/encrypted-model/d6",
    "decision-tree/encrypted-model/medium",
    "decision-tree/encrypted-model/forest",
    "decision-tree/plain-model/d6",
    "decision-tree/plain-model/forest",
    "inference/quantized/tiny",
];

/// Returns the row of a task.
fn row(id: &str) -> String {
    let [name, variant, size] = id.splitn(3, '/').collect::<Vec<_>>()[..] else {
        panic!("{id} is not workload/variant/size");
    };
    let workload = find(name).unwrap();
    let task = Task::new(workload.spec(), variant, size).unwrap();
    let public = workload.inputs(&task, 1).unwrap().public;
    let program = workload.implementations().into_iter().find(|program| program.scheme() == "tfhe");
    let work = program.unwrap().simulate(&task, 2, &public).unwrap();
    let Operations::Bootstraps(work) = work.operations else {
        panic!("programs on TFHE count bootstraps");
    };
    let (bootstraps, layers) = work.bootstraps();
    format!("| `{id}` | {bootstraps} | {layers} |")
}

#[test]
fn the_page_of_programs_has_the_counts_of_simulations() {
    let page = include_str!("../../../docs/maths/tfhe-programs.md");
    let missing: Vec<String> =
        TASKS.iter().map(|id| row(id)).filter(|row| !page.contains(row)).collect();
    assert!(missing.is_empty(), "docs/maths/tfhe-programs.md lacks\n{}", missing.join("\n"));
}
