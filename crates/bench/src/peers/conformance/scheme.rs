//! Checks every operation that a driver claims against the clear arithmetic.

use std::collections::BTreeSet;

use fathom_cases::question::{self, Division, PeerPresets};
use fathom_drivers::client::Driver;
use fathom_drivers::ops::torus::{IntegerKind, IntegerOp};
use fathom_drivers::ops::{BOOTSTRAP, Op, Subject, TABLE};
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::{
    Args, Code, Encoding, KeyBytes, KeyKind, Keygen, Keys, ParamsRequest, Run, SchemeInfo,
};
use fathom_drivers::random::SplitMix64;

use super::log::{Log, failed};
use crate::measure::workbench::Workbench;

/// Representative presets of the suites, one for each kind of work.
const PRESETS: [(&str, &[&str]); 8] = [
    ("bfv", &["e1"]),
    ("bgv", &["e1"]),
    ("ckks", &["e3s"]),
    ("wide", &["e4"]),
    ("hfhe", &["native"]),
    ("tfhe", &["u_bool_64", "u_2_2_128"]),
    ("fhew", &["fhew_ginx_128", "fhew_lmkcdey_128"]),
    ("binfhe_ap", &["fhew_ap_128"]),
];
/// Returns the parameters with which a scheme is checked, each with a label: those of the suites,
/// else the driver's first preset.
pub(super) fn requests(
    scheme: &SchemeInfo,
    presets: Option<&PeerPresets>,
) -> Vec<(String, ParamsRequest)> {
    let known = PRESETS.iter().find(|(name, _)| *name == scheme.scheme);
    let names = known.map_or(&[][..], |(_, names)| names);
    let found = names.iter().flat_map(|name| match presets {
        Some(own) => question::ask_peer(name, own, Division::Equal),
        None => vec![((*name).to_owned(), ParamsRequest::Preset { preset: (*name).to_owned() })],
    });
    let found: Vec<_> = found.collect();
    let first = || scheme.params.first();
    let first = || first().map(|p| (p.clone(), ParamsRequest::Preset { preset: p.clone() }));
    if found.is_empty() { first().into_iter().collect() } else { found }
}

/// Checks keys, encryption and every claimed operation under one set of parameters.
pub(super) fn check(
    launch: &Launch,
    scheme: &SchemeInfo,
    label: &str,
    request: &ParamsRequest,
    log: &mut Log<'_>,
) {
    let title = format!("{}/{label}", scheme.scheme);
    let mut bench = match open(launch, scheme, request) {
        Ok(bench) => bench,
        Err(reason) => return log.note(format!("{title} prepare"), Err(reason)),
    };
    let params = &bench.params;
    let remark = format!("n = {}, log qp = {:.1}, depth {}", params.n, params.log_qp, params.depth);
    log.note(format!("{title} prepare"), Ok(remark));
    log.note(format!("{title} keygen"), keygen(&mut bench));
    log.note(format!("{title} encrypt and decrypt"), round_trip(&mut bench));
    for op in claimed(scheme, &bench) {
        let outcome = tried(&mut bench, &op);
        let died = !bench.driver.is_alive();
        log.note(format!("{title} {}", op.name()), outcome);
        if died {
            match open(launch, scheme, request) {
                Ok(fresh) => bench = fresh,
                Err(reason) => return log.note(format!("{title} restart"), Err(reason)),
            }
            let name = format!("{title} {} and keeps running", op.name());
            log.note(name, Err("the driver exited".into()));
        }
    }
    if !bench.params.kind().bootstraps() {
        log.note(format!("{title} two lanes"), lanes(launch, scheme, request));
    }
}

