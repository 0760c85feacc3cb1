//! Keys of bootstrappings as values of `serde`, behind the feature of that name.

use crate::ckks;
use fathom_base::wire::WireObject;
use fathom_base::written;

written! {
    [] ckks::BootstrappingKeys;
    [] ckks::explicit::BootstrappingKeys;
}
