//! The process of a role: answers requests on stdin until `bye`.

use std::io::{BufRead, Write};
use std::time::Instant;

use fathom_workloads::{Client, Error, Implementation, Inputs, Server, Task, Workload};

use super::message::{self, Fields, Offered, Reply, Request, Role, Step, Verdict};
use crate::memory::shortage_of_both;
use crate::process_usage::process_cpu;
use crate::protocol::{Code, LibraryInfo, Refusal};

/// The error of a step before `open`.
const OPEN_FIRST: Error = Error::Order("open a task");

/// A library with whole programs.
pub trait Offer {
    /// Returns name, version and build.
    fn info(&self) -> LibraryInfo;

    /// Returns the implementations of a workload, in a fixed order; none if it has no such program.
    fn implementations(&self, workload: &str) -> Vec<Box<dyn Implementation>>;
}

/// The state of a process.
#[derive(Default)]
struct State {
    task: Option<Task>,
    implementation: Option<Box<dyn Implementation>>,
    client: Option<Box<dyn Client>>,
    server: Option<Box<dyn Server>>,
    inputs: Option<Inputs>,
}

/// The results of a step: its fields and its payload.
type Done = (Fields, Vec<u8>);

/// Serves a role until `bye` or the end of the input. A refused request changes nothing.
///
/// # Errors
/// Those of the streams, and of messages that cannot be told apart from what follows them.
pub fn serve(
    offer: &dyn Offer,
    role: Role,
    mut input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    let mut state = State::default();
    while let Some((request, payload)) =
        message::read(&mut input, |request: &Request| request.payload_bytes)?
    {
        if matches!(request.step, Step::Bye) {
            return message::write(&mut output, &Reply { id: request.id, ..Reply::default() }, &[]);
        }
        let (cpu, start) = (process_cpu(), Instant::now());
        let done = state.step(offer, role, request.step, &payload);
        let wall_ns = start.elapsed().as_nanos() as u64;
        let cpu_ns =
            process_cpu().zip(cpu).map(|(end, start)| end.saturating_sub(start).as_nanos() as u64);
        let (error, (fields, payload)) = match done {
            Ok(done) => (None, done),
            Err(error) => (Some(refusal(&error)), (Fields::default(), Vec::new())),
        };
        let payload_bytes = payload.len() as u64;
        let reply = Reply { id: request.id, error, wall_ns, cpu_ns, fields, payload_bytes };
        message::write(&mut output, &reply, &payload)?;
    }
    Ok(())
}

impl State {
    fn step(
        &mut self,
        offer: &dyn Offer,
        role: Role,
        step: Step,
        payload: &[u8],
    ) -> Result<Done, Error> {
        match (role, step) {
            (_, Step::Hello) => {
                let (library, programs) = (Some(offer.info()), offered(offer));
                Ok((Fields { library, programs, ..Fields::default() }, Vec::new()))
            }
            (_, Step::Open { task, implementation, threads }) => {
                let fields = self.open(offer, role, &task, implementation, threads)?;
                self.task = Some(task);
                Ok((fields, Vec::new()))
            }
            (Role::Client, Step::Keys) => self.keys().map(sent),
            (Role::Client, Step::Encrypt) => self.client()?.encrypt(&from_json(payload)?).map(sent),
            (Role::Client, Step::Decrypt) => to_json(&self.client()?.decrypt(payload)?).map(sent),
            (Role::Server, Step::AcceptKeys) => self.server()?.accept_keys(payload).map(nothing),
            (Role::Server, Step::Load { public }) => {
                self.server()?.load(&public, payload).map(nothing)
            }
            (Role::Server, Step::Compute) => {
                let server = self.server()?;
                server.compute()?;
                let bootstraps = server.bootstraps();
                Ok((Fields { bootstraps, ..Fields::default() }, Vec::new()))
            }
            (Role::Server, Step::Answer) => self.server()?.answer().map(sent),
            (Role::Verifier, Step::Inputs { seed }) => self.inputs(seed).map(sent),
            (Role::Verifier, Step::Check) => self.check(payload),
            (
                _,
                Step::Keys
                | Step::Encrypt
                | Step::Decrypt
                | Step::AcceptKeys
                | Step::Load { .. }
                | Step::Compute
                | Step::Answer
                | Step::Inputs { .. }
                | Step::Check
                | Step::Bye,
            ) => Err(Error::Message("the step belongs to another role".into())),
        }
    }

