//! From the meters of workers to the screen: what a worker publishes is what its row says.

use super::model::{About, LiveModel};
use super::view::screen_text;
use crate::board::Ending;
use crate::event::{Event, EventKind};
use crate::run::{Body, Frame, TreeFrame};
use crate::schedule::{Control, Levels, Meters, Scheduler, Snapshot, WorkerState};
use crate::search::{HandOver, Tally};
use crate::ui::kit::{Common, Theme};
use crate::ui::playing::RunModel;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Longer than any test, so that a worker has always published just now.
const LATER: Duration = Duration::from_secs(3600);
/// A worker is on its processor if it has published within 20 ms.
const ON_TIME: Duration = Duration::from_millis(15);
const TOO_LATE: Duration = Duration::from_millis(25);

const WORKERS: usize = 7;

/// Six workers as they are in a run, each with the depth 10 and its number.
fn meters() -> Meters {
    let meters = Meters::new(WORKERS, Levels::Off);
    let (zero, now) = (Duration::ZERO, Duration::from_micros(1));
    let states: [(WorkerState, Duration, Option<usize>); WORKERS] = [
        (WorkerState::Busy, LATER, None),
        // It has published nothing since it began.
        (WorkerState::Busy, now, None),
        (WorkerState::Waiting, LATER, Some(0)),
        // They were hired, and have ended, without a word about where they had waited.
        (WorkerState::Busy, LATER, Some(1)),
        (WorkerState::Done, LATER, Some(1)),
        (WorkerState::Idle, LATER, Some(1)),
        (WorkerState::Paused, LATER, None),
    ];
    for (id, (state, published, waited_at)) in states.into_iter().enumerate() {
        let meter = meters.of(id);
        meter.enter(WorkerState::Waiting, zero, waited_at);
        meter.enter(state, now, waited_at);
        let tally = Tally { nodes: 1000 + id as u64, tours: id as u64, ..Tally::default() };
        meter.publish(published, &tally, 10 + id, Some(2));
    }
    meters
}

/// The live view of a snapshot, with a hire of worker 3 by worker 1 long ago.
fn shown(seen: Snapshot) -> LiveModel {
    let about = About {
        shape: "8x8".parse().unwrap(),
        ending: Ending::Closed,
        convention: "undirected".to_owned(),
        method: "radley".to_owned(),
        detail: String::new(),
        faster: None,
        finds: false,
        may_restart: false,
    };
    let common = Common::new(Theme::RICH, Size { width: 80, height: 24 });
    let mut model = LiveModel::new(about, common, Scheduler::HIRE, 10, seen.clone());
    let kind = EventKind::Hired { by: 1, depth: 5, left: None, company: Vec::new(), entered: None };
    let events = vec![Event { at: Duration::ZERO, worker: 3, kind }];
    // A hire is marked for a moment: the run has gone on since then.
    let seen = Snapshot { elapsed: seen.elapsed + LATER, ..seen };
    model.take(Frame { body: Body::Tree(Box::new(TreeFrame { snapshot: seen, positions: Vec::new() })), events });
    model
}

/// The row of a worker: number, state, and what stands in place of its bar or behind it.
fn row(text: &str, worker: usize) -> String {
    let line = text.lines().find(|line| line.starts_with(&format!("│{worker:>4} "))).unwrap_or_default();
    line.trim_matches(['│', ' ']).to_owned()
}

#[test]
fn a_row_says_of_a_worker_what_its_meter_says() {
    let (meters, control) = (meters(), Control::new(HandOver::Shallowest, None, None));
    while meters.since(Instant::now()) < TOO_LATE {
        std::thread::sleep(Duration::from_millis(1));
    }
    let text = screen_text(&shown(meters.snapshot(&control, 0)));
    let begins = |text: &str| -> Vec<String> {
        (0..WORKERS).map(|worker| row(text, worker).chars().take(3).collect()).collect()
    };
    // Without a core the last one does not know yet that its pause is over.
    assert_eq!(begins(&text), ["0 B", "1 n", "2 w", "3 B", "4 x", "5 w", "6 n"], "{text}");
    // An arrow leads from a worker that waits, and from no other one.
    for worker in 0..WORKERS {
        let row = row(&text, worker);
        assert_eq!(row.contains("→"), worker == 2, "{text}");
        let has_depth = row.contains(&format!(" {}    2 ", 10 + worker));
        assert_eq!(has_depth, [0, 1, 3, 6].contains(&worker), "{row}\n{text}");
        assert!(row.contains(" 1,00"), "its nodes: {row}");
    }
    assert!(row(&text, 2).starts_with("2 w → 0 "), "{text}");
    assert!(text.contains("B searching 2  w waiting 2  n no processor 2  x done 1"), "{text}");
    control.pause();
    let text = screen_text(&shown(meters.snapshot(&control, 0)));
    assert_eq!(begins(&text)[6], "6 p", "{text}");
}

/// A burst takes less than a millisecond, and a frame is taken at any time between two.
#[test]
fn a_worker_that_has_published_within_fifteen_milliseconds_has_its_processor() {
    let (meters, control) = (Meters::new(1, Levels::Off), Control::new(HandOver::Shallowest, None, None));
    let begun = Instant::now();
    loop {
        let now = meters.since(Instant::now());
        meters.of(0).enter(WorkerState::Busy, now, None);
        std::thread::sleep(Duration::from_millis(1));
        let seen = meters.snapshot(&control, 0);
        let silent = seen.elapsed.saturating_sub(now);
        // On a machine with other work this thread may have been away for longer.
        if silent < ON_TIME {
            assert!(silent > Duration::from_micros(500));
            let text = screen_text(&shown(seen));
            return assert!(row(&text, 0).starts_with("0 B ") && !text.contains("n no processor"), "{text}");
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "never looked at within {ON_TIME:?}");
    }
}
