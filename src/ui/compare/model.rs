//! The model of the comparison, and its updates. This file uses no clock, run or terminal.

use super::view::view;
use crate::run::balance::{Verdict, VerdictName};
use crate::run::{End, Frame, Rival, RivalState, compared_verdicts, conclusion};
use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{Common, Effect, EventAnswer, Page, ScreenEvent, UNITS, wrapped};
use crate::ui::screen::Model;
use crate::words;
use ratatui::Frame as Canvas;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// The key table of the comparison.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::NextPane], "charts by time or depth", "by depth"),
        line(&[Action::Why], "why workers lost time", "why"),
        line(&[Action::Larger, Action::Smaller], "less or more of the time", "time"),
    ],
    times: &[],
    timeline: Timeline::None,
    pane_key: |_| None,
    words: &[include_str!("help.txt"), UNITS],
};

/// How often the time axis can be halved.
const ZOOM_MAX: u32 = 16;

/// What is below the table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ComparePage {
    /// Charts over time.
    #[default]
    Times,
    /// Charts by depth.
    Depths,
    /// The verdicts of each run.
    Why,
}

/// All that the comparison shows.
pub struct CompareModel {
    /// The question of all runs.
    pub question: String,
    /// The runs, in their order.
    pub rivals: Vec<Rival>,
    /// What is below the table.
    pub page: ComparePage,
    /// How often the time axis has been halved.
    pub zoom: u32,
    /// The state that all screens share.
    pub common: Common,
}

impl CompareModel {
    /// The model before the first run.
    pub fn new(question: &str, rivals: Vec<Rival>, common: Common) -> CompareModel {
        CompareModel { question: question.to_owned(), rivals, page: ComparePage::default(), zoom: 0, common }
    }

    /// The index of the current run.
    pub fn running(&self) -> Option<usize> {
        self.rivals.iter().position(|rival| rival.state == RivalState::Running)
    }

    /// Starts the next run; returns its index, if a run is left.
    pub fn begin(&mut self) -> Option<usize> {
        let next = self.rivals.iter().position(|rival| rival.state == RivalState::Waiting)?;
        self.rivals[next].begin();
        Some(next)
    }

    /// Adds a frame of the current run.
    pub fn take(&mut self, frame: &Frame) {
        if let Some(running) = self.running() {
            self.rivals[running].take(frame);
        }
    }

    /// Records the end of the current run.
    pub fn end(&mut self, end: &End) {
        if let Some(running) = self.running() {
            self.rivals[running].end(end);
        }
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CompareLayout> {
        CompareLayout::of(self.common.screen, self.rivals.len(), self.conclusion().len() as u16)
    }

    /// Which run took how much longer, in lines of the screen; none before all runs are complete.
    pub fn conclusion(&self) -> Vec<String> {
        let said = conclusion(&self.rivals.iter().collect::<Vec<_>>());
        said.map_or_else(Vec::new, |said| wrapped(&said, usize::from(self.common.screen.width.saturating_sub(2))))
    }

    /// All of the screen below the table.
    pub fn below(&self, layout: &CompareLayout) -> Rect {
        let (body, top) = (layout.page.body, layout.table.bottom());
        Rect { y: top, height: body.bottom().saturating_sub(top), ..body }
    }

    /// The end of the time axis.
    pub fn shown(&self) -> Duration {
        let longest = self.rivals.iter().map(|rival| rival.last.elapsed).max().unwrap_or_default();
        longest / 2u32.pow(self.zoom)
    }

    /// Whether a run is running or waiting, and would be lost.
    fn has_open_runs(&self) -> bool {
        self.rivals.iter().any(|rival| matches!(rival.state, RivalState::Running | RivalState::Waiting))
    }

    /// Shows a page, or the charts over time if it is shown already.
    fn turn_to(&mut self, page: ComparePage) {
        self.page = if self.page == page { ComparePage::Times } else { page };
    }

    /// What kept the workers of each run from work.
    pub fn verdicts(&self) -> Vec<Vec<Verdict>> {
        compared_verdicts(&self.rivals.iter().collect::<Vec<_>>())
    }

    /// The run that lost most to one cause, and what that is, unless nothing keeps any run from work.
    pub fn worst(&self) -> Option<(usize, Verdict)> {
        let worst = |(n, verdicts): (usize, Vec<Verdict>)| Some((n, verdicts.into_iter().next()?));
        let is_loss = |(_, verdict): &(usize, Verdict)| {
            !matches!(verdict.name, VerdictName::Healthy | VerdictName::SmallQuestion)
        };
        let losses = self.verdicts().into_iter().enumerate().filter_map(worst).filter(is_loss);
        losses.max_by(|a, b| a.1.share.total_cmp(&b.1.share))
    }

    fn perform(&mut self, action: Action) -> Effect {
        match action {
            Action::NextPane => self.turn_to(ComparePage::Depths),
            Action::Why => self.turn_to(ComparePage::Why),
            Action::Larger | Action::Smaller => {
                self.zoom =
                    if action == Action::Larger { (self.zoom + 1).min(ZOOM_MAX) } else { self.zoom.saturating_sub(1) };
                let end = words::moment(self.shown());
                self.common.say(if self.zoom == 0 { "all of the time".into() } else { format!("the first {end}") });
            }
            other => return self.common.perform(other),
        }
        Effect::Stay
    }
}

impl Model for CompareModel {
    fn update(&mut self, msg: ScreenEvent) -> Effect {
        match self.common.take(msg, KEYS.now()) {
            Some(EventAnswer::Asked(Action::Quit, _)) if self.has_open_runs() => {
                self.common.ask("leave, and end the runs?", Action::Quit);
            }
            Some(EventAnswer::Asked(action, _) | EventAnswer::Agreed(action)) => return self.perform(action),
            Some(_) | None => {}
        }
        Effect::Stay
    }

