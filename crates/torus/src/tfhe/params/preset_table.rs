//! The parameter sets for gates and small integers, one row each.

use crate::tfhe::{Decomposition, KeyFamily, Name, Spec};

/// Uniform key bits, one at a time.
const SINGLES: KeyFamily = KeyFamily::Uniform { group: 1 };

/// Uniform key bits, in pairs.
const PAIRS: KeyFamily = KeyFamily::Uniform { group: 2 };

/// Block-binary keys, the less studied assumption, in blocks of three bits.
const THREES: KeyFamily = KeyFamily::BlockBinary { length: 3 };

/// Block-binary keys in blocks of four bits.
const FOURS: KeyFamily = KeyFamily::BlockBinary { length: 4 };

/// Builds the sets from rows: name, message and carry bits, family; dimension of the small key at
/// the `log2` of its noise; rank, degree and, unless it is 1, extension of the GLWE key at the
/// `log2` of its noise; digits (bits, count) of mask, body and key switch, whose ring has the given
/// degree; the greatest input variance at the `log2` of the failure probability. Bits of security
/// stand in brackets; a test estimates them again.
macro_rules! table {
    ($($name:ident: ($message:literal, $carry:literal) $family:ident,
        $small:literal at $small_noise:literal [$small_bits:literal],
        $rank:literal x $degree:literal $(x $extension:literal)? at $noise:literal [$bits:literal],
        ($mask:literal, $masks:literal) ($body:literal, $bodies:literal)
        ($switch:literal, $switches:literal) of $switch_degree:literal,
        $noise_variance:literal at $failure:literal;)+) => {
        [$((
            Spec {
                name: Name::of(stringify!($name)),
                message_bits: $message,
                carry_bits: $carry,
                small_dimension: $small,
                small_deviation_log2: $small_noise,
                family: $family,
                degree: $degree,
                extension: [$($extension,)? 1][0],
                rank: $rank,
                glwe_deviation_log2: $noise,
                mask: Decomposition { base_log: $mask, levels: $masks },
                body: Decomposition { base_log: $body, levels: $bodies },
                key_switch: Decomposition { base_log: $switch, levels: $switches },
                key_switch_degree: $switch_degree,
                max_noise_variance: $noise_variance,
                failure_log2: $failure,
            },
            [$small_bits, $bits],
        )),+]
    };
}

