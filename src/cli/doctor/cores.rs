//! The processor: how many cores this process may use, how they hang together, and what sharing a search costs here.

use crate::board::{Board, Ending};
use crate::cli::args::UsualThreads;
use crate::simulate::{Costs, measure};
use crate::solve::{self, Problem};
use crate::system::{Quota, Root, list_len};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;

/// The cores of a machine; what it does not say is none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cores {
    /// The number of workers that a search has by default.
    pub available: usize,
    /// The environment variable that decided on it; `None` if the cores did.
    pub variable: Option<&'static str>,
    /// Logical cores that are switched on.
    pub online: Option<usize>,
    /// Logical cores that this process is allowed to run on.
    pub allowed: Option<usize>,
    pub sockets: Option<usize>,
    /// Physical cores of a socket.
    pub cores_per_socket: Option<usize>,
    /// Logical cores of a physical one; more than 1 with SMT.
    pub threads_per_core: Option<usize>,
    /// Memory nodes.
    pub numa_nodes: Option<usize>,
    /// The name of the processor.
    pub model: Option<String>,
    /// Its clock: the most it goes to, or else how fast it is now.
    pub mhz: Option<u32>,
    /// CPU time that the control group may use, in cores.
    pub quota: Option<f64>,
}

impl Cores {
    /// What the files below `root` say of the cores, and how many workers a search has by default.
    pub fn of(root: &Root, usual: UsualThreads) -> Cores {
        let online = root.read("sys/devices/system/cpu/online").and_then(|list| list_len(&list));
        let places = places(root);
        let sockets = places.iter().map(|&(socket, _)| socket).collect::<BTreeSet<_>>().len();
        let physical = places.iter().collect::<BTreeSet<_>>().len();
        let known = |count: Option<usize>| count.filter(|&count| count > 0);
        let most = root.read("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
        let most = most.and_then(|khz| Some(khz.parse::<f64>().ok()? / 1000.0));
        let now = || root.field("proc/cpuinfo", "cpu MHz")?.parse::<f64>().ok();
        Cores {
            available: usual.threads,
            variable: usual.variable,
            online,
            allowed: root.field("proc/self/status", "Cpus_allowed_list").and_then(|list| list_len(&list)),
            sockets: known(Some(sockets)),
            cores_per_socket: known(physical.checked_div(sockets)),
            threads_per_core: known(places.len().checked_div(physical)),
            numa_nodes: root.read("sys/devices/system/node/online").and_then(|list| list_len(&list)),
            model: ["model name", "Model"].into_iter().find_map(|name| root.field("proc/cpuinfo", name)),
            mhz: most.or_else(now).map(|mhz| mhz.round() as u32),
            quota: Quota::of(root).map(|quota| quota.cores),
        }
    }
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

/// The board whose open tours are searched meanwhile.
const BOARD: (u64, u64) = (5, 6);

/// Costs in nanoseconds, and what they were measured with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    board: Board,
    solver: &'static str,
    node_ns: f64,
    hand_over_ns: f64,
    wake_ns: f64,
    nominate_ns: f64,
    look_ns: f64,
    /// Nodes between two looks at the mailbox.
    burst: u64,
}

impl Measured {
    /// Measures, for about a second; nothing of a program without the solver.
    pub fn here() -> Measured {
        let board = Board::new(BOARD.0, BOARD.1).unwrap_or_else(|_| unreachable!("a few squares are a board"));
        let tree = solve::solver_by_name("brute")
            .and_then(|solver| solver.tree(&Problem::new(board, Ending::Open), false).ok());
        let tree = tree.unwrap_or_else(|| unreachable!("brute searches every board of this size"));
        Measured::of(board, "brute", &measure(&*tree.kernel))
    }

    fn of(board: Board, solver: &'static str, costs: &Costs) -> Measured {
        let Costs { hand_over, wake, nominate, look, burst, node_ns } = *costs;
        let [hand_over_ns, wake_ns, nominate_ns, look_ns] =
            [hand_over, wake, nominate, look].map(|nodes| nodes * node_ns);
        Measured { board, solver, node_ns, hand_over_ns, wake_ns, nominate_ns, look_ns, burst }
    }

    /// The same in clauses.
    pub fn lines(&self) -> [String; 5] {
        let Measured { board, solver, node_ns, hand_over_ns, wake_ns, nominate_ns, look_ns, burst } = self;
        [
            format!("{node_ns:.2} ns a node ({solver} on {board})"),
            format!("{hand_over_ns:.0} ns to hand a branch over"),
            format!("{:.1} us to wake a thread", wake_ns / 1000.0),
            format!("{nominate_ns:.0} ns to fall idle and nominate, and {look_ns:.2} ns for every mailbox looked at"),
            format!("{burst} nodes between two looks at the mailbox"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::root::tests::machine;

    fn cores(files: &[(&str, &str)]) -> Cores {
        Cores::of(&Root(machine(files).path()), UsualThreads { threads: 6, variable: None })
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
        let expected = Cores {
            available: 6,
            variable: None,
            online: Some(8),
            allowed: Some(6),
            sockets: Some(2),
            cores_per_socket: Some(2),
            threads_per_core: Some(2),
            numa_nodes: Some(2),
            model: Some("Some CPU @ 2.60GHz".to_owned()),
            mhz: Some(3700),
            quota: None,
        };
        assert_eq!(cores(&files), expected);
    }

    #[test]
    fn a_machine_that_says_nothing() {
        let bare = cores(&[]);
        assert_eq!((bare.available, bare.online, bare.sockets, bare.model, bare.quota), (6, None, None, None, None));
    }

    #[test]
    fn costs_in_nodes_are_said_in_nanoseconds() {
        let board = Board::new(5, 6).unwrap();
        let lines = Measured::of(board, "brute", &Costs { node_ns: 2.0, wake: 4500.0, ..Costs::fixed() }).lines();
        let expected = [
            "2.00 ns a node (brute on 5x6)",
            "60 ns to hand a branch over",
            "9.0 us to wake a thread",
            "30 ns to fall idle and nominate, and 1.00 ns for every mailbox looked at",
            "16 nodes between two looks at the mailbox",
        ];
        assert_eq!(lines, expected);
    }
}
