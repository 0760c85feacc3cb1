//! `fathom-columns`: encrypted tables in files, and queries on them.

#![forbid(unsafe_code)]

mod parse;
mod terminal;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom_base::whole_file::WholeFile;
use fathom_columns::files::{EncryptedFile, create_result, write};
use fathom_columns::{
    Aggregate, Answer, EncryptedResult, Encryptor, EvaluationKeys, Label, Query, Schema, TableKey,
    plan, plan_groups, read_table,
};

use parse::{all_of, combination, sort_key};
use terminal::{Failure, Outcome, Stdout, bar, conclude, remark, threads};

/// Encrypts the columns of a table and computes on them.
#[derive(Debug, Parser)]
#[command(name = "fathom-columns", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Generate the secret key of a table, and evaluation keys for its server
    Keygen(KeygenArgs),
    /// Show how columns would be stored, and what that costs
    Plan(PlanArgs),
    /// Encrypt a table
    Encrypt(EncryptArgs),
    /// Answer a query on encrypted tables, without the secret key
    Query(Box<QueryArgs>),
    /// Encrypt a table again under another key of the same schema
    Rekey(RekeyArgs),
    /// Decrypt the result of a query, or the rows of an encrypted table
    Decrypt(DecryptArgs),
}

#[derive(Debug, Args)]
struct KeygenArgs {
    /// The columns of the table, in TOML
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// File for the secret key, which must not exist
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// File for the evaluation keys, which must not exist: the server needs them to compare
    /// encrypted values, sends less for many groups with them, and reads nothing with them
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct PlanArgs {
    /// The columns of the table, in TOML
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    /// Number of rows
    #[arg(long, value_name = "COUNT")]
    rows: u64,
}

#[derive(Debug, Args)]
struct EncryptArgs {
    /// The table: CSV with a line of names, or Parquet
    input: PathBuf,
    /// The secret key, which holds the schema
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// File for the encrypted table, in Parquet
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    workers: Workers,
}

#[derive(Debug, Args)]
struct QueryArgs {
    /// Encrypted tables of one key; rows that were appended are further files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Count the rows
    #[arg(long)]
    count: bool,
    /// Add up an encrypted column
    #[arg(long, value_name = "COLUMN")]
    sum: Vec<String>,
    /// Average an encrypted column
    #[arg(long, value_name = "COLUMN")]
    mean: Vec<String>,
    /// Compute the variance of an encrypted column, with its count as divisor
    #[arg(long, value_name = "COLUMN")]
    var_pop: Vec<String>,
    /// The same with one less than the count as divisor
    #[arg(long, value_name = "COLUMN")]
    var_samp: Vec<String>,
    /// Compute the standard deviation of an encrypted column, with its count as divisor
    #[arg(long, value_name = "COLUMN")]
    stddev_pop: Vec<String>,
    /// The same with one less than the count as divisor
    #[arg(long, value_name = "COLUMN")]
    stddev_samp: Vec<String>,
    /// Add up a linear combination of encrypted columns, as in `price - 2 * discount + 5`
    #[arg(long, value_name = "COMBINATION")]
    sum_of: Vec<String>,
    /// Average a linear combination of encrypted columns
    #[arg(long, value_name = "COMBINATION")]
    mean_of: Vec<String>,
    /// Group the rows by a clear column, or by several
    #[arg(long, value_name = "COLUMN")]
    by: Vec<String>,
    /// Select rows by a column, as in `year >= 2010`; all of several conditions must hold
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Select rows by any predicate, in JSON
    #[arg(long, value_name = "JSON", conflicts_with = "conditions")]
    predicate: Option<String>,
    /// The evaluation keys, for conditions on encrypted columns, and for small results of many
    /// groups
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// File for the encrypted result
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    workers: Workers,
}

#[derive(Debug, Args)]
struct RekeyArgs {
    /// The encrypted table
    input: PathBuf,
    /// The secret key of the table
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The secret key of the new table
    #[arg(long, value_name = "FILE")]
    new_key: PathBuf,
    /// File for the new table, in Parquet
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    workers: Workers,
}

#[derive(Debug, Args)]
struct DecryptArgs {
    /// The encrypted result; with --rows, an encrypted table
    input: PathBuf,
    /// The secret key of the table
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Decrypt all rows of a table, as CSV
    #[arg(long)]
    rows: bool,
    /// Show the groups for which a condition on the answer holds, as in `count(*) > 9`; all of
    /// several must hold
    #[arg(long, value_name = "CONDITION", conflicts_with = "rows")]
    having: Vec<String>,
    /// Sort the groups by a column of the answer, as in `count(*) desc`; the first of several
    /// counts most
    #[arg(long, value_name = "COLUMN [desc]", conflicts_with = "rows")]
    order_by: Vec<String>,
    /// Format of the answer on stdout
    #[arg(long, value_enum, default_value_t = Format::Csv, conflicts_with = "rows")]
    format: Format,
    #[command(flatten)]
    workers: Workers,
}

#[derive(Debug, Args)]
struct Workers {
    /// Threads (default: all processors)
    #[arg(long, value_name = "COUNT", value_parser = threads)]
    threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line of names and a line for each group
    Csv,
    /// One JSON object
    Json,
}

fn main() -> ExitCode {
    conclude(run(&Arguments::parse().command))
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Keygen(args) => keygen(args),
        Command::Plan(args) => show_plan(args),
        Command::Encrypt(args) => args.workers.install(|| encrypt(args)),
        Command::Query(args) => args.workers.install(|| query(args)),
        Command::Rekey(args) => args.workers.install(|| rekey(args)),
        Command::Decrypt(args) => args.workers.install(|| decrypt(args)),
    }
}

