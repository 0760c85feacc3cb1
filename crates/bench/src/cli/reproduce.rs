//! `fathom reproduce`: runs the rows of a published document and prints its tables.
//!
//! It is `fathom bench` with the cases that the coverage of the document names: the suites, the
//! plan, the drivers and the files are the same.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use fathom_base::whole_file::WholeFile;
use fathom_cases::machine::processors;
use fathom_documents::beside::{Beside, Outcome as Fate};
use fathom_documents::coverage::{self, Rule, stem};
use fathom_documents::documents::{self, Document};
use fathom_documents::evidence::Evidence;
use fathom_documents::nine65;
use fathom_documents::options::Options;
use fathom_documents::tables::{self, Judged};
use fathom_documents::{Doubt, Row, outcomes};
use regex::Regex;

use super::bench::{self, Measured};
use super::bench_args::BenchArgs;
use super::outcome::{Failure, Outcome};
use super::record;
use super::shared::style;
use super::values::duration;
use crate::peers::PeersFolder;
use crate::plan::suite::{Selection, Suite};
use crate::report::table::Table;
use crate::report::terminal::table::{Style, draw};
use crate::suites;

#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
pub(super) struct ReproduceArgs {
    /// Number of the document: 000 to 004
    #[arg(value_name = "NUMBER")]
    document: String,
    /// Take a minute or two: fewer samples, and of documents 002 and 003 only the short rows
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run the rows that take many minutes too, and all others for four times the usual time
    #[arg(long)]
    full: bool,
    /// Wall-clock time for all cases together
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    /// Folder of the result files (default: results/<utc>-<host>)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Peer libraries to measure beside the engine: `none`, `all`, or names (default: none; with
    /// --record those that the document names)
    #[arg(long, value_name = "NAMES")]
    peers: Option<String>,
    /// Folder of the peers (default: `peers` in this folder or the nearest one above)
    #[arg(long, value_name = "DIR")]
    peers_folder: Option<PathBuf>,
    /// List the cases with an estimate of their times; nothing is computed
    #[arg(long)]
    dry_run: bool,
    /// Measure every row, at least six samples each, for the committed record in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["quick", "full", "out"])]
    record: Option<PathBuf>,
    /// Add to the record what it lacks
    #[arg(long = "continue", requires = "record")]
    continues: bool,
    /// Measure these cases again, though the record has them
    #[arg(long, value_name = "REGEX", requires = "continues")]
    again: Option<Regex>,
    /// Run even though this is a debug build, whose times are meaningless
    #[arg(long)]
    allow_debug: bool,
}

/// The command line of `fathom bench`.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    bench: BenchArgs,
}

/// The files beside the results: the outcome of every row, the printed tables, and the JSON of
/// document 004.
const OUTCOMES: &str = "outcomes.csv";
const TABLES: &str = "tables.md";
const JSON: &str = "bench.json";

/// The mode of these files, of which the user's mask takes a part.
const READABLE: u32 = 0o666;

/// Time of a quick run of a document whose rows are all short.
const QUICK_BUDGET: &str = "75s";

pub(super) fn run(args: &ReproduceArgs) -> Outcome {
    let document = find(&args.document)?;
    let rows = document.rows();
    if let Some(folder) = &args.record {
        let sitting = record::Sitting {
            document: &document,
            rows: &rows,
            folder,
            continues: args.continues,
            again: args.again.as_ref(),
            budget: args.budget.as_deref().map(duration).transpose().map_err(Failure::usage)?,
        };
        return sitting.run(&bench_args(args, &document, &rows)?);
    }
    refuse_earlier(args.out.as_deref())?;
    let bench = bench_args(args, &document, &rows)?;
    bench::run_then(&bench, |measured| conclude(args, &document, &rows, measured))
}

fn find(name: &str) -> Result<Document, Failure> {
    documents::find(name).ok_or_else(|| {
        let all = documents::ALL.map(|document| format!("{} ({})", document.name, document.title));
        Failure::usage(format!("there is no document `{name}`; there are {}", all.join(", ")))
    })
}

