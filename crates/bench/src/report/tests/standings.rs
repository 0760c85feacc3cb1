//! The page and the terminal say the same of every comparison, because one judge decides.

use std::collections::BTreeMap;

use fathom_cases::record::ratio::Standing;
use fathom_cases::record::{self, ratio};
use serde_json::{Value, json};

use super::{catalog, lines, sample, text};
use crate::report::questions;
use crate::report::sections::Race;
use crate::report::terminal::ratios::ratios;
use crate::report::terminal::table::Style;
use crate::report::terminal::verdict::verdict;

const PURPOSE: &str = "bfv/d1-t65537";

/// A case whose times are those of [`sample::fast`] multiplied by a factor.
fn case(lib: &str, question: &str, factor: u64) -> Value {
    let mut case = sample::fast(lib, question, 30);
    for list in ["samples", "ci95"] {
        let times = case["time_ns"][list].as_array().unwrap();
        let times: Vec<u64> = times.iter().map(|ns| ns.as_u64().unwrap() * factor).collect();
        case["time_ns"][list] = json!(times);
    }
    let median = case["time_ns"]["median"].as_u64().unwrap();
    case["time_ns"]["median"] = (median * factor).into();
    case
}

/// A gate of a set that fails with a probability.
fn gate(lib: &str, p_fail_log2: f64) -> Value {
    let mut gate = case(lib, "tfhe/u_bool_64/nand", if lib == "fathom" { 1 } else { 5 });
    let key = |secret: &str| {
        json!({
            "dimension": 700, "log_q": 32.0, "secret": secret, "deviation_log2": -16.0
        })
    };
    gate["scheme"] = "tfhe".into();
    gate["params"]["p_fail_log2"] = p_fail_log2.into();
    gate["params"]["torus"] = json!({
        "family": "", "message_bits": 1, "carry_bits": 0, "lwe": key("binary"),
        "glwe": key("binary"),
    });
    gate
}

/// A race of the engine with peers that are faster, equal, slower, insecure, unrepeated, without a
/// time, or of another failure probability, and with itself through another language.
fn race() -> String {
    let at = |op: &str| format!("{PURPOSE}/{op}");
    let mut lines = lines(&sample::engine_run());
    lines.truncate(1);
    for op in ["mul", "add", "rotate", "mul?threads=2"] {
        lines.push(case("fathom", &at(op), 4));
    }
    for (op, factor) in [("mul", 2), ("add", 4), ("rotate", 12), ("mul?threads=2", 20)] {
        lines.push(case("seal", &at(op), factor));
    }
    let mut weak = case("openfhe", &at("mul"), 1);
    weak["security"]["level"] = Value::Null;
    weak["security"]["classical"] = 90.0.into();
    let mut single = case("openfhe", &at("rotate"), 1);
    single["time_ns"]["n"] = 1.into();
    single["time_ns"]["rounds"] = json!([30]);
    let mut timeless = case("lattigo", &at("mul"), 1);
    timeless["time_ns"] = Value::Null;
    let mut few = case("lattigo", &at("add"), 1);
    few["time_ns"]["rounds"] = json!([10, 10, 10]);
    let mut own = case("fathom-python", &at("mul"), 1);
    own["own"] = true.into();
    lines.extend([weak, single, timeless, few, own]);
    lines.extend([gate("fathom", -64.0), gate("seal", -152.0)]);
    for line in lines.iter_mut().filter(|line| line["kind"] == "case") {
        let question = line["question"].as_str().unwrap().to_owned();
        let threads = if question.ends_with("threads=2") { 2 } else { 1 };
        line["op"] = question.rsplit('/').next().unwrap().split('?').next().into();
        line["lane"]["threads"] = threads.into();
        line["id"] = format!("{}/{question}", line["lib"]["name"].as_str().unwrap()).into();
    }
    text(&lines)
}

