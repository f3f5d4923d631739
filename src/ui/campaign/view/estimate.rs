//! The chart of the estimated total by number of finished parts: a line within a band of its error.
//!
//! The first few estimates are far off, and their bands are much wider than the later ones. The height of the chart
//! therefore fits the later points; points outside are cut off. The scale shows shares of the current estimate.

use crate::run::Trend;
use crate::ui::campaign::model::CampaignModel;
use crate::ui::kit::{LinePart, Page, Role, Theme, braille, draw_pane, fit, padded, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Half the width of the band, in standard errors.
const BAND: f64 = 2.0;
/// Letters of the line and the band on an ASCII screen.
const LETTERS: [&str; 2] = ["*", ":"];
/// The share of the points, counted from the latest, that the height must include.
const SEEN: f64 = 0.5;
/// Width of the scale at the left.
const SCALE: u16 = 9;
/// The least range of the height to each side, as a share of the estimate.
const LEAST: f64 = 1e-6;

/// The area of the plot and the range of its height.
struct Plot<'a> {
    area: Rect,
    theme: Theme,
    trend: &'a [Trend],
    /// The current estimate.
    now: f64,
    /// The range of the height above and below the current estimate, as a share of the estimate.
    reach: f64,
}

/// Draws the chart with its frame.
pub fn draw(buf: &mut Buffer, rect: Rect, page: &Page, model: &CampaignModel) {
    let theme = model.surface.theme;
    let [line, band, sign] = if theme.ascii { [LETTERS[0], LETTERS[1], "+-"] } else { ["⠒", "⣿", "±"] };
    let meaning = |worth, role, mark: &'static str, text: String| {
        LinePart::new(worth).with(theme, role, mark).with(theme, Role::Label, text)
    };
    let legend = vec![
        meaning(2, Role::Strong, line, " whole".to_owned()),
        meaning(1, Role::Descheduled, band, format!(" {sign} {BAND} standard errors")),
    ];
    let legend = padded(fit(legend, rect.width.saturating_sub(14), 2));
    let inner = draw_pane(buf, rect, page, theme, "estimate", legend);
    let trend = &model.seen.trend[..];
    let (Some(last), true) = (trend.last(), inner.height >= 3 && inner.width > SCALE + 2) else { return };
    if trend.len() < 2 || last.tours <= 0.0 {
        let words = "three parts that are done begin the chart";
        put(buf, inner, inner.x + 1, inner.y, words, theme.style(Role::Label));
        return;
    }
    let area = Rect { x: inner.x + SCALE, width: inner.width - SCALE - 1, height: inner.height - 1, ..inner };
    let plot = Plot { area, theme, trend, now: last.tours, reach: reach(trend, last.tours) };
    plot.scale(buf, inner);
    if theme.ascii { plot.letters(buf) } else { plot.dots(buf) }
}

/// The share of the current estimate to each side that contains the later points with their bands.
fn reach(trend: &[Trend], now: f64) -> f64 {
    let from = trend[trend.len() - 1].parts as f64 * (1.0 - SEEN);
    let later = trend.iter().filter(|point| f64::from(point.parts) >= from);
    let reach = later.map(|point| ((point.tours - now).abs() + BAND * point.error) / now);
    reach.fold(LEAST, f64::max)
}

impl Plot<'_> {
    /// The line and the band edges at a share, 0..=1, of the width; as shares of the height from the top.
    fn at(&self, share: f64) -> [f64; 3] {
        let (first, last) = (self.trend[0].parts, self.trend[self.trend.len() - 1].parts);
        let parts = f64::from(first) + share * f64::from(last - first);
        let next = self.trend.partition_point(|point| f64::from(point.parts) <= parts).clamp(1, self.trend.len() - 1);
        let (before, after) = (self.trend[next - 1], self.trend[next]);
        let way = (parts - f64::from(before.parts)) / f64::from(after.parts - before.parts);
        let between = |before: f64, after: f64| before + way * (after - before);
        let (tours, error) = (between(before.tours, after.tours), between(before.error, after.error));
        [tours, tours + BAND * error, tours - BAND * error]
            .map(|value| 0.5 - 0.5 * (value - self.now) / (self.now * self.reach))
    }

    fn dots(&self, buf: &mut Buffer) {
        let (wide, high) = (i32::from(self.area.width) * 2, i32::from(self.area.height) * 4);
        let dot = |share: f64| (share.clamp(-1.0, 2.0) * f64::from(high - 1)).round() as i32;
        let column = |x: i32| self.at(f64::from(x) / f64::from((wide - 1).max(1))).map(dot);
        for x in (0..wide).step_by(2) {
            let [_, top, bottom] = column(x);
            let band = self.theme.style(Role::Descheduled);
            (top.max(0)..=bottom.min(high - 1)).for_each(|y| braille::dot(buf, self.area, x, y, band));
        }
        let line = self.theme.style(Role::Strong);
        for x in 1..wide {
            let ends = [x - 1, x].map(|x| (x, column(x)[0]));
            braille::line(ends[0], ends[1]).for_each(|(x, y)| braille::dot(buf, self.area, x, y, line));
        }
    }

    fn letters(&self, buf: &mut Buffer) {
        let high = i32::from(self.area.height);
        let row = |share: f64| (share.clamp(-1.0, 2.0) * f64::from(high - 1)).round() as i32;
        for x in 0..self.area.width {
            let [middle, top, bottom] = self.at(f64::from(x) / f64::from((self.area.width - 1).max(1))).map(row);
            for y in top.max(0)..=bottom.min(high - 1) {
                let at = usize::from(y != middle);
                let (letter, role) = (LETTERS[at], [Role::Strong, Role::Descheduled][at]);
                put(buf, self.area, self.area.x + x, self.area.y + y as u16, letter, self.theme.style(role));
            }
        }
    }

    /// Draws the vertical scale, and the range of parts as the horizontal axis.
    fn scale(&self, buf: &mut Buffer, inner: Rect) {
        let label = self.theme.style(Role::Label);
        let share = format!("{:.*} %", if self.reach < 0.001 { 4 } else { 2 }, 100.0 * self.reach);
        let bottom = self.area.bottom() - 1;
        put(buf, inner, inner.x + 1, self.area.y, &format!("+{share:>7}"), label);
        put(buf, inner, inner.x + 1, bottom, &format!("-{share:>7}"), label);
        if self.area.height >= 3 {
            let now = words::rate(self.now);
            let middle = self.area.y + (self.area.height - 1) / 2;
            put(buf, inner, inner.x + 1, middle, &format!("{now:>7}"), self.theme.style(Role::Strong));
        }
        let ends = [self.trend[0].parts, self.trend[self.trend.len() - 1].parts].map(words::grouped);
        let axis = Rect { y: self.area.bottom(), height: 1, ..self.area };
        let line = self.theme.glyphs().axis.repeat(usize::from(axis.width));
        put(buf, axis, axis.x, axis.y, &line, self.theme.style(Role::Border));
        put(buf, axis, axis.x, axis.y, &format!("{} ", ends[0]), label);
        let last = format!(" {} parts", ends[1]);
        put(buf, axis, axis.right().saturating_sub(last.len() as u16), axis.y, &last, label);
    }
}
