//! Every workload on every scheme: the result of the specification; a result that was changed is
//! found.

use std::ops::RangeInclusive;

use fathom_workloads::{Column, Data, Implementation, Operations, Roles, Task, Workload, all};

/// Sizes that the tests compute under real keys.
const SIZES: [&str; 1] = ["tiny"];

fn implementations() -> impl Iterator<Item = (&'static dyn Workload, Box<dyn Implementation>)> {
    all().iter().flat_map(|workload| {
        workload.implementations().into_iter().map(|implementation| (*workload, implementation))
    })
}

/// Returns the data with one more in one value.
fn mutated(data: &Data) -> Data {
    let (name, column) = data.columns().next().expect("a result has a column");
    let column = match column {
        Column::Integers(values) => {
            let mut values = values.clone();
            values[0] += 1;
            Column::Integers(values)
        }
        Column::Reals(values) => {
            let mut values = values.clone();
            values[0] += 1.0;
            Column::Reals(values)
        }
    };
    data.clone().with(name, column)
}

/// The seeds of the inputs: one, or as many as `FATHOM_TEST_SEEDS` says.
fn seeds() -> RangeInclusive<u64> {
    let count = std::env::var("FATHOM_TEST_SEEDS").ok().and_then(|text| text.parse().ok());
    1..=count.unwrap_or(1)
}

#[test]
fn every_tiny_task_is_right() {
    for (workload, implementation) in implementations() {
        for task in Task::all(workload.spec()) {
            if !SIZES.contains(&task.size.as_str()) || implementation.supports(&task).is_err() {
                continue;
            }
            let mut roles = Roles::new(implementation.as_ref(), &task, 2).unwrap();
            for seed in seeds() {
                let inputs = workload.inputs(&task, seed).unwrap();
                let outputs = roles.run(&inputs).unwrap();
                let verdict = workload.verify(&task, &inputs, &outputs);
                assert!(
                    verdict.is_ok(),
                    "{} on {}: {verdict:?}",
                    task.id(),
                    implementation.scheme()
                );
                workload.verify(&task, &inputs, &mutated(&outputs)).unwrap_err();
                let work = implementation.simulate(&task, 2, &inputs.public).unwrap();
                match work.operations {
                    Operations::Bootstraps(work) => {
                        assert_eq!(Some(work.bootstraps()), roles.bootstraps(), "{}", task.id());
                    }
                    Operations::Ring(work) => {
                        assert_eq!(Some(&work.counts), roles.ring_operations(), "{}", task.id());
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn inputs_depend_on_the_seed_alone_and_every_parameter_set_has_128_bits() {
    for (workload, implementation) in implementations() {
        for task in Task::all(workload.spec()) {
            if task.shape.values().product::<u64>() > 1 << 16 {
                continue;
            }
            assert_eq!(workload.inputs(&task, 5).unwrap(), workload.inputs(&task, 5).unwrap());
            if implementation.supports(&task).is_ok() {
                let parameters = implementation.parameters(&task).unwrap();
                assert!(parameters.security_bits >= 128.0, "{}: {parameters:?}", task.id());
            }
        }
    }
}

#[test]
fn names_that_do_not_exist_are_refused_with_those_that_do() {
    let workload = fathom_workloads::find("arith-compare").unwrap();
    let refused = Task::new(workload.spec(), "w4", "tiny").unwrap_err();
    assert!(refused.to_string().contains("w1, w2, w3-select, w3-products"), "{refused}");
    Task::new(workload.spec(), "w1", "huge").unwrap_err();
}

/// Circuits that bootstrap have no small size: their simulation needs no key.
#[test]
fn circuits_that_bootstrap_are_simulated_without_keys() {
    let wide = [("w1", 2), ("w2", 1), ("w3-select", 2), ("w3-products", 2)];
    let wide = wide.map(|(variant, count)| ("arith-compare", variant, "wide", count));
    for (name, variant, size, count) in
        wide.into_iter().chain([("training", "logistic", "full", 30)])
    {
        let workload = fathom_workloads::find(name).unwrap();
        let task = Task::new(workload.spec(), variant, size).unwrap();
        let implementations = workload.implementations();
        let own = implementations.iter().find(|own| own.scheme() == "ckks").unwrap();
        let work = own.simulate(&task, 2, &Data::new()).unwrap();
        let Operations::Ring(work) = work.operations else { panic!("{name}: not a ring") };
        assert_eq!(work.bootstraps(), count, "{name} {variant}");
        assert!(work.bootstrapping_key_bytes > 1_000_000_000 && work.results == 1);
    }
}
