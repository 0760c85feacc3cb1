//! Assesses parameters as a library states them.

use super::security::{Security, round1, secret_distribution};
use super::torus_security;
use crate::drivers::protocol::ParamsInfo;

/// Assesses parameters as the library states them, for the largest modulus it publishes.
pub fn assess(params: &ParamsInfo) -> Option<Security> {
    if let Some(character) = &params.character {
        return Some(Security {
            classical: None,
            quantum: None,
            level: None,
            model: "none".into(),
            source: format!("assumption: {}", character.assumption),
            badge: character.badge.clone(),
        });
    }
    if let Some(torus) = &params.torus {
        return torus_security::of(torus, params.n);
    }
    let secret = secret_distribution(&params.secret)?;
    let found = fathom_security::assess(params.n, params.log_qp, secret, params.sigma);
    Some(Security {
        classical: Some(round1(found.classical_bits)),
        quantum: Some(round1(found.quantum_bits)),
        level: found.level.map(fathom_security::Level::bits),
        model: found.model.into(),
        source: found.source.into(),
        badge: found.badge.to_string(),
    })
}
