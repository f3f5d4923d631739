//! The model of the view of the cycles, and its updates by keys, time and the device. This file does no I/O and uses
//! no clock.
//!
//! Its panes:
//!
//! ```text
//! header   board, method, activity; cycle, phase, visits
//! board, or one for each of the four channels  | figures
//! words    what happens in this cycle
//! footer   keys or a notice
//! ```

use super::view::view;
use crate::board::{Board, Square};
use crate::gpu::cycle::{COUNT, CYCLES_PER_MOVE, Cell, CycleFacts, CyclePhase, Film, NEXT, RANK, VISIT};
use crate::gpu::{DeviceChoice, NO_MOVE, STEPS};
use crate::run::{self, Machine, Stand};
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{KeyList, Keys, Timeline, line};
use crate::ui::kit::{AfterSurface, Pace, Page, RANKS, SHADER_MOVES, ScreenEvent, Sheet, Surface, Theme, Turn};
use crate::ui::screen::Model;
use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// The key table of the view of the cycles.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a cycle on", "cycle").or(&[Action::Right]),
        line(&[Action::Back], "a cycle back", "back").or(&[Action::Left]),
        line(&[Action::Play], "run, stop", "run"),
        line(&[Action::NextPane, Action::PreviousPane], "next channel, one before", "channel"),
        line(&[Action::Move, Action::MoveBack], "a move on, a move back", "move"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::Zoom], "one channel, all four", "zoom"),
        line(&[Action::Last], "on to the end", "end"),
        line(&[Action::First], "back to cycle 0", "beginning"),
        line(DIGITS, "repeats the next key", ""),
    ],
    times: &[
        (Action::Step, "cycles"),
        (Action::Back, "back"),
        (Action::Move, "moves"),
        (Action::MoveBack, "moves back"),
    ],
    timeline: Timeline::None,
    pane_key: |_| None,
    words: &[include_str!("help.txt"), RANKS, SHADER_MOVES],
};

/// The speeds to choose from, in cycles a second. The last one is the full speed of the device.
const SPEEDS: [u32; 12] = [1, 2, 3, 6, 15, 30, 60, 150, 300, 600, 1500, u32::MAX];
/// The index in [`SPEEDS`] of the first speed, and of the first speed of a run that starts at once.
const SPEED_FIRST: usize = 3;
const SPEED_RUNNING: usize = 5;

/// Time between two frames while anything moves.
const FRAME: Duration = Duration::from_millis(50);

/// All that the view of the cycles shows.
pub struct CyclesModel {
    /// The computed run.
    pub film: Film,
    /// The device that the user asked for.
    pub wanted: DeviceChoice,
    /// The last state of the device.
    pub machine: Machine,
    /// The cycle that is shown.
    pub at: u32,
    /// The target cycle, while the film does not reach it yet.
    pub seeks: Option<u32>,
    /// Whether the run advances by itself.
    pub running: bool,
    /// The speed in cycles a second; `u32::MAX` is the full speed of the device.
    pub pace: Pace,
    /// The cycle that the device must reach.
    pub goal: u32,
    /// The cycle to which the device must first go back, until the wish is sent.
    back: Option<u32>,
    /// The goal in the last wish to the device.
    sent_goal: u32,
    /// The selected channel.
    pub channel: Channel,
    /// Whether all four channels are shown if they fit.
    pub all: bool,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// The state that all screens share.
    pub surface: Surface,
}

