//! The states by row: total, stored and nonzero states, the width of the counters, the time.
//!
//! The length of a bar is the number of states of the row, relative to the longest row: `█` stored and not zero, `━`
//! stored, `─` planned.

use crate::count::{CountPhase, CountSnapshot, RowMeter};
use crate::ui::count::model::CountModel;
use crate::ui::kit::{LinePart, PaneFrame, PanePlace, Role, Theme, fit, padded, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::time::Duration;

/// Least width for all figures of a row.
const WIDE_WIDTH: u16 = 50;
/// Least height with a heading.
const HEADED_HEIGHT: u16 = 6;
/// Greatest distance between two rows, in lines.
const PITCH_MAX: u32 = 4;

/// The legend of the parts of a bar.
fn legend(theme: Theme, width: u16) -> Line<'static> {
    let [some, done, planned] = bar(theme);
    let part = |worth, (glyph, role): (&'static str, Role), word: &str| {
        LinePart::new(worth).with(theme, role, glyph.repeat(2)).with(theme, Role::Label, format!(" {word}"))
    };
    let parts = vec![part(3, some, "not zero"), part(2, done, "done"), part(1, planned, "planned")];
    padded(fit(parts, width.saturating_sub(14), 2))
}

/// Glyphs and colours of the parts of a bar: nonzero, stored, planned.
fn bar(theme: Theme) -> [(&'static str, Role); 3] {
    let glyphs = theme.glyphs();
    [(glyphs.column[8], Role::Good), (glyphs.meter[0], Role::Busy), (glyphs.meter[2], Role::Border)]
}

/// Draws the rows beside the rows of the board if the whole board is visible; otherwise as many rows as fit around
/// the current row.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let legend = legend(model.common.theme, place.width());
    let area = place.framed(buf, PaneFrame { legend, ..PaneFrame::titled("rows") });
    let sheet = model.layout().and_then(|layout| model.sheet(&layout));
    let (theme, seen) = (model.common.theme, &model.seen);
    if seen.by_row.is_empty() {
        let words = "the states of every row are known when the plan is made";
        put(buf, area, area.x + 1, area.y, words, theme.style(Role::Label));
        return;
    }
    let heading = u16::from(area.height >= HEADED_HEIGHT);
    let inner = Rect { y: area.y + heading, height: area.height - heading, ..area };
    let rows = seen.by_row.len() as u32;
    let beside = sheet.filter(|sheet| sheet.shown.0 == rows).and_then(|sheet| Some((sheet.area.y, sheet.cells()?.1)));
    let pitch = (u32::from(inner.height) / rows).clamp(1, PITCH_MAX) as u16;
    let (top, pitch) = beside.unwrap_or((inner.y, pitch));
    let fit = u32::from(inner.height / pitch).clamp(1, rows);
    let first = seen.row.saturating_sub(fit / 2).min(rows - fit);
    let most = seen.by_row.iter().map(|row| row.planned).max().unwrap_or(0).max(1);
    let pen = RowPen { theme, seen, most, wide: area.width >= WIDE_WIDTH, area };
    if heading > 0 {
        pen.heading(buf);
    }
    for row in first..first + fit {
        pen.row(buf, row, top + (row - first) as u16 * pitch);
    }
}

struct RowPen<'a> {
    theme: Theme,
    seen: &'a CountSnapshot,
    /// States of the longest row, at least 1.
    most: u64,
    /// Whether every figure fits.
    wide: bool,
    area: Rect,
}

impl RowPen<'_> {
    /// Widths of the columns before and behind the bar.
    fn margins(&self) -> (u16, u16) {
        if self.wide { (12, 25) } else { (6, 10) }
    }

    fn heading(&self, buf: &mut Buffer) {
        let (before, behind) = self.margins();
        let style = self.theme.style(Role::Label);
        let figures = if self.wide { "  not 0   width     time" } else { "not 0  bits" };
        put(buf, self.area, self.area.x + 2, self.area.y, if self.wide { "row states" } else { "row" }, style);
        let x = self.area.right().saturating_sub(if self.wide { behind } else { behind + 1 });
        put(buf, self.area, x.max(self.area.x + before), self.area.y, figures, style);
    }

    fn row(&self, buf: &mut Buffer, row: u32, y: u16) {
        let Some(meter) = self.seen.by_row.get(row as usize) else { return };
        let (area, theme) = (self.area, self.theme);
        let (before, behind) = self.margins();
        let now = row == self.seen.row && self.seen.phase == CountPhase::Counting;
        let role = match (now, meter.done) {
            (true, _) => Role::Strong,
            (false, 0) => Role::Label,
            (false, _) => Role::Text,
        };
        let style = theme.style(role);
        let arrow = if now { theme.glyphs().arrow } else { " " };
        let states = if self.wide { format!(" {:>6}", words::count(meter.planned)) } else { String::new() };
        put(buf, area, area.x, y, &format!("{arrow}{:>3}{states}", row + 1), style);
        let width = area.width.saturating_sub(before + behind);
        let bar = Rect { x: area.x + before, width, y, height: 1 };
        self.bar(buf, bar.intersection(area), meter);
        put(buf, area, bar.right(), y, &self.figures(meter, now), style);
    }

    fn bar(&self, buf: &mut Buffer, area: Rect, meter: &RowMeter) {
        // Round up, so that a nonzero number is always visible.
        let cells = |states: u64| {
            let cells = (u128::from(states) * u128::from(area.width)).div_ceil(u128::from(self.most));
            cells.min(u128::from(area.width)) as u16
        };
        let [all, done, some] = [meter.planned.max(meter.done), meter.done, meter.nonzero].map(cells);
        let [nonzero, stored, planned] = bar(self.theme);
        for at in 0..all {
            let (glyph, role) = match at {
                at if at < some => nonzero,
                at if at < done => stored,
                _ => planned,
            };
            put(buf, area, area.x + at, area.y, glyph, self.theme.style(role));
        }
    }

    /// The nonzero share, the width of the counters, and the time.
    fn figures(&self, meter: &RowMeter, now: bool) -> String {
        // Of rows that an earlier run has done, older checkpoints say no more.
        if meter.done == 0 || meter.seconds == 0.0 {
            return if self.wide { format!("{:>7}{:>8}{:>9}", "-", "-", "-") } else { format!("{:>5}{:>4}", "-", "-") };
        }
        let share = words::share(meter.nonzero, meter.done);
        let share = if self.wide { words::progress(share) } else { words::percent(share) };
        // The meter of a row does not have the counter width before its first square is done.
        let bits = if now && !self.seen.sparse { self.seen.bits } else { meter.bits };
        let time = words::moment(Duration::try_from_secs_f64(meter.seconds).unwrap_or_default());
        match (self.wide, bits) {
            (true, 0) => format!("{share:>7}{:>8}{time:>9}", "sparse"),
            (true, bits) => format!("{share:>7}{:>8}{time:>9}", format!("{bits} bits")),
            (false, 0) => format!("{share:>5}{:>4}", "sp"),
            (false, bits) => format!("{share:>5}{bits:>4}"),
        }
    }
}
