//! The report as text: labelled entries of 80 columns.

use super::DoctorReport;
use super::cores::Measured;
use super::vulkan::{Adapter, Variable};
use crate::cli::processor;
use crate::cli::sheet::{entries, entry};
use crate::job::limits::Share;
use crate::words::{bytes, grouped, number_of, of_cores};
use serde::Serialize;
use std::fmt;

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, write) in
            [Self::program, Self::cores, Self::memory, Self::terminal, Self::vulkan].into_iter().enumerate()
        {
            if i > 0 {
                writeln!(f)?;
            }
            write(self, f)?;
        }
        if self.costs.is_some() {
            writeln!(f)?;
            self.costs(f)?;
        }
        if self.advice.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        entries(f, "would help", &self.advice)
    }
}

/// What a report says of the machine itself.
pub struct MachineFacts<'a>(pub &'a DoctorReport);

impl fmt::Display for MachineFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.cores(f)?;
        self.0.memory(f)?;
        self.0.costs(f)
    }
}

/// Names, or a word for none.
fn names(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl DoctorReport {
    fn program(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        let debug = if program.debug { ", a debug build: slow" } else { "" };
        entry(f, "program", &format!("destrier {} for {}{debug}", program.version, program.target))?;
        entry(f, "", program.commit)?;
        entry(f, "built with", &names(&program.features))?;
        entry(f, "built for", &format!("{}: processors with {}", program.code, names(&program.cpu_features)))
    }

    fn cores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = &self.cores;
        let of = cores.online.map_or(String::new(), |online| format!(", of {} online", grouped(online as u64)));
        let by = cores.variable.map_or(String::new(), |name| format!(" as {name} says"));
        entry(f, "cores", &format!("{} for this program{by}{of}", grouped(cores.available as u64)))?;
        let allowed = cores.allowed.filter(|&allowed| cores.online.is_some_and(|online| allowed < online));
        entries(f, "", allowed.map(|allowed| format!("its affinity allows {}", grouped(allowed as u64))))?;
        entries(f, "", cores.quota.map(|quota| format!("its control group allows {}", of_cores(quota))))?;
        let topology = [
            cores.sockets.map(|n| number_of(n, "socket")),
            cores.cores_per_socket.map(|n| format!("{} each", number_of(n, "core"))),
            cores.threads_per_core.map(|n| match n {
                1 => "no SMT".to_owned(),
                n => format!("{n} threads a core (SMT)"),
            }),
            cores.numa_nodes.map(|n| number_of(n, "NUMA node")),
        ];
        let topology: Vec<String> = topology.into_iter().flatten().collect();
        if !topology.is_empty() {
            entry(f, "topology", &topology.join(", "))?;
        }
        let clock = cores.mhz.map(|mhz| format!("{:.2} GHz", f64::from(mhz) / 1000.0));
        let processor: Vec<String> = cores.model.clone().into_iter().chain(clock).collect();
        if processor.is_empty() { Ok(()) } else { entry(f, "processor", &processor.join(", ")) }
    }

    fn memory(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(total) = self.memory.total else { return entry(f, "memory", "unknown") };
        let available = self.memory.available.map_or(String::new(), |n| format!(", {} of it available", bytes(n)));
        entry(f, "memory", &format!("{}{available}", bytes(total)))?;
        let allows = |who: &str, limit: Option<u64>, left: Option<u64>| {
            let left = left.map_or(String::new(), |n| format!(", {} of it left", bytes(n)));
            limit.map(|limit| format!("{who} allows {}{left}", bytes(limit)))
        };
        let (group, ulimit) = ("its control group", "a limit of this process (ulimit)");
        entries(f, "", allows(group, self.memory.limit, self.memory.limit_left))?;
        entries(f, "", allows(ulimit, self.memory.ulimit, self.memory.ulimit_left))?;
        let usable = |Share { bytes: usable, by }: Share| {
            format!("a count may take {}: {} allows no more", bytes(usable), by.name())
        };
        entries(f, "", self.memory.usable.map(usable))
    }

    fn costs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        entries(f, "costs", self.costs.iter().flat_map(Measured::lines))
    }

    fn terminal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terminal = &self.terminal;
        let size = match (terminal.is_terminal, terminal.columns.zip(terminal.rows)) {
            (true, Some((columns, rows))) if columns > 0 => format!("{columns} columns, {rows} rows"),
            (true, _) => "of unknown size".to_owned(),
            (false, _) => "none: stdout leads elsewhere".to_owned(),
        };
        let by = [terminal.multiplexer.map(|name| format!("in {name}")), terminal.ssh.then(|| "over SSH".to_owned())];
        let size = [Some(size)].into_iter().chain(by).flatten().collect::<Vec<_>>().join(", ");
        entry(f, "terminal", &size)?;
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let (term, colorterm) = (value(&terminal.term), value(&terminal.colorterm));
        entry(f, "variables", &format!("TERM {term}, COLORTERM {colorterm}"))?;
        let utf8 = if terminal.utf8 { "UTF-8" } else { "not UTF-8" };
        entry(f, "locale", &format!("{}, {utf8}", value(&terminal.locale)))?;
        #[cfg(feature = "tui")]
        {
            let screens = &terminal.screens;
            let colours = if screens.colours == 0 { "no".to_owned() } else { screens.colours.to_string() };
            let characters = if screens.unicode { "UTF-8" } else { "ASCII" };
            let ground = if screens.light { "light" } else { "dark" };
            entry(f, "screens", &format!("{colours} colours on {ground} ground, {characters} characters"))?;
        }
        Ok(())
    }

    fn vulkan(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vulkan = &self.vulkan;
        self.adapters(f)?;
        let variable =
            |variable: &Variable| [format!("{}={}", variable.name, variable.value), format!("  {}", variable.effect)];
        entries(f, "variables", vulkan.variables.iter().flat_map(variable))?;
        let size = vulkan.log.bytes.map_or("no such file".to_owned(), bytes);
        match &vulkan.log.path {
            Some(path) => entry(f, "drivers' log", &format!("{path}, {size}")),
            None => entry(f, "drivers' log", "none: neither XDG_STATE_HOME nor HOME names a folder"),
        }
    }

    fn adapters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let adapter = |adapter: &Adapter| {
            let stamps = if adapter.timestamps { "measures its own time" } else { "does not measure its own time" };
            let (shared, buffer) = (bytes(adapter.workgroup_bytes.into()), bytes(adapter.binding_bytes));
            let limits = format!("  workgroups of {} that share {shared}, buffers of {buffer}", adapter.invocations);
            let name = format!("{} ({})", adapter.name, adapter.kind);
            [name, format!("  driver {}", adapter.driver), format!("{limits}; {stamps}")]
        };
        entries(f, "Vulkan", self.vulkan.adapters.iter().flat_map(adapter))?;
        match &self.vulkan.none_because {
            Some(why) => entry(f, "Vulkan", &format!("no adapter: {why}")),
            None if self.vulkan.adapters.iter().any(|adapter| adapter.is_gpu) => Ok(()),
            None => entry(f, "", "  no GPU among them: software Vulkan computes on the CPU"),
        }
    }
}

