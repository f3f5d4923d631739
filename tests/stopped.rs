//! What a run that was stopped reports is what was last seen of it, wherever the stop was asked for.

use destrier::board::{Board, Ending};
use destrier::event::{self, Event, EventKind};
use destrier::schedule::{
    BlockOutput, Crew, CrewPlan, CrewWatch, Format, RunOutcome, Scheduler, Snapshot, StopReason, Totals,
};
use destrier::search::HandOver;
use destrier::solve::{Problem, TourOutput, solver_by_name};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Room for every event of a run.
const EVENTS: usize = 1 << 18;

/// Hires, donations, nodes and tours.
type Counts = [u64; 4];

fn of_meters(seen: &Snapshot) -> Counts {
    [seen.hires(), seen.donations(), seen.nodes(), seen.tours()]
}

fn of_outcome(outcome: &RunOutcome) -> Counts {
    let total = outcome.total();
    let sum = |of: fn(&Totals) -> u64| outcome.workers.iter().map(of).sum();
    [sum(|worker| worker.sharing.hires), sum(|worker| worker.sharing.donations), total.nodes, total.tours]
}

fn of_events(events: &[Event]) -> [u64; 2] {
    let hires = events.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).count() as u64;
    let helpers = |event: &Event| if let EventKind::Donated { helpers, .. } = event.kind { helpers as u64 } else { 0 };
    [hires, events.iter().map(helpers).sum()]
}

/// Lists closed tours by `path` under every scheduler and rule, until `prepare` has the run stopped; answers what the
/// outcome says. Meters and events say the same.
fn stopped(board: &str, breaks: Option<Duration>, prepare: impl Fn(&mut Crew, CrewWatch) -> TourOutput) -> Vec<Counts> {
    let problem = Problem::new(board.parse::<Board>().unwrap(), Ending::Closed);
    let kinds = Scheduler::ALL.into_iter().flat_map(|scheduler| HandOver::ALL.map(|rule| (scheduler, rule)));
    let run = |(scheduler, hand_over)| {
        let what = format!("{scheduler:?} {hand_over:?}");
        let (sender, events) = event::channel(EVENTS);
        let mut crew = Crew::new(CrewPlan { hand_over, breaks, ..CrewPlan::of(6, scheduler) }, sender);
        let watch = crew.watch();
        let output = prepare(&mut crew, watch.clone());
        let outcome = solver_by_name("path").unwrap().solve(&problem, crew, output).unwrap();
        let (last, events) = (watch.snapshot(), events.try_iter().collect::<Vec<_>>());
        assert_eq!((outcome.stopped, last.events_lost), (Some(StopReason::Asked), 0), "{what}");
        assert_eq!(of_outcome(&outcome), of_meters(&last), "{what}: outcome and meters");
        assert_eq!(of_events(&events)[..], of_meters(&last)[..2], "{what}: events and meters");
        of_outcome(&outcome)
    };
    kinds.map(run).collect()
}

/// After the saver has asked for it, in a break, what each worker had left is dealt out once more and put down.
#[test]
fn a_stop_by_the_saver_adds_nothing_to_what_was_saved() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let reported = stopped("8x8", Some(Duration::from_millis(1)), |crew, watch| {
        let told = Arc::clone(&told);
        crew.set_saver(Box::new(move |so_far| {
            watch.control().stop(StopReason::Asked);
            told.lock().unwrap().push(of_outcome(so_far));
        }));
        None
    });
    assert_eq!(reported, *told.lock().unwrap());
}

/// Asks for the stop when the first block of tours is handed on.
struct Stopping(CrewWatch);

impl BlockOutput for Stopping {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        self.0.control().stop(StopReason::Asked);
        Ok(())
    }
}

#[test]
fn a_stop_where_tours_are_handed_out_is_reported_as_it_was_seen() {
    let reported = stopped("6x6", None, |_, watch| {
        // A tour fills the buffer of its worker.
        let format: Format = Box::new(|_, block| block.resize(block.len() + (1 << 16), b' '));
        Some((Box::new(Stopping(watch)), format))
    });
    assert!(reported.iter().all(|[.., tours]| *tours > 0), "{reported:?}");
}
