//! The judge of comparisons, for the terminal and for the page: for every question, the time of the
//! first library (the engine, if it answered) divided by that of each other library.

use crate::question::Division;
use crate::record::{Case, Status, TimeNs};
use crate::stats::{self, FEWEST_PAIRS, Ratio, paired_bootstrap_ratio};

/// Largest difference, in bits, of two failure probabilities that count as equal: the parameter
/// sets of different libraries do not reach exactly the same probability.
const EQUAL_FAILURE_BITS: f64 = 20.0;

/// A case, with the library and the run by which a report tells it apart.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The case.
    pub case: &'a Case,
    /// Name of its library; with the number of the run if several runs measured it.
    pub lib: &'a str,
    /// Number of its run.
    pub run: usize,
    /// Number by which the caller knows it.
    pub place: usize,
}

/// One question answered by two libraries.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The question.
    pub question: &'a str,
    /// Rule by which the parameters were chosen.
    pub division: Division,
    /// Numerator of the ratio: the engine's case, or another library's if the engine has none.
    pub base: &'a Case,
    /// Denominator of the ratio.
    pub peer: &'a Case,
    /// The answers that the two cases are.
    pub answers: [Answer<'a>; 2],
    /// Time of `base` divided by that of `peer`, below 1 if `base` is faster; `None` if either has
    /// fewer than [`FEWEST_PAIRS`] rounds.
    pub ratio: Option<Ratio>,
    /// Conclusion from the ratio.
    pub standing: Standing,
    /// Caveats of the comparison.
    pub notes: Vec<String>,
}

/// Conclusion of a comparison; variants in the order in which tables show the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The base is slower by more than chance and noise explain.
    Behind,
    /// The difference is not significant.
    Indistinguishable,
    /// One of the two is below 128 bits or no peer, they do not do the same work, or there are too
    /// few rounds.
    Unranked,
    /// The base is faster by more than chance and noise explain.
    Ahead,
}

impl Standing {
    /// Returns one character for tables.
    pub fn mark(self) -> char {
        match self {
            Self::Behind => '-',
            Self::Indistinguishable => '~',
            Self::Unranked => '?',
            Self::Ahead => '+',
        }
    }

    /// Returns the word for records and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Behind => "behind",
            Self::Indistinguishable => "no difference",
            Self::Unranked => "not ranked",
            Self::Ahead => "ahead",
        }
    }
}

/// Returns all pairs of a run, those where the base is not faster first; differences below
/// `noise_floor` are not significant.
pub fn rows(cases: &[Case], noise_floor: f64) -> Vec<Row<'_>> {
    rows_of(&answers(cases), noise_floor)
}

/// Returns the cases of one run as answers, each with its position.
pub fn answers(cases: &[Case]) -> Vec<Answer<'_>> {
    cases.iter().enumerate().map(|(place, case)| Answer::new(case, place)).collect()
}

/// Returns all pairs of answers of one or several runs; see [`rows`].
pub fn rows_of<'a>(answers: &[Answer<'a>], noise_floor: f64) -> Vec<Row<'a>> {
    let timed = |answer: &&Answer<'_>| {
        answer.case.time_ns.is_some() && answer.case.verify.status == Status::Ok
    };
    let timed: Vec<&Answer<'a>> = answers.iter().filter(timed).collect();
    let engine = timed.iter().map(|answer| answer.lib).find(|lib| is_engine(lib));
    let mut rows = Vec::new();
    for (place, peer) in timed.iter().enumerate() {
        let Some(question) = peer.case.question.as_deref() else { continue };
        if Some(peer.lib) == engine {
            continue;
        }
        let same = |other: &&&Answer<'a>| {
            other.case.question.as_deref() == Some(question) && other.lib != peer.lib
        };
        // The engine has one answer to a question, regardless of the rule for its peers.
        let base = timed.iter().filter(same).find(|other| Some(other.lib) == engine);
        let first = || {
            let rule = |other: &&&Answer<'a>| other.case.division == peer.case.division;
            timed[..place].iter().filter(same).find(rule)
        };
        if let Some(base) = base.or_else(first) {
            rows.push(between(question, **base, **peer, noise_floor));
        }
    }
    rows.sort_by(|a, b| {
        let ratio = |row: &Row<'_>| row.ratio.map_or(0.0, |ratio| ratio.ratio);
        let by_ratio = || ratio(b).total_cmp(&ratio(a));
        (a.division, a.standing).cmp(&(b.division, b.standing)).then_with(by_ratio)
    });
    rows
}