fn open(
    launch: &Launch,
    scheme: &SchemeInfo,
    request: &ParamsRequest,
) -> Result<Workbench, String> {
    let mut driver = failed(Driver::start(launch))?;
    let prepared = failed(driver.prepare(&scheme.scheme, request.clone(), [1, 1], None))?;
    let has = |op: &str| scheme.ops.iter().any(|own| own == op);
    let mut bench = Workbench {
        driver,
        session: prepared.session,
        params: prepared.params,
        keys: KeyBytes::default(),
        operations: scheme.ops.clone(),
        threads: 1,
        op_threads: 1,
        inputs: if has("encrypt_pk") { KeyKind::Pk } else { KeyKind::Sk },
        random: SplitMix64(1),
    };
    bench.keys = failed(keys(&mut bench, 1))?.bytes;
    Ok(bench)
}

/// Generates keys with all rotations that the claimed operations need.
fn keys(bench: &mut Workbench, reps: usize) -> Result<Keys, Fault> {
    let (mut rotations, mut swap) = (BTreeSet::new(), false);
    for op in bench.operations.iter().filter_map(|name| Op::parse(name)) {
        let (steps, swaps) = op.rotation_keys(bench.params.slots, bench.params.rows());
        rotations.extend(steps);
        swap |= swaps;
    }
    let rotations = rotations.into_iter().collect();
    bench.driver.keygen(Keygen {
        session: bench.session,
        rotations,
        row_swap: u8::from(swap),
        reps,
    })
}

/// Generates three sets of keys: each takes its time, and invalidates ciphertexts under earlier
/// ones.
fn keygen(bench: &mut Workbench) -> Result<String, String> {
    let (old, _, _) = failed(bench.encrypt_random(bench.inputs, None))?;
    let made = failed(keys(bench, 3))?;
    let [first, later @ ..] = made.samples_ns.as_slice() else {
        return Err("no samples".into());
    };
    if later.len() != 2 {
        return Err(format!("3 repetitions gave {} samples", made.samples_ns.len()));
    }
    if later.iter().all(|ns| ns.saturating_mul(50) < *first) {
        return Err(format!("{:?} ns: later keys seem to be cached", made.samples_ns));
    }
    if bench.driver.decrypt(bench.session, old, Encoding::Slots).is_ok() {
        return Err("a ciphertext under earlier keys is still known".into());
    }
    if made.bytes.sk == 0 {
        return Err("the secret key has no size".into());
    }
    Ok(format!("{} ms", first / 1_000_000))
}

fn round_trip(bench: &mut Workbench) -> Result<String, String> {
    for (mode, op) in [(KeyKind::Sk, "encrypt_sk"), (KeyKind::Pk, "encrypt_pk")] {
        if !bench.operations.iter().any(|own| own == op) {
            continue;
        }
        let (ct, values, bytes) = failed(bench.encrypt_random(mode, None))?;
        let checked = failed(bench.compare(ct, &values.into(), Encoding::Slots))?;
        if checked.mismatches > 0 {
            return Err(format!("{op}: {} of {} values wrong", checked.mismatches, checked.values));
        }
        if bytes.packed == 0 {
            return Err(format!("{op}: the ciphertext has no size"));
        }
        failed(bench.driver.forget(vec![ct]))?;
        if bench.driver.forget(vec![ct]).is_ok() {
            return Err("a handle can be dropped twice".into());
        }
    }
    Ok(String::new())
}

/// Returns the operations of the testbed whose requirements the driver meets; integers only with 8
/// bits, because the other widths use the same circuits.
fn claimed(scheme: &SchemeInfo, bench: &Workbench) -> Vec<Op> {
    let torus = bench.params.kind().bootstraps();
    let bits = torus && bench.params.plain_modulus == 2;
    let small = IntegerOp::all().into_iter().filter(|op| {
        let signed = op.ty.is_signed();
        let kinds = [IntegerKind::Gt, IntegerKind::Shr, IntegerKind::Div, IntegerKind::Add];
        op.ty.bits() == 8 && (!signed || (kinds.contains(&op.kind) && !op.scalar))
    });
    let others = Op::catalog().into_iter().filter(|op| op.integer().is_none());
    let suits = |op: &Op| {
        let gate = op.subject() == Subject::Bits;
        let depth = op.depth() as u32;
        let timed = op.request().is_some();
        let known = op.needs().all(|need| scheme.ops.iter().any(|own| own == need));
        let fits = depth <= bench.params.depth.max(1) && (!torus || gate == bits || is_common(op));
        // Sets that bootstrap are checked on their own.
        let bootstraps = [BOOTSTRAP, TABLE].contains(&op.name());
        timed && known && fits && !bootstraps && !says_no_more(op, bench.params.depth)
    };
    others.chain(small.map(Op::from)).filter(suits).collect()
}

