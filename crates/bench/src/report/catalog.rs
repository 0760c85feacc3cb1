//! The cases of a report, each with the labels, order, colour and rank it has on the whole page.

use std::cmp::Reverse;

use fathom_cases::record::ratio::{self, Answer};
use fathom_cases::record::{Case, History, Security, Shown, Status};
use fathom_drivers::ops::torus::IntegerOp;
use fathom_drivers::ops::{Op, Scheme};
use fathom_drivers::protocol::ParamsInfo;

use super::input::{Context, Placed, Run};

/// The engine's name; ratios are taken against it where it is present.
const ENGINE: &str = "fathom";

/// Number of colours and of shapes on a page; the style sheet defines as many.
pub(crate) const COLORS: usize = 8;

/// Security in bits below which a case is shown but never ranked.
pub(crate) const RANKED_SECURITY_BITS: f64 = 128.0;

/// Every case of a report, in the order in which the tables show them.
pub(crate) struct Catalog {
    pub(crate) contexts: Vec<Context>,
    pub(crate) entries: Vec<Entry>,
    /// Library labels, the engine first.
    pub(crate) libs: Vec<String>,
    /// Labels of the shapes: parameter sets, with their scheme if colours are libraries.
    pub(crate) shapes: Vec<String>,
    /// Labels of the colours: schemes if one library is present, else libraries.
    pub(crate) series: Vec<Series>,
    /// Data that the reader adds to the results.
    pub(crate) extras: Extras,
}

/// Data that the reader of a report adds to its results.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Price of the machine in US dollars an hour: adds the cost of operations.
    pub price_per_hour: Option<f64>,
    /// Earlier runs of the machine: adds a chart of the times over the runs.
    pub history: History,
}

/// One colour of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) color: usize,
}

/// A case and its labels on the page.
pub(crate) struct Entry {
    pub(crate) case: Case,
    /// The place of the case in the text, counted from 0.
    pub(crate) line: usize,
    /// True for a line of this version; no other is ranked.
    is_whole: bool,
    pub(crate) run: usize,
    /// Library name, with the number of the run if several runs measured it.
    pub(crate) lib: String,
    pub(crate) params: String,
    pub(crate) series: String,
    pub(crate) shape: String,
}

impl Catalog {
    pub(crate) fn new(runs: Vec<Run>) -> Self {
        let repeated = repeated_libraries(&runs);
        let mut contexts = Vec::new();
        let mut entries = Vec::new();
        for (run, Run { context, cases }) in runs.into_iter().enumerate() {
            contexts.push(context);
            entries.extend(cases.into_iter().map(|placed| Entry::new(placed, run, &repeated)));
        }
        entries.sort_by_key(|entry| {
            let case = &entry.case;
            (op_place(&case.op), scheme_place(&case.scheme), entry.line)
        });
        let mut libs = distinct(entries.iter().map(|entry| entry.lib.clone()));
        libs.sort_by_key(|lib| Reverse(lib.split(' ').next() == Some(ENGINE)));
        let by_library = libs.len() > 1;
        for entry in &mut entries {
            let label = if by_library { &entry.lib } else { &entry.case.scheme };
            entry.series.clone_from(label);
        }
        name_shapes(&mut entries, by_library);
        let series = if by_library { library_series(&libs) } else { scheme_series(&entries) };
        let shapes = distinct(entries.iter().map(|entry| entry.shape.clone()));
        Self { contexts, entries, libs, shapes, series, extras: Extras::default() }
    }

    /// Returns the relative difference below which two times are not distinguished.
    pub(crate) fn noise_floor(&self) -> f64 {
        self.contexts.iter().filter_map(|context| context.noise_floor_rel).fold(0.0, f64::max)
    }

    /// Returns the cases as answers of the judge, each with its number.
    pub(crate) fn answers(&self) -> Vec<Answer<'_>> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(place, entry)| entry.answer(place)).collect()
    }

    /// Returns the cases of this version, in the order of the text.
    pub(crate) fn whole_cases(&self) -> Vec<Case> {
        let mut whole: Vec<&Entry> = self.entries.iter().filter(|entry| entry.is_whole).collect();
        whole.sort_by_key(|entry| entry.line);
        whole.into_iter().map(|entry| entry.case.clone()).collect()
    }

    pub(crate) fn several_libraries(&self) -> bool {
        self.libs.len() > 1
    }

    /// Returns true if shapes tell parameter sets apart. With several libraries, and with more sets
    /// than shapes, the sets are named in tooltips and tables only.
    pub(crate) fn has_shapes(&self) -> bool {
        !self.several_libraries() && self.shapes.len() <= COLORS
    }

    /// Iterates over the entries whose operation is the stem and a number, such as `dot4` or
    /// `dot32`.
    pub(crate) fn numbered(&self, stem: &str) -> impl Iterator<Item = (u64, usize, &Entry)> {
        let stem = stem.to_owned();
        self.entries.iter().enumerate().filter_map(move |(index, entry)| {
            let (found, number) = stem_and_number(&entry.case.op);
            Some((number.filter(|_| found == stem)?, index, entry))
        })
    }

    /// Returns a shift in -0.5..0.5 that keeps marks of different series with equal values apart.
    pub(crate) fn dodge(&self, series: &str) -> f64 {
        let place = self.series.iter().position(|known| known.label == series).unwrap_or(0);
        (place as f64 + 0.5) / self.series.len() as f64 - 0.5
    }

    /// Returns the number of a shape, in `0..COLORS`.
    pub(crate) fn shape(&self, label: &str) -> usize {
        self.shapes.iter().position(|known| known == label).unwrap_or(0) % COLORS
    }

    /// Returns scheme and parameter set of a case, with its library if the page has several.
    pub(crate) fn full_name(&self, entry: &Entry) -> String {
        let library =
            if self.several_libraries() { format!("{} ", entry.lib) } else { String::new() };
        library + &entry.set_name()
    }
}

