//! The quantities of figures, and the one conversion between the time of a call and such a figure.
//!
//! A figure covers a number of calls `c`: a total of 512 products covers 512, a time per slot
//! covers one 8192nd of a call. With `T` the wall-clock time of one call over all threads,
//!
//! ```text
//! time = c * T        rate = 1 / (c * T)
//! ```
//!
//! The name, the unit and the parameters of a row say what its figure counts. `all.csv` states its
//! figures by the same names, so that reading a row back gives the time from which it was made.

use fathom_cases::record::Case;

use super::table::Row;
use super::unit::Unit;

/// Gates of a schoolbook product of two 64-bit numbers and of their sum, by the names of the times
/// that document 000 derives from one gate.
pub const DERIVED: [(&str, f64); 2] =
    [("mul_64bit_derived", 24_576.0), ("add_64bit_derived", 320.0)];

/// The kind of a figure. Only figures of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A duration.
    Time,
    /// Results per second.
    Rate,
    /// A number of bytes.
    Size,
    /// A part of a whole, in percent.
    Share,
    /// A ratio of two other figures.
    Factor,
}

/// The unit of one result of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counted {
    /// A number of whole calls; 1 for the time or the rate of an operation.
    Calls(f64),
    /// One of the values in the slots of a ciphertext.
    Slot,
    /// One of the users of a batch.
    User,
}

/// The kind of a figure and what it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The kind of the figure.
    pub kind: Kind,
    /// The unit of one result.
    pub counted: Counted,
}

/// The amount of work of one call of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Wall-clock time of one call over all threads, in seconds.
    pub seconds: f64,
    /// Values in the slots of a ciphertext.
    pub slots: f64,
    /// Users of a batch.
    pub users: f64,
}

impl Quantity {
    /// Returns what the figure of a row counts: what its parameter `counts` says (`calls`, `slots`
    /// or `users`), else what its name implies.
    pub fn of(row: &Row) -> Self {
        let named = Self::named(&row.op, row.unit);
        let counted = match row.params.get("counts").map(String::as_str) {
            Some("slots") => Counted::Slot,
            Some("users") => Counted::User,
            Some("calls") => Counted::Calls(1.0),
            Some(_) | None => match (named.counted, row.number("count")) {
                (Counted::Calls(_), Some(count)) if row.op.ends_with("_total") => {
                    Counted::Calls(count)
                }
                (counted, _) => counted,
            },
        };
        Self { counted, ..named }
    }

    /// Returns what a figure of this name counts in this unit.
    pub fn named(op: &str, unit: Unit) -> Self {
        let kind = kind(unit);
        let derived = DERIVED.iter().find(|(name, _)| *name == op).map(|(_, gates)| *gates);
        let counted = if op.contains("_per_slot") {
            Counted::Slot
        } else if op.contains("per_user") || op.contains("users") {
            Counted::User
        } else if kind == Kind::Time {
            Counted::Calls(derived.or_else(|| total(op)).unwrap_or(1.0))
        } else {
            Counted::Calls(1.0)
        };
        Self { kind, counted }
    }

    /// Converts the time of a call to this figure, in seconds or per second; `None` for figures
    /// that are neither a time nor a rate.
    pub fn of_work(self, work: Work) -> Option<f64> {
        let calls = match self.counted {
            Counted::Calls(calls) => calls,
            Counted::Slot => 1.0 / work.slots,
            Counted::User => 1.0 / work.users,
        };
        match self.kind {
            Kind::Time => Some(calls * work.seconds),
            Kind::Rate => Some(1.0 / (calls * work.seconds)),
            Kind::Size | Kind::Share | Kind::Factor => None,
        }
    }

    /// Returns by what factor the printed figure is the worse of two in the same unit: the longer
    /// time, the larger size, the lower rate. `None` for figures of other kinds.
    pub fn ratio(self, printed: f64, measured: f64) -> Option<f64> {
        let ratio = match self.kind {
            Kind::Time | Kind::Size => printed / measured,
            Kind::Rate => measured / printed,
            Kind::Share | Kind::Factor => return None,
        };
        Some(ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    }

    /// Describes one result: `a call`, `512 calls`, `a slot`.
    pub fn result(self) -> String {
        match self.counted {
            Counted::Calls(calls) if calls > 1.0 => format!("{calls} calls"),
            Counted::Calls(_) => "a call".into(),
            Counted::Slot => "a slot".into(),
            Counted::User => "a user".into(),
        }
    }
}

impl Work {
    /// Returns the work of one call of a timed case, which takes `seconds`.
    pub fn of(case: &Case, seconds: f64) -> Self {
        // Programs of batches end in `s128x32`: terms and users.
        let users = case.op.rsplit_once('x').and_then(|(_, users)| users.parse().ok());
        Self { seconds, slots: case.lane.slots.max(1) as f64, users: users.unwrap_or(1.0) }
    }

