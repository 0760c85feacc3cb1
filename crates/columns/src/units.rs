//! Dates, times and decimal numbers as text, and as the integers that are stored for them.
//!
//! Dates count days, and times seconds or parts of them, from the start of 1970, in the Gregorian
//! calendar without leap seconds or time zones. Decimal numbers count units of their last digit.

use serde::{Deserialize, Serialize};

/// The unit in which times are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TimeUnit {
    /// Seconds.
    #[serde(rename = "s")]
    Second,
    /// Thousandths of a second.
    #[serde(rename = "ms")]
    Millisecond,
    /// Millionths of a second.
    #[serde(rename = "us")]
    Microsecond,
    /// Billionths of a second.
    #[serde(rename = "ns")]
    Nanosecond,
}

/// The days of the first and the last year that text has: 0001-01-01 and 9999-12-31.
pub(crate) const DAYS: [i64; 2] = [-719_162, 2_932_896];
const DAY_SECONDS: i128 = 86_400;

impl TimeUnit {
    pub(crate) const ALL: [TimeUnit; 4] =
        [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];

    /// Returns the name in a schema.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Second => "s",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Microsecond => "us",
            TimeUnit::Nanosecond => "ns",
        }
    }

    /// Returns the decimal digits of a second.
    pub(crate) fn digits(self) -> u32 {
        match self {
            TimeUnit::Second => 0,
            TimeUnit::Millisecond => 3,
            TimeUnit::Microsecond => 6,
            TimeUnit::Nanosecond => 9,
        }
    }

    pub(crate) fn per_second(self) -> i128 {
        10i128.pow(self.digits())
    }
}

/// An exact number in units: the greatest integer up to it, and whether it is that integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Units {
    pub(crate) floor: i128,
    pub(crate) is_whole: bool,
}

impl Units {
    /// Returns the number, if it is an integer of 64 bits.
    pub(crate) fn whole(self) -> Option<i64> {
        i64::try_from(self.floor).ok().filter(|_| self.is_whole)
    }
}

/// Reads a decimal number, such as `-12.5` or `1e-3`, in units of 10 to the power `-scale`.
pub(crate) fn parse_decimal(text: &str, scale: u32) -> Option<Units> {
    let (number, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (is_negative, number) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let power = power.parse::<i64>().ok()?;
    // Digits before this place are units, and those after it are parts of one.
    let place = i64::try_from(whole.len()).ok()?.checked_add(power)?.checked_add(scale.into())?;
    let significant = digits.trim_start_matches('0');
    if significant.is_empty() {
        return Some(Units { floor: 0, is_whole: true });
    }
    let zeros = i64::try_from(digits.len() - significant.len()).ok()?;
    let kept = place.checked_sub(zeros)?;
    if kept > 38 {
        return None;
    }
    let kept = usize::try_from(kept).unwrap_or(0);
    let shown: String = significant.chars().chain(std::iter::repeat('0')).take(kept).collect();
    let size = if shown.is_empty() { 0 } else { shown.parse::<i128>().ok()? };
    let is_whole = significant.bytes().skip(kept).all(|digit| digit == b'0');
    let floor = match (is_negative, is_whole) {
        (false, _) => size,
        (true, true) => -size,
        (true, false) => -size - 1,
    };
    Some(Units { floor, is_whole })
}

/// Writes a finite double as the shortest decimal number that is read as it, which is the one that
/// was written, and an integer with all of its digits.
pub(crate) fn show_double(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { value.to_string() }
}

/// Writes a number of units of 10 to the power `-scale`, with all of its digits.
pub(crate) fn show_decimal(units: i128, scale: u32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let size = units.unsigned_abs();
    if scale == 0 {
        return format!("{sign}{size}");
    }
    let one = 10u128.pow(scale);
    format!("{sign}{}.{:0width$}", size / one, size % one, width = scale as usize)
}

/// Reads a date such as `2020-01-31`, of the years 1 to 9999, as its number of days.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let part = |range: std::ops::Range<usize>| {
        let part = text.get(range)?;
        part.bytes().all(|digit| digit.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
    };
    let dashes = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let is_date = dashes && year >= 1 && (1..=12).contains(&month) && day >= 1;
    let days = is_date.then(|| days_of(year, month, day))?;
    // A day beyond the end of its month is one of the next.
    (civil(days) == [year, month, day]).then_some(days)
}

/// Writes a number of days as a date.
pub(crate) fn show_date(days: i64) -> String {
    let [year, month, day] = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads a time such as `2020-01-31 12:30:00.5`, with a space or a `T`, or a date for its midnight.
pub(crate) fn parse_time(text: &str, unit: TimeUnit) -> Option<Units> {
    let days = i128::from(parse_date(text.get(..10)?)?);
    let rest = text.get(10..)?;
    let (seconds, fraction) = if rest.is_empty() {
        (0, Units { floor: 0, is_whole: true })
    } else {
        let clock = rest.strip_prefix([' ', 'T'])?;
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
        let parts: Vec<&str> = clock.split(':').collect();
        let number = |part: &&str, limit: i128| {
            let is_number = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_digit());
            part.parse::<i128>().ok().filter(|number| is_number && *number < limit)
        };
        let (hour, minute) = (number(parts.first()?, 24)?, number(parts.get(1)?, 60)?);
        let second = parts.get(2).map_or(Some(0), |part| number(part, 60))?;
        let is_fraction = fraction.bytes().all(|digit| digit.is_ascii_digit());
        if parts.len() > 3 || !is_fraction || (parts.len() == 2 && fraction != "0") {
            return None;
        }
        let fraction = parse_decimal(&format!("0.{fraction}"), unit.digits())?;
        (hour * 3600 + minute * 60 + second, fraction)
    };
    let whole = (days * DAY_SECONDS + seconds) * unit.per_second();
    Some(Units { floor: whole + fraction.floor, ..fraction })
}