impl Entry {
    fn new(placed: Placed, run: usize, repeated: &[String]) -> Self {
        let Placed { line, shown: Shown { case, is_whole } } = placed;
        let mut lib = case.lib.name.clone();
        if repeated.contains(&lib) {
            lib = format!("{lib} · run {}", run + 1);
        }
        let params = params_label(&case);
        let (series, shape) = (String::new(), String::new());
        Self { case, line, is_whole, run, lib, params, series, shape }
    }

    /// Returns the case as an answer of the judge; `None` for a line of another version.
    pub(crate) fn answer(&self, place: usize) -> Option<Answer<'_>> {
        let Self { case, lib, run, .. } = self;
        self.is_whole.then_some(Answer { case, lib, run: *run, place })
    }

    /// Returns the scheme and its parameter set.
    pub(crate) fn set_name(&self) -> String {
        format!("{} {}", self.case.scheme, self.params)
    }

    /// Returns true if the case may be ranked, by the rule of the judge.
    pub(crate) fn is_ranked(&self) -> bool {
        self.is_whole && ratio::is_ranked(&self.case)
    }

    /// Returns true if the case has a time that may not be ranked.
    pub(crate) fn is_unranked_time(&self) -> bool {
        self.median().is_some() && !self.is_ranked()
    }

    /// Returns true unless decryption confirmed the result.
    pub(crate) fn is_unproven(&self) -> bool {
        self.case.verify.status != Status::Ok
    }

    pub(crate) fn is_measured(&self) -> bool {
        self.case.provenance == "measured"
    }

    /// Returns the median in nanoseconds, if the operation was timed.
    pub(crate) fn median(&self) -> Option<f64> {
        let median = self.case.time_ns.as_ref()?.median;
        (median > 0).then_some(median as f64)
    }

    /// Returns the confidence interval of the median; `None` for a single sample.
    pub(crate) fn interval(&self) -> Option<[f64; 2]> {
        let time = self.case.time_ns.as_ref().filter(|time| time.n > 1)?;
        time.ci95.filter(|[low, high]| low <= high).map(|ends| ends.map(|end| end as f64))
    }

    /// Returns the number of samples; 0 if nothing was timed.
    pub(crate) fn samples(&self) -> u64 {
        self.case.time_ns.as_ref().map_or(0, |time| time.n as u64)
    }

    /// Returns the security of the parameters, if the file states it.
    pub(crate) fn security(&self) -> Option<&Security> {
        self.case.security.as_ref()
    }

    /// Returns the bits of security, if the file states them.
    pub(crate) fn security_bits(&self) -> Option<f64> {
        self.security()?.classical
    }

    /// Returns the number of parallel operations.
    pub(crate) fn threads(&self) -> u64 {
        self.case.lane.threads as u64
    }

    /// Returns the number of threads within one operation.
    pub(crate) fn op_threads(&self) -> u64 {
        self.case.lane.op_threads as u64
    }

    /// Returns a number of the parameters, if the file states them. A line of another version has
    /// zeros for those that it lacks.
    pub(crate) fn number(&self, of: fn(&ParamsInfo) -> f64) -> Option<f64> {
        let number = self.case.params.as_ref().map(of)?;
        (self.is_whole || number > 0.0).then_some(number)
    }

    /// Returns the plaintext modulus of an exact scheme.
    pub(crate) fn plaintext_modulus(&self) -> Option<f64> {
        let stated = self.case.semantics.p.map(|modulus| modulus as f64);
        let of_params = || self.number(|params| params.plain_modulus as f64);
        stated.or_else(|| of_params().filter(|modulus| *modulus > 0.0))
    }

    /// Returns the properties that set the scheme apart: `secret-key, not compact, exact_mod_...`.
    pub(crate) fn character(&self) -> Vec<String> {
        let semantics = &self.case.semantics;
        let growth = (semantics.compact == Some(false)).then(|| "not compact".to_owned());
        let said = semantics.keys.is_some() || growth.is_some();
        let kind = said.then(|| semantics.kind.clone());
        semantics.keys.clone().into_iter().chain(growth).chain(kind).collect()
    }

    /// Describes the plaintext space: `exact mod 65537`.
    pub(crate) fn semantics(&self) -> String {
        self.case.semantics.words()
    }

    /// Describes the lane: `simd, sk inputs, 2 threads`.
    pub(crate) fn lane(&self) -> String {
        let lane = &self.case.lane;
        let mut words = vec![lane.pack.clone()];
        words.push(format!("{} inputs", lane.inputs.word()));
        words.push(match self.threads() {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        });
        words.extend(
            (self.op_threads() > 1).then(|| format!("{} per operation", self.op_threads())),
        );
        words.retain(|word| !word.is_empty());
        words.join(", ")
    }
}