/// Refuses a folder that holds files of these names: they are of an earlier run or of the user.
fn refuse_earlier(folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    match [OUTCOMES, TABLES, JSON].into_iter().find(|name| folder.join(name).exists()) {
        None => Ok(()),
        Some(name) => {
            let folder = folder.display();
            let text = format!(
                "{folder} holds {name}, which stays as it is: choose another --out, or move it away"
            );
            Err(Failure::usage(text))
        }
    }
}

/// Returns the arguments by which `fathom bench` runs the rows.
fn bench_args(
    args: &ReproduceArgs,
    document: &Document,
    rows: &[Row],
) -> Result<BenchArgs, Failure> {
    let wanted = Wanted::of(document, rows, args.quick);
    let ids: Vec<String> = wanted.ids.iter().map(|id| regex::escape(id)).collect();
    let filter = format!("^[^/]+/({})$", ids.join("|"));
    let list = |counts: &BTreeSet<usize>| {
        counts.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    };
    let mut words: Vec<String> = vec!["fathom bench".into()];
    words.extend(wanted.suites.iter().map(|suite| (*suite).to_owned()));
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
    option("--filter", &filter);
    let peers = match (&args.peers, &args.record) {
        (Some(named), _) => named.clone(),
        (None, Some(_)) => installed(document, args.peers_folder.as_deref()),
        (None, None) => "none".into(),
    };
    option("--peers", &peers);
    if let Some(folder) = &args.peers_folder {
        option("--peers-folder", &folder.display().to_string());
    }
    if !wanted.threads.is_empty() {
        option("--threads", &list(&wanted.threads));
    }
    if !wanted.op_threads.is_empty() {
        option("--op-threads", &list(&wanted.op_threads));
    }
    let few = wanted.few;
    let quick = (args.quick && !few).then_some(QUICK_BUDGET);
    // The budget of a record is that of a sitting, not of each case.
    let budget = args.budget.as_deref().filter(|_| args.record.is_none());
    if let Some(budget) = budget.or(quick) {
        option("--budget", budget);
    }
    if let Some(out) = &args.out {
        option("--out", &out.display().to_string());
    }
    let flags = [
        (args.quick && few, "--quick"),
        (args.full || args.record.is_some(), "--full"),
        (args.dry_run, "--dry-run"),
        (args.allow_debug, "--allow-debug"),
    ];
    words.extend(flags.iter().filter(|(given, _)| *given).map(|(_, flag)| (*flag).to_owned()));
    let mut bench = Line::try_parse_from(words).map_err(Failure::usage)?.bench;
    bench.is_part = true;
    Ok(bench)
}

/// The cases of a document that this machine can run.
struct Wanted {
    suites: BTreeSet<&'static str>,
    /// Ids without the library.
    ids: BTreeSet<String>,
    threads: BTreeSet<usize>,
    op_threads: BTreeSet<usize>,
    /// True if a quick run has some of the rows only.
    few: bool,
}

