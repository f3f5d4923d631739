//! No pane cuts a number: what is left of it would be another number, and a reader could not tell.

use super::fixture::{THEME, drawn, ended, grouped, model, press, seen, simulated, snapshot};
use super::{compare, count};
use destrier::board::{Board, Ending, NumberedRoute, Tour};
use destrier::event::{Event, EventKind};
use destrier::gpu::DeviceChoice;
use destrier::run::{CycleSource, Question};
use destrier::search::HandOver;
use destrier::solve::{Problem, Request, solver_by_name};
use destrier::ui::kit::{Common, ScreenEvent, Theme};
use destrier::ui::step::{self, CyclesSubject, StepSubject};
use destrier::ui::tour::{self, ShownTour, Tours};
use destrier::ui::{LiveModel, Model, RunModel, WorkerOrder};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The widths of panes that are looked at. A screen has at least the smaller of these, and its panes are side by side.
const SCREENS: std::ops::RangeInclusive<u16> = 40..=204;
const PANES: std::ops::RangeInclusive<usize> = 20..=200;

/// Letters of frames, between which panes lie.
const FRAME: [char; 6] = ['│', '╭', '╮', '╰', '╯', '─'];

/// Draws a model, and each of its panes alone, at every width; notes the widths of framed panes, and complains of numbers
/// that are whole at one width and cut at the next.
fn look(name: &str, model: &mut dyn Model, keys: &str, seen: &mut BTreeSet<usize>) {
    for height in [10, 24, 60] {
        for key in std::iter::once(None).chain(keys.chars().map(Some)) {
            key.into_iter().for_each(|key| pressed(model, key));
            let mut before: Option<Vec<String>> = None;
            for width in SCREENS {
                let size = Size { width, height };
                model.update(ScreenEvent::Resized(size));
                let text = drawn(size, |frame| model.draw(frame));
                let lines: Vec<String> = text.lines().map(|line| line.trim_matches('"').to_owned()).collect();
                note_panes(&lines, seen);
                let place = format!("{name}, {key:?}, {width}x{height}");
                if let Some(line) = lines.iter().find(|line| ends_in_digits(line)) {
                    panic!("{place}: {line}\n{text}");
                }
                for (one, next) in before.iter().flatten().zip(&lines) {
                    let cut = parts(one).zip(parts(next)).find(|(one, next)| is_cut(one, next) || is_cut(next, one));
                    assert!(
                        cut.is_none(),
                        "{place}: {cut:?}\n{}\n{text}",
                        before.iter().flatten().cloned().collect::<Vec<_>>().join("\n")
                    );
                }
                before = Some(lines);
            }
            // The same key shows all panes again.
            key.into_iter().for_each(|key| pressed(model, key));
        }
    }
}

fn pressed(model: &mut dyn Model, key: char) {
    model.update(ScreenEvent::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE)));
}

/// The parts of a line that stand in different panes.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split(FRAME).filter(|part| !part.trim().is_empty())
}

/// The widths of the panes whose upper border is in a line.
fn note_panes(lines: &[String], seen: &mut BTreeSet<usize>) {
    for line in lines {
        let mut begun = None;
        for (at, letter) in line.chars().enumerate() {
            match letter {
                '╭' => begun = Some(at),
                '╮' => seen.extend(begun.take().map(|from| at + 1 - from)),
                _ => {}
            }
        }
    }
}

