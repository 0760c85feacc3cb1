//! Objects of ring schemes as values of `serde`, behind the feature of that name.

use crate::bfv::MsbCiphertext;
use crate::ckks::{self, Ckks};
use crate::rlwe::modular::{Modular, Plaintext};
use crate::rlwe::{
    Ciphertext, EvaluationKeys, GaloisKeys, LinearMap, MetaCodec, Params, PublicKey,
    RelinearizationKey, Slotted,
};
use crate::wide::{self, Element, Vector, VectorParams};
use crate::wire::WireObject;
use fathom_base::{parameters, written};

parameters! {
    [S: Modular] Params<S>;
    [M: ckks::Mode] Params<Ckks<M>>;
    [] wide::Params;
    [] VectorParams;
}

written! {
    [S: MetaCodec] Ciphertext<S>;
    [S: MetaCodec] EvaluationKeys<S>;
    [S: MetaCodec] GaloisKeys<S>;
    [S: MetaCodec] PublicKey<S>;
    [S: MetaCodec] RelinearizationKey<S>;
    [S: Slotted + MetaCodec] LinearMap<S>;
    [S: Modular] Plaintext<S>;
    [] MsbCiphertext;
    [T: Element] Vector<T>;
}
