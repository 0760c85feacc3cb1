//! Properties of this machine, and warnings about those that make measurements less reliable.

use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// Properties of the machine; unknown ones are null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Processor model.
    pub cpu: String,
    /// Number of processors that this process may use.
    pub cores: usize,
    /// Number of hardware threads per core.
    pub threads_per_core: Option<usize>,
    /// Vector and multiplication extensions of the processor.
    pub isa: Vec<String>,
    /// Cache sizes in bytes, of one core or shared, as the system states them.
    pub caches: Caches,
    /// Memory in bytes.
    pub ram_bytes: Option<u64>,
    /// Operating system.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// Hypervisor; null if none is detected.
    pub hypervisor: Option<String>,
    /// CPU frequency governor.
    pub governor: Option<String>,
    /// True if frequencies above nominal are allowed.
    pub turbo: Option<bool>,
    /// Transparent huge pages: `always`, `madvise` or `never`.
    pub thp: Option<String>,
    /// Address space randomisation, 0 to 2.
    pub aslr: Option<u32>,
    /// Percentage of the last minute in which some task waited for a processor.
    pub psi_cpu_some_avg60: Option<f64>,
    /// Percentage of processor time since boot that the hypervisor gave to other machines.
    pub steal_pct: Option<f64>,
    /// Processor limit of the control group, in processors; null for no limit.
    pub cgroup_cpu_max: Option<f64>,
    /// True if the energy counters can be read.
    pub rapl: bool,
    /// Smallest step of the monotonic clock, in nanoseconds.
    pub timer_resolution_ns: u64,
}

/// Cache sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caches {
    /// Level 1, data.
    pub l1d: Option<u64>,
    /// Level 2.
    pub l2: Option<u64>,
    /// Level 3.
    pub l3: Option<u64>,
}

/// A warning about the machine, with a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable code that `fathom explain` describes.
    pub code: String,
    /// The observation.
    pub text: String,
    /// The remedy.
    pub fix: String,
}

/// Processor extensions relevant here, by the kernel's names.
const ISA: [&str; 11] = [
    "avx2",
    "fma",
    "bmi2",
    "avx512f",
    "avx512dq",
    "avx512vl",
    "avx512ifma",
    "avx512vbmi",
    "vpclmulqdq",
    "vaes",
    "asimd",
];

impl Machine {
    /// Reads the properties of this machine.
    pub fn here() -> Self {
        let cpuinfo = read("/proc/cpuinfo").unwrap_or_default();
        let flags = field(&cpuinfo, "flags").or_else(|| field(&cpuinfo, "Features"));
        let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
        Self {
            cpu: field(&cpuinfo, "model name").unwrap_or("unknown").to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads_per_core: threads_per_core(&cpuinfo),
            isa: ISA.iter().filter(|isa| flags.contains(isa)).map(|isa| (*isa).into()).collect(),
            caches: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
            ram_bytes: read("/proc/meminfo").and_then(|text| kilobytes(field(&text, "MemTotal")?)),
            os: operating_system(),
            kernel: read("/proc/sys/kernel/osrelease").unwrap_or_else(|| "unknown".into()),
            hypervisor: flags.contains(&"hypervisor").then(hypervisor),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: turbo(),
            thp: read("/sys/kernel/mm/transparent_hugepage/enabled").as_deref().and_then(bracketed),
            aslr: read("/proc/sys/kernel/randomize_va_space").and_then(|text| text.parse().ok()),
            psi_cpu_some_avg60: read("/proc/pressure/cpu").as_deref().and_then(psi_avg60),
            steal_pct: read("/proc/stat").as_deref().and_then(steal_percent),
            cgroup_cpu_max: read("/sys/fs/cgroup/cpu.max").as_deref().and_then(cpu_max),
            rapl: read("/sys/class/powercap/intel-rapl:0/energy_uj").is_some(),
            timer_resolution_ns: crate::effort::timer_resolution().as_nanos() as u64,
        }
    }

    /// Returns the properties that make measurements less reliable, most serious first.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |code: &str, text: String, fix: &str| {
            warnings.push(Warning { code: code.into(), text, fix: fix.into() });
        };
        if cfg!(debug_assertions) {
            let fix = "build with --release";
            warn("W-DEBUG", "this is a debug build: times are meaningless".into(), fix);
        }
        if let Some(busy) = self.psi_cpu_some_avg60.filter(|busy| *busy > 5.0) {
            let text =
                format!("tasks waited for a processor during {busy:.0} % of the last minute");
            warn("W-PSI", text, "run again when idle; interleaved ratios are safer than times");
        }
        if let Some(steal) = self.steal_pct.filter(|steal| *steal > 1.0) {
            let text = format!("the hypervisor gave {steal:.1} % of processor time to others");
            warn("W-STEAL", text, "use a dedicated machine for absolute times");
        }
        if let Some(limit) = self.cgroup_cpu_max.filter(|limit| *limit < self.cores as f64) {
            let text = format!("a control group allows {limit:.2} of {} processors", self.cores);
            warn("W-CGROUP", text, "lift cpu.max, or use at most as many threads");
        }
        if let Some(governor) = self.governor.as_deref().filter(|g| *g != "performance") {
            let text = format!("the frequency governor is {governor}");
            warn("W-GOVERNOR", text, "cpupower frequency-set -g performance");
        }
        if self.turbo == Some(true) {
            let text = "turbo is on: frequency depends on load and temperature";
            warn("W-TURBO", text.into(), "switch boost off for reproducible times");
        }
        if self.threads_per_core.is_some_and(|threads| threads > 1) {
            let text = "cores run two hardware threads, which share their units";
            warn("W-SMT", text.into(), "leave the siblings idle, or switch SMT off");
        }
        if let Some(name) = &self.hypervisor {
            let text = format!("this is a virtual machine ({name}): its host may have other load");
            warn("W-VM", text, "compare ratios taken in one run, or use bare metal");
        }
        warnings
    }
}

