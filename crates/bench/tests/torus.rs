//! The engine's torus scheme behind the protocol, and a small run of the suite `tfhe`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::path::Path;

use fathom_drivers::client::Driver;
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{
    Args, Encoding, Encrypt, KeyKind, Keygen, Numbers, ParamsRequest, Run, Timed,
};

use crate::support::{fathom, folder, records};

struct Session {
    driver: Driver,
    id: u64,
}

impl Session {
    fn open(preset: &str) -> Session {
        Session::open_lanes(preset, [1, 2])
    }

    /// Opens a session with the given number of lanes and threads per lane.
    fn open_lanes(preset: &str, lanes: [usize; 2]) -> Session {
        let launch = Launch::engine(env!("CARGO_BIN_EXE_fathom"));
        let mut driver = Driver::start(&launch).unwrap();
        let params = ParamsRequest::Preset { preset: preset.into() };
        let prepared = driver.prepare("tfhe", params, lanes, Some(1)).unwrap();
        assert_eq!(prepared.params.torus.unwrap().family, "U");
        let session = prepared.session;
        let keys = Keygen { session, rotations: Vec::new(), row_swap: 0, reps: 1 };
        let bytes = driver.keygen(keys).unwrap().bytes;
        assert!(0 < bytes.bootstrapping && bytes.bootstrapping < bytes.bootstrapping_memory);
        Session { driver, id: session }
    }

    fn encrypt(&mut self, values: &[i64], encoding: &str) -> u64 {
        let (session, mode) = (self.id, KeyKind::Sk);
        let encoding = Encoding::try_from(encoding.to_owned()).unwrap();
        let values = match encoding {
            Encoding::Integer(_) => machine_integers(values),
            Encoding::Slots | Encoding::Complex | Encoding::Coefficients => values.to_vec().into(),
        };
        let request = Encrypt { session, values, mode, encoding, level: None };
        self.driver.encrypt(request).unwrap().ct
    }

    fn run(&mut self, op: &str, inputs: &[u64]) -> Result<Timed, Fault> {
        self.run_lanes(op, vec![inputs.to_vec()])
    }

    /// Runs one operation on every lane in parallel.
    fn run_lanes(&mut self, op: &str, inputs: Vec<Vec<u64>>) -> Result<Timed, Fault> {
        let (session, op, args) = (self.id, op.to_owned(), Args::default());
        self.driver.run(Run {
            session,
            op,
            args,
            inputs,
            warmup: 0,
            iterations: 1,
            samples: 1,
            budget_ns: None,
        })
    }

    /// Runs an operation once and decrypts its result.
    fn values(&mut self, op: &str, inputs: &[u64]) -> Vec<i64> {
        let output = self.run(op, inputs).unwrap().outputs[0].unwrap();
        let values = self.driver.decrypt(self.id, output, Encoding::Slots).unwrap();
        match values {
            Numbers::WideIntegers(values) => values.iter().map(|value| value.as_i64()).collect(),
            other @ (Numbers::Integers(_) | Numbers::Reals(_)) => {
                other.integers().unwrap().to_vec()
            }
        }
    }
}

/// Returns the values as machine integers, which travel as decimal text.
fn machine_integers(values: &[i64]) -> Numbers {
    let words = values.iter().map(|&value| u64::try_from(value).unwrap().into());
    Numbers::WideIntegers(words.collect())
}

#[test]
fn integers_blocks_and_their_counts_come_through_the_protocol() {
    let mut session = Session::open("u_2_2_128");
    let [x, y] = [[200], [100]].map(|value| session.encrypt(&value, "u8"));
    assert_eq!(session.values("add_u8", &[x, y]), [44]);
    assert_eq!(session.values("gt_u8", &[x, y]), [1]);
    assert_eq!(session.values("leading_zeros_u8", &[y]), [1]);
    assert_eq!(session.run("add_u8_smart", &[x, y]).unwrap_err().code(), "unsupported");
    let i8 = Encoding::try_from("i8".to_owned()).unwrap();
    let three = session.driver.plaintext(session.id, machine_integers(&[3]), i8).unwrap();
    let minus_one = session.encrypt(&[255], "i8");
    assert_eq!(session.values("max_i8_scalar", &[minus_one, three]), [3]);
    let [two, three] = [2, 3].map(|value| session.encrypt(&[value], "slots"));
    assert_eq!(session.values("add", &[two, three]), [1]);
    assert_eq!(session.values("mul_lsb", &[two, three]), [2]);
    let timed = session.run("ks_pbs", &[three]).unwrap();
    let counts = timed.bootstraps.unwrap();
    assert!((counts.count - 1.0).abs() < 1e-9 && (counts.layers - 1.0).abs() < 1e-9);
    let variance = timed.variance.unwrap();
    assert_eq!(variance.n, 1);
    assert!(variance.measured < 50.0 * variance.model, "{variance:?}");
}

