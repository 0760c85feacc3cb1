//! Suites: which cases are measured, and why. One TOML file each, part of the binary.

use std::collections::HashSet;
use std::time::Duration;

use regex::Regex;
use serde::Deserialize;

use crate::drivers::protocol::KeyKind;
use crate::ops::Op;

/// The suites that come with the testbed: name and TOML text.
const BUILT_IN: [(&str, &str); 2] = [
    ("quick", include_str!("../suites/quick.toml")),
    ("schemes", include_str!("../suites/schemes.toml")),
];

/// A suite as its file describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Name on the command line.
    pub name: String,
    /// Why it exists.
    pub reason: String,
    /// Wall time it is meant to take on two cores.
    pub budget_s: u64,
    /// Its cases.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
}

/// Cases that exist for one reason: every scheme with every parameter set, operation and number
/// of threads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Why these cases.
    pub reason: String,
    /// Scheme names.
    pub schemes: Vec<String>,
    /// Parameter presets.
    pub params: Vec<String>,
    /// Operation names.
    pub ops: Vec<String>,
    /// Threads, each a case of its own; `[1]` if absent.
    #[serde(default = "one_thread")]
    pub threads: Vec<usize>,
    /// Key that encrypts the inputs of an operation; the public one if absent.
    #[serde(default = "public_key")]
    pub inputs: KeyKind,
}

/// One case before it is run, for any library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CaseSpec {
    /// Scheme name.
    pub scheme: String,
    /// Parameter preset.
    pub params: String,
    /// Operation.
    pub op: Op,
    /// Threads.
    pub threads: usize,
    /// Key that encrypts the inputs.
    pub inputs: KeyKind,
}

impl CaseSpec {
    /// The stable name of this case on library `lib`: `<lib>/<scheme>/<params>/<op>?<lane>`.
    pub fn id(&self, lib: &str) -> String {
        let Self { scheme, params, op, threads, .. } = self;
        let lane = if *threads == 1 { String::new() } else { format!("?threads={threads}") };
        format!("{lib}/{scheme}/{params}/{}{lane}", op.name())
    }
}

/// What narrows a suite.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Schemes wanted; all if empty.
    pub schemes: Vec<String>,
    /// Operations wanted; all if empty.
    pub ops: Vec<String>,
    /// Threads instead of those of the suite; unchanged if empty.
    pub threads: Vec<usize>,
    /// Must match the case id.
    pub filter: Option<Regex>,
}

/// A suite file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// No suite of this name.
    #[error("there is no suite `{0}`; there are: {names}", names = names().join(", "))]
    Unknown(String),
    /// Not valid TOML, or not a suite.
    #[error("suite `{name}`: {why}")]
    Malformed {
        /// Its name.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// Names of the suites, in the order of the documentation.
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
    /// [`SuiteError::Malformed`] with the place, also for unknown operations.
    pub fn parse(name: &str, text: &str) -> Result<Self, SuiteError> {
        let malformed = |why: String| SuiteError::Malformed { name: name.into(), why };
        let suite: Self = toml::from_str(text).map_err(|e| malformed(e.to_string()))?;
        let ops = suite.groups.iter().flat_map(|group| &group.ops);
        match ops.into_iter().find(|op| Op::parse(op).is_none()) {
            Some(op) => Err(malformed(format!("there is no operation `{op}`"))),
            None => Ok(suite),
        }
    }

    /// Wall time it is meant to take.
    pub fn budget(&self) -> Duration {
        Duration::from_secs(self.budget_s)
    }

    /// All cases on library `lib` that `selection` leaves, each once, in the order of the file.
    pub fn cases(&self, lib: &str, selection: &Selection) -> Vec<CaseSpec> {
        let mut seen = HashSet::new();
        let mut cases = Vec::new();
        for group in &self.groups {
            for case in group.cases(&selection.threads) {
                if selection.admits(&case, lib) && seen.insert(case.clone()) {
                    cases.push(case);
                }
            }
        }
        cases
    }
}

impl Group {
    fn cases(&self, threads: &[usize]) -> Vec<CaseSpec> {
        let threads = if threads.is_empty() { &self.threads } else { threads };
        let mut cases = Vec::new();
        for op in self.ops.iter().filter_map(|op| Op::parse(op)) {
            for params in &self.params {
                for scheme in &self.schemes {
                    let lanes = threads.iter().filter(|k| **k == 1 || op.has_lanes());
                    cases.extend(lanes.map(|&threads| CaseSpec {
                        scheme: scheme.clone(),
                        params: params.clone(),
                        op: op.clone(),
                        threads,
                        inputs: self.inputs,
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
            && listed(&self.ops, case.op.name())
            && self.filter.as_ref().is_none_or(|regex| regex.is_match(&case.id(lib)))
    }
}

fn public_key() -> KeyKind {
    KeyKind::Pk
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
    fn the_quick_suite_has_forty_cases_over_two_schemes_in_a_minute() {
        let cases = all("quick", &Selection::default());
        assert!(cases.len() >= 40, "{}", cases.len());
        for scheme in ["bfv", "bgv"] {
            assert!(cases.iter().filter(|c| c.scheme == scheme).count() >= 18);
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
    fn threads_make_lanes_of_what_can_be_run_side_by_side() {
        let selection = Selection { threads: vec![1, 2], ..Selection::default() };
        let ids: Vec<String> = all("quick", &selection).iter().map(|c| c.id("x")).collect();
        assert!(ids.contains(&"x/bfv/e1/mul?threads=2".into()));
        assert!(!ids.contains(&"x/bfv/e1/keygen?threads=2".into()));
    }

    #[test]
    fn what_is_not_a_suite_is_refused_with_the_reason() {
        let unknown = Suite::built_in("fast").unwrap_err().to_string();
        assert!(unknown.contains("quick, schemes"), "{unknown}");
        let text =
            "name='x'\nreason='y'\nbudget_s=1\n[[group]]\nreason='z'\nschemes=[]\nparams=[]\n";
        for (ops, why) in [("ops=['mull']", "mull"), ("", "ops"), ("ops=[]\nop=[]", "op")] {
            let error = Suite::parse("x", &format!("{text}{ops}")).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
