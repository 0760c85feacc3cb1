//! `fathom reproduce --record`: one sitting of the committed record of a document.
//!
//! A record takes hours, so it is measured in parts. A sitting measures what the record lacks,
//! short rows first, until all is measured, its time is over or somebody stops it. While it runs,
//! its cases are in the folder `NNN.part`, from which they are taken over at its end or, if it was
//! killed, at the beginning of the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use fathom_base::whole_file::{Replaces, WholeFile};
use fathom_cases::effort::RECORDED;
use fathom_cases::machine;
use fathom_cases::pace::MakesKeys;
use fathom_cases::program::{Meter, Program};
use fathom_cases::record::{Status, Stored};
use fathom_documents::coverage::{self, stem};
use fathom_documents::documents::Document;
use fathom_documents::evidence::Evidence;
use fathom_documents::record::{self, Record, is_complete};
use fathom_documents::{Row, outcomes};
use fathom_documents::{beside, judged};
use regex::Regex;

use super::bench::{applications_of, context, libraries, name_missing, noise_floor, unwritable};
use super::bench_args::BenchArgs;
use super::choice::{Choice, choose, floor_time};
use super::outcome::{Exit, Failure, Outcome};
use super::progress::{Keeper, Kept};
use super::shared::{check_build, stop_on_interrupt};
use crate::applications::{self, ApplicationCase, Effort};
use crate::measure::run;
use crate::measure::runner::Runner;
use crate::plan::libraries::Libraries;
use crate::plan::order::Plan;
use crate::plan::suite::CaseSpec;
use crate::report::output::ResultFiles;
use crate::suites;

/// Time of each timed case of a library, of each program, and for computations of a whole program
/// beyond those that a record needs.
const EACH: Duration = Duration::from_secs(3);

/// Longest wait for one reply: some rows take the printed libraries many minutes.
const REPLY_TIME: Duration = Duration::from_hours(3);

/// Time that the case which is running may take beyond that of the sitting.
const GRACE: Duration = Duration::from_mins(2);

/// The files of a sitting, beside which its folder holds nothing.
const FILES: [&str; 3] = ["results.jsonl", "all.csv", "verified.csv"];

/// The first bytes of a compressed record.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// A sitting that was asked for.
pub(super) struct Sitting<'a> {
    pub(super) document: &'a Document,
    pub(super) rows: &'a [Row],
    /// The folder of the records.
    pub(super) folder: &'a Path,
    /// True to add to a record that there is.
    pub(super) continues: bool,
    /// Cases to measure again.
    pub(super) again: Option<&'a Regex>,
    /// Time of the sitting.
    pub(super) budget: Option<Duration>,
}

/// The cases that a record lacks, of one order of magnitude of time.
#[derive(Default)]
struct Wave {
    cases: Vec<CaseSpec>,
    programs: Vec<Program>,
    applications: Vec<ApplicationCase>,
}