impl Wanted {
    fn of(document: &Document, rows: &[Row], quick: bool) -> Self {
        let rules: Vec<(&Row, &'static Rule)> = rows
            .iter()
            .filter_map(|row| Some((row, coverage::rule(document.name, row)?)))
            .collect();
        let suites: BTreeSet<&'static str> =
            rules.iter().filter_map(|(_, rule)| rule.suite.as_deref()).collect();
        let few = suites.contains("tfhe") || suites.contains("applications");
        let own = lanes(&suites);
        let mut wanted = Self {
            suites,
            ids: BTreeSet::new(),
            threads: BTreeSet::new(),
            op_threads: BTreeSet::new(),
            few: quick && few && document.name != "000",
        };
        for (row, rule) in rules {
            for id in rule.cases(row).into_iter().chain(rule.stand_ins(row)) {
                wanted.add(&id, &own);
            }
        }
        if document.name == "004" {
            let options = Options { quick, ..Options::default() };
            wanted.ids.extend(nine65::main_program(&options));
            wanted.ids.retain(|id| !(quick && nine65::is_refreshed(id)));
        }
        wanted
    }

    /// Adds the case of an id, in the lane that it names if the machine has as many processors,
    /// else in the widest lane of its suite; and with it what its figure is computed from.
    fn add(&mut self, id: &str, own: &[String]) {
        let lane = |name: &str| {
            let (_, lane) = id.split_once('?')?;
            lane.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok()
        };
        let fits = |count: Option<usize>| count.is_some_and(|count| count <= processors());
        if fits(lane("threads")) || fits(lane("op_threads")) || !id.contains('?') {
            self.ids.insert(id.to_owned());
            self.threads.extend(lane("threads"));
            self.op_threads.extend(lane("op_threads"));
        }
        // Beside the lane of the document, that of the suite: `all.csv` has its names. Several
        // operations at once answer no question about one.
        let at_once = |id: &str| id.contains("?threads=");
        let is_of_id =
            |known: &&String| stem(known) == stem(id) && (at_once(id) || !at_once(known));
        let known: Vec<&String> = own.iter().filter(is_of_id).collect();
        self.ids.extend(known.last().map(|known| (*known).clone()));
        if id.contains("batch_pinned") {
            let pools = self.ids.iter().map(|id| id.replace("batch_pinned", "batch_pool"));
            let pools: Vec<String> = pools.collect();
            self.ids.extend(pools);
            self.ids.insert(stem(id).to_owned());
        }
        // The option replaces the lanes of the suites, of which one thread is always one.
        for lanes in [&mut self.threads, &mut self.op_threads] {
            if !lanes.is_empty() {
                lanes.insert(1);
            }
        }
    }
}

/// Returns the ids of the suites in their own lanes, narrow lanes first.
fn lanes(suites: &BTreeSet<&'static str>) -> Vec<String> {
    let mut ids = Vec::new();
    for name in suites {
        let suite = Suite::built_in(name).expect("a test reads the suites of the rules");
        let cases = suite.cases("fathom", &Selection::default());
        ids.extend(cases.iter().map(|case| (case.op_threads, case.threads, case.question_id())));
        let programs = suites::programs(name, &Options::default());
        ids.extend(programs.iter().map(|program| (1, program.threads, program.question())));
    }
    ids.retain(|(op_threads, threads, _)| (*op_threads).max(*threads) <= processors());
    ids.sort();
    ids.into_iter().map(|(.., id)| id).collect()
}

/// Prints the tables and the doubts, and writes them beside the results.
fn conclude(
    args: &ReproduceArgs,
    document: &Document,
    rows: &[Row],
    measured: &Measured<'_>,
) -> Result<(), Failure> {
    let absent = if args.quick {
        "`--quick` leaves it out"
    } else if args.full {
        "the run ended before it"
    } else {
        "only `--full` has it, or the run ended before it"
    };
    let floor = measured.context.noise_floor_rel.unwrap_or(0.0);
    let evidence = Evidence { floor, absent, ..Evidence::of(measured.cases) };
    let judged = fathom_documents::judged::document(document.name, rows, &evidence);
    let whole = Judged { rows: &judged, floor };
    println!("{}", text(document, whole, style()));
    println!("{}", doubts(document, rows));
    let write = |name: &str, text: String| {
        let file = WholeFile::create_new(&measured.folder.join(name), READABLE);
        file.and_then(|file| file.write_whole(text.as_bytes())).map_err(Failure::nothing)
    };
    let lines = judged.iter().map(|beside| outcomes::line(document.name, beside) + "\n");
    write(OUTCOMES, format!("{}\n{}", outcomes::HEADER, lines.collect::<String>()))?;
    let page = text(document, whole, Style::Markdown);
    write(TABLES, format!("{page}\n{}\n", doubts(document, rows)))?;
    if document.name == "004" {
        let json =
            nine65::document(measured.context, measured.options, measured.cases, measured.outcomes);
        let json = serde_json::to_string_pretty(&json)
            .map_err(|error| Failure::nothing(format!("bench.json: {error}")))?;
        write(JSON, json + "\n")?;
    }
    eprintln!("tables, outcomes and all.csv: {}", shown(measured.folder));
    Ok(())
}

fn shown(folder: &Path) -> String {
    folder.display().to_string()
}

/// Returns the tables of a document with what is not verified, and the count of outcomes.
pub(super) fn text(document: &Document, whole: Judged<'_>, style: Style) -> String {
    let judged = whole.rows;
    let mut text = format!("Document {}: {}\n", document.name, document.title);
    for found in tables::of(document.name) {
        let mut table = Table::of_texts(&found.title, found.heads(whole));
        for line in found.lines(whole) {
            table.push_texts(line);
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}\n{}\n", found.title, draw(&table, style));
    }
    let linked = |beside: &&Beside<'_>| {
        coverage::rule(document.name, beside.row).is_some_and(|rule| rule.linked)
    };
    let own: Vec<Fate> =
        judged.iter().filter(|b| !linked(b)).map(|beside| beside.outcome).collect();
    text.push_str(LEGEND);
    if whole.floor > 0.05 {
        let _ = writeln!(
            text,
            "The same case measured twice differed by {:.0} %: smaller differences are none.",
            100.0 * whole.floor
        );
    }
    for remark in tables::remarks(judged.iter()) {
        let _ = writeln!(text, "- {remark}");
    }
    let others = judged.len() - own.len();
    let page = if others > 0 { format!(", and {others} of a linked page") } else { String::new() };
    let _ =
        write!(text, "\n{} of {} figures{page}", outcomes::counts(own.iter().copied()), own.len());
    text
}

