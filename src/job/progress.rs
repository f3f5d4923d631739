//! Progress lines: how far a run is, in one line. The parts have a comma between them, the most important first.

use crate::count::{CountPhase, CountSnapshot, Modulus};
use crate::schedule::Snapshot;
use crate::words;
use std::time::Duration;

/// The progress of a search. While it is paused or slowed, its speed and the time left at that speed mean nothing.
pub fn search(now: &Snapshot) -> String {
    let (rate, progress) = (now.mean_rate(), now.progress());
    let done = progress.map_or("unknown how much".to_owned(), |progress| words::progress(progress.done()));
    if now.is_held() {
        let how = match now.pace.filter(|_| !now.paused) {
            Some(pace) => format!("slowed to {} nodes/s a worker", words::grouped(pace)),
            None => "paused".to_owned(),
        };
        let (clock, [nodes, tours]) = (words::clock(now.ran()), [now.nodes(), now.tours()].map(words::count));
        return format!("{clock}  {how}, {done} done, {nodes} nodes, {tours} tours");
    }
    let left = now.left_words(rate).map_or(String::new(), |left| format!("left {left}, "));
    let (nodes, tours) = (words::count(now.nodes()), words::count(now.tours()));
    let tours = match now.outlook.all_tours(now.tours()) {
        Some(all) => format!("{tours} of {} tours", words::ranged(all)),
        None => format!("{tours} {}", words::noun(now.tours(), "tour")),
    };
    let tree = progress.map_or(String::new(), |progress| format!(", tree {} nodes", words::about(progress.tree.mean)));
    let (clock, rate, busy) = (words::clock(now.ran()), words::rate(rate.nodes_per_s), busy(now));
    format!("{clock}  {done} done, {left}{nodes} nodes, {rate}/s, {tours}, {busy} with a branch{tree}")
}

/// The progress of a race for a tour.
pub fn race(now: &Snapshot) -> String {
    let per_s = now.nodes() as f64 / now.ran().as_secs_f64().max(1e-3);
    let (clock, per_s, busy) = (words::clock(now.ran()), words::rate(per_s), busy(now));
    let of = |n: u64, one: &str| format!("{} {}", words::count(n), words::noun(n, one));
    let (attempts, nodes) = (of(now.attempts(), "attempt"), of(now.nodes(), "node"));
    format!("{clock}  {attempts}, {nodes}, {per_s}/s, {}, {busy} at work", of(now.tours(), "tour"))
}

/// Workers that have work.
fn busy(now: &Snapshot) -> usize {
    now.workers.iter().filter(|worker| worker.state.has_work()).count()
}

/// The progress of a count: exact share done, row, states, width of the counters, time left.
pub fn count(now: &CountSnapshot) -> String {
    let time = words::clock(Duration::from_secs_f64(now.elapsed_s.max(0.0)));
    match now.phase {
        CountPhase::Planning => format!("{time}  planning: which states there can be"),
        CountPhase::Symmetry => format!("{time}  counting the tours that symmetries keep"),
        CountPhase::Counting | CountPhase::Done => format!("{time}  {}", counting(now)),
    }
}