impl Workers {
    /// Runs work on a pool of its threads.
    fn install(&self, work: impl FnOnce() -> Outcome + Send) -> Outcome {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build();
        pool.map_err(Failure::nothing)?.install(work)
    }
}

fn keygen(args: &KeygenArgs) -> Outcome {
    let key = TableKey::generate(&schema(&args.schema)?).map_err(Failure::usage)?;
    let keys = key.evaluation_keys().map_err(Failure::usage)?;
    match (&args.eval, &keys) {
        (None, Some(keys)) if keys.are_needed() => {
            let text = "the schema has the use `compare`, for which the server needs evaluation \
                        keys: name a new file for them with --eval";
            return Err(Failure::usage(text));
        }
        (Some(_), None) => {
            let text = "--eval: no column has the use `compare` or `filter`, so that no server \
                        takes keys";
            return Err(Failure::usage(text));
        }
        (Some(path), Some(keys)) => write_new(path, &keys.to_bytes(), 0o644)?,
        (None, _) => {}
    }
    if let Err(failure) = write_new(&args.out, &key.to_secret_bytes(), 0o600) {
        // Evaluation keys of a secret key that nobody has are of no use.
        let unused = args.eval.as_ref().map(std::fs::remove_file);
        unused.transpose().map_err(Failure::nothing)?;
        return Err(failure);
    }
    Ok(String::new())
}

/// Writes a file that must not exist.
fn write_new(path: &Path, bytes: &[u8], mode: u32) -> Result<(), Failure> {
    let written = WholeFile::create_new(path, mode).and_then(|file| file.write_whole(bytes));
    written.map_err(|error| {
        let remedy = "name a new file in a folder that exists: keys are never overwritten";
        Failure::usage(format!("{error}; {remedy}"))
    })
}

