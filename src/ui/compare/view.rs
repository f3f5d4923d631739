//! Draws the comparison.
//!
//! ```text
//!  destrier  6x7 closed tours                                  RUNNING 2 of 2
//!     run                          stands     time   nodes nodes/s hires  busy
//!  1  --scheduler hire             done      0.31s     29M     95M    15   99%
//!  2  --scheduler static           running   0.22s     18M     80M     0   61%
//!  2  ! Worker 0 had 61 % of the nodes: static cannot move work. Use --scheduler hire.
//!  busy workers, to 8
//!  1 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
//!  2 ▇▇▇▇▇▇▅▅▄▄▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
//!  nodes/s, to 95M
//!  ..
//!    0s                                                                  0.31s
//!  q quit  ? help  tab by depth  ! why  ><  time
//! ```

use super::charts::{self, LABEL};
use super::model::{CompareModel, ComparePage, KEYS};
use crate::run::balance::Verdict;
use crate::run::{Rival, RivalState};
use crate::ui::kit::{Action, LinePart, Role, badge, footer, help, put, titled, too_small, wrapped};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Widths of the figures in a row of the table: all figures, and the most important ones.
const FIGURES: [usize; 2] = [47, 19];
/// Least width of a name for all figures to be shown.
const NAME_MIN: usize = 20;

/// Draws the model.
pub fn view(model: &CompareModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header(buf, layout.page.header, model);
    table(buf, layout.table, model);
    match model.page {
        ComparePage::Times => charts::over_time(buf, &layout, model),
        ComparePage::Depths => charts::by_depth(buf, &layout, model),
        ComparePage::Why => verdicts(buf, model.below(&layout), model),
    }
    if let Some(line) = layout.why.filter(|_| model.page != ComparePage::Why) {
        why(buf, line, model);
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    help::draw(buf, area, &model.surface, KEYS.now(), "runs");
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

/// Writes what kept the workers of the run that lost most from work.
fn why(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let Some((n, verdict)) = model.worst() else { return };
    let x = put(buf, area, area.x + 1, area.y, &format!("{}", n + 1), model.surface.theme.series(n));
    let x = put(buf, area, x + 2, area.y, &format!("{} ", Action::Why.key()), model.surface.theme.style(Role::Hired));
    let text = verdict.fitting(area.right().saturating_sub(x).into());
    put(buf, area, x, area.y, &text, model.surface.theme.style(Role::Hired));
}

/// Writes the verdicts of each run, and how many lines there is no room for.
fn verdicts(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let (theme, width) = (model.surface.theme, usize::from(area.width.saturating_sub(LABEL + 1)));
    put(buf, area, area.x + 1, area.y, "why workers did not search", theme.style(Role::Label));
    let mut lines: Vec<(Option<usize>, String)> = Vec::new();
    for (n, rival) in model.rivals.iter().enumerate() {
        let verdicts = rival.balance.verdicts();
        let nothing = verdicts.is_empty().then(|| "nothing is known yet".to_owned());
        let told = verdicts.iter().map(Verdict::told).chain(nothing).flat_map(|text| wrapped(&text, width));
        lines.extend(told.enumerate().map(|(place, line)| ((place == 0).then_some(n), line)));
    }
    let room = usize::from(area.height.saturating_sub(1));
    if lines.len() > room {
        let more = format!("{} more lines: enlarge the screen, or leave it: they are printed", lines.len() - room + 1);
        lines.truncate(room.saturating_sub(1));
        lines.push((None, more));
    }
    for (y, (run, line)) in (area.y + 1..area.bottom()).zip(lines) {
        if let Some(n) = run {
            put(buf, area, area.x + 1, y, &format!("{}", n + 1), theme.series(n));
        }
        put(buf, area, area.x + LABEL, y, &line, theme.style(Role::Text));
    }
}