    /// Returns the work of one call by the median time of a case; `None` if it has no time.
    pub fn median(case: &Case) -> Option<Self> {
        let median = case.time_ns.as_ref()?.median;
        (median > 0).then(|| Self::of(case, median as f64 / 1e9))
    }
}

/// Converts a figure in seconds, per second or bytes to a unit of the same kind.
pub fn in_unit(base: f64, unit: Unit) -> f64 {
    base / unit.seconds().or_else(|| unit.bytes()).unwrap_or(1.0)
}

/// Returns a printed figure in seconds, per second, bytes or as it is.
pub fn base(row: &Row) -> f64 {
    row.seconds().or_else(|| row.bytes()).unwrap_or(row.mean)
}

fn kind(unit: Unit) -> Kind {
    match unit {
        Unit::Bytes | Unit::Kibibytes | Unit::Mebibytes => Kind::Size,
        Unit::PerSecond => Kind::Rate,
        Unit::Percent => Kind::Share,
        Unit::Times => Kind::Factor,
        Unit::Nanoseconds
        | Unit::Microseconds
        | Unit::Milliseconds
        | Unit::Seconds
        | Unit::Minutes
        | Unit::Hours => Kind::Time,
    }
}

/// Returns the calls of `mul_512_seq_ms` or `mul_512_par_ms`: 512.
fn total(op: &str) -> Option<f64> {
    let stem = op.strip_suffix("_seq_ms").or_else(|| op.strip_suffix("_par_ms"))?;
    stem.rsplit_once('_')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::read;

    /// Ten rows of every kind, with what a call of 4 ms over 8192 slots or 32 users makes of them,
    /// and the ratio; worked out by hand.
    const BY_HAND: [(&str, f64, f64); 61] = [
        // Times of a call.
        ("bfv,scalar,mul,8,,ms,,,", 4.0, 2.0),
        ("bfv,scalar,add,2,,ms,,,", 4.0, 0.5),
        ("bfv,scalar,depth1,0.02,,s,,,", 0.004, 5.0),
        ("bfv,h33,decrypt,40,,us,,,", 4000.0, 0.01),
        ("bfv,h33,relin,128,,us,,,", 4000.0, 0.032),
        ("tfhe,sort,sort8_u8,1,,min,,,", 0.004 / 60.0, 15_000.0),
        ("tfhe,sort,sort64_u8,2,,h,,,", 0.004 / 3600.0, 1_800_000.0),
        ("kernel,rns4,add,80,,ns,,,", 4e6, 0.000_02),
        ("bfv,h33,batch_latency,943,,us,,users=32,", 4000.0, 0.235_75),
        ("pvac,scalar,self_test,1000,,us,,,", 4000.0, 0.25),
        // Totals.
        ("pvac,parallel,mul_512_seq_ms,1024,,ms,,,", 2048.0, 0.5),
        ("pvac,parallel,mul_512_par_ms,4096,,ms,,threads=8,", 2048.0, 2.0),
        ("pvac,parallel,mul_2048_seq_ms,8192,,ms,,,", 8192.0, 1.0),
        ("pvac,parallel,mul_2048_par_ms,2048,,ms,,threads=8,", 8192.0, 0.25),
        ("pvac,parallel,mul_8192_seq_ms,65536,,ms,,,", 32_768.0, 2.0),
        ("pvac,parallel,mul_8192_par_ms,16384,,ms,,threads=8,", 32_768.0, 0.5),
        ("bfv,secure_128,depth50_total,2,,s,,count=50,", 0.2, 10.0),
        ("bfv,secure_192,depth50_total,10,,s,,count=50,", 0.2, 50.0),
        ("tfhe,bit,mul_64bit_derived,196608,,ms,,,", 98_304.0, 2.0),
        ("tfhe,bit,add_64bit_derived,640,,ms,,,", 1280.0, 0.5),
        // Times of a slot: 4 ms / 8192 = 0.48828125 us.
        ("bfv,simd,mul_per_slot_us,0.9765625,,us,,,", 0.488_281_25, 2.0),
        ("ckks,simd,mul_per_slot_us,4.8828125,,us,,,", 0.488_281_25, 10.0),
        ("bgv,simd,mul_per_slot_us,0.244140625,,us,,,", 0.488_281_25, 0.5),
        ("bfv,simd,add_per_slot_us,0.48828125,,us,,,", 0.488_281_25, 1.0),
        ("bfv,simd,mul_per_slot_ns,976.5625,,ns,,,", 488.281_25, 2.0),
        ("bfv,simd,mul_per_slot_ns,244.140625,,ns,,,", 488.281_25, 0.5),
        ("bfv,simd,mul_per_slot_ms,0.0048828125,,ms,,,", 0.000_488_281_25, 10.0),
        ("bfv,simd,mul,1,,us,,counts=slots,", 0.488_281_25, 2.048),
        ("bfv,simd,rotate_per_slot_us,1.953125,,us,,,", 0.488_281_25, 4.0),
        ("ckks,simd,dot_per_slot_us,0.1220703125,,us,,,", 0.488_281_25, 0.25),
        // Times of a user: 4 ms / 32 = 125 us.
        ("bfv,h33,per_user_latency,250,,us,,users=32,", 125.0, 2.0),
        ("bfv,h33,per_user_latency,62.5,,us,,users=32,", 125.0, 0.5),
        // Rates of calls: 250 per second.
        ("pvac,parallel,mul_512_throughput,125,,ops_per_sec,,threads=8,", 250.0, 2.0),
        ("pvac,parallel,mul_2048_throughput,500,,ops_per_sec,,threads=8,", 250.0, 0.5),
        ("pvac,parallel,mul_8192_throughput,250,,ops_per_sec,,threads=8,", 250.0, 1.0),
        ("kernel,rns4,add_throughput,25,,ops_per_sec,,,", 250.0, 10.0),
        ("kernel,rns4,mul_throughput,2500,,ops_per_sec,,,", 250.0, 0.1),
        ("bfv,h33,scaling_batches,1000,,ops_per_sec,,users=32;cores=1,", 250.0, 0.25),
        ("bfv,h33,scaling_batches,50,,ops_per_sec,,users=32;cores=16,", 250.0, 5.0),
        // Rates of users: 8000 per second.
        ("bfv,h33,scaling_users,4000,,ops_per_sec,,users=32;cores=1,", 8000.0, 2.0),
        ("bfv,h33,scaling_users,16000,,ops_per_sec,,users=32;cores=16,", 8000.0, 0.5),
        ("bfv,h33,users_throughput,800,,ops_per_sec,,users=32;cores=1,", 8000.0, 10.0),
        ("bfv,h33,pipeline_throughput,80000,,ops_per_sec,,counts=users,", 8000.0, 0.1),
        // Rates of slots: 2048000 per second.
        ("bfv,simd,mul_throughput,1024000,,ops_per_sec,,counts=slots,", 2_048_000.0, 2.0),
        ("bfv,simd,mul_throughput,4096000,,ops_per_sec,,counts=slots,", 2_048_000.0, 0.5),
        // Sizes: 1 MiB, whatever the time.
        ("bfv,scalar,ct_size_bytes,2097152,,bytes,,,", 1_048_576.0, 2.0),
        ("bfv,scalar,ct_size_est_bytes,524288,,bytes,,,", 1_048_576.0, 0.5),
        ("bfv,h33,ct_size,512,,KiB,,,", 1024.0, 0.5),
        ("bfv,h2,ct_size,2048,,KiB,,,", 1024.0, 2.0),
        ("bfv,h-256,ct_size,10,,MiB,,,", 1.0, 10.0),
        ("pvac,scalar,pk_size_bytes,10485760,,bytes,,,", 1_048_576.0, 10.0),
        ("pvac,scalar,depth1_ct_bytes,104857.6,,bytes,,,", 1_048_576.0, 0.1),
        ("pvac,scalar,depth2_ct_bytes,1048576,,bytes,,,", 1_048_576.0, 1.0),
        ("pvac,scalar,depth3_ct_bytes,4194304,,bytes,,,", 1_048_576.0, 4.0),
        ("pvac,scalar,ct_size_bytes,262144,,bytes,,,", 1_048_576.0, 0.25),
        // Neither a time nor a rate nor a size: no ratio.
        ("bfv,h33,scaling_efficiency,96.2,,percent,,cores=192,", f64::NAN, f64::NAN),
        ("bfv,h33,rayon_regression,37,,percent,,cores=96,", f64::NAN, f64::NAN),
        ("kernel,ntt,speedup,1.8,,x,,,", f64::NAN, f64::NAN),
        ("ratio,bfv,mul,7.4,,x,,,", f64::NAN, f64::NAN),
        ("ratio,fhew,mul_64bit,789000,,x,,,", f64::NAN, f64::NAN),
        ("ratio,pvac,growth5,98,,x,,,", f64::NAN, f64::NAN),
    ];

    #[test]
    fn every_conversion_agrees_with_the_calculation_by_hand() {
        let work = Work { seconds: 4e-3, slots: 8192.0, users: 32.0 };
        for (text, measured, ratio) in BY_HAND {
            let table = format!("{}\n{text}\n", crate::HEADER);
            let row = read(&table).unwrap().remove(0);
            let quantity = Quantity::of(&row);
            let found = match quantity.kind {
                Kind::Size => Some(1_048_576.0),
                Kind::Time | Kind::Rate | Kind::Share | Kind::Factor => quantity.of_work(work),
            };
            let Some(found) = found else {
                assert!(measured.is_nan() && quantity.ratio(1.0, 1.0).is_none(), "{text}");
                continue;
            };
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
            assert!(close(in_unit(found, row.unit), measured), "{text}: {found}");
            let found = quantity.ratio(base(&row), found).unwrap();
            assert!(close(found, ratio), "{text}: {found}");
        }
    }

    #[test]
    fn what_is_infinite_or_zero_has_no_ratio() {
        let time = Quantity { kind: Kind::Time, counted: Counted::Calls(1.0) };
        assert_eq!(time.ratio(1.0, 0.0), None);
        assert_eq!(time.ratio(0.0, 1.0), None);
        assert_eq!(time.ratio(f64::NAN, 1.0), None);
    }
}
