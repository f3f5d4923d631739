//! The film of the three-cycle board on the tape of the step view: every cycle, forwards and backwards, and its measured
//! time.
//!
//! The [`Film`] of the run can compute every cycle at once. The device runs through the same cycles in the background, in
//! batches that fit between two frames. Boards are read back from the device; of a large board only one a second, and the
//! last. Each is compared with the film, and the time of its batch is shown. So stepping never waits for a device, and the
//! view shows of a device only completed work. [`FilmTape::wish`] returns the cycle that the device must reach.
//!
//! Its panes:
//!
//! ```text
//! header   board, method, activity; cycle, phase, visits
//! board, or one for each of the four channels  | figures
//! sentence what happens in this cycle
//! footer   keys or a notice
//! ```

use super::goal::{Goal, StepRun};
use super::model::{StepModel, StepTape};
use super::view::film;
use crate::board::{Board, Square};
use crate::gpu::cycle::{CYCLES_PER_MOVE, CycleFacts, CycleState, Film};
use crate::gpu::{DeviceChoice, DoneBy};
use crate::run::{self, CycleSource, DeviceState, Machine, Source};
use crate::solve::{self, Finder, GpuCyclesFinder, Request};
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{KeyList, Keys, Timeline, line};
use crate::ui::kit::{Common, Pace, Page, PaneFocus, PaneLayout, RANKS, SHADER_MOVES, Sheet, Theme, heat};
use crate::words::grouped;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// The key table of a film.
pub const FILM_KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a cycle on", "cycle").or(&[Action::Right]),
        line(&[Action::Back], "a cycle back", "back").or(&[Action::Left]),
        line(&[Action::Play], "run, stop", "run"),
        line(&[Action::NextPane, Action::PreviousPane], "next channel, one before", "channel"),
        line(&[Action::Move, Action::MoveBack], "a move on, a move back", "move"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::Zoom], "one channel, all four", "zoom").or(&[Action::Open]),
        line(&[Action::Last], "on to the end", "end"),
        line(&[Action::First], "back to cycle 0", "beginning"),
        line(DIGITS, "repeats the next key", ""),
    ],
    times: &[
        (Action::Step, "cycles"),
        (Action::Back, "back"),
        (Action::Move, "moves"),
        (Action::MoveBack, "moves back"),
        (Action::First, "to that cycle"),
    ],
    timeline: Timeline::None,
    pane_key: |_| None,
    words: &[include_str!("film.txt"), RANKS, SHADER_MOVES],
};

/// The speeds to choose from, in cycles a second. The last one is the full speed of the device.
const SPEEDS: [u32; 12] = [1, 2, 3, 6, 15, 30, 60, 150, 300, 600, 1500, u32::MAX];
/// The index of the first speed, and of that of a run that starts at once.
const SPEED_FIRST: usize = 3;
const SPEED_RUNNING: usize = 5;

/// A film, and the device that computes the same cycles.
pub struct FilmTape {
    /// The computed run.
    pub film: Film,
    /// The device that the user asked for.
    pub wanted: DeviceChoice,
    /// The last state of the device.
    pub machine: Machine,
    /// The cycle that is shown.
    pub cycle: u32,
    /// The cycle that the device must reach.
    goal: u32,
    /// The cycle to which the device must first go back, until the wish is sent.
    back: Option<u32>,
    /// The goal in the last wish to the device.
    sent_goal: u32,
}

/// The step view of a film.
pub type FilmModel = StepModel<FilmTape>;

impl FilmModel {
    /// The model before the first cycle, while the device is opened.
    pub fn new(subject: CyclesSubject, common: Common) -> FilmModel {
        let CyclesSubject { first, wanted, runs } = subject;
        let pace = Pace::new(&SPEEDS, if runs { SPEED_RUNNING } else { SPEED_FIRST });
        let model = StepModel::at(FilmTape::new(first, wanted), FilmPane::Rank, pace, common);
        StepModel { playing: runs, ..model }
    }

