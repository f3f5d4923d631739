//! The processor: how many cores this process may use, how they hang together, and what sharing a search costs here; and the
//! memory: how much there is, what bounds the share of this process, and what a count may take.

use crate::board::{Board, Ending};
use crate::cli::args::UsualThreads;
use crate::job::limits::{MachineMemory, Share};
use crate::job::{Report, keys, object};
use crate::simulate::{Costs, measure};
use crate::solve::{self, Problem};
use crate::system::{CpuLevel, Quota, Root, ThreadRefused, Topology, numbers};
use crate::words::{bytes, grouped, number_of, of_cores};

/// What the files below `root` say of the cores, and how many workers a search has by default.
pub fn cores(root: &Root, usual: &UsualThreads) -> Report {
    let online = root.read("sys/devices/system/cpu/online").and_then(|list| Some(numbers(&list)?.len()));
    let allowed = root.field("proc/self/status", "Cpus_allowed_list").and_then(|list| Some(numbers(&list)?.len()));
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

/// How the CPUs that this program may use hang together, and in which groups workers are shown.
fn tell_topology(report: &mut Report, root: &Root) {
    let topology = Topology::of(root);
    let [sockets, caches, numa_nodes, kinds] =
        [CpuLevel::Socket, CpuLevel::Cache, CpuLevel::Node, CpuLevel::Kind].map(|level| topology.number(level));
    let in_socket = topology.within(CpuLevel::Socket, Some(CpuLevel::Core));
    let in_core = topology.within(CpuLevel::Core, None);
    let told = [
        sockets.map(|n| number_of(n, "socket")),
        in_socket.map(|cores| format!("{} each", spread(cores, "core"))),
        in_core.map(|threads| match threads {
            [1, 1] => "no SMT".to_owned(),
            threads => format!("{} a core (SMT)", spread(threads, "thread")),
        }),
        numa_nodes.map(|n| number_of(n, "NUMA node")),
        caches.map(|n| number_of(n, "level 3 cache")),
    ];
    report.entries("topology", joined(told));
    let level = topology.nearness();
    let group_of = level.map(CpuLevel::name);
    let one_group = level.is_none().then(|| topology.why_one());
    let groups = level.map(|level| format!("CPUs {} by {}", first_of(&topology.lists(level)), level.name()));
    report.entries("groups", groups.or(one_group.map(|why| format!("one: {why}"))));
    let by_kind = kinds.filter(|kinds| *kinds > 1).map(|_| topology.lists(CpuLevel::Kind));
    report.entries("kinds", by_kind.map(|lists| format!("CPUs {}, the fastest first", lists.join(" and "))));
    let [cores_per_socket, threads_per_core] = [in_socket, in_core].map(|spread| spread.map(|[_, most]| most));
    keys!(report, sockets, cores_per_socket, threads_per_core, numa_nodes, caches, kinds, group_of, one_group);
}

/// A number of things, or the least and the most of them.
fn spread([least, most]: [usize; 2], thing: &str) -> String {
    let range = if least == most { String::new() } else { format!("{least} to ") };
    format!("{range}{}", number_of(most, thing))
}

/// Lists of CPUs, or the first ones.
fn first_of(lists: &[String]) -> String {
    let rest =
        if lists.len() > GROUPS_TOLD { format!(" and {} more", lists.len() - GROUPS_TOLD) } else { String::new() };
    format!("{}{rest}", lists[..lists.len().min(GROUPS_TOLD)].join(" | "))
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

/// Groups of CPUs at most that are listed.
const GROUPS_TOLD: usize = 8;

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
    report.entry("", format_args!("{nominate_ns:.0} ns to run dry and nominate, {looks}"));
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
            let file = |name: &str, text: String| (format!("sys/devices/system/cpu/cpu{cpu}/{name}"), text);
            [
                // The numbers of cores are those of their socket, and may leave some out.
                file("topology/physical_package_id", (cpu / 4).to_string()),
                file("topology/core_id", (cpu / 2 % 2 * 8).to_string()),
                file("cache/index3/level", "3".to_owned()),
                file("cache/index3/shared_cpu_list", if cpu < 4 { "0-3" } else { "4-7" }.to_owned()),
                file(&format!("node{}/cpulist", cpu / 4), String::new()),
                file("cpu_capacity", if cpu == 5 { "500" } else { "1024" }.to_owned()),
            ]
        };
        let places: Vec<_> = (0..8).flat_map(place).collect();
        let mut files: Vec<_> = places.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        files.extend([
            ("sys/devices/system/cpu/online", "0-7\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n"),
            ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
            ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU @ 2.60GHz\ncpu MHz\t\t: 1200.123\n"),
            ("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-5\n"),
        ]);
        let (text, object) = report(&files);
        let expected = json!({
            "available": 6, "variable": null, "online": 8, "allowed": 6, "sockets": 2, "cores_per_socket": 2,
            "threads_per_core": 2, "numa_nodes": 2, "caches": 2, "kinds": 2, "group_of": "cache", "one_group": null,
            "model": "Some CPU @ 2.60GHz", "mhz": 3700, "quota": null,
        });
        assert_eq!(object, expected);
        let expected = "\
cores          6 for this program, of 8 online
               its affinity allows 6
topology       2 sockets, 1 to 2 cores each, 2 threads a core (SMT), 2 NUMA
               nodes, 2 level 3 caches
groups         CPUs 0-3 | 4-5 by cache
kinds          CPUs 0-4 and 5, the fastest first
processor      Some CPU @ 2.60GHz, 3.70 GHz";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_machine_that_says_nothing() {
        let (text, object) = report(&[]);
        let why = "groups         one: the system does not tell which CPUs this program may use";
        assert_eq!(text, format!("cores          6 for this program\n{why}"));
        let silent = object.as_object().unwrap().iter().filter(|(_, value)| value.is_null()).count();
        assert_eq!((object["available"].as_u64(), silent), (Some(6), 13));
    }

    #[test]
    fn costs_in_nodes_are_said_in_nanoseconds() {
        let board = Board::new(5, 6).unwrap();
        let report = costs_report(board, &Costs { node_ns: 2.0, wake: 4500.0, ..Costs::fixed() });
        let expected = "\
costs          2.00 ns a node (brute on 5x6)
               60 ns to hand a branch over
               9.0 us to wake a thread
               30 ns to run dry and nominate, and 1.00 ns for every mailbox
               looked at
               16 nodes between two looks at the mailbox";
        assert_eq!(report.to_string(), expected);
        assert_eq!(serde_json::to_value(&report).unwrap()["wake_ns"], 9000.0);
    }
}
