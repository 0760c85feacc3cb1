//! Suites: lists of cases with their reasons, one TOML file each, compiled into the binary.

use std::collections::HashSet;
use std::time::Duration;

use fathom_cases::machine::processors;
use fathom_cases::question::{self, Division, PeerPresets};
use fathom_drivers::ops::Op;
use fathom_drivers::protocol::{KeyKind, ParamsRequest};
use regex::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::plan::application_group::ApplicationGroup;

/// The suites that come with the testbed: name and TOML text.
const BUILT_IN: [(&str, &str); 9] = [
    ("quick", include_str!("../../suites/quick.toml")),
    ("schemes", include_str!("../../suites/schemes.toml")),
    ("h33", include_str!("../../suites/h33.toml")),
    ("tfhe", include_str!("../../suites/tfhe.toml")),
    ("nine65", include_str!("../../suites/nine65.toml")),
    ("kernels", include_str!("../../suites/kernels.toml")),
    ("bootstrap", include_str!("../../suites/bootstrap.toml")),
    ("applications", include_str!("../../suites/applications.toml")),
    ("python", include_str!("../../suites/python.toml")),
];

/// A suite as its file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Name on the command line.
    pub name: String,
    /// Purpose of the suite.
    pub reason: String,
    /// Intended wall-clock time on two cores, in seconds.
    pub budget_s: u64,
    /// Intended time with `--quick`; at most [`QUICK_BUDGET_S`] if absent.
    #[serde(default)]
    pub quick_budget_s: Option<u64>,
    /// Longest wait for a reply, if its operations need more than the default.
    #[serde(default)]
    pub reply_time_s: Option<u64>,
    /// Intended wall-clock time of the programs of the suite, in seconds; 0 if it has none.
    #[serde(default)]
    pub programs_s: u64,
    /// Intended time of the programs with `--quick`; a quarter of the usual time if absent.
    #[serde(default)]
    pub quick_programs_s: Option<u64>,
    /// Groups of cases.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
    /// Whole programs.
    #[serde(default, rename = "application")]
    pub applications: Vec<ApplicationGroup>,
}

/// Wall-clock time of `--quick` for a suite that does not set one, in seconds.
pub const QUICK_BUDGET_S: u64 = 45;

/// Cases with a common purpose: every combination of scheme, parameter set, operation and number of
/// threads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Purpose of these cases.
    pub reason: String,
    /// Scheme names.
    pub schemes: Vec<String>,
    /// Parameter presets.
    pub params: Vec<String>,
    /// Operation names; `{add,sub}_u{8,16}` expands to four names.
    pub ops: Vec<String>,
    /// True if `--quick` keeps the group, in suites that mark such groups.
    #[serde(default)]
    pub quick: bool,
    /// Numbers of threads that one operation may use; `[1]` if absent. `all` is the number of
    /// processors.
    #[serde(default = "one_thread", deserialize_with = "threads")]
    pub op_threads: Vec<usize>,
    /// Numbers of parallel operations; `[1]` if absent. `all` is the number of processors.
    #[serde(default = "one_thread", deserialize_with = "threads")]
    pub threads: Vec<usize>,
    /// Key that encrypts the inputs of an operation; the public key if absent.
    #[serde(default = "public_key")]
    pub inputs: KeyKind,
    /// Operations of which a refusal is an expected outcome, because the noise of these parameters
    /// leaves no room for them.
    #[serde(default)]
    pub refused: Vec<String>,
}

/// A case before it is run, for any library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseSpec {
    /// Scheme name.
    pub scheme: String,
    /// Parameter set: the preset, or the name of a peer's request in its place.
    pub params: String,
    /// Request for the parameters, as the library receives it.
    pub request: ParamsRequest,
    /// Purpose of the parameters, the same for all libraries.
    pub topic: String,
    /// Rule by which the parameters were chosen.
    pub division: Division,
    /// Operation.
    pub op: Op,
    /// Number of parallel operations, each thread with its own inputs.
    pub threads: usize,
    /// Number of threads that one operation may use.
    pub op_threads: usize,
    /// Key that encrypts the inputs.
    pub inputs: KeyKind,
    /// True if a refusal of the operation is an expected outcome.
    pub refused: bool,
}