impl CyclesModel {
    /// The model before the first cycle, while the device is opened.
    pub fn new(film: Film, wanted: DeviceChoice, runs: bool, surface: Surface) -> CyclesModel {
        let board = film.first().board();
        let mut model = CyclesModel {
            film,
            wanted,
            machine: Machine::opening(board),
            at: 0,
            seeks: None,
            running: runs,
            pace: Pace::new(&SPEEDS, if runs { SPEED_RUNNING } else { SPEED_FIRST }),
            goal: 0,
            back: None,
            sent_goal: 0,
            channel: Channel::Rank,
            all: true,
            from: (0, 0),
            surface,
        };
        // The film computes the next cycle in advance.
        model.film.look_ahead(CYCLES_PER_MOVE);
        model.settle();
        model
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CyclesLayout> {
        self.layout_of(self.all)
    }

    fn layout_of(&self, all: bool) -> Option<CyclesLayout> {
        CyclesLayout::of(self.surface.screen, self.film.first().board(), self.surface.theme, self.channel, all)
    }

    /// Whether there is room for the boards of all four channels.
    fn has_room_for_all(&self) -> bool {
        self.layout_of(true).is_some_and(|layout| layout.boards.len() > 1)
    }

    /// The keys that have an effect on this screen.
    pub fn keys(&self) -> KeyList {
        KEYS.now().without((!self.has_room_for_all()).then_some(Action::Zoom))
    }

    /// The figures of the cycle that is shown.
    pub fn facts(&self) -> CycleFacts {
        self.film.facts(self.at)
    }

    /// Whether the tour has ended at the cycle that is shown.
    pub fn is_over(&self) -> bool {
        self.film.end() == Some(self.at)
    }

    /// The next wish for the device, if its goal has changed.
    pub fn wish(&mut self) -> Option<run::Wish> {
        let wish = (self.back.take(), self.goal);
        let before = std::mem::replace(&mut self.sent_goal, wish.1);
        (wish != (None, before)).then_some(run::Wish::Reach { from: wish.0, to: wish.1 })
    }

    /// Takes a new state of the device, and reports a failure or a fallback.
    pub fn sampled(&mut self, machine: Machine) {
        let before = std::mem::replace(&mut self.machine, machine);
        let machine = &self.machine;
        let said = match (&machine.stand, &machine.instead) {
            (Stand::Failed(why), _) if !before.is_gone() => {
                Some(format!("{why}; from here on it is computed move by move, without a device"))
            }
            (_, Some(why)) if before.label.is_some() && before.instead.as_ref() != Some(why) => {
                Some(format!("{why}; the twin goes on"))
            }
            _ => None,
        };
        if machine.at != before.at && self.running && machine.reload.is_none() {
            // The cycle may come from another program's file, so limit it to the film.
            show(self, self.machine.at.min(self.film.last_known()));
        }
        if let Some(text) = said {
            self.surface.complain(text);
        }
        self.settle();
    }

    /// Scrolls the boards to the knight.
    fn settle(&mut self) {
        let board = self.film.first().board();
        let knight = board.row_col(self.facts().knight);
        if let Some(layout) = self.layout() {
            for &(_, pane) in &layout.boards {
                self.from = layout.sheet(pane, board, self.surface.theme, self.from).following(knight);
            }
        }
    }

    fn stop(&mut self) {
        self.running = false;
        self.seeks = None;
    }
}

impl Model for CyclesModel {
    fn update(&mut self, msg: ScreenEvent) -> Turn {
        let keys = self.keys();
        let turn = match self.surface.take(msg, keys) {
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
        (self.running || self.seeks.is_some() || self.machine.is_awaited()).then_some(FRAME)
    }

    fn takes_keys(&self) -> bool {
        self.surface.takes_keys()
    }
}

fn perform(model: &mut CyclesModel, action: Action, count: Option<u32>) -> Turn {
    let times = count.unwrap_or(1);
    let moves = times.saturating_mul(CYCLES_PER_MOVE);
    match action {
        Action::Close if (model.running || model.seeks.is_some()) => model.stop(),
        Action::NextPane => model.channel = model.channel.turned(1),
        Action::PreviousPane => model.channel = model.channel.turned(3),
        Action::Zoom => all(model),
        Action::Slower | Action::Faster => speed(model, action),
        Action::Play => run(model),
        // The step key also stops a run.
        Action::Step | Action::Right if model.running && count.is_none() => model.stop(),
        Action::Step | Action::Right => forward(model, times),
        Action::Move => forward(model, moves),
        Action::Last => forward(model, u32::MAX),
        Action::Back | Action::Left => back(model, times),
        Action::MoveBack => back(model, moves),
        Action::First => back(model, u32::MAX),
        other => return model.surface.perform(other),
    }
    Turn::Stay
}

/// Switches between all four channels and one, if there is room for four.
fn all(model: &mut CyclesModel) {
    if model.has_room_for_all() {
        model.all = !model.all;
        return;
    }
    let (next, screen, Size { width, height }) = (Action::NextPane.key(), model.surface.screen, FOUR);
    let is_small = screen.width < width || screen.height < height;
    let least = if is_small { format!(" below {width}x{height}") } else { String::new() };
    model.surface.say(format!("there is no room for all four boards{least}; {next}: the next channel"));
}

/// Shows a later cycle; the device follows.
fn forward(model: &mut CyclesModel, cycles: u32) {
    model.stop();
    if model.is_over() {
        return model.surface.say(format!(
            "this is the end of the run: {} steps back, {} begins again",
            Action::Back.key(),
            Action::First.key()
        ));
    }
    prepare_resume(model);
    model.seeks = Some(model.at.saturating_add(cycles));
    seek(model);
}

/// Moves towards the target cycle: the film must first compute a far cycle.
fn seek(model: &mut CyclesModel) {
    if let Some(cycle) = model.seeks {
        if model.film.look_ahead(cycle) {
            model.seeks = None;
        }
        model.at = cycle.min(model.film.last_known());
        model.goal = model.at;
    }
}

fn back(model: &mut CyclesModel, cycles: u32) {
    model.stop();
    if model.at == 0 {
        return model.surface.say("this is cycle 0: the board before the first");
    }
    model.at = model.at.saturating_sub(cycles);
    // The device stays at its cycle until the run continues.
    model.goal = model.goal.min(model.machine.at);
}

/// Prepares to continue the run from the cycle shown: a device that is ahead must first go back.
fn prepare_resume(model: &mut CyclesModel) {
    if model.machine.at > model.at || model.goal > model.at {
        model.back = Some(model.at);
    }
    model.goal = model.at;
}

/// Starts the run, or stops it.
fn run(model: &mut CyclesModel) {
    let runs = !model.running && model.seeks.is_none();
    model.stop();
    if runs && model.is_over() {
        return model.surface.say(format!("this is the end of the run: {} begins again", Action::First.key()));
    }
    if runs {
        prepare_resume(model);
    }
    model.running = runs;
    model.pace.restart();
}

fn speed(model: &mut CyclesModel, action: Action) {
    model.pace.change(action);
    model.surface.say(match model.pace.per_s() {
        u32::MAX => "as many cycles as the device does".to_owned(),
        speed => format!("{speed} cycles a second"),
    });
}

/// Advances the run by the elapsed time: asks the device for the cycles that are due, and shows the completed ones.
fn advance(model: &mut CyclesModel, time: Duration) {
    seek(model);
    if !model.running {
        return;
    }
    if model.machine.at > model.at && !model.machine.is_awaited() {
        prepare_resume(model);
    }
    let batch = model.machine.pace;
    // Cycles that a slow device has missed are dropped.
    let most = match model.pace.per_s() {
        u32::MAX => f64::from(batch),
        speed => f64::from(speed) / 4.0 + 1.0,
    };
    model.pace.pass(time, most);
    // Without a device the film advances alone.
    let idle = model.machine.at == model.at && model.goal == model.at && !model.machine.is_awaited();
    let cycles = model.pace.due(batch);
    if cycles == 0 || !(idle || model.machine.is_gone()) {
        return;
    }
    model.pace.take(cycles);
    model.film.look_ahead(model.at.saturating_add(cycles));
    model.goal = model.at.saturating_add(cycles).min(model.film.last_known());
    if model.machine.is_gone() {
        show(model, model.goal);
    }
}

fn show(model: &mut CyclesModel, cycle: u32) {
    model.at = cycle;
    if model.is_over() {
        model.running = false;
    }
}

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CyclesLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The panes of the channels: the selected one, or all four.
    pub boards: Vec<(Channel, Rect)>,
    /// The pane of the figures.
    pub figures: Rect,
    /// The line of text.
    pub words: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 18;
/// Widths of the figures without frame: the most important ones, all in full, with extra space.
const FIGURES_NARROW: u16 = 20;
const FIGURES_WIDE: u16 = 34;
const FIGURES_ROOMY: u16 = 52;
/// Least screen widths for figures in full, and with extra space.
const WIDE_WIDTH: u16 = 72;
const ROOMY_WIDTH: u16 = 150;
/// Least screen size for four boards.
pub const FOUR: Size = Size { width: 140, height: 34 };
/// Letters of a rank with its marks.
const LETTERS: u32 = 3;

/// Digits of the visit numbers of a board.
pub fn digits(board: Board) -> usize {
    board.squares().to_string().len()
}

impl CyclesLayout {
    /// The layout for a board. It shows one channel, or with `all` four channels if they fit; `None` if the screen is
    /// too small.
    pub fn of(screen: Size, board: Board, theme: Theme, channel: Channel, all: bool) -> Option<CyclesLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let frame = if page.framed { 2 } else { 0 };
        let words = Rect { y: page.footer.y - 1, ..page.footer };
        let body = Rect { height: page.body.height - 1, ..page.body };
        let wanted = match screen.width {
            ROOMY_WIDTH.. => FIGURES_ROOMY,
            WIDE_WIDTH.. => FIGURES_WIDE,
            _ => FIGURES_NARROW,
        };
        let figures = Rect { x: body.width - wanted - frame, width: wanted + frame, ..body };
        let place = Rect { width: body.width - figures.width, ..body };
        let mut layout = CyclesLayout { page, boards: vec![(channel, place)], figures, words };
        if all && screen.width >= FOUR.width && screen.height >= FOUR.height {
            let four = quarters(place);
            let whole = |&rect: &Rect| layout.sheet(rect, board, theme, (0, 0)).is_whole();
            if four.iter().all(whole) {
                layout.boards = Channel::ALL.into_iter().zip(four).collect();
            }
        }
        if layout.boards.len() == 1 {
            // The board gets only the width that it needs; the figures use the rest.
            let sheet = layout.sheet(place, board, theme, (0, 0));
            let width = (sheet.area.width + sheet.gutter + frame + 1).clamp(16, place.width);
            layout.boards = vec![(channel, Rect { width, ..place })];
            layout.figures = Rect { x: width, width: screen.width - width, ..figures };
        }
        Some(layout)
    }