/// Returns true for the label of the engine, in one run or in several.
fn is_engine(lib: &str) -> bool {
    lib.split(' ').next() == Some("fathom")
}

impl<'a> Answer<'a> {
    /// Returns a case of a single run.
    pub fn new(case: &'a Case, place: usize) -> Self {
        Self { case, lib: &case.lib.name, run: 0, place }
    }
}

/// Judges two answers to one question.
pub fn between<'a>(
    question: &'a str,
    base: Answer<'a>,
    peer: Answer<'a>,
    noise_floor: f64,
) -> Row<'a> {
    let answers = [base, peer];
    let ratio = if base.run == peer.run {
        of_rounds(base.case, peer.case)
    } else {
        of_medians(base.case, peer.case)
    };
    let [base, peer] = answers.map(|answer| answer.case);
    let notes = notes(base, peer);
    let division = peer.division.unwrap_or_default();
    let fair = base.includes_encoding() == peer.includes_encoding()
        && (division == Division::Failure || fail_alike(failure_of(base), failure_of(peer)));
    let standing = match ratio {
        Some(ratio) if is_ranked(base) && is_ranked(peer) && fair => judge(ratio, noise_floor),
        Some(_) | None => Standing::Unranked,
    };
    Row { question, division, base, peer, answers, ratio, standing, notes }
}

/// Returns the fastest ranked answer to one question, and the fastest one of another library that
/// may be compared with it, as a row of which it is the base. `answers` have one question.
pub fn leaders<'a>(
    answers: &[Answer<'a>],
    noise_floor: f64,
) -> Option<(Answer<'a>, Option<Row<'a>>)> {
    let median = |answer: &Answer<'_>| answer.case.time_ns.as_ref().map(|time| time.median);
    let mut ranked: Vec<Answer<'a>> =
        answers.iter().filter(|answer| is_ranked(answer.case)).copied().collect();
    ranked.sort_by_key(median);
    let best = *ranked.first()?;
    let question = best.case.question.as_deref().unwrap_or_default();
    let others = ranked.iter().filter(|answer| answer.lib != best.lib);
    let rows = others.map(|other| between(question, *other, best, noise_floor));
    let next = rows.into_iter().find(|row| row.standing != Standing::Unranked);
    Some((best, next))
}

/// Returns true if a case may be ranked: a verified measurement of more than one sample, at 128
/// bits of security or more, of the engine or of a peer, but not of the engine through another
/// language.
pub fn is_ranked(case: &Case) -> bool {
    case.provenance == "measured"
        && !case.own
        && case.verify.status == Status::Ok
        && case.time_ns.as_ref().is_some_and(|time| time.n > 1 && time.median > 0)
        && is_secure(case)
}

/// Computes ratio and interval of two independent medians, of different runs: the logarithmic
/// distances of each end from the median are added in quadrature.
fn of_medians(base: &Case, peer: &Case) -> Option<Ratio> {
    let of = |case: &Case| {
        let time = case.time_ns.as_ref().filter(|time| time.median > 0)?;
        Some((time.median as f64, time.ci95?.map(|end| end as f64)))
    };
    let ((base, [base_low, base_high]), (peer, [peer_low, peer_high])) = (of(base)?, of(peer)?);
    let below = (base / base_low).ln().hypot((peer_high / peer).ln());
    let above = (base_high / base).ln().hypot((peer / peer_low).ln());
    let ratio = base / peer;
    Some(Ratio { ratio, interval: [ratio * (-below).exp(), ratio * above.exp()] })
}

