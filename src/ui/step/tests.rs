//! The step view: keys against what is shown, and pictures of the screen.

use crate::board::{Ending, MOVE_NAMES, Shape};
use crate::explain::{ExplainedMove, MoveStatus, Reason, StepEvent};
use crate::run::Question;
use crate::search::Prune;
use crate::solve::{self, Problem, Request};
use crate::ui::About;
use crate::ui::kit::{Common, Effect, Role, ScreenEvent};
use crate::ui::screen::Model;
use crate::ui::step::model::StepTape;
use crate::ui::step::{SearchModel, StepSubject, view};
use crate::ui::{Colours, Signs, Theme};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Color;
use std::time::Duration;

mod film;
mod places;
mod reasons;
mod tree;

/// A terminal with everything.
const THEME: Theme = Theme::RICH;

/// The search of a solver, or else of a finder from the third row.
fn subject(board: &str, ending: Ending, method: &str) -> StepSubject {
    let shape: Shape = board.parse().expect("a board");
    let board = shape.board();
    let Some(solver) = solve::solver_by_name(method) else {
        let start = board.at(2 * board.cols());
        return finder_subject(method, &Request { start, ..Request::new(board, ending) });
    };
    let mut problem = Problem::new(shape.clone(), ending);
    if method == "radley" {
        problem.prune = Prune::AnyIsolated;
    }
    solver.admits(&problem).expect("it takes the problem");
    let search = solver.step_view(&problem).expect("it can be explained");
    StepSubject {
        shape,
        ending,
        method: solver.name().into(),
        detail: "a detail".into(),
        note: None,
        place: None,
        search,
    }
}

/// The name of a board has its holes: nothing beside it names them again.
#[test]
fn holes_stand_once_in_a_header() {
    let shape: Shape = "6x6-f6,a1".parse().expect("a board");
    let path = solve::solver_by_name("path").expect("it is in the list");
    let question = Question::Search(path, Problem::new(shape, Ending::Open));
    assert_eq!(About::new(&question, true).detail, "");
    let model = themed(StepSubject::of(&question).expect("it can be explained"), (120, 40), THEME);
    let header = text(&model).lines().next().unwrap_or_default().to_owned();
    assert!(header.contains("6x6-f6,a1 open  path") && !header.contains("without"), "{header}");
}

fn finder_subject(name: &str, request: &Request) -> StepSubject {
    let finder = solve::finder_by_name(name).expect("it is in the list");
    let search = finder.step_view(request).expect("it can be explained");
    let (shape, ending, method) = (request.shape.clone(), request.ending, name.into());
    StepSubject { shape, ending, method, detail: String::new(), note: None, place: None, search }
}

fn themed(subject: StepSubject, (width, height): (u16, u16), theme: Theme) -> SearchModel {
    SearchModel::new(subject, Common::new(theme, Size { width, height }))
}

/// Radley's search of 6x6.
fn radley(size: (u16, u16)) -> SearchModel {
    themed(subject("6x6", Ending::Closed, "radley"), size, THEME)
}

