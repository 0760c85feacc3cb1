//! The verdict of a run on one screen of 80 columns and 24 lines: who is ahead, by how much, at
//! what security, and what is not verified; then one line for each question.

use fathom_cases::question::{self, Division};
use fathom_cases::record::ratio::{self, Answer, Row, Standing};
use fathom_cases::record::{Case, Status};

use crate::report::questions::{self, DECIDING};
use crate::report::terminal::kernels;
use crate::report::terminal::table::duration;

/// Size of the screen, less the lines of the prompt and of the paths.
const LINES: usize = 20;
const COLUMNS: usize = 80;

/// Width of the first column, and of each other.
const NAME: usize = 38;
const CELL: usize = 10;

/// Returns the verdict of a run; `floor` is the noise floor of the machine, and `verbose` says that
/// the tables of all cases stand above.
pub fn verdict(cases: &[Case], floor: f64, verbose: bool) -> String {
    let rows = ratio::rows(cases, floor);
    let rows: Vec<Row<'_>> =
        rows.into_iter().filter(|row| row.division == Division::Equal).collect();
    let mut lines = if rows.is_empty() { alone(cases) } else { race(cases, &rows, floor) };
    lines.extend(security(cases, &rows));
    lines.extend(outcomes(cases));
    lines.push(String::new());
    let rest = LINES.saturating_sub(lines.len() + 1);
    lines.extend(if rows.is_empty() { times(cases, rest) } else { ratios(&rows, rest) });
    if !verbose {
        lines.push(format!("All {} cases and ratios: --verbose, or the report.", cases.len()));
    }
    let cut = |line: String| line.chars().take(COLUMNS).collect::<String>().trim_end().to_owned();
    lines.into_iter().map(cut).collect::<Vec<_>>().join("\n")
}

/// Returns the lines on who is ahead.
fn race(cases: &[Case], rows: &[Row<'_>], floor: f64) -> Vec<String> {
    let count = |standing| rows.iter().filter(|row| row.standing == standing).count();
    let [ahead, behind] = [Standing::Ahead, Standing::Behind].map(count);
    let [equal, unranked] = [Standing::Indistinguishable, Standing::Unranked].map(count);
    let ranked = ahead + behind + equal;
    let base = rows.first().map_or("", |row| row.base.lib.name.as_str());
    let mut lines = vec![format!(
        "{base} is ahead in {ahead} of {ranked} comparisons, behind in {behind}, no difference in \
         {equal}."
    )];
    if unranked > 0 {
        lines.push(format!("{unranked} comparisons are not ranked: the report says why."));
    }
    if let Some(text) = headline(cases, rows, floor) {
        lines.extend(text);
    }
    let mut lost: Vec<&Row<'_>> =
        rows.iter().filter(|row| row.standing == Standing::Behind).collect();
    lost.sort_by(|a, b| factor(b).total_cmp(&factor(a)));
    let said = lost
        .iter()
        .take(3)
        .map(|row| format!("{} ({} {:.2}x)", short(row.question), row.peer.lib.name, factor(row)));
    let said: Vec<String> = said.collect();
    if !said.is_empty() {
        lines.push(format!("Furthest behind: {}.", said.join(", ")));
    }
    lines
}

/// Returns two lines on the fastest product of the deepest question up to depth 5.
fn headline(cases: &[Case], rows: &[Row<'_>], floor: f64) -> Option<[String; 2]> {
    let depth = |row: &Row<'_>| {
        let topic = question::topic_of(row.question).unwrap_or_default();
        questions::depth(topic).filter(|depth| *depth <= 5)
    };
    let product = |row: &&Row<'_>| work(row.question) == "mul";
    let chosen = rows.iter().filter(product).max_by_key(|row| depth(row));
    let question = chosen.or_else(|| rows.first())?.question;
    let answered = |answer: &Answer<'_>| {
        answer.case.question.as_deref() == Some(question)
            && answer.case.division.unwrap_or_default() == Division::Equal
    };
    let answers: Vec<Answer<'_>> = ratio::answers(cases).into_iter().filter(answered).collect();
    let (winner, row) = ratio::leaders(&answers, floor)?;
    let row = row?;
    let how = match row.ratio {
        Some(found) if row.standing != Standing::Indistinguishable => {
            let [low, high] = found.interval;
            format!("{:.2}x as fast [{low:.2}, {high:.2}]", found.ratio)
        }
        Some(_) | None => "no difference".to_owned(),
    };
    let best = winner.case.time_ns.as_ref().map_or(0, |time| time.median);
    let next = row.answers[0].lib;
    Some([
        format!("Fastest {} at {}:", work(question), name(question)),
        format!("  {}, {}; next {next}: {how}.", winner.lib, duration(best)),
    ])
}

