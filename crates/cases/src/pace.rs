//! The time of a program, as far as it is known before the run: a share of the budget, or the time
//! of the keys and calls of a set that no budget bounds.

use std::time::Duration;

use serde::Deserialize;

/// The time of a set of gigabytes of keys on two cores, in order of magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetTime {
    /// Seconds to generate and prepare the keys.
    pub keys_s: f64,
    /// Seconds of one call.
    pub call_s: f64,
}

/// The properties on which the time of a program depends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// The program repeats its calls for as long as its share of the budget lasts.
    Share,
    /// The calls take longer than a share, and the first program of a set makes the keys of all.
    SharedKeys(SetTime),
    /// The program makes keys of its own; `None` if nobody has stated how long that takes.
    OwnKeys(Option<SetTime>),
}

/// A time that a program is expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No longer than this, because the program ends then.
    AtMost(Duration),
    /// An estimate, which may be wrong.
    About(Duration),
    /// Unknown.
    Unknown,
}

/// Calls beyond those of the share: one that touches the memory, and one on another message.
const MORE_CALLS: f64 = 2.0;

impl SetTime {
    /// Returns true if both times are positive numbers.
    pub fn is_possible(&self) -> bool {
        [self.keys_s, self.call_s].into_iter().all(|time| time > 0.0 && time.is_finite())
    }

    /// Returns the time of the calls of a program with a share of the budget: a call that has begun
    /// ends.
    fn calls(&self, share: Duration) -> Duration {
        seconds(MORE_CALLS * self.call_s) + share.max(seconds(self.call_s))
    }
}

impl Pace {
    /// Returns the time of a program with a share of the budget, of which `makes_keys` says whether
    /// it is the first one of its set.
    pub fn expected(self, share: Duration, makes_keys: MakesKeys) -> Expected {
        let (time, keys) = match self {
            Self::Share => return Expected::AtMost(share),
            Self::OwnKeys(None) => return Expected::Unknown,
            Self::OwnKeys(Some(time)) => (time, true),
            Self::SharedKeys(time) => (time, makes_keys == MakesKeys::Yes),
        };
        let keys = if keys { seconds(time.keys_s) } else { Duration::ZERO };
        Expected::About(keys + time.calls(share))
    }
}

/// The place of a program among those that share keys: the first one makes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MakesKeys {
    /// The program makes the keys.
    Yes,
    /// The keys have been made by an earlier program.
    No,
}

impl Expected {
    /// Returns the time, if there is one.
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::AtMost(time) | Self::About(time) => Some(time),
            Self::Unknown => None,
        }
    }
}

/// Returns seconds as a time; the longest one if there is none as long.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: Duration = Duration::from_secs(6);
    const SLOW: SetTime = SetTime { keys_s: 120.0, call_s: 33.0 };

    fn about(seconds: u64) -> Expected {
        Expected::About(Duration::from_secs(seconds))
    }

    #[test]
    fn keys_and_calls_that_exceed_a_share_are_counted() {
        assert_eq!(Pace::Share.expected(SHARE, MakesKeys::Yes), Expected::AtMost(SHARE));
        assert_eq!(Pace::OwnKeys(None).expected(SHARE, MakesKeys::Yes), Expected::Unknown);
        assert_eq!(Pace::OwnKeys(Some(SLOW)).expected(SHARE, MakesKeys::No), about(120 + 3 * 33));
        let quick = SetTime { keys_s: 20.0, call_s: 1.0 };
        assert_eq!(Pace::SharedKeys(quick).expected(SHARE, MakesKeys::Yes), about(20 + 2 + 6));
        assert_eq!(Pace::SharedKeys(quick).expected(SHARE, MakesKeys::No), about(2 + 6));
    }

    #[test]
    fn a_time_that_is_no_positive_number_is_impossible() {
        assert!(SLOW.is_possible());
        for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(!SetTime { call_s: time, ..SLOW }.is_possible(), "{time}");
            assert!(!SetTime { keys_s: time, ..SLOW }.is_possible(), "{time}");
        }
    }
}
