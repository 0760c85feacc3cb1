//! `fathom explain`: explains a code, an operation or a case id.

use clap::Args;
use fathom_drivers::ops::Op;

use super::outcome::{Exit, Failure, Outcome};

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A flag, warning, status or error code, an operation, or a case id
    #[arg(value_name = "CODE|CASE")]
    what: String,
}

/// Codes, each with its meaning and what to do about it.
const CODES: [(&str, &str); 46] = [
    ("ok", "Status: every decrypted value equals that of the computation on clear values."),
    ("wrong", "Status: at least one decrypted value is wrong. Never ranked; exit code 3."),
    (
        "noise_exhausted",
        "Status and refusal: the operation could push the noise past the limit of \
      correct decryption, so the library refused. Choose parameters of greater depth.",
    ),
    ("unsupported", "Status and refusal: the library has no such scheme, parameters or operation."),
    (
        "failed",
        "Status: the driver crashed, hung, sent too much or malformed output, or failed \
      internally; the field `reason` says which.",
    ),
    ("bad_request", "Refusal: the request was malformed or out of order: a bug in the harness."),
    ("insecure", "Refusal: the parameters are below the requested security level."),
    ("internal", "Refusal: an internal error of the driver or its library."),
    ("not_started", "Failure: the driver's program could not be run."),
    ("crashed", "Failure: the driver exited while a reply was due; its last output is recorded."),
    ("hung", "Failure: no reply within --reply-time; the driver was killed."),
    ("flooded", "Failure: a reply longer than 64 MiB; the driver was killed."),
    (
        "protocol_violation",
        "Failure: a field of a reply lies outside the limits of docs/driver-protocol.md, or \
      contradicts the request or the testbed's clock; the driver was killed.",
    ),
    ("nonsense", "Failure: a reply that does not follow the protocol; the driver was killed."),
    ("single_shot", "Flag: one sample. It has no interval and is never ranked."),
    ("few_samples", "Flag: fewer than 10 samples, because one call is slow or the time ran out."),
    (
        "wide_interval",
        "Flag: the 95 % interval of the median is wider than 5 % to each side. Give \
      the case more time with --budget or --full, on an idle machine.",
    ),
    (
        "cached_work",
        "Flag: the first calls on new inputs took five times as long as later ones, or \
      a few samples differ widely: some calls reused earlier work.",
    ),
    ("drift", "Flag: the samples show a trend: temperature, other load, or growing state."),
    ("bimodal", "Flag: the samples form two clusters: two code paths, frequencies or page sizes."),
    ("preempted", "Flag: the scheduler preempted the process in over half of the samples."),
    ("interrupted", "Flag: the run was stopped before the case had all its samples."),
    ("sum_mismatch", "Doubt: a printed total is not its count times the time of one."),
    ("rate_mismatch", "Doubt: a rate does not follow from the time printed beside it."),
    (
        "composition_mismatch",
        "Doubt: a program is faster than an operation inside it, or far slower than all of them.",
    ),
    (
        "efficiency_mismatch",
        "Doubt: an efficiency is not the rate on all cores over that on one times their number.",
    ),
    ("not_monotone", "Doubt: a wider operand, a larger task or a larger set is faster."),
    ("growth_mismatch", "Doubt: a time grows with its size by more than any algorithm for it."),
    ("ratio_mismatch", "Doubt: a printed ratio is not that of the two figures that it compares."),
    ("repeat_mismatch", "Doubt: a figure is printed twice, and the two do not round to one value."),
    (
        "too_deep",
        "Doubt: at the stated degree and modulus, noise passes the limit of decryption before the \
      stated depth, under public-key encryption of full vectors.",
    ),
    ("size_mismatch", "Doubt: no encoding of one to three polynomials has the stated size."),
    (
        "implausible_unit",
        "Doubt: in this unit, one bootstrap of the operation would take over 0.5 s or under 10 us.",
    ),
    ("unit_mismatch", "Doubt: the ending of a name, such as `_us`, is not that of its unit."),
    ("same_algorithm", "Doubt: one parameter set and method, or equal figures, under two names."),
    ("estimated", "Doubt: a size from a formula, not the length of a serialised object."),
    ("n_not_stated", "Doubt: the table states no number of samples."),
    (
        "unstable",
        "Doubt: the standard deviation is over 30 % of the mean, and n leaves the mean uncertain \
      by over 3 %.",
    ),
    ("derived", "Doubt: computed from other figures. Never ranked with measured ones."),
    ("W-DEBUG", "A debug build: times are meaningless. Build with --release."),
    ("W-PSI", "Other work kept processors busy in the last minute. Run again when idle."),
    ("W-STEAL", "The hypervisor gave processor time to other machines."),
    ("W-CGROUP", "A control group limits processor time: threads will be throttled."),
    ("W-GOVERNOR", "The processor's frequency follows load. Set the governor to performance."),
    ("W-NOISE", "The same case measured twice differed by over 5 %. See `fathom doctor --aa`."),
    (
        "W-TURBO, W-SMT, W-VM",
        "With boost clocks, shared cores or virtual machines, times depend \
      on factors that cannot be observed here. Ratios within one run are more reliable.",
    ),
];

pub(super) fn run(args: &ExplainArgs) -> Outcome {
    let what = args.what.trim();
    let same = |codes: &str| codes.split(", ").any(|code| code.eq_ignore_ascii_case(what));
    if let Some((code, text)) = CODES.iter().find(|(codes, _)| same(codes)) {
        println!("{code}\n{text}");
    } else if let Some(op) = Op::parse(what) {
        println!("{what}\n{}", op.meaning());
    } else if !explain_case(what) {
        let codes: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
        let text = format!(
            "`{what}` is not a code, an operation or a case id; the codes are {}",
            codes.join(", ")
        );
        return Err(Failure::usage(text));
    }
    Ok(Exit::Ok)
}

fn explain_case(id: &str) -> bool {
    let (path, lane) = id.split_once('?').unwrap_or((id, "threads=1"));
    let [lib, scheme, params, op] = path.split('/').collect::<Vec<_>>()[..] else { return false };
    let Some(op) = Op::parse(op) else { return false };
    println!("library      {lib}\nscheme       {scheme}\nparameters   {params}");
    println!("operation    {}: {}\nlane         {lane}", op.name(), op.meaning());
    if let Some((request, _)) = op.request() {
        println!("request      {request}, operands {:?}", op.operands());
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_cases::effort::Series;

    fn explains(what: &str) -> bool {
        run(&ExplainArgs { what: what.into() }).is_ok()
    }

    #[test]
    fn codes_operations_and_cases_are_explained_and_nothing_else() {
        assert!(explains("drift") && explains("W-SMT") && explains("w-psi"));
        assert!(explains("dot16") && explains("fathom/bfv/e1/mul?threads=2"));
        assert!(!explains("nonsense-code") && !explains("a/b/c") && !explains("a/b/c/frobnicate"));
    }

    #[test]
    fn every_flag_that_a_series_can_have_is_explained() {
        let ramp: Vec<f64> = (0..9).map(f64::from).collect();
        let series = Series { samples: ramp, interrupted: true, ..Series::default() };
        assert!(!series.flags().is_empty() && series.flags().into_iter().all(explains));
    }
}