/// Returns the line of a run of one library.
fn alone(cases: &[Case]) -> Vec<String> {
    let name = cases.first().map_or("", |case| case.lib.name.as_str());
    let timed = cases.iter().filter(|case| case.time_ns.is_some()).count();
    vec![format!("{name} alone: {timed} operations timed; no peer ran beside it.")]
}

/// Returns the line on the security of the compared cases, or of all.
fn security(cases: &[Case], rows: &[Row<'_>]) -> Option<String> {
    let compared: Vec<&Case> = rows.iter().flat_map(|row| [row.base, row.peer]).collect();
    let all = if compared.is_empty() { cases.iter().collect() } else { compared };
    let secure = all.iter().filter(|case| ratio::is_secure(case));
    let bits = secure.filter_map(|case| case.security.as_ref()?.classical);
    let least = bits.reduce(f64::min)?;
    Some(format!("Security: ranked parameters reach 128 bits; lowest estimate {least:.1} bits."))
}

/// Returns the lines on what is verified and what is not.
fn outcomes(cases: &[Case]) -> Vec<String> {
    let count = |status| cases.iter().filter(|case| case.verify.status == status).count();
    let past = cases.iter().filter(|case| case.is_past_budget()).count();
    let parts = [
        (count(Status::Wrong) - past, "wrong"),
        (past, "past budget"),
        (count(Status::Failed), "failed"),
        (count(Status::NoiseExhausted), "refused"),
        (count(Status::Unsupported), "not offered"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    let rest = (!parts.is_empty()).then(|| format!("Not verified: {}.", parts.join(", ")));
    verified(cases).into_iter().chain(rest).collect()
}

/// Returns the lines on what is verified, and how: results on ciphertexts by decryption, those on
/// clear data by another computation.
fn verified(cases: &[Case]) -> Vec<String> {
    let (clear, encrypted): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| case.is_clear());
    let line = |how: &str, cases: &[&Case]| {
        let ok = cases.iter().filter(|case| case.verify.status == Status::Ok).count();
        (!cases.is_empty()).then(|| format!("Verified {how}: {ok} of {}.", cases.len()))
    };
    let lines = [line("by decryption", &encrypted), line("against another computation", &clear)];
    lines.into_iter().flatten().collect()
}

/// Returns a line for each question: the time of the base and the ratios of its peers.
fn ratios(rows: &[Row<'_>], most: usize) -> Vec<String> {
    let mut libs: Vec<&str> = Vec::new();
    for row in rows {
        if !libs.contains(&row.peer.lib.name.as_str()) {
            libs.push(&row.peer.lib.name);
        }
    }
    let place = |lib: &str| mean(rows, lib).unwrap_or(f64::INFINITY);
    let is_own = |lib: &str| rows.iter().any(|row| row.peer.lib.name == lib && row.peer.own);
    libs.sort_by(|a, b| place(a).total_cmp(&place(b)).then(is_own(a).cmp(&is_own(b))));
    let wide = libs.split_off(libs.len().min((COLUMNS - NAME - CELL) / CELL));
    let base = rows.first().map_or("", |row| row.base.lib.name.as_str());
    // Longer names are cut, so that columns stay apart.
    let head = |lib: &&str| format!(" {lib:>0$.0$}", CELL - 1);
    let heads = libs.iter().map(head).collect::<Vec<_>>().concat();
    let mut lines =
        vec![format!("{:<NAME$}{base:>CELL$}{heads}", "time, and peers relative to it")];
    let questions = representatives(rows);
    for question in questions.iter().take(most.saturating_sub(2 + usize::from(!wide.is_empty()))) {
        let own = || rows.iter().filter(|row| row.question == *question);
        let time = own().next().and_then(|row| row.base.time_ns.as_ref());
        let time = time.map_or_else(String::new, |time| duration(time.median));
        let cells: Vec<String> = libs
            .iter()
            .map(|lib| {
                let row = own().find(|row| row.peer.lib.name == *lib);
                format!("{:>CELL$}", row.map_or_else(|| "-".into(), cell))
            })
            .collect();
        let name = format!("{} {}", work(question), name(question));
        lines.push(format!("{name:<NAME$.NAME$}{time:>CELL$}{}", cells.concat()));
    }
    let means: Vec<String> =
        libs.iter().map(|lib| format!("{:>CELL$}", said(mean(rows, lib)))).collect();
    let means = means.concat();
    lines.push(format!("{:<NAME$}{:>CELL$}{means}", "geometric mean of all", "1x"));
    if !wide.is_empty() {
        let means = wide.iter().map(|lib| format!("{lib} {}", said(mean(rows, lib))));
        lines.push(format!(
            "Geometric mean for the other peers: {}.",
            means.collect::<Vec<_>>().join(", ")
        ));
    }
    lines
}

/// Returns the questions that represent their purposes, one each.
fn representatives<'a>(rows: &[Row<'a>]) -> Vec<&'a str> {
    let mut chosen: Vec<&str> = Vec::new();
    let purpose = |question: &str| question.rsplit_once('/').map(|(front, _)| front.to_owned());
    let place = |question: &str| DECIDING.iter().position(|op| *op == work(question));
    let mut questions: Vec<&'a str> = rows.iter().map(|row| row.question).collect();
    questions.sort_by_key(|question| (place(question).unwrap_or(DECIDING.len()), *question));
    for question in questions {
        if !chosen.iter().any(|known| purpose(known) == purpose(question)) {
            chosen.push(question);
        }
    }
    chosen.sort_by_key(|question| name(question));
    chosen
}