impl CaseSpec {
    /// Returns the number of parallel operations and the number of threads of one operation.
    pub fn lanes(&self) -> [usize; 2] {
        [self.threads, self.op_threads]
    }

    /// Returns the stable name of this case on library `lib`:
    /// `<lib>/<scheme>/<params>/<op>?<lane>`.
    pub fn id(&self, lib: &str) -> String {
        format!("{lib}/{}/{}/{}", self.scheme, self.params, self.work())
    }

    /// Returns the question that every library is asked: `<scheme>/<topic>/<op>?<lane>`.
    pub fn question(&self) -> String {
        format!("{}/{}/{}", self.scheme, self.topic, self.work())
    }

    /// Returns the case for a peer, once for each way in which the peer can be asked.
    pub fn for_peer(&self, presets: &PeerPresets, division: Division) -> Vec<Self> {
        let asked = question::ask_peer(&self.params, presets, division).into_iter();
        asked.map(|(params, request)| Self { params, request, division, ..self.clone() }).collect()
    }

    /// Returns the id without the library: `<scheme>/<params>/<op>?<lane>`.
    pub fn question_id(&self) -> String {
        format!("{}/{}/{}", self.scheme, self.params, self.work())
    }

    /// Returns the operation and the lane.
    fn work(&self) -> String {
        let Self { op, threads, op_threads, .. } = self;
        let lanes = [("threads", threads), ("op_threads", op_threads)];
        let lanes = lanes.into_iter().filter(|(_, count)| **count > 1);
        let lanes: Vec<String> = lanes.map(|(name, count)| format!("{name}={count}")).collect();
        let lane = if lanes.is_empty() { String::new() } else { format!("?{}", lanes.join("&")) };
        format!("{}{lane}", op.name())
    }
}

/// A restriction of a suite to some of its cases.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Schemes to run; all if empty.
    pub schemes: Vec<String>,
    /// Operations to run; all if empty.
    pub ops: Vec<String>,
    /// Widths in bits; all operations if empty, else only those on integers, which `ops` may then
    /// name without the type.
    pub widths: Vec<u16>,
    /// Numbers of parallel operations, in place of those of the suite; unchanged if empty.
    pub threads: Vec<usize>,
    /// Numbers of threads of one operation, in place of those of the suite; unchanged if empty.
    pub op_threads: Vec<usize>,
    /// True to keep only the groups marked as quick, if the suite has any.
    pub quick: bool,
    /// True to keep the groups that only a full run has.
    pub full: bool,
    /// Parameter sets to run; all if empty.
    pub params: Vec<String>,
    /// Pattern that the case id must match.
    pub filter: Option<Regex>,
}

/// The tiers of document 001, each with its parameter sets: as published, and the nearest sets that
/// do what the tier claims.
const TIERS: [(&str, &[&str]); 5] = [
    ("h0", &["h0", "e1", "e1d2"]),
    ("h1", &["h1", "e1", "e1d2"]),
    ("h33", &["h33", "e1", "e1d2"]),
    ("h2", &["h2", "e2-192"]),
    ("h-256", &["h-256", "e5-192"]),
];

/// Returns the parameter sets of a tier of the suite `h33`.
///
/// # Errors
/// A sentence with the tiers that there are.
pub fn tier(name: &str) -> Result<Vec<String>, String> {
    let found = TIERS.iter().find(|(tier, _)| *tier == name);
    let names = TIERS.map(|(tier, _)| tier).join(", ");
    let (_, sets) = found.ok_or_else(|| format!("there is no tier `{name}`; there are {names}"))?;
    Ok(sets.iter().map(|set| (*set).to_owned()).collect())
}

/// A suite file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// There is no suite of this name.
    #[error("there is no suite `{0}`; there are: {names}", names = names().join(", "))]
    Unknown(String),
    /// The text is not valid TOML, or not a suite.
    #[error("suite `{name}`: {why}")]
    Malformed {
        /// Name of the suite.
        name: String,
        /// Description of the error.
        why: String,
    },
}

