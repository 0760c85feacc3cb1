//! Comparison: the ratio of the baseline's time to that of each library, with its interval.

use serde_json::{Value, json};

use crate::measure::stats;
use crate::plan::question::Division;
use crate::report::catalog::{Catalog, Entry, distinct};
use crate::report::chart::{self, Figure, Section};
use crate::report::format;
use crate::report::questions;
use crate::report::table::{Cell, Table};

const BAND_PX: u32 = 17;

/// The ratio of the time of `base` to that of `peer`; `[low, high]` is its 95 % interval.
pub(super) struct Ratio<'a> {
    case: usize,
    pub(super) peer: &'a Entry,
    pub(super) base: &'a Entry,
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The interval contains 1, or the difference is below the noise floor of the machine.
    pub(super) indistinguishable: bool,
}

pub(super) fn section(catalog: &Catalog) -> Option<Section> {
    if !catalog.several_libraries() {
        return None;
    }
    let baseline = catalog.libs.first()?;
    let ratios = ratios(catalog, baseline, catalog.noise_floor());
    if ratios.is_empty() {
        return None;
    }
    let mut legend = chart::marks(catalog, ratios.iter().map(|ratio| ratio.peer));
    legend.push(chart::key("~ not distinguishable", chart::SHAPES[0], "hollow"));
    let figure = Figure {
        id: "chart-compare".into(),
        question: String::new(),
        title: format!("Ratio of the time of {baseline} to that of each library"),
        legend,
        spec: spec(catalog, &ratios),
        table: table(&ratios),
    };
    Some(Section {
        id: "compare",
        title: "All ratios",
        lead: format!(
            "The time of {baseline} divided by that of each library for the same question: below \
             1, {baseline} is faster. Libraries of one run are measured in interleaved rounds, \
             and the 95 % interval comes from pairs of rounds; across runs it combines the \
             intervals of both medians. The sign ~ marks a ratio whose interval contains 1 or \
             whose difference is below the noise floor. Rows where {baseline} is not faster come \
             first."
        ),
        figures: vec![figure],
        notes: vec![coverage(catalog, baseline, &ratios)],
        ..Section::default()
    })
}

fn ratios<'a>(catalog: &'a Catalog, baseline: &str, floor: f64) -> Vec<Ratio<'a>> {
    let (base, peers): (Vec<_>, Vec<_>) = catalog
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.is_ranked())
        .partition(|(_, entry)| entry.lib == baseline);
    let pair = |(case, peer): &(usize, &'a Entry)| {
        let alike = |base: &&(usize, &'a Entry)| same_work(base.1, peer);
        let same_name = |base: &&(usize, &'a Entry)| alike(base) && base.1.params == peer.params;
        let (_, base) = base.iter().find(same_name).or_else(|| base.iter().find(alike))?;
        ratio(*case, base, peer, floor)
    };
    let mut ratios: Vec<Ratio<'_>> = peers.iter().filter_map(pair).collect();
    ratios.sort_by(|a, b| standing(a).cmp(&standing(b)).then(b.value.total_cmp(&a.value)));
    ratios
}

/// Returns the sort key of a row: its division, then rows where the baseline is not faster first.
fn standing(ratio: &Ratio<'_>) -> (Division, u8) {
    let place = match (ratio.indistinguishable, ratio.value > 1.0) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => 2,
    };
    (ratio.peer.case.division.unwrap_or_default(), place)
}

/// Returns true if two cases answer the same question; without questions in the file, if they have
/// the same operation, scheme, lane, ring degree and plaintext modulus.
fn same_work(one: &Entry, other: &Entry) -> bool {
    if !one.case.question.is_empty() && !other.case.question.is_empty() {
        return one.case.question == other.case.question;
    }
    let degree = |entry: &Entry| entry.number(&["n", "degree"]).map(f64::to_bits);
    let modulus = |entry: &Entry| entry.plaintext_modulus().map(f64::to_bits);
    one.case.op == other.case.op
        && one.case.scheme == other.case.scheme
        && one.case.scenario == other.case.scenario
        && one.case.lane.pack == other.case.lane.pack
        && one.case.lane.inputs == other.case.lane.inputs
        && one.threads() == other.threads()
        && one.op_threads() == other.op_threads()
        && degree(one) == degree(other)
        && modulus(one) == modulus(other)
}

