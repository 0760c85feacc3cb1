//! A synthetic result file: plausible shapes, invented numbers. Nothing in it was measured.

use serde_json::{Value, json};

/// A parameter set of the synthetic run.
struct Set {
    name: &'static str,
    n: u64,
    log_q: f64,
    log_qp: f64,
    plain_modulus: u64,
    classical: f64,
    depth: u64,
    /// Time of one multiplication in nanoseconds; other times are multiples of it.
    mul_ns: f64,
}

const SETS: [Set; 5] = [
    Set { name: "e1", n: 4096, log_q: 60.0, log_qp: 106.0, plain_modulus: 65537, ..SET },
    Set { name: "e1-t786433", n: 4096, log_q: 60.0, log_qp: 106.0, plain_modulus: 786_433, ..SET },
    Set {
        name: "e-t2013265921",
        n: 8192,
        log_q: 110.0,
        log_qp: 160.0,
        plain_modulus: 2_013_265_921,
        classical: 190.0,
        depth: 1,
        mul_ns: 190_000.0,
    },
    Set { name: "e2", n: 8192, log_q: 172.0, log_qp: 218.0, depth: 5, mul_ns: 560_000.0, ..SET },
    Set {
        name: "e2-192",
        n: 16384,
        log_q: 229.0,
        log_qp: 275.0,
        classical: 193.0,
        depth: 5,
        mul_ns: 1_450_000.0,
        ..SET
    },
];

/// The values that most sets share.
const SET: Set = Set {
    name: "",
    n: 0,
    log_q: 0.0,
    log_qp: 0.0,
    plain_modulus: 65537,
    classical: 128.4,
    depth: 1,
    mul_ns: 62_000.0,
};

/// Operations: name, time as a multiple of `mul`, budget spent in bits.
const OPS: [(&str, f64, f64); 16] = [
    ("keygen", 3.1, 0.0),
    ("rotate_keygen", 9.7, 0.0),
    ("encrypt_pk", 1.1, 0.0),
    ("encrypt_sk", 0.6, 0.0),
    ("decrypt", 0.4, 0.0),
    ("add", 0.04, 1.0),
    ("sub", 0.04, 1.0),
    ("add_plain", 0.03, 1.0),
    ("mul_plain", 0.12, 18.0),
    ("mul", 1.0, 23.0),
    ("simd_mul", 1.02, 23.0),
    ("rotate", 0.9, 4.0),
    ("rotate_sum", 10.4, 9.0),
    ("polynomial", 3.9, 25.0),
    ("ct_size_bytes", 0.0, 0.0),
    ("pk_size_bytes", 0.0, 0.0),
];

/// A whole synthetic file: one run of the engine on two schemes.
pub(crate) fn engine_run() -> String {
    let mut lines = vec![context()];
    for (scheme, slower) in [("bfv", 1.07), ("bgv", 1.0)] {
        for set in &SETS {
            lines.extend(cases("fathom", scheme, set, slower));
        }
        lines.push(refused(scheme, &SETS[3]));
    }
    lines.push(thread_case("bfv", &SETS[0], 2));
    text(&lines)
}

/// The synthetic run followed by cases of two peers, one of them with a wrong result.
pub(crate) fn run_with_peers() -> String {
    let mut lines = Vec::new();
    for (lib, slower) in [("seal", 4.2), ("openfhe", 1.01)] {
        for set in &SETS[..1] {
            lines.extend(cases(lib, "bfv", set, slower * 1.07));
        }
    }
    let mut wrong = case("tenseal", "bfv", &SETS[3], "depth5", 40.0 * SETS[3].mul_ns, 3);
    wrong["verify"]["status"] = "wrong".into();
    wrong["verify"]["reason"] = "slot 0 decrypts to 10744, expected 1024".into();
    lines.push(wrong);
    engine_run() + &text(&lines)
}