fn press(model: &mut SearchModel, code: KeyCode) -> Effect {
    model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

fn keys(model: &mut SearchModel, letters: &str) {
    letters.chars().for_each(|letter| assert_eq!(press(model, KeyCode::Char(letter)), Effect::Stay));
}

/// Lets the time pass until nothing runs.
fn wait(model: &mut SearchModel) {
    while model.run.is_some() {
        model.update(ScreenEvent::Passed(Duration::from_millis(100)));
    }
}

fn drawn(model: &SearchModel) -> Terminal<TestBackend> {
    let Size { width, height } = model.common.screen;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
    terminal.draw(|frame| view(model, frame)).expect("it draws");
    terminal
}

fn text(model: &SearchModel) -> String {
    let terminal = drawn(model);
    let cells = terminal.backend().buffer().content.chunks(usize::from(model.common.screen.width.max(1)));
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    cells.map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
}

fn latest(model: &SearchModel) -> Option<StepEvent> {
    model.tape.events().next().copied()
}

#[test]
fn screens() {
    for size in [(80, 24), (200, 60), (40, 10), (40, 24)] {
        let mut model = themed(subject("6x6", Ending::Closed, "edges"), size, THEME);
        keys(&mut model, "20s");
        assert_snapshot!(format!("edges_{}x{}", size.0, size.1), text(&model));
        keys(&mut model, "z");
        assert_snapshot!(format!("tree_{}x{}", size.0, size.1), text(&model));
        let mut model = radley(size);
        keys(&mut model, "13s");
        assert_snapshot!(format!("cut_{}x{}", size.0, size.1), text(&model));
        keys(&mut model, "6s");
        assert_snapshot!(format!("back_{}x{}", size.0, size.1), text(&model));
    }
    let mut model = radley((80, 24));
    assert_snapshot!("begin", text(&model));
    keys(&mut model, "?");
    assert_snapshot!("help", text(&model));
    keys(&mut model, "?#a");
    assert_snapshot!("lines", text(&model));
    keys(&mut model, "#120s33");
    assert_snapshot!("count", text(&model));
}

#[test]
fn boards_and_methods() {
    let shown = [
        ("5x5", Ending::Open, "brute", "n"),
        ("8x8", Ending::Closed, "path", "3000i"),
        ("3x40", Ending::Closed, "path", "60s"),
        ("1x1", Ending::Open, "brute", "9s"),
        ("3x3", Ending::Open, "brute", "n"),
        ("6x6", Ending::Closed, "quarter-turn", "n"),
        ("6x6", Ending::Closed, "edges", "n"),
        ("40x3", Ending::Closed, "path", "200s"),
    ];
    for (board, ending, solver, pressed) in shown {
        let mut model = themed(subject(board, ending, solver), (80, 24), THEME);
        keys(&mut model, pressed);
        wait(&mut model);
        assert_snapshot!(format!("{board}_{solver}"), text(&model));
    }
}

#[test]
fn in_ascii_and_without_colour_everything_is_still_said() {
    for size in [(80, 24), (200, 60), (40, 10)] {
        for pressed in ["", "13s", "19s", "#", "?", "12"] {
            let ascii = Theme { signs: Signs::Ascii, ..THEME };
            let mut model = themed(subject("6x6", Ending::Closed, "radley"), size, ascii);
            keys(&mut model, pressed);
            assert!(text(&model).is_ascii(), "{pressed}");
            let plain = Theme { colours: Colours::None, ..THEME };
            let (mut without, mut with) = (themed(subject("6x6", Ending::Closed, "radley"), size, plain), radley(size));
            keys(&mut without, pressed);
            keys(&mut with, pressed);
            assert_eq!(text(&without), text(&with));
            let terminal = drawn(&without);
            let cells = &terminal.backend().buffer().content;
            assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
        }
    }
}

#[test]
fn a_step_back_shows_what_was_shown() {
    let mut model = radley((80, 24));
    let mut seen = Vec::new();
    for _ in 0..300 {
        seen.push(text(&model));
        keys(&mut model, "s");
    }
    for screen in seen.iter().rev() {
        keys(&mut model, "b");
        assert_eq!(&text(&model), screen);
    }
    keys(&mut model, "b");
    assert!(text(&model).contains("this is the beginning"));
}

#[test]
fn runs_stop_at_what_they_are_for() {
    let mut model = radley((80, 24));
    let go = |model: &mut SearchModel, pressed: &str| {
        keys(model, pressed);
        wait(model);
        latest(model).expect("something happened")
    };
    assert!(matches!(go(&mut model, "a"), StepEvent::Cut { .. }));
    assert!(matches!(go(&mut model, "D"), StepEvent::DeadEnd { .. }));
    assert!(matches!(go(&mut model, "i"), StepEvent::Entered { .. }));
    assert!(matches!(go(&mut model, "2x"), StepEvent::Cut { .. }));
    let depth = model.tape.search().depth();
    assert!(matches!(go(&mut model, "3u"), StepEvent::Back { .. }));
    assert_eq!(model.tape.search().depth(), depth - 3);
    let nodes = model.tape.search().counts().nodes;
    go(&mut model, "1000i");
    assert_eq!(model.tape.search().counts().nodes, nodes + 1000);
    let at = model.tape.at();
    assert!(matches!(go(&mut model, "I"), StepEvent::Entered { .. }));
    assert_eq!(model.tape.search().counts().nodes, nodes + 999);
    assert!(model.tape.at() < at);
    assert!(matches!(go(&mut model, "700I"), StepEvent::Entered { .. }));
    assert_eq!(model.tape.search().counts().nodes, nodes + 299);
    assert!(matches!(go(&mut model, "n"), StepEvent::Tour { number: 1, .. }));
    assert!(text(&model).contains("tour 1"));
    keys(&mut model, "g");
    assert_eq!((model.tape.at(), model.tape.search().counts().tours), (0, 0));
    // Above the root is the end, and beyond the end is no step.
    let mut model = themed(subject("5x6", Ending::Closed, "edges"), (80, 24), THEME);
    assert_eq!(go(&mut model, "u"), StepEvent::Finished);
    let end = model.tape.at();
    keys(&mut model, "g");
    assert_eq!(go(&mut model, "99999g"), StepEvent::Finished);
    assert!(text(&model).contains(&format!("the end comes before that, at {end}")));
}

/// The ring that a dead end would close is drawn, and one square is named for it: on the board, in the sentence, by the moves.
#[test]
fn a_ring_that_is_no_tour_is_drawn_and_one_square_named() {
    let mut model = themed(subject("6x6", Ending::Closed, "edges"), (120, 36), THEME);
    keys(&mut model, "D");
    wait(&mut model);
    let Some(StepEvent::DeadEnd { square, reason: Reason::Ring(stopped) }) = latest(&model) else { panic!("no ring") };
    let (name, screen) = (model.tape.title.board().name(square), text(&model));
    assert_eq!(square, stopped);
    assert!(
        screen.contains(&format!("moves from {name}")) && screen.contains(&format!("dead end on {name}")),
        "{screen}"
    );
    let terminal = drawn(&model);
    let bad = THEME.style(Role::Bad).fg;
    let is_ring = |cell: &&ratatui::buffer::Cell| {
        Some(cell.fg) == bad && ('\u{2800}'..='\u{28ff}').contains(&cell.symbol().chars().next().unwrap())
    };
    assert!(terminal.backend().buffer().content.iter().filter(is_ring).count() > 60, "{screen}");
}

#[test]
fn a_long_run_goes_in_bursts_and_any_stop_key_stops_it() {
    for stop in ['s', 'p', ' '] {
        let mut model = themed(subject("8x8", Ending::Closed, "radley"), (80, 24), THEME);
        keys(&mut model, "n");
        assert!(model.run.is_some() && text(&model).contains("RUNNING to the next tour"));
        let at = model.tape.at();
        model.update(ScreenEvent::Passed(Duration::from_millis(100)));
        assert!(model.tape.at() > at && model.run.is_some());
        let at = model.tape.at();
        keys(&mut model, &stop.to_string());
        assert!(model.run.is_none());
        model.update(ScreenEvent::Passed(Duration::from_millis(1)));
        assert_eq!(model.tape.at(), at);
    }
    let mut model = themed(subject("8x8", Ending::Closed, "radley"), (80, 24), THEME);
    keys(&mut model, "n");
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Stay);
    assert!(model.moving().is_none());
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Close);
}

