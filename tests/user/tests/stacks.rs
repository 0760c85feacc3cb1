//! B1: every scheme runs on the default stack of a thread.

use fathom_user::{PROGRAMS, Program};

/// The default stack size of threads in `std`.
const STACK: usize = 2 << 20;

/// Runs a program on a thread of its own, with one evaluator thread and with two.
fn b1_runs_on_a_small_stack(name: &str) {
    let named = PROGRAMS.iter().find(|(other, _)| *other == name);
    let program: Program = named.expect("a program of that name").1;
    for threads in [1, 2] {
        let builder = std::thread::Builder::new().stack_size(STACK);
        let running = builder.spawn(move || program(threads)).expect("a thread");
        running.join().expect("no panic").expect("the right result");
    }
}

macro_rules! on_small_stacks {
    ($($test:ident $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                b1_runs_on_a_small_stack($name);
            }
        )*

        #[test]
        fn every_program_is_tested() {
            assert_eq!(PROGRAMS.map(|(name, _)| name), [$($name),*]);
        }
    };
}

on_small_stacks! {
    b1_bfv "bfv",
    b1_bgv "bgv",
    b1_gates "tfhe-gates",
    b1_shortint "tfhe-shortint",
    b1_integer "tfhe-integer",
    b1_list "tfhe-list",
    b1_fhew "fhew",
    b1_hfhe "hfhe",
}

/// The main thread has a stack of 8 MB by default.
#[test]
fn b1_all_on_the_main_thread() {
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_fathom-user"))
        .args(["bfv", "tfhe-gates", "tfhe-integer"])
        .output()
        .expect("the program starts");
    assert!(program.status.success(), "{}", String::from_utf8_lossy(&program.stderr));
}
