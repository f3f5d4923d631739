//! Histories that no run of this program has: their events begin before their frames, or their frames go back in time.

use super::fixture::{THEME, drawing, elapsed, hired, model, press, seen, snapshot};
use destrier::run::Frame;
use destrier::ui::kit::{Pane, ScreenEvent};
use destrier::ui::{LiveModel, LivePane, Model, RunModel, WorkerOrder, screen_text};
use ratatui::crossterm::event::KeyCode;

/// Presses keys, and draws after each; `~` stands for escape, and `\r` for enter.
fn look_at(model: &mut LiveModel, letters: &str) {
    for letter in letters.chars() {
        let code = match letter {
            '~' => KeyCode::Esc,
            '\r' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        press(model, code);
        assert!(!screen_text(model).is_empty());
    }
}

/// Goes where `there` leads, and shows every pane in every order.
fn look_through(model: &mut LiveModel, there: &str) {
    for order in WorkerOrder::ALL {
        model.order = order;
        look_at(model, there);
        LivePane::all().for_each(|pane| look_at(model, &format!("{0}{0}", pane.key())));
        look_at(model, "jlGgkh/wait\r~");
    }
}

/// Presses every letter, each where `there` leads.
fn press_all(model: &mut LiveModel, there: &str) {
    model.order = WorkerOrder::Depth;
    for letter in '!'..='~' {
        look_at(model, there);
        look_at(model, &format!("{letter}~~"));
    }
}

/// Frames of four workers of which the first was lost, with what had happened before it.
fn headless() -> Vec<Frame> {
    let board = "8x8".parse().unwrap();
    let events = || (1..20).map(|frame| hired(4, frame)).collect();
    let first = seen(snapshot(4, 20), events(), Some(drawing(board, 20)));
    let rest = (21..24).map(|frame| seen(snapshot(4, frame), vec![hired(4, frame)], None));
    std::iter::once(first).chain(rest).collect()
}

fn shown(workers: usize, frames: &[Frame]) -> LiveModel {
    let mut model = model(100, 40, workers, THEME);
    let about = model.about.clone();
    model.begin(about, model.scheduler);
    // Before the first frame of another run the workers are those of the run before.
    for order in WorkerOrder::ALL {
        model.order = order;
        look_at(&mut model, "Gg");
    }
    frames.iter().for_each(|frame| model.take(frame.clone()));
    model
}

#[test]
fn before_the_first_frame_every_order_and_every_pane_is_shown() {
    let mut model = shown(4, &headless());
    look_through(&mut model, "{[");
    press_all(&mut model, "{[");
    look_at(&mut model, "{[");
    assert_eq!(model.playback.shown().map(|moment| moment.at), Some(elapsed(19)));
    let depths = |model: &LiveModel| model.snapshot.workers.iter().map(|worker| worker.depth).collect::<Vec<_>>();
    assert_eq!(depths(&model).len(), 4);
    assert!(depths(&model).iter().any(|&depth| depth > 0), "the depths are those of the first frame");
    while model.common.notice.is_none() {
        look_at(&mut model, "[");
    }
    assert_eq!(model.playback.shown().map(|moment| moment.at), Some(elapsed(1)));
    // Played on from there, the first frame is what it is without a past.
    let mut model = shown(4, &headless());
    look_at(&mut model, "{");
    let (first, busiest) = (depths(&model), model.hires.busiest(9));
    look_at(&mut model, "[p");
    model.update(ScreenEvent::Passed(elapsed(1)));
    assert_eq!(model.playback.shown().map(|moment| moment.at), Some(elapsed(20)));
    assert_eq!((depths(&model), model.hires.busiest(9)), (first, busiest));
}

#[test]
fn frames_that_go_back_in_time_or_change_the_crew_are_shown() {
    let reversed: Vec<Frame> = headless().into_iter().rev().collect();
    let crews = [9, 2, 0, 300, 1].into_iter().zip(20..);
    let crews: Vec<Frame> = crews.map(|(workers, at)| seen(snapshot(workers, at), vec![hired(4, at)], None)).collect();
    let mixed = [crews.clone(), reversed.clone()].concat();
    for frames in [reversed, crews, mixed] {
        let mut model = shown(64, &frames);
        for there in ["}", "{", "{["] {
            look_through(&mut model, there);
        }
        press_all(&mut model, "");
        assert!(model.selected <= model.snapshot.workers.len());
    }
}
