//! What the view says where there is nothing to go to, or nothing to list.

use super::{THEME, finder_subject, keys, latest, press, subject, text, themed, wait};
use crate::board::Ending;
use crate::explain::{ExplainedMove, MoveStanding, StepEvent};
use crate::search::Prune;
use crate::solve::{self, Problem, Request};
use crate::ui::step::{StepModel, StepSubject};
use ratatui::crossterm::event::KeyCode;

/// Radley's search of 6x6 with a test, used from a depth to another.
fn pruned(prune: Prune, window: std::ops::RangeInclusive<usize>) -> StepSubject {
    let problem = Problem { prune, window, ..Problem::new("6x6".parse().expect("a board"), Ending::Closed) };
    let radley = solve::solver_by_name("radley").expect("it is in the list");
    let search = radley.step_view(&problem).expect("it can be explained");
    StepSubject { search, ..subject("6x6", Ending::Closed, "radley") }
}

#[test]
fn a_search_without_cuts_says_so_and_stays() {
    let finder = |name| finder_subject(name, &Request::new("6x6".parse().expect("a board"), Ending::Open));
    for subject in [
        subject("6x6", Ending::Closed, "edges"),
        subject("6x6", Ending::Open, "brute"),
        finder("dfs"),
        finder("order-by-avail"),
        pruned(Prune::None, 0..=usize::MAX),
        pruned(Prune::AnyIsolated, 37..=usize::MAX),
        pruned(Prune::AnyIsolated, 0..=1),
    ] {
        let mut model = themed(subject, (200, 60), THEME);
        keys(&mut model, "9s");
        let method = model.title.method.clone();
        let says = |model: &StepModel| {
            let has = |text: String| text.contains(&format!("{method} makes no cuts: ")) && text.contains("; x has");
            assert!(has(text(model)) && model.run.is_none() && model.tape.at() == 9, "{method}");
        };
        keys(&mut model, "x");
        says(&model);
        keys(&mut model, "b");
        keys(&mut model, "s@cut");
        press(&mut model, KeyCode::Enter);
        says(&model);
    }
}

#[test]
fn a_search_that_may_cut_does() {
    for subject in [
        subject("6x6", Ending::Closed, "path"),
        subject("8x8", Ending::Closed, "quarter-turn"),
        pruned(Prune::AllIsolated, 0..=usize::MAX),
        pruned(Prune::Region, 0..=usize::MAX),
        pruned(Prune::AnyIsolated, 30..=36),
    ] {
        let mut model = themed(subject, (80, 24), THEME);
        keys(&mut model, "x");
        wait(&mut model);
        assert!(matches!(latest(&model), Some(StepEvent::Cut { .. })), "{}", model.title.method);
    }
}

#[test]
fn the_pane_of_the_moves_is_never_empty() {
    for (board, ending, method) in [
        ("6x6", Ending::Closed, "edges"),
        ("5x6", Ending::Closed, "edges"),
        ("4x4", Ending::Closed, "edges"),
        ("1x1", Ending::Open, "brute"),
        ("3x3", Ending::Open, "brute"),
        ("6x6", Ending::Closed, "quarter-turn"),
    ] {
        let mut model = themed(subject(board, ending, method), (80, 24), THEME);
        press(&mut model, KeyCode::BackTab);
        keys(&mut model, "z");
        for _ in 0..1200 {
            let screen = text(&model);
            let inside = screen.lines().skip(3).take(19).flat_map(str::chars);
            assert!(inside.filter(|letter| letter.is_alphabetic()).count() > 9, "{board} {method}\n{screen}");
            keys(&mut model, "s");
        }
    }
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
    assert!(text(&model).contains("nothing is decided yet"));
    keys(&mut model, "n");
    wait(&mut model);
    assert!(text(&model).contains("a tour: it has every square"));
}

#[test]
fn a_fixed_move_has_no_rank() {
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
    keys(&mut model, "20s");
    let fixed = model.tape.search().choices();
    assert!(fixed.iter().any(|choice| choice.standing == MoveStanding::Fixed));
    let screen = text(&model);
    assert!(screen.contains("move   to   open") && screen.contains("b6   - fixed"), "{screen}");
}

#[test]
fn what_led_to_a_dead_end_at_once_was_tried_and_not_cut() {
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
    keys(&mut model, "s");
    assert!(text(&model).contains("A1") && text(&model).contains("A2"), "one piece has a letter too");
    let is_end = |choice: &ExplainedMove| matches!(choice.standing, MoveStanding::DeadEnd(_));
    let end = loop {
        match model.tape.search().choices().into_iter().find(is_end) {
            Some(end) => break end,
            None => keys(&mut model, "s"),
        }
    };
    let (screen, rank) = (text(&model), end.rank);
    assert!(screen.contains("dead end: its tours are") && screen.contains(&format!("-{rank}-")), "{screen}");
    assert!(!screen.contains(&format!("x{rank}x")), "{screen}");
}

#[test]
fn one_of_a_thing_has_no_plural() {
    let board = "6x6".parse().expect("a board");
    assert_eq!(StepEvent::Few { pieces: 1 }.sentence(board), "1 piece left: a tour, if a move joins its ends");
    assert!(StepEvent::Few { pieces: 2 }.sentence(board).starts_with("2 pieces left: every way"));
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
    keys(&mut model, "-");
    assert!(text(&model).contains(" 1 step a second"));
}