impl Sitting<'_> {
    /// Measures what the record lacks and adds it.
    pub(super) fn run(&self, args: &BenchArgs) -> Outcome {
        self.refuse_earlier()?;
        if !args.dry_run {
            check_build(args.allow_debug)?;
            self.absorb()?;
        }
        let mut choice = choose(args)?;
        let mut launch = args.driver.launch()?;
        if args.driver.reply_time.is_none() {
            launch.reply_time = REPLY_TIME;
        }
        let libraries = libraries(args, &launch, &choice)?;
        let stop = stop_on_interrupt()?;
        let wanted = std::mem::take(&mut choice.applications);
        let applications = applications_of(args, &launch, &wanted, &choice.selection, &stop)?;
        let record = self.record()?;
        let waves = self.waves(&record, &libraries, args, choice, applications);
        let count = waves.values().map(|wave| wave.count(&libraries, args)).sum::<usize>();
        if args.dry_run {
            list(&waves, &libraries, args);
            return Ok(Exit::Ok);
        }
        if count == 0 {
            return self.conclude();
        }
        self.stop_in_time(&stop);
        let part = self.part();
        let mut files = ResultFiles::create(&part).map_err(|error| unwritable(&error))?;
        let started = machine::rfc3339(SystemTime::now());
        let cases: Vec<CaseSpec> = waves.values().flat_map(|wave| wave.cases.clone()).collect();
        name_missing(&libraries.missing(&cases));
        let floor = noise_floor(&launch, &cases, floor_time(Duration::MAX));
        let context = context(args, started, floor);
        for warning in &context.warnings {
            eprintln!("warning {}: {} ({})", warning.code, warning.text, warning.fix);
        }
        files.begin(&context).map_err(|error| unwritable(&error))?;
        let mut keeper = Keeper::new(files, count);
        let mut runner = Runner::new(&mut keeper, &stop);
        for wave in waves.into_values() {
            wave.run(args, &libraries, &launch, &mut runner);
        }
        let Kept { files, unsaved, .. } = keeper.into_kept();
        drop(files);
        if let Some((missing, error)) = unsaved {
            eprintln!("fathom: {}: {error}: {missing} cases are not kept", part.display());
        }
        self.absorb()?;
        self.conclude()
    }

    fn file(&self) -> PathBuf {
        record::file(self.folder, self.document)
    }

    fn part(&self) -> PathBuf {
        self.folder.join(format!("{}.part", self.document.name))
    }

    fn record(&self) -> Result<Record, Failure> {
        Record::read(self.folder, self.document).map_err(Failure::usage)
    }

    /// Refuses to begin a record where there is one.
    fn refuse_earlier(&self) -> Result<(), Failure> {
        let there = [self.file(), self.part()].into_iter().find(|path| path.exists());
        match there {
            Some(path) if !self.continues => Err(Failure::usage(format!(
                "{} is there: --continue adds what it lacks; move it away to begin a new record",
                path.display()
            ))),
            Some(_) | None => Ok(()),
        }
    }

    /// Takes over the cases of a sitting that has ended, and removes its folder.
    fn absorb(&self) -> Result<(), Failure> {
        let part = self.part();
        let results = part.join(FILES[0]);
        let failed = |error: io::Error| Failure::nothing(format!("{}: {error}", part.display()));
        match File::open(&results) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(error)),
            Ok(file) if matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) => {
                return Err(Failure::usage(format!(
                    "{} is where another sitting is writing; wait until it ends",
                    part.display()
                )));
            }
            Ok(_) => {}
        }
        let mut added = std::fs::read(&results).map_err(failed)?;
        if !Stored::of(&added).cases.is_empty() {
            if added.last() != Some(&b'\n') {
                added.push(b'\n');
            }
            let mut text = record::text(&self.file()).map_err(Failure::usage)?;
            text.extend(added);
            let bytes = record::compress(&text).map_err(failed)?;
            let file = WholeFile::replace(&self.file(), Replaces::Starting(GZIP));
            file.and_then(|file| file.write_whole(&bytes)).map_err(Failure::nothing)?;
        }
        for name in FILES {
            // What cannot be removed is taken over once more, which changes no case.
            let _ = std::fs::remove_file(part.join(name));
        }
        // Fails if somebody else put a file there.
        let _ = std::fs::remove_dir(&part);
        Ok(())
    }

    /// Returns what the record lacks, by the order of magnitude of the printed time.
    fn waves(
        &self,
        record: &Record,
        libraries: &Libraries,
        args: &BenchArgs,
        choice: Choice,
        applications: Vec<ApplicationCase>,
    ) -> BTreeMap<u32, Wave> {
        let complete = record.complete();
        let lacks =
            |id: &str| !complete.contains(id) || self.again.is_some_and(|again| again.is_match(id));
        let printed = self.printed();
        let wave = |id: &str| {
            let known = id.split_once('/').and_then(|(_, question)| printed.get(stem(question)));
            magnitude(known.copied().unwrap_or(0.0))
        };
        let mut waves: BTreeMap<u32, Wave> = BTreeMap::new();
        for case in choice.cases {
            let own = libraries.cases(&case, &args.divisions);
            let mut ids =
                own.iter().map(|(number, case)| case.id(&libraries.known()[*number].info.name));
            if ids.any(|id| lacks(&id)) {
                waves.entry(wave(&case.id("fathom"))).or_default().cases.push(case);
            }
        }
        for program in choice.programs.into_iter().filter(|program| lacks(&program.id())) {
            let own = program.pace.expected(EACH, MakesKeys::Yes).time();
            let own = own.map_or(0, |time| magnitude(time.as_secs_f64() / 10.0));
            let number = own.max(wave(&program.id()));
            waves.entry(number).or_default().programs.push(program);
        }
        for case in applications.into_iter().filter(|case| lacks(&case.id())) {
            waves.entry(wave(&case.id())).or_default().applications.push(case);
        }
        waves
    }

    /// Returns the shortest printed time of each case, by its id without library and lane.
    fn printed(&self) -> BTreeMap<String, f64> {
        let mut shortest = BTreeMap::new();
        for row in self.rows {
            let Some(rule) = coverage::rule(self.document.name, row) else { continue };
            let seconds = row.seconds().unwrap_or(0.0);
            for id in rule.cases(row).iter().chain(&rule.stand_ins(row)) {
                let known = shortest.entry(stem(id).to_owned()).or_insert(seconds);
                *known = seconds.min(*known);
            }
        }
        shortest
    }

    /// Stops the run when the time of the sitting is over.
    fn stop_in_time(&self, stop: &Arc<AtomicBool>) {
        let Some(budget) = self.budget else { return };
        let stop = Arc::clone(stop);
        std::thread::spawn(move || {
            std::thread::sleep(budget);
            eprintln!("\nthe time of this sitting is over; finished cases are kept");
            stop.store(true, Ordering::SeqCst);
            std::thread::sleep(GRACE);
            eprintln!("what is running is given up; --continue takes the finished cases over");
            std::process::exit(Exit::Check as i32);
        });
    }

    /// Says what the record has and lacks.
    fn conclude(&self) -> Outcome {
        let record = self.record()?;
        let evidence = Evidence {
            cases: &record.cases,
            runs: &record.runs,
            floor: record.noise_floor(),
            absent: "not in the record yet",
        };
        let judged = judged::document(self.document.name, self.rows, &evidence);
        let counted = outcomes::counts(judged.iter().map(|beside| beside.outcome));
        println!("Document {}: {counted} of {} figures", self.document.name, judged.len());
        let lacking: BTreeSet<&str> =
            record.cases.iter().filter(|case| !is_complete(case)).map(|case| &*case.id).collect();
        for id in &lacking {
            println!("{id}: interrupted or failed; --continue measures it again");
        }
        println!(
            "{}: {} cases of {} sittings",
            self.file().display(),
            record.cases.len(),
            record.sittings.len()
        );
        let wrong = record
            .cases
            .iter()
            .any(|case| case.verify.status == Status::Wrong && !case.is_past_budget());
        let absent = judged.iter().any(|beside| beside.outcome == beside::Outcome::NotRun);
        Ok(match (wrong, absent || !lacking.is_empty()) {
            (true, _) => Exit::Wrong,
            (false, true) => Exit::Check,
            (false, false) => Exit::Ok,
        })
    }
}

