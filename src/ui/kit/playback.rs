//! The playback of a run: all its frames, and the moment that is shown.
//!
//! A running run is shown live until a key goes back in time. Then the selected moment is shown, while the run
//! continues and is recorded. A recorded run has no present: it is played from its start.

use super::common::Common;
use super::input::{InputKey, TextInput};
use super::keys::Action;
use super::message::{EventAnswer, ScreenEvent};
use super::page::SCREEN_MIN;
use super::screen_keys::{KeyList, Keys, TimeView};
use crate::run::{End, Frame, Moment, RunHistory, SearchEnd, Source, Wished};
use crate::words;
use ratatui::layout::Size;
use std::time::Duration;

/// Greatest playback speed, and greatest slow-down, as a power of two.
const SPEED_MAX: i32 = 6;
/// A wait longer than this is long.
const LONG: Duration = Duration::from_millis(1);
/// Memory for a recorded run, in bytes.
const RECORDED_ROOM: usize = 512 << 20;

/// The history of a run and the moment that is shown.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    past: RunHistory,
    /// The moment that is shown; `None` for the present.
    shown: Option<Moment>,
    playing: bool,
    /// The playback speed, as a power of two.
    speed: i32,
    /// Whether the run is a recording, and so has no present.
    recorded: bool,
    /// Whether the run continues when the view is left.
    alone: bool,
    /// Whether the viewer may only look.
    only_looks: bool,
    /// The field for a moment to jump to.
    input: TextInput,
    /// How the run ended, if it has ended.
    end: Option<End>,
    /// The number of frames that the journal could not take, if a journal is written.
    unrecorded: Option<u64>,
    /// What the viewer has wished and the run has not confirmed.
    wished: Wished,
    /// Whether newer frames than those taken are on their way.
    catching_up: bool,
    /// Waits longer than this are gone to; unless it was typed, [`LONG`].
    longer: Option<Duration>,
    /// Whether the run was a demonstration that was seen to its end.
    demonstrated: bool,
}

impl Playback {
    /// The playback of a recording: reads all frames of the source, and starts to play.
    pub fn recorded(source: &mut (impl Source + ?Sized)) -> Playback {
        let mut past = RunHistory::new(RECORDED_ROOM);
        std::iter::from_fn(|| source.look()).for_each(|frame| past.take(frame));
        if let Some(End::Run(SearchEnd { elapsed, .. })) = source.end(Duration::ZERO) {
            past.end(elapsed);
        }
        let shown = Some(past.first());
        Playback { past, shown, playing: true, recorded: true, ..Playback::default() }
    }

    /// The playback of a run that its source shows from now on.
    pub fn of(source: &(impl Source + ?Sized)) -> Playback {
        Playback { alone: source.outlives_viewer(), only_looks: source.is_read_only(), ..Playback::default() }
    }

    /// Adds a frame.
    pub fn take(&mut self, frame: Frame) {
        self.past.take(frame);
    }

    /// Records how the run ended.
    pub fn close(&mut self, end: End) {
        if let End::Run(SearchEnd { elapsed, .. }) = &end {
            let is_last = self.shown == Some(self.past.last());
            self.past.end(*elapsed);
            self.shown = if is_last { Some(self.past.last()) } else { self.shown };
        }
        self.end = Some(end);
    }

    /// How the run ended, if it has ended.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// How the run ended, unless a moment before the end is shown.
    pub fn end_shown(&self) -> Option<&End> {
        self.end().filter(|_| self.shown.is_none_or(|shown| shown == self.past.last()))
    }

    /// The number of frames that the journal could not take, if a journal is written.
    pub fn unrecorded(&self) -> Option<u64> {
        self.unrecorded
    }

    /// Takes what the source says beside its frames.
    pub fn attend(&mut self, source: &(impl Source + ?Sized)) {
        self.set_unrecorded(source.unrecorded());
        self.wished = source.wished();
        self.catching_up = source.is_catching_up();
    }

    /// Sets the number of frames that the journal could not take.
    pub fn set_unrecorded(&mut self, frames: Option<u64>) {
        self.unrecorded = frames;
    }

    /// What the viewer has wished and the run has not confirmed.
    pub fn wished(&self) -> Wished {
        self.wished
    }

    /// Whether what is shown as the present is past: newer frames are on their way.
    pub fn is_catching_up(&self) -> bool {
        self.catching_up
    }

    /// Marks the run as a demonstration that was seen to its end.
    pub fn set_demonstrated(&mut self) {
        self.demonstrated = true;
    }

