//! `fathom doctor`: reports the properties of this machine that affect measurements.

use std::time::Duration;

use clap::Args;
use fathom_cases::machine::{Machine, Warning};

use super::outcome::{Exit, Failure, Outcome};
use super::shared::DriverArgs;
use crate::measure::self_comparison;
use crate::plan::suite::{Selection, Suite};

/// Number of comparisons of a case with itself.
const COMPARISONS: usize = 20;

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Measure one case against itself and print the smallest significant difference
    #[arg(long)]
    aa: bool,
    #[command(flatten)]
    driver: DriverArgs,
}

pub(super) fn run(args: &DoctorArgs) -> Outcome {
    let machine = Machine::here();
    facts(&machine);
    for Warning { code, text, fix } in machine.warnings() {
        println!("{code:<12} {text}\n{:<12} fix: {fix}", "");
    }
    if args.aa {
        let (floor, alarms) = measure(&args.driver)?;
        println!("differences under {:.1} % are noise on this machine now", floor * 100.0);
        let quiet = COMPARISONS - alarms;
        println!("compared with itself: no difference in {quiet} of {COMPARISONS} comparisons");
        if alarms > COMPARISONS / 20 {
            return Ok(Exit::Check);
        }
    }
    Ok(Exit::Ok)
}

fn facts(machine: &Machine) {
    let bytes = |size: Option<u64>| size.map_or("-".into(), |size| format!("{} KiB", size >> 10));
    let or_none = |fact: Option<String>| fact.unwrap_or_else(|| "not known".into());
    let rows = [
        ("processor", machine.cpu.clone()),
        ("processors", format!("{} usable", machine.cores)),
        ("extensions", machine.isa.join(" ")),
        ("caches", {
            let caches = machine.caches;
            format!("L1d {}, L2 {}, L3 {}", bytes(caches.l1d), bytes(caches.l2), bytes(caches.l3))
        }),
        ("memory", bytes(machine.ram_bytes)),
        ("system", format!("{}, kernel {}", machine.os, machine.kernel)),
        ("hypervisor", machine.hypervisor.clone().unwrap_or_else(|| "none seen".into())),
        ("governor", or_none(machine.governor.clone())),
        ("turbo", or_none(machine.turbo.map(|on| if on { "on" } else { "off" }.into()))),
        ("huge pages", or_none(machine.thp.clone())),
        ("ASLR", or_none(machine.aslr.map(|level| level.to_string()))),
        (
            "CPU pressure",
            or_none(
                machine
                    .psi_cpu_some_avg60
                    .map(|p| format!("tasks waited {p} % of the last minute")),
            ),
        ),
        ("steal", or_none(machine.steal_pct.map(|p| format!("{p} % since boot")))),
        ("cpu.max", machine.cgroup_cpu_max.map_or("no limit".into(), |max| format!("{max:.2}"))),
        ("energy", if machine.rapl { "RAPL" } else { "counters cannot be read" }.into()),
        ("timer", format!("{} ns", machine.timer_resolution_ns)),
    ];
    for (name, value) in rows {
        println!("{name:<12} {value}");
    }
}

/// Returns the noise floor, and the number of the [`COMPARISONS`] that found a difference.
fn measure(driver: &DriverArgs) -> Result<(f64, usize), Failure> {
    let launch = driver.launch()?;
    let selection = Selection { ops: vec!["mul".into()], ..Selection::default() };
    let suite = Suite::built_in("quick").map_err(Failure::usage)?;
    let case = suite.cases("fathom", &selection).into_iter().next();
    let case = case.ok_or_else(|| Failure::nothing("suite quick has no product"))?;
    let floor = self_comparison::noise_floor(&launch, &case, 8, Duration::from_secs(16))
        .map_err(Failure::nothing)?;
    let budget = Duration::from_secs(40);
    let alarms = self_comparison::false_alarms(&launch, &case, COMPARISONS, budget, floor)
        .map_err(Failure::nothing)?;
    Ok((floor, alarms))
}
