//! The page as a whole, on synthetic results.

mod kernels;
mod race;
pub(super) mod sample;
mod standings;

use fathom_cases::record::Shown;
use sample::text;
use serde_json::{Value, json};

use super::catalog::Catalog;
use super::chart::Section;
use super::input::{Placed, Run};
use super::{Extras, ReportError, render, render_with, sections};

fn catalog(jsonl: &str) -> Catalog {
    super::catalog(jsonl, Extras::default()).unwrap()
}

/// Returns the catalog of a run whose cases say no more than these values.
pub(super) fn catalog_of(cases: impl IntoIterator<Item = Value>) -> Catalog {
    let placed = |(line, value)| Placed { line, shown: Shown::read(value).unwrap() };
    let cases = cases.into_iter().enumerate().map(placed).collect();
    Catalog::new(vec![Run { cases, ..Run::default() }])
}

fn section(jsonl: &str, id: &str) -> Option<Section> {
    sections::all(&catalog(jsonl)).into_iter().find(|section| section.id == id)
}

fn ids(jsonl: &str) -> Vec<&'static str> {
    sections::all(&catalog(jsonl)).iter().map(|section| section.id).collect()
}

/// The lines of a run that pass a test, with its context line.
fn only(jsonl: &str, keep: impl Fn(&Value) -> bool) -> String {
    let mut lines = lines(jsonl);
    lines.retain(|line| line["kind"] == "context" || keep(line));
    text(&lines)
}

fn lines(jsonl: &str) -> Vec<Value> {
    jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn sections_stand_in_the_order_of_the_page_and_appear_with_their_data() {
    let whole = [
        "latency", "depth", "dot", "moduli", "threads", "sizes", "pareto", "noise", "security",
        "claims", "results",
    ];
    let mut expected = whole.to_vec();
    assert_eq!(ids(&sample::engine_run()), expected);
    expected.insert(1, "compare");
    expected.insert(expected.len() - 2, "coverage");
    assert_eq!(ids(&sample::run_with_peers()), expected);
    let addition = only(&sample::engine_run(), |case| case["op"] == "add");
    assert_eq!(ids(&addition), ["latency", "sizes", "noise", "security", "claims", "results"]);
}

#[test]
fn the_synthetic_run_is_what_the_testbed_writes() {
    let (context, cases) = fathom_cases::record::read(&sample::run_with_peers()).unwrap();
    assert_eq!(context.unwrap().schema, fathom_cases::record::SCHEMA);
    assert_eq!(cases.len(), catalog(&sample::run_with_peers()).entries.len());
}

#[test]
fn a_chart_row_and_a_table_row_stand_for_every_timed_operation() {
    let run = sample::engine_run();
    let latency = section(&run, "latency").unwrap();
    let mut rows = 0;
    for figure in &latency.figures {
        let drawn = figure.spec["data"]["values"].as_array().unwrap().len();
        assert_eq!(drawn, figure.table.rows.len());
        rows += drawn;
    }
    let timed = |case: &Value| case["time_ns"].is_object() && case["op"] != "chain_past_budget";
    assert_eq!(rows, only(&run, timed).lines().count() - 1);
    let ids = crate::report::catalog::distinct(latency.figures.iter().map(|f| &f.question));
    assert_eq!(ids.len(), latency.figures.len(), "one chart for each question");
}

#[test]
fn every_chart_row_names_cases_that_exist() {
    let run = sample::run_with_peers();
    let cases = catalog(&run).entries.len() as u64;
    for figure in sections::all(&catalog(&run)).iter().flat_map(|section| &section.figures) {
        for row in figure.spec["data"]["values"].as_array().unwrap() {
            let named = row["c"].as_array().cloned().unwrap_or_else(|| vec![row["c"].clone()]);
            assert!(!named.is_empty(), "{}", figure.id);
            assert!(named.iter().all(|c| c.as_u64().unwrap() < cases), "{}", figure.id);
        }
    }
}

#[test]
fn the_latency_chart_is_the_one_reviewed() {
    let run = sample::engine_run();
    let small = only(&run, |case| {
        case["params"]["name"] == "e1" && (case["op"] == "mul" || case["op"] == "depth1")
    });
    let spec = section(&small, "latency").unwrap().figures.remove(0).spec;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/tests/latency.vl.json");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let text = serde_json::to_string_pretty(&spec).unwrap() + "\n";
        std::fs::write(path, text).unwrap();
    }
    let reviewed: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(spec, reviewed, "if the change is meant, run again with UPDATE_SNAPSHOTS=1");
}