/// The mark of every comparison on the terminal, by question and peer.
fn on_terminal(cases: &[record::Case], floor: f64) -> BTreeMap<(String, String), char> {
    let table = ratios(&ratio::rows(cases, floor), Style::Markdown);
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = table.lines().map(cells).filter(|row| row.len() > 5 && row[2].contains('/'));
    rows.map(|row| ((row[2].clone(), row[5].clone()), row[1].chars().next().unwrap())).collect()
}

/// The same from the classes of the cells on the page.
fn on_page(race: &Race, cases: &[record::Case]) -> BTreeMap<(String, String), char> {
    let mut marks = BTreeMap::new();
    for case in cases.iter().filter(|case| case.lib.name != "fathom") {
        let question = case.question.clone().unwrap();
        let lane = questions::lane(case.lane.threads as u64, 1);
        let label = format!("{}{lane}", case.op);
        let purpose = question.rsplit_once('/').unwrap().0.replace(['/', '.'], "-");
        let panel = race.panels.iter().find(|panel| panel.id == purpose).unwrap();
        let row = panel.rows.iter().find(|row| row.label == label).unwrap();
        let column = panel.columns.iter().position(|column| column.lib == case.lib.name).unwrap();
        let class = row.cells[column].class.as_str();
        let mark = match class {
            "tie" => '~',
            class if class.starts_with("slower") => '+',
            class if class.starts_with("faster") => '-',
            _ => '?',
        };
        marks.insert((question, case.lib.name.clone()), mark);
    }
    marks
}

#[test]
fn every_standing_is_the_same_on_the_page_and_on_the_terminal() {
    let run = race();
    let (_, cases) = record::read(&run).unwrap();
    let catalog = catalog(&run);
    let terminal = on_terminal(&cases, catalog.noise_floor());
    let page = on_page(&Race::new(&catalog), &cases);
    assert_eq!(terminal.len(), 9, "{terminal:?}");
    for (pair, mark) in &terminal {
        assert_eq!(page.get(pair), Some(mark), "{pair:?}");
    }
    let of = |op: &str, lib: &str| terminal[&(format!("{PURPOSE}/{op}"), lib.to_owned())];
    assert_eq!([of("mul", "seal"), of("add", "seal"), of("rotate", "seal")], ['-', '~', '+']);
    assert_eq!(of("mul?threads=2", "seal"), '+', "a lane is a comparison of its own");
    let unranked =
        [("mul", "openfhe"), ("rotate", "openfhe"), ("add", "lattigo"), ("mul", "fathom-python")];
    for (op, lib) in unranked {
        assert_eq!(of(op, lib), '?', "{op} {lib}");
    }
    let gates = &terminal[&("tfhe/u_bool_64/nand".to_owned(), "seal".to_owned())];
    assert_eq!(*gates, '?', "failure probabilities that differ by 88 bits");
}