/// Whether the two are alike up to a number that has ended in the first, and goes on in the second.
fn is_cut(one: &str, next: &str) -> bool {
    let alike = one.chars().zip(next.chars()).take_while(|(a, b)| a == b).count();
    let word: String = next.chars().take(alike).collect();
    let word = word.rsplit(' ').next().unwrap_or_default();
    // In a table, a column may have come between.
    let has_ended = one.chars().skip(alike).all(|letter| letter == ' ');
    let mut behind = next.chars().skip(alike);
    let goes_on = match behind.next() {
        Some('.' | ',') => behind.next().is_some_and(|letter| letter.is_ascii_digit()),
        letter => letter.is_some_and(|letter| letter.is_ascii_digit() || "%kMGT".contains(letter)),
    };
    has_ended && goes_on && word.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether the sign for what is left out stands directly behind a digit: a range has a digit behind it, too.
fn ends_in_digits(line: &str) -> bool {
    line.match_indices("..").any(|(at, _)| {
        let behind = line[at + 2..].chars().next();
        line[..at].ends_with(|letter: char| letter.is_ascii_digit()) && behind.is_none_or(|letter| letter == ' ')
    })
}

/// Workers whose numbers have two digits, with every kind of event.
fn crew(workers: usize) -> LiveModel {
    let mut model = model(80, 24, workers, THEME);
    for (at, kind) in (3000..).zip([
        EventKind::FirstTour,
        EventKind::Donated { to: workers - 3, helpers: 14 },
        EventKind::Hired { by: workers - 1, depth: 27, left: None, company: Vec::new(), entered: None },
        EventKind::RuleChanged { rule: HandOver::Next },
    ]) {
        let event = Event { at: Duration::from_millis(at), worker: workers - 2, kind };
        model.take(seen(snapshot(workers, 31), vec![event], None));
    }
    model.hire = model.hires.log().find(|event| matches!(event.kind, EventKind::Hired { .. })).cloned();
    model
}

#[test]
fn no_pane_of_the_live_view_cuts_a_number_at_any_width() {
    let mut widths = BTreeSet::new();
    for workers in [4, 33, 1024] {
        look(&format!("{workers} workers"), &mut crew(workers), "12345678T", &mut widths);
        let mut ordered = grouped(80, 24, workers, 12);
        (ordered.order, ordered.selected) = (WorkerOrder::Waiting, workers - 1);
        look("ordered", &mut ordered, "1", &mut widths);
        press(&mut ordered, KeyCode::Char('c'));
        look("by cache", &mut ordered, "1", &mut widths);
    }
    look("a simulation", &mut simulated(80, 24, 1024, THEME), "15", &mut widths);
    let mut past = crew(33);
    press(&mut past, KeyCode::Char('['));
    look("the past", &mut past, "16", &mut widths);
    let mut over = crew(33);
    over.end(ended(None, Duration::from_secs(61)));
    look("the end", &mut over, "147!", &mut widths);
    let missing: Vec<usize> = PANES.filter(|width| !widths.contains(width)).collect();
    assert!(missing.is_empty(), "no pane is as wide as {missing:?}");
}

#[test]
fn no_pane_of_another_screen_cuts_a_number_at_any_width() {
    let mut widths = BTreeSet::new();
    look("a count", &mut count::counting(24, (80, 24), THEME), "12345", &mut widths);
    look("an answer", &mut count::answered((80, 24), THEME), "12345", &mut widths);
    look("a comparison", &mut compare::model((80, 24), THEME), "\t!", &mut widths);
    let board: Board = "8x8".parse().expect("a board");
    let search = Question::Search(solver_by_name("radley").expect("a method"), Problem::new(board, Ending::Closed));
    let mut steps = step::steps(StepSubject::of(&search).expect("it has steps")).model;
    "99s".chars().for_each(|key| pressed(&mut steps, key));
    look("a search in steps", &mut steps, "z", &mut widths);
    let request = Request { adapter: DeviceChoice::Cpu, ..Request::new(board, Ending::Open) };
    let subject = CyclesSubject::of(&request, true).expect("it has cycles");
    let source = CycleSource::start(subject.first.clone(), subject.wanted.clone());
    let mut film = step::cycles(subject, Box::new(source)).model;
    "40s".chars().for_each(|key| pressed(&mut film, key));
    look("cycles", &mut film, "z", &mut widths);
    let board: Board = "3x4".parse().expect("a board");
    let squares =
        "a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2".split(' ').map(|name| board.parse_square(name).expect("a square"));
    let tour = Tour::verify(board, Ending::Open, squares.collect::<Vec<_>>()).expect("a tour");
    let shown = |title: &str| ShownTour {
        facts: "turns 4, crossings 31".to_owned(),
        ..ShownTour::new(Arc::new(NumberedRoute::from(&tour)), title)
    };
    let routes = (0..1200).map(|_| shown("tours-of-2026.txt from tour 317 on")).collect();
    let common = Common::new(Theme::RICH, Size::ZERO);
    let mut tours = tour::TourModel::new(Tours { routes, note: None }, common);
    look("tours", &mut tours, "#", &mut widths);
}
