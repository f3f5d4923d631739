//! The model of the tour view, and its updates. This file uses no clock, terminal or file.

use super::view::view;
use crate::board::{Route, Square, with_numbers};
use crate::find::Tie;
use crate::search::quarter::four_ranges;
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{
    BoardLook, COMPASS, Clip, Common, Effect, EventAnswer, InputKey, Pace, Page, RANKS, ScreenEvent, Sheet, TextInput,
};
use crate::ui::screen::Model;
use crate::words;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The key table of the tour view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a move on", "move").or(&[Action::Right]),
        line(&[Action::Back], "a move back", "back").or(&[Action::Left]),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::Up, Action::Down], "ten back, ten on", "ten"),
        line(&[Action::NextTour, Action::PreviousTour], "next tour, tour before", "next tour"),
        line(&[Action::Find], "find a square", "find square"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::Look], "numbers, lines", "numbers"),
        line(DIGITS, "number for the next key", "number"),
        line(&[Action::First, Action::Last], "the start, the end", "start, end"),
        line(&[Action::Smaller, Action::Larger], "smaller squares, larger", "size"),
        line(SCROLL, "scroll; shift-arrows too", "scroll"),
        line(&[Action::Follow], "back to the knight", ""),
        line(&[Action::Picture], "write the tour, as an SVG", "picture"),
    ],
    times: &[
        (Action::Step, "moves on"),
        (Action::Back, "back"),
        (Action::First, "or enter to that move"),
        (Action::NextTour, "to that tour"),
    ],
    timeline: Timeline::None,
    pane_key: |_| None,
    words: &[include_str!("help.txt"), RANKS, COMPASS],
};

const SCROLL: &[Action] = &[Action::ScrollLeft, Action::ScrollDown, Action::ScrollUp, Action::ScrollRight];

/// The speeds to choose from, in moves a second.
const SPEEDS: [u32; 15] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000];
/// The index of the first speed in [`SPEEDS`].
const SPEED_FIRST: usize = 2;
/// Greatest frame rate while the view plays: smooth enough, and little data for a slow line.
const FRAMES_PER_S: u32 = 15;
/// Squares of the largest tour that is copied as a list.
const COPIED_MAX: u32 = 20_000;
/// Greatest number of zoom steps from the size that fits.
const ZOOM_MAX: i32 = 9;

/// All that the tour view shows.
#[derive(Clone, Debug)]
pub struct TourModel {
    /// The tours, at least one.
    pub tours: Tours,
    /// The index of the tour that is shown.
    pub at: usize,
    /// The tour that is shown, in a form that finds the number of a square at once.
    route: Arc<dyn Route>,
    /// The number of the knight's square on the route, from 0.
    pub k: u32,
    /// Lines or numbers.
    pub look: BoardLook,
    /// Zoom steps from the size that fits.
    pub zoom: i32,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// Whether the visible part follows the knight.
    pub follows: bool,
    /// Whether the knight moves by itself.
    pub playing: bool,
    /// The speed, in moves a second.
    pub pace: Pace,
    /// The field for a square to go to.
    pub input: TextInput,
    /// The state that all screens share.
    pub common: Common,
}

impl TourModel {
    /// The model of the first tour, with the knight on its start.
    ///
    /// # Panics
    /// If there is no tour.
    pub fn new(tours: Tours, mut common: Common) -> TourModel {
        assert!(!tours.routes.is_empty(), "a view of tours has a tour to show");
        if let Some(note) = &tours.note {
            common.say(note.clone());
        }
        let mut model = TourModel {
            route: with_numbers(&tours.routes[0].route),
            tours,
            at: 0,
            k: 0,
            look: BoardLook::Lines,
            zoom: 0,
            from: (0, 0),
            follows: true,
            playing: false,
            pace: Pace::new(&SPEEDS, SPEED_FIRST),
            input: TextInput::default(),
            common,
        };
        model.settle();
        model
    }

    /// The tour that is shown, with its title.
    pub fn shown(&self) -> &ShownTour {
        &self.tours.routes[self.at]
    }

    pub fn route(&self) -> &dyn Route {
        &*self.route
    }

