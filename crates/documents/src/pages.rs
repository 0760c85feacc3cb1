//! The pages of the documentation that are generated from the committed records: the coverage of
//! all documents, and a page for each with every printed figure beside ours and beside the peers'.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use fathom_cases::effort::RECORDED;
use fathom_drivers::protocol::KeyKind;

use super::beside::{Beside, Outcome, short};
use super::coverage::{self, Rule};
use super::documents::{self, Document};
use super::evidence::{Against, Evidence, Samples};
use super::judged;
use super::outcomes::counts;
use super::record::Record;
use super::table::Row;
use super::tables::{self, Judged};
use super::wrapped::wrapped;

/// The command that writes the pages.
pub const COMMAND: &str =
    "FATHOM_WRITE_COVERAGE=1 cargo test -p fathom-bench --test bench_tests coverage";

/// The reason why the record of a document has no case for a figure.
const ABSENT: &str = "not in the record yet: `fathom reproduce --record --continue` measures it";

/// Returns the pages as paths below `docs/` and texts, from the records in a folder.
///
/// # Errors
/// A record that cannot be read.
pub fn all(records: &Path) -> io::Result<Vec<(String, String)>> {
    let mut pages = Vec::new();
    let mut coverage_page = INTRODUCTION.replace("{command}", COMMAND);
    for document in documents::ALL {
        let record = Record::read(records, &document)?;
        let rows = document.rows();
        let evidence = Evidence {
            cases: &record.cases,
            runs: &record.runs,
            floor: record.noise_floor(),
            absent: ABSENT,
        };
        let judged = judged::document(document.name, &rows, &evidence);
        section(&mut coverage_page, &document, &record, &judged);
        let text = page(&document, &record, &judged, evidence.floor);
        pages.push((format!("documents/{}.md", document.name), wrapped(&text)));
    }
    pages.push(("coverage.md".into(), wrapped(&coverage_page)));
    Ok(pages)
}

/// The beginning of the page of coverage.
const INTRODUCTION: &str = "\
# Coverage of the published tables

Five published documents state times and sizes of homomorphic encryption. Their figures come with
the testbed: `fathom check-claims --document 000` examines the first, and `fathom reproduce 000`
runs its rows. This page counts what happened to each figure in the committed records, which
`fathom reproduce 000 --record records/` measures: what is not in a record counts as not run.

| outcome | meaning |
|---|---|
| verified | like for like: a case with the row's parameters, p_fail and threads was verified |
| stands in | nearest: a verified case differs from the row, as the reason says; no ratio |
| refused | the operation would exceed the noise limit of the printed parameters |
| unsupported | the engine lacks the operation |
| failed | the case ended without a result or with a wrong one, as the reason says |
| not run | the record has no case for the row, as the reason says |
| imported | out of scope: the printed figure alone, as the reason says |

A measured time with fewer than 6 samples has no interval: it is marked on the page of its document
and never ranked. The pages are generated from `crates/documents/data/coverage.toml` and from
`records/`. A test compares them with both, and the cases with `fathom bench SUITE --dry-run`. This
command writes them: `{command}`.
";

fn section(page: &mut String, document: &Document, record: &Record, judged: &[Beside<'_>]) {
    let own = of_document(document, judged);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "\n## Document {name}: {}\n\n{} figures: {}. {} [The figures](documents/{name}.md).",
        document.title,
        own.len(),
        counts(own.iter().map(|beside| beside.outcome)),
        ranks(&own),
        name = document.name,
    );
    let others = judged.len() - own.len();
    if others > 0 {
        let _ = write!(page, " The page that it links to has {others} more, all imported.");
    }
    if record.sittings.is_empty() {
        page.push_str(" There is no record yet.");
    }
    page.push_str(
        "\n\n| rows | figures | lines | outcome | cases | remark |\n|---|---|---|---|---|---|\n",
    );
    let mut rules: Vec<&Rule> = Vec::new();
    for rule in judged.iter().filter_map(|beside| rule_of(document, beside.row)) {
        if !rules.iter().any(|known| std::ptr::eq(*known, rule)) {
            rules.push(rule);
        }
    }
    for rule in rules {
        let of_rule = |beside: &&Beside<'_>| {
            rule_of(document, beside.row).is_some_and(|found| std::ptr::eq(found, rule))
        };
        let rows: Vec<&Beside<'_>> = judged.iter().filter(of_rule).collect();
        let _ = writeln!(page, "{}", table_row(rule, &rows));
    }
    reasons(page, &own);
}