/// Returns the names of the suites, in the order of the documentation.
pub fn names() -> Vec<&'static str> {
    BUILT_IN.iter().map(|(name, _)| *name).collect()
}

impl Suite {
    /// Reads the built-in suite `name`.
    ///
    /// # Errors
    /// [`SuiteError::Unknown`] for any other name.
    pub fn built_in(name: &str) -> Result<Self, SuiteError> {
        let found = BUILT_IN.iter().find(|(n, _)| *n == name);
        let (_, text) = found.ok_or_else(|| SuiteError::Unknown(name.into()))?;
        Self::parse(name, text)
    }

    /// Reads a suite from TOML.
    ///
    /// # Errors
    /// [`SuiteError::Malformed`] with the position of the error, also for unknown operations.
    pub fn parse(name: &str, text: &str) -> Result<Self, SuiteError> {
        let malformed = |why: String| SuiteError::Malformed { name: name.into(), why };
        let mut suite: Self = toml::from_str(text).map_err(|e| malformed(e.to_string()))?;
        for group in &mut suite.groups {
            group.ops = group.ops.iter().flat_map(|op| expand(op)).collect();
        }
        let ops = suite.groups.iter().flat_map(|group| &group.ops);
        match ops.into_iter().find(|op| Op::parse(op).is_none()) {
            Some(op) => Err(malformed(format!("there is no operation `{op}`"))),
            None => Ok(suite),
        }
    }

    /// Returns the intended wall-clock time.
    pub fn budget(&self) -> Duration {
        Duration::from_secs(self.budget_s)
    }

    /// Returns the intended wall-clock time with `--quick`.
    pub fn quick_budget(&self) -> Duration {
        Duration::from_secs(self.quick_budget_s.unwrap_or(QUICK_BUDGET_S.min(self.budget_s)))
    }

    /// Returns the intended wall-clock time of the programs.
    pub fn programs_budget(&self, quick: bool) -> Duration {
        let usual = Duration::from_secs(self.programs_s);
        let quickly = self.quick_programs_s.map_or(usual / 4, Duration::from_secs);
        if quick { quickly } else { usual }
    }

    /// Returns the cases on library `lib` that `selection` keeps, each once, in the order of the
    /// file.
    pub fn cases(&self, lib: &str, selection: &Selection) -> Vec<CaseSpec> {
        let mut seen = HashSet::new();
        let mut cases = Vec::new();
        let marked = self.groups.iter().any(|group| group.quick);
        let wanted = |group: &&Group| group.quick || !(marked && selection.quick);
        for group in self.groups.iter().filter(wanted) {
            for case in group.cases(selection) {
                if selection.admits(&case, lib) && seen.insert(case.clone()) {
                    cases.push(case);
                }
            }
        }
        cases
    }
}

impl Group {
    fn cases(&self, selection: &Selection) -> Vec<CaseSpec> {
        let or = |wanted: &'_ [usize], own: &[usize]| {
            if wanted.is_empty() { own.to_vec() } else { wanted.to_vec() }
        };
        let threads = or(&selection.threads, &self.threads);
        let op_threads = or(&selection.op_threads, &self.op_threads);
        let mut cases = Vec::new();
        for op in self.ops.iter().filter_map(|op| Op::parse(op)) {
            for params in &self.params {
                for scheme in &self.schemes {
                    let lanes = threads.iter().filter(|k| **k == 1 || op.has_lanes());
                    let lanes = lanes.flat_map(|k| op_threads.iter().map(move |own| (*k, *own)));
                    cases.extend(lanes.map(|(threads, op_threads)| CaseSpec {
                        scheme: scheme.clone(),
                        params: params.clone(),
                        request: ParamsRequest::Preset { preset: params.clone() },
                        topic: question::topic(params),
                        division: Division::Equal,
                        op: op.clone(),
                        threads,
                        op_threads,
                        inputs: self.inputs,
                        refused: self.refused.iter().any(|name| name == op.name()),
                    }));
                }
            }
        }
        cases
    }
}