    /// The square of the knight.
    pub fn square(&self) -> Square {
        let square = self.route().square_at(self.k);
        square.unwrap_or_else(|| unreachable!("the knight stands on the route"))
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<TourLayout> {
        TourLayout::of(self.common.screen)
    }

    /// The visible part of the board; `None` if the screen is too small.
    pub fn sheet(&self) -> Option<Sheet> {
        let layout = self.layout()?;
        let board = self.route().board();
        let digits = self.route().squares().to_string().len() as u32;
        let room = layout.page.inner(layout.board);
        Some(Sheet::of(room, board, self.shown_look(), digits, self.zoom, layout.page.framed, self.from))
    }

    /// How the board is drawn: lines are dots, so an ASCII screen shows numbers.
    pub fn shown_look(&self) -> BoardLook {
        if self.common.theme.ascii() { BoardLook::Numbers } else { self.look }
    }

    fn last(&self) -> u32 {
        self.route().squares() - 1
    }

    /// Puts the knight on square `k` of the route, or on the last square, and scrolls to it.
    fn go(&mut self, k: u32) {
        self.k = k.min(self.last());
        self.follows = true;
    }

    /// Keeps the visible part on the board, and scrolls it to the knight if it follows the knight.
    fn settle(&mut self) {
        let Some(sheet) = self.sheet() else { return };
        let knight = self.route().board().row_col(self.square());
        self.from = if self.follows { sheet.following(knight) } else { sheet.from };
    }

    fn scroll(&mut self, down: i32, right: i32) {
        if let Some(sheet) = self.sheet() {
            self.from = sheet.scrolled(down, right);
            self.follows = false;
        }
    }
}

impl Model for TourModel {
    fn update(&mut self, msg: ScreenEvent) -> Effect {
        let effect = match self.input.take(&msg) {
            InputKey::Usual => handle(self, msg),
            InputKey::Typed => Effect::Stay,
            InputKey::Entered(text) => {
                find(self, &text);
                Effect::Stay
            }
        };
        self.settle();
        effect
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.playing.then(|| Duration::from_secs(1) / self.pace.per_s().min(FRAMES_PER_S))
    }

    fn takes_keys(&self) -> bool {
        self.common.takes_keys() || self.input.text().is_some()
    }

    /// The tour as a list of moves; of a very large one what is on the screen.
    fn clip(&self) -> Option<Clip> {
        let route = self.route();
        if route.squares() > COPIED_MAX {
            return None;
        }
        let names: Vec<String> = route.walk().map(|square| route.board().name(square)).collect();
        Some(Clip::Text(format!("tour {}", self.at + 1), format!("{} {}\n", route.board(), names.join(" "))))
    }
}

fn handle(model: &mut TourModel, msg: ScreenEvent) -> Effect {
    match model.common.take(msg, KEYS.now()) {
        Some(EventAnswer::Asked(action, number)) => return perform(model, action, number),
        Some(EventAnswer::Agreed(action)) => return perform(model, action, None),
        Some(EventAnswer::Clicked(at)) => {
            let under = model.sheet().and_then(|sheet| sheet.square_at(at));
            if let Some(k) = under.and_then(|square| model.route().number_of(square)) {
                model.go(k);
            }
        }
        Some(EventAnswer::Passed(time)) => advance(model, time),
        Some(EventAnswer::Moved(_)) | None => {}
    }
    Effect::Stay
}

/// Goes to the square that a text names; an empty text names none.
fn find(model: &mut TourModel, text: &str) {
    if text.is_empty() {
        return;
    }
    let (route, board) = (model.route(), model.route().board());
    let found = match board.parse_square(text) {
        Ok(square) => route.number_of(square).ok_or_else(|| {
            if route.holes().contains(square) {
                format!("{} is a hole", board.name(square))
            } else {
                format!("{} is not visited", board.name(square))
            }
        }),
        Err(error) => Err(error.to_string()),
    };
    match found {
        Ok(k) => model.go(k),
        Err(text) => model.common.complain(text),
    }
}

/// Goes to the move with this number.
fn go_to_move(model: &mut TourModel, number: u32) {
    let squares = model.route().squares();
    if number <= squares {
        model.go(number - 1);
    } else {
        model.common.complain(format!("there is no move {number}: this tour has moves 1 to {squares}"));
    }
}

/// Shows the tour with this number.
fn go_to_tour(model: &mut TourModel, number: u32) {
    let last = model.tours.routes.len() - 1;
    match (0..=last).find(|&at| model.tours.number(at) == u64::from(number)) {
        Some(at) => show_tour(model, at),
        None => {
            let [first, last] = [0, last].map(|at| words::grouped(model.tours.number(at)));
            model.common.complain(format!("there is no tour {number} here: they are numbered {first} to {last}"));
        }
    }
}

fn perform(model: &mut TourModel, action: Action, number: Option<u32>) -> Effect {
    let moves = number.unwrap_or(1);
    match action {
        Action::First if number.is_some() => go_to_move(model, moves),
        Action::NextTour if number.is_some() => go_to_tour(model, moves),
        Action::Picture => return Effect::Do(action),
        Action::Step | Action::Right => model.go(model.k.saturating_add(moves)),
        Action::Back | Action::Left => model.go(model.k.saturating_sub(moves)),
        Action::Down => model.go(model.k.saturating_add(10)),
        Action::Up => model.go(model.k.saturating_sub(10)),
        Action::First => model.go(0),
        Action::Last => model.go(u32::MAX),
        Action::Find => model.input.open(""),
        Action::Play => play(model),
        Action::Slower | Action::Faster => {
            model.pace.change(action);
            model.common.say(format!("{} moves a second", model.pace.per_s()));
        }
        Action::Look if model.common.theme.ascii() => model.common.complain("lines need more than ASCII characters"),
        Action::Look => {
            model.look = if model.look == BoardLook::Lines { BoardLook::Numbers } else { BoardLook::Lines };
            model.zoom = 0;
        }
        Action::Larger => model.zoom = (model.zoom + 1).min(ZOOM_MAX),
        Action::Smaller => model.zoom = (model.zoom - 1).max(-ZOOM_MAX),
        Action::ScrollUp => model.scroll(-1, 0),
        Action::ScrollDown => model.scroll(1, 0),
        Action::ScrollLeft => model.scroll(0, -1),
        Action::ScrollRight => model.scroll(0, 1),
        Action::Follow => model.follows = true,
        Action::NextTour => turn(model, 1),
        Action::PreviousTour => turn(model, model.tours.routes.len() - 1),
        other => return model.common.perform(other),
    }
    Effect::Stay
}

/// Starts to play, or stops; at the end the tour starts again.
fn play(model: &mut TourModel) {
    model.playing = !model.playing;
    model.pace.restart();
    if model.playing {
        model.go(if model.k == model.last() { 0 } else { model.k });
    }
}

/// Shows the tour `by` positions further, in a circle.
fn turn(model: &mut TourModel, by: usize) {
    let all = model.tours.routes.len();
    if all == 1 {
        return model.common.say("there is one tour");
    }
    show_tour(model, (model.at + by) % all);
}

/// Shows the tour at a place of the list, from its start.
fn show_tour(model: &mut TourModel, at: usize) {
    model.at = at;
    model.route = with_numbers(&model.shown().route);
    model.from = (0, 0);
    model.zoom = 0;
    model.go(0);
}

/// Makes the moves that are due.
fn advance(model: &mut TourModel, time: Duration) {
    if !model.playing {
        return;
    }
    model.pace.pass(time, f64::INFINITY);
    let due = model.pace.due(u32::MAX);
    model.pace.take(due);
    model.k = model.k.saturating_add(due).min(model.last());
    model.playing = model.k < model.last();
}

/// The positions of all parts of the screen.
///
/// ```text
/// header   board, ending, title; move, square, progress
/// board                    | moves
///                          | map, if the board is larger than its pane
/// footer   keys, a question or a notice
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TourLayout {
    /// The header (two lines, one on a low screen) and the footer.
    pub page: Page,
    /// The pane of the board.
    pub board: Rect,
    /// The pane of the moves.
    pub moves: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 16;
/// Least screen width for a line of words about a move.
const WIDE_WIDTH: u16 = 64;
/// Width of the moves on a narrower screen.
const NARROW_MOVES: u16 = 15;

impl TourLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size) -> Option<TourLayout> {
        let framed = screen.height >= FRAMED_HEIGHT;
        let page = Page::of(screen, if framed { 2 } else { 1 }, framed)?;
        let body = page.body;
        let width = match (screen.width >= WIDE_WIDTH, framed) {
            (true, _) => (screen.width * 2 / 5).clamp(30, 46),
            (false, true) => NARROW_MOVES + 2,
            (false, false) => NARROW_MOVES,
        };
        let board = Rect { width: body.width - width, ..body };
        let moves = Rect { x: board.right(), width, ..body };
        Some(TourLayout { page, board, moves })
    }
}

