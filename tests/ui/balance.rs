//! The balance of a run on the whole screen: from a run that is made up, now and at moments that are past.

use super::fixture::{THEME, model, noise, press, seen, snapshot};
use destrier::event::{Event, EventKind};
use destrier::schedule::{Snapshot, WorkerState};
use destrier::ui::kit::Effect;
use destrier::ui::{Colours, LiveModel, RunModel, Signs, Theme, screen_text};
use insta::assert_snapshot;
use ratatui::crossterm::event::KeyCode;
use std::time::Duration;

/// A run of so many workers and three seconds, in which each is hired again a moment after it ran dry; at its end the
/// balance has the whole screen.
fn shared(width: u16, height: u16, workers: usize, theme: Theme) -> LiveModel {
    let mut model = model(width, height, workers, theme);
    let (about, scheduler) = (model.about.clone(), model.scheduler);
    model.begin(about, scheduler);
    let ms = Duration::from_millis;
    let event = |at, worker, kind| Event { at: ms(at), worker, kind };
    let idle = |nodes| EventKind::Idle { nominee: Some(0), level: Some(3), nodes, put_down: false };
    let mut hires = vec![0; workers];
    for frame in 0..=30 {
        let (from, mut events) = (100 * frame as u64, Vec::new());
        if frame == 0 {
            events.push(event(0, 0, EventKind::Began { depth: 0 }));
        }
        for worker in 1..workers {
            let (at, by) = (from.saturating_sub(50) + noise(frame, worker) as u64 % 40, noise(worker, frame) % worker);
            match frame {
                0 => events.push(event(0, worker, idle(0))),
                _ => {
                    let nodes = 1 << (noise(worker, frame) % 20);
                    let dry = event(at, worker, idle(if frame == 1 { 0 } else { nodes }));
                    let depth = 3 + noise(frame, worker) % 12;
                    let kind = EventKind::Hired { by, depth, left: Some(4), company: Vec::new(), entered: None };
                    hires[by] += 1;
                    events.extend([dry, event(at + 5, worker, kind)]);
                }
            }
        }
        let last = frame == 30;
        if last {
            events.extend((0..workers).map(|worker| event(2980 + worker as u64 % 20, worker, idle(9))));
            events.push(event(3000, 0, EventKind::Finished));
        }
        events.sort_by_key(|event| event.at);
        let mut snapshot: Snapshot = snapshot(workers, frame);
        for (worker, hires) in snapshot.workers.iter_mut().zip(&hires) {
            worker.sharing.hires = *hires;
            worker.state = if last { WorkerState::Done } else { worker.state };
        }
        model.take(seen(snapshot, events, None));
    }
    press(&mut model, KeyCode::Char('4'));
    model
}

#[test]
fn it_has_the_whole_screen() {
    for (width, height, workers) in [(80, 24, 1), (80, 24, 4), (80, 24, 64), (200, 60, 64), (40, 10, 4)] {
        let model = shared(width, height, workers, THEME);
        assert_snapshot!(format!("{width}x{height}_{workers}"), screen_text(&model));
        for theme in
            [Theme { signs: Signs::Ascii, ..THEME }, Theme { signs: Signs::Ascii, colours: Colours::None, ..THEME }]
        {
            assert!(screen_text(&shared(width, height, workers, theme)).is_ascii());
        }
    }
}

/// Below the figures the charts come, and who hired whom.
#[test]
fn its_end_is_what_was_counted() {
    for (width, height, workers) in [(80, 24, 4), (80, 24, 64), (40, 10, 4)] {
        let mut model = shared(width, height, workers, THEME);
        press(&mut model, KeyCode::End);
        assert_snapshot!(format!("{width}x{height}_{workers}_end"), screen_text(&model));
    }
}

/// Every line of it is seen on the smallest screens, and at both ends of it it stays.
#[test]
fn it_is_read_on_where_it_has_no_room() {
    for (width, height) in [(80, 24), (40, 10)] {
        let mut model = shared(width, height, 4, THEME);
        let mut all = screen_text(&model);
        for _ in 0..120 {
            press(&mut model, KeyCode::Down);
            all += &screen_text(&model);
        }
        let last = model.reading;
        for words in ["searching", "tail", "tasks by their nodes", "hires by depth", "who hired whom"] {
            assert!(all.contains(words), "{words}");
        }
        press(&mut model, KeyCode::Char('g'));
        assert_eq!((model.reading, model.selected), (0, 0));
        press(&mut model, KeyCode::Char('G'));
        assert_eq!((model.reading, model.selected), (last, 0));
        // A page back, and a page on.
        for (back, on) in [(KeyCode::PageUp, KeyCode::PageDown), (KeyCode::Char('K'), KeyCode::Char('J'))] {
            press(&mut model, back);
            let page = last - model.reading;
            assert!(page > 3, "{page} lines");
            press(&mut model, on);
            assert_eq!((model.reading, model.selected), (last, 0));
        }
        // Without the whole screen the keys are about workers.
        press(&mut model, KeyCode::Esc);
        press(&mut model, KeyCode::Char('G'));
        assert_eq!(model.selected, 3);
    }
    assert!(screen_text(&shared(80, 24, 4, THEME)).contains("k j: lines 1 to "));
}

#[test]
fn a_moment_that_is_past_has_the_balance_up_to_it() {
    let mut model = shared(80, 24, 4, THEME);
    let hires = |model: &LiveModel| model.balance.figures().hires;
    let whole = hires(&model);
    assert_eq!(model.balance.figures().hires_unseen, 0);
    press(&mut model, KeyCode::Char('{'));
    assert_eq!(hires(&model), 0);
    (0..5).for_each(|_| assert_eq!(press(&mut model, KeyCode::Char(']')), Effect::Stay));
    assert_eq!(hires(&model), 5);
    press(&mut model, KeyCode::Char('}'));
    assert_eq!(hires(&model), whole);
}

#[test]
fn no_screen_and_no_crew_makes_it_panic() {
    for (width, height) in [(40, 10), (41, 12), (60, 13), (109, 20), (110, 20), (500, 12)] {
        for workers in [1, 2, 40, 300] {
            screen_text(&shared(width, height, workers, THEME));
        }
    }
}
