//! Units of figures.

/// A unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the unit of its name")]
pub enum Unit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Bytes,
    Kibibytes,
    Mebibytes,
    PerSecond,
    Percent,
    Times,
}

/// Units by name.
const UNITS: [(&str, Unit); 12] = [
    ("ns", Unit::Nanoseconds),
    ("us", Unit::Microseconds),
    ("ms", Unit::Milliseconds),
    ("s", Unit::Seconds),
    ("min", Unit::Minutes),
    ("h", Unit::Hours),
    ("bytes", Unit::Bytes),
    ("KiB", Unit::Kibibytes),
    ("MiB", Unit::Mebibytes),
    ("ops_per_sec", Unit::PerSecond),
    ("percent", Unit::Percent),
    ("x", Unit::Times),
];

impl Unit {
    /// Parses the name of a unit.
    ///
    /// # Errors
    /// A sentence with the names that there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        let found = UNITS.iter().find(|(known, _)| *known == name).map(|(_, unit)| *unit);
        let names: Vec<&str> = UNITS.iter().map(|(known, _)| *known).collect();
        found.ok_or_else(|| format!("`{name}` is no unit; there are {}", names.join(", ")))
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        UNITS.iter().find(|(_, unit)| *unit == self).map_or("", |(name, _)| name)
    }

    /// Returns the length of the unit in seconds, if it is one of time.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Nanoseconds => Some(1e-9),
            Self::Microseconds => Some(1e-6),
            Self::Milliseconds => Some(1e-3),
            Self::Seconds => Some(1.0),
            Self::Minutes => Some(60.0),
            Self::Hours => Some(3600.0),
            Self::Bytes
            | Self::Kibibytes
            | Self::Mebibytes
            | Self::PerSecond
            | Self::Percent
            | Self::Times => None,
        }
    }

    /// Returns a figure in this unit in seconds or in bytes; as it is, if it is neither a time nor
    /// a size.
    pub fn base(self, figure: f64) -> f64 {
        figure * self.seconds().or_else(|| self.bytes()).unwrap_or(1.0)
    }

    /// Returns the size of the unit in bytes, if it is one of size.
    pub fn bytes(self) -> Option<f64> {
        match self {
            Self::Bytes => Some(1.0),
            Self::Kibibytes => Some(1024.0),
            Self::Mebibytes => Some(1024.0 * 1024.0),
            Self::Nanoseconds
            | Self::Microseconds
            | Self::Milliseconds
            | Self::Seconds
            | Self::Minutes
            | Self::Hours
            | Self::PerSecond
            | Self::Percent
            | Self::Times => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (name, unit) in UNITS {
            assert_eq!(Unit::parse(name), Ok(unit));
            assert_eq!(unit.name(), name);
        }
        assert!(Unit::parse("parsec").unwrap_err().contains("ops_per_sec"));
    }
}