#[test]
fn it_plays_at_the_chosen_speed_to_the_end() {
    let mut model = themed(subject("3x3", Ending::Open, "brute"), (80, 24), THEME);
    keys(&mut model, "+p");
    model.update(ScreenEvent::Passed(Duration::from_millis(900)));
    assert_eq!((model.tape.at(), model.pace.per_s()), (4, 5));
    assert!(text(&model).contains("PLAYING 5/s"));
    for _ in 0..200 {
        model.update(ScreenEvent::Passed(Duration::from_secs(1)));
    }
    assert!(!model.playing && model.tape.is_finished() && text(&model).contains("FINISHED"));
    keys(&mut model, "s");
    assert!(text(&model).contains("this is the end"));
    keys(&mut model, "b");
    assert!(!model.tape.is_finished());
    keys(&mut model, "n");
    assert!(text(&model).contains("finished before the next tour"));
}

#[test]
fn the_log_scrolls_and_comes_back_with_the_next_step() {
    let mut model = radley((80, 24));
    keys(&mut model, "100s");
    keys(&mut model, "kk");
    assert!(text(&model).contains("6 later"));
    keys(&mut model, "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk");
    assert!(text(&model).contains("start on a6"));
    keys(&mut model, "s");
    assert_eq!(model.tape.scroll, 0);
}