    /// Whether the end of a demonstration is shown.
    pub fn is_demonstrated(&self) -> bool {
        self.demonstrated && self.shown.is_none()
    }

    pub fn past(&self) -> &RunHistory {
        &self.past
    }

    /// The moment that is shown; `None` for the present.
    pub fn shown(&self) -> Option<Moment> {
        self.shown
    }

    /// Whether the run is a recording.
    pub fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// The active keys of a screen with the key table `keys`.
    pub fn keys(&self, keys: &'static Keys) -> KeyList {
        let view = match (self.shown, self.recorded) {
            (None, _) if self.is_demonstrated() => TimeView::Demonstrated,
            (None, _) if self.only_looks => TimeView::ReadOnly,
            (None, _) if self.end().is_some() => TimeView::Ended,
            (None, _) => TimeView::Now,
            (Some(_), false) => TimeView::Past,
            (Some(_), true) => TimeView::Recording,
        };
        KeyList { view, ..keys.now() }
    }

    /// Whether the run continues when the view is left.
    pub fn goes_on_alone(&self) -> bool {
        self.alone
    }

    /// Whether the viewer may only look.
    pub fn only_looks(&self) -> bool {
        self.only_looks
    }

    /// Whether leaving the view would end the run.
    pub fn is_at_stake(&self) -> bool {
        self.end.is_none() && !self.recorded && !self.alone
    }

    /// The size that remains above the time line; the whole screen while the present is shown.
    pub fn above(&self, screen: Size) -> Size {
        let lines = match screen.height.saturating_sub(SCREEN_MIN.height) {
            _ if self.shown.is_none() => 0,
            spare @ 0..=5 => spare.min(1),
            _ => 2,
        };
        Size { height: screen.height - lines, ..screen }
    }

    /// Handles an event of a screen with these keys. `open` says whether the screen has something open, which `esc` closes
    /// first. It leaves no time to the screen.
    pub fn handle(&mut self, msg: ScreenEvent, common: &mut Common, keys: KeyList, open: bool) -> Option<EventAnswer> {
        match self.input.take(&msg) {
            InputKey::Usual => {}
            InputKey::Typed => return None,
            InputKey::Entered(text) => return self.jump(&text, common),
        }
        // On the smallest screen the time line stands in place of the keys.
        let Size { height, .. } = common.screen;
        let lines = height - self.above(common.screen).height;
        common.below = if lines == 0 && self.shown.is_some() { height } else { lines };
        match common.take(msg, keys)? {
            EventAnswer::Passed(time) => self.pass(time),
            EventAnswer::Clicked(at) => match self.moment_at(at, common.screen) {
                Some(moment) => {
                    self.playing = false;
                    self.go(moment)
                }
                None => Some(EventAnswer::Clicked(at)),
            },
            EventAnswer::Asked(action, _) if !(open && action == Action::Close) => self.act(action, common),
            other => Some(other),
        }
    }

    /// Whether the playback plays, and so needs the time.
    pub fn is_playing(&self) -> bool {
        self.shown.is_some() && self.playing
    }

    /// The playback speed as text: `x 1`, `x 1/8`.
    pub(super) fn speed(&self) -> String {
        match self.speed {
            0.. => format!("x {}", 1 << self.speed),
            _ => format!("x 1/{}", 1 << -self.speed),
        }
    }

    /// Whether a moment to jump to is being typed.
    pub fn takes_keys(&self) -> bool {
        self.input.text().is_some()
    }

    /// The field for a moment to jump to.
    pub(super) fn input(&self) -> &TextInput {
        &self.input
    }

