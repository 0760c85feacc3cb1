//! Suite `h33`: the programs of document 001.
//!
//! Operations on one ciphertext are cases of `suites/h33.toml`. The programs are the inner products
//! in both layouts and for fewer users than fit, whole batches with their attestation, the same on
//! pinned threads, and the variants of the number-theoretic transform.

mod attestation;
mod batch;
mod matching;
mod ntt;

use fathom_cases::program::Program;
use fathom_workloads::Layout;

use crate::options::Options;

/// The inner products: parameter set, terms, users, and whether the template is encrypted.
/// Sets of the published tiers come first.
const PLACES: [(&str, usize, usize, bool); 15] = [
    ("h0", 128, 16, false),
    ("h0", 128, 16, true),
    ("h1", 128, 32, false),
    ("h33", 128, 32, false),
    ("h33", 128, 32, true),
    ("h2", 256, 32, false),
    ("h2", 256, 32, true),
    ("h-256", 512, 32, false),
    ("h-256", 512, 32, true),
    ("e1", 128, 32, false),
    ("e1d2", 128, 32, true),
    ("e2-192", 256, 32, false),
    ("e2-192", 256, 32, true),
    ("e5-192", 512, 32, false),
    ("e5-192", 512, 32, true),
];

/// Returns the programs of the suite.
pub fn programs(options: &Options) -> Vec<Program> {
    let mut programs = Vec::new();
    let mut places: Vec<_> = PLACES
        .into_iter()
        .filter(|place| options.tier.is_empty() || options.tier.iter().any(|set| set == place.0))
        .collect();
    if options.quick {
        places.retain(|place| place.1 == 128);
    }
    for (set, terms, most, encrypted) in places {
        let users: &[usize] = if most == 32 { &[16, 32] } else { &[16] };
        for &users in users {
            for layout in [Layout::Strided, Layout::Consecutive] {
                let place = matching::Place { set, terms, users, layout, encrypted };
                if !options.throughput {
                    programs.push(matching::program(place));
                }
                let fits = options.batch_size.is_none_or(|users| users <= most);
                if users == most && layout == Layout::Strided && fits {
                    let place =
                        matching::Place { users: options.batch_size.unwrap_or(users), ..place };
                    programs.extend(batch::programs(place, options));
                }
            }
        }
    }
    if !options.throughput {
        programs.extend(attestation::programs());
        programs.extend(ntt::programs());
    }
    programs
}