#[test]
fn a_wrong_result_raises_the_alarm_and_wins_nothing() {
    let mut lines = lines(&sample::engine_run());
    let fastest = lines.iter_mut().filter(|line| line["op"] == "mul");
    let fastest = fastest.min_by_key(|case| case["time_ns"]["median"].as_u64()).unwrap();
    fastest["verify"]["status"] = "wrong".into();
    fastest["time_ns"]["median"] = 1.into();
    let id = fastest["id"].as_str().unwrap().to_owned();
    let run = text(&lines);
    let verdict = sections::Verdict::new(&catalog(&run));
    assert_eq!(verdict.wrong, std::slice::from_ref(&id));
    for panel in sections::Race::new(&catalog(&run)).panels {
        assert_ne!(panel.verdict.time, "1.00 ns");
        assert!(panel.tiles.iter().all(|tile| tile.time != "1.00 ns"));
    }
    let page = render(&run).unwrap();
    assert!(page.contains("class=\"alarm\"") && page.contains(&format!("<code>{id}</code>")));
    assert!(!render(&sample::engine_run()).unwrap().contains("class=\"alarm\""));
}

#[test]
fn a_peer_past_its_noise_budget_has_a_note_and_the_engine_an_alarm() {
    let with_wrong_chain = |lib: &str, params: &str| {
        let mut lines = lines(&sample::engine_run());
        let chain = lines.iter_mut().find(|line| line["op"] == "chain_past_budget").unwrap();
        chain["lib"]["name"] = lib.into();
        chain["verify"]["status"] = "wrong".into();
        chain["question"] = "bfv/d5-t65537/chain_past_budget".into();
        let id = format!("{lib}/bfv/{params}/chain_past_budget");
        chain["id"] = id.clone().into();
        let run = text(&lines);
        let verdict = sections::Verdict::new(&catalog(&run));
        (id, verdict, render(&run).unwrap())
    };
    let (id, verdict, page) = with_wrong_chain("openfhe", "d5-t65537");
    assert_eq!((verdict.wrong.len(), verdict.past_budget), (0, vec![id]));
    assert!(
        page.contains("past their noise budget in 1 case") && !page.contains("class=\"alarm\"")
    );
    let (id, verdict, page) = with_wrong_chain("fathom", "e2");
    assert_eq!((verdict.wrong, verdict.past_budget.len()), (vec![id], 0));
    assert!(page.contains("class=\"alarm\""));
}

#[test]
fn a_single_shot_is_named_as_one() {
    let once = |case: &Value| case["op"] == "depth5" && case["params"]["name"] == "e2";
    let depth = section(&only(&sample::engine_run(), once), "depth").unwrap();
    let words: Vec<&str> =
        depth.figures[0].table.rows[0].cells.iter().map(|cell| cell.text.as_str()).collect();
    assert!(words.contains(&"single shot"), "{words:?}");
    assert_eq!(depth.figures[0].spec["data"]["values"][0]["hollow"], true);
    assert!(depth.figures[0].spec["data"]["values"][0].get("low").is_none());
}

#[test]
fn a_broken_noise_bound_is_reported() {
    let sound = section(&sample::engine_run(), "noise").unwrap();
    assert!(sound.warnings.is_empty(), "{:?}", sound.warnings);
    let mut lines = lines(&sample::engine_run());
    let case = lines.iter_mut().find(|line| line["op"] == "mul").unwrap();
    case["verify"]["noise_budget_bits"] = json!({ "after": 20.0, "predicted_after": 20.2 });
    let warnings = section(&text(&lines), "noise").unwrap().warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("/mul?"), "{warnings:?}");
}