/// Returns a line for each of the deciding operations of each parameter set; for kernels, how near
/// they come to their limits.
fn times(cases: &[Case], most: usize) -> Vec<String> {
    if let Some(lines) = kernels::lines(cases, most) {
        return lines;
    }
    let place = |case: &Case| DECIDING.iter().position(|op| *op == case.op);
    let mut timed: Vec<&Case> = cases
        .iter()
        .filter(|case| case.time_ns.is_some() && case.verify.status == Status::Ok)
        .collect();
    timed.sort_by_key(|case| place(case).unwrap_or(DECIDING.len()));
    let line = |case: &&Case| {
        let time = case.time_ns.as_ref()?;
        let purpose = questions::words(&case.topic());
        let lane = questions::lane(case.lane.threads as u64, case.lane.op_threads as u64);
        let name = format!("{}{lane} {} {purpose}", case.op, questions::scheme(&case.scheme));
        let spread =
            time.ci95.map(|[low, high]| format!("{} .. {}", duration(low), duration(high)));
        let spread = spread.unwrap_or_default();
        let bits = case.security.as_ref().and_then(|security| security.classical);
        let bits = bits.map(|bits| format!("{bits:.0} bits")).unwrap_or_default();
        let time = duration(time.median);
        Some(format!("{name:<NAME$.NAME$}{time:>CELL$}  {spread:<20}{bits:>CELL$}"))
    };
    timed.iter().take(most).filter_map(line).collect()
}

fn cell(row: &Row<'_>) -> String {
    let sign = match row.standing {
        Standing::Indistinguishable => "~",
        Standing::Behind => "!",
        Standing::Unranked => "?",
        Standing::Ahead => "",
    };
    row.ratio.map_or_else(|| "-".into(), |found| format!("{sign}{:.2}x", 1.0 / found.ratio))
}

/// Returns by what factor the base of a row is slower.
fn factor(row: &Row<'_>) -> f64 {
    row.ratio.map_or(1.0, |found| found.ratio)
}

