//! What the view says where there is nothing to go to, or nothing to list.

use super::{THEME, finder_subject, keys, latest, press, subject, text, themed, wait};
use crate::board::{Ending, Shape};
use crate::explain::{BranchEnd, ExplainedMove, MoveStatus, StepEvent};
use crate::search::Prune;
use crate::solve::{self, Problem, Request};
use crate::ui::step::model::StepTape;
use crate::ui::step::{SearchModel, StepSubject};
use ratatui::crossterm::event::KeyCode;
use std::collections::BTreeSet;

/// Radley's search of 6x6 with a test, used from a depth to another.
fn pruned(prune: Prune, window: std::ops::RangeInclusive<usize>) -> StepSubject {
    let problem = Problem { prune, window, ..Problem::new("6x6".parse::<Shape>().expect("a board"), Ending::Closed) };
    let radley = solve::solver_by_name("radley").expect("it is in the list");
    let search = radley.step_view(&problem).expect("it can be explained");
    StepSubject { search, ..subject("6x6", Ending::Closed, "radley") }
}

#[test]
fn a_search_without_cuts_says_so_and_stays() {
    let finder = |name| finder_subject(name, &Request::new("6x6".parse::<Shape>().expect("a board"), Ending::Open));
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
        let method = model.tape.title.method.clone();
        let says = |model: &SearchModel| {
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
        assert!(matches!(latest(&model), Some(StepEvent::Cut { .. })), "{}", model.tape.title.method);
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
    assert!(fixed.iter().any(|choice| choice.status == MoveStatus::Fixed));
    let screen = text(&model);
    assert!(screen.contains("move   to   open") && screen.contains("b6   - fixed"), "{screen}");
}

#[test]
fn a_branch_that_ended_at_once_was_tried_and_not_cut() {
    for (way, said) in [("D", "dead end: "), ("", "end by symmetry: another branch has its tours by ")] {
        let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
        keys(&mut model, way);
        wait(&mut model);
        let has_ended = |choice: &ExplainedMove| match choice.status {
            MoveStatus::Ended(end) => matches!(end, BranchEnd::Dead(_)) == (way == "D"),
            _ => false,
        };
        let end = loop {
            match model.tape.search().choices().into_iter().find(has_ended) {
                Some(end) => break end,
                None => keys(&mut model, "s"),
            }
        };
        let (screen, rank) = (text(&model), end.rank);
        let words = screen.split(|c: char| c.is_whitespace() || c == '│').filter(|word| !word.is_empty());
        assert!(
            words.collect::<Vec<_>>().join(" ").contains(said) && screen.contains(&format!("-{rank}-")),
            "{screen}"
        );
        assert!(!screen.contains(&format!("x{rank}x")), "{screen}");
    }
}

/// The first branch of 6x6 that ends does so by symmetry; the key of a dead end passes it.
#[test]
fn an_end_by_symmetry_names_the_image_and_is_no_dead_end() {
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (80, 24), THEME);
    keys(&mut model, "a");
    let Some(event @ StepEvent::Image { square, symmetry }) = latest(&model) else { panic!("{:?}", latest(&model)) };
    let said = event.sentence(model.tape.title.board());
    let square = model.tape.title.board().name(square);
    assert_eq!(said, format!("end by symmetry on {square}: another branch has its tours by {symmetry}"));
    assert!(text(&model).contains("dead ends 0"), "{}", text(&model));
    keys(&mut model, "gD");
    wait(&mut model);
    assert!(matches!(latest(&model), Some(StepEvent::DeadEnd { .. })), "{:?}", latest(&model));
    assert!(text(&model).contains("dead ends 1"), "{}", text(&model));
}

#[test]
fn no_label_of_a_piece_can_be_read_as_a_square() {
    for (board, method) in [("6x6", "edges"), ("8x16", "edges"), ("8x8", "quarter-turn")] {
        let mut model = themed(subject(board, Ending::Closed, method), (200, 60), THEME);
        keys(&mut model, "9s");
        let names: BTreeSet<String> =
            model.tape.title.board().all().map(|square| model.tape.title.board().name(square)).collect();
        let screen = text(&model);
        let squares =
            screen.lines().map(|line| line.chars().take(100).collect::<String>()).collect::<Vec<_>>().join(" ");
        assert!(squares.contains("1A") && squares.contains("2A"), "{screen}");
        let words = squares.split(|c: char| c.is_whitespace() || c == '│');
        let read = words.filter(|word| names.contains(&word.to_lowercase())).collect::<Vec<_>>();
        assert!(read.is_empty(), "{board} {method}: {read:?}\n{screen}");
    }
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
