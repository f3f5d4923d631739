//! How far a run is, in one line for a terminal: parts with a comma between them, the most important first.

use crate::schedule::{Snapshot, words};

/// How far a search is.
pub fn search(now: &Snapshot) -> String {
    let (rate, progress) = (now.mean_rate(), now.progress());
    let done = progress.map_or("unknown how much".to_owned(), |progress| words::progress(progress.done()));
    let left = now.left(rate).map_or(String::new(), |left| format!("left {}, ", words::spans(left)));
    let (nodes, tours) = (words::count(now.nodes()), words::count(now.tours()));
    let tours = match now.outlook.all_tours(now.tours()) {
        Some(all) => format!("{tours} of {} tours", words::ranged(all)),
        None => format!("{tours} {}", words::noun(now.tours(), "tour")),
    };
    let tree = progress.map_or(String::new(), |progress| format!(", tree {} nodes", words::about(progress.tree.mean)));
    let (clock, rate, busy) = (words::clock(now.elapsed), words::rate(rate.nodes_per_s), busy(now));
    format!("{clock}  {done} done, {left}{nodes} nodes, {rate}/s, {tours}, {busy} busy{tree}")
}

/// How far a race for a tour is.
pub fn race(now: &Snapshot) -> String {
    let per_s = now.nodes() as f64 / now.elapsed.as_secs_f64().max(1e-3);
    let (clock, per_s, busy) = (words::clock(now.elapsed), words::rate(per_s), busy(now));
    let of = |n: u64, one: &str| format!("{} {}", words::count(n), words::noun(n, one));
    let (attempts, nodes) = (of(now.attempts(), "attempt"), of(now.nodes(), "node"));
    format!("{clock}  {attempts}, {nodes}, {per_s}/s, {}, {busy} busy", of(now.tours(), "tour"))
}

/// Workers that have work.
fn busy(now: &Snapshot) -> usize {
    now.workers.iter().filter(|worker| worker.state.has_work()).count()
}