#[test]
fn moves_without_room_are_counted_and_a_key_shows_them() {
    let mut model = radley((80, 24));
    keys(&mut model, "13s");
    let all = model.tape.search().choices();
    let has_all = |screen: &str| all.iter().all(|choice| screen.contains(&name_of(choice)));
    assert!(!has_all(&text(&model)) && text(&model).contains("2 more lines: backtab z zooms"));
    press(&mut model, KeyCode::Tab);
    assert!(text(&model).contains("2 more lines ") && !text(&model).contains("zooms"));
    press(&mut model, KeyCode::BackTab);
    assert!(text(&model).contains("2 more lines: j scrolls, z zooms"));
    keys(&mut model, "j");
    assert!(text(&model).contains("visited, number 11"));
    keys(&mut model, "kz");
    assert!(has_all(&text(&model)));
}

/// A move as the pane of the moves writes it: its name and number.
fn name_of(choice: &ExplainedMove) -> String {
    format!("{} {}  ", MOVE_NAMES[usize::from(choice.number)], choice.number)
}

/// Every word of every reason stands on the screen, on small ones too.
#[test]
fn a_reason_is_never_cut() {
    for (width, height) in [(80, 24), (72, 18), (40, 10), (40, 18), (200, 60)] {
        for solver in ["edges", "path", "radley"] {
            let mut model = themed(subject("6x6", Ending::Closed, solver), (width, height), THEME);
            for _ in 0..300 {
                keys(&mut model, "s");
                let words = latest(&model).expect("a step").sentence(model.tape.title.board());
                let screen = text(&model);
                let missing = words.split_whitespace().find(|word| !screen.contains(word));
                assert_eq!(missing, None, "{width}x{height}: {words}\n{screen}");
            }
        }
    }
}

#[test]
fn nothing_ever_panics_whatever_the_screen() {
    for (width, height) in [(0, 0), (1, 1), (39, 9), (40, 10), (41, 18), (63, 17), (72, 18), (500, 12)] {
        for (board, ending, solver) in [
            ("6x6", Ending::Closed, "radley"),
            ("11x11", Ending::Open, "brute"),
            ("1x128", Ending::Open, "path"),
            ("8x16", Ending::Closed, "edges"),
            ("9x9", Ending::Open, "quarter-turn"),
            // The first branch of a9998 is a dead end, and one name fills half the tree.
            ("10000x2", Ending::Open, "dfs"),
        ] {
            let mut model = themed(subject(board, ending, solver), (width, height), THEME);
            for pressed in ["", "40s", "#", "?", "12", "kkk", "?", "zkkk", "g5s"] {
                keys(&mut model, pressed);
                text(&model);
            }
        }
    }
}

#[test]
fn a_finder_is_explained_with_its_own_order_on_boards_that_scroll() {
    let request = Request::new("30x40".parse::<Shape>().expect("a board"), Ending::Open);
    let mut model = themed(finder_subject("order-by-avail", &request), (80, 24), THEME);
    keys(&mut model, "700i");
    assert_snapshot!("order_by_avail", text(&model));
    let choices = model.tape.search().choices();
    let untried = choices.iter().filter(|choice| matches!(choice.status, MoveStatus::Next | MoveStatus::Untried));
    assert_eq!(untried.map(|choice| choice.rank).collect::<Vec<_>>(), [4, 5, 5, 6]);
}

#[test]
fn what_cannot_be_explained_says_why() {
    let request = Request::new("6x6".parse::<Shape>().expect("a board"), Ending::Open);
    let refused = |name: &str, request: &Request| {
        solve::finder_by_name(name).and_then(|finder| finder.step_view(request).err()).expect("a refusal").to_string()
    };
    assert!(refused("warnsdorff", &request).starts_with("warnsdorff has no step view: "));
    assert!(refused("dfs", &Request { order: "random".parse().ok(), ..request }).contains("random order"));
}
