//! The pane `hires`: the log of rare events, and the pairs of workers with the most hires.

use crate::event::{Event, EventKind};
use crate::run::balance::DecidingHire;
use crate::ui::kit::{LinePart, PaneFrame, PanePlace, Role, Theme, fit, padded, put};
use crate::ui::live::hires::Hires;
use crate::ui::live::model::{LiveModel, Phase, READ_AT_ONCE};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;
use std::time::Duration;

/// Width of the busiest pairs, and least width of the log beside them.
const PAIRS_WIDTH: u16 = 22;
const LOG_WIDTH_MIN: u16 = 30;

/// The number of hires, hires a second of a run that goes on, and nodes of a branch that was handed over, as far as they fit
/// in `width`.
fn legend(model: &LiveModel, width: u16) -> Line<'static> {
    let (theme, seen) = (model.common.theme, &model.snapshot);
    // Those of the log: of a run that was resumed, since then.
    let hires = seen.hires().saturating_sub(seen.earlier.map_or(0, |earlier| earlier.sharing.hires));
    if hires == 0 {
        return Line::default();
    }
    let rate = model.rate(model.rates.hires_per_s()).filter(|_| model.phase == Phase::Running);
    let part = |worth, figure: String, words: &str| {
        LinePart::new(worth).with(theme, Role::Text, figure).with(theme, Role::Label, words)
    };
    let parts = vec![
        part(1, words::count(hires), ""),
        part(0, String::new(), model.since().trim_start()),
        rate.map_or(LinePart::new(2), |rate| part(2, rate, "")),
        model
            .balance
            .nodes_per_hire()
            .map_or(LinePart::new(0), |each| part(0, words::rate(each), " nodes each when done")),
    ];
    padded(fit(parts, width.saturating_sub(16), 2))
}

/// Least width of a time.
const TIME: usize = 7;
/// The mark of a hire that decided the end.
const DECIDED: &str = "*";
/// How often the log moves at full speed.
const MOVES_EVERY_MS: u128 = 250;
/// What a line of the log says, where there is room for it.
const EXPLAINED: [&str; 3] = ["0 -> 1: worker 0 hires", "worker 1, which waits,", "and gives it a branch"];

/// What the mark of a hire in the `lines` of the log that are shown means.
fn caption(hires: &Hires, deciding: &[DecidingHire], lines: u16) -> String {
    let is_marked = hires.log().take(lines.into()).any(|event| is_deciding(hires, deciding, event));
    if is_marked { format!("{DECIDED} led to the last branch") } else { String::new() }
}

/// Of several hires of a worker that have one time, as many of the last ones as are on the way.
fn is_deciding(hires: &Hires, deciding: &[DecidingHire], event: &Event) -> bool {
    let is_same = |at, worker| (at, worker) == (event.at, event.worker);
    let later = hires.log().take_while(|other| !std::ptr::eq(*other, event));
    let later = later.filter(|other| is_hire(other) && is_same(other.at, other.worker)).count();
    is_hire(event) && deciding.iter().filter(|hire| is_same(hire.at, hire.worker)).count() > later
}

/// Draws the pane: the log, latest first, and the busiest pairs at its right.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, hires) = (model.common.theme, &model.hires);
    let deciding = model.balance.last_task().map_or(Vec::new(), |last| last.hires);
    let below = caption(hires, &deciding, place.inner().height);
    let area =
        place.framed(buf, PaneFrame { legend: legend(model, place.width()), below, ..PaneFrame::titled("hires") });
    let scheduler = (!model.about.finds).then_some(model.scheduler);
    let log = log(area);
    let is_narrow = log.width < LOG_WIDTH_MIN;
    let shown: Vec<&Event> = page(model, log.height).collect();
    if shown.is_empty() {
        let text = match scheduler {
            None => "attempts race: no worker is hired",
            Some(scheduler) => scheduler.without_hires,
        };
        put(buf, log, log.x + 1, log.y, &format!("{text}{}", model.since()), theme.style(Role::Label));
    }
    let times = words::moments(&shown.iter().map(|event| model.run_time(event.at)).collect::<Vec<_>>());
    let wide = times.iter().map(String::len).max().unwrap_or(0).max(TIME);
    let free = log.y + (shown.len() as u16).max(1);
    for ((y, event), time) in (log.y..).zip(shown).zip(times) {
        let decided = is_deciding(hires, &deciding, event);
        let room = |time: &str| usize::from(log.width).saturating_sub(1 + time.len() + if decided { 2 } else { 0 });
        let time = if is_narrow { format!("{time} ") } else { format!("{time:>wide$}  ") };
        // Digits that tell a time from the next one go before words do.
        let fits = line(theme, event, 0).0.chars().count() <= room(&time);
        let time = if fits { time } else { format!("{} ", words::moment(model.run_time(event.at))) };
        let style = theme.style(Role::Label);
        let style = if model.hire.as_ref() == Some(event) { style.add_modifier(Modifier::REVERSED) } else { style };
        put(buf, log, log.x + 1, y, time.trim_end(), style);
        let x = log.x + 1 + time.len() as u16;
        let (text, role) = line(theme, event, room(&time));
        let behind = put(buf, log, x, y, &text, theme.style(role));
        if decided {
            put(buf, log, (behind + 1).min(log.right().saturating_sub(1)), y, DECIDED, theme.style(Role::Good));
        }
    }
    if scheduler.is_some_and(|scheduler| scheduler.tells_hires) && free + EXPLAINED.len() as u16 <= log.bottom() {
        for (y, text) in (log.bottom() - EXPLAINED.len() as u16..).zip(EXPLAINED) {
            put(buf, log, log.x + 1, y, &text.replace("->", theme.glyphs().arrow), theme.style(Role::Label));
        }
    }
    if log.width < area.width {
        pairs(buf, Rect { x: log.right(), width: PAIRS_WIDTH, ..area }, theme, hires);
    }
}