fn show_plan(args: &PlanArgs) -> Outcome {
    let schema = schema(&args.schema)?;
    let plans = plan(&schema).map_err(Failure::usage)?;
    let (mut shown, mut total) = (String::new(), 0.0);
    for column in &plans {
        total += column.bytes_a_row;
        let sums = format!("{} of {} bytes", column.ciphertexts, column.ciphertext_bytes);
        let compared = column.compared.iter();
        let compared =
            compared.map(|c| format!("{} of {} bytes", c.ciphertexts, c.ciphertext_bytes));
        let parts: Vec<String> = std::iter::once(sums).chain(compared).collect();
        let _ = writeln!(
            shown,
            "{:<24} {:6.1} bytes a row, ciphertexts a block: {}; {:.0} bits of security",
            column.name,
            column.bytes_a_row,
            parts.join(", "),
            column.security_bits
        );
    }
    let megabytes = total * args.rows as f64 / 1e6;
    let _ = writeln!(shown, "{} rows take {megabytes:.1} MB and their clear columns", args.rows);
    if let Some(groups) = plan_groups(&schema).map_err(Failure::usage)? {
        let _ = writeln!(
            shown,
            "results by groups of clear columns: {} bytes for each group and limb; with the \
             evaluation keys of {:.1} MB, for up to {} groups together",
            groups.ciphertext_bytes,
            groups.key_bytes as f64 / 1e6,
            groups.groups_a_ciphertext
        );
    }
    Ok(shown)
}

fn encrypt(args: &EncryptArgs) -> Outcome {
    keep(&args.out, [&args.input, &args.key])?;
    let key = key(&args.key)?;
    let table = read_table(&args.input, key.schema());
    let table = table.map_err(|error| named(&args.input, error))?;
    let encryptor = Encryptor::new(&key, &table).map_err(|error| named(&args.input, error))?;
    let bar = bar(encryptor.block_count());
    let done = |blocks: usize| bar.set_position(blocks as u64);
    let written = write(&args.out, &encryptor, done);
    bar.finish_and_clear();
    written.map_err(|error| named(&args.out, error))?;
    remark(format_args!("{} rows in {} blocks", table.num_rows(), encryptor.block_count()));
    Ok(String::new())
}

