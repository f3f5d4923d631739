//! The progress lines of a search and of a race.

use crate::schedule::Snapshot;
use crate::words;

/// The progress of a search. While it is paused or slowed, its speed and the time left at that speed mean nothing.
pub fn search(now: &Snapshot) -> String {
    let (rate, progress) = (now.mean_rate(), now.progress());
    let done = progress.map_or("unknown how much".to_owned(), |progress| words::progress(progress.done()));
    if now.is_held() {
        let how = match now.pace.filter(|_| !now.paused) {
            Some(pace) => format!("slowed to {} nodes/s a worker", words::grouped(pace)),
            None => "paused".to_owned(),
        };
        let (clock, [nodes, tours]) = (words::clock(now.elapsed), [now.nodes(), now.tours()].map(words::count));
        return format!("{clock}  {how}, {done} done, {nodes} nodes, {tours} tours");
    }
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

/// The progress of a race for a tour.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::run::{Continuation, PreparedRun, Question};
    use crate::schedule::CrewPlan;
    use crate::solve::{self, Problem};

    #[test]
    fn a_held_search_has_no_speed_no_time_left_and_no_busy_workers() {
        let problem = Problem::new("6x6".parse().unwrap(), Ending::Closed);
        let question = Question::Search(solve::default_solver(Ending::Closed), problem);
        let (_run, sampler) = PreparedRun::new(&question, CrewPlan::serial(), Continuation::default(), false);
        let watch = sampler.watch();
        let line = || search(&watch.snapshot());
        assert!(line().contains("/s, ") && line().ends_with(" busy"), "{}", line());
        watch.control().set_pace(Some(1000));
        let held = ["/s, ", "left", "busy"].map(|word| line().contains(word));
        assert!(held == [false; 3] && line().contains("  slowed to 1,000 nodes/s a worker, "), "{}", line());
        watch.control().pause();
        assert_eq!(line(), "0:00  paused, unknown how much done, 0 nodes, 0 tours");
        watch.control().set_pace(None);
        watch.control().resume();
        assert!(line().ends_with(" busy"), "{}", line());
    }
}