impl Selection {
    fn admits(&self, case: &CaseSpec, lib: &str) -> bool {
        let listed =
            |list: &[String], item: &str| list.is_empty() || list.iter().any(|i| i == item);
        listed(&self.schemes, &case.scheme)
            && listed(&self.params, &case.params)
            && (listed(&self.ops, case.op.name()) || self.names_kind_of(&case.op))
            && self.has_width(&case.op)
            && self.filter.as_ref().is_none_or(|regex| regex.is_match(&case.id(lib)))
    }
}

impl Selection {
    /// Returns true if the operation has one of the selected widths, or if none is selected.
    fn has_width(&self, op: &Op) -> bool {
        let wanted = |bits: u32| self.widths.iter().any(|width| u32::from(*width) == bits);
        self.widths.is_empty() || op.integer().is_some_and(|integer| wanted(integer.ty.bits()))
    }

    /// Returns true if widths are selected and `ops` names the operation without its type.
    fn names_kind_of(&self, op: &Op) -> bool {
        let kind = op.integer().filter(|_| !self.widths.is_empty());
        kind.is_some_and(|integer| self.ops.iter().any(|name| name == integer.kind.stem()))
    }
}

/// Expands the alternatives in braces of a name.
fn expand(name: &str) -> Vec<String> {
    let Some((head, (choices, tail))) =
        name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)))
    else {
        return vec![name.to_owned()];
    };
    choices.split(',').flat_map(|choice| expand(&format!("{head}{choice}{tail}"))).collect()
}

fn public_key() -> KeyKind {
    KeyKind::Pk
}

/// Reads numbers of threads, of which `all` is the number of processors.
fn threads<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<usize>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Count {
        Number(usize),
        Word(String),
    }
    let read = |count| match count {
        Count::Number(count) => Ok(count),
        Count::Word(word) if word == "all" => Ok(processors()),
        Count::Word(word) => Err(D::Error::custom(format!("`{word}` is no number of threads"))),
    };
    Vec::<Count>::deserialize(from)?.into_iter().map(read).collect()
}

