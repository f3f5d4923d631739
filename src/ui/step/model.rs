//! The model of the step view, and its updates. This file uses no clock or terminal.
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
use super::subject::{StepSubject, StepTitle};
use super::view::view;
use crate::board::Board;
use crate::explain::{StepEvent, Tape};
use crate::search::Drawing;
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{
    AfterSurface, BoardLook, COMPASS, Clip, InputKey, Pace, Page, Pane, PaneFocus, PaneLayout, RANKS, ScreenEvent,
    Sheet, Surface, TextInput, Turn, chains_text,
};
use crate::ui::screen::Model;
use crate::words;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// The key table of the step view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a step on", "step").or(&[Action::Right]),
        line(&[Action::Back], "a step back", "back").or(&[Action::Left]),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::Move, Action::MoveBack], "next node, node before", "node"),
        line(&[Action::Zoom], "zoom the tree, or a pane", "tree"),
        line(&[Action::Event], "next cut, end of a branch or tour", "any event"),
        line(&[Action::NextTour], "next tour", "next tour"),
        line(&[Action::DeadEnd], "next dead end", "dead end"),
        line(&[Action::Cut], "next cut, if there are any", "cut"),
        line(&[Action::Exhaust], "until this one is exhausted", "up"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::First], "back to the beginning", "beginning"),
        line(&[Action::Jump], "to a step, node, next cut", "go to"),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", ""),
        line(&[Action::Up, Action::Down], "scroll the pane up, down", "scroll"),
        line(&[Action::Look], "numbers, lines", "lines"),
        line(DIGITS, "so many times the next key", ""),
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

/// The speeds to choose from, in steps a second.
const SPEEDS: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The index of the first speed in [`SPEEDS`].
const SPEED_FIRST: usize = 1;
/// Lines by which a key scrolls a pane.
const SCROLLED: usize = 3;
/// Time between two frames while the view plays.
const FRAME: Duration = Duration::from_millis(50);

/// All that the step view shows.
pub struct StepModel {
    /// The question, for the header.
    pub title: StepTitle,
    /// The search and its past steps.
    pub tape: Tape,
    /// The position.
    pub drawing: Drawing,
    /// The run of many steps, if one is active.
    pub run: Option<StepRun>,
    /// Whether the view steps by itself.
    pub playing: bool,
    /// The speed, in steps a second.
    pub pace: Pace,
    /// Events that are scrolled off at the bottom of the steps.
    pub scroll: usize,
    /// Lines of the moves that are scrolled off at the top.
    pub moves_from: usize,
    /// Levels of the tree that are scrolled off at the bottom.
    pub levels_below: usize,
    /// The pane that has the focus; at first the tree, so that one key shows it where it has no room.
    pub focus: PaneFocus<StepPane>,
    /// The field for a place to go to.
    pub jump: TextInput,
    /// Lines or numbers.
    pub look: BoardLook,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// The state that all screens share.
    pub surface: Surface,
}

impl StepModel {
    /// The model before the first step, or at the position to which the search is led.
    pub fn new(subject: StepSubject, mut surface: Surface) -> StepModel {
        let (title, tape, notice) = subject.into_tape();
        if let Some(notice) = notice {
            surface.say(notice);
        }
        let mut model = StepModel {
            title,
            tape,
            drawing: Drawing::default(),
            run: None,
            playing: false,
            pace: Pace::new(&SPEEDS, SPEED_FIRST),
            scroll: 0,
            moves_from: 0,
            levels_below: 0,
            focus: PaneFocus::on(StepPane::Tree),
            jump: TextInput::default(),
            look: BoardLook::Numbers,
            from: (0, 0),
            surface,
        };
        model.settle();
        model
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<PaneLayout<StepPane>> {
        layout(self.surface.screen, self.title.board, self.focus.zoom())
    }

    /// The visible part of the board; `None` if the board is not visible.
    pub fn sheet(&self) -> Option<Sheet> {
        // Lines are braille dots; an ASCII screen shows numbers.
        let look = if self.surface.theme.ascii { BoardLook::Numbers } else { self.look };
        let layout = self.layout()?;
        Some(sheet(&layout.page, layout.rect(StepPane::Board)?, self.title.board, look, self.from))
    }

    /// Whether steps are taken by themselves.
    fn moves(&self) -> bool {
        self.playing || self.run.is_some()
    }

    /// Scrolls the board to the square at which the search stands.
    fn settle(&mut self) {
        self.tape.search().draw(&mut self.drawing);
        if let (Some(sheet), Some(head)) = (self.sheet(), self.tape.search().focus()) {
            self.from = sheet.following(self.title.board.row_col(head));
        }
        self.scroll = self.scroll.min(self.tape.events().len().saturating_sub(1));
    }

    /// Shows the latest step, the first move, and the end of the tree.
    fn unscroll(&mut self) {
        (self.scroll, self.moves_from, self.levels_below) = (0, 0, 0);
    }

    fn stop(&mut self) {
        self.run = None;
        self.playing = false;
    }
}

impl Model for StepModel {
    fn update(&mut self, msg: ScreenEvent) -> Turn {
        match self.jump.take(&msg) {
            InputKey::Usual => {}
            InputKey::Typed => return Turn::Stay,
            InputKey::Entered(text) => {
                match text.parse() {
                    Ok(place) => go(self, place),
                    Err(text) => self.surface.complain(text),
                }
                self.settle();
                return Turn::Stay;
            }
        }
        let turn = match self.surface.take(msg, KEYS.now()) {
            Some(AfterSurface::Asked(action, times)) => perform(self, action, times),
            Some(AfterSurface::Passed(time)) => {
                advance(self, time);
                Turn::Stay
            }
            Some(AfterSurface::Agreed(_) | AfterSurface::Clicked(_)) | None => Turn::Stay,
        };
        self.settle();
        turn
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.moves().then_some(if self.run.is_some() { Duration::ZERO } else { FRAME })
    }