    /// Whether there is room for the boards of all four channels.
    fn has_room_for_all(&self) -> bool {
        let focus = PaneFocus::on(self.focus.pane);
        let layout = self.tape.layout(self.common.screen, self.common.theme, focus);
        layout.is_some_and(|layout| CHANNELS.iter().all(|&channel| layout.rect(channel).is_some()))
    }

    /// Takes a new state of the device, and reports a failure or a fallback.
    pub fn sampled(&mut self, machine: Machine) {
        let before = std::mem::replace(&mut self.tape.machine, machine);
        let machine = &self.tape.machine;
        let said = match (&machine.state, &machine.instead) {
            (DeviceState::Failed(why), _) if !before.is_gone() => {
                Some(format!("{why}; from here on it is computed move by move, without a device"))
            }
            (_, Some(why)) if before.label.is_some() && before.instead.as_ref() != Some(why) => {
                Some(format!("{why}; the twin goes on"))
            }
            _ => None,
        };
        if machine.at != before.at && self.playing && machine.reload.is_none() {
            // The cycle may come from another program's file, so limit it to the film.
            self.tape.cycle = machine.at.min(self.tape.film.last_known());
            self.playing = !self.tape.is_finished();
        }
        if let Some(text) = said {
            self.common.complain(text);
        }
        self.settle();
    }
}

impl FilmTape {
    /// The film of a run from its first board.
    pub fn new(first: CycleState, wanted: DeviceChoice) -> FilmTape {
        let (machine, mut film) = (Machine::opening(first.board()), Film::of(first));
        // The film computes the next cycle in advance.
        film.look_ahead(CYCLES_PER_MOVE);
        FilmTape { film, wanted, machine, cycle: 0, goal: 0, back: None, sent_goal: 0 }
    }

    pub fn board(&self) -> Board {
        self.film.first().board()
    }

    /// The figures of the cycle that is shown.
    pub fn facts(&self) -> CycleFacts {
        self.film.facts(self.cycle)
    }

    /// The next wish for the device, if its goal has changed.
    pub fn wish(&mut self) -> Option<run::Wish> {
        let wish = (self.back.take(), self.goal);
        let before = std::mem::replace(&mut self.sent_goal, wish.1);
        (wish != (None, before)).then_some(run::Wish::Reach { from: wish.0, to: wish.1 })
    }

    /// The last board, if it is shown, and the device that computed it.
    pub fn last_board(&self) -> Option<LastBoard> {
        let done_by = || self.machine.done_by(&self.film).map(|by| (self.film.state(self.cycle), by));
        self.is_finished().then(done_by)
    }
}

impl StepTape for FilmTape {
    type Pane = FilmPane;

    const STEP: &'static str = "cycle";

