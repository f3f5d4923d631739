//! The clock of the run, which is not that of the view: a run that was resumed, one that is held, and the moment that is
//! shown.

use super::fixture::{THEME, elapsed, hired, marked, model, press, seen, snapshot};
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
    assert!(text.contains("sampled since 4.00s") && text.contains("6.50s "), "{text}");
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
    assert_eq!(clock(&model).as_deref(), Some("0:02"), "{}", screen_text(&model));
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
