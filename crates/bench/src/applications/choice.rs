//! The choice of the tasks that are run on each library.

use fathom_drivers::process::Launch;
use fathom_drivers::protocol::LibraryInfo;
use fathom_workloads::{Error, Task, find};

use super::contestant::Contestant;

/// Tasks that are asked for; empty lists stand for all.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Name of the workload.
    pub workload: String,
    /// Variants.
    pub variants: Vec<String>,
    /// Sizes.
    pub sizes: Vec<String>,
    /// Schemes.
    pub schemes: Vec<String>,
    /// Numbers of threads of the server.
    pub threads: Vec<usize>,
    /// Most seeds that are computed; those of the run if absent.
    pub seeds: Option<usize>,
}

/// One task on one implementation of one library.
#[derive(Clone, Debug)]
pub struct ApplicationCase {
    /// The command that starts the library.
    pub launch: Launch,
    /// The library that computes the task, as it introduces itself.
    pub library: LibraryInfo,
    /// The workload, variant and size that are computed.
    pub task: Task,
    /// Position of the implementation in its library's list for the workload.
    pub implementation: usize,
    /// Position among the implementations of the same scheme.
    pub rank: usize,
    /// Scheme.
    pub scheme: String,
    /// The algorithm in one sentence.
    pub method: String,
    /// Number of threads of the server.
    pub threads: usize,
    /// Most seeds that are computed; those of the run if absent.
    pub seeds: Option<usize>,
}

impl ApplicationCase {
    /// Returns `<lib>/<scheme>/<size>/<workload>-<variant>?op_threads=<threads>`; the second
    /// implementation on a scheme has the size `<size>.2`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.library.name, self.question())
    }

    /// Returns the id without the library.
    pub fn question(&self) -> String {
        let rank = if self.rank > 0 { format!(".{}", self.rank + 1) } else { String::new() };
        let lane =
            if self.threads > 1 { format!("?op_threads={}", self.threads) } else { String::new() };
        format!("{}/{}{rank}/{}{lane}", self.scheme, self.task.size, self.op())
    }

    /// Returns the name of the program and its variant.
    pub fn op(&self) -> String {
        format!("{}-{}", self.task.workload, self.task.variant)
    }
}

/// Returns the cases of the tasks asked for: every program of every library that supports them, the
/// libraries side by side.
///
/// # Errors
/// [`Error::Unknown`] for a workload, variant or size that does not exist.
pub fn choose(wanted: &Wanted, contestants: &[Contestant]) -> Result<Vec<ApplicationCase>, Error> {
    let known = || {
        let names = fathom_workloads::all().iter().map(|workload| workload.spec().name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let workload = find(&wanted.workload).ok_or_else(|| Error::Unknown {
        workload: "the list".into(),
        kind: "workload",
        name: wanted.workload.clone(),
        known: known(),
    })?;
    let spec = workload.spec();
    wanted.variants.iter().try_for_each(|name| spec.variant(name).map(drop))?;
    wanted.sizes.iter().try_for_each(|name| spec.size(name).map(drop))?;
    let listed = |list: &[String], item: &str| list.is_empty() || list.iter().any(|i| i == item);
    let mut cases = Vec::new();
    for task in Task::all(spec) {
        if !listed(&wanted.variants, &task.variant) || !listed(&wanted.sizes, &task.size) {
            continue;
        }
        for &threads in &wanted.threads {
            for contestant in contestants {
                let programs = contestant.programs.iter();
                let programs = programs.filter(|program| program.workload == spec.name);
                let mut ranks = std::collections::BTreeMap::new();
                for program in programs {
                    let rank = ranks.entry(&program.scheme).or_insert(0);
                    *rank += 1;
                    if listed(&wanted.schemes, &program.scheme) {
                        cases.push(ApplicationCase {
                            launch: contestant.launch.clone(),
                            library: contestant.library.clone(),
                            task: task.clone(),
                            implementation: program.implementation,
                            rank: *rank - 1,
                            scheme: program.scheme.clone(),
                            method: program.method.clone(),
                            threads,
                            seeds: wanted.seeds,
                        });
                    }
                }
            }
        }
    }
    Ok(cases)
}