fn one_thread() -> Vec<usize> {
    vec![1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(name: &str, selection: &Selection) -> Vec<CaseSpec> {
        Suite::built_in(name).unwrap().cases("fathom", selection)
    }

    #[test]
    fn the_quick_suite_has_a_row_of_every_scheme_that_people_choose_between() {
        let cases = all("quick", &Selection::default());
        assert!(cases.len() >= 45, "{}", cases.len());
        for (scheme, least) in [("bfv", 18), ("bgv", 18), ("ckks", 1), ("wide", 1), ("tfhe", 2)] {
            let count = cases.iter().filter(|c| c.scheme == scheme).count();
            assert!(count >= least, "{scheme}: {count}");
        }
        assert!(Suite::built_in("quick").unwrap().budget_s <= 55);
    }

    #[test]
    fn ids_are_unique_and_every_suite_has_its_reasons() {
        for name in names() {
            let suite = Suite::built_in(name).unwrap();
            assert_eq!(suite.name, name);
            assert!(suite.reason.len() > 20 && suite.groups.iter().all(|g| g.reason.len() > 20));
            let cases = suite.cases("fathom", &Selection::default());
            let ids: HashSet<String> = cases.iter().map(|c| c.id("fathom")).collect();
            assert_eq!(ids.len(), cases.len());
        }
    }

    #[test]
    fn a_selection_narrows_by_scheme_operation_and_id() {
        let selection = Selection {
            schemes: vec!["bfv".into()],
            ops: vec!["mul".into(), "add".into()],
            filter: Some(Regex::new("/e1/").unwrap()),
            ..Selection::default()
        };
        let ids: Vec<String> = all("quick", &selection).iter().map(|c| c.id("x")).collect();
        assert_eq!(ids, ["x/bfv/e1/add", "x/bfv/e1/mul"]);
    }

    #[test]
    fn widths_leave_integers_and_let_operations_be_named_by_kind() {
        let select = |ops: &[&str], widths: &[u16]| {
            let ops = ops.iter().map(|&op| op.to_owned()).collect();
            let params = Some(Regex::new("/u_2_2_128/").unwrap());
            let widths = widths.to_vec();
            let selection = Selection { ops, widths, filter: params, ..Selection::default() };
            let cases = all("tfhe", &selection).into_iter();
            cases.map(|case| case.op.name().to_owned()).collect::<Vec<_>>()
        };
        let found = select(&["mul", "div"], &[64]);
        let mut names = found.clone();
        names.sort();
        names.dedup();
        let types = ["i64", "i64_scalar", "u64", "u64_scalar", "u64_smart", "u64_unchecked"];
        let of = |kind| types.map(|ty| format!("{kind}_{ty}"));
        assert_eq!(names, [of("div"), of("mul")].concat());
        assert!(select(&[], &[256]).iter().all(|name| name.contains("256")));
        assert!(select(&["mul_u8"], &[8]).iter().all(|name| name == "mul_u8"));
        assert!(select(&["mul"], &[]).is_empty() && select(&["ks_pbs"], &[64]).is_empty());
    }

    #[test]
    fn threads_make_lanes_of_what_can_be_run_side_by_side() {
        let selection = Selection { threads: vec![1, 2], ..Selection::default() };
        let ids: Vec<String> = all("quick", &selection).iter().map(|c| c.id("x")).collect();
        assert!(ids.contains(&"x/bfv/e1/mul?threads=2".into()));
        assert!(!ids.contains(&"x/bfv/e1/keygen?threads=2".into()));
    }

    #[test]
    fn braces_stand_for_alternatives() {
        assert_eq!(expand("mul"), ["mul"]);
        assert_eq!(expand("{a,b}_u{8,16}"), ["a_u8", "a_u16", "b_u8", "b_u16"]);
    }

    #[test]
    fn the_suite_of_torus_schemes_has_every_table_and_a_quick_part() {
        let full = all("tfhe", &Selection::default());
        let of = |name: &str| full.iter().any(|case| case.op.name() == name);
        for name in ["add_u8", "div_u256", "rotate_right_u128_scalar", "log2_u64", "div_i8"] {
            assert!(of(name), "{name}");
        }
        for name in ["nand", "ks_pbs", "ks_pbs_batch16", "unchecked_add", "mul_lsb", "keygen"] {
            assert!(of(name), "{name}");
        }
        let quick = all("tfhe", &Selection { quick: true, ..Selection::default() });
        assert!(quick.len() < full.len() / 4 && quick.iter().all(|case| full.contains(case)));
        for name in ["add_u64", "eq_u64", "gt_u64", "max_u64", "shl_u64", "mul_u8", "div_u8"] {
            assert!(quick.iter().any(|case| case.op.name() == name), "{name}");
        }
        assert!(Suite::built_in("tfhe").unwrap().quick_budget().as_secs() < 300);
        // One quick run must contain the figures for which the design states limits.
        for params in ["u_2_2_128", "b_2_2_128", "tfhe_rs_2_2"] {
            for op in ["ks_pbs", "ks_pbs_batch8", "ks_pbs_batch16"] {
                assert!(quick.iter().any(|case| case.params == params && case.op.name() == op));
            }
        }
        let ids: Vec<String> = quick.iter().map(|case| case.id("x")).collect();
        assert!(ids.iter().any(|id| id.ends_with("/add_u64?op_threads=2")), "{ids:?}");
    }

    #[test]
    fn what_is_not_a_suite_is_refused_with_the_reason() {
        let unknown = Suite::built_in("fast").unwrap_err().to_string();
        assert!(unknown.contains("quick, schemes, h33, tfhe"), "{unknown}");
        let text =
            "name='x'\nreason='y'\nbudget_s=1\n[[group]]\nreason='z'\nschemes=[]\nparams=[]\n";
        for (ops, why) in [("ops=['mull']", "mull"), ("", "ops"), ("ops=[]\nop=[]", "op")] {
            let error = Suite::parse("x", &format!("{text}{ops}")).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
