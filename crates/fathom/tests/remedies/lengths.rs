//! No message is longer than a terminal shows in three lines.

use super::LONGEST;
use super::sources::error_enums;
use fathom::ckks::{BootstrapError, DomainError, FloodError, ScaleError};
use fathom::rlwe::modular::Preset;
use fathom::rlwe::{Encryption, Level};
use fathom::tfhe::integer::{FheUint64, ValueType};
use fathom::tfhe::{ListError, TableError};
use fathom::wide::WideError;
use fathom::wire::{Kind, WireError};
use fathom::{Error, KeyId, SecretRng, bgv};

/// Returns an error of every variant that is not itself an error, with numbers as they occur.
fn samples() -> Vec<Error> {
    let mut all = shared();
    all.extend(of_schemes());
    all.extend(of_reals());
    let wire = [
        WireError::Truncated { needed: 123_456_789, got: 100_000 },
        WireError::TrailingBytes { extra: 123_456 },
        WireError::Magic,
        WireError::Version { got: 65_535, reads: 3 },
        WireError::Type { expected: Kind::ByteString, got: 255 },
        WireError::Scheme { expected: "BFV", got: *b"TFHE" },
        WireError::Contradiction { field: "evaluation keys' chain" },
        WireError::Checksum,
        WireError::Range { field: "bytes of the string", value: u64::MAX, limit: 65_536 },
        WireError::Malformed { field: "the noise of the ciphertext" },
        WireError::NoiseBound { bound_bits: 1234.5, limit_bits: 1233.4 },
        WireError::NotFresh,
        WireError::ValueType { expected: value_type(), got: value_type() },
        WireError::TableBytes { needed: usize::MAX, limit: 1 << 30 },
    ];
    all.extend(wire.map(Error::from));
    all
}

/// Returns the identifier of a key.
fn key_id() -> KeyId {
    let mut rng = SecretRng::insecure_from_seed(1);
    let params = bgv::Params::preset(Preset::E1).unwrap();
    bgv::SecretKey::generate(&params, &mut rng).id()
}

fn value_type() -> ValueType {
    ValueType::of::<FheUint64>()
}

/// Returns the errors that schemes share.
fn shared() -> Vec<Error> {
    let level = Level::new(63);
    let key = key_id();
    let (left_bits, needed_bits) = (1234.5, 1300.2);
    let operation = "evaluate_polynomial_on_interval";
    let name = || "a parameter set whose name has 40 bytes".to_owned();
    let remedy = "take parameters of a larger scale, for instance with Params::for_precision";
    let (error_bits, allowed_bits, magnitude) = (-12.3, -45.6, 1e30);
    vec![
        Error::NoiseExhausted { operation, level, needed_bits, left_bits, remedy },
        Error::LevelMismatch { left: level, right: level },
        Error::NoSuchLevel { from: level, to: level },
        Error::Components { operation, expected: 2, got: 3 },
        Error::PrecisionExhausted { operation, error_bits, allowed_bits, remedy },
        Error::MagnitudeExceeded { index: 123_456, magnitude },
        Error::ParamsMismatch { left: name(), right: name() },
        Error::KeyMismatch { left: key, right: key },
        Error::OtherMessage,
        Error::MissingRelinearizationKey,
        Error::MissingGaloisKey { exponent: 131_071, rotation: "rotation by -65535".to_owned() },
        Error::KeyLevel { operation: "rotation by -65535".to_owned(), key: level, needed: level },
        Error::TooManyValues { given: usize::MAX, capacity: 65_536 },
        Error::ValueOutOfRange { index: 65_535, low: i64::MIN.into(), high: i64::MAX.into() },
        Error::MessageOutOfRange { low: i64::MIN.into(), high: i64::MAX.into() },
        Error::FactorMismatch,
        Error::NoSlots { plain_modulus: 1 << 60, degree: 65_536, step: 131_072 },
        Error::ListLength { operation, left: usize::MAX, right: 1 },
        Error::Count { operation, count: usize::MAX, limit: 65_536 },
        Error::Shape {
            operation,
            wanted: "a matrix of 1 to 65536 rows and columns".to_owned(),
            got: "rows of 65536 and 65535 elements".to_owned(),
        },
        Error::Transparent { operation, remedy },
        Error::Simulated { operation },
        Error::UnknownPreset { name: name() },
        Error::Spec { field: "chain_bits", reason: "a prime needs 22.0 bits".to_owned() },
        Error::Cancelled,
        Error::DivisionByZero,
        Error::TooManyThreads { threads: usize::MAX, limit: 1024 },
        Error::Threads { threads: 1024, reason: "Resource temporarily unavailable".to_owned() },
        Error::File { path: "/a/path/to/a/key".to_owned(), reason: "No such file".to_owned() },
    ]
}

