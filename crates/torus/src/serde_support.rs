//! Objects of TFHE as values of `serde`, behind the feature of that name.

use crate::tfhe::{
    CompactList, CompressedList, Params, PublicKey, SeededEvaluationKeys, SeededList,
    SeededPackingKeys,
};
use crate::wire::WireObject;
use fathom_base::{parameters, written};

parameters! {
    [] Params;
}

written! {
    [] PublicKey;
    [] SeededEvaluationKeys;
    [] SeededPackingKeys;
    [] CompactList;
    [] CompressedList;
    [] SeededList;
}
