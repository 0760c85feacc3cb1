//! The first screen of a report: the verdict and the ratios of one question.

use serde_json::{Value, json};

use super::sample;
use super::{catalog, lines, text};
use crate::report::sections::Race;

/// The synthetic run with peers, of which each case is given the question of its operation.
fn race(change: impl Fn(&mut Value)) -> Race {
    let mut lines = lines(&sample::run_with_peers());
    for case in lines.iter_mut().filter(|line| line["kind"] == "case") {
        let scheme = case["scheme"].as_str().unwrap_or_default().to_owned();
        let op = case["op"].as_str().unwrap_or_default().to_owned();
        let t = case["params"]["plain_modulus"].as_u64().unwrap();
        let depth = case["params"]["depth"].as_u64().unwrap();
        let bits = if case["params"]["name"] == "e2-192" { "-192bit" } else { "" };
        let lane = if case["lane"]["threads"] == 2 { "?threads=2" } else { "" };
        case["question"] = format!("{scheme}/d{depth}-t{t}{bits}/{op}{lane}").into();
        change(case);
    }
    Race::new(&catalog(&text(&lines)))
}

#[test]
fn the_first_screen_says_who_is_fastest_by_how_much_and_how_secure() {
    let race = race(|_| {});
    let chosen: Vec<&str> = race
        .switch
        .iter()
        .flat_map(|group| &group.choices)
        .filter(|choice| choice.chosen)
        .map(|choice| choice.id.as_str())
        .collect();
    assert_eq!(chosen, ["bfv-d1-t65537"], "the question with the most libraries comes first");
    let panel = race.panels.iter().find(|panel| panel.id == chosen[0]).unwrap();
    let verdict = &panel.verdict;
    // The synthetic openfhe is 1 % slower than fathom, which is less than the noise floor.
    assert!([verdict.lib.as_str(), &verdict.next].contains(&"fathom"), "{verdict:?}");
    assert!(verdict.factor.is_empty() && verdict.what.starts_with("product"), "{verdict:?}");
    let facts = panel.facts.join(" ");
    assert!(facts.contains("the lowest estimate is 128.4 bits"), "{facts}");
}

#[test]
fn columns_stand_in_the_order_of_their_mean_and_cells_carry_an_interval() {
    let race = race(|_| {});
    let panel = race.panels.iter().find(|panel| panel.id == "bfv-d1-t65537").unwrap();
    let libs: Vec<&str> = panel.columns.iter().map(|column| column.lib.as_str()).collect();
    assert_eq!(libs.last(), Some(&"seal"), "the slowest stands last: {libs:?}");
    let mul = panel.rows.iter().find(|row| row.label == "mul").unwrap();
    let seal = &mul.cells[libs.len() - 1];
    let ratio: f64 = seal.text.trim_end_matches('×').parse().unwrap();
    let ends: Vec<f64> = seal.interval.split('–').map(|end| end.parse().unwrap()).collect();
    assert!((ratio - 4.2).abs() < 0.2 && ends[0] <= ratio && ratio <= ends[1], "{seal:?}");
    assert!(mul.class == "tie" && mul.mark == "≈", "{} {}", mul.class, mul.mark);
}

#[test]
fn a_row_in_which_the_baseline_is_slower_is_marked() {
    let race = race(|case| {
        if case["lib"]["name"] == "fathom" && case["op"] == "mul" {
            for field in ["median", "min", "mean"] {
                case["time_ns"][field] = (case["time_ns"][field].as_u64().unwrap() * 9).into();
            }
            let slower = |ns: &Value| json!(ns.as_u64().unwrap() * 9);
            for list in ["ci95", "samples"] {
                let times = case["time_ns"][list].as_array().unwrap();
                case["time_ns"][list] = times.iter().map(slower).collect();
            }
        }
    });
    let panel = race.panels.iter().find(|panel| panel.id == "bfv-d1-t65537").unwrap();
    let mul = panel.rows.iter().find(|row| row.label == "mul").unwrap();
    assert_eq!((mul.class, mul.mark), ("behind", "behind"));
    assert_eq!(panel.verdict.lib, "openfhe");
    assert!(panel.facts[0].contains("behind in"), "{}", panel.facts[0]);
}

#[test]
fn wrong_and_weak_results_have_no_ratio() {
    let race = race(|case| {
        if case["lib"]["name"] == "seal" && case["op"] == "mul" {
            case["verify"]["status"] = "wrong".into();
        }
        if case["lib"]["name"] == "openfhe" && case["op"] == "mul" {
            case["security"]["classical"] = 90.0.into();
            case["security"]["level"] = Value::Null;
        }
    });
    let panel = race.panels.iter().find(|panel| panel.id == "bfv-d1-t65537").unwrap();
    let mul = panel.rows.iter().find(|row| row.label == "mul").unwrap();
    let of = |lib: &str| {
        let place = panel.columns.iter().position(|column| column.lib == lib).unwrap();
        &mul.cells[place]
    };
    assert_eq!((of("seal").text.as_str(), of("seal").class.as_str()), ("wrong", "wrong"));
    assert_eq!(of("openfhe").interval, "below 128 bits");
    assert_eq!(panel.verdict.next, "", "nothing is ranked beside fathom");
    assert!(panel.facts.iter().any(|fact| fact.contains("1 wrong (seal)")), "{:?}", panel.facts);
}

#[test]
fn one_library_has_tiles_of_one_question() {
    let race = Race::new(&catalog(&sample::engine_run()));
    for panel in &race.panels {
        assert!(panel.rows.is_empty() && !panel.tiles.is_empty(), "{}", panel.id);
        assert!(panel.tiles.iter().filter(|tile| tile.op == "mul").count() <= 1, "{}", panel.id);
    }
    let schemes: Vec<&str> = race.switch.iter().map(|group| group.scheme.as_str()).collect();
    assert_eq!(schemes, ["BFV", "BGV"]);
}
