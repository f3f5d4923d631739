//! The tour view: keys against what is shown, and pictures of the screen.

use crate::board::{
    Ending, Holes, KURAPATI, NumberedRoute, Route, RouteHead, Shape, Square, Tour, parse_grid, parse_move_list,
};
use crate::ui::kit::{Action, BoardLook, Common, Effect, ScreenEvent};
use crate::ui::screen::Model;
use crate::ui::tour::{ShownTour, TourModel, Tours, view};
use crate::ui::{Colours, Signs, Theme};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Color;
use std::sync::Arc;
use std::time::Duration;

/// A terminal with everything.
const THEME: Theme = Theme::RICH;

fn kurapati() -> Arc<dyn Route> {
    let (board, squares) = parse_grid(KURAPATI).expect("a grid");
    Arc::new(NumberedRoute::from(&Tour::verify(board, Ending::Open, squares).expect("a tour")))
}

/// Nine squares of a tour that goes no further.
fn part() -> Arc<dyn Route> {
    let (board, squares) = parse_move_list("5x5 a1 b3 c1 a2 b4 d5 e3 d1 b2").expect("a list");
    Arc::new(NumberedRoute::part(board, Ending::Open, squares).expect("knight's moves"))
}

/// The eight squares round the middle of 3x3.
fn ring() -> Arc<dyn Route> {
    let (board, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").expect("a list");
    let hole = Holes::new([board.parse_square("b2").expect("a square")]);
    Arc::new(NumberedRoute::from(&Tour::verify(Shape::new(board, hole), Ending::Closed, squares).expect("a tour")))
}

/// A way over a board of any size that needs no memory: pairs of columns are climbed one after the other, as a knight
/// does on the two squares of each row, and it never was a tour.
#[derive(Debug)]
struct Climb(RouteHead);

impl Route for Climb {
    fn head(&self) -> &RouteHead {
        &self.0
    }
    fn squares(&self) -> u32 {
        self.board().rows()
    }
    fn square_at(&self, k: u32) -> Option<Square> {
        let row = if k < self.squares() { self.squares() - 1 - k } else { return None };
        // One row up and two columns aside, in turn to the right and to the left.
        self.board().square(row, 40 + k % 2 * 2)
    }
    fn number_of(&self, square: Square) -> Option<u32> {
        let k = self.squares() - 1 - self.board().row_col(square).0;
        (self.square_at(k) == Some(square)).then_some(k)
    }
}

fn climb() -> Arc<dyn Route> {
    let shape: Shape = "10000x10000".parse().expect("a board");
    Arc::new(Climb(RouteHead { shape, ending: Ending::Open }))
}

fn tours(routes: &[Arc<dyn Route>]) -> Tours {
    let shown = |route: &Arc<dyn Route>| ShownTour::new(route.clone(), "a title");
    Tours { routes: routes.iter().map(shown).collect(), note: None }
}

fn themed(route: Arc<dyn Route>, (width, height): (u16, u16), theme: Theme) -> TourModel {
    TourModel::new(tours(&[route]), Common::new(theme, Size { width, height }))
}

fn model(route: Arc<dyn Route>, size: (u16, u16)) -> TourModel {
    themed(route, size, THEME)
}

fn press(model: &mut TourModel, code: KeyCode) -> Effect {
    model.update(ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// Presses letters; `\n` is enter, `\x1b` escape.
fn keys(model: &mut TourModel, letters: &str) {
    for letter in letters.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\x1b' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        press(model, code);
    }
}

fn drawn(model: &TourModel) -> Terminal<TestBackend> {
    let Size { width, height } = model.common.screen;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails less");
    terminal.draw(|frame| view(model, frame)).expect("it draws");
    terminal
}

fn text(model: &TourModel) -> String {
    let terminal = drawn(model);
    let cells = terminal.backend().buffer().content.chunks(usize::from(model.common.screen.width.max(1)));
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    cells.map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
}

fn characters(model: &TourModel) -> Vec<String> {
    drawn(model).backend().buffer().content.iter().map(|cell| cell.symbol().to_owned()).collect()
}

/// The number of the square on which the knight stands, from 1, as people count.
fn number(model: &TourModel) -> u32 {
    model.k + 1
}

#[test]
fn screens() {
    for (width, height) in [(80, 24), (200, 60), (40, 10), (40, 24)] {
        let mut model = model(kurapati(), (width, height));
        keys(&mut model, "40\n");
        assert_snapshot!(format!("lines_{width}x{height}"), text(&model));
        keys(&mut model, "#");
        assert_snapshot!(format!("numbers_{width}x{height}"), text(&model));
    }
    let mut model = model(kurapati(), (80, 24));
    assert_snapshot!("start", text(&model));
    keys(&mut model, "G");
    assert_snapshot!("end", text(&model));
    keys(&mut model, "?");
    assert_snapshot!("help", text(&model));
}

#[test]
fn a_part_a_ring_round_a_hole_and_a_way_over_a_huge_board() {
    for (name, route, to) in [("part", part(), "G"), ("ring", ring(), "G"), ("huge", climb(), "4000\n")] {
        let mut model = model(route, (80, 24));
        keys(&mut model, to);
        assert_snapshot!(name, text(&model));
        keys(&mut model, "#");
        assert_snapshot!(format!("{name}_numbers"), text(&model));
    }
}

#[test]
fn the_four_paths_of_a_quarter_turn_have_four_colours_and_marked_ends() {
    let list = "6x6 a6 b4 a2 c3 a4 b2 d1 f2 e4 f6 d5 b6 c4 d6 b5 a3 b1 d2 f1 e3 f5 d4 f3 e5 c6 a5 b3 a1 c2 e1 d3 c1 e2 f4 \
                e6 c5";
    let (board, squares) = parse_move_list(list).expect("a list");
    let tour = Tour::verify(board, Ending::Closed, squares).expect("a tour");
    let groups = (0..4).map(|path| path * 9..(path + 1) * 9).collect();
    let shown = ShownTour { groups, ..ShownTour::new(Arc::new(NumberedRoute::from(&tour)), "quarter-turn") };
    let mut model =
        TourModel::new(Tours { routes: vec![shown], note: None }, Common::new(THEME, Size { width: 80, height: 24 }));
    keys(&mut model, "G");
    assert_snapshot!("quarter_turn", text(&model));
    let terminal = drawn(&model);
    let (ends, lines): (Vec<_>, Vec<_>) = (
        terminal.backend().buffer().content.iter().filter(|cell| cell.symbol() == "■").collect(),
        terminal
            .backend()
            .buffer()
            .content
            .iter()
            .filter(|cell| ('⠀'..='⣿').contains(&first_char(cell.symbol())))
            .collect(),
    );
    // The knight stands on the fourth end.
    assert_eq!(ends.len(), 3);
    let colours: std::collections::HashSet<Color> = lines.iter().map(|cell| cell.fg).collect();
    assert!(colours.len() >= 4, "{colours:?}");
}

fn first_char(text: &str) -> char {
    text.chars().next().unwrap_or(' ')
}

#[test]
fn keys_move_the_knight_and_it_stays_on_the_route() {
    let mut model = model(kurapati(), (80, 24));
    let mut after = |letters: &str| {
        keys(&mut model, letters);
        number(&model)
    };
    assert_eq!(
        [after("h"), after("l"), after("j"), after("j"), after("k"), after("k"), after("k"), after("s"), after("b")],
        [1, 2, 12, 22, 12, 2, 1, 2, 1]
    );
    assert_eq!([after("G"), after("l"), after("j"), after("h"), after("g")], [64, 64, 64, 63, 1]);
    assert_eq!([after("17\n"), after("3"), after("0"), after("\n")], [17, 17, 17, 30]);
    // Where the printed tour has 44, in any notation.
    assert_eq!([after("/h2\n"), after("g/6,7\n"), after("g/#56\n")], [44, 44, 44]);
    assert_eq!(after("g/h2\x1b"), 1);
    for (code, to) in
        [(KeyCode::Right, 2), (KeyCode::PageDown, 12), (KeyCode::Up, 2), (KeyCode::Backspace, 1), (KeyCode::End, 64)]
    {
        press(&mut model, code);
        assert_eq!(number(&model), to);
    }
}

#[test]
fn a_number_is_shown_corrected_and_belongs_to_the_next_key() {
    let mut model = model(kurapati(), (80, 24));
    keys(&mut model, "12");
    assert!(text(&model).contains("then: s moves on, b back, g or enter to that move, n to that tour"));
    press(&mut model, KeyCode::Backspace);
    assert_eq!(model.common.times, Some(1));
    press(&mut model, KeyCode::Backspace);
    assert_eq!(model.common.times, None);
    keys(&mut model, "50sG10g");
    assert_eq!(model.k, 9, "letters end a number");
    keys(&mut model, "5s3b");
    assert_eq!(model.k, 11);
}

#[test]
fn what_is_not_there_is_said() {
    let mut model = model(kurapati(), (80, 24));
    let mut complaint = |letters: &str| {
        keys(&mut model, letters);
        model.common.notice.take().map(|notice| (notice.bad, notice.text))
    };
    let moves = "there is no move 65: this tour has moves 1 to 64";
    assert_eq!(complaint("65\n"), Some((true, moves.into())));
    let tours = "there is no tour 500 here: they are numbered 1 to 1";
    assert_eq!(complaint("500n"), Some((true, tours.into())));
    let squares = "'j9' is not on the board 8x8: its squares are a1 to h8";
    assert_eq!(complaint("/j9\n"), Some((true, squares.into())));
    assert_eq!(complaint("/\n"), None);
    let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    keys(&mut model, "/");
    assert_eq!(model.update(ScreenEvent::Key(ctrl_c)), Effect::Interrupt);
}

#[test]
fn squares_that_are_not_visited_and_holes_are_called_that() {
    for (route, square, said) in [(part(), "a4", "a4 is not visited"), (ring(), "b2", "b2 is a hole")] {
        let mut model = model(route, (80, 24));
        keys(&mut model, &format!("/{square}\n"));
        assert_eq!(model.common.notice.map(|notice| notice.text).as_deref(), Some(said));
    }
}

#[test]
fn playing_follows_the_clock_and_stops_at_the_end() {
    let mut model = model(kurapati(), (80, 24));
    let pass = |model: &mut TourModel, ms: u64| model.update(ScreenEvent::Passed(Duration::from_millis(ms)));
    pass(&mut model, 1000);
    assert_eq!(number(&model), 1);
    keys(&mut model, "p");
    assert!(text(&model).contains("PLAYING 5/s"));
    for _ in 0..4 {
        pass(&mut model, 50);
    }
    assert_eq!(number(&model), 2);
    keys(&mut model, "++");
    pass(&mut model, 1000);
    assert_eq!((model.pace.per_s(), number(&model)), (20, 22));
    keys(&mut model, "l ");
    pass(&mut model, 1000);
    assert_eq!((model.playing, number(&model)), (false, 23));
    keys(&mut model, " ");
    pass(&mut model, 60_000);
    assert_eq!((model.playing, number(&model)), (false, 64));
    keys(&mut model, "p");
    assert_eq!((model.playing, number(&model)), (true, 1));
    keys(&mut model, "--------");
    assert_eq!(model.pace.per_s(), 1);
    keys(&mut model, "+++++++++++++++++++++");
    assert_eq!(model.pace.per_s(), 1_000_000);
}

#[test]
fn the_shown_part_goes_with_the_knight_until_it_is_scrolled() {
    let mut model = model(climb(), (80, 24));
    let rows = |model: &TourModel| {
        let sheet = model.sheet().expect("it fits");
        sheet.from.0..sheet.from.0 + sheet.shown.0
    };
    for to in ["g", "5000\n", "j", "j", "h", "G"] {
        keys(&mut model, to);
        assert!(rows(&model).contains(&(10_000 - number(&model))));
    }
    keys(&mut model, "5000\n");
    let before = rows(&model);
    keys(&mut model, "l");
    assert_eq!(rows(&model), before);
    model.update(ScreenEvent::Key(KeyEvent::new(KeyCode::Down, KeyModifiers::SHIFT)));
    keys(&mut model, "JJ");
    assert_eq!((rows(&model).start, number(&model)), (before.start + 27, 5001));
    assert!(!rows(&model).contains(&(10_000 - 5001)));
    // Time does not take the eye away from where it looks; a step does.
    keys(&mut model, "p");
    model.update(ScreenEvent::Passed(Duration::from_secs(1)));
    keys(&mut model, "J");
    let looked_at = rows(&model);
    model.update(ScreenEvent::Passed(Duration::from_secs(1)));
    assert_eq!(rows(&model), looked_at);
    keys(&mut model, ".");
    assert!(rows(&model).contains(&(10_000 - number(&model))));
    keys(&mut model, "KHLL");
    assert!(!model.follows);
    keys(&mut model, "l");
    assert!(rows(&model).contains(&(10_000 - number(&model))));
}

#[test]
fn larger_and_smaller_squares_stay_within_what_there_is() {
    let mut model = model(kurapati(), (80, 24));
    let cells = |model: &TourModel| model.sheet().expect("it fits").dots;
    assert_eq!(cells(&model), (8, 8));
    keys(&mut model, ">");
    assert_eq!(cells(&model), (12, 12));
    keys(&mut model, "<<<");
    assert_eq!(cells(&model), (4, 4));
    keys(&mut model, "<<<<<<<<<<<<<<<<<<<<<<");
    assert_eq!(cells(&model), (2, 2));
    text(&model);
    keys(&mut model, "#");
    assert_eq!(cells(&model), (8, 8));
}

#[test]
fn tours_come_in_turn() {
    let mut model =
        TourModel::new(tours(&[kurapati(), part(), ring()]), Common::new(THEME, Size { width: 80, height: 24 }));
    keys(&mut model, "Gn");
    assert!(text(&model).contains("5x5 open, a part  a title  tour 2 of 3"));
    assert_eq!(number(&model), 1);
    keys(&mut model, "NN");
    assert_eq!(model.at, 2);
    keys(&mut model, "n");
    assert_eq!(model.at, 0);
}

#[test]
fn a_key_leaves_and_escape_closes_the_help_before_the_screen() {
    let mut model = model(kurapati(), (80, 24));
    assert_eq!(press(&mut model, KeyCode::Char('q')), Effect::Leave);
    keys(&mut model, "?");
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Stay);
    assert!(!model.common.help);
    assert_eq!(press(&mut model, KeyCode::Esc), Effect::Close);
    assert_eq!(press(&mut model, KeyCode::Char('W')), Effect::Do(Action::Picture));
    assert_eq!(press(&mut model, KeyCode::Char('w')), Effect::Stay);
    let name = "destrier-screen-N.txt".to_owned();
    assert_eq!(press(&mut model, KeyCode::Enter), Effect::Save(name));
}

#[test]
fn in_ascii_there_are_numbers_and_nothing_else_than_ascii() {
    for route in [kurapati(), part(), ring(), climb()] {
        for size in [(40, 10), (80, 24), (200, 60)] {
            let mut model = themed(route.clone(), size, Theme { signs: Signs::Ascii, ..THEME });
            for letters in ["j", "#", "?"] {
                keys(&mut model, letters);
                assert!(characters(&model).iter().all(|symbol| symbol.is_ascii()));
            }
            assert_eq!(model.shown_look(), BoardLook::Numbers);
        }
    }
}

#[test]
fn without_colour_everything_is_still_said() {
    for route in [kurapati(), climb()] {
        let mut plain = themed(route.clone(), (80, 24), Theme { colours: Colours::None, ..THEME });
        let mut coloured = model(route, (80, 24));
        keys(&mut plain, "40\n");
        keys(&mut coloured, "40\n");
        assert_eq!(text(&plain), text(&coloured));
        let terminal = drawn(&plain);
        let cells = &terminal.backend().buffer().content;
        assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    }
}

#[test]
fn no_screen_is_too_odd() {
    assert!(text(&model(kurapati(), (39, 10))).contains("need 40x10, have 39x10"));
    let one = || -> Arc<dyn Route> {
        let (board, squares) = parse_move_list("1x1 a1").expect("a list");
        Arc::new(NumberedRoute::from(&Tour::verify(board, Ending::Open, squares).expect("a tour")))
    };
    for route in [kurapati(), part(), ring(), climb(), one()] {
        for (width, height) in
            [(0, 0), (1, 1), (39, 9), (40, 10), (41, 15), (40, 16), (63, 16), (64, 16), (300, 12), (64, 100)]
        {
            let mut model = model(route.clone(), (width, height));
            for letters in ["j", "#", ">", ">>>>", "<<<<<<<<<<<<", "JL", "G", "?", "?n", "p", "/a"] {
                keys(&mut model, letters);
                text(&model);
            }
            model.update(ScreenEvent::Resized(Size { width: 80, height: 24 }));
            text(&model);
        }
    }
}