#[test]
fn integers_may_have_widths_that_are_no_powers_of_two() {
    let mut session = Session::open("u_2_2_128");
    for (ty, a, b, product, greater) in [
        ("u2", 3, 2, 2, 1),
        ("u4", 11, 13, 15, 0),
        ("u6", 42, 5, 18, 1),
        ("u10", 1000, 3, 952, 1),
        ("u12", 4000, 4001, 928, 0),
        ("u14", 16_000, 2, 15_616, 1),
        ("i6", 42, 5, 18, 0),
    ] {
        let [x, y] = [a, b].map(|value| session.encrypt(&[value], ty));
        assert_eq!(session.values(&format!("mul_{ty}"), &[x, y]), [product], "{ty}");
        assert_eq!(session.values(&format!("gt_{ty}"), &[x, y]), [greater], "{ty}");
    }
    let [x, y] = [45, 4].map(|value| session.encrypt(&[value], "u6"));
    assert_eq!(session.values("rotate_left_u6", &[x, y]), [0b01_1011]);
    assert_eq!(session.values("shl_u6", &[x, y]), [0b01_0000]);
    assert_eq!(session.values("div_u6", &[x, y]), [11]);
    assert_eq!(session.values("log2_u6", &[x]), [5]);
}

#[test]
fn operations_side_by_side_take_the_algorithm_for_their_own_threads() {
    let count = |lanes: [usize; 2]| {
        let mut session = Session::open_lanes("u_2_2_128", lanes);
        let [x, y] = [[60_000], [7_000]].map(|value| session.encrypt(&value, "u16"));
        let timed = session.run_lanes("add_u16", vec![vec![x, y]; lanes[0]]).unwrap();
        assert_eq!(timed.outputs.len(), lanes[0]);
        for output in timed.outputs {
            let sum = session.driver.decrypt(session.id, output.unwrap(), Encoding::Slots);
            assert_eq!(sum.unwrap(), Numbers::WideIntegers(vec![(67_000_u32 - 65_536).into()]));
        }
        timed.bootstraps.unwrap().count
    };
    // A sum takes one bootstrap per digit on one thread; on two, more bootstraps in fewer layers.
    assert!((count([2, 1]) - 8.0).abs() < 1e-9);
    assert!(count([1, 2]) > 8.5);
}

#[test]
fn a_batch_of_blocks_is_one_result_of_as_many_values() {
    let mut session = Session::open("u_2_2_128");
    let blocks: Vec<u64> = (0..8).map(|x| session.encrypt(&[x % 4], "slots")).collect();
    assert_eq!(session.values("ks_pbs_batch8", &blocks), [1, 2, 1, 2, 1, 2, 1, 2]);
    let timed = session.run("ks_pbs_batch8", &blocks).unwrap();
    let counts = timed.bootstraps.unwrap();
    assert!((counts.count - 8.0).abs() < 1e-9 && (counts.layers - 1.0).abs() < 1e-9);
    assert_eq!(timed.variance.unwrap().n, 8);
    assert_eq!(session.run("ks_pbs_batch16", &blocks).unwrap_err().code(), "bad_request");
    let batch = timed.outputs[0].unwrap();
    assert_eq!(session.run("ks_pbs", &[batch]).unwrap_err().code(), "bad_request");
}

#[test]
fn gates_have_their_truth_tables_through_the_protocol() {
    let mut session = Session::open("u_bool_128");
    let bits = [0, 1].map(|bit| session.encrypt(&[bit], "slots"));
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let inputs = [bits[a], bits[b]];
        assert_eq!(session.values("nand", &inputs), [1 - (a & b) as i64]);
        assert_eq!(session.values("xor", &inputs), [(a ^ b) as i64]);
        let chosen = if a == 1 { b } else { 1 };
        assert_eq!(session.values("mux", &[bits[a], bits[b], bits[1]]), [chosen as i64]);
    }
    assert_eq!(session.values("not", &[bits[1]]), [0]);
    assert_eq!(session.run("ks_pbs", &[bits[1]]).unwrap_err().code(), "unsupported");
}

#[test]
fn operands_of_the_wrong_type_are_refused_and_the_driver_lives_on() {
    let mut session = Session::open("u_2_2_128");
    let (small, wide) = (session.encrypt(&[1], "u8"), session.encrypt(&[1], "u16"));
    let block = session.encrypt(&[1], "slots");
    for (op, inputs) in
        [("add_u8", vec![small, wide]), ("ks_pbs", vec![small]), ("neg_u8", vec![block])]
    {
        assert_eq!(session.run(op, &inputs).unwrap_err().code(), "bad_request", "{op}");
    }
    for op in ["rotate_sum", "neg_u9", "div_u8_plain"] {
        assert_eq!(session.run(op, &[small]).unwrap_err().code(), "unsupported", "{op}");
    }
    assert_eq!(session.values("not_u8", &[small]), [254]);
}