    /// The visible part of the board in a pane, which begins near square `from`.
    pub fn sheet(&self, pane: Rect, board: Board, theme: Theme, from: (u32, u32)) -> Sheet {
        let letters = LETTERS.max(digits(board) as u32);
        heat::sheet(self.page.inner(pane), board, letters, theme, self.page.framed, from)
    }
}

/// Four equal parts; the right and lower ones include the remainder.
fn quarters(place: Rect) -> [Rect; 4] {
    let (width, height) = (place.width / 2, place.height / 2);
    let left = Rect { width, height, ..place };
    let right = Rect { x: place.x + width, width: place.width - width, ..left };
    let low = |rect: Rect| Rect { y: place.y + height, height: place.height - height, ..rect };
    [left, right, low(left), low(right)]
}

/// One of the four numbers of a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// Visit number, red.
    Visit,
    /// Decision counter, green.
    Count,
    /// Rank, blue.
    Rank,
    /// Next move, alpha.
    Next,
}

/// Greatest number of neighbours of a square.
const RANK_MAX: f64 = 8.0;
/// The counter of a square whose knight has decided.
const COUNT_MAX: f64 = 3.0;

impl Channel {
    /// The channels in the order in which a square stores them.
    pub const ALL: [Channel; 4] = [Channel::Visit, Channel::Count, Channel::Rank, Channel::Next];