/// All sets, with the security of the small key and of the GLWE key in bits.
///
/// Sets with a failure probability of `2^-64` or `2^-40` are for the IND-CPA model only
/// ([`crate::tfhe::Params::is_ind_cpa_only`]).
pub(in crate::tfhe) const SMALL_SETS: [(Spec, [f64; 2]); 27] = table! {
    u_bool_128: (1, 0) PAIRS, 672 at -14.0 [132.9], 3 x 512 at -35.75 [132.2],
        (17, 1) (17, 1) (2, 6) of 32, 6 at -128.0;
    u_bool_64: (1, 0) PAIRS, 656 at -13.6 [133.1], 3 x 512 at -35.75 [132.2],
        (17, 1) (17, 1) (2, 5) of 16, 6 at -64.0;
    u_bool_40: (1, 0) PAIRS, 624 at -12.85 [132.3], 3 x 512 at -35.75 [132.2],
        (17, 1) (17, 1) (2, 5) of 16, 6 at -40.0;
    u_1_1_128: (1, 1) PAIRS, 736 at -15.2 [135.2], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 6) of 32, 16 at -128.0;
    u_1_1_64: (1, 1) PAIRS, 704 at -14.4 [135.4], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (1, 12) of 64, 16 at -64.0;
    u_1_1_40: (1, 1) PAIRS, 688 at -14.05 [135.1], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 6) of 16, 16 at -40.0;
    u_2_2_64: (2, 2) PAIRS, 816 at -17.25 [134.7], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 7) of 16, 145 at -64.0;
    u_2_2_40: (2, 2) PAIRS, 784 at -16.4 [135.0], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 7) of 16, 145 at -40.0;
    u_3_3_128: (3, 3) PAIRS, 960 at -20.85 [134.3], 1 x 2048 x 4 at -47.8 [134.6],
        (15, 2) (20, 1) (2, 9) of 64, 100 at -128.0;
    u_3_3_64: (3, 3) PAIRS, 896 at -19.2 [134.8], 1 x 2048 x 4 at -47.8 [134.6],
        (15, 2) (20, 1) (2, 8) of 128, 100 at -64.0;
    u_3_3_40: (3, 3) SINGLES, 896 at -19.2 [134.8], 1 x 2048 x 4 at -47.8 [134.6],
        (23, 1) (20, 1) (2, 8) of 128, 100 at -40.0;
    u_4_4_128: (4, 4) PAIRS, 1040 at -22.85 [134.1], 1 x 2048 x 16 at -47.8 [134.6],
        (15, 2) (13, 2) (1, 21) of 16, 289 at -128.0;
    u_4_4_64: (4, 4) PAIRS, 960 at -20.85 [134.3], 1 x 2048 x 16 at -47.8 [134.6],
        (15, 2) (13, 2) (1, 19) of 64, 289 at -64.0;
    u_4_4_40: (4, 4) PAIRS, 960 at -20.85 [134.3], 1 x 2048 x 16 at -47.8 [134.6],
        (15, 2) (13, 2) (2, 9) of 64, 289 at -40.0;
    b_bool_128: (1, 0) THREES, 768 at -14.1 [128.3], 3 x 512 at -35.75 [132.2],
        (17, 1) (17, 1) (2, 6) of 256, 6 at -128.0;
    b_bool_40: (1, 0) THREES, 720 at -12.8 [128.7], 3 x 512 at -35.75 [132.2],
        (17, 1) (17, 1) (1, 12) of 16, 6 at -40.0;
    b_1_1_128: (1, 1) THREES, 816 at -15.4 [128.4], 2 x 1024 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 6) of 16, 16 at -128.0;
    b_1_1_40: (1, 1) THREES, 768 at -14.1 [128.3], 2 x 1024 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 6) of 256, 16 at -40.0;
    b_2_2_128: (2, 2) FOURS, 960 at -17.75 [128.7], 1 x 2048 at -47.8 [134.6],
        (23, 1) (20, 1) (2, 8) of 64, 200 at -128.0;
    b_2_2_64: (2, 2) FOURS, 928 at -16.9 [129.0], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (2, 7) of 32, 145 at -64.0;
    b_2_2_40: (2, 2) FOURS, 896 at -16.0 [129.3], 1 x 2048 at -47.8 [134.6],
        (23, 1) (23, 1) (1, 15) of 128, 145 at -40.0;
    b_3_3_128: (3, 3) THREES, 1008 at -20.4 [128.5], 1 x 2048 x 4 at -47.8 [134.6],
        (15, 2) (20, 1) (2, 9) of 16, 100 at -128.0;
    b_3_3_64: (3, 3) THREES, 960 at -19.15 [128.7], 1 x 2048 x 4 at -47.8 [134.6],
        (15, 2) (20, 1) (2, 8) of 64, 100 at -64.0;
    b_3_3_40: (3, 3) THREES, 1008 at -20.4 [128.5], 1 x 2048 x 2 at -47.8 [134.6],
        (15, 2) (20, 1) (2, 8) of 16, 100 at -40.0;
    b_4_4_128: (4, 4) THREES, 1104 at -22.85 [129.2], 1 x 2048 x 16 at -47.8 [134.6],
        (15, 2) (13, 2) (2, 10) of 16, 289 at -128.0;
    b_4_4_64: (4, 4) THREES, 1056 at -21.65 [128.9], 1 x 2048 x 16 at -47.8 [134.6],
        (15, 2) (13, 2) (2, 9) of 32, 289 at -64.0;
    b_4_4_40: (4, 4) THREES, 1056 at -21.65 [128.9], 1 x 2048 x 8 at -47.8 [134.6],
        (15, 2) (13, 2) (2, 10) of 32, 289 at -40.0;
};
