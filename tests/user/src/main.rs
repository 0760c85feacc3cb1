//! Runs every program on the main thread, with one and with two evaluator threads, and prints the
//! time that each takes. Arguments select programs by name.

use fathom_user::{Outcome, PROGRAMS};
use std::time::Instant;

fn main() -> Outcome {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for (name, program) in PROGRAMS {
        if !names.is_empty() && !names.iter().any(|chosen| chosen == name) {
            continue;
        }
        for threads in [1, 2] {
            let start = Instant::now();
            program(threads)?;
            println!("{name}, {threads} thread(s): {:.2} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}
