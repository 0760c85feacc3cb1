//! The libraries that have whole programs.

use std::sync::atomic::AtomicBool;

use fathom_drivers::process::{Fault, Launch};
use fathom_drivers::protocol::LibraryInfo;
use fathom_drivers::roles::{Connection, Offer, Offered, Step, offered};

/// A library that answered, with its programs.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The command that starts the library.
    pub launch: Launch,
    /// Name, version and build.
    pub library: LibraryInfo,
    /// The programs that the library offers.
    pub programs: Vec<Offered>,
}

impl Contestant {
    /// Returns a library of this process, to list its programs.
    pub fn local(offer: &dyn Offer, launch: Launch) -> Self {
        Self { launch, library: offer.info(), programs: offered(offer) }
    }
}

/// Starts a library as a server and asks for its programs.
///
/// # Errors
/// Any [`Fault`] of the process.
pub fn greet(launch: &Launch, stop: &AtomicBool) -> Result<Contestant, Fault> {
    let mut server = Connection::spawn(launch, "server")?;
    let fields = server.call(Step::Hello, &[], stop)?.reply.fields;
    let nameless = || Fault::Nonsense {
        why: "field `library` is missing".into(),
        text: "the reply to hello".into(),
    };
    let library = fields.library.ok_or_else(nameless)?;
    Ok(Contestant { launch: launch.clone(), library, programs: fields.programs })
}