impl Wave {
    /// Returns the number of cases of all libraries.
    fn count(&self, libraries: &Libraries, args: &BenchArgs) -> usize {
        let cases = self.cases.iter().map(|case| libraries.cases(case, &args.divisions).len());
        cases.sum::<usize>() + self.programs.len() + self.applications.len()
    }

    fn run(
        &self,
        args: &BenchArgs,
        libraries: &Libraries,
        launch: &fathom_drivers::process::Launch,
        runner: &mut Runner<'_>,
    ) {
        let plan = Plan {
            cases: self.cases.clone(),
            divisions: args.divisions.clone(),
            budget: EACH * (self.cases.len() as u32),
            each: Some(EACH),
            calls: None,
            seed: args.seed,
        };
        run::run(&plan, libraries, runner);
        suites::run(&self.programs, || Meter::new(EACH, args.seed).recording(), runner);
        let effort = Effort {
            seeds: (0..3).map(|index| args.seed.wrapping_add(index)).collect(),
            computations: 30,
            time: EACH,
            least: RECORDED,
        };
        applications::run(&self.applications, launch, &effort, |_| None, runner);
    }
}

/// Returns the number of the wave of a case whose printed time is known: one for all times below
/// 0.1 s, then one for each factor of ten.
fn magnitude(seconds: f64) -> u32 {
    if seconds < 0.1 { 0 } else { (seconds.log10() + 2.0).floor() as u32 }
}

/// Lists what a sitting would measure, in its order.
fn list(waves: &BTreeMap<u32, Wave>, libraries: &Libraries, args: &BenchArgs) {
    let mut count = 0;
    for (number, wave) in waves {
        let limit = 10_f64.powi(i32::try_from(*number).unwrap_or(0) - 1);
        let about = format!("printed below {limit} s");
        let cases = wave.cases.iter().flat_map(|case| libraries.cases(case, &args.divisions));
        let cases = cases.map(|(library, case)| case.id(&libraries.known()[library].info.name));
        let programs = wave.programs.iter().map(Program::id);
        let applications = wave.applications.iter().map(ApplicationCase::id);
        for id in cases.chain(programs).chain(applications) {
            println!("{id}  {about}");
            count += 1;
        }
    }
    eprintln!("{count} cases, at least {RECORDED} samples each");
}

#[cfg(test)]
mod tests {
    use super::magnitude;

    #[test]
    fn short_rows_come_before_long_ones() {
        let found = [0.0, 0.09, 0.1, 0.99, 1.0, 59.0, 100.0, 6000.0].map(magnitude);
        assert_eq!(found, [0, 0, 1, 1, 2, 3, 4, 5]);
    }
}