    /// The name of the channel and the letter of its colour.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Visit => "visit R",
            Channel::Count => "counter G",
            Channel::Rank => "rank B",
            Channel::Next => "next move A",
        }
    }

    /// The least and the greatest value on a board with `squares` squares.
    pub fn range(self, squares: u32) -> (String, String) {
        let (least, most) = match self {
            Channel::Visit => (1, squares),
            Channel::Count => (1, 3),
            Channel::Rank => (0, 8),
            Channel::Next => (0, 7),
        };
        (least.to_string(), most.to_string())
    }

    /// The channel `by` positions further, in a circle.
    pub fn turned(self, by: usize) -> Channel {
        Channel::ALL[(self as usize + by) % Channel::ALL.len()]
    }

    /// The look of a square after the cycle of `facts`. Visit numbers are padded to `digits` digits.
    pub fn spot(self, film: &Film, facts: &CycleFacts, square: Square, digits: usize, ascii: bool) -> Spot {
        let cell = film.cell(facts.cycle, square);
        let (value, text) = self.content(&cell, facts.squares, digits, ascii);
        Spot { value, text, mark: self.mark(film, facts, square, &cell) }
    }

    fn content(self, cell: &Cell, squares: u32, digits: usize, ascii: bool) -> (Option<f64>, String) {
        let of = |channel: usize| f64::from(cell[channel]);
        let visited = cell[VISIT] > 0.0;
        match self {
            Channel::Visit if visited => (Some(of(VISIT) / f64::from(squares)), format!("{:>digits$}", cell[VISIT])),
            Channel::Count if visited => (Some(of(COUNT) / COUNT_MAX), cell[COUNT].to_string()),
            // The rank of a visited square is never read.
            Channel::Rank => ((!visited).then_some(of(RANK) / RANK_MAX), cell[RANK].to_string()),
            Channel::Next if cell[NEXT] < f32::from(NO_MOVE) => {
                (Some(of(NEXT) / f64::from(NO_MOVE - 1)), way(cell[NEXT] as u8, ascii))
            }
            _ => (None, String::new()),
        }
    }

    fn mark(self, film: &Film, facts: &CycleFacts, square: Square, cell: &Cell) -> Option<Mark> {
        let free_beside = cell[VISIT] == 0.0 && film.first().board().adjacent(facts.knight, square);
        let chosen = facts.phase == CyclePhase::Decide && facts.choice.is_some_and(|choice| choice.to == square);
        match self {
            _ if square == facts.knight => Some(Mark::Knight),
            _ if chosen => Some(Mark::Chosen),
            Channel::Rank if film.has_stale_rank(facts.cycle, square) => Some(Mark::Wrong),
            Channel::Rank if free_beside && matches!(facts.phase, CyclePhase::Ranks | CyclePhase::Decide) => {
                Some(Mark::Candidate)
            }
            _ => None,
        }
    }
}

/// A move as its number, and an arrow in its approximate direction.
pub fn way(step: u8, ascii: bool) -> String {
    let arrow = match STEPS.get(usize::from(step)) {
        None => return "-".to_owned(),
        Some(_) if ascii => "",
        Some((1.., 1..)) => "↘",
        Some((1.., _)) => "↗",
        Some((_, 1..)) => "↙",
        Some(_) => "↖",
    };
    format!("{step}{arrow}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..80, cols in 1u64..80, all: bool, ascii: bool,
        ) {
            let theme = Theme { ascii, ..Theme::RICH };
            let board = Board::new(rows, cols).unwrap();
            let layout = CyclesLayout::of(Size::new(width, height), board, theme, Channel::Rank, all).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let boards = layout.boards.iter().map(|&(_, rect)| rect);
            let rects = [layout.page.header, layout.figures, layout.words, layout.page.footer].into_iter().chain(boards);
            for position in rects.flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }
}