    fn takes_keys(&self) -> bool {
        self.surface.takes_keys() || self.jump.text().is_some()
    }

    fn clip(&self) -> Option<Clip> {
        Some(Clip::Text("the board".to_owned(), chains_text(self.title.board, &self.drawing)))
    }
}

fn perform(model: &mut StepModel, action: Action, count: Option<u32>) -> Turn {
    let times = u64::from(count.unwrap_or(1));
    let layout = model.layout();
    let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.rect(pane).is_some());
    match action {
        Action::Close if model.moves() => model.stop(),
        Action::Digit(_) => {}
        action if model.focus.perform(action, is_shown) => {}
        Action::Look if model.surface.theme.ascii => model.surface.say("lines need more than ASCII characters"),
        Action::Look => model.look = if model.look == BoardLook::Lines { BoardLook::Numbers } else { BoardLook::Lines },
        Action::Up => scroll(model, SCROLLED as isize),
        Action::Down => scroll(model, -(SCROLLED as isize)),
        Action::Jump => model.jump.open(""),
        Action::Slower | Action::Faster => {
            model.pace.change(action);
            model.surface.say(format!("{} a second", words::number_of(model.pace.per_s(), "step")));
        }
        Action::Play => play(model),
        // The step key also stops a run.
        Action::Step | Action::Right if model.moves() && count.is_none() => model.stop(),
        Action::Step | Action::Right => begin(model, Goal::Step, times),
        Action::Move => begin(model, Goal::Node, times),
        Action::Event => begin(model, Goal::Event, times),
        Action::Cut => begin(model, Goal::Cut, times),
        Action::DeadEnd => begin(model, Goal::DeadEnd, times),
        Action::NextTour => begin(model, Goal::Tour, times),
        Action::Exhaust => {
            let above = model.tape.search().tree(times as usize + 1);
            // Above the root there is nothing: the root is exhausted when everything is.
            let goal = above.first().filter(|_| above.len() as u64 > times).map(|level| Goal::Depth(level.depth));
            begin(model, goal.unwrap_or(Goal::End), 1);
        }
        Action::Back | Action::Left => back(model, times),
        Action::MoveBack => back_to_node(model, times),
        Action::First if count.is_some() => go(model, StepPlace::Step(times)),
        Action::First => back(model, u64::MAX),
        other => return model.surface.perform(other),
    }
    Turn::Stay
}

/// Scrolls the pane of the focus, up by a positive number: the moves, the tree, or else the steps.
fn scroll(model: &mut StepModel, up: isize) {
    match (model.focus.pane, model.focus.zoomed) {
        (StepPane::Moves, _) => model.moves_from = model.moves_from.saturating_add_signed(-up),
        (StepPane::Tree, true) => model.levels_below = model.levels_below.saturating_add_signed(up),
        _ => model.scroll = model.scroll.saturating_add_signed(up),
    }
}

/// Goes to a place, back or on.
fn go(model: &mut StepModel, place: StepPlace) {
    let (step, node) = (model.tape.at(), model.tape.search().counts().nodes);
    match place {
        StepPlace::Step(to) if to < step => back(model, step - to),
        StepPlace::Step(to) if to > step => begin(model, Goal::Step, to - step),
        StepPlace::Node(to) if to > node => begin(model, Goal::Node, to - node),
        // The way to a node on the way here is searched again from its beginning.
        StepPlace::Node(to) if to < node => {
            back(model, u64::MAX);
            if to > 0 {
                begin(model, Goal::Node, to);
            }
        }
        StepPlace::Step(_) | StepPlace::Node(_) => model.surface.say("this is the place"),
        StepPlace::Next(goal) => begin(model, goal, 1),
    }
}

