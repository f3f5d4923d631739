//! Draws the comparison.
//!
//! ```text
//!  destrier  6x7 closed tours                                  RUNNING 2 of 2
//!     run                          stands     time   nodes nodes/s hires  busy
//!  1  --scheduler hire             done      0.31s     29M     95M    15   99%
//!  2  --scheduler static           running   0.22s     18M     80M     0   61%
//!  busy workers, to 8
//!  1 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
//!  2 ▇▇▇▇▇▇▅▅▄▄▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
//!  nodes/s, to 95M
//!  ..
//!    0s                                                                  0.31s
//!  q quit  ? help  ><  time
//! ```

use super::model::{CompareLayout, CompareModel, KEYS};
use crate::run::{Rival, RivalState};
use crate::ui::kit::{LinePart, Role, badge, columns, footer, help, put, titled, too_small};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::time::Duration;

/// Width of the number of a run beside its strip.
const LABEL: u16 = 4;
/// Widths of the figures in a row of the table: all figures, and the most important ones.
const FIGURES: [usize; 2] = [47, 19];
/// Least width of a name for all figures to be shown.
const NAME_MIN: usize = 20;
/// Samples for each column of a value that changes in steps.
const LOOKS: u32 = 4;

/// Draws the model.
pub fn view(model: &CompareModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header(buf, layout.page.header, model);
    table(buf, layout.table, model);
    charts(buf, &layout, model);
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    help::draw(buf, area, &model.surface, KEYS.now(), 0, |_, _| ());
}

fn header(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let theme = model.surface.theme;
    let (word, role) = match model.running() {
        Some(running) => (format!("RUNNING {} of {}", running + 1, model.rivals.len()), Role::Busy),
        None if model.rivals.iter().any(|rival| rival.stand == RivalState::Waiting) => {
            ("WAITING".into(), Role::Waiting)
        }
        None => ("DONE".into(), Role::Good),
    };
    let mut parts = vec![LinePart::new(1).with(theme, Role::Focus, "destrier")];
    // The board and the method first, and then what there is room for.
    let said = model.question.split(", ").zip((4..=9).rev());
    parts.extend(said.map(|(words, worth)| LinePart::new(worth).with(theme, Role::Strong, words)));
    parts.push(LinePart::new(3).with(theme, Role::Text, "compared"));
    titled(buf, area, parts, &Line::from(badge(theme, role, word)));
}

fn table(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let theme = model.surface.theme;
    let room = usize::from(area.width).saturating_sub(5);
    let all = room >= FIGURES[0] + NAME_MIN;
    let name = room - if all { FIGURES[0] } else { FIGURES[1] };
    let heading = match all {
        true => format!(
            "{:name$}{:>8}{:>9}{:>8}{:>8}{:>7}{:>7}",
            "run", "stands", "time", "nodes", "nodes/s", "hires", "busy"
        ),
        false => format!("{:name$}{:>9}{:>10}", "run", "time", "nodes/s"),
    };
    put(buf, area, area.x + 4, area.y, &heading, theme.style(Role::Label));
    for (n, (y, rival)) in (area.y + 1..area.bottom()).zip(&model.rivals).enumerate() {
        put(buf, area, area.x + 1, y, &format!("{}", n + 1), theme.series(n));
        let (stands, role) = stands(rival.stand);
        let short: String = rival.name.chars().take(name.saturating_sub(1)).collect();
        let x = put(buf, area, area.x + 4, y, &format!("{short:name$}"), theme.style(Role::Text));
        let x = if all { put(buf, area, x, y, &format!("{stands:>8}"), theme.style(role)) } else { x };
        put(buf, area, x, y, &figures(rival, all), theme.style(Role::Strong));
    }
}

fn figures(rival: &Rival, all: bool) -> String {
    let last = &rival.last;
    if last.elapsed.is_zero() {
        return if all { String::new() } else { format!("{:>9}", stands(rival.stand).0) };
    }
    let time = words::moment(last.elapsed);
    let speed = words::rate(last.nodes as f64 / last.elapsed.as_secs_f64());
    match all {
        true => {
            let (nodes, hires, busy) = (words::count(last.nodes), words::count(last.hires), words::percent(last.busy));
            format!("{time:>9}{nodes:>8}{speed:>8}{hires:>7}{busy:>7}")
        }
        false => format!("{time:>9}{speed:>10}"),
    }
}

fn stands(state: RivalState) -> (&'static str, Role) {
    match state {
        RivalState::Waiting => ("waiting", Role::Label),
        RivalState::Running => ("running", Role::Busy),
        RivalState::Done => ("done", Role::Good),
        RivalState::Stopped => ("stopped", Role::Hired),
        RivalState::Failed => ("failed", Role::Bad),
    }
}

/// A chart: its name, the format of its maximum, and the value of a run in a time interval.
type ChartKind = (&'static str, fn(f64) -> String, fn(&Rival, Duration, Duration) -> f64);

/// The charts, the most important first.
const KINDS: [ChartKind; 3] = [
    (
        "busy workers",
        |most| words::count(most as u64),
        |rival, from, to| {
            let width = (to - from) / LOOKS;
            let looks = (0..LOOKS).map(|look| rival.busy.at(from + width * look + width / 2));
            looks.sum::<f64>() / f64::from(LOOKS)
        },
    ),
    ("nodes/s", words::rate, Rival::nodes_per_s),
    ("hires so far", |most| words::count(most as u64), |rival, _, to| rival.hires.at(to.min(rival.last.elapsed))),
];

fn charts(buf: &mut Buffer, layout: &CompareLayout, model: &CompareModel) {
    let (theme, end) = (model.surface.theme, model.shown());
    for (area, (name, written, value)) in layout.charts.iter().zip(KINDS) {
        let width = area.width.saturating_sub(LABEL + 1);
        let edge = |column: u16| end.mul_f64(f64::from(column) / f64::from(width.max(1)));
        let of = |rival: &Rival| -> Vec<f64> {
            let column = |n| if edge(n) > rival.last.elapsed { 0.0 } else { value(rival, edge(n), edge(n + 1)) };
            if end.is_zero() { Vec::new() } else { (0..width).map(column).collect() }
        };
        let values: Vec<Vec<f64>> = model.rivals.iter().map(of).collect();
        let most = values.iter().flatten().copied().fold(0.0, f64::max);
        let most = if name == KINDS[0].0 {
            model.rivals.iter().map(|rival| rival.last.workers as f64).fold(most, f64::max)
        } else {
            most
        };
        put(buf, *area, area.x + 1, area.y, &format!("{name}, to {}", written(most)), theme.style(Role::Label));
        for (n, values) in values.iter().enumerate() {
            let strip = Rect { y: area.y + 1 + n as u16 * layout.strip, height: layout.strip, ..*area };
            put(buf, strip, strip.x + 1, strip.bottom() - 1, &format!("{}", n + 1), theme.series(n));
            let plot = Rect { x: strip.x + LABEL, width, ..strip };
            columns(buf, plot, theme, theme.series(n), values, most);
        }
    }
    if let Some(axis) = layout.axis {
        let (from, to) = ("0s", words::moment(end));
        put(buf, axis, axis.x + LABEL, axis.y, from, theme.style(Role::Label));
        let x = axis.right().saturating_sub(to.len() as u16 + 1);
        put(buf, axis, x, axis.y, &to, theme.style(Role::Label));
    }
}