/// Writes a time, with the digits of its unit.
pub(crate) fn show_time(count: i64, unit: TimeUnit) -> String {
    let per_day = DAY_SECONDS * unit.per_second();
    let (days, rest) =
        (i128::from(count).div_euclid(per_day), i128::from(count).rem_euclid(per_day));
    let (seconds, fraction) = (rest / unit.per_second(), rest % unit.per_second());
    // Days of 64 bits of seconds fit 64 bits.
    let date = show_date(days as i64);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match unit.digits() as usize {
        0 => format!("{date} {clock}"),
        width => format!("{date} {clock}.{fraction:0width$}"),
    }
}

/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;
/// Days from the first of March of the year 0 to the start of 1970.
const EPOCH: i64 = 719_468;

/// Counts the days of a date. Years start in March, so that a leap day is their last day; the
/// months from March on have `(153 m + 2) / 5` days before them.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let before = (153 * ((month + 9) % 12) + 2) / 5;
    era * ERA + year * 365 + year / 4 - year / 100 + before + day - 1 - EPOCH
}

/// Returns year, month and day of a number of days.
fn civil(days: i64) -> [i64; 3] {
    let days = i128::from(days) + i128::from(EPOCH);
    let era = days.div_euclid(i128::from(ERA)) as i64;
    let day = days.rem_euclid(i128::from(ERA)) as i64;
    // Leap days are taken off: one in 4 years, none in 100, and one in 400.
    let year = (day - day / 1460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let shown = if month < 10 { month + 3 } else { month - 9 };
    let next = i64::from(shown <= 2);
    [era * 400 + year + next, shown, day - (153 * month + 2) / 5 + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_read_back_and_follows_the_one_before() {
        let mut before = [0, 12, 31];
        for days in DAYS[0]..=DAYS[1] {
            let [year, month, day] = civil(days);
            assert_eq!(days_of(year, month, day), days);
            let next = [before[0], before[1], before[2] + 1];
            let new_month = [before[0] + before[1] / 12, before[1] % 12 + 1, 1];
            assert!([next, new_month].contains(&[year, month, day]), "{before:?} {year}");
            before = [year, month, day];
        }
        assert_eq!(before, [9999, 12, 31]);
        for text in ["0001-01-01", "1970-01-01", "2000-02-29", "2024-02-29", "9999-12-31"] {
            assert_eq!(show_date(parse_date(text).unwrap()), text);
        }
        for text in
            ["2023-02-29", "1900-02-29", "2020-13-01", "2020-00-01", "20-01-01", "0000-01-01"]
        {
            assert_eq!(parse_date(text), None, "{text}");
        }
        assert_eq!(parse_date("1970-01-02"), Some(1));
        assert_eq!(parse_date("2020-01-31"), Some(18_292));
    }

    #[test]
    fn times_are_read_back_in_every_unit() {
        let units = |text, unit| parse_time(text, unit).unwrap();
        assert_eq!(units("1970-01-01 00:00:01.5", TimeUnit::Second).floor, 1);
        assert!(!units("1970-01-01 00:00:01.5", TimeUnit::Second).is_whole);
        assert_eq!(units("1969-12-31T23:59:59.250", TimeUnit::Millisecond).whole(), Some(-750));
        assert_eq!(units("1970-01-02", TimeUnit::Second).whole(), Some(86_400));
        assert_eq!(units("1970-01-01 00:01", TimeUnit::Second).whole(), Some(60));
        for unit in TimeUnit::ALL {
            for count in [i64::MIN / 1_000_000_000, -1, 0, 1, 1_577_836_800] {
                let text = show_time(count, unit);
                assert_eq!(parse_time(&text, unit).unwrap().whole(), Some(count), "{text}");
            }
        }
        for text in ["2020-01-01 24:00:00", "2020-01-01 1:00:00", "2020-01-01 00:00:00.x", "x"] {
            assert_eq!(parse_time(text, TimeUnit::Second), None, "{text}");
        }
    }

    #[test]
    fn decimals_are_read_exactly() {
        let units = |text: &str, scale| parse_decimal(text, scale).unwrap();
        assert_eq!(units("12.34", 2).whole(), Some(1234));
        assert_eq!(units("-0.05", 2).whole(), Some(-5));
        assert_eq!(units("1e2", 2).whole(), Some(10_000));
        assert_eq!(units("00120e-1", 0).whole(), Some(12));
        assert_eq!(units("-0.005", 2), Units { floor: -1, is_whole: false });
        assert_eq!(units("0.0000001", 2), Units { floor: 0, is_whole: false });
        assert_eq!(units("0.000", 1), Units { floor: 0, is_whole: true });
        for text in ["", "-", ".", "1.2.3", "1x", "0x1", "1e99999999999999999999"] {
            assert_eq!(parse_decimal(text, 2), None, "{text}");
        }
        assert_eq!(parse_decimal("1e40", 2), None);
        for (count, scale) in [(-5, 2), (0, 3), (123_456, 0), (i128::from(i64::MIN), 18)] {
            assert_eq!(units(&show_decimal(count, scale), scale).floor, count);
        }
        assert_eq!(show_decimal(-5, 2), "-0.05");
    }
}
