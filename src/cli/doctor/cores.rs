//! The processor: how many cores this process may use, how they hang together, and what sharing a search costs here; and the
//! memory: how much there is, what bounds the share of this process, and what a count may take.

use crate::board::{Board, Ending};
use crate::cli::args::UsualThreads;
use crate::job::limits::{MachineMemory, Share};
use crate::job::{Report, keys, object};
use crate::simulate::{Costs, measure};
use crate::solve::{self, Problem};
use crate::system::{Quota, Root, ThreadRefused, list_len};
use crate::words::{bytes, grouped, number_of, of_cores};
use std::collections::BTreeSet;
use std::fs;

/// What the files below `root` say of the cores, and how many workers a search has by default.
pub fn cores(root: &Root, usual: &UsualThreads) -> Report {
    let online = root.read("sys/devices/system/cpu/online").and_then(|list| list_len(&list));
    let allowed = root.field("proc/self/status", "Cpus_allowed_list").and_then(|list| list_len(&list));
    let quota = Quota::of(root).map(|quota| quota.cores);
    let mut report = Report::default();

    let of = online.map_or(String::new(), |online| format!(", of {} online", grouped(online as u64)));
    let by = usual.variable.map_or(String::new(), |name| format!(" as {name} says"));
    report.entry("cores", format_args!("{} for this program{by}{of}", grouped(usual.threads as u64)));
    report.key("available", usual.threads);
    // The environment variable that decided on it; null if the cores did.
    report.key("variable", usual.variable);
    // Logical cores that are switched on, and those of them that this process may run on.
    keys!(report, online, allowed);
    let fewer = allowed.filter(|&allowed| online.is_some_and(|online| allowed < online));
    report.entries("", fewer.map(|allowed| format!("its affinity allows {}", grouped(allowed as u64))));
    report.entries("", quota.map(|quota| format!("its control group allows {}", of_cores(quota))));
    tell_topology(&mut report, root);
    tell_processor(&mut report, root);
    // CPU time that the control group may use, in cores.
    report.key("quota", quota);
    report
}

/// How the cores hang together.
fn tell_topology(report: &mut Report, root: &Root) {
    let places = places(root);
    let known = |count: usize| Some(count).filter(|&count| count > 0);
    let sockets = known(places.iter().map(|&(socket, _)| socket).collect::<BTreeSet<_>>().len());
    let physical = known(places.iter().collect::<BTreeSet<_>>().len());
    let cores_per_socket = physical.zip(sockets).and_then(|(physical, sockets)| known(physical / sockets));
    // More than 1 with SMT.
    let threads_per_core = physical.and_then(|physical| known(places.len() / physical));
    let numa_nodes = root.read("sys/devices/system/node/online").and_then(|list| list_len(&list));
    let topology = [
        sockets.map(|n| number_of(n, "socket")),
        cores_per_socket.map(|n| format!("{} each", number_of(n, "core"))),
        threads_per_core.map(|n| match n {
            1 => "no SMT".to_owned(),
            n => format!("{n} threads a core (SMT)"),
        }),
        numa_nodes.map(|n| number_of(n, "NUMA node")),
    ];
    report.entries("topology", joined(topology));
    keys!(report, sockets, cores_per_socket, threads_per_core, numa_nodes);
}