/// Lists why figures are not like for like, under a heading.
fn reasons(page: &mut String, own: &[&Beside<'_>]) {
    let remarks = tables::remarks(own.iter().copied());
    if !remarks.is_empty() {
        page.push_str("\nWhat is not like for like, and why:\n\n");
    }
    for remark in remarks {
        let _ = writeln!(page, "- {remark}");
    }
}

/// Describes how many of the measured times are ranked: `120 times of at least 6 samples, 3 below`.
fn ranks(own: &[&Beside<'_>]) -> String {
    let timed: Vec<&Samples> = own.iter().filter_map(|beside| beside.samples.as_ref()).collect();
    let few = timed.iter().filter(|samples| samples.n < RECORDED).count();
    let enough = timed.len() - few;
    match (enough, few) {
        (0, 0) => "No time is measured.".into(),
        (_, 0) => format!("All {enough} measured times have at least {RECORDED} samples."),
        _ => format!(
            "{enough} measured times have at least {RECORDED} samples; {few} have fewer and are \
             not ranked."
        ),
    }
}

fn rule_of(document: &Document, row: &Row) -> Option<&'static Rule> {
    coverage::rule(document.name, row)
}

/// Returns the figures of a document itself, without those of a page that it links to.
fn of_document<'a, 'b>(document: &Document, judged: &'b [Beside<'a>]) -> Vec<&'b Beside<'a>> {
    let linked =
        |beside: &&Beside<'_>| rule_of(document, beside.row).is_some_and(|rule| rule.linked);
    judged.iter().filter(|beside| !linked(beside)).collect()
}

fn table_row(rule: &Rule, judged: &[&Beside<'_>]) -> String {
    let rows: Vec<&Row> = judged.iter().map(|beside| beside.row).collect();
    let outcome = counts(judged.iter().map(|beside| beside.outcome));
    let names = few(rows.iter().map(|row| row.name()));
    let lines: BTreeSet<u64> = rows.iter().filter_map(|row| row.source).collect();
    let lines = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => String::new(),
    };
    let cases = few(rows
        .iter()
        .flat_map(|row| rule.cases(row))
        .map(|case| coverage::stem(&case).to_owned()));
    let measured = rule.suite.as_ref().map(|suite| format!("`bench {suite}`: {cases}"));
    let others = few(rows.iter().flat_map(|row| rule.stand_ins(row)));
    let others = rule.because.as_ref().map(|why| format!("{others} may stand in: {why}"));
    let parts = [rule.reason.clone(), rule.note.clone(), others];
    let remark = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let measured = measured.unwrap_or_default();
    format!("| {names} | {} | {lines} | {outcome} | {measured} | {remark} |", rows.len())
}