fn query(args: &QueryArgs) -> Outcome {
    keep(&args.out, args.inputs.iter().chain(&args.eval))?;
    let asked = asked(args)?;
    let out = create_result(&args.out).map_err(Failure::usage)?;
    let keys = args.eval.as_ref().map(|path| evaluation_keys(path)).transpose()?;
    let bar = bar(args.inputs.len());
    let mut results = Vec::new();
    for input in &args.inputs {
        let mut file = EncryptedFile::open(input).map_err(|error| named(input, error))?;
        if let Some(keys) = &keys {
            file = file.with_evaluation_keys(keys).map_err(|error| named(input, error))?;
        }
        let result = file.run(&asked, |blocks| bar.set_message(format!("{blocks} blocks")));
        results.push(result.map_err(|error| named(input, error))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let bytes = EncryptedResult::join(results).map_err(Failure::usage)?.to_bytes();
    out.write_whole(&bytes).map_err(Failure::nothing)?;
    remark(format_args!("{} bytes for the owner of the key", bytes.len()));
    Ok(String::new())
}

fn rekey(args: &RekeyArgs) -> Outcome {
    keep(&args.out, [&args.input, &args.key, &args.new_key])?;
    let (old, new) = (key(&args.key)?, key(&args.new_key)?);
    let file = EncryptedFile::open(&args.input).map_err(|error| named(&args.input, error))?;
    let bar = bar(file.server().block_count());
    let written = file.rekey(&old, &new, &args.out, |blocks| bar.set_position(blocks as u64));
    bar.finish_and_clear();
    written.map_err(|error| named(&args.input, error))?;
    Ok(String::new())
}

fn decrypt(args: &DecryptArgs) -> Outcome {
    let key = key(&args.key)?;
    if args.rows {
        let file = EncryptedFile::open(&args.input).map_err(|error| named(&args.input, error))?;
        let mut stdout = Stdout::default();
        let read = file.decrypt_rows(&key, |bytes| stdout.write(bytes), |_| {});
        read.map_err(|error| named(&args.input, error))?;
        return stdout.finish().map(|()| String::new());
    }
    let bytes = read(&args.input)?;
    let result = EncryptedResult::from_bytes(&bytes);
    let answer = result.and_then(|result| key.decrypt(&result));
    let mut answer = answer.map_err(|error| named(&args.input, error))?;
    if let Some(condition) = all_of("--having", &args.having)? {
        answer = answer.having(&condition).map_err(Failure::usage)?;
    }
    let keys: Vec<_> = args.order_by.iter().map(|text| sort_key(text)).collect();
    let answer = answer.order_by(&keys).map_err(Failure::usage)?;
    remark(format_args!("tables {}", answer.tables.join(", ")));
    match args.format {
        Format::Csv => Ok(csv(&answer)),
        Format::Json => Ok(serde_json::to_string_pretty(&answer).map_err(Failure::nothing)? + "\n"),
    }
}

/// Refuses an output that would overwrite what is read.
fn keep<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    // A file that is not there overwrites nothing.
    let Ok(own) = out.canonicalize() else { return Ok(()) };
    if inputs.into_iter().any(|input| input.canonicalize().is_ok_and(|input| input == own)) {
        let text = format!("{}: this file is read too; name another one with --out", out.display());
        return Err(Failure::usage(text));
    }
    Ok(())
}

fn csv(answer: &Answer) -> String {
    let mut lines = String::new();
    let quoted = |text: String| {
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    let mut line = |labels: Vec<String>, values: Vec<String>| {
        let cells: Vec<_> = labels.into_iter().chain(values).map(quoted).collect();
        lines += &(cells.join(",") + "\n");
    };
    line(answer.group_by.clone(), answer.aggregates.clone());
    for row in &answer.rows {
        let labels = match &row.label {
            Label::Several(labels) => labels.iter().map(ToString::to_string).collect(),
            label @ (Label::Null | Label::Bool(_) | Label::Int(_) | Label::Text(_)) => {
                answer.group_by.iter().map(|_| label.to_string()).collect()
            }
        };
        line(labels, row.values.iter().map(ToString::to_string).collect());
    }
    lines
}

fn asked(args: &QueryArgs) -> Result<Query, Failure> {
    let mut aggregates = Vec::new();
    aggregates.extend(args.count.then_some(Aggregate::Count));
    let mut of = |names: &[String], aggregate: fn(String) -> Aggregate| {
        aggregates.extend(names.iter().cloned().map(aggregate));
    };
    of(&args.sum, Aggregate::Sum);
    of(&args.mean, Aggregate::Mean);
    of(&args.var_pop, Aggregate::VarPop);
    of(&args.var_samp, Aggregate::VarSamp);
    of(&args.stddev_pop, Aggregate::StddevPop);
    of(&args.stddev_samp, Aggregate::StddevSamp);
    for text in &args.sum_of {
        aggregates.push(Aggregate::SumOf(combination(text)?));
    }
    for text in &args.mean_of {
        aggregates.push(Aggregate::MeanOf(combination(text)?));
    }
    if aggregates.is_empty() {
        let text = "nothing is asked: give --count, --sum, --mean, --var-pop, --var-samp, \
                    --stddev-pop, --stddev-samp, --sum-of or --mean-of";
        return Err(Failure::usage(text));
    }
    let filter = if let Some(text) = &args.predicate {
        Some(serde_json::from_str(text).map_err(|error| {
            Failure::usage(format!("--predicate: {error}; docs/columns.md shows the form"))
        })?)
    } else {
        all_of("--where", &args.conditions)?
    };
    Ok(Query { aggregates, filter, group_by: args.by.clone() })
}

fn schema(path: &Path) -> Result<Schema, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let schema: Schema = toml::from_str(&text)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    schema.check().map_err(|error| named(path, error))?;
    Ok(schema)
}

fn evaluation_keys(path: &Path) -> Result<EvaluationKeys, Failure> {
    EvaluationKeys::from_bytes(&read(path)?).map_err(|error| named(path, error))
}

fn key(path: &Path) -> Result<TableKey, Failure> {
    TableKey::from_secret_bytes(&read(path)?).map_err(|error| named(path, error))
}

/// Reads a file into memory that is wiped when dropped, since it may be a secret key.
fn read(path: &Path) -> Result<zeroize::Zeroizing<Vec<u8>>, Failure> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Ok(zeroize::Zeroizing::new(bytes))
}

/// Names the file that an error is about.
fn named(path: &Path, error: fathom_columns::Error) -> Failure {
    if matches!(error, fathom_columns::Error::File { .. }) {
        return Failure::usage(error);
    }
    Failure::usage(format!("{}: {error}", path.display()))
}