/// Computes the ratio from pairs of rounds of one run, else from two independent medians.
pub(super) fn ratio<'a>(
    case: usize,
    base: &'a Entry,
    peer: &'a Entry,
    floor: f64,
) -> Option<Ratio<'a>> {
    let paired = if base.run == peer.run { of_rounds(base, peer) } else { None };
    let [value, low, high] = paired.or_else(|| of_medians(base, peer))?;
    let indistinguishable = (low <= 1.0 && 1.0 <= high) || value.ln().abs() <= floor.ln_1p();
    Some(Ratio { case, peer, base, value, low, high, indistinguishable })
}

/// Computes ratio and interval from the medians of the rounds that both have.
fn of_rounds(base: &Entry, peer: &Entry) -> Option<[f64; 3]> {
    let medians = |entry: &Entry| {
        let time = &entry.case.time_ns;
        stats::medians_of_parts(&time.samples, &time.rounds)
    };
    let found = stats::paired_bootstrap_ratio(&medians(base), &medians(peer), 0.95, 1)?;
    let [low, high] = found.interval;
    Some([found.ratio, low, high])
}

/// Computes ratio and interval of two independent medians: the logarithmic distances of each end
/// from the median are added in quadrature.
fn of_medians(base: &Entry, peer: &Entry) -> Option<[f64; 3]> {
    let (base_median, peer_median) = (base.median()?, peer.median()?);
    let ([base_low, base_high], [peer_low, peer_high]) = (base.interval()?, peer.interval()?);
    let value = base_median / peer_median;
    let below = (base_median / base_low).ln().hypot((peer_high / peer_median).ln());
    let above = (base_high / base_median).ln().hypot((peer_median / peer_low).ln());
    Some([value, value * (-below).exp(), value * above.exp()])
}

fn label(ratio: &Ratio) -> String {
    let counted = |count: u64, what| {
        if count > 1 { format!(" ×{count} {what}") } else { String::new() }
    };
    let threads = counted(ratio.peer.threads(), "threads")
        + &counted(ratio.peer.op_threads(), "threads per operation");
    let case = &ratio.peer.case;
    // Libraries that answer one question share a row, even if their parameter sets differ in name.
    let params = questions::topic(ratio.peer);
    let division = match case.division.unwrap_or_default() {
        Division::Equal => "",
        Division::Ring => ", same ring",
        Division::Defaults => ", defaults",
        Division::Failure => ", unequal failure probability",
    };
    let caution = [ratio.base, ratio.peer].iter().find_map(|entry| entry.case.caution());
    let mark = caution.map_or_else(String::new, |caution| format!(" ({caution})"));
    format!("{} · {} {params}{mark}{threads}{division}", case.op, case.scheme)
}

fn spec(catalog: &Catalog, ratios: &[Ratio]) -> Value {
    let order = distinct(ratios.iter().map(label));
    let rows = ratios.iter().map(|ratio| {
        let mut row = chart::row(ratio.case, ratio.peer);
        row.insert("row".into(), label(ratio).into());
        row.insert("ratio".into(), json!(ratio.value));
        row.insert("low".into(), json!(ratio.low));
        row.insert("high".into(), json!(ratio.high));
        row.insert("ratio_text".into(), ratio_text(ratio).into());
        row.insert("baseline".into(), ratio.base.case.id.clone().into());
        row.insert("hollow".into(), ratio.indistinguishable.into());
        row
    });
    let place = |field: &str| {
        let scale = chart::log_scale(10);
        let axis = json!({ "title": null, "labelExpr": "format(datum.value, '~r') + '×'" });
        json!({
            "y": chart::items("row", &order),
            "yOffset": { "field": "series", "type": "nominal" },
            "x": { "field": field, "type": "quantitative", "scale": scale, "axis": axis },
        })
    };
    let mut whiskers = place("low");
    whiskers["x2"] = json!({ "field": "high" });
    let extra = [("ratio_text", "baseline over library"), ("baseline", "baseline")];
    let layers = json!([
        chart::rule("x", 1.0, &json!({ "color": "var(--muted)", "strokeDash": [4, 3] })),
        chart::whiskers(catalog, whiskers),
        chart::dots(catalog, place("ratio"), &extra),
    ]);
    chart::spec(&rows.collect::<Vec<_>>(), &json!({ "step": BAND_PX }), &layers)
}

