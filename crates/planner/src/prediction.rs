//! Predicts the cost of a task: its operations multiplied by the unit costs of the machine.

use crate::work::{BootstrapWork, RingWork};
use serde::{Deserialize, Serialize};

use crate::measure_bootstraps::MEMORY_PER_KEY_BYTE;
use crate::ring_costs::{BootstrappingCosts, RingCosts};
use crate::tfhe_costs::TfheCosts;

/// The predicted costs of a task by one implementation. Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Name of the parameters.
    pub parameters: String,
    /// Security in bits.
    pub security_bits: f64,
    /// Base-2 logarithm of the probability that the result of the whole task is wrong; null if it
    /// cannot be wrong, because bounds on the noise are carried and checked.
    pub failure_log2: Option<f64>,
    /// Number of bootstraps, and of their sequential layers; null for schemes without them.
    pub bootstraps: Option<(u64, u64)>,
    /// Number of repetitions of the part that was simulated; 1 if the whole circuit was.
    pub repeats: u64,
    /// Generation of the keys by the client.
    pub keygen_ns: f64,
    /// Expansion of the keys by the server.
    pub keys_ns: f64,
    /// Encryption by the client.
    pub encrypt_ns: f64,
    /// Reading of the ciphertexts by the server.
    pub load_ns: f64,
    /// The computation.
    pub compute_ns: f64,
    /// Writing of the answer by the server.
    pub answer_ns: f64,
    /// Decryption by the client.
    pub decrypt_ns: f64,
    /// Bytes of the evaluation keys, which are sent once.
    pub key_bytes: u64,
    /// Bytes of the encrypted inputs.
    pub upload_bytes: u64,
    /// Bytes of the encrypted result.
    pub download_bytes: u64,
    /// Peak memory of the server.
    pub server_peak_bytes: u64,
    /// Time that the circuit's operations take now, relative to their unit costs. All times of the
    /// prediction have this factor.
    pub slowdown: f64,
}

impl Prediction {
    /// Returns the time from the clear inputs to the clear result, in nanoseconds. Keys are not
    /// part of it, since they are made once for all requests.
    pub fn request_ns(&self) -> f64 {
        self.encrypt_ns + self.load_ns + self.compute_ns + self.answer_ns + self.decrypt_ns
    }

    /// Returns the prediction for a machine that takes `slowdown` times as long as it did when its
    /// unit costs were measured.
    #[must_use]
    pub fn slowed(self, slowdown: f64) -> Self {
        Self {
            keygen_ns: slowdown * self.keygen_ns,
            keys_ns: slowdown * self.keys_ns,
            encrypt_ns: slowdown * self.encrypt_ns,
            load_ns: slowdown * self.load_ns,
            compute_ns: slowdown * self.compute_ns,
            answer_ns: slowdown * self.answer_ns,
            decrypt_ns: slowdown * self.decrypt_ns,
            slowdown: slowdown * self.slowdown,
            ..self
        }
    }

    /// Returns the time before the first request, in nanoseconds.
    pub fn setup_ns(&self) -> f64 {
        self.keygen_ns + self.keys_ns
    }

    /// Returns the bytes that the client sends until the first result.
    pub fn sent_bytes(&self) -> u64 {
        self.key_bytes + self.upload_bytes
    }
}

/// Predicts a program on TFHE. `security_bits` and `failure_log2`, that of one bootstrap, are those
/// of its parameters.
pub fn predict_tfhe(
    work: &BootstrapWork,
    repeats: u64,
    costs: &TfheCosts,
    security_bits: f64,
    failure_log2: Option<f64>,
) -> Prediction {
    let (bootstraps, layers) = work.bootstraps();
    let (inputs, results) = (work.encrypted_blocks, work.result_blocks);
    let layer_times = work.layers.iter();
    let layer_times = layer_times.map(|(&size, &count)| count as f64 * costs.layers.time_ns(size));
    let upload_bytes = costs.upload_bytes + inputs * costs.upload_block_bytes;
    let download_bytes =
        work.result_values * costs.result_value_bytes + results * costs.result_block_bytes;
    // The widest layer holds its inputs and its outputs beside those of the circuit.
    let widest = work.layers.keys().next_back().copied().unwrap_or(0);
    let reading = costs.key_bytes + costs.decoded_key_bytes;
    let running = upload_bytes + (inputs + results + 2 * widest) * costs.block_bytes;
    let server_peak_bytes = costs.process_bytes + costs.expanded_key_bytes + reading.max(running);
    Prediction {
        parameters: costs.params.clone(),
        security_bits,
        failure_log2: failure_log2.map(|one| one + (bootstraps.max(1) as f64).log2()),
        bootstraps: Some((bootstraps, layers)),
        repeats,
        keygen_ns: costs.keygen_ns,
        keys_ns: costs.keys_ns,
        encrypt_ns: inputs as f64 * costs.encrypt_ns,
        load_ns: inputs as f64 * costs.load_ns,
        compute_ns: layer_times.sum(),
        answer_ns: results as f64 * costs.answer_ns,
        decrypt_ns: results as f64 * costs.decrypt_ns,
        key_bytes: costs.key_bytes,
        upload_bytes,
        download_bytes,
        server_peak_bytes,
        slowdown: 1.0,
    }
}