/// Computes the ratio from the medians of the rounds that both have.
fn of_rounds(base: &Case, peer: &Case) -> Option<Ratio> {
    let medians = |case: &Case| case.time_ns.as_ref().map(round_medians);
    paired_bootstrap_ratio(&medians(base)?, &medians(peer)?, 0.95, 1)
}

/// Returns the median of each round, in order.
fn round_medians(time: &TimeNs) -> Vec<f64> {
    let samples: Vec<f64> = time.samples.iter().map(|&ns| ns as f64).collect();
    stats::medians_of_parts(&samples, &time.rounds)
}

/// Judges a ratio by its interval and by the noise floor of the machine.
pub fn judge(ratio: Ratio, noise_floor: f64) -> Standing {
    let [low, high] = ratio.interval;
    let within_noise = ratio.ratio.max(1.0 / ratio.ratio) - 1.0 <= noise_floor;
    if within_noise || (low <= 1.0 && high >= 1.0) {
        Standing::Indistinguishable
    } else if low > 1.0 {
        Standing::Behind
    } else {
        Standing::Ahead
    }
}

/// Returns log2 of the probability that one bootstrap of the case is wrong, if the case has
/// bootstraps and its library states it. Exact schemes state one as well, for decryption.
fn failure_of(case: &Case) -> Option<f64> {
    let params = case.params.as_ref().filter(|params| params.kind().bootstraps())?;
    params.p_fail_log2
}

/// Returns true if two failure probabilities count as equal; an unstated one equals any other.
pub fn fail_alike(ours: Option<f64>, theirs: Option<f64>) -> bool {
    let pair = ours.zip(theirs);
    pair.is_none_or(|(ours, theirs)| (ours - theirs).abs() <= EQUAL_FAILURE_BITS)
}

/// Returns true if the case reaches 128 bits by the testbed's own estimate; false if the estimator
/// does not cover its assumption.
pub fn is_secure(case: &Case) -> bool {
    case.security.as_ref().is_some_and(|security| security.level.is_some())
}

fn notes(base: &Case, peer: &Case) -> Vec<String> {
    let mut notes = Vec::new();
    for case in [base, peer] {
        if case.own {
            notes.push(format!("{} is the engine through another language", case.lib.name));
        }
        if !is_secure(case) {
            let bits = case.security.as_ref().and_then(|security| security.classical);
            let bits = bits.map_or_else(|| "no known".to_owned(), |bits| format!("{bits:.0}"));
            notes.push(format!("{} has {bits} bits of security", case.lib.name));
        }
        if let Some(time) = &case.time_ns
            && time.rounds.len() < FEWEST_PAIRS
        {
            let shots = if time.n == 1 { "a single shot" } else { "too few rounds" };
            notes.push(format!("{}: {shots}", case.lib.name));
        }
    }
    for case in [base, peer] {
        if let Some(caution) = case.caution() {
            notes.push(format!("{}: {caution}", case.lib.name));
        }
    }
    if base.includes_encoding() != peer.includes_encoding() {
        let encoding = if base.includes_encoding() { base } else { peer };
        notes.push(format!("{} includes encoding", encoding.lib.name));
    }
    notes.extend(processor_time(base, peer));
    notes.extend(failure_probabilities(base, peer));
    notes
}

/// Describes the failure probabilities of a bootstrap, if they differ or one library states none.
fn failure_probabilities(base: &Case, peer: &Case) -> Option<String> {
    let [ours, theirs] = [base, peer].map(failure_of);
    let near = ours.zip(theirs).is_some_and(|(ours, theirs)| (ours - theirs).abs() <= 8.0);
    if near || (ours.is_none() && theirs.is_none()) {
        return None;
    }
    let said = |bits: Option<f64>| {
        bits.map_or_else(|| "one not stated".to_owned(), |bits| format!("2^{bits:.0}"))
    };
    Some(format!("p_fail {} against {}", said(ours), said(theirs)))
}