/// Returns true for operations that parameter sets for bits and for blocks have in common.
fn is_common(op: &Op) -> bool {
    ["encrypt_pk", "encrypt_sk", "decrypt"].contains(&op.name())
}

/// Returns true for operations that add nothing to the check: the polynomial at depth 1, dot
/// products of 32 beside those of 4, and batches beside single products.
fn says_no_more(op: &Op, depth: u32) -> bool {
    let deep = op.name() == "polynomial" && depth < 2;
    deep || op.calls_a_sample().is_some() || op.operands().len() > 8
}

/// Like [`verified`], but accepts a refusal with a reason where it is allowed: beyond the noise
/// budget, and for values packed in coefficients, which not every library supports.
fn tried(bench: &mut Workbench, op: &Op) -> Result<String, String> {
    match verified(bench, op) {
        Err(Fault::Refused(refusal)) => {
            let packed = op.encoding() == Encoding::Coefficients;
            let exhausted = refusal.code == Code::NoiseExhausted;
            let may = exhausted || (packed && refusal.code == Code::Unsupported);
            if may { Ok(format!("refused: {refusal}")) } else { Err(refusal.to_string()) }
        }
        other => failed(other)?,
    }
}

/// Runs calls on fresh inputs and compares every result: the whole truth table of a gate, one call
/// of a slow operation on integers.
fn verified(bench: &mut Workbench, op: &Op) -> Result<Result<String, String>, Fault> {
    let sets = match op.subject() {
        Subject::Bits => op.input_sets(1),
        Subject::Integers => 1,
        Subject::Vectors | Subject::Blocks => 2,
    };
    let batch = bench.make(op, sets)?;
    let request = Run {
        session: 0,
        op: String::new(),
        args: Args::default(),
        inputs: Vec::new(),
        warmup: 0,
        iterations: sets,
        samples: 1,
        budget_ns: None,
    };
    let timed = bench.time(op, &batch, request)?;
    let checked = bench.check(op, &batch, &timed.outputs)?;
    bench.clear(batch, &timed.outputs)?;
    Ok(match (checked.mismatches, checked.precision_bits) {
        (0, Some(bits)) => Ok(format!("{bits:.1} bits of precision")),
        (0, None) => Ok(String::new()),
        (wrong, _) => Err(format!("{wrong} of {} values wrong", checked.values)),
    })
}

/// Runs two threads in parallel, each on its own inputs.
fn lanes(launch: &Launch, scheme: &SchemeInfo, request: &ParamsRequest) -> Result<String, String> {
    let mut bench = open(launch, scheme, request)?;
    let prepared = bench.driver.prepare(&scheme.scheme, request.clone(), [2, 1], None);
    let prepared = match prepared {
        Err(Fault::Refused(refusal)) => return Ok(format!("refused: {}", refusal.message)),
        other => failed(other)?,
    };
    (bench.session, bench.params, bench.threads) = (prepared.session, prepared.params, 2);
    failed(keys(&mut bench, 1))?;
    let op = Op::parse("add").ok_or("the operation add is missing")?;
    if !scheme.ops.iter().any(|own| own == op.name()) {
        return Ok("not tested: the driver has no sums".into());
    }
    failed(verified(&mut bench, &op))?
}
