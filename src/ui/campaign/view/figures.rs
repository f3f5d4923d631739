//! The figures of a campaign: totals of the finished parts, estimates of the whole, and speed.

use crate::run::{Campaign, WholeEstimate};
use crate::ui::campaign::model::CampaignModel;
use crate::ui::kit::{Role, Theme, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Width of the names.
const NAMES: u16 = 9;
/// Below this many seconds, times show tenths.
const SHORT_S: f64 = 10.0;

/// Draws as many lines as fit, the most important first.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CampaignModel) {
    let theme = model.surface.theme;
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    for (y, (name, text)) in (inner.y..inner.bottom()).zip(lines(&model.seen, theme, inner.width.saturating_sub(NAMES)))
    {
        put(buf, inner, inner.x, y, name, theme.style(Role::Label));
        put(buf, inner, inner.x + NAMES, y, &text, theme.style(Role::Strong));
    }
}

/// The names and figures in `room` columns.
fn lines(seen: &Campaign, theme: Theme, room: u16) -> Vec<(&'static str, String)> {
    let (figures, estimate) = (seen.figures, seen.estimate.filter(|_| !seen.complete));
    let of_about = |whole: Option<f64>, text: &dyn Fn(f64) -> String| {
        whole.map_or(String::new(), |whole| format!(" of about {}", text(whole)))
    };
    let nodes = of_about(estimate.map(|estimate| estimate.nodes.sum), &words::rate);
    let cpu = of_about(estimate.map(|estimate| estimate.cpu_s.sum), &time);
    let (nodes, cpu) = (words::count(figures.nodes) + &nodes, time(figures.cpu_s) + &cpu);
    let tours = words::grouped(figures.tours);
    if seen.complete {
        let tours = format!("{tours} {}", seen.convention);
        return vec![("tours", tours), ("nodes", nodes), ("CPU time", cpu)];
    }
    let unknown = || "not known yet".to_owned();
    let whole = estimate.map_or_else(unknown, |estimate| {
        let sign = if theme.ascii { "+-" } else { "±" };
        let WholeEstimate { sum, error, .. } = estimate.tours;
        format!("{} {sign} {:.2} %", words::significant(sum, error), 100.0 * error / sum.max(1.0))
    });
    let range = estimate.map_or_else(unknown, |estimate| range(estimate.tours, room));
    let per_s = seen.rates.map(|rates| [rates.tours_per_s, rates.nodes_per_s, rates.cores].map(words::rate));
    let [tours_per_s, speed] = match per_s {
        Some([tours, nodes, cores]) => [tours, format!("{nodes} by {cores} cores")],
        None => [unknown(), unknown()],
    };
    vec![
        ("tours", tours),
        ("whole", whole),
        ("tours/s", tours_per_s),
        ("nodes/s", speed),
        ("nodes", nodes),
        ("CPU time", cpu),
        ("95 %", range),
    ]
}

/// The 95 % confidence interval, with all digits if they fit.
fn range(whole: WholeEstimate, room: u16) -> String {
    let ends = whole.interval();
    let [low, high] = ends.map(|end| words::grouped(end.round() as u64));
    let text = format!("{low} to {high}");
    if text.len() <= usize::from(room) {
        return text;
    }
    let [low, high] = ends.map(|end| words::significant(end, whole.error));
    format!("{low} to {high}")
}

/// CPU time of the workers; a short time shows tenths.
fn time(seconds: f64) -> String {
    if seconds < SHORT_S { format!("{seconds:.1} s") } else { words::span(seconds) }
}