/// A case of `n` samples of about a microsecond that answers a question.
pub(crate) fn fast(lib: &str, question: &str, n: usize) -> Value {
    let op = question.rsplit('/').next().unwrap_or_default();
    let mut case = case(lib, "bfv", &SETS[0], op, 1000.0, n);
    case["question"] = question.into();
    case
}

/// The lines as one text.
pub(crate) fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| line.to_string() + "\n").collect::<Vec<_>>().concat()
}

fn context() -> Value {
    json!({
        "kind": "context", "schema": "fathom.result/1", "run_id": "synthetic",
        "started": "2026-11-20T15:40:02Z", "seed": 7,
        "command": "fathom bench schemes --peers none --threads 1",
        "tool": { "version": "0.1.0", "profile": "release", "build": "synthetic" },
        "machine": {
            "cpu": "Synthetic CPU (test data, not a measurement)", "cores": 2,
            "threads_per_core": 1, "isa": ["avx2", "avx512f", "avx512ifma"],
            "ram_bytes": 25_769_803_776_u64, "os": "Linux", "kernel": "6.1",
            "caches": { "l1d": 49152, "l2": 2_097_152, "l3": 503_316_480 },
            "hypervisor": "kvm", "governor": null, "psi_cpu_some_avg60": 18.42, "rapl": false,
            "timer_resolution_ns": 20,
        },
        "warnings": [{
            "code": "W-PSI", "text": "other work used 18 % of the CPU in the last minute",
            "fix": "run again when the machine is idle",
        }],
        "noise_floor_rel": 0.031,
        "a field of a later version": [1, 2, 3],
    })
}

fn cases(lib: &str, scheme: &str, set: &Set, slower: f64) -> Vec<Value> {
    let mut cases: Vec<Value> = OPS
        .iter()
        .map(|(op, share, spent)| {
            let mut made = case(lib, scheme, set, op, set.mul_ns * share * slower, 30);
            budget(&mut made, set, *spent);
            made
        })
        .collect();
    for depth in 1..=set.depth {
        let op = format!("depth{depth}");
        let cost = 1.0 - 0.17 * (depth - 1) as f64;
        let samples = if depth == 5 { 1 } else { 12 };
        let mut made = case(lib, scheme, set, &op, set.mul_ns * slower * cost, samples);
        budget(&mut made, set, 23.0 * depth as f64);
        let limbs = 1.0 - depth as f64 / (set.depth + 1) as f64;
        made["bytes"]["ct_out"] = whole((2 * set.n) as f64 * set.log_q * limbs / 8.0);
        cases.push(made);
    }
    for terms in [4_u32, 8, 16, 32] {
        let time = set.mul_ns * slower * (0.45 + 0.31 * f64::from(terms));
        let mut made = case(lib, scheme, set, &format!("dot{terms}"), time, 20);
        budget(&mut made, set, 24.0);
        cases.push(made);
    }
    let mut packed = case(lib, scheme, set, "dot32_packed", set.mul_ns * slower * 6.1, 20);
    budget(&mut packed, set, 25.0);
    cases.push(packed);
    cases
}

