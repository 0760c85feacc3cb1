//! docs/workloads.md gives the bootstraps and the layers of the circuits on TFHE.

use std::path::Path;

use fathom_workloads::{Data, Operations, Task, find};

#[test]
fn the_document_gives_the_bootstraps_and_layers_of_circuits() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workloads.md");
    let text = std::fs::read_to_string(document).unwrap();
    let table = text.split("| task | bootstraps | layers |").nth(1).expect("the table exists");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let id = row.split('|').nth(1).expect("a row has cells").trim();
        let [workload, variant, size] = id.splitn(3, '/').collect::<Vec<_>>()[..] else {
            panic!("{id} is not workload/variant/size");
        };
        let workload = find(workload).expect("the workload exists");
        let task = Task::new(workload.spec(), variant, size).unwrap();
        let implementations = workload.implementations();
        let tfhe = implementations.iter().find(|found| found.scheme() == "tfhe").unwrap();
        let work = tfhe.simulate(&task, 2, &Data::new()).unwrap();
        let Operations::Bootstraps(work) = work.operations else {
            panic!("{id} on another scheme")
        };
        let (bootstraps, layers) = work.bootstraps();
        assert_eq!(row, format!("| {id} | {bootstraps} | {layers} |"));
    }
}