fn counting(now: &CountSnapshot) -> String {
    let done = words::progress(words::share(now.states, now.states_planned));
    let [states, planned] = [now.states, now.states_planned].map(words::count);
    let sweep = if now.sweeps > 1 { format!("sweep {} of {}, ", now.sweep + 1, now.sweeps) } else { String::new() };
    let row = now.row_in_work();
    let pass = match now.passes {
        0 | 1 => format!("pass {}", now.pass + 1),
        passes => format!("pass {} of about {}", now.pass + 1, passes.max(now.pass + 1)),
    };
    let width = match now.modulus {
        Modulus::None if now.passes > 1 => format!("{pass}, {}", now.width()),
        Modulus::None => now.width(),
        Modulus::TwoTo64 => format!("{pass} modulo 2^64"),
        Modulus::Prime(prime) => format!("{pass} modulo {prime}"),
    };
    let left = now.left_s.map_or(String::new(), |seconds| format!("left {}, ", words::span(seconds)));
    format!("{done} done, {left}{sweep}row {row} of {}, {states} of {planned} states, {width}", now.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape};
    use crate::run::{Continuation, PreparedRun, Question};
    use crate::schedule::CrewPlan;
    use crate::solve::{self, Problem};

    #[test]
    fn a_held_search_has_no_speed_no_time_left_and_no_busy_workers() {
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let question = Question::Search(solve::default_solver(Ending::Closed), problem);
        let (_run, sampler) = PreparedRun::new(&question, CrewPlan::serial(), Continuation::default(), false);
        let watch = sampler.watch();
        let line = || search(&watch.snapshot());
        assert!(line().contains("/s, ") && line().ends_with(" with a branch"), "{}", line());
        watch.control().set_pace(Some(1000));
        let held = ["/s, ", "left", "busy"].map(|word| line().contains(word));
        assert!(held == [false; 3] && line().contains("  slowed to 1,000 nodes/s a worker, "), "{}", line());
        watch.control().pause();
        assert_eq!(line(), "0:00  paused, unknown how much done, 0 nodes, 0 tours");
        while watch.snapshot().stood.is_zero() {
            std::thread::sleep(Duration::from_millis(1));
        }
        watch.control().set_pace(None);
        watch.control().resume();
        let seen = watch.snapshot();
        // Each is rounded to the microsecond.
        let all = seen.ran() + watch.snapshot().stood;
        assert!(seen.ran() < seen.elapsed && all.abs_diff(seen.elapsed) <= Duration::from_micros(1), "{seen:?}");
        let [elapsed, stood] = [30, 10].map(Duration::from_secs);
        assert!(search(&Snapshot { elapsed, stood, ..seen }).starts_with("0:20  "), "a pause is no time of the run");
        assert!(line().ends_with(" with a branch"), "{}", line());
    }

    #[test]
    fn workers_are_busy_that_have_work() {
        use crate::schedule::{WorkerSnapshot, WorkerState::*};
        let workers = [Busy, Descheduled, Waiting, Idle, Done, Busy, Idle];
        let workers = workers.map(|state| WorkerSnapshot { state, ..WorkerSnapshot::default() }).to_vec();
        let now = Snapshot { workers, ..Snapshot::default() };
        assert!(search(&now).ends_with(" 3 with a branch"), "{}", search(&now));
        assert!(race(&now).ends_with(" 3 at work"), "{}", race(&now));
    }

    fn third_row() -> CountSnapshot {
        CountSnapshot {
            phase: CountPhase::Counting,
            sweeps: 1,
            row: 2,
            rows: 8,
            states: 1_728_000_000,
            states_planned: 3_943_000_000,
            bits: 32,
            elapsed_s: 7.9,
            left_s: Some(9.2),
            ..CountSnapshot::default()
        }
    }

    #[test]
    fn a_line_says_how_far_it_is() {
        assert_eq!(count(&third_row()), "0:07  43.8% done, left 9 s, row 3 of 8, 1.73G of 3.94G states, 32 bits");
    }

    #[test]
    fn passes_and_sweeps_are_named_where_there_are_several() {
        let prime = Modulus::Prime(2_147_483_647);
        let now = CountSnapshot { pass: 1, passes: 3, modulus: prime, sweep: 1, sweeps: 2, ..third_row() };
        let line = count(&now);
        assert!(line.contains("sweep 2 of 2, row 3") && line.contains("pass 2 of about 3 modulo 2147483647"), "{line}");
    }

    #[test]
    fn a_count_that_has_not_begun_has_no_share() {
        assert!(count(&CountSnapshot::default()).ends_with("planning: which states there can be"));
        let begun = count(&CountSnapshot { phase: CountPhase::Counting, ..CountSnapshot::default() });
        assert!(begun.contains("  0% done"), "{begun}");
    }
}
