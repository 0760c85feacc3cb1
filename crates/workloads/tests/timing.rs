//! Counts and times of single tasks under real keys, printed for a person who asks:
//! `TASKS=sort/plain/small cargo test -p fathom-workloads --test timing -- --ignored --nocapture`.

use std::time::Instant;

use fathom_workloads::{Task, find};

/// Number of measured computations; the first is not counted.
const REPEATS: usize = 3;

#[test]
#[ignore = "prints times of the tasks named in TASKS"]
fn times_of_tasks() {
    let tasks = std::env::var("TASKS").expect("TASKS names tasks as workload/variant/size");
    let threads = std::env::var("THREADS").map_or(2, |threads| threads.parse().unwrap());
    for id in tasks.split_whitespace() {
        let [workload, variant, size] = id.splitn(3, '/').collect::<Vec<_>>()[..] else {
            panic!("{id} is not workload/variant/size");
        };
        let workload = find(workload).expect("the workload exists");
        let task = Task::new(workload.spec(), variant, size).unwrap();
        for implementation in workload.implementations() {
            if implementation.scheme() != "tfhe" || implementation.supports(&task).is_err() {
                continue;
            }
            let mut client = implementation.client(&task).unwrap();
            let mut server = implementation.server(&task, threads).unwrap();
            server.accept_keys(&client.keys().unwrap()).unwrap();
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
            let outputs = client.decrypt(&server.answer().unwrap()).unwrap();
            workload.verify(&task, &inputs, &outputs).unwrap();
            let (bootstraps, layers) = server.bootstraps().unwrap();
            println!("{id}: {bootstraps} bootstraps, {layers} layers, seconds {times:.3?}");
        }
    }
}