/// The part of the pane that has the log: the busiest pairs stand at its right.
fn log(area: Rect) -> Rect {
    let beside = area.width >= LOG_WIDTH_MIN + PAIRS_WIDTH;
    Rect { width: area.width - if beside { PAIRS_WIDTH } else { 0 }, ..area }
}

/// The lines of the log that are shown: the newest, or those down to the selected hire.
fn page(model: &LiveModel, height: u16) -> impl Iterator<Item = &Event> {
    let height = usize::from(height);
    let selected = model.hire.as_ref().and_then(|hire| lines(model).position(|event| event == hire));
    lines(model).skip(selected.map_or(0, |place| (place + 1).saturating_sub(height))).take(height)
}

/// The lines of the log.
pub fn lines(model: &LiveModel) -> impl Iterator<Item = &Event> {
    // Each move of the log draws all of its lines again: of a run at full speed it moves some times a second, unless more
    // hires come than it holds.
    let (seen, is_now) = (&model.snapshot, model.phase == Phase::Running && model.playback.shown().is_none());
    let until = Duration::from_millis((seen.elapsed.as_millis() / MOVES_EVERY_MS * MOVES_EVERY_MS) as u64);
    let is_quick = is_now && !seen.is_held() && seen.simulated.is_none() && seen.workers.len() <= READ_AT_ONCE;
    let waits = is_quick && model.hires.log().last().is_some_and(|oldest| oldest.at <= until);
    model.hires.log().skip_while(move |event| waits && event.at > until)
}

/// The event under a cell of the pane.
pub fn event_at(model: &LiveModel, area: Rect, at: Position) -> Option<&Event> {
    let line = at.y.checked_sub(area.y).filter(|_| log(area).contains(at))?;
    page(model, log(area).height).nth(line.into())
}

pub fn is_hire(event: &Event) -> bool {
    matches!(event.kind, EventKind::Hired { .. })
}

/// Whether an event is about a worker.
pub fn is_of_worker(event: &Event) -> bool {
    use EventKind::{Began, Donated, FirstTour, Idle};
    is_hire(event) || matches!(event.kind, Donated { .. } | Began { .. } | Idle { .. } | FirstTour)
}

/// An event in words; in fewer of them where there is less room.
pub fn line(theme: Theme, event: &Event, room: usize) -> (String, Role) {
    let (worker, arrow) = (event.worker, theme.glyphs().arrow);
    let fitting = |whole: String, short: String| if whole.chars().count() <= room { whole } else { short };
    match event.kind {
        EventKind::Hired { by, depth, .. } => {
            let who = format!("{by} {arrow} {worker}");
            (fitting(format!("{who} at depth {depth}"), format!("{who} at {depth}")), Role::Text)
        }
        EventKind::Donated { to, helpers } => {
            let many = words::number_of(helpers as u64, "donation");
            let short = format!("donated {helpers}: {worker} {arrow} {to}");
            (fitting(format!("{worker} gave {many} to {to}"), short), Role::Waiting)
        }
        EventKind::Began { .. } => (format!("{worker} began"), Role::Text),
        EventKind::Idle { .. } => (format!("{worker} ran dry"), Role::Idle),
        EventKind::FirstTour => {
            (fitting(format!("first tour, by worker {worker}"), format!("first tour by {worker}")), Role::Good)
        }
        EventKind::RuleChanged { rule } => (format!("rule {}", rule.name()), Role::Hired),
        EventKind::Paused => ("paused".into(), Role::Hired),
        EventKind::Resumed => ("went on".into(), Role::Hired),
        EventKind::Finished => ("the run ended".into(), Role::Good),
    }
}

fn pairs(buf: &mut Buffer, area: Rect, theme: Theme, hires: &Hires) {
    let pairs = hires.busiest(usize::from(area.height.saturating_sub(1)));
    if pairs.is_empty() {
        return;
    }
    put(buf, area, area.x, area.y, "busiest pairs", theme.style(Role::Label));
    for (y, ((hirer, helper), hires)) in (area.y + 1..).zip(pairs) {
        let text = format!("{hirer:>5} {} {helper:<4} {:>6}", theme.glyphs().arrow, words::count(hires));
        put(buf, area, area.x, y, &text, theme.style(Role::Text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four hires of one worker have one time when it is told in whole steps.
    #[test]
    fn of_hires_that_have_one_time_the_last_ones_are_on_the_way() {
        let (at, depth) = (Duration::from_secs(13), 10);
        let hired = EventKind::Hired { by: 1, depth, left: None, company: Vec::new(), entered: None };
        let mut hires = Hires::default();
        (0..4).for_each(|_| hires.take(Event { at, worker: 0, kind: hired.clone() }));
        let deciding = [DecidingHire { at, by: 1, worker: 0, depth }];
        for on_way in [&deciding[..], &[deciding[0], deciding[0]], &[]] {
            let marked: Vec<bool> = hires.log().map(|event| is_deciding(&hires, on_way, event)).collect();
            assert_eq!(marked, [0, 1, 2, 3].map(|place| place < on_way.len()));
        }
    }
}
