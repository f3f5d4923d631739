//! The chart of a table: a group of bars for each row, and published figures as lines above them.

use super::model::ShownTable;
use crate::run::{TableBar, TableChart};
use crate::ui::kit::{Role, Theme, columns, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

/// The scale of a chart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableScale {
    /// Powers of ten at the bottom and at the top, of a logarithmic chart.
    powers: Option<(f64, f64)>,
    /// The greatest value.
    most: f64,
}

impl TableScale {
    /// The scale for all values of a chart; `None` before there is one.
    pub fn of(table: &ShownTable, chart: &TableChart) -> Option<TableScale> {
        let values = || table.rows.iter().flat_map(|row| row.values.iter().flatten().copied()).filter(|&v| v > 0.0);
        let [least, most] = [values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)];
        // A logarithmic bar of the least value is still seen.
        // No end is written as -0.
        let powers = || (least.log10().ceil() - 1.0, most.log10().ceil() + 0.0);
        (most > 0.0).then(|| TableScale { powers: chart.is_logarithmic.then(powers), most })
    }

    /// The height of a value, 0..=1.
    pub fn height(&self, value: f64) -> f64 {
        match self.powers {
            _ if value <= 0.0 => 0.0,
            Some((low, high)) => (value.log10() - low) / (high - low),
            None => value / self.most,
        }
    }

    /// The ends of the scale.
    pub fn said(&self) -> String {
        match self.powers {
            Some((low, high)) => format!("10^{low} to 10^{high}"),
            None => format!("to {}", words::rate(self.most)),
        }
    }
}

/// Draws the legend, the bars and the axis.
pub fn draw(buf: &mut Buffer, [legend, plot, axis]: [Rect; 3], theme: Theme, table: &ShownTable, chart: &TableChart) {
    let scale = TableScale::of(table, chart);
    draw_legend(buf, legend, theme, chart, scale);
    let groups = BarGroups::of(plot.width, table.rows.len(), chart);
    let (Some(scale), true) = (scale, groups.pitch > 0) else { return };
    let bars = |is_mark: bool| chart.bars.iter().enumerate().filter(move |(_, bar)| bar.is_mark == is_mark);
    for (place, _) in bars(true) {
        for (row, height) in heights(table, scale, place).filter(|&(_, height)| height > 0.0) {
            // Where the bar of the same value ends: see `columns`.
            let lines = ((height * (f64::from(plot.height) * 8.0 - 1.0)).round().max(1.0) / 8.0).ceil() as u16;
            let mark = theme.glyphs().axis.repeat(groups.bar * groups.bars.max(1));
            put(buf, plot, plot.x + groups.x(row), plot.bottom() - lines, &mark, theme.style(Role::Strong));
        }
    }
    for (n, (place, _)) in bars(false).enumerate().take(groups.bars) {
        let mut values = vec![0.0; plot.width.into()];
        for (row, height) in heights(table, scale, place) {
            let from = usize::from(groups.x(row)) + n * groups.bar;
            values.iter_mut().skip(from).take(groups.bar).for_each(|value| *value = height);
        }
        columns(buf, plot, theme, theme.series(n), &values, 1.0);
    }
    draw_axis(buf, axis, theme, table, groups);
}

/// The rows with a value for a bar, and its height.
fn heights(table: &ShownTable, scale: TableScale, place: usize) -> impl Iterator<Item = (usize, f64)> {
    let value = move |values: &[Option<f64>]| values.get(place).copied().flatten();
    let rows = table.rows.iter().enumerate();
    rows.filter_map(move |(row, shown)| Some((row, scale.height(value(&shown.values)?))))
}