#[test]
fn the_refused_chain_says_how_far_it_went() {
    let depth = section(&sample::engine_run(), "depth").unwrap();
    let note = depth.notes.join(" ");
    assert!(note.contains("bfv e2 chain_past_budget after 5 correct products"), "{note}");
}

#[test]
fn two_runs_of_one_library_are_told_apart_and_compared() {
    let twice = sample::engine_run() + &sample::engine_run();
    let catalog = catalog(&twice);
    assert_eq!(catalog.libs, ["fathom · run 1", "fathom · run 2"]);
    let compare = section(&twice, "compare").unwrap();
    let tilde = |row: &crate::report::table::Row| {
        row.cells.last().is_some_and(|cell| cell.text.starts_with('~'))
    };
    assert!(compare.figures[0].table.rows.iter().all(tilde), "a run differs from itself");
}

#[test]
fn hostile_text_stays_text() {
    let evil = "</script><img src=x onerror=alert(1)>";
    let run = sample::engine_run().replace("W-PSI", evil).replace("\"e1\"", &format!("\"{evil}\""));
    let page = render(&run).unwrap();
    let markup = page.split("id=\"cases\"").next().unwrap();
    assert!(!markup.contains("<img src=x"), "markup from the results reached the page");
    let scripts = page.matches("</script>").count();
    assert_eq!(scripts, page.matches("<script").count(), "a script ended early or late");
}

#[test]
fn the_page_asks_the_network_for_nothing() {
    let page = render(&sample::run_with_peers()).unwrap();
    assert!(page.as_bytes().starts_with(super::PAGE_START));
    assert!(page.contains("default-src 'none'"));
    for forbidden in ["src=\"http", "href=\"http", "sourceMappingURL", "@import", "url(http"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn the_cost_appears_with_a_price() {
    let run = sample::engine_run();
    assert!(!render(&run).unwrap().contains("USD per million"));
    let page =
        render_with(&run, Extras { price_per_hour: Some(0.4), ..Extras::default() }).unwrap();
    assert!(page.contains("USD per million") && page.contains("0.4 USD an hour"));
}

#[test]
fn exports_have_every_verified_case_and_no_other() {
    use super::export::{ExportFormat, export};
    let (context, cases) = fathom_cases::record::read(&sample::run_with_peers()).unwrap();
    let of = |format| String::from_utf8(export(context.as_ref(), &cases, format).unwrap()).unwrap();
    let json = |format| serde_json::from_str::<Value>(&of(format)).unwrap();
    let ok: Vec<&fathom_cases::record::Case> =
        cases.iter().filter(|c| c.verify.status.word() == "ok").collect();
    let timed: Vec<&str> =
        ok.iter().filter(|c| c.time_ns.is_some()).map(|c| c.id.as_str()).collect();
    let wrong = cases.iter().find(|case| case.verify.status.word() == "wrong").unwrap();
    let bmf = json(ExportFormat::Bmf);
    assert!(timed.iter().all(|id| bmf[id]["latency"]["value"].as_u64().is_some()));
    assert!(bmf.get(&wrong.id).is_none());
    let google = json(ExportFormat::Gbench);
    let samples: usize = ok.iter().filter_map(|c| Some(c.time_ns.as_ref()?.samples.len())).sum();
    assert_eq!(google["benchmarks"].as_array().unwrap().len(), samples);
    let hyperfine = json(ExportFormat::Hyperfine);
    assert_eq!(hyperfine["results"].as_array().unwrap().len(), timed.len());
    let rows = fathom_documents::read(&of(ExportFormat::Csv)).unwrap();
    assert!(rows.len() >= timed.len());
    assert!(of(ExportFormat::Md).contains(&format!("| {}", timed[0])));
}

#[test]
fn input_that_is_no_result_file_is_refused_with_its_line() {
    let second = format!("{}not json\n", sample::engine_run());
    let last = second.lines().count();
    assert!(matches!(render(&second), Err(ReportError::Json { line, .. }) if line == last));
    let other = "{\"kind\":\"context\",\"schema\":\"fathom.result/2\"}";
    assert!(matches!(render(other), Err(ReportError::Schema { line: 1, .. })));
    assert!(matches!(render("\n"), Err(ReportError::NoCases)));
}