/// Returns the number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the name of this host, with characters that suit a file name.
pub fn host() -> String {
    let name = read("/proc/sys/kernel/hostname").unwrap_or_else(|| "host".into());
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
}

/// Formats a time in UTC as RFC 3339 with whole seconds.
pub fn rfc3339(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// Returns the value of the first line `name : value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim())
    })
}

fn kilobytes(value: &str) -> Option<u64> {
    value.strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

fn threads_per_core(cpuinfo: &str) -> Option<usize> {
    let number = |name| field(cpuinfo, name)?.parse::<usize>().ok();
    Some((number("siblings")? / number("cpu cores")?.max(1)).max(1))
}

fn caches(folder: &Path) -> Caches {
    let mut caches = Caches::default();
    for index in 0..8 {
        let file = |name| read(folder.join(format!("index{index}")).join(name));
        let (Some(level), Some(kind), Some(size)) = (file("level"), file("type"), file("size"))
        else {
            continue;
        };
        let size = size.strip_suffix('K').and_then(|k| k.parse::<u64>().ok()).map(|k| k * 1024);
        match (level.as_str(), kind.as_str()) {
            ("1", "Data") => caches.l1d = size,
            ("2", _) => caches.l2 = size,
            ("3", _) => caches.l3 = size,
            _ => {}
        }
    }
    caches
}

fn operating_system() -> String {
    let release = read("/etc/os-release").unwrap_or_default();
    let pretty = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    pretty.map_or_else(|| std::env::consts::OS.into(), |name| name.trim_matches('"').into())
}

fn hypervisor() -> String {
    let vendor = read("/sys/class/dmi/id/sys_vendor").or_else(|| read("/sys/hypervisor/type"));
    vendor.unwrap_or_else(|| "unnamed hypervisor".into())
}

fn turbo() -> Option<bool> {
    let boost = read("/sys/devices/system/cpu/cpufreq/boost").map(|text| text == "1");
    boost.or_else(|| read("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|text| text == "0"))
}

/// Returns the word in brackets: `always [madvise] never`.
fn bracketed(text: &str) -> Option<String> {
    text.split_once('[')?.1.split_once(']').map(|(word, _)| word.to_owned())
}

fn psi_avg60(text: &str) -> Option<f64> {
    let some = text.lines().find(|line| line.starts_with("some"))?;
    some.split_whitespace().find_map(|word| word.strip_prefix("avg60="))?.parse().ok()
}

/// Returns the eighth time in the first line of `/proc/stat` (steal) as a percentage of their sum.
fn steal_percent(text: &str) -> Option<f64> {
    let times: Vec<f64> =
        text.lines().next()?.split_whitespace().skip(1).filter_map(|t| t.parse().ok()).collect();
    let total: f64 = times.iter().take(8).sum();
    (total > 0.0).then(|| (times.get(7).copied().unwrap_or(0.0) / total * 1e3).round() / 10.0)
}

fn cpu_max(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_a_machine_are_read_from_the_kernels_texts() {
        let cpuinfo = "model name\t: Chip 9\nsiblings\t: 8\ncpu cores\t: 4\nflags\t\t: fpu avx2\n";
        assert_eq!(field(cpuinfo, "model name"), Some("Chip 9"));
        assert_eq!(threads_per_core(cpuinfo), Some(2));
        assert_eq!(bracketed("always [madvise] never").as_deref(), Some("madvise"));
        let psi = "some avg10=0.1 avg60=18.42 avg300=1 total=9\nfull avg10=0 avg60=1 total=0";
        assert_eq!(psi_avg60(psi), Some(18.42));
        assert_eq!(steal_percent("cpu 10 0 10 60 0 0 0 20 0 0\ncpu0 1"), Some(20.0));
        assert_eq!((cpu_max("150000 100000"), cpu_max("max 100000")), (Some(1.5), None));
        assert_eq!(kilobytes("24684084 kB"), Some(24_684_084 * 1024));
    }

    #[test]
    fn this_machine_has_a_processor_and_memory() {
        let machine = Machine::here();
        assert!(machine.cores >= 1 && machine.timer_resolution_ns >= 1);
        assert!(!machine.cpu.is_empty() && !machine.os.is_empty());
    }

    #[test]
    fn each_doubt_has_a_code_and_a_remedy() {
        let quiet = Machine {
            hypervisor: None,
            governor: Some("performance".into()),
            turbo: Some(false),
            threads_per_core: Some(1),
            psi_cpu_some_avg60: Some(0.0),
            steal_pct: Some(0.0),
            cgroup_cpu_max: None,
            ..Machine::here()
        };
        let codes = |machine: &Machine| -> Vec<String> {
            let kept = machine.warnings().into_iter().filter(|w| w.code != "W-DEBUG");
            kept.inspect(|w| assert!(!w.fix.is_empty())).map(|w| w.code).collect()
        };
        assert!(codes(&quiet).is_empty());
        let noisy = Machine {
            hypervisor: Some("kvm".into()),
            governor: Some("powersave".into()),
            turbo: Some(true),
            threads_per_core: Some(2),
            psi_cpu_some_avg60: Some(18.0),
            steal_pct: Some(2.0),
            cgroup_cpu_max: Some(0.5),
            ..quiet
        };
        let expected = ["W-PSI", "W-STEAL", "W-CGROUP", "W-GOVERNOR", "W-TURBO", "W-SMT", "W-VM"];
        assert_eq!(codes(&noisy), expected);
    }
}
