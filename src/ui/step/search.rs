//! A search on the tape of the step view.
//!
//! Its panes:
//!
//! ```text
//! header   question, step, activity; counts and depth, or the latest event on a low screen
//! board                    | moves
//!                          | tree, on a high screen
//!                          | steps
//! footer   keys or a notice
//! ```
//!
//! On a narrow screen the steps lie below both, because a sentence needs their width.

use super::goal::{Goal, StepPlace, StepRun};
use super::model::{StepModel, StepTape};
use super::subject::{StepSubject, StepTitle};
use super::view;
use crate::board::Board;
use crate::explain::{Explained, StepEvent, Tape};
use crate::search::Drawing;
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{KeyList, Keys, Timeline, line};
use crate::ui::kit::{
    BoardLook, COMPASS, Clip, Common, Pace, Page, Pane, PaneFocus, PaneLayout, RANKS, Sheet, Theme, chains_text,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// The key table of a search.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a step on", "step").or(&[Action::Right]),
        line(&[Action::Back], "a step back", "back").or(&[Action::Left]),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::NextTour], "next tour", "tour"),
        line(&[Action::DeadEnd], "next dead end", "dead end"),
        line(&[Action::Cut], "next cut, if there are any", "cut"),
        line(&[Action::Event], "next cut, branch end, tour", "any"),
        line(&[Action::Zoom], "zoom the tree, or a pane", "tree").or(&[Action::Open]),
        line(&[Action::Move, Action::MoveBack], "next node, node before", "node"),
        line(&[Action::Exhaust], "until this one is exhausted", "up"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::First], "back to the beginning", "beginning"),
        line(&[Action::Jump], "to a step, node, next cut", "go to"),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", ""),
        line(&[Action::Up, Action::Down], "scroll the pane up, down", "scroll"),
        line(&[Action::Look], "numbers, lines", "lines"),
        line(DIGITS, "repeats the next key", ""),
    ],
    times: &[
        (Action::Step, "steps"),
        (Action::Move, "nodes"),
        (Action::Back, "back"),
        (Action::Event, "events"),
        (Action::NextTour, "tours"),
        (Action::DeadEnd, "dead ends"),
        (Action::Cut, "cuts"),
        (Action::MoveBack, "nodes back"),
        (Action::Exhaust, "up"),
        (Action::First, "to that step"),
    ],
    timeline: Timeline::None,
    pane_key: StepPane::key_of,
    words: &[include_str!("help.txt"), RANKS, COMPASS],
};

/// The speeds to choose from, in steps a second, and the index of the first one.
const SPEEDS: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const SPEED_FIRST: usize = 1;
/// Lines by which a key scrolls a pane.
const SCROLLED: isize = 3;

/// A search with its past, and what is shown of it.
pub struct SearchTape {
    /// The question, for the header.
    pub title: StepTitle,
    steps: Tape,
    /// The position.
    pub drawing: Drawing,
    /// Lines or numbers.
    pub look: BoardLook,
    /// Events that are scrolled off at the bottom of the steps.
    pub scroll: usize,
    /// Lines of the moves that are scrolled off at the top.
    pub moves_from: usize,
    /// Levels of the tree that are scrolled off at the bottom.
    pub levels_below: usize,
}

/// The step view of a search. The tree has the focus at first, so that one key shows it where it has no room.
pub type SearchModel = StepModel<SearchTape>;

impl SearchModel {
    /// The model before the first step, or at the position to which the search is led.
    pub fn new(subject: StepSubject, mut common: Common) -> SearchModel {
        let (title, steps, notice) = subject.into_tape();
        if let Some(notice) = notice {
            common.say(notice);
        }
        let (drawing, look) = (Drawing::default(), BoardLook::Numbers);
        let tape = SearchTape { title, steps, drawing, look, scroll: 0, moves_from: 0, levels_below: 0 };
        StepModel::at(tape, StepPane::Tree, Pace::new(&SPEEDS, SPEED_FIRST), common)
    }

    /// Scrolls the pane of the focus, up by a positive number: the moves, the tree, or else the steps.
    fn scroll(&mut self, up: isize) {
        let SearchTape { scroll, moves_from, levels_below, .. } = &mut self.tape;
        match (self.focus.pane, self.focus.zoomed) {
            (StepPane::Moves, _) => *moves_from = moves_from.saturating_add_signed(-up),
            (StepPane::Tree, true) => *levels_below = levels_below.saturating_add_signed(up),
            _ => *scroll = scroll.saturating_add_signed(up),
        }
    }