#[test]
fn means_and_leaders_are_the_same_and_no_mean_is_infinite() {
    let run = race();
    let (_, cases) = record::read(&run).unwrap();
    let catalog = catalog(&run);
    let verdict = verdict(&cases, catalog.noise_floor(), false);
    assert!(!verdict.contains("inf"), "{verdict}");
    let words = |start: &str| {
        let line = verdict.lines().find(|line| line.starts_with(start)).unwrap();
        line[start.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let heads = words("time, and peers relative to it");
    let means = words("geometric mean of all");
    let race = Race::new(&catalog);
    let panel = race.panels.iter().find(|panel| panel.id == "bfv-d1-t65537").unwrap();
    for (lib, mean) in heads.iter().zip(&means).skip(1) {
        let column = panel.columns.iter().find(|column| column.lib.starts_with(lib)).unwrap();
        let number = |text: &str| text.trim_end_matches(['x', '×']).parse::<f64>().ok();
        match (number(mean), number(&column.mean)) {
            (Some(one), Some(other)) => assert!((one / other - 1.0).abs() < 0.01, "{lib}"),
            (one, other) => assert_eq!(one, other, "{lib}: {mean} and {}", column.mean),
        }
    }
    // Three peers fit on a line; the engine through another language comes last.
    assert_eq!(heads.len(), 4);
    assert!(verdict.contains("for the other peers: fathom-python -."), "{verdict}");
    assert!(verdict.contains("seal, ") && panel.verdict.lib == "seal", "{verdict}");
    assert_eq!(panel.verdict.next, "fathom");
}

/// The engine through another language is faster here than all others, and is said to be no peer.
#[test]
fn the_engine_through_another_language_is_shown_and_not_ranked() {
    let run = race();
    let (_, cases) = record::read(&run).unwrap();
    let rows = ratio::rows(&cases, 0.0);
    let row = rows.iter().find(|row| row.peer.own).unwrap();
    assert!(row.ratio.is_some_and(|found| found.ratio > 2.0), "{row:?}");
    assert_eq!(row.notes[0], "fathom-python is the engine through another language");
    let catalog = catalog(&run);
    let race = Race::new(&catalog);
    let panel = race.panels.iter().find(|panel| panel.id == "bfv-d1-t65537").unwrap();
    let column = panel.columns.iter().position(|column| column.lib == "fathom-python").unwrap();
    let product = panel.rows.iter().find(|row| row.label == "mul").unwrap();
    let cell = &product.cells[column];
    assert_eq!((cell.class.as_str(), cell.interval.as_str()), ("unranked", "our own"));
    assert_eq!(panel.columns[column].mean, "–");
    let alone: Vec<record::Case> = cases
        .into_iter()
        .filter(|case| case.own || case.lib.name == "fathom" && case.op == "mul")
        .collect();
    let text = verdict(&alone, 0.0, false);
    assert!(text.contains("1 comparisons are not ranked"), "{text}");
    assert!(text.contains("ahead in 0 of 0"), "{text}");
}

/// Encryptions of a library that has no call for encoding are shown beside those of the others.
#[test]
fn calls_that_include_encoding_are_not_ranked_beside_those_that_do_not() {
    let mut lines = lines(&race());
    lines.truncate(1);
    for op in ["encrypt_sk", "mul"] {
        for (lib, factor) in [("fathom", 1), ("tenseal", 3), ("other", 9)] {
            let mut line = case(lib, &format!("{PURPOSE}/{op}"), factor);
            (line["op"], line["id"]) = (op.into(), format!("{lib}/{PURPOSE}/{op}").into());
            if lib != "fathom" {
                line["encodes"] = true.into();
            }
            lines.push(line);
        }
    }
    let (_, cases) = record::read(&text(&lines)).unwrap();
    let rows = ratio::rows(&cases, 0.0);
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let encrypts = row.peer.op == "encrypt_sk";
        assert_eq!(row.standing == Standing::Unranked, encrypts, "{row:?}");
        let note = format!("{} includes encoding", row.peer.lib.name);
        assert_eq!(row.notes.contains(&note), encrypts, "{row:?}");
    }
    let answers = ratio::answers(&cases);
    let [tenseal, other] = ["tenseal", "other"].map(|lib| {
        let encrypts = |answer: &&ratio::Answer<'_>| answer.lib == lib;
        *answers.iter().find(encrypts).unwrap()
    });
    let row = ratio::between("q", tenseal, other, 0.0);
    assert_eq!(row.standing, Standing::Ahead, "both include it");
}

#[test]
fn two_lanes_of_one_operation_have_two_names() {
    let cases: Vec<record::Case> = record::read(&race()).unwrap().1;
    let own: Vec<record::Case> =
        cases.into_iter().filter(|case| case.lib.name == "fathom").collect();
    let text = verdict(&own, 0.0, false);
    let lanes = text.lines().filter(|line| line.starts_with("mul")).collect::<Vec<_>>();
    assert_eq!(lanes.len(), 2, "{text}");
    assert!(lanes.iter().any(|line| line.starts_with("mul, 2 threads")), "{text}");
}
