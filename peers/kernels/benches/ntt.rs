//! Criterion benches of the transforms of both libraries: `ntt_forward/<contestant>/n<degree>`.
#![allow(missing_docs, reason = "the macros of criterion make undocumented functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use peer_kernels::{DEGREES, Heat, Unavailable, forward, inverse};
use std::time::Duration;

fn transforms(c: &mut Criterion) {
    measure(c, "ntt_forward", forward);
    measure(c, "ntt_inverse", inverse);
}

fn measure(c: &mut Criterion, name: &str, heat: fn(usize) -> Result<Heat, Unavailable>) {
    let mut group = c.benchmark_group(name);
    for degree in DEGREES {
        for mut contestant in heat(degree).expect("this CPU has IFMA") {
            let id = format!("{}/n{degree}", contestant.name);
            group.bench_function(id, |b| b.iter(|| contestant.run()));
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = transforms
}
criterion_main!(benches);