/// What was built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Program {
    pub version: &'static str,
    /// The commit that it was built from, `commit 0123abc of 2026-11-25`, or that it is unknown.
    pub commit: &'static str,
    /// Processor and system that it was built for, `x86_64 linux`.
    pub target: String,
    /// Whether it checks itself as it runs, and so is slow.
    pub debug: bool,
    /// Parts that were built in.
    pub features: Vec<&'static str>,
    /// The code that is in use: `x86-64-v3`, or `x86-64`, which runs on any and is slower.
    pub code: &'static str,
    /// Abilities of the processor that it was built to use.
    pub cpu_features: Vec<&'static str>,
}

impl Program {
    /// What would make it faster.
    pub fn advice(&self) -> Vec<String> {
        let slow = processor::could_do_more().then(|| {
            "build in the folder of the source, which asks for x86-64-v3 code: this processor runs it, and searches take \
             a third less time"
                .to_owned()
        });
        slow.into_iter().collect()
    }

    /// What `--version` says behind the name.
    pub fn described(&self) -> String {
        let Program { version, commit, target, features, code, cpu_features, .. } = self;
        let [features, cpu] = [features, cpu_features].map(|names| match names.as_slice() {
            [] => "nothing else".to_owned(),
            names => names.join(", "),
        });
        format!("{version}, {commit}\nbuilt with  {features}\nbuilt for   {target}, {code}, processors with {cpu}")
    }

    pub fn here() -> Program {
        let among = |all: &[(&'static str, bool)]| all.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
        Program {
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("DESTRIER_COMMIT"),
            target: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            debug: cfg!(debug_assertions),
            features: among(&[("tui", cfg!(feature = "tui")), ("gpu", cfg!(feature = "gpu"))]),
            code: processor::code(),
            cpu_features: among(&[
                ("popcnt", cfg!(target_feature = "popcnt")),
                ("lzcnt", cfg!(target_feature = "lzcnt")),
                ("bmi1", cfg!(target_feature = "bmi1")),
                ("bmi2", cfg!(target_feature = "bmi2")),
                ("avx2", cfg!(target_feature = "avx2")),
                ("avx512f", cfg!(target_feature = "avx512f")),
                ("neon", cfg!(target_feature = "neon")),
            ]),
        }
    }
}