/// Returns the geometric mean of the time of a peer over that of the base; `None` if no comparison
/// with it is ranked.
fn mean(rows: &[Row<'_>], lib: &str) -> Option<f64> {
    let own = rows.iter().filter(|row| row.peer.lib.name == lib);
    ratio::geometric_mean(own).map(|(mean, _)| 1.0 / mean)
}

fn said(mean: Option<f64>) -> String {
    mean.map_or_else(|| "-".into(), |mean| format!("{mean:.2}x"))
}

fn work(question: &str) -> &str {
    question.rsplit('/').next().unwrap_or_default()
}

/// Puts scheme and purpose of a question into words: `BFV depth 5, t = 65537`.
fn name(question: &str) -> String {
    let mut parts = question.split('/');
    let scheme = questions::scheme(parts.next().unwrap_or_default());
    format!("{scheme} {}", questions::words(parts.next().unwrap_or_default()))
}

fn short(question: &str) -> String {
    format!("{} {}", work(question), questions::scheme(question.split('/').next().unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(lib: &str, question: &str, ms: u64, status: &str) -> Case {
        let samples: Vec<u64> = (0..12).map(|k| ms * 1_000_000 + k * 1000).collect();
        let op = work(question);
        serde_json::from_value(serde_json::json!({
            "kind": "case", "id": format!("{lib}/{question}"), "scheme": "bfv", "op": op,
            "question": question, "division": "equal", "scenario": "latency",
            "lib": { "name": lib, "version": "1", "build": "", "isa_used": "" },
            "lane": { "pack": "simd", "slots": 1, "threads": 1, "inputs": "pk" },
            "semantics": { "kind": "exact_mod_p", "p": 2 }, "params": null,
            "security": { "classical": 128.3, "quantum": 117.0, "level": 128, "model": "m",
                "source": "s", "badge": "b" },
            "verify": {
                "status": status, "expected": status == "ok", "checked": 1, "mismatches": 0,
                "noise_budget_bits": { "before": null, "after": null, "predicted_after": null },
                "p_fail_log2": null,
            },
            "time_ns": {
                "n": 12, "iterations": 1, "samples": samples, "rounds": vec![1; 12],
                "median": ms * 1_000_000, "ci95": [ms * 1_000_000, ms * 1_000_000 + 9000],
                "mad": 0, "min": 0, "p95": 0, "p99": 0, "mean": 0, "stddev": 0, "lag1": 0.0,
                "outliers": { "mild": 0, "severe": 0 }, "cpu": null,
                "involuntary_switches": null, "flags": [],
            },
            "bytes": {}, "derived": {}, "provenance": "measured",
        }))
        .unwrap()
    }

    /// A race of many questions and libraries.
    fn cases() -> Vec<Case> {
        let mut cases = Vec::new();
        for scheme in ["bfv", "bgv", "ckks"] {
            for depth in 1..=9 {
                for op in ["mul", "add", "rotate"] {
                    let question = format!("{scheme}/d{depth}-t65537/{op}");
                    for (lib, ms) in
                        [("fathom", 2), ("seal", 5), ("openfhe", 1), ("lattigo", 6), ("hexl", 7)]
                    {
                        cases.push(case(lib, &question, ms, "ok"));
                    }
                }
            }
        }
        cases.push(case("seal", "bfv/d1-t65537/square", 1, "wrong"));
        cases
    }

    #[test]
    fn the_verdict_of_a_large_race_fits_one_screen() {
        let text = verdict(&cases(), 0.0, false);
        assert!(text.lines().count() <= 22, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn it_says_who_is_ahead_by_how_much_how_secure_and_what_is_not_verified() {
        let text = verdict(&cases(), 0.0, false);
        for said in [
            "fathom is ahead in 243 of 324 comparisons, behind in 81",
            "Fastest mul at CKKS depth 5, t = 65537:",
            "openfhe, 1.00 ms; next fathom: 1.99x as fast [1.99, 2.00]",
            "lowest estimate 128.3 bits",
            "Verified by decryption: 405 of 406.\nNot verified: 1 wrong.",
            "!0.50x",
            "Geometric mean for the other peers: hexl 3.49x.",
        ] {
            assert!(text.contains(said), "{said} in\n{text}");
        }
    }

    #[test]
    fn one_library_has_its_times() {
        let cases = [case("fathom", "bfv/d1-t65537/mul", 3, "ok")];
        let text = verdict(&cases, 0.0, true);
        assert!(text.contains("fathom alone") && text.contains("3.00 ms"), "{text}");
    }
}
