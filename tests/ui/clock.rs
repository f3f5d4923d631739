//! The clock of the run, which is not that of the view: a run that was resumed, one that is held, and the moment that is
//! shown.

use super::fixture::{THEME, elapsed, ended, hired, marked, model, press, seen, snapshot};
use destrier::event::{Event, EventKind};
use destrier::schedule::{EarlierRun, SharingCounts, Snapshot};
use destrier::ui::{LiveModel, RunModel, screen_text};
use insta::assert_snapshot;
use ratatui::crossterm::event::KeyCode;
use std::time::Duration;

/// How long the run before took.
const BEFORE: Duration = Duration::from_secs(4);

/// The model of a run of four workers, before its first frame.
fn unseen() -> LiveModel {
    let mut model = model(80, 24, 4, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    model
}

/// Three seconds of a run that was resumed.
fn resumed() -> LiveModel {
    let mut model = unseen();
    let sharing = SharingCounts { hires: 12, donations: 3 };
    let earlier = EarlierRun { elapsed: BEFORE, nodes: 1_000_000, tours: 10, sharing };
    for frame in 0..=30 {
        let seen_at = Snapshot {
            elapsed: BEFORE + elapsed(frame),
            earlier: Some(earlier),
            depths_since: BEFORE,
            ..snapshot(4, frame)
        };
        let mut events = if frame % 10 == 5 { vec![hired(4, frame)] } else { Vec::new() };
        events.iter_mut().for_each(|event| event.at += BEFORE);
        model.take(seen(seen_at, events, None));
    }
    model
}

#[test]
fn a_resumed_run_has_the_time_of_the_run_before_wherever_it_stands() {
    let text = screen_text(&resumed());
    let first = text.lines().next().unwrap_or_default();
    assert!(first.ends_with(" 0:07"), "{text}");
    assert!(text.contains("1 in 64 since 4.00s") && text.contains("6.50s "), "{text}");
    assert_snapshot!("resumed", text);
}

#[test]
fn a_pause_leaves_the_clock_where_it_was() {
    let mut model = unseen();
    (0..=20).for_each(|frame| model.take(seen(snapshot(4, frame), Vec::new(), None)));
    let clock = |model: &LiveModel| {
        let text = screen_text(model);
        text.lines().next().and_then(|line| line.rsplit(' ').next()).map(str::to_owned)
    };
    assert_eq!(clock(&model).as_deref(), Some("0:02"));
    for frame in 21..=60 {
        model.take(seen(Snapshot { paused: true, ..snapshot(4, frame) }, Vec::new(), None));
    }
    assert!(screen_text(&model).contains("PAUSED"));
    // What had happened between the last two looks before it is of the run.
    assert_eq!(clock(&model).as_deref(), Some("0:02.000"), "{}", screen_text(&model));
}

/// Which cells are reversed: the selected worker, the badge, and over time the column of the moment and no other.
#[test]
fn of_a_past_moment_its_own_column_is_marked() {
    let mut model = unseen();
    (0..=30).for_each(|frame| model.take(seen(snapshot(4, frame), vec![hired(4, frame)], None)));
    press(&mut model, KeyCode::Char('6'));
    for back in 1..=8 {
        press(&mut model, KeyCode::Char('b'));
        let at = model.playback.shown().expect("an earlier moment").at;
        let columns = model.timeline.shown(model.window.length(), 200);
        let own: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].at == at).collect();
        let text = marked(&model);
        // The rows of the workers begin behind the frame and the number of a worker.
        let marks: Vec<usize> = text
            .lines()
            .skip_while(|line| !line.contains(" over time"))
            .skip(1)
            .take(2)
            .flat_map(|line| {
                line.chars().enumerate().filter(|(_, letter)| *letter == '^').map(|(at, _)| at - 7).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!((own.len(), &marks), (1, &own), "{back} back, {at:?}:\n{text}");
    }
    assert_snapshot!("marked", marked(&model));
}

/// An event 9 us behind a look: the figures are of the look, in which a worker at full speed tells what it did some milliseconds
/// before. In slow motion it tells each node.
#[test]
fn the_age_of_figures_is_no_finer_than_they_are() {
    for (pace, said) in [(None, "figures under 0.1 s earlier"), (Some(1_000_000), "figures 56.0 ns earlier")] {
        let mut model = unseen();
        for frame in 0..=30 {
            let at = elapsed(frame) + Duration::from_micros(9);
            let events = if frame == 29 { vec![Event { at, ..hired(4, frame) }] } else { Vec::new() };
            model.take(seen(Snapshot { pace, ..snapshot(4, frame) }, events, None));
        }
        press(&mut model, KeyCode::Char('['));
        assert!(screen_text(&model).contains(said), "{}", screen_text(&model));
    }
}

/// Times that differ by a microsecond have seven digits, beside which the narrow log has no room for its words.
#[test]
fn digits_of_a_time_cut_no_words_of_the_log() {
    let mut model = unseen();
    (0..=150).for_each(|frame| model.take(seen(snapshot(4, frame), Vec::new(), None)));
    let micros = |by| elapsed(151) + Duration::from_micros(by);
    let tour = Event { at: micros(3), worker: 190, kind: EventKind::FirstTour };
    let hires = (0..3).map(|by| Event { at: micros(by), ..hired(4, by as usize) });
    model.take(seen(snapshot(4, 152), hires.chain([tour]).collect(), None));
    let text = screen_text(&model);
    assert!(text.contains("│ 15.1s first tour by 190"), "{text}");
    let log: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("│ 15.1")?.1.split_once(" → ")).map(|(_, hire)| hire).collect();
    assert_eq!(log.iter().filter(|hire| hire.contains(" at ")).count(), 3, "{text}");
}

/// A busy machine looks at a run for the last time when it has been over for a while.
#[test]
fn no_time_is_later_than_the_end_of_the_run() {
    let mut model = unseen();
    (0..=30).for_each(|frame| model.take(seen(snapshot(4, frame), Vec::new(), None)));
    model.end(ended(None, elapsed(30) - Duration::from_millis(90)));
    for pane in ['6', '7'] {
        press(&mut model, KeyCode::Char(pane));
        let text = screen_text(&model);
        assert!(text.contains("2.91s") && !text.contains("3.00s"), "{text}");
    }
}