/// Labels the shape of each entry: the parameter set, with its scheme if colours are libraries and
/// there are enough shapes.
fn name_shapes(entries: &mut [Entry], by_library: bool) {
    let sets = distinct(entries.iter().map(Entry::set_name)).len();
    for entry in entries {
        let qualified = by_library && sets <= COLORS;
        entry.shape = if qualified { entry.set_name() } else { entry.params.clone() };
    }
}

fn repeated_libraries(runs: &[Run]) -> Vec<String> {
    let seen: Vec<String> = runs
        .iter()
        .flat_map(|run| distinct(run.cases.iter().map(|placed| placed.shown.case.lib.name.clone())))
        .collect();
    distinct(seen.iter().filter(|name| seen.iter().filter(|n| n == name).count() > 1).cloned())
}

/// Returns the name of the parameter set in the file, else the third part of the case id.
fn params_label(case: &Case) -> String {
    let from_id = || case.id.split('/').nth(2).unwrap_or("—");
    let name = case.params.as_ref().map_or_else(from_id, |params| &params.name);
    case.caution().map_or_else(|| name.to_owned(), |caution| format!("{name} ({caution})"))
}

fn library_series(libs: &[String]) -> Vec<Series> {
    let color =
        |(place, lib): (usize, &String)| Series { label: lib.clone(), color: place % COLORS };
    libs.iter().enumerate().map(color).collect()
}

fn scheme_series(entries: &[Entry]) -> Vec<Series> {
    distinct(entries.iter().map(|entry| entry.case.scheme.clone()))
        .into_iter()
        .map(|label| Series { color: scheme_place(&label) % COLORS, label })
        .collect()
}

fn scheme_place(scheme: &str) -> usize {
    let known = Scheme::ALL.iter().position(|known| known.name() == scheme);
    known.unwrap_or(Scheme::ALL.len() - 1)
}

/// Returns the sort key of an operation: its place in the table of operations, then the number in
/// its name. What is no operation of the protocol comes last.
fn op_place(op: &str) -> (usize, u64, String) {
    let place = Op::parse(op).map_or(usize::MAX, |op| op.rank());
    if let Some(integer) = IntegerOp::parse(op) {
        // All types of a kind together.
        return (place, u64::from(integer.scalar), format!("{:03}{op}", integer.ty.bits()));
    }
    (place, stem_and_number(op).1.unwrap_or(0), op.to_owned())
}

/// Splits `dot32_packed` into `("dot", Some(32))`, and `mul` into `("mul", None)`.
fn stem_and_number(op: &str) -> (&str, Option<u64>) {
    let Some(start) = op.find(|c: char| c.is_ascii_digit()) else { return (op, None) };
    let digits = &op[start..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    (&op[..start], digits[..end].parse().ok())
}

/// Returns the items in order of first appearance, each once.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    use crate::report::tests::sample;

    #[test]
    fn operations_sort_by_their_table_then_by_their_number() {
        let mut ops = ["dot16", "mul", "dot4", "zzz", "keygen", "dot32_packed", "depth2"];
        ops.sort_by_key(|op| op_place(op));
        assert_eq!(ops, ["keygen", "mul", "dot32_packed", "depth2", "dot4", "dot16", "zzz"]);
    }

    #[test]
    fn a_wrong_a_derived_a_weak_and_a_single_case_are_not_ranked() {
        let of = |change: fn(&mut Value)| {
            let mut value = sample::fast("fathom", "bfv/d1-t65537/mul", 20);
            change(&mut value);
            let shown = Shown::read(value).unwrap();
            Entry::new(Placed { line: 0, shown }, 0, &[])
        };
        assert!(of(|_| {}).is_ranked());
        let changes: [fn(&mut Value); 4] = [
            |case| case["verify"]["status"] = "wrong".into(),
            |case| case["provenance"] = "derived(24576 gates)".into(),
            |case| case["security"]["level"] = Value::Null,
            |case| case["time_ns"]["n"] = 1.into(),
        ];
        assert!(changes.into_iter().all(|change| !of(change).is_ranked()));
        assert!(of(changes[3]).interval().is_none());
    }
}