    /// Performs an action of the playback; returns any other action.
    fn act(&mut self, action: Action, common: &mut Common) -> Option<EventAnswer> {
        let back = self.shown.is_some();
        let here = self.shown.unwrap_or_else(|| self.past.last());
        match action {
            Action::Play if back => {
                self.playing = !self.playing;
                if self.playing && here == self.past.last() {
                    return self.go(self.past.first());
                }
                return None;
            }
            Action::Slower | Action::Faster if back => {
                let by = if action == Action::Faster { 1 } else { -1 };
                self.speed = (self.speed + by).clamp(-SPEED_MAX, SPEED_MAX);
                common.say(format!("plays {}", self.speed()));
                return None;
            }
            Action::Close if back && !self.recorded => return self.now(),
            Action::Jump => {
                self.input.open("");
                return None;
            }
            Action::Step if !back => return Some(EventAnswer::Asked(action, None)),
            Action::PreviousWait | Action::NextWait => return self.go_to_wait(action == Action::NextWait, common),
            Action::Back | Action::Step | Action::PreviousEvent | Action::NextEvent | Action::Begin | Action::Now => {}
            _ => return Some(EventAnswer::Asked(action, None)),
        }
        self.playing = false;
        let to = match action {
            Action::Back => self.past.previous_frame(here),
            Action::Step => self.past.next_frame(here),
            Action::PreviousEvent => self.past.previous_event(here),
            Action::NextEvent => self.past.next_event(here),
            Action::Begin => Some(self.past.first()),
            _ if self.recorded => Some(self.past.last()),
            _ => None,
        };
        match (to, action) {
            (Some(to), _) => self.go(to),
            (None, Action::Now | Action::Step) if !self.recorded => self.now(),
            (None, _) => {
                common.complain(match action {
                    Action::PreviousEvent => "no event is kept before this moment",
                    Action::NextEvent => "no event is kept after this moment",
                    Action::Back => "nothing is kept before this moment",
                    _ => "this is the end",
                });
                None
            }
        }
    }

    /// Goes to where the next long wait begins or ends, or the one before.
    fn go_to_wait(&mut self, is_next: bool, common: &mut Common) -> Option<EventAnswer> {
        let (here, longer) = (self.shown.unwrap_or_else(|| self.past.last()), self.longer.unwrap_or(LONG));
        if let Some((to, told)) = self.past.wait_beside(here, is_next, longer) {
            common.say(told);
            self.playing = false;
            return self.go(to);
        }
        let (which, longer) = (if is_next { "after" } else { "before" }, words::short(longer.as_secs_f64()));
        common.complain(format!("no wait of more than {longer} is kept {which} this moment"));
        None
    }

    /// Goes to the moment that a text names.
    fn jump(&mut self, text: &str, common: &mut Common) -> Option<EventAnswer> {
        if let Some(longer) = text.strip_prefix("waiting>").and_then(duration) {
            self.longer = Some(longer);
            return self.go_to_wait(true, common);
        }
        match self.named(text) {
            Some(moment) => {
                self.playing = false;
                self.go(moment)
            }
            None => {
                common.complain("a time (1:02.5), share (50%), event (#12) or waiting>5ms is a place to go to");
                None
            }
        }
    }

    /// Advances the playback by an elapsed time.
    fn pass(&mut self, time: Duration) -> Option<EventAnswer> {
        let shown = self.shown.filter(|_| self.playing)?;
        let at = shown.at + time.mul_f64(2f64.powi(self.speed));
        let last = self.past.last();
        if at < last.at {
            self.shown = Some(self.past.moment(at));
        } else {
            self.playing = false;
            self.shown = self.recorded.then_some(last);
        }
        Some(EventAnswer::Moved(Some(shown)))
    }

    fn go(&mut self, to: Moment) -> Option<EventAnswer> {
        self.shown = Some(to);
        Some(EventAnswer::Moved(None))
    }

    fn now(&mut self) -> Option<EventAnswer> {
        (self.shown, self.playing) = (None, false);
        Some(EventAnswer::Moved(None))
    }

    /// Parses a moment: a time since the start, a share of the history, or an event.
    fn named(&self, words: &str) -> Option<Moment> {
        if let Some(number) = words.strip_prefix('#') {
            let number: usize = number.trim().parse().ok()?;
            return self.past.event(number.checked_sub(1)?);
        }
        let (first, last) = (self.past.first().at, self.past.last().at);
        let at = if let Some(share) = words.strip_suffix('%') {
            first + (last - first).mul_f64((number(share)? / 100.0).min(1.0))
        } else {
            self.past.watched(duration(words)?)
        };
        Some(self.past.moment(at.clamp(first, last)))
    }
}

/// Parses a number that is not negative.
fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0)
}

/// Parses a time, `1:02.5`, `7s` or `5ms`.
fn duration(text: &str) -> Option<Duration> {
    let units = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let mut of_unit = units.iter().filter_map(|(unit, s)| Some((text.strip_suffix(unit)?, *s)));
    let (figure, unit) = of_unit.next().unwrap_or((text, 1.0));
    let seconds = figure.split(':').map(number).try_fold(0.0, |sum, part| Some(sum * 60.0 + part?))?;
    Duration::try_from_secs_f64(seconds * unit).ok()
}