/// Predicts a program on BFV or CKKS; `None` if an operation was not measured. `work` was simulated
/// for the threads of the server; `parameters` and `security_bits` are those of its parameters.
pub fn predict_ring(
    work: &RingWork,
    costs: &RingCosts,
    parameters: String,
    security_bits: f64,
) -> Option<Prediction> {
    let time = |(&(operation, level), &count): (&(_, usize), &f64)| {
        Some(count * costs.time_ns(operation, level)?)
    };
    let operations_ns = work.spans.iter().map(time).sum::<Option<f64>>()?;
    let compute_ns = operations_ns + work.joins as f64 * costs.join_ns;
    // Keys are sent as seeds and half of their words.
    let key_memory = 2 * work.key_bytes;
    let ciphertexts = (work.encrypted + 2 * work.results) * costs.ciphertext_bytes;
    let peak = key_memory + work.key_bytes.max(work.upload_bytes + ciphertexts);
    let bootstraps = work.bootstraps();
    let own = match costs.bootstrapping {
        _ if bootstraps == 0 => BootstrappingCosts::default(),
        known => known?,
    };
    let own_memory = MEMORY_PER_KEY_BYTE * work.bootstrapping_key_bytes;
    let (keys, inputs, outputs) = (work.keys as f64, work.encrypted as f64, work.results as f64);
    Some(Prediction {
        parameters,
        security_bits,
        failure_log2: None,
        bootstraps: (bootstraps > 0).then_some((bootstraps, bootstraps)),
        repeats: 1,
        keygen_ns: keys * costs.keygen_ns + own.keygen_ns,
        keys_ns: keys * costs.keys_ns + own.keys_ns,
        encrypt_ns: inputs * costs.encrypt_ns,
        load_ns: inputs * costs.load_ns,
        compute_ns,
        answer_ns: outputs * costs.answer_ns,
        decrypt_ns: outputs * costs.decrypt_ns,
        key_bytes: work.key_bytes + work.bootstrapping_key_bytes,
        upload_bytes: work.upload_bytes,
        download_bytes: work.download_bytes,
        server_peak_bytes: costs.process_bytes + peak + own_memory,
        slowdown: 1.0,
    })
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the numbers are exact in binary")]
mod tests {
    use super::*;
    use crate::samples::{costs, work};

    #[test]
    fn times_and_sizes_are_sums_over_layers_and_blocks() {
        let work = work(&[(1, 3), (5, 2), (16, 1)], [12, 4, 2]);
        let got = predict_tfhe(&work, 1, &costs(1), 134.6, Some(-128.0));
        assert_eq!(got.compute_ns, 3.0 * 1000.0 + 2.0 * 3000.0 + 9000.0);
        assert_eq!(got.bootstraps, Some((29, 6)));
        assert_eq!([got.encrypt_ns, got.load_ns], [120.0, 240.0]);
        assert_eq!([got.answer_ns, got.decrypt_ns], [120.0, 160.0]);
        assert_eq!(got.request_ns(), 18_000.0 + 640.0);
        assert_eq!(got.setup_ns(), 3e6);
        assert_eq!([got.upload_bytes, got.download_bytes], [148, 4120]);
        assert_eq!(got.sent_bytes(), 1_000_148);
        // Reading the keys takes more than the few ciphertexts.
        assert_eq!(got.server_peak_bytes, 10_000 + 5_000_000 + 3_000_000);
        let failure = got.failure_log2.unwrap();
        assert!((failure - (-128.0 + 29f64.log2())).abs() < 1e-9, "{failure}");
    }

    #[test]
    fn a_slower_machine_takes_longer_for_everything_and_sends_the_same() {
        let work = work(&[(1, 3)], [12, 4, 2]);
        let one = predict_tfhe(&work, 1, &costs(1), 134.6, None);
        let slow = one.clone().slowed(1.5).slowed(2.0);
        assert_eq!(slow.request_ns(), 3.0 * one.request_ns());
        assert_eq!(slow.setup_ns(), 3.0 * one.setup_ns());
        assert_eq!((slow.slowdown, slow.sent_bytes()), (3.0, one.sent_bytes()));
    }

    #[test]
    fn ciphertexts_of_large_tasks_outweigh_the_reading_of_keys() {
        let work = work(&[(1000, 1)], [3000, 2000, 500]);
        let got = predict_tfhe(&work, 7, &costs(2), 134.6, None);
        let ciphertexts = (3000 + 2000 + 2 * 1000) * 1100;
        assert_eq!(got.server_peak_bytes, 10_000 + 5_000_000 + got.upload_bytes + ciphertexts);
        assert_eq!((got.repeats, got.failure_log2), (7, None));
        assert_eq!(got.compute_ns, 4500.0 / 8.0 * 1000.0);
    }

    #[test]
    fn ring_schemes_are_sums_over_operations_by_level() {
        use crate::work::{RingOperation, RingParams};
        let preset = fathom::bfv::Params::preset(fathom::prelude::Preset::E1).unwrap();
        let times = [
            (RingOperation::Mul, 2, 500.0),
            (RingOperation::Rotate, 1, 300.0),
            (RingOperation::Rotate, 2, 400.0),
        ];
        let key =
            |&(operation, level, time): &(_, usize, f64)| (RingCosts::key(operation, level), time);
        let costs = RingCosts {
            params: "bfv".into(),
            threads: 1,
            measured: String::new(),
            operations: times.iter().map(key).collect(),
            join_ns: 2.0,
            keygen_ns: 7.0,
            keys_ns: 5.0,
            encrypt_ns: 10.0,
            load_ns: 20.0,
            answer_ns: 30.0,
            decrypt_ns: 40.0,
            ciphertext_bytes: 1000,
            process_bytes: 50,
            bootstrapping: None,
        };
        let counts = [((RingOperation::Mul, 2), 3), ((RingOperation::Rotate, 1), 10)];
        let mut work = RingWork {
            params: RingParams::Bfv(preset),
            counts: counts.into_iter().collect(),
            spans: counts.into_iter().map(|(key, count)| (key, count as f64)).collect(),
            joins: 0,
            transforms: 0,
            encrypted: 4,
            results: 3,
            keys: 2,
            key_bytes: 600,
            bootstrapping_key_bytes: 0,
            upload_bytes: 80,
            download_bytes: 70,
        };
        let one = predict_ring(&work, &costs, "p".into(), 130.0).unwrap();
        assert_eq!(one.compute_ns, 3.0 * 500.0 + 10.0 * 300.0);
        assert_eq!([one.setup_ns(), one.encrypt_ns, one.decrypt_ns], [24.0, 40.0, 120.0]);
        assert_eq!(one.server_peak_bytes, 50 + 1200 + 80 + 10_000);
        // Half of the products run beside the others.
        work.joins = 1;
        work.spans.insert((RingOperation::Mul, 2), 1.5);
        let two = predict_ring(&work, &costs, "p".into(), 130.0).unwrap();
        assert_eq!(two.compute_ns, 1.5 * 500.0 + 10.0 * 300.0 + 2.0);
        // A bootstrapping, once it and its keys were measured.
        let bootstrap = (RingOperation::Bootstrap { depth: 8 }, 1);
        work.counts.insert(bootstrap, 2);
        work.spans.insert(bootstrap, 2.0);
        work.bootstrapping_key_bytes = 1000;
        assert_eq!(predict_ring(&work, &costs, "p".into(), 130.0), None);
        let mut known = costs.clone();
        known.operations.insert(RingCosts::key(bootstrap.0, bootstrap.1), 9000.0);
        assert_eq!(predict_ring(&work, &known, "p".into(), 130.0), None);
        known.bootstrapping = Some(BootstrappingCosts { keygen_ns: 70.0, keys_ns: 30.0 });
        let three = predict_ring(&work, &known, "p".into(), 130.0).unwrap();
        assert_eq!(three.compute_ns, two.compute_ns + 18_000.0);
        assert_eq!(three.setup_ns(), two.setup_ns() + 100.0);
        assert_eq!(three.server_peak_bytes, two.server_peak_bytes + 8000);
        assert_eq!((three.key_bytes, three.bootstraps), (1600, Some((2, 2))));
        work.spans.insert((RingOperation::Tensor, 2), 1.0);
        assert_eq!(predict_ring(&work, &costs, "p".into(), 130.0), None);
    }
}
