//! The view of compared runs: what was seen of them against what is shown, and pictures of the screen.

use super::fixture::{THEME, asks_before_it_ends, drawn, elapsed, hired, press as press_live, snapshot};
use destrier::event::Event;
use destrier::run::{Body, End, Frame, Rival, RivalState, SearchEnd, TreeFrame, conclusion};
use destrier::schedule::{Scheduler, StopReason};
use destrier::search::HandOver;
use destrier::ui::compare::{CompareModel, view};
use destrier::ui::kit::{Action, Common, Effect, ScreenEvent};
use destrier::ui::{Colours, Model, Theme};
use insta::assert_snapshot;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

fn frame(workers: usize, at: usize, events: Vec<Event>) -> Frame {
    let body = Body::Tree(Box::new(TreeFrame { snapshot: snapshot(workers, at), positions: Vec::new() }));
    Frame { body, events }
}

fn end(stopped: Option<StopReason>, elapsed: Duration) -> End {
    End::Run(SearchEnd { stopped, elapsed, pruned: Some(17_034_567), answer: None, tour: None })
}

/// Two runs that have ended, the second after twice as long, and one that goes on.
pub fn model((width, height): (u16, u16), theme: Theme) -> CompareModel {
    let runs = [("hire shallowest", Scheduler::HIRE), ("hire next", Scheduler::HIRE), ("static", Scheduler::STATIC)];
    let runs = runs.map(|(name, scheduler)| Rival::new(name, scheduler)).into();
    let mut model = CompareModel::new("6x7 closed tours", runs, Common::new(theme, Size { width, height }));
    for frames in [20, 40, 10] {
        model.begin();
        for at in 1..=frames {
            model.take(&frame(8, at, (at < 15).then(|| hired(8, at)).into_iter().collect()));
        }
        match frames {
            20 => model.end(&end(None, elapsed(20))),
            40 => model.end(&end(Some(StopReason::Asked), elapsed(40))),
            _ => {}
        }
    }
    model
}

fn press(model: &mut CompareModel, letter: char) -> Effect {
    model.update(ScreenEvent::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)))
}

fn screen(model: &CompareModel) -> String {
    drawn(model.common.screen, |frame| view(model, frame))
}

#[test]
fn runs_lie_side_by_side_on_one_time_axis() {
    assert_snapshot!("80x24", screen(&model((80, 24), THEME)));
    assert_snapshot!("200x60", screen(&model((200, 60), THEME)));
    assert_snapshot!("40x10", screen(&model((40, 10), THEME)));
}

/// The sentence that the printed table ends with takes the place of a loss when all runs are complete.
#[test]
fn complete_runs_are_concluded_in_whole_sentences() {
    for (width, height) in [(80, 24), (120, 36)] {
        let mut model = model((width, height), THEME);
        model.rivals.swap(1, 2);
        let stopped = model.rivals.pop();
        model.end(&end(None, elapsed(10)));
        let text = screen(&model);
        let sentence = conclusion(&model.rivals.iter().collect::<Vec<_>>()).expect("two complete runs");
        assert!(sentence.starts_with("Run 1 took 2.0 times as long as run 2."), "{sentence}");
        let below = text.lines().skip(4).map(|line| line.trim_matches(['"', ' '])).collect::<Vec<_>>().join(" ");
        assert!(below.starts_with(&format!("{sentence} workers with a branch")), "{text}");
        model.rivals.extend(stopped);
        assert!(!screen(&model).contains("times as long"), "one of them was stopped");
    }
}

/// A key turns to another page, and back.
#[test]
fn depths_and_verdicts_take_the_place_of_the_charts_over_time() {
    let mut model = model((80, 24), THEME);
    let over_time = screen(&model);
    for (name, code) in [("depths-80x24", KeyCode::Tab), ("why-80x24", KeyCode::Char('!'))] {
        model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        assert_snapshot!(name, screen(&model));
        model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        assert_eq!(screen(&model), over_time);
    }
}

#[test]
fn nothing_is_said_by_colour_or_by_rare_characters_alone() {
    let text = screen(&model((80, 24), Theme::from_env(|_| None)));
    assert!(text.is_ascii(), "{text}");
    let plain = screen(&model((80, 24), Theme { colours: Colours::None, ..THEME }));
    assert_eq!(plain, screen(&model((80, 24), THEME)));
}

#[test]
fn the_screen_of_any_size_can_be_drawn() {
    for width in (1..90).chain([200, 400]) {
        for height in (1..30).chain([100]) {
            screen(&model((width, height), THEME));
        }
    }
}

#[test]
fn figures_of_a_run_are_those_of_its_frames() {
    let mut model = model((80, 24), THEME);
    assert_eq!(
        model.rivals.iter().map(|rival| rival.state).collect::<Vec<_>>(),
        [RivalState::Done, RivalState::Stopped, RivalState::Running]
    );
    let (first, seen) = (&model.rivals[0], snapshot(8, 20));
    assert_eq!(first.last, seen);
    assert_eq!(first.nodes.between(seen.elapsed), seen.nodes() as f64);
    assert_eq!(first.busy.at(seen.elapsed), 0.0, "no worker works when it is over");
    assert_eq!(model.shown(), elapsed(40));
    // The time that is shown is halved, and reaches over all again.
    press(&mut model, '>');
    assert_eq!(model.shown(), elapsed(40) / 2);
    press(&mut model, '<');
    press(&mut model, '<');
    assert_eq!(model.shown(), elapsed(40));
    // What goes on is lost only with a yes.
    assert_eq!(press(&mut model, 'q'), Effect::Stay);
    assert_eq!(press(&mut model, 'n'), Effect::Stay);
    assert_eq!(press(&mut model, 'q'), Effect::Stay);
    assert_eq!(press(&mut model, 'y'), Effect::Leave);
    model.end(&end(None, elapsed(10)));
    assert_eq!(press(&mut model, 'q'), Effect::Leave);
}

/// What the live view offers: the next scheduler where that is asked about, the other rule after it was changed.
#[test]
fn a_live_view_offers_to_compare_instead_of_beginning_again() {
    let mut live = super::fixture::model(80, 24, 4, THEME);
    assert_eq!(press_live(&mut live, KeyCode::Char('S')), Effect::Stay);
    let (question, _) = live.common.asking.clone().expect("it is asked");
    assert!(question.contains("C compares instead"), "{question}");
    let (next, rule) = (Scheduler::ALL[1], HandOver::Shallowest);
    assert_eq!(live.scheduler, Scheduler::ALL[0]);
    assert_eq!(press_live(&mut live, KeyCode::Char('C')), Effect::Do(Action::Compare));
    assert_eq!(live.rival(), (next, rule));
    assert_eq!(live.common.asking, None);
    press_live(&mut live, KeyCode::Char('r'));
    assert_eq!(press_live(&mut live, KeyCode::Char('C')), Effect::Do(Action::Compare));
    assert_eq!(live.rival(), (Scheduler::ALL[0], rule));
    // Any other key still changes nothing.
    press_live(&mut live, KeyCode::Char('S'));
    assert_eq!(press_live(&mut live, KeyCode::Char('x')), Effect::Stay);
    assert_eq!(press_live(&mut live, KeyCode::Char('C')), Effect::Do(Action::Compare));
    assert_eq!(live.rival(), (next, HandOver::Next));
}

#[test]
fn runs_end_after_a_question_and_by_no_key_that_is_held_down() {
    asks_before_it_ends(|| model((80, 24), THEME));
}