/// The name of the processor, and the most that its clock goes to, or else how fast it is now.
fn tell_processor(report: &mut Report, root: &Root) {
    let model = ["model name", "Model"].into_iter().find_map(|name| root.field("proc/cpuinfo", name));
    let most = root.read("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    let most = most.and_then(|khz| Some(khz.parse::<f64>().ok()? / 1000.0));
    let now = || root.field("proc/cpuinfo", "cpu MHz")?.parse::<f64>().ok();
    let mhz = most.or_else(now).map(|mhz| mhz.round() as u32);
    let clock = mhz.map(|mhz| format!("{:.2} GHz", f64::from(mhz) / 1000.0));
    report.entries("processor", joined([model.clone(), clock]));
    keys!(report, model, mhz);
}

/// What is known of these, with commas between; `None` if nothing is.
fn joined<const N: usize>(known: [Option<String>; N]) -> Option<String> {
    let known: Vec<String> = known.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// Socket and physical core of every logical one.
fn places(root: &Root) -> Vec<(i64, i64)> {
    let cpus = fs::read_dir(root.0.join("sys/devices/system/cpu")).into_iter().flatten().flatten();
    let number = |path: std::path::PathBuf| root.read(path)?.parse().ok();
    cpus.filter_map(|cpu| {
        let topology = cpu.path().join("topology");
        Some((number(topology.join("physical_package_id"))?, number(topology.join("core_id"))?))
    })
    .collect()
}

/// The board whose open tours are searched meanwhile, and the solver.
const BOARD: (u64, u64) = (5, 6);
const SOLVER: &str = "brute";

/// What sharing a search costs here, measured for about a second.
///
/// # Errors
/// When a thread cannot be started.
pub fn costs() -> Result<Report, ThreadRefused> {
    let board = Board::new(BOARD.0, BOARD.1).unwrap_or_else(|_| unreachable!("a few squares are a board"));
    let tree =
        solve::solver_by_name(SOLVER).and_then(|solver| solver.tree(&Problem::new(board, Ending::Open), false).ok());
    let tree = tree.unwrap_or_else(|| unreachable!("brute searches every board of this size"));
    Ok(costs_report(board, &measure(&*tree.kernel)?))
}

/// Costs in nanoseconds, and what they were measured with.
fn costs_report(board: Board, costs: &Costs) -> Report {
    let Costs { hand_over, wake, nominate, look, burst, node_ns } = *costs;
    let nodes = [hand_over, wake, nominate, look];
    let [hand_over_ns, wake_ns, nominate_ns, look_ns] = nodes.map(|nodes| nodes * node_ns);
    let solver = SOLVER;
    let mut report = object!(board, solver, node_ns, hand_over_ns, wake_ns, nominate_ns, look_ns, burst);
    report.entry("costs", format_args!("{node_ns:.2} ns a node ({solver} on {board})"));
    report.entry("", format_args!("{hand_over_ns:.0} ns to hand a branch over"));
    report.entry("", format_args!("{:.1} us to wake a thread", wake_ns / 1000.0));
    let looks = format!("and {look_ns:.2} ns for every mailbox looked at");
    report.entry("", format_args!("{nominate_ns:.0} ns to fall idle and nominate, {looks}"));
    report.entry("", format_args!("{burst} nodes between two looks at the mailbox"));
    report
}

/// What the files below `root` say of the memory, for a run with so many threads.
pub fn memory(root: &Root, threads: usize) -> Report {
    let memory = MachineMemory::of(root, threads);
    let mut report = Report::of_object(memory);
    let Some(total) = memory.total else {
        report.entry("memory", "unknown");
        return report;
    };
    let available = memory.available.map_or(String::new(), |n| format!(", {} of it available", bytes(n)));
    report.entry("memory", format_args!("{}{available}", bytes(total)));
    let allows = |who: &str, limit: Option<u64>, left: Option<u64>| {
        let left = left.map_or(String::new(), |n| format!(", {} of it left", bytes(n)));
        limit.map(|limit| format!("{who} allows {}{left}", bytes(limit)))
    };
    report.entries("", allows("its control group", memory.limit, memory.limit_left));
    report.entries("", allows("a limit of this process (ulimit)", memory.ulimit, memory.ulimit_left));
    let usable = |Share { bytes: usable, by }: Share| {
        format!("a count may take {}: {} allows no more", bytes(usable), by.name())
    };
    report.entries("", memory.usable.map(usable));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::root::tests::machine;
    use serde_json::{Value, json};

    /// The text and the object.
    fn report(files: &[(&str, &str)]) -> (String, Value) {
        let report = cores(&Root(machine(files).path()), &UsualThreads { threads: 6, variable: None });
        (report.to_string(), serde_json::to_value(&report).unwrap())
    }

    #[test]
    fn a_machine_of_two_sockets_with_smt() {
        let place = |cpu: u32| {
            let folder = format!("sys/devices/system/cpu/cpu{cpu}/topology");
            // The numbers of cores are those of their socket, and may leave some out.
            [(format!("{folder}/physical_package_id"), cpu / 4), (format!("{folder}/core_id"), cpu / 2 % 2 * 8)]
        };
        let places: Vec<_> = (0..8).flat_map(place).map(|(path, n)| (path, n.to_string())).collect();
        let mut files: Vec<_> = places.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        files.extend([
            ("sys/devices/system/cpu/online", "0-7\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n"),
            ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
            ("sys/devices/system/node/online", "0-1\n"),
            ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2.60GHz\ncpu MHz\t\t: 1200.123\n"),
            ("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-5\n"),
        ]);
        let (text, object) = report(&files);
        let expected = json!({
            "available": 6, "variable": null, "online": 8, "allowed": 6, "sockets": 2, "cores_per_socket": 2,
            "threads_per_core": 2, "numa_nodes": 2, "model": "Some CPU @ 2.60GHz", "mhz": 3700, "quota": null,
        });
        assert_eq!(object, expected);
        let expected = "\
cores          6 for this program, of 8 online
               its affinity allows 6
topology       2 sockets, 2 cores each, 2 threads a core (SMT), 2 NUMA nodes
processor      Some CPU @ 2.60GHz, 3.70 GHz";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_machine_that_says_nothing() {
        let (text, object) = report(&[]);
        assert_eq!(text, "cores          6 for this program");
        let silent = object.as_object().unwrap().iter().filter(|(_, value)| value.is_null()).count();
        assert_eq!((object["available"].as_u64(), silent), (Some(6), 10));
    }

    #[test]
    fn costs_in_nodes_are_said_in_nanoseconds() {
        let board = Board::new(5, 6).unwrap();
        let report = costs_report(board, &Costs { node_ns: 2.0, wake: 4500.0, ..Costs::fixed() });
        let expected = "\
costs          2.00 ns a node (brute on 5x6)
               60 ns to hand a branch over
               9.0 us to wake a thread
               30 ns to fall idle and nominate, and 1.00 ns for every mailbox
               looked at
               16 nodes between two looks at the mailbox";
        assert_eq!(report.to_string(), expected);
        assert_eq!(serde_json::to_value(&report).unwrap()["wake_ns"], 9000.0);
    }
}