/// Starts a run of steps; a short run ends at once.
fn begin(model: &mut StepModel, goal: Goal, times: u64) {
    model.stop();
    if goal == Goal::Cut
        && let Some(why) = model.tape.search().cuts_nothing()
    {
        let [cut, dead_end] = [Action::Cut, Action::DeadEnd].map(Action::key);
        return model.surface.say(format!(
            "{} makes no cuts: {why}; {cut} has nothing to go to, {dead_end} goes to the next dead end",
            model.title.method
        ));
    }
    model.unscroll();
    if model.tape.is_finished() {
        return model.surface.say(format!(
            "everything has been searched: {} steps back, {} goes back to the beginning",
            Action::Back.key(),
            Action::First.key()
        ));
    }
    model.run = Some(StepRun { goal, times });
    burst(model);
}

fn burst(model: &mut StepModel) {
    if let Some(run) = &mut model.run
        && run.burst(&mut model.tape)
    {
        let StepRun { goal, times } = *run;
        model.run = None;
        match goal {
            _ if !model.tape.is_finished() => {}
            Goal::End => {}
            // The end is a step too.
            Goal::Step if times <= 1 => {}
            Goal::Step => model.surface.say(format!("the search has ended before that, at step {}", model.tape.at())),
            _ => model.surface.say(format!("finished before {}", goal.name())),
        }
    }
}

fn back(model: &mut StepModel, steps: u64) {
    model.stop();
    model.unscroll();
    if model.tape.back(steps) == 0 {
        model.surface.say("this is the beginning: no step has been taken");
    }
}

/// Goes back to the `times`-th earlier entry of a square.
fn back_to_node(model: &mut StepModel, mut times: u64) {
    back(model, 1);
    let tape = &mut model.tape;
    loop {
        let mut is_wanted = |event: &StepEvent| {
            times -= u64::from(event.enters());
            times == 0
        };
        let (remembered, found) = (tape.events().len(), tape.events().position(&mut is_wanted));
        let since = found.unwrap_or(remembered);
        if tape.back(since as u64) == 0 || found.is_some() {
            return;
        }
    }
}

/// Starts to play, or stops what is running.
fn play(model: &mut StepModel) {
    let playing = !model.moves();
    model.stop();
    model.playing = playing && !model.tape.is_finished();
    model.pace.restart();
    model.unscroll();
}

/// Continues what is running.
fn advance(model: &mut StepModel, time: Duration) {
    burst(model);
    if !model.playing {
        return;
    }
    // The view is never more than a second behind.
    model.pace.pass(time.min(Duration::from_secs(1)), f64::INFINITY);
    while model.pace.due(1) > 0 && !model.tape.is_finished() {
        model.pace.take(1);
        model.tape.forward();
    }
    model.playing = !model.tape.is_finished();
}

/// A pane of the step view.
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

/// The layout for a board, one pane of which may fill the screen; `None` if the screen is too small.
pub fn layout(screen: Size, board: Board, zoom: Option<StepPane>) -> Option<PaneLayout<StepPane>> {
    let framed = screen.height >= FRAMED_HEIGHT;
    let page = Page::of(screen, if framed { HEADER.0 } else { HEADER.1 }, framed)?;
    let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
    if let Some(pane) = zoom {
        return Some(PaneLayout { page, panes: vec![(pane, body)] });
    }
    let least = if screen.width >= WIDE_WIDTH { WORDS_WIDTH } else { NARROW_WIDTH } + frame;
    // The board gets only the width that it needs; the words use the rest.
    let most = Rect { width: body.width - least, ..body };
    let sheet = sheet(&page, most, board, BoardLook::Numbers, (0, 0));
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

/// The visible part of the board in its pane, with squares wide enough for a rank in brackets.
pub fn sheet(page: &Page, pane: Rect, board: Board, look: BoardLook, from: (u32, u32)) -> Sheet {
    let digits = board.squares().to_string().len().max(2) as u32;
    Sheet::of(page.inner(pane), board, look, digits, 0, page.framed, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..40, cols in 1u64..40, zoomed in 0usize..5,
        ) {
            let zoom = StepPane::LIST.get(zoomed).map(|entry| entry.pane);
            let layout = layout(Size::new(width, height), Board::new(rows, cols).unwrap(), zoom).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let panes = layout.panes.iter().map(|&(_, rect)| rect);
            let rects = [layout.page.header, layout.page.footer].into_iter().chain(panes);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }
}
