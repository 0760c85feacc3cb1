//! `fathom-columns`: encrypted tables in files, and queries on them.

#![forbid(unsafe_code)]

mod terminal;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use fathom::building::WholeFile;
use fathom_columns::files::{EncryptedFile, create_result, write};
use fathom_columns::{
    Aggregate, Answer, Comparison, EncryptedResult, Encryptor, EvaluationKeys, Literal, Predicate,
    Query, Schema, TableKey, plan, read_table,
};

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
    Query(QueryArgs),
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
    /// encrypted values, and reads nothing with them
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
    /// Group the rows by a clear column
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Select rows by a column, as in `year >= 2010`; all of several conditions must hold
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Select rows by any predicate, in JSON
    #[arg(long, value_name = "JSON", conflicts_with = "conditions")]
    predicate: Option<String>,
    /// The evaluation keys, for conditions on encrypted columns
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// File for the encrypted result
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
        (None, Some(_)) => {
            let text = "the schema has the use `compare`, for which the server needs evaluation \
                        keys: name a new file for them with --eval";
            return Err(Failure::usage(text));
        }
        (Some(_), None) => {
            let text = "--eval: no column has the use `compare`, so that the server needs no keys";
            return Err(Failure::usage(text));
        }
        (Some(path), Some(keys)) => write_new(path, &keys.to_bytes(), 0o644)?,
        (None, None) => {}
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
    let answer = answer.map_err(|error| named(&args.input, error))?;
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
    let mut line = |label: Option<String>, values: Vec<String>| {
        let cells: Vec<_> = label.into_iter().chain(values).map(quoted).collect();
        lines += &(cells.join(",") + "\n");
    };
    line(answer.group_by.clone(), answer.aggregates.clone());
    for row in &answer.rows {
        let label = answer.group_by.as_ref().map(|_| row.label.to_string());
        line(label, row.values.iter().map(ToString::to_string).collect());
    }
    lines
}

fn asked(args: &QueryArgs) -> Result<Query, Failure> {
    let mut aggregates = Vec::new();
    aggregates.extend(args.count.then_some(Aggregate::Count));
    let of = |names: &[String], aggregate: fn(String) -> Aggregate| {
        names.iter().cloned().map(aggregate).collect::<Vec<_>>()
    };
    aggregates.extend(of(&args.sum, Aggregate::Sum));
    aggregates.extend(of(&args.mean, Aggregate::Mean));
    aggregates.extend(of(&args.var_pop, Aggregate::VarPop));
    aggregates.extend(of(&args.var_samp, Aggregate::VarSamp));
    if aggregates.is_empty() {
        let text = "nothing is asked: give --count, --sum, --mean, --var-pop or --var-samp";
        return Err(Failure::usage(text));
    }
    let filter = if let Some(text) = &args.predicate {
        Some(serde_json::from_str(text).map_err(|error| {
            Failure::usage(format!("--predicate: {error}; docs/columns.md shows the form"))
        })?)
    } else {
        let all = args.conditions.iter().map(|text| condition(text));
        let mut all = all.collect::<Result<Vec<_>, _>>()?;
        // The query of one condition is that of the same condition in SQL.
        if all.len() > 1 { Some(Predicate::All(all)) } else { all.pop() }
    };
    Ok(Query { aggregates, filter, group_by: args.by.clone() })
}

/// Reads `COLUMN OPERATOR CONSTANT`, where the constant is a number, `true`, `false` or text in
/// single quotes, or `COLUMN OPERATOR COLUMN`.
fn condition(text: &str) -> Result<Predicate, Failure> {
    const OPERATORS: [(&str, Comparison); 6] = [
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("!=", Comparison::NotEqual),
        ("=", Comparison::Equal),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    let refuse = || {
        Failure::usage(format!(
            "--where {text:?} is no condition; write one such as `year >= 2010` or `dept = 'eng'`"
        ))
    };
    let at = text.find(['<', '>', '!', '=']).ok_or_else(refuse)?;
    let (column, rest) = text.split_at(at);
    let mut operators = OPERATORS.iter();
    let found = operators.find_map(|(sign, relation)| Some((rest.strip_prefix(sign)?, relation)));
    let (constant, relation) = found.ok_or_else(refuse)?;
    let (column, constant) = (column.trim(), constant.trim());
    if let Some(literal) = literal(constant)? {
        return Ok(Predicate::compare(column, *relation, literal));
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    if constant.is_empty() || !constant.chars().all(is_name) {
        return Err(refuse());
    }
    let (left, right) = (column.to_owned(), constant.to_owned());
    Ok(Predicate::CompareColumns { left, relation: *relation, right })
}

fn literal(text: &str) -> Result<Option<Literal>, Failure> {
    if let Some(quoted) = text.strip_prefix('\'') {
        // A quote within would be the end of the constant, and the rest another condition.
        let text = quoted.strip_suffix('\'').filter(|text| !text.contains('\''));
        return Ok(text.map(|text| Literal::Text(text.to_owned())));
    }
    if let Ok(truth) = text.parse() {
        return Ok(Some(Literal::Bool(truth)));
    }
    if let Ok(integer) = text.parse() {
        return Ok(Some(Literal::Int(integer)));
    }
    let Ok(number) = text.parse::<f64>() else { return Ok(None) };
    // An integer is printed with all of its digits.
    if number.fract() == 0.0 && digits(text) != digits(&format!("{number:.0}")) {
        return Err(Failure::usage(format!("the constant {text} would be rounded to {number}")));
    }
    Ok(Some(Literal::Float(number)))
}

/// Splits a decimal number into its digits without outer zeros and the power of ten of the last.
fn digits(number: &str) -> Option<(String, i64)> {
    let (number, power) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{}{fraction}", whole.trim_start_matches(['+', '-']));
    let all = all.trim_start_matches('0');
    let kept = all.trim_end_matches('0');
    if kept.is_empty() {
        return Some((String::new(), 0));
    }
    let places =
        i64::try_from(all.len() - kept.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    Some((kept.to_owned(), power.parse::<i64>().ok()?.checked_add(places)?))
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