/// The meaning of the marks in the tables.
const LEGEND: &str = "
n: samples, with half the width of their 95 % interval; ?: too few of them, not ranked
*: stands in: another set, lane or failure probability; no ratio
~: no difference beyond chance and noise
";

/// Returns the libraries that a document compares or is about.
fn beside(document: &str) -> &'static [&'static str] {
    match document {
        "000" => &["openfhe", "pvac"],
        "002" => &["tfhe-rs", "openfhe"],
        "003" => &["tfhe-rs"],
        "004" => &["seal"],
        _ => &[],
    }
}

/// Returns those of a document's libraries that are installed, as `--peers` takes them, and names
/// the others on stderr.
fn installed(document: &Document, folder: Option<&Path>) -> String {
    let names = beside(document.name);
    let peers = PeersFolder::find(folder);
    let is_built = |name: &&&str| match peers.as_ref().map(|peers| peers.peer(name)) {
        Ok(Ok(peer)) if peer.is_built() => true,
        Ok(Ok(peer)) => {
            eprintln!("{name}: not installed, so its rows are left out: {}", peer.hint());
            false
        }
        Ok(Err(error)) => {
            eprintln!("{name}: {error}");
            false
        }
        Err(_) => false,
    };
    let built: Vec<&str> = names.iter().filter(is_built).copied().collect();
    if let Err(error) = &peers {
        eprintln!("no peers: {error}");
    }
    if built.is_empty() { "none".into() } else { built.join(",") }
}

/// Returns the doubts about the printed figures, by kind.
fn doubts(document: &Document, rows: &[Row]) -> String {
    let findings = fathom_documents::check(rows);
    let count = |doubt: Doubt| findings.iter().filter(|finding| finding.doubt == doubt).count();
    let kinds = Doubt::ALL.into_iter().filter(|doubt| count(*doubt) > 0);
    let kinds: Vec<String> =
        kinds.map(|doubt| format!("{} {}", count(doubt), doubt.code())).collect();
    let name = document.name;
    format!("Its claims: {}; `fathom check-claims --document {name}` lists them", kinds.join(", "))
}