/// Lists distinct names, of which only the first and the last if there are many.
fn few(names: impl Iterator<Item = String>) -> String {
    let mut distinct: Vec<String> = Vec::new();
    for name in names.map(|name| format!("`{name}`")) {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.as_slice() {
        [first, .., last] if distinct.len() > 6 => {
            format!("{first} to {last} ({})", distinct.len())
        }
        names => names.join(", "),
    }
}

/// Returns the page of a document.
fn page(document: &Document, record: &Record, judged: &[Beside<'_>], floor: f64) -> String {
    let own = of_document(document, judged);
    let mut page = format!(
        "# Document {}: {}\n\n{}\n{} figures: {}. {}\n",
        document.name,
        document.title,
        ABOUT.replace("{name}", document.name),
        own.len(),
        counts(own.iter().map(|beside| beside.outcome)),
        ranks(&own),
    );
    sittings(&mut page, record);
    for found in tables::of(document.name) {
        let whole = Judged { rows: judged, floor };
        let _ = write!(page, "\n## {}\n\n", found.title);
        table(&mut page, &found.heads(whole), &found.lines(whole));
    }
    page.push_str("\n## Every figure\n\n");
    let libraries: BTreeSet<&str> = own
        .iter()
        .flat_map(|beside| beside.peers.iter().map(|peer| peer.case.lib.name.as_str()))
        .collect();
    let mut heads: Vec<String> =
        ["figure", "line", "printed", "fathom", "samples", "printed / fathom"]
            .map(Into::into)
            .into();
    for library in &libraries {
        heads.extend([(*library).to_owned(), format!("{library} / fathom")]);
    }
    heads.extend(["outcome", "case", "remark"].map(Into::into));
    let lines: Vec<Vec<String>> = own.iter().map(|beside| figure(beside, &libraries)).collect();
    table(&mut page, &heads, &lines);
    page.push_str("\n## What cannot be compared\n");
    reasons(&mut page, &own);
    page
}

/// The introduction of the page of a document.
const ABOUT: &str = "\
The printed figures of the document beside those of this library (`fathom`) and of the libraries
that ran beside it on the same machine, from the committed record: `fathom reproduce {name} --record
records/ --continue` measures what it lacks. A ratio states by what factor the other figure is the
worse, with its 95 % interval; a ratio to a printed figure compares machines too. `n` is the number
of samples, `?` a time that is not ranked, `~` no difference beyond chance and noise, and `*` a case
that stands in. [Coverage](../coverage.md) explains the outcomes. This page is generated.
";

/// Describes the runs of a record.
fn sittings(page: &mut String, record: &Record) {
    if record.sittings.is_empty() {
        page.push_str("\nThere is no record of this document yet.\n");
        return;
    }
    page.push_str("\n## The record\n\n");
    let heads =
        ["began", "machine", "cores", "kernel", "fathom", "noise floor", "cases", "disturbed by"];
    let line = |sitting: &super::record::Sitting| {
        let Some(context) = &sitting.context else {
            let count = sitting.cases.len().to_string();
            return vec![String::new(), "the line of the run is damaged".into(), count];
        };
        let machine = &context.machine;
        let own = sitting.cases.iter().find(|case| case.lib.name == "fathom");
        let kernel = own.map_or_else(String::new, |case| case.lib.isa_used.clone());
        let floor = context.noise_floor_rel.map(|floor| format!("{} %", short(100.0 * floor)));
        let warnings = context.warnings.iter().map(|warning| warning.code.clone());
        vec![
            context.started.clone(),
            machine.cpu.clone(),
            machine.cores.to_string(),
            kernel,
            format!("{} {}, {}", context.tool.version, context.tool.profile, context.tool.build),
            floor.unwrap_or_else(|| "not measured".into()),
            sitting.cases.len().to_string(),
            warnings.collect::<Vec<_>>().join(", "),
        ]
    };
    let lines: Vec<Vec<String>> = record.sittings.iter().map(line).collect();
    table(page, &heads.map(Into::into), &lines);
    let mut builds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for case in record.cases.iter().filter(|case| case.lib.name != "fathom") {
        let text = format!("{}, {}", case.lib.version, case.lib.build);
        builds.entry(&case.lib.name).or_default().insert(text);
    }
    if !builds.is_empty() {
        page.push_str("\nBeside it:\n\n");
    }
    for (library, builds) in builds {
        let _ = writeln!(page, "- {library} {}", builds.into_iter().collect::<Vec<_>>().join("; "));
    }
}

/// Returns the line of a figure.
fn figure(beside: &Beside<'_>, libraries: &BTreeSet<&str>) -> Vec<String> {
    let unit = beside.row.unit.name();
    let value =
        |figure: Option<f64>| figure.map_or_else(String::new, |f| format!("{} {unit}", short(f)));
    let n = beside.row.n.map_or_else(String::new, |n| format!(", n {n}"));
    let mut line = vec![
        format!("`{}`", beside.row.name()),
        beside.row.source.map_or_else(String::new, |line| line.to_string()),
        format!("{}{n}", beside.row.figure()),
        value(beside.measured),
        beside.samples.as_ref().map_or_else(String::new, Samples::text),
        beside.ratio.as_ref().map_or_else(String::new, Against::text),
    ];
    for library in libraries {
        let peer = beside.peers.iter().find(|peer| peer.case.lib.name == *library);
        let found = peer.map(|peer| {
            if peer.measured.is_none() {
                return [peer.outcome.word().to_owned(), String::new()];
            }
            let samples = peer.samples.as_ref().map(|samples| format!(", {}", samples.text()));
            let ratio = peer.against.as_ref().map_or_else(String::new, Against::text);
            [value(peer.measured) + &samples.unwrap_or_default(), ratio]
        });
        line.extend(found.unwrap_or_default());
    }
    let case = beside.case.map_or_else(String::new, |case| format!("`{}`", case.id));
    let mut remark: Vec<String> = Vec::new();
    if beside.outcome != Outcome::NotRun {
        remark.extend(Some(beside.why.clone()).filter(|why| !why.is_empty()));
    }
    if beside.case.is_some_and(|case| case.lane.inputs == KeyKind::Sk && case.scheme == "bfv") {
        remark.push("inputs under the secret key".into());
    }
    remark.extend(beside.unranked.clone());
    remark.extend(beside.peers.iter().flat_map(|peer| peer.notes.clone()));
    let mut seen = BTreeSet::new();
    remark.retain(|part| seen.insert(part.clone()));
    line.extend([beside.outcome.word().to_owned(), case, remark.join("; ")]);
    line
}

/// Writes a table in Markdown.
fn table(page: &mut String, heads: &[String], lines: &[Vec<String>]) {
    let row = |cells: &[String]| {
        let cells = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    page.push_str(&row(heads));
    *page += &("|".to_owned() + &"---|".repeat(heads.len()) + "\n");
    for line in lines {
        let mut line = line.clone();
        line.resize(heads.len(), String::new());
        page.push_str(&row(&line));
    }
}