fn ratio_text(ratio: &Ratio) -> String {
    let [value, low, high] = [ratio.value, ratio.low, ratio.high].map(format::significant);
    let sign = if ratio.indistinguishable { "~ " } else { "" };
    format!("{sign}{value}× [{low}, {high}]")
}

fn table(ratios: &[Ratio]) -> Table {
    let columns = [
        "operation",
        "scheme",
        "library",
        "parameters",
        "median#",
        "baseline parameters",
        "baseline median#",
        "division",
        "baseline / library [95 % interval]#",
    ];
    let mut table = Table::new("Comparison", &columns);
    for ratio in ratios {
        let cells = vec![
            Cell::code(&ratio.peer.case.op),
            Cell::text(&ratio.peer.case.scheme),
            Cell::text(&ratio.peer.lib),
            Cell::text(&ratio.peer.params),
            Cell::time(ratio.peer.median()),
            Cell::text(&ratio.base.params),
            Cell::time(ratio.base.median()),
            Cell::text(ratio.peer.case.division.unwrap_or_default().title()),
            Cell::number(Some(ratio.value), |_| ratio_text(ratio)),
        ];
        table.push(ratio.case, ratio.peer, cells);
    }
    table
}

fn coverage(catalog: &Catalog, baseline: &str, ratios: &[Ratio]) -> String {
    let peers = catalog.entries.iter().filter(|entry| entry.lib != baseline).count();
    format!(
        "{} of {peers} cases of other libraries are compared. The others have no counterpart that \
         answers the same question, or are not ranked.",
        ratios.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::input::Run;
    use crate::report::input::{Case, Status};

    fn catalog(base: [f64; 3], peer: [f64; 3]) -> Catalog {
        let case = |lib: &str, [low, median, high]: [f64; 3]| {
            let mut case = Case { op: "mul".into(), scheme: "bfv".into(), ..Case::default() };
            case.lib.name = lib.into();
            case.time_ns.n = 30;
            case.time_ns.median = Some(median);
            case.time_ns.ci95 = Some([low, high]);
            case.verify.status = Status::Ok;
            case.security.classical = Some(128.3);
            case.provenance = "measured".into();
            case
        };
        let cases = vec![case("peer", peer), case("fathom", base)];
        Catalog::new(vec![Run { cases, ..Run::default() }])
    }

    #[test]
    fn the_interval_of_a_ratio_adds_relative_errors_in_quadrature() {
        let catalog = catalog([288.0, 300.0, 312.0], [97.0, 100.0, 103.0]);
        let ratios = ratios(&catalog, "fathom", 0.0);
        let [ratio] = ratios.as_slice() else { panic!("one pair, found {}", ratios.len()) };
        assert!((ratio.value - 3.0).abs() < 1e-12);
        assert!((ratio.high / 3.0 - 1.05).abs() < 2e-3 && (3.0 / ratio.low - 1.05).abs() < 2e-3);
        assert!(!ratio.indistinguishable);
    }

    #[test]
    fn differences_under_the_noise_floor_are_not_called_differences() {
        let catalog = catalog([99.9, 100.0, 100.1], [101.9, 102.0, 102.1]);
        assert!(!ratios(&catalog, "fathom", 0.0)[0].indistinguishable);
        assert!(ratios(&catalog, "fathom", 0.031)[0].indistinguishable);
    }
}
