//! Whole programs in three processes: what the server is sent, and what the verifier finds.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failure here fails the test")]

use std::sync::atomic::AtomicBool;

use fathom::wire::{Kind, summary};
use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::roles::{Connection, Step};
use fathom_workloads::{Column, Data, Inputs, Task, Workload, all};

static RUNNING: AtomicBool = AtomicBool::new(false);

/// The processes of one task.
struct Roles {
    verifier: Connection,
    client: Connection,
    server: Connection,
}

impl Roles {
    fn new(task: &Task, implementation: usize) -> Self {
        let launch = Launch::engine(env!("CARGO_BIN_EXE_fathom"));
        let open = Step::Open { task: task.clone(), implementation, threads: 2 };
        let start = |role: &str| {
            let mut role = Connection::spawn(&launch, role).unwrap();
            role.record();
            role.call(open.clone(), &[], &RUNNING).unwrap();
            role
        };
        let [verifier, client, server] = ["verifier", "client", "server"].map(start);
        Self { verifier, client, server }
    }

    /// Computes the inputs of a seed and returns the outputs as JSON.
    fn outputs(&mut self, seed: u64) -> Vec<u8> {
        let inputs = self.verifier.call(Step::Inputs { seed }, &[], &RUNNING).unwrap().payload;
        let Inputs { public, secret } = serde_json::from_slice(&inputs).unwrap();
        let keys = self.client.call(Step::Keys, &[], &RUNNING).unwrap().payload;
        self.server.call(Step::AcceptKeys, &keys, &RUNNING).unwrap();
        let secret = serde_json::to_vec(&secret).unwrap();
        let upload = self.client.call(Step::Encrypt, &secret, &RUNNING).unwrap().payload;
        self.server.call(Step::Load { public }, &upload, &RUNNING).unwrap();
        self.server.call(Step::Compute, &[], &RUNNING).unwrap();
        let answer = self.server.call(Step::Answer, &[], &RUNNING).unwrap().payload;
        self.client.call(Step::Decrypt, &answer, &RUNNING).unwrap().payload
    }

    fn wrong(&mut self, outputs: &[u8]) -> Option<String> {
        let checked = self.verifier.call(Step::Check, outputs, &RUNNING).unwrap();
        checked.reply.fields.verdict.unwrap().wrong
    }
}

/// Returns the kinds of all frames of the library in a transcript.
fn kinds(transcript: &[u8]) -> Vec<Kind> {
    let starts = transcript.windows(6).enumerate().filter(|(_, bytes)| bytes == b"FATHOM");
    starts.filter_map(|(at, _)| Some(summary(&transcript[at..]).ok()?.kind)).collect()
}

/// Returns the smallest task of a program in its first variant that it supports; none for programs
/// with bootstrapping keys, which take minutes and more than ten gigabytes.
fn smallest(workload: &dyn Workload, implementation: usize) -> Option<Task> {
    let program = &workload.implementations()[implementation];
    let task =
        Task::all(workload.spec()).into_iter().find(|task| program.supports(task).is_ok())?;
    let bootstraps = program.bootstrapping_key_bytes(&task).unwrap() > 0;
    (!bootstraps || std::env::var_os("FATHOM_TEST_LARGE").is_some()).then_some(task)
}

#[test]
fn the_server_is_never_sent_a_secret_key() {
    for workload in all() {
        for implementation in 0..workload.implementations().len() {
            let Some(task) = smallest(*workload, implementation) else { continue };
            let mut roles = Roles::new(&task, implementation);
            let outputs = roles.outputs(1);
            assert_eq!(roles.wrong(&outputs), None, "{}", task.id());
            let found = kinds(roles.server.transcript());
            assert!(!found.is_empty(), "{}: keys and ciphertexts are frames", task.id());
            assert!(!found.contains(&Kind::SecretKey), "{}: {found:?}", task.id());
        }
    }
}

#[test]
fn a_secret_key_in_a_transcript_would_be_found() {
    let mut rng = fathom::SecretRng::from_os().unwrap();
    let params = fathom::tfhe::Params::preset(fathom::tfhe::Params::INTEGERS).unwrap();
    let torus = fathom::tfhe::ClientKey::generate(&params, &mut rng).to_secret_bytes();
    let params = fathom::bfv::Params::preset(fathom::prelude::Preset::E1).unwrap();
    let ring = fathom::bfv::SecretKey::generate(&params, &mut rng).to_secret_bytes();
    for secret in [&torus[..], &ring[..]] {
        let transcript = [b"{\"step\":\"load\"}\n", secret].concat();
        assert!(kinds(&transcript).contains(&Kind::SecretKey));
    }
}

#[test]
fn a_changed_result_and_steps_out_of_order_are_refused() {
    let workload = all()[0];
    let task = smallest(workload, 0).unwrap();
    let mut roles = Roles::new(&task, 0);
    let refused = |role: &mut Connection, step: Step| {
        let fault = role.call(step, &[], &RUNNING).unwrap_err();
        assert!(matches!(fault, Fault::Refused(_)), "{fault}");
    };
    refused(&mut roles.server, Step::Compute);
    refused(&mut roles.server, Step::Answer);
    refused(&mut roles.server, Step::Keys);
    refused(&mut roles.server, Step::AcceptKeys);
    refused(&mut roles.client, Step::Encrypt);
    refused(&mut roles.client, Step::Compute);
    refused(&mut roles.verifier, Step::Check);
    let open = Step::Open { task: task.clone(), implementation: 99, threads: 1 };
    refused(&mut roles.client, open);
    for threads in [0, fathom::MAX_THREADS + 1] {
        let open = Step::Open { task: task.clone(), implementation: 0, threads };
        refused(&mut roles.server, open);
    }

    let outputs = roles.outputs(2);
    assert_eq!(roles.wrong(&outputs), None);
    let data: Data = serde_json::from_slice(&outputs).unwrap();
    let (name, column) = data.columns().next().unwrap();
    let Column::Integers(values) = column else { panic!("the first workload is exact") };
    let mut values = values.clone();
    values[0] ^= 1;
    let changed = data.clone().with_integers(name, values);
    let wrong = roles.wrong(&serde_json::to_vec(&changed).unwrap()).unwrap();
    assert!(wrong.contains(name), "{wrong}");
}
