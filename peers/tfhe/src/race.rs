//! Takes the time of two contestants in turns, and checks all that they compute.

use serde::Serialize;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

/// Why a row could not be measured.
pub type Failure = Box<dyn Error>;

/// A turn lasts at least about this long; shorter work is repeated.
const TURN: Duration = Duration::from_millis(60);
/// Repetitions in a turn at most: their results are kept until they are checked.
const MAX_REPEATS: usize = 64;
/// Rounds at most.
const MAX_ROUNDS: usize = 51;

/// A turn of one contestant.
struct Turn {
    /// Of one result.
    wall: f64,
    /// Of one result, on all threads.
    cpu: f64,
    checked: usize,
    correct: usize,
}

/// One library's way to compute one row.
pub struct Contestant<'a> {
    turn: Box<dyn FnMut(usize) -> Result<Turn, Failure> + 'a>,
}

impl<'a> Contestant<'a> {
    /// `work` computes `results` results at a time; `correct` decrypts them and compares, outside
    /// the time taken.
    pub fn new<T>(
        results: usize,
        mut work: impl FnMut() -> Result<T, Failure> + 'a,
        correct: impl Fn(&T) -> Result<bool, Failure> + 'a,
    ) -> Contestant<'a> {
        let turn = move |repeats| {
            let mut outputs = Vec::with_capacity(repeats);
            let (start, cpu_start) = (Instant::now(), cpu_seconds());
            for _ in 0..repeats {
                outputs.push(work()?);
            }
            let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu_start);
            let computed = (repeats * results) as f64;
            let verdicts = outputs.iter().map(&correct).collect::<Result<Vec<_>, _>>()?;
            let correct = verdicts.iter().filter(|&&verdict| verdict).count();
            Ok(Turn { wall: wall / computed, cpu: cpu / computed, checked: repeats, correct })
        };
        Contestant { turn: Box::new(turn) }
    }
}

/// Processor time of the threads of this process so far, in seconds; 0 where it is not known.
///
/// Linux counts it up at its ticks, a few milliseconds apart: well below a turn.
fn cpu_seconds() -> f64 {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return 0.0 };
    let nanoseconds = |thread: fs::DirEntry| -> Option<f64> {
        let statistics = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        statistics.split(' ').next()?.parse().ok()
    };
    1e-9 * threads.filter_map(Result::ok).filter_map(nanoseconds).sum::<f64>()
}

/// Seconds of one result in each round.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Times {
    /// On the clock.
    pub wall: Vec<f64>,
    /// On processors, over all threads: on a busy machine the steadier of the two.
    pub cpu: Vec<f64>,
}

impl Times {
    fn note(&mut self, turn: &Turn) {
        self.wall.push(turn.wall);
        self.cpu.push(turn.cpu);
    }
}

/// What a race gave.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Of Fathom.
    pub engine: Times,
    /// Of tfhe-rs.
    pub peer: Times,
    /// Outputs decrypted, of both, warm-up included.
    pub checked: usize,
    /// Outputs that were right.
    pub correct: usize,
}

impl Outcome {
    /// Times faster the engine is on the clock: the median over rounds of the ratio within the
    /// round, so that what disturbs the machine disturbs both.
    pub fn ratio(&self) -> f64 {
        median_ratio(&self.peer.wall, &self.engine.wall)
    }

    /// Times less processor time the engine takes: the median over rounds.
    pub fn cpu_ratio(&self) -> f64 {
        median_ratio(&self.peer.cpu, &self.engine.cpu)
    }

    fn note(&mut self, turn: &Turn) {
        self.checked += turn.checked;
        self.correct += turn.correct;
    }
}

/// Lets the contestants take turns (engine, peer, peer, engine, ...) for about `budget`.
///
/// The first turn of each warms it up and shows how long it takes. If two more rounds of that kind
/// are beyond the budget, it is all there is: a single shot.
///
/// # Errors
/// Those of the contestants.
pub fn race(
    mut engine: Contestant<'_>,
    mut peer: Contestant<'_>,
    budget: Duration,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    let start = Instant::now();
    let first = [(engine.turn)(1)?, (peer.turn)(1)?];
    let round = start.elapsed();
    first.iter().for_each(|turn| outcome.note(turn));
    if 2 * round > budget {
        outcome.engine.note(&first[0]);
        outcome.peer.note(&first[1]);
        return Ok(outcome);
    }
    let repeats = first.map(|turn| repeats(&turn));
    let rounds = (budget.as_secs_f64() / round.max(2 * TURN).as_secs_f64()) as usize;
    let rounds = rounds.clamp(3, MAX_ROUNDS) | 1;
    for round in 0..rounds {
        let turns = if round % 2 == 0 {
            let engine = (engine.turn)(repeats[0])?;
            [engine, (peer.turn)(repeats[1])?]
        } else {
            let peer = (peer.turn)(repeats[1])?;
            [(engine.turn)(repeats[0])?, peer]
        };
        turns.iter().for_each(|turn| outcome.note(turn));
        outcome.engine.note(&turns[0]);
        outcome.peer.note(&turns[1]);
    }
    Ok(outcome)
}

/// How often to repeat work of which one run took such a turn.
fn repeats(turn: &Turn) -> usize {
    ((TURN.as_secs_f64() / turn.wall).ceil() as usize).clamp(1, MAX_REPEATS)
}

fn median_ratio(slow: &[f64], fast: &[f64]) -> f64 {
    median(slow.iter().zip(fast).map(|(slow, fast)| slow / fast).collect())
}

/// The middle value of an odd number of values.
///
/// # Panics
/// If there are none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper<'a>(time: Duration, output: u32) -> Contestant<'a> {
        let work = move || {
            std::thread::sleep(time);
            Ok(output)
        };
        Contestant::new(1, work, |&output| Ok(output == 7))
    }

    #[test]
    fn every_result_is_checked() {
        let budget = Duration::from_secs(1);
        let outcome = race(sleeper(TURN, 7), sleeper(TURN, 8), budget).unwrap();
        assert_eq!(outcome.checked, 2 * outcome.correct);
        assert!(outcome.checked >= 2 * (outcome.engine.wall.len() + 1));
    }

    #[test]
    fn work_beyond_the_budget_runs_once() {
        let outcome = race(sleeper(TURN, 7), sleeper(TURN, 7), TURN).unwrap();
        assert_eq!((outcome.engine.wall.len(), outcome.peer.cpu.len(), outcome.correct), (1, 1, 2));
    }

    #[test]
    fn the_ratio_is_taken_within_rounds() {
        let outcome = Outcome {
            engine: Times { wall: vec![1.0, 10.0, 2.0], cpu: vec![1.0, 1.0, 9.0] },
            peer: Times { wall: vec![3.0, 30.0, 6.0], cpu: vec![2.0, 2.0, 2.0] },
            ..Outcome::default()
        };
        assert!((outcome.ratio() - 3.0).abs() < 1e-12);
        assert!((outcome.cpu_ratio() - 2.0).abs() < 1e-12);
    }
}