    /// Goes on to the `times`-th event of a kind, if there can be one.
    fn seek(&mut self, goal: Goal, times: u64) {
        match self.tape.search().cuts_nothing().filter(|_| goal == Goal::Cut) {
            None => self.begin(goal, times),
            Some(why) => {
                let ([cut, dead_end], method) =
                    ([Action::Cut, Action::DeadEnd].map(Action::key), &self.tape.title.method);
                self.common.say(format!(
                    "{method} makes no cuts: {why}; {cut} has nothing to go to, {dead_end} goes to the next dead end"
                ));
            }
        }
    }

    /// Goes on until the `times`-th choice above this one is exhausted.
    fn exhaust(&mut self, times: u64) {
        let above = self.tape.search().tree(times as usize + 1);
        // Above the root there is nothing: the root is exhausted when everything is.
        let goal = above.first().filter(|_| above.len() as u64 > times).map(|level| Goal::Depth(level.depth));
        self.begin(goal.unwrap_or(Goal::End), 1);
    }

    /// Goes back to the `times`-th earlier entry of a square.
    fn back_to_node(&mut self, mut times: u64) {
        self.back(1);
        let steps = &mut self.tape.steps;
        loop {
            let mut is_wanted = |event: &StepEvent| {
                times -= u64::from(event.enters());
                times == 0
            };
            let (remembered, found) = (steps.events().len(), steps.events().position(&mut is_wanted));
            let since = found.unwrap_or(remembered);
            if steps.back(since as u64) == 0 || found.is_some() {
                return;
            }
        }
    }
}

impl SearchTape {
    /// The search at its present step.
    pub fn search(&self) -> &dyn Explained {
        self.steps.search()
    }

    /// The latest events, the newest first.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &StepEvent> {
        self.steps.events()
    }

    /// Shows the latest step, the first move, and the end of the tree.
    fn unscroll(&mut self) {
        (self.scroll, self.moves_from, self.levels_below) = (0, 0, 0);
    }
}

impl StepTape for SearchTape {
    type Pane = StepPane;

    fn layout(&self, screen: Size, _: Theme, focus: PaneFocus<StepPane>) -> Option<PaneLayout<StepPane>> {
        layout(screen, self.title.board(), focus.zoom())
    }

    fn sheet(&self, room: Rect, theme: Theme, names: bool, from: (u32, u32)) -> Sheet {
        // Lines are dots; an ASCII screen shows numbers.
        let look = if theme.ascii() { BoardLook::Numbers } else { self.look };
        sheet(room, self.title.board(), look, names, from)
    }

    fn head(&self) -> Option<(u32, u32)> {
        self.search().focus().map(|head| self.title.board().row_col(head))
    }

    fn at(&self) -> u64 {
        self.steps.at()
    }

    fn is_finished(&self) -> bool {
        self.steps.is_finished()
    }

    fn start(&mut self) {
        self.unscroll();
    }

    fn burst(&mut self, run: &mut StepRun) -> bool {
        run.burst(&mut self.steps)
    }

    fn play(&mut self, pace: &mut Pace, time: Duration) {
        // The view is never more than a second behind.
        pace.pass(time.min(Duration::from_secs(1)), f64::INFINITY);
        while pace.due(1) > 0 && !self.is_finished() {
            pace.take(1);
            self.steps.forward();
        }
    }

    fn back(&mut self, steps: u64) -> u64 {
        self.unscroll();
        self.steps.back(steps)
    }

    fn settle(&mut self) {
        self.steps.search().draw(&mut self.drawing);
        self.scroll = self.scroll.min(self.steps.events().len().saturating_sub(1));
    }

    fn perform(model: &mut SearchModel, action: Action, times: u64) -> bool {
        match action {
            Action::Look if model.common.theme.ascii() => model.common.say("lines need more than ASCII characters"),
            Action::Look if model.tape.look == BoardLook::Lines => model.tape.look = BoardLook::Numbers,
            Action::Look => model.tape.look = BoardLook::Lines,
            Action::Up => model.scroll(SCROLLED),
            Action::Down => model.scroll(-SCROLLED),
            Action::Jump => model.jump.open(""),
            Action::Move => model.begin(Goal::Node, times),
            Action::MoveBack => model.back_to_node(times),
            Action::Event => model.seek(Goal::Event, times),
            Action::Cut => model.seek(Goal::Cut, times),
            Action::DeadEnd => model.seek(Goal::DeadEnd, times),
            Action::NextTour => model.seek(Goal::Tour, times),
            Action::Exhaust => model.exhaust(times),
            _ => return false,
        }
        true
    }

    fn go(model: &mut SearchModel, place: &str) {
        let node = model.tape.search().counts().nodes;
        match place.parse() {
            Ok(StepPlace::Step(to)) => model.go_to(to),
            Ok(StepPlace::Node(to)) if to > node => model.begin(Goal::Node, to - node),
            // The way to a node on the way here is searched again from its beginning.
            Ok(StepPlace::Node(to)) if to < node => {
                model.back(u64::MAX);
                if to > 0 {
                    model.begin(Goal::Node, to);
                }
            }
            Ok(StepPlace::Node(_)) => model.go_to(model.tape.at()),
            Ok(StepPlace::Next(goal)) => model.seek(goal, 1),
            Err(text) => model.common.complain(text),
        }
    }