/// A tour to show.
#[derive(Clone, Debug)]
pub struct ShownTour {
    /// The tour, or a part of one.
    pub route: Arc<dyn Route>,
    /// The title in the header: by which method the tour was found, or the file it was read from.
    pub title: String,
    /// What else is to be said of it; empty if nothing is.
    pub facts: String,
    /// Its number in the list that it was read from; `None` where its place among those shown is its number.
    pub number: Option<u64>,
    /// The tie-break of the rule that found the tour, if known: it decides between moves of equal rank.
    pub tie: Option<Tie>,
    /// Parts with colours of their own, as ranges of square numbers from 0; for example the four paths of a tour that
    /// is symmetric under a quarter-turn. Usually empty.
    pub groups: Vec<Range<u32>>,
}

impl ShownTour {
    /// A route with a title. The four paths of a tour with quarter-turn symmetry are recognized.
    pub fn new(route: Arc<dyn Route>, title: impl Into<String>) -> ShownTour {
        let groups = four_ranges(&*route);
        ShownTour { route, title: title.into(), facts: String::new(), number: None, tie: None, groups }
    }
}

/// The tours of a tour view.
#[derive(Clone, Debug)]
pub struct Tours {
    /// One or more tours.
    pub routes: Vec<ShownTour>,
    /// A note for the footer, for example how many more tours exist.
    pub note: Option<String>,
}

impl Tours {
    /// The number of the tour at a place.
    pub fn number(&self, at: usize) -> u64 {
        self.routes[at].number.unwrap_or(at as u64 + 1)
    }
}