    fn open(
        &mut self,
        offer: &dyn Offer,
        role: Role,
        task: &Task,
        index: usize,
        threads: usize,
    ) -> Result<Fields, Error> {
        if role == Role::Verifier {
            workload(task)?;
            return Ok(Fields::default());
        }
        let implementation = offer.implementations(&task.workload).into_iter().nth(index);
        let missing = || Error::Message(format!("{} has no implementation {index}", task.workload));
        let implementation = implementation.ok_or_else(missing)?;
        if !(1..=fathom::MAX_THREADS).contains(&threads) {
            let most = fathom::MAX_THREADS;
            let text = format!("a server has 1 to {most} threads, and {threads} were asked for");
            return Err(Error::Message(text));
        }
        implementation.supports(task)?;
        if let Some(shortage) = shortage_of_both(implementation.bootstrapping_key_bytes(task)?) {
            let (scheme, reason) = (implementation.scheme(), format!("bootstrapping {shortage}"));
            return Err(Error::Unsupported { scheme, reason });
        }
        let parameters = implementation.parameters(task)?;
        if role == Role::Server {
            self.server = Some(implementation.server(task, threads)?);
        }
        self.client = None;
        self.implementation = Some(implementation);
        Ok(Fields {
            parameters: Some(parameters.name),
            security_bits: Some(parameters.security_bits),
            failure_log2: parameters.failure_log2,
            ..Fields::default()
        })
    }

    fn keys(&mut self) -> Result<Vec<u8>, Error> {
        let (implementation, task) = self.opened()?;
        let mut client = implementation.client(task)?;
        let keys = client.keys()?;
        self.client = Some(client);
        Ok(keys)
    }

    fn client(&mut self) -> Result<&mut Box<dyn Client>, Error> {
        self.client.as_mut().ok_or(Error::Order("generate the keys"))
    }

    fn server(&mut self) -> Result<&mut Box<dyn Server>, Error> {
        self.server.as_mut().ok_or(OPEN_FIRST)
    }

    fn inputs(&mut self, seed: u64) -> Result<Vec<u8>, Error> {
        let task = self.task.as_ref().ok_or(OPEN_FIRST)?;
        let inputs = workload(task)?.inputs(task, seed)?;
        let json = to_json(&inputs)?;
        self.inputs = Some(inputs);
        Ok(json)
    }

    fn check(&self, payload: &[u8]) -> Result<Done, Error> {
        let task = self.task.as_ref().ok_or(OPEN_FIRST)?;
        let inputs = self.inputs.as_ref().ok_or(Error::Order("ask for the inputs"))?;
        let outputs: fathom_workloads::Data = from_json(payload)?;
        let checked = outputs.columns().map(|(_, column)| column.len() as u64).sum();
        let verdict = workload(task)?.verify(task, inputs, &outputs);
        let wrong = verdict.err().map(|error| error.to_string());
        let verdict = Some(Verdict { checked, wrong });
        Ok((Fields { verdict, ..Fields::default() }, Vec::new()))
    }

    fn opened(&self) -> Result<(&dyn Implementation, &Task), Error> {
        let opened = self.implementation.as_deref().zip(self.task.as_ref());
        opened.ok_or(OPEN_FIRST)
    }
}

/// Returns the programs of a library, in the order by which `open` refers to them.
pub fn offered(offer: &dyn Offer) -> Vec<Offered> {
    let mut programs = Vec::new();
    for workload in fathom_workloads::all() {
        let name = &workload.spec().name;
        for (index, implementation) in offer.implementations(name).iter().enumerate() {
            programs.push(Offered {
                workload: name.clone(),
                implementation: index,
                scheme: implementation.scheme().into(),
                method: implementation.method().into(),
            });
        }
    }
    programs
}

fn workload(task: &Task) -> Result<&'static dyn Workload, Error> {
    let unknown = || Error::Message(format!("there is no workload {:?}", task.workload));
    fathom_workloads::find(&task.workload).ok_or_else(unknown)
}

/// Returns a reply that is a payload alone.
fn sent(payload: Vec<u8>) -> Done {
    (Fields::default(), payload)
}

/// Returns an empty reply.
fn nothing((): ()) -> Done {
    sent(Vec::new())
}

fn from_json<T: serde::de::DeserializeOwned>(payload: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(payload).map_err(|error| Error::Message(error.to_string()))
}

fn to_json(value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|error| Error::Message(error.to_string()))
}

fn refusal(error: &Error) -> Refusal {
    let code = match error {
        Error::Library(error) => return crate::refusal::refusal(error.clone()),
        Error::Unsupported { .. } | Error::Unknown { .. } => Code::Unsupported,
        Error::Threads(_) => Code::Internal,
        Error::Column { .. } | Error::Message(_) | Error::Order(_) | Error::Wrong { .. } | _ => {
            Code::BadRequest
        }
    };
    Refusal::new(code, error.to_string())
}
