//! Counts and times of single tasks under real keys, printed for a person who asks:
//! `TASKS=sort/plain/small cargo test -p fathom-workloads --test workloads_tests timing --
//! --ignored --nocapture`.
//! `SCHEMES=bfv` leaves the others out, `THREADS=1` sets the number of threads. `WORKLOADS=sort`
//! and the test `counts_of_workloads` print what a simulation counts.

use std::time::Instant;

use fathom_workloads::{Operations, Task, find};

/// Number of measured computations; the first is not counted.
const REPEATS: usize = 3;

#[test]
#[ignore = "prints times of the tasks named in TASKS"]
fn times_of_tasks() {
    let tasks = std::env::var("TASKS").expect("TASKS names tasks as workload/variant/size");
    let threads = std::env::var("THREADS").map_or(2, |threads| threads.parse().unwrap());
    let schemes = std::env::var("SCHEMES").unwrap_or_else(|_| "tfhe bfv ckks".into());
    for id in tasks.split_whitespace() {
        let [workload, variant, size] = id.splitn(3, '/').collect::<Vec<_>>()[..] else {
            panic!("{id} is not workload/variant/size");
        };
        let workload = find(workload).expect("the workload exists");
        let task = Task::new(workload.spec(), variant, size).unwrap();
        for implementation in workload.implementations() {
            let scheme = implementation.scheme();
            if implementation.supports(&task).is_err() || !schemes.contains(scheme) {
                continue;
            }
            let parameters = implementation.parameters(&task).unwrap();
            let mut client = implementation.client(&task).unwrap();
            let mut server = implementation.server(&task, threads).unwrap();
            let keys = client.keys().unwrap();
            server.accept_keys(&keys).unwrap();
            let inputs = workload.inputs(&task, 1).unwrap();
            let upload = client.encrypt(&inputs.secret).unwrap();
            server.load(&inputs.public, &upload).unwrap();
            let mut times = Vec::new();
            for repeat in 0..=REPEATS {
                let start = Instant::now();
                server.compute().unwrap();
                if repeat > 0 {
                    times.push(start.elapsed().as_secs_f64());
                }
            }
            let answer = server.answer().unwrap();
            let outputs = client.decrypt(&answer).unwrap();
            workload.verify(&task, &inputs, &outputs).unwrap();
            println!("{id} on {scheme}: seconds {times:.3?}; {parameters:?}");
            let [keys, sent, received] = [keys.len(), upload.len(), answer.len()];
            println!("bytes of keys {keys}, sent {sent}, received {received}");
            if let Some((bootstraps, layers)) = server.bootstraps() {
                println!("{bootstraps} bootstraps in {layers} layers");
            }
            if let Some(counts) = server.ring_operations() {
                println!("operations by level: {counts:?}");
            }
        }
    }
}

#[test]
#[ignore = "prints the simulated counts of the workloads named in WORKLOADS"]
fn counts_of_workloads() {
    let names = std::env::var("WORKLOADS").expect("WORKLOADS names workloads");
    for name in names.split_whitespace() {
        let workload = find(name).expect("the workload exists");
        for task in Task::all(workload.spec()) {
            for implementation in workload.implementations() {
                if implementation.supports(&task).is_err() {
                    continue;
                }
                let inputs = workload.inputs(&task, 1).unwrap();
                let start = Instant::now();
                let work = implementation.simulate(&task, 2, &inputs.public).unwrap();
                let seconds = start.elapsed().as_secs_f64();
                if let Operations::Bootstraps(work) = work.operations {
                    let (bootstraps, layers) = work.bootstraps();
                    println!("{}: {bootstraps} bootstraps in {layers} layers", task.id());
                }
                println!("{}: simulated in {seconds:.2} s", task.id());
            }
        }
    }
}
