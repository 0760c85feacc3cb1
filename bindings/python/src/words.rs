//! Messages of the library in the words of the package: each call of Rust that a remedy names
//! becomes the call of Python that does the same.
//!
//! `tests/test_words.py` reads the messages in the sources of the library, and finds what is left
//! in them of Rust, and calls of Python that do not exist.

/// Phrases of remedies, and what they are in Python. Longer ones come before their parts.
const PHRASES: &[(&str, &str)] = &[
    (
        "state a larger one with encode_within",
        "state a larger one with encrypt(..., magnitude=...)",
    ),
    ("state more bits in encode_within", "state more bits with encrypt(..., bits=...)"),
    (
        "scale them down, or take larger ones in Spec::base_bits",
        "scale them down, or take the parameters of fathom.plan for the function",
    ),
    (
        "rescale the one of the larger scale, and bring the other one to its level with \
         mod_switch_to",
        "bring the other one to the lower level with Vector.at_level",
    ),
    ("rescale the operand of the larger scale first, and lower levels", "lower levels"),
    (", not with drop_to or rescale", ""),
    ("bring them to one with mod_switch_to", "bring them to one with Vector.at_level"),
    ("with mod_switch_to", "with Vector.at_level"),
    ("promise a tighter bound with assume_magnitude", "state a smaller magnitude at encryption"),
    ("promise tighter bounds with assume_magnitude", "state smaller magnitudes of the inputs"),
    ("promise a larger bound with assume_magnitude", "state a larger magnitude at encryption"),
    (" with mul_scalar", ""),
    ("rescale the input", "multiply the input by a smaller number"),
    (
        "encode numbers of type f64, or take the real part with twice_real_part",
        "encrypt real numbers",
    ),
    (
        "give them a number with encode_padded or encode_repeated",
        "encrypt as many values as the ciphertext has slots",
    ),
    ("request the rotation in SecretKey::evaluation_keys", "request it with SecretKey.make_server"),
    (
        "give the evaluator keys from SecretKey::evaluation_keys, which hold an encryption of zero",
        "take a server of SecretKey.make_server, whose keys hold an encryption of zero",
    ),
    ("SecretKey::evaluation_keys", "SecretKey.make_server"),
    (
        "make it for that level in SecretKey::keys_for, or switch the operand down first",
        "make it with SecretKey.make_server for the function, or take Vector.at_level first",
    ),
    (
        "take a prime from batching_primes, or encode coefficients",
        "take parameters of Params.for_integers",
    ),
    (
        "`Preset::ALL`, and for TFHE `Params::presets`, have all sets",
        "`Params.presets` lists those of vectors, and `tfhe.keygen` takes integers or gates",
    ),
    ("`std::thread::available_parallelism` counts them", "`os.cpu_count` counts them"),
    (
        "Params::from_bytes_assessing estimates the security of others, which takes seconds",
        "the package reads no others",
    ),
    ("; add them with `Evaluator::with_packing_keys`", ": the package packs no lists"),
    ("; use Lut::multi_value for any other number", ""),
    (", or use Lut::multi_value", ""),
    (
        "choose the form and the parameters for the circuit with wide::Circuit::choose",
        "plan the function with fathom.plan",
    ),
    (
        "choose parameters of greater degree, or mark an operand with Ciphertext::wrapping",
        "make the key with wide.keygen for more bits, products or terms, or take \
         wide.Value.wrapping",
    ),
    ("plan a circuit with larger input_bits", "make the key with wide.keygen for more bits"),
    ("plan the parameters for Encryption::PublicKey", "make the key with encryption=\"public\""),
    (
        "plan the parameters for a circuit of more products or sums",
        "make the key with wide.keygen for a greater depth or more terms",
    ),
    ("plan with Circuit::sum_slots", "make the key with wide.keygen and sums=True"),
    ("read it with from_bytes if", "read it with load(data, trust=\"computed\") if"),
    ("from_bytes_within sets another limit", "take smaller parameters"),
    (
        "compute the circuit with Evaluator::simulated and pass its result",
        "plan the function with fathom.plan",
    ),
    ("; make them with Params::bootstrappable", ": the package has none for that"),
    ("; give it some with with_bootstrapping", ": the package has none"),
    ("take Policy::Explicit, or keys", "take keys"),
    (
        "take some of Params::bootstrappable, and bootstrap on the way",
        "compute fewer products in a row, or decrypt on the way",
    ),
    (
        "plan with Params::for_circuit, which makes room for them in Spec::base_bits",
        "take the parameters of fathom.plan for the function",
    ),
    (", or Table::unrounded for results that are not rounded", ""),
    (
        "encode it with LinearMap::pack or encode_repeated",
        "encrypt it with SecretKey.encrypt, which repeats it",
    ),
    (
        "or take the sign of a difference that assume_magnitude promises",
        "or state smaller magnitudes at encryption",
    ),
    (
        "take a prime from batching_primes, encode coefficients, or compute modulo 2^k under tfhe \
         and without a modulus under wide",
        "take parameters of Params.for_integers, or compute modulo 2^k under fathom.tfhe and \
         without a modulus under fathom.wide",
    ),
    (
        "compute modulo 2 or 2^k under tfhe, without a modulus under wide, or take a prime of \
         batching_primes",
        "compute modulo 2 or 2^k under fathom.tfhe, without a modulus under fathom.wide, or take \
         parameters of Params.for_integers",
    ),
    ("Params::for_depth", "fathom.plan"),
    ("Params::for_precision", "fathom.plan"),
    ("Params::for_circuit", "fathom.plan"),
    (", or make it with Table::cleaned", ""),
    ("prepare the table with for_slots_up_to", "prepare the table for fewer slots"),
    ("; multiply with mul instead of tensor", ""),
    (
        "no server is installed on this thread; use the operator in `integers.scope(..)`",
        "no server is bound to the operands; read them with `tfhe.Server.load`",
    ),
    ("take an evaluator whose token is not cancelled", "start it again"),
    ("`TableKey::evaluation_keys`", "`columns.TableKey.evaluation_keys`"),
    ("`Server::with_evaluation_keys`", "`columns.Server` with keys="),
    ("..=", " to "),
];