    fn layout(&self, screen: Size, theme: Theme, focus: PaneFocus<FilmPane>) -> Option<PaneLayout<FilmPane>> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let frame = if page.framed { 2 } else { 0 };
        let sentence = Rect { y: page.footer.y - 1, ..page.footer };
        let body = Rect { height: page.body.height - 1, ..page.body };
        let wanted = match screen.width {
            ROOMY_WIDTH.. => FIGURES_ROOMY,
            WIDE_WIDTH.. => FIGURES_WIDE,
            _ => FIGURES_NARROW,
        };
        let mut figures = Rect { x: body.width - wanted - frame, width: wanted + frame, ..body };
        let place = Rect { width: body.width - figures.width, ..body };
        let sheet = |pane| self.sheet(page.inner(pane), theme, page.framed, (0, 0));
        let mut panes: Vec<(FilmPane, Rect)> = CHANNELS.into_iter().zip(quarters(place)).collect();
        let has_room = screen.width >= FOUR.width && screen.height >= FOUR.height;
        if focus.zoomed || !has_room || !panes.iter().all(|&(_, pane)| sheet(pane).is_whole()) {
            // The board gets only the width that it needs; the figures use the rest.
            let sheet = sheet(place);
            let width = (sheet.area.width + sheet.gutter + frame + 1).clamp(16, place.width);
            panes = vec![(focus.pane, Rect { width, ..place })];
            figures = Rect { x: width, width: screen.width - width, ..figures };
        }
        panes.extend([(FilmPane::Figures, figures), (FilmPane::Sentence, sentence)]);
        Some(PaneLayout { page, panes })
    }

    fn sheet(&self, room: Rect, theme: Theme, names: bool, from: (u32, u32)) -> Sheet {
        let letters = LETTERS.max(film::digits(self.board()) as u32);
        heat::sheet(room, self.board(), letters, theme, names, from)
    }

    fn head(&self) -> Option<(u32, u32)> {
        Some(self.board().row_col(self.facts().knight))
    }

    fn at(&self) -> u64 {
        self.cycle.into()
    }

    fn is_finished(&self) -> bool {
        self.film.end() == Some(self.cycle)
    }

    /// A device that is ahead must first go back to the cycle shown.
    fn start(&mut self) {
        if self.machine.at > self.cycle || self.goal > self.cycle {
            self.back = Some(self.cycle);
        }
        self.goal = self.cycle;
    }

    /// Moves towards the target cycle: the film must first compute a far cycle. The device follows.
    fn burst(&mut self, run: &mut StepRun) -> bool {
        let wanted = if run.goal == Goal::End { u64::MAX } else { self.at().saturating_add(run.times) };
        let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
        let is_known = self.film.look_ahead(wanted);
        self.goal = wanted.min(self.film.last_known());
        run.times = run.times.saturating_sub(u64::from(self.goal - self.cycle));
        self.cycle = self.goal;
        is_known
    }

    /// Asks the device for the cycles that are due. The completed ones are shown when it [reports](StepModel::sampled).
    fn play(&mut self, pace: &mut Pace, time: Duration) {
        if self.machine.at > self.cycle && !self.machine.is_awaited() {
            self.start();
        }
        let batch = self.machine.pace;
        // Cycles that a slow device has missed are dropped.
        let most = match pace.per_s() {
            u32::MAX => f64::from(batch),
            speed => f64::from(speed) / 4.0 + 1.0,
        };
        pace.pass(time, most);
        // Without a device the film advances alone.
        let idle = self.machine.at == self.cycle && self.goal == self.cycle && !self.machine.is_awaited();
        let cycles = pace.due(batch);
        if cycles == 0 || !(idle || self.machine.is_gone()) {
            return;
        }
        pace.take(cycles);
        self.film.look_ahead(self.cycle.saturating_add(cycles));
        self.goal = self.cycle.saturating_add(cycles).min(self.film.last_known());
        if self.machine.is_gone() {
            self.cycle = self.goal;
        }
    }

    fn back(&mut self, steps: u64) -> u64 {
        let from = self.cycle;
        self.cycle = self.at().saturating_sub(steps) as u32;
        // The device stays at its cycle until the run continues.
        self.goal = self.goal.min(self.machine.at);
        u64::from(from - self.cycle)
    }

    fn is_awaited(&self) -> bool {
        self.machine.is_awaited()
    }

    fn perform(model: &mut FilmModel, action: Action, times: u64) -> bool {
        let moves = times * u64::from(CYCLES_PER_MOVE);
        match action {
            Action::Move => model.begin(Goal::Step, moves),
            Action::MoveBack => model.back(moves),
            Action::NextPane => model.focus.pane = model.focus.pane.turned(1),
            Action::PreviousPane => model.focus.pane = model.focus.pane.turned(CHANNELS.len() - 1),
            Action::Zoom | Action::Open if !model.has_room_for_all() => {
                let (next, screen, Size { width, height }) = (Action::NextPane.key(), model.common.screen, FOUR);
                let is_small = screen.width < width || screen.height < height;
                let least = if is_small { format!(" below {width}x{height}") } else { String::new() };
                model.common.say(format!("there is no room for all four boards{least}; {next}: the next channel"));
            }
            _ => return false,
        }
        true
    }

    fn keys(model: &FilmModel) -> KeyList {
        FILM_KEYS.now().without((!model.has_room_for_all()).then_some(Action::Zoom))
    }

    fn draw_header(buf: &mut Buffer, area: Rect, model: &FilmModel) {
        film::draw_header(buf, area, model);
    }
}