/// Describes the ratio of processor times, if it differs from that of wall-clock times: longer
/// calls are interrupted more often by other work, and processor time excludes the interruptions.
fn processor_time(base: &Case, peer: &Case) -> Option<String> {
    let (a, b) = (base.time_ns.as_ref()?, peer.time_ns.as_ref()?);
    let wall = a.median as f64 / b.median as f64;
    let processor = a.cpu? as f64 / b.cpu.filter(|ns| *ns > 0)? as f64;
    let far = (processor / wall).ln().abs() > 1.25_f64.ln();
    (far && processor > 0.0).then(|| format!("{processor:.3} in processor time"))
}

/// Returns the geometric mean of the ranked ratios and their number; `None` if there are none.
pub fn geometric_mean<'a>(rows: impl Iterator<Item = &'a Row<'a>>) -> Option<(f64, usize)> {
    let ranked = rows.filter(|row| row.standing != Standing::Unranked);
    let logs: Vec<f64> = ranked.filter_map(|row| row.ratio).map(|ratio| ratio.ratio.ln()).collect();
    let mean = || (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    (!logs.is_empty()).then(|| (mean(), logs.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_drivers::random::SplitMix64;

    /// A round of a machine that drifts, with spikes in one round of eight: about 2 % of noise.
    fn round(load: f64, random: &mut SplitMix64) -> f64 {
        let noise = (0..6).map(|_| random.below(1000) as f64 / 1000.0 - 0.5).sum::<f64>();
        let spike = if random.below(8) == 0 { random.below(100) as f64 / 500.0 } else { 0.0 };
        load * (1.0 + 0.03 * noise + spike)
    }

    fn alarms(rounds: usize, factor: f64) -> usize {
        let trial = |seed: u64| {
            let mut random = SplitMix64(seed * 7919);
            let mut load = 1e6;
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for _ in 0..rounds {
                load *= 1.0 + (random.below(100) as f64 - 50.0) / 1000.0;
                a.push(round(load * factor, &mut random));
                b.push(round(load, &mut random));
            }
            let ratio = paired_bootstrap_ratio(&a, &b, 0.95, seed).unwrap();
            judge(ratio, 0.0) != Standing::Indistinguishable
        };
        (0..400).filter(|&seed| trial(seed)).count()
    }

    #[test]
    fn a_library_does_not_differ_from_itself_in_nineteen_of_twenty_runs() {
        for rounds in [5, 6, 8, 12] {
            let found = alarms(rounds, 1.0);
            assert!(found <= 400 / 20, "{found} of 400 with {rounds} rounds");
        }
    }

    #[test]
    fn a_real_difference_is_seen() {
        assert!(alarms(8, 1.25) > 360 && alarms(8, 0.7) > 360);
    }

    #[test]
    fn failure_probabilities_of_other_orders_are_not_equal() {
        for (ours, theirs, alike) in [
            (Some(-128.0), Some(-144.0), true),
            (Some(-64.0), Some(-64.0), true),
            (Some(-128.0), Some(-166.8), false),
            (Some(-128.0), Some(-64.0), false),
            (Some(-128.0), None, true),
            (None, None, true),
        ] {
            assert_eq!(fail_alike(ours, theirs), alike, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn a_difference_below_the_noise_floor_is_none() {
        let ratio = Ratio { ratio: 1.03, interval: [1.02, 1.04] };
        assert_eq!(judge(ratio, 0.0), Standing::Behind);
        assert_eq!(judge(ratio, 0.05), Standing::Indistinguishable);
        let ratio = Ratio { ratio: 0.5, interval: [0.4, 0.6] };
        assert_eq!(judge(ratio, 0.05), Standing::Ahead);
    }
}