/// Names of operations, fields and types, and what they are called in Python.
const WORDS: &[(&str, &str)] = &[
    ("tensor", "mul"),
    ("add_plain", "add"),
    ("add_scalar", "add"),
    ("sub_plain", "sub"),
    ("sub_scalar", "sub"),
    ("mul_plain", "mul"),
    ("mul_scalar", "mul"),
    ("sum_rotations", "sum"),
    ("sum_slots", "sum"),
    ("rotate_composed", "roll"),
    ("mod_switch_to", "at_level"),
    ("precision_bits", "precision"),
    ("input_bits", "bits"),
    ("FheBool", "bool"),
    ("Bit", "bool"),
    ("ShortInt", "small integer"),
];

/// Returns a message, a remedy or a name of the library in the words of the package.
pub fn in_python(text: &str) -> String {
    let phrased =
        PHRASES.iter().fold(text.to_owned(), |text, (rust, python)| text.replace(rust, python));
    let mut words = String::with_capacity(phrased.len());
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = phrased.as_str();
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push_str(&word_in_python(word));
        let end = after.find(is_part).unwrap_or(after.len());
        words.push_str(&after[..end]);
        rest = &after[end..];
    }
    words
}

fn word_in_python(word: &str) -> String {
    if let Some((_, python)) = WORDS.iter().find(|(rust, _)| *rust == word) {
        return (*python).to_owned();
    }
    match (word.strip_prefix("FheUint"), word.strip_prefix("FheInt")) {
        (Some(bits), _) => format!("u{bits}"),
        (_, Some(bits)) => format!("i{bits}"),
        _ => word.to_owned(),
    }
}