    fn keys(_: &SearchModel) -> KeyList {
        KEYS.now()
    }

    fn draw_header(buf: &mut Buffer, area: Rect, model: &SearchModel) {
        view::draw_header(buf, area, model);
    }

    fn clip(&self) -> Option<Clip> {
        Some(Clip::Text("the board".to_owned(), chains_text(self.title.board(), &self.drawing)))
    }
}

/// A pane of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepPane {
    /// The position.
    Board,
    /// The moves from the square at which the search stands.
    Moves,
    /// The search tree around the position.
    Tree,
    /// The latest steps in words.
    Steps,
}

/// Least screen height with frames and all panes but the tree.
const FRAMED_HEIGHT: u16 = 18;
/// Lines of the header, and of that of a low screen: the latest event may take two.
const HEADER: (u16, u16) = (2, 3);
/// Height of the moves with their frame: the heading and eight moves; where there is room, twice as many lines for reasons.
const MOVES_HEIGHT: (u16, u16) = (11, 19);
/// Least heights of the tree and of the steps with their frames: the longest sentence takes three lines.
const TREE_HEIGHT: u16 = 7;
const STEPS_HEIGHT: u16 = 5;
/// Least width of moves and steps, on a screen that is wide enough for words and on a narrower one.
const WORDS_WIDTH: u16 = 42;
const NARROW_WIDTH: u16 = 18;
/// Least screen width for words.
const WIDE_WIDTH: u16 = 72;

/// Whether panes have frames.
pub fn is_framed(screen: Size) -> bool {
    screen.height >= FRAMED_HEIGHT
}

/// The layout for a board, one pane of which may fill the screen; `None` if the screen is too small.
fn layout(screen: Size, board: Board, zoom: Option<StepPane>) -> Option<PaneLayout<StepPane>> {
    let framed = is_framed(screen);
    let page = Page::of(screen, if framed { HEADER.0 } else { HEADER.1 }, framed)?;
    let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
    if let Some(pane) = zoom {
        return Some(PaneLayout { page, panes: vec![(pane, body)] });
    }
    let least = if screen.width >= WIDE_WIDTH { WORDS_WIDTH } else { NARROW_WIDTH } + frame;
    // The board gets only the width that it needs; the words use the rest.
    let most = Rect { width: body.width - least, ..body };
    let sheet = sheet(page.inner(most), board, BoardLook::Numbers, page.framed, (0, 0));
    let needed = sheet.area.width + sheet.gutter + frame + 1;
    let left = Rect { width: needed.clamp(12, most.width), ..most };
    let right = Rect { x: left.right(), width: body.width - left.width, ..body };
    let mut panes = vec![(StepPane::Board, left)];
    if !page.framed {
        panes.push((StepPane::Moves, right));
        return Some(PaneLayout { page, panes });
    }
    if screen.width < WIDE_WIDTH {
        let steps = Rect { y: body.bottom() - STEPS_HEIGHT.max(body.height / 4), ..body };
        let steps = Rect { height: body.bottom() - steps.y, ..steps };
        let above = |pane: Rect| Rect { height: steps.y - pane.y, ..pane };
        let panes = vec![(StepPane::Board, above(left)), (StepPane::Moves, above(right)), (StepPane::Steps, steps)];
        return Some(PaneLayout { page, panes });
    }
    let is_high = right.height >= MOVES_HEIGHT.1 + 2 * (TREE_HEIGHT + STEPS_HEIGHT);
    let moves = if is_high { MOVES_HEIGHT.1 } else { MOVES_HEIGHT.0.min(right.height - STEPS_HEIGHT) };
    let moves = Rect { height: moves, ..right };
    let below = Rect { y: moves.bottom(), height: right.height - moves.height, ..right };
    let has_tree = below.height >= TREE_HEIGHT + STEPS_HEIGHT;
    let tree = Rect { height: if has_tree { below.height / 2 } else { 0 }, ..below };
    let steps = Rect { y: tree.bottom(), height: below.height - tree.height, ..below };
    panes.push((StepPane::Moves, moves));
    panes.extend(has_tree.then_some((StepPane::Tree, tree)));
    panes.push((StepPane::Steps, steps));
    Some(PaneLayout { page, panes })
}

/// The visible part of the board, with squares wide enough for a rank in brackets.
fn sheet(room: Rect, board: Board, look: BoardLook, names: bool, from: (u32, u32)) -> Sheet {
    let digits = board.squares().to_string().len().max(2) as u32;
    Sheet::of(room, board, look, digits, 0, names, from)
}
