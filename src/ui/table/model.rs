//! The model of the tables, and its updates. This file uses no clock, channel or terminal.

use super::layout::{TablesLayout, TablesPart};
use super::words::WORDS;
use crate::run::{TableHead, TableNews, TableRow};
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{AfterSurface, ScreenEvent, StageWish, Surface, wrapped};

/// The key table of the tables.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::NextPane, Action::PreviousPane], "next table, the one before", "table"),
        line(&[Action::Look], "chart, figures, or both", "figures"),
        line(&[Action::Down, Action::Up], "more rows and notes, before", "rows, notes"),
        line(&[Action::Left, Action::Right], "columns left, columns right", "columns"),
        line(&[Action::First, Action::Last], "the first rows, the notes", ""),
        line(DIGITS, "the table with this number", ""),
    ],
    times: &[],
    timeline: Timeline::None,
    words: WORDS,
};

/// A table as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownTable {
    /// The head.
    pub head: TableHead,
    /// The rows; those from [`ShownTable::whole`] on are drafts.
    pub rows: Vec<TableRow>,
    /// Number of rows that will not change any more.
    pub whole: usize,
    /// Sentences about the figures.
    pub notes: Vec<String>,
}

/// Whether the figures have come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TablesState {
    /// Rows are being computed.
    #[default]
    Running,
    /// All have come; whether every figure is the published one.
    Done(bool),
}

/// All that the screen of the tables shows.
pub struct TablesModel {
    /// The name of what is reproduced, which is also that of its words in the help.
    pub name: String,
    /// The tables that have begun.
    pub tables: Vec<ShownTable>,
    /// The table that the user selected. Without one it is the last table, and the first one when all have come.
    pub selected: Option<usize>,
    /// What is shown of it.
    pub part: TablesPart,
    /// Lines of the figures that are scrolled off at the top.
    pub scrolled: usize,
    /// Columns that are scrolled off behind the first one.
    pub skipped: usize,
    /// Whether the figures have come.
    pub state: TablesState,
    /// The state that all screens share.
    pub surface: Surface,
}

impl TablesModel {
    /// The model before the first table.
    pub fn new(name: &str, surface: Surface) -> TablesModel {
        TablesModel {
            name: name.to_owned(),
            tables: Vec::new(),
            selected: None,
            part: TablesPart::default(),
            scrolled: 0,
            skipped: 0,
            state: TablesState::default(),
            surface,
        }
    }

    /// The index of the table that is shown.
    pub fn at(&self) -> usize {
        self.selected.unwrap_or(self.tables.len().saturating_sub(1))
    }

    /// The table that is shown.
    pub fn shown(&self) -> Option<&ShownTable> {
        self.tables.get(self.at())
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<TablesLayout> {
        let table = self.shown();
        let about = table.map_or("", |table| &table.head.about);
        let bars = table.and_then(|table| Some(table.head.chart.as_ref()?.in_group()));
        TablesLayout::of(self.surface.screen, about, bars, self.part)
    }

    /// The lines of the figures that are shown: the first one, the last one, and how many there are; `None` if all are.
    pub fn lines_shown(&self) -> Option<(usize, usize, usize)> {
        let (table, layout) = (self.shown()?, self.layout()?);
        let (all, shown) = (table.lines(&layout).len(), layout.rows_shown());
        let from = self.scrolled.min(all.saturating_sub(shown));
        (layout.figures.is_some() && all > shown).then_some((from + 1, from + shown, all))
    }

    /// Takes what has come of the tables.
    pub fn take(&mut self, news: TableNews) {
        let last = self.tables.last_mut();
        match (news, last) {
            (TableNews::Table(head), _) => {
                self.tables.push(ShownTable { head, rows: Vec::new(), whole: 0, notes: Vec::new() });
                if self.selected.is_none() {
                    (self.scrolled, self.skipped) = (0, 0);
                }
            }
            (TableNews::Row(row), Some(table)) => {
                table.set(table.whole, row);
                table.whole += 1;
            }
            (TableNews::Draft(index, row), Some(table)) => table.set(index, row),
            (TableNews::Note(text), Some(table)) => table.notes.push(text),
            (TableNews::End(same), _) => {
                self.state = TablesState::Done(same);
                if self.selected.is_none() {
                    self.select(0);
                }
            }
            // Rows before the first table have none to belong to.
            (TableNews::Row(_) | TableNews::Draft(..) | TableNews::Note(_), None) => {}
        }
    }

    fn select(&mut self, table: usize) {
        self.selected = Some(table);
        (self.scrolled, self.skipped) = (0, 0);
    }

    fn turn(&mut self, by: usize) {
        if !self.tables.is_empty() {
            self.select((self.at() + by) % self.tables.len());
        }
    }

    fn perform(&mut self, action: Action) -> Option<StageWish> {
        let below = self.layout().map_or(0, |layout| {
            let lines = self.shown().map_or(0, |table| table.lines(&layout).len());
            lines.saturating_sub(layout.rows_shown())
        });
        let columns = self.shown().map_or(0, |table| table.head.columns.len());
        match action {
            Action::NextPane => self.turn(1),
            Action::PreviousPane => self.turn(self.tables.len().saturating_sub(1)),
            Action::Digit(digit) => match usize::from(digit).checked_sub(1).filter(|&at| at < self.tables.len()) {
                Some(at) => self.select(at),
                None => self.surface.say(format!("there is no table {digit} yet")),
            },
            Action::Look => {
                self.part = match self.part {
                    TablesPart::Both => TablesPart::Figures,
                    TablesPart::Figures => TablesPart::Chart,
                    TablesPart::Chart => TablesPart::Both,
                };
            }
            Action::Down => self.scrolled = (self.scrolled + 1).min(below),
            Action::Up => self.scrolled = self.scrolled.min(below).saturating_sub(1),
            Action::First => self.scrolled = 0,
            Action::Last => self.scrolled = below,
            Action::Right => self.skipped = (self.skipped + 1).min(columns.saturating_sub(2)),
            Action::Left => self.skipped = self.skipped.saturating_sub(1),
            other => return self.surface.perform(other),
        }
        None
    }
}

impl ShownTable {
    fn set(&mut self, index: usize, row: TableRow) {
        if self.rows.len() <= index {
            self.rows.resize(index + 1, TableRow::default());
        }
        self.rows[index] = row;
    }

    /// The lines below the headings: the index of a row, or a line of the sentences. What the table shows is among them
    /// where it has no place of its own.
    pub fn lines(&self, layout: &TablesLayout) -> Vec<Result<usize, String>> {
        let width = layout.figures.map_or(0, |figures| usize::from(figures.width));
        let about = layout.about.1.is_empty().then_some(&self.head.about);
        let sentences = self.notes.iter().chain(about).flat_map(|text| wrapped(text, width));
        let sentences: Vec<_> = sentences.map(Err).collect();
        let blank = (!sentences.is_empty()).then(|| Err(String::new()));
        (0..self.rows.len()).map(Ok).chain(blank).chain(sentences).collect()
    }
}

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut TablesModel, msg: ScreenEvent) -> Option<StageWish> {
    match model.surface.take(msg, KEYS.now())? {
        AfterSurface::Asked(Action::Quit, _) if model.state == TablesState::Running => {
            model.surface.ask("leave, and end the work?", Action::Quit);
            None
        }
        AfterSurface::Asked(action, _) | AfterSurface::Agreed(action) => model.perform(action),
        AfterSurface::Passed(_) | AfterSurface::Clicked(_) => None,
    }
}