/// Returns the errors of CKKS.
fn of_reals() -> Vec<Error> {
    let operation = "evaluate_chebyshev";
    let (low, high, magnitude) = (-1.234_567_890_123, 9.876_543_210_987, 987.654_321_098_765);
    let (left, right) = (1.234_567_890_123e33, 9.876_543_210_987e33);
    let remedy = "multiply before the last level, or rescale the operand of the larger scale";
    let scales = [
        ScaleError::Mismatch { left, right, remedy },
        ScaleError::OutOfReach { from: left, to: right },
        ScaleError::BelowOne { scale: 1.234_567_890_123e-3 },
        ScaleError::TooLarge { scale: 1.234_567_890_123e151 },
    ];
    let domains = [
        DomainError::Magnitude { operation, low, high, magnitude },
        DomainError::Complex { operation },
        DomainError::Difference { operation: "max", left: magnitude, right: magnitude },
        DomainError::NotPacked { operation: "transform", size: 32_768, low, high },
        DomainError::Padding { operation, low, high, padding_low: low, padding_high: high },
        DomainError::NotABound { bound: 1.234_567_890_123e-308 },
        DomainError::NotFinite { operation, index: 65_535 },
        DomainError::FalsePromise { promised: high, padding: magnitude },
        DomainError::BrokenPromise { low, high, magnitude },
    ];
    let floods = [
        FloodError::NotSimulated,
        FloodError::WorstCase,
        FloodError::NotAsPlanned { field: "number of components", planned: left, got: right },
    ];
    let name = "a parameter set whose name has 40 bytes".to_owned();
    let of_table = "apply it before other operations, take a table of fewer bits, or make it with \
                    Table::cleaned";
    let of_function = "prepare the function for slots that were divided by more";
    let bootstraps = [
        BootstrapError::NoSet { name },
        BootstrapError::NoKeys,
        BootstrapError::Magnitude { magnitude, limit: high, factor: 1.234_567_890_123e-30 },
        BootstrapError::Tolerance { error_bits: -12.3, allowed_bits: -45.6, remedy: of_table },
        BootstrapError::Budget {
            operation: "a refresh",
            budget_bits: 1.7,
            needed_bits: 2.0,
            remedy: "refresh the operands of the operation before it",
        },
        BootstrapError::Levels { needed: 61, available: 17 },
        BootstrapError::Domains { count: 1000 },
        BootstrapError::Slots { prepared: 32_768, slots: 16_384 },
        BootstrapError::NotByItself { slots: 16_384 },
        BootstrapError::Argument { magnitude, limit: high, remedy: of_function },
        BootstrapError::Precision { error_bits: -12.3, room_bits: -45.6 },
        BootstrapError::Scale { scale: left, wanted: right },
    ];
    let mut all: Vec<Error> = scales.map(Error::from).into();
    all.extend(domains.map(Error::from));
    all.extend(floods.map(Error::from));
    all.extend(bootstraps.map(Error::from));
    all
}

/// Returns the errors of TFHE and exact integers.
fn of_schemes() -> Vec<Error> {
    let (low, high, bits) = (i32::MIN, i32::MAX, 16);
    let params = "a parameter set whose name has 40 bytes".to_owned();
    let operation = "decoding";
    let tables = [
        TableError::OutsideDomain { low, high, domain_low: low, domain_high: high },
        TableError::NotNegacyclic { first: low, second: high, bits, half: 32_768 },
        TableError::NoFunction,
        TableError::FunctionCount { functions: usize::MAX, most: 32_768 },
        TableError::ValueTooLarge { argument: low, limit: high },
        TableError::ConstantTooLarge { limit: high },
        TableError::NoSuchOutput { index: usize::MAX, outputs: 16 },
        TableError::Domain { low, high, outputs: 65_536, bits },
    ];
    let lists = [
        ListError::LengthMismatch { left: usize::MAX, right: 1 },
        ListError::EmptyList,
        ListError::MissingPackingKeys,
        ListError::OutsideList { start: usize::MAX, end: 1, length: 65_536 },
        ListError::Capacity { bytes: usize::MAX, capacity: 65_536 },
        ListError::TooLong { requested: usize::MAX, limit: 65_536 },
    ];
    let exact = [
        WideError::TooWide { bits: u32::MAX, widest: 65_535 },
        WideError::ValuesExceedModuli { operation, bits: 1234.5, limit_bits: 1200.0 },
        WideError::Overflow { operation, bits: 65_536.5, widest: 65_535 },
        WideError::BeyondWidth { bits: u32::MAX },
        WideError::BeyondPlan { index: usize::MAX, bits: 128 },
        WideError::BeyondBound { bits: 65_536.5 },
    ];
    let mut all = vec![
        Error::NoiseExceeded { noise_variance: u32::MAX, limit: 1234, params },
        Error::NotCanonical { blocks: 128, top: 3, noise_variance: 2 },
        Error::ClearOutOfRange { bits: 256, signed: false },
        Error::IntegerBits { bits: usize::MAX },
        Error::TypeUnknown,
        Error::NoScope,
        Error::DecryptedOutsideRange { low, high },
        Error::TypeMismatch { expected: value_type(), got: None },
    ];
    all.extend(tables.map(Error::from));
    all.extend(lists.map(Error::from));
    all.extend(exact.map(Error::from));
    all
}

#[test]
fn messages_have_a_limited_length() {
    for error in samples() {
        let text = error.to_string();
        assert!(text.len() <= LONGEST, "{} characters: {text}", text.len());
    }
}

#[test]
fn there_is_a_sample_of_every_variant() {
    let shown: Vec<String> = samples().iter().map(|error| format!("{error:?}")).collect();
    for item in error_enums() {
        for variant in &item.variants {
            let name = variant.ident.to_string();
            let is_transparent = variant.fields.iter().any(|field| field.ident.is_none());
            let begins =
                |text: &String| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
            assert!(is_transparent || shown.iter().any(begins), "{}::{name}", item.ident);
        }
    }
}

/// The reasons of refused descriptions are longer than most: they state fields and bounds.
#[test]
fn plans_that_are_refused_say_so_briefly() {
    for (depth, modulus) in [(30, 65_537), (3, 65_539), (1, (1 << 60) + 33)] {
        let level = fathom::SecurityLevel::Bits128;
        let Err(error) = bgv::Params::for_depth(depth, modulus, Encryption::PublicKey, level)
        else {
            continue;
        };
        let text = error.to_string();
        assert!(text.len() <= LONGEST, "{} characters: {text}", text.len());
    }
    let mut spec = Preset::E1.spec();
    spec.chain_bits.push(30.0);
    let text = bgv::Params::new(spec).unwrap_err().to_string();
    assert!(text.len() <= LONGEST, "{} characters: {text}", text.len());
}