/// Writes the bars of a group in their order, and the scale. The scale always stays: where there is no room, its words
/// are left out first, then blanks, then names of bars, of which the number is written.
fn draw_legend(buf: &mut Buffer, area: Rect, theme: Theme, chart: &TableChart, scale: Option<TableScale>) {
    let names = legend_names(theme, chart);
    let kind = if chart.is_logarithmic { "logarithmic, " } else { "" };
    let [whole, short] = match scale {
        Some(scale) => [format!("{kind}{} {}", scale.said(), chart.unit), scale.said()],
        None => [String::new(), String::new()],
    };
    let fits = |line: &Line| line.width() <= usize::from(area.width);
    let all = names.len();
    let written = |shown: usize, scale: &str, gap: &str| {
        let hidden = (shown < all).then(|| vec![Span::styled(format!("+{}", all - shown), theme.style(Role::Hired))]);
        let scale = (!scale.is_empty()).then(|| vec![Span::styled(scale.to_owned(), theme.style(Role::Label))]);
        let parts = names[..shown].iter().cloned().chain(hidden).chain(scale);
        let gaps = std::iter::once("").chain(std::iter::repeat(gap));
        Line::from_iter(gaps.zip(parts).flat_map(|(gap, part)| [Span::raw(gap.to_owned())].into_iter().chain(part)))
    };
    let long = [written(all, &whole, "  "), written(all, &short, "  ")];
    let shorter = (0..=all).rev().map(|shown| written(shown, &short, " "));
    if let Some(line) = long.into_iter().chain(shorter).find(fits) {
        line.render(area, buf);
    }
}

/// The names of the bars of a group, each behind its number, and those of the published figures behind a line.
fn legend_names(theme: Theme, chart: &TableChart) -> Vec<Vec<Span<'static>>> {
    let numbered = chart.in_group() > 1;
    let mut bars = 0;
    let mut name = |bar: &TableBar| {
        let label = Span::styled(format!(" {}", bar.name), theme.style(Role::Label));
        if bar.is_mark {
            return vec![Span::styled(theme.glyphs().axis, theme.style(Role::Strong)), label];
        }
        bars += 1;
        let sign = if numbered { bars.to_string() } else { theme.glyphs().column[8].to_owned() };
        vec![Span::styled(sign, theme.series(bars - 1)), label]
    };
    chart.bars.iter().map(&mut name).collect()
}

/// Writes the numbers of the bars, if there is a line for them, and the names of the rows that have room.
fn draw_axis(buf: &mut Buffer, area: Rect, theme: Theme, table: &ShownTable, groups: BarGroups) {
    let (names, label) = (area.bottom() - 1, theme.style(Role::Label));
    let mut free = area.x;
    for (row, shown) in table.rows.iter().enumerate() {
        let x = area.x + groups.x(row);
        for n in 0..groups.bars * usize::from(area.height - 1) {
            let digit = (n + 1).to_string();
            put(buf, area, x + (n * groups.bar) as u16, area.y, &digit, theme.series(n));
        }
        // All texts at the beginning of a row, or the first of them alone.
        let texts = table.head.columns.iter().take_while(|column| column.is_text).count();
        let whole = shown.cells[..texts.min(shown.cells.len())].join(" ");
        let first = shown.cells.first().map_or("", String::as_str);
        let name = if whole.len() < groups.pitch { &whole } else { first };
        if x >= free && x + name.len() as u16 <= area.right() {
            free = put(buf, area, x, names, name, label) + 1;
        }
    }
}

/// Where the groups of bars lie.
#[derive(Clone, Copy)]
struct BarGroups {
    /// Columns from a group to the next one; 0 if not even one each fits.
    pitch: usize,
    /// Columns of a bar.
    bar: usize,
    /// Bars of a group that fit.
    bars: usize,
}

/// Greatest width of a bar.
const BAR_MAX: usize = 6;

impl BarGroups {
    fn of(width: u16, rows: usize, chart: &TableChart) -> BarGroups {
        let bars = chart.in_group();
        let pitch = usize::from(width) / rows.max(1);
        // A blank between two groups, if there is room.
        let room = if pitch > bars { pitch - 1 } else { pitch };
        let bar = (room / bars.max(1)).clamp(1, BAR_MAX);
        BarGroups { pitch: pitch.min(bar * bars + bars + 2), bar, bars: bars.min(room) }
    }

    /// The first column of a group.
    fn x(&self, row: usize) -> u16 {
        (row * self.pitch) as u16
    }
}