    fn draw(&self, frame: &mut Canvas<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.common.waits()
    }

    fn takes_keys(&self) -> bool {
        self.common.takes_keys()
    }
}

/// The positions of all parts of the screen.
///
/// ```text
/// header    the question                           RUNNING 2 of 3
/// table     a heading, and a row for each run
/// why       what kept the workers of a run from work; at the end, which run took how much longer
/// charts    up to three charts: a title, and a strip for each run
/// axis      the time, one axis for all runs
/// footer    keys or a notice
/// ```
///
/// On a small screen the line `why` is dropped, then charts, the last one first, and then the axis; at the end charts
/// are dropped first, but for one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompareLayout {
    /// The header (one line) and the footer.
    pub page: Page,
    pub table: Rect,
    /// The lines below the table.
    pub why: Option<Rect>,
    /// The charts that fit.
    pub charts: Vec<Rect>,
    /// Height of the strip of a run in a chart.
    pub strip: u16,
    /// The time axis, if there is a chart.
    pub axis: Option<Rect>,
}

/// Greatest number of charts.
const CHARTS: u16 = 3;

impl CompareLayout {
    /// The layout for a number of runs, and this many lines of a conclusion; `None` if the screen is too small.
    pub fn of(screen: Size, runs: usize, concluded: u16) -> Option<CompareLayout> {
        let page = Page::of(screen, 1, false)?;
        let (body, runs) = (page.body, runs as u16);
        let table = Rect { height: (runs + 1).min(body.height), ..body };
        let left = body.height - table.height;
        // Each chart needs a title, and all charts need one axis.
        let fits = |charts: u16, above: u16| charts * (runs + 1) + above < left;
        let (least, height) = if concluded == 0 { (CHARTS, 1) } else { (1, concluded) };
        let above = if fits(least, height) { height } else { 0 };
        let shown = (1..=CHARTS).rev().find(|&charts| fits(charts, above)).unwrap_or(0);
        let why = (above > 0).then_some(Rect { y: table.bottom(), height: above, ..body });
        let left = left - above;
        let strip = ((left.saturating_sub(1 + shown)) / (shown * runs).max(1)).max(1);
        let height = strip * runs + 1;
        let charts = (0..shown).map(|n| Rect { y: table.bottom() + above + n * height, height, ..body });
        let charts: Vec<Rect> = charts.collect();
        let axis = charts.last().map(|last| Rect { y: last.bottom(), height: 1, ..body });
        Some(CompareLayout { page, table, why, charts, strip, axis })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_between_header_and_footer() {
        for (width, height) in [(40, 10), (60, 16), (80, 24), (120, 30), (200, 60)] {
            for (runs, concluded) in (2..=4).flat_map(|runs| [0, 2, 4].map(|lines| (runs, lines))) {
                let layout = CompareLayout::of(Size { width, height }, runs, concluded).unwrap();
                let parts = [layout.table].into_iter().chain(layout.why).chain(layout.charts.clone());
                let parts: Vec<Rect> = parts.chain(layout.axis).collect();
                assert!(parts.iter().all(|part| part.intersection(layout.page.body) == *part), "{layout:?}");
                for (n, part) in parts.iter().enumerate() {
                    assert!(parts[..n].iter().all(|other| other.intersection(*part).is_empty()), "{layout:?}");
                }
                assert!(layout.charts.len() == 3 || height < 24 || concluded > 0, "{layout:?}");
                assert!(layout.why.is_some_and(|why| why.height == concluded.max(1)) || height < 24, "{layout:?}");
            }
        }
        assert!(CompareLayout::of(Size { width: 39, height: 10 }, 2, 0).is_none());
    }
}