/// A pane of a film.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilmPane {
    /// Visit number of every square, red.
    Visit,
    /// Decision counter, green.
    Count,
    /// Rank, blue.
    Rank,
    /// Next move, alpha.
    Next,
    Figures,
    /// What happens in this cycle, in a line.
    Sentence,
}

/// The panes of the channels, in the order in which a square stores its four numbers. One of them has the focus.
pub const CHANNELS: [FilmPane; 4] = [FilmPane::Visit, FilmPane::Count, FilmPane::Rank, FilmPane::Next];

impl FilmPane {
    /// The channel `by` positions further, in a circle.
    fn turned(self, by: usize) -> FilmPane {
        CHANNELS[(self as usize + by) % CHANNELS.len()]
    }
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
const FOUR: Size = Size { width: 140, height: 34 };
/// Letters of a rank with its marks.
const LETTERS: u32 = 3;

/// Four equal parts; the right and lower ones include the remainder.
fn quarters(place: Rect) -> [Rect; 4] {
    let (width, height) = (place.width / 2, place.height / 2);
    let left = Rect { width, height, ..place };
    let right = Rect { x: place.x + width, width: place.width - width, ..left };
    let low = |rect: Rect| Rect { y: place.y + height, height: place.height - height, ..rect };
    [left, right, low(left), low(right)]
}

/// Squares of the largest board that the view shows. Computing all squares of such a board takes less than a frame.
const SQUARES_MAX: u32 = 1 << 18;

/// The last board of a run and the device that computed it; or an error if the board of the device differs from the
/// twin's.
pub type LastBoard = Result<(CycleState, DoneBy), String>;

/// A run to show.
#[derive(Clone, Debug)]
pub struct CyclesSubject {
    /// The board before the first cycle.
    pub first: CycleState,
    /// The device that the user asked for.
    pub wanted: DeviceChoice,
    /// Whether the run starts at once.
    pub runs: bool,
}

impl CyclesSubject {
    /// The run that `gpu-cycles` makes of a request. Without a start square the run starts where the source's sample
    /// starts.
    ///
    /// # Errors
    /// A sentence that says why the request is refused.
    pub fn of(request: &Request, runs: bool) -> Result<CyclesSubject, String> {
        GpuCyclesFinder.admits(request).map_err(|refusal| refusal.to_string())?;
        let (board, squares) = (request.board(), request.board().squares());
        if squares > SQUARES_MAX {
            let [most, squares] = [SQUARES_MAX, squares].map(grouped);
            let instead = format!("`destrier find {board} --method gpu-cycles` without --watch does the same");
            return Err(format!("cycles are shown on up to {most} squares, {board} has {squares}; {instead}"));
        }
        let Some(compass) = solve::compass(request) else { unreachable!("the request is admitted") };
        let start = request.start.unwrap_or_else(|| start_of(request.board()));
        let first = CycleState::new(request.board(), start, compass).map_err(|error| error.to_string())?;
        Ok(CyclesSubject { first, wanted: request.adapter.clone(), runs })
    }

    /// Starts to open the device.
    pub fn start(&self) -> Box<dyn Source> {
        Box::new(CycleSource::start(self.first.clone(), self.wanted.clone()))
    }
}

/// The start of the source's sample on 8x8 (row 2, column 4); on other boards the first square.
fn start_of(board: Board) -> Square {
    let sample = board.square(2, 4).filter(|_| (board.rows(), board.cols()) == (8, 8));
    match sample.or(board.at(0)) {
        Some(start) => start,
        None => unreachable!("a board has a first square"),
    }
}
