//! Values of options.

use std::time::Duration;

/// Reads a time such as `500ms`, `60s`, `2m` or `90`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => {
            return Err(format!(
                "`{unit}` is not a unit of time: give a number with ms, s, m or h, such as 30s"
            ));
        }
    };
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    let valid = number > 0.0 && number * seconds < 1e7;
    let allowed = "a time is more than 0 and less than 10000000 s";
    if valid { Ok(Duration::from_secs_f64(number * seconds)) } else { Err(allowed.into()) }
}

/// Reads a number of threads of one server.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=fathom::MAX_THREADS).contains(count));
    count.ok_or_else(|| format!("a number of threads from 1 to {}", fathom::MAX_THREADS))
}

/// Reads a size such as `1000000`, `512MiB` or `8GiB`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let powers = [("", 0), ("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let power = powers.iter().find(|(name, _)| *name == unit).map(|(_, power)| *power);
    let power = power.ok_or_else(|| {
        format!("`{unit}` is not a unit of size: give a number with KiB, MiB, GiB or TiB")
    })?;
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    let size = number * f64::from(power).exp2();
    let valid = (1.0..9e15).contains(&size);
    if valid { Ok(size as u64) } else { Err("a size is at least one byte".into()) }
}

/// Reads a fraction such as `5%` or `0.05`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (number, unit) =
        text.strip_suffix('%').map_or((text, 1.0), |percentage| (percentage, 0.01));
    let value: f64 = number
        .trim()
        .parse()
        .map_err(|_| format!("`{text}` is not a number such as 5% or 0.05"))?;
    let allowed = "a fraction is a number of at least 0, such as 5% or 0.05".to_owned();
    if value >= 0.0 && value.is_finite() { Ok(value * unit) } else { Err(allowed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_binary_units() {
        let sizes = ["17", "17B", "1.5KiB", "2GiB"].map(|text| bytes(text).unwrap());
        assert_eq!(sizes, [17, 17, 1536, 1 << 31]);
        assert!(["", "0", "-1", "1GB", "KiB", "NaN"].iter().all(|text| bytes(text).is_err()));
    }

    #[test]
    fn times_and_shares_are_read_with_their_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("60"), Ok(Duration::from_mins(1)));
        assert!(["", "s", "-1s", "1d", "0s", "1e300h"].iter().all(|text| duration(text).is_err()));
        assert_eq!(share("5%"), Ok(0.05));
        assert_eq!(share("0.5"), Ok(0.5));
        assert!(share("-1%").is_err() && share("x").is_err());
    }
}