#[test]
fn a_small_run_of_the_suite_is_verified_and_states_counts_security_and_failure() {
    let folder = folder("tfhe");
    let out = folder.to_str().unwrap();
    let ops = "add_u64_scalar,and_u64,ks_pbs,ks_pbs_batch8,pk_size_bytes";
    let selection = ["--ops", ops, "--filter", "/._2_2_128/", "--quick"];
    let more = ["--budget", "4s", "--allow-debug", "--peers", "none", "--out", out];
    let run = fathom(&[&["bench", "tfhe", "--verbose"], &selection[..], &more[..]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let records = records(&folder);
    let schema = serde_json::from_str(fathom_cases::record::JSON_SCHEMA).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for record in &records {
        let errors: Vec<String> = schema.iter_errors(record).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{record}: {errors:?}");
    }
    // The context; on each kind of keys a bootstrap and its batch, on one and two threads, and a
    // conjunction; on uniform keys also a sum and the keys.
    assert_eq!(records.len(), 13);
    for case in &records[1..] {
        let verify = &case["verify"];
        let family = &case["params"]["torus"]["family"];
        let badge = case["security"]["badge"].as_str().unwrap();
        assert_eq!(family == "B", badge.contains("less studied"), "{case}");
        if case["op"] == "ks_pbs_batch8" {
            assert_eq!(verify["bootstraps"]["count"], 8.0);
            let (n, checked) = (&verify["noise_variance"]["n"], &verify["checked"]);
            assert!(n == checked && checked.as_u64().unwrap() % 8 == 0, "{case}");
        }
        assert_eq!(verify["status"], "ok", "{case}");
        assert_eq!(case["security"]["level"], 128);
        assert!(verify["p_fail_log2"]["predicted"].as_f64().unwrap() <= -110.0);
        assert!(case["bytes"]["bootstrapping"].as_u64().unwrap() > 1 << 20);
        if case["op"] == "and_u64" {
            assert_eq!(verify["bootstraps"]["layers"], 1.0);
            assert_eq!(
                (&case["lane"]["op_threads"], &case["lane"]["threads"]),
                (&2.into(), &1.into())
            );
            assert!(verify["noise_variance"]["n"].as_u64().unwrap() >= 32);
        }
    }
    let report = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(report.contains("id=\"integers\"") && report.contains("and_u64"));
    assert!(report.contains("id=\"bootstraps\"") && report.contains("p_fail at most"));
    less_studied_keys_are_marked_everywhere(&run.stdout, &report, &folder);
}

/// Checks that every line and cell with a set of block-binary keys carries the caution.
fn less_studied_keys_are_marked_everywhere(stdout: &str, report: &str, folder: &Path) {
    let mut cases = stdout.lines().filter(|line| line.contains("/b_2_2_128/"));
    assert!(cases.clone().count() == 10, "two tables of five cases: {stdout}");
    assert!(cases.all(|line| line.contains("a less studied assumption")), "{stdout}");
    assert!(report.contains("b_2_2_128 (a less studied assumption)"));
    let file = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    let all = file("all.csv");
    let marked = "tfhe,b_2_2_128/op_threads=2/less_studied_assumption,ks_pbs_batch8,";
    assert!(all.contains(marked) && all.contains("tfhe,u_2_2_128/op_threads=2,ks_pbs_batch8,"));
    assert!(!all.contains("b_2_2_128,"), "{all}");
    let verified = file("verified.csv");
    let (header, rows) = verified.split_once('\n').unwrap();
    let columns: Vec<&str> = header.split(',').collect();
    let at = |name| columns.iter().position(|column| *column == name).unwrap();
    for row in rows.lines() {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells.len(), columns.len(), "{row}");
        let block_binary = cells[at("case")].contains("/b_2_2_128/");
        let caution = if block_binary { "a less studied assumption" } else { "" };
        assert_eq!(cells[at("caution")], caution, "{row}");
        assert_eq!((cells[at("failures")], cells[at("status")]), ("0", "ok"), "{row}");
        if cells[at("case")].contains("ks_pbs") {
            let number = |name| cells[at(name)].parse::<f64>().unwrap();
            assert!((number("noise_variance_log2") - number("model_variance_log2")).abs() < 3.0);
            assert!(number("bootstraps") >= 1.0 && number("p_fail_log2") < -120.0, "{row}");
        }
    }
}