/// A case with deterministic, slightly scattered samples around `time_ns`.
fn case(lib: &str, scheme: &str, set: &Set, op: &str, time_ns: f64, n: usize) -> Value {
    let seed = op.bytes().chain(lib.bytes()).chain(set.name.bytes()).fold(7_u64, |seed, byte| {
        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(byte))
    });
    let scatter = |sample: usize| {
        let mixed = seed.wrapping_mul(sample as u64 * 2 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 40) as f64 / f64::from(1 << 24) - 0.4
    };
    let samples: Vec<u64> =
        (0..n).map(|sample| (time_ns * (1.0 + 0.03 * scatter(sample))) as u64).collect();
    let mut sorted = samples.clone();
    sorted.sort_unstable();
    let timed = time_ns > 0.0;
    let interval = (n > 5).then(|| [sorted[n / 3], sorted[2 * n / 3]]);
    let time = json!({
        "n": n, "iterations": 1, "samples": samples, "rounds": vec![1; n],
        "median": sorted[n / 2], "ci95": interval,
        "mad": whole(time_ns * 0.004), "min": sorted[0], "p95": sorted[n - 1], "p99": sorted[n - 1],
        "mean": sorted[n / 2], "stddev": whole(time_ns * 0.01),
        "outliers": { "mild": 0, "severe": 0 }, "lag1": 0.0, "cpu": null,
        "involuntary_switches": 0, "flags": [],
    });
    json!({
        "kind": "case", "id": format!("{lib}/{scheme}/{}/{op}?threads=1", set.name),
        "lib": { "name": lib, "version": "0.1.0", "build": "synthetic", "isa_used": "ifma" },
        "scheme": scheme, "op": op, "scenario": timed.then_some("latency"),
        "question": format!("{scheme}/{}/{op}", set.name),
        "lane": { "pack": "simd", "slots": set.n, "threads": 1, "inputs": "pk" },
        "semantics": { "kind": "exact_mod_p", "p": set.plain_modulus },
        "params": {
            "name": set.name, "n": set.n, "log_q": set.log_q, "log_qp": set.log_qp,
            "plain_modulus": set.plain_modulus, "slots": set.n, "levels": set.depth + 1,
            "secret": "ternary", "sigma": 3.19, "depth": set.depth,
        },
        "security": {
            "classical": set.classical, "quantum": set.classical - 11.0, "level": 128,
            "model": "MATZOV / BKZ-ADPS16", "source": "synthetic", "badge": "standard table",
        },
        "verify": {
            "status": "ok", "expected": true, "checked": 64, "mismatches": 0,
            "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
            "p_fail_log2": null,
        },
        "time_ns": timed.then_some(time),
        "bytes": sizes(set),
        "derived": { "ns_per_slot": null, "ops_per_s": timed.then(|| 1e9 / time_ns) },
        "provenance": "measured",
    })
}

fn sizes(set: &Set) -> Value {
    let ciphertext = (2 * set.n) as f64 * set.log_q / 8.0;
    json!({
        "ct_in": whole(ciphertext * 1.003), "ct_seeded": whole(ciphertext * 0.5 + 64.0),
        "ct_out": whole(ciphertext * 1.003), "ct_theory": whole(ciphertext), "sk": set.n / 4,
        "pk": whole(ciphertext), "relin": whole(ciphertext * 2.4),
        "galois": whole(ciphertext * 2.4 * 13.0), "bootstrapping": null, "peak_rss": 61_000_000,
    })
}

fn whole(value: f64) -> Value {
    (value.round() as u64).into()
}

fn budget(case: &mut Value, set: &Set, spent: f64) {
    let fresh = set.log_q - (set.plain_modulus as f64).log2() - 14.0;
    let after = (fresh - spent).max(1.3);
    case["verify"]["noise_budget_bits"] =
        json!({ "before": fresh, "after": after, "predicted_after": (after - 3.7).max(0.4) });
}

fn refused(scheme: &str, set: &Set) -> Value {
    let mut case = case("fathom", scheme, set, "chain_past_budget", 0.0, 1);
    case["verify"]["status"] = "noise_exhausted".into();
    case["verify"]["reason"] = "needs 23 bits, 9.4 are left".into();
    case["verify"]["depth_reached"] = set.depth.into();
    case
}

fn thread_case(scheme: &str, set: &Set, threads: u64) -> Value {
    let mut case = case("fathom", scheme, set, "mul", set.mul_ns * 1.15, 30);
    case["id"] = format!("fathom/{scheme}/{}/mul?threads={threads}", set.name).into();
    case["question"] = format!("{scheme}/{}/mul?threads={threads}", set.name).into();
    case["lane"]["threads"] = threads.into();
    case["scenario"] = "batch".into();
    case["derived"]["ops_per_s"] = (threads as f64 * 1e9 / (set.mul_ns * 1.15)).into();
    budget(&mut case, set, 23.0);
    case
}
