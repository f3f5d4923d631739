//! Draws the live view. One file per pane; each takes plain data and a rectangle.
//!
//! ```text
//!  destrier  8x8 closed  path  hire, shallowest  64 threads            RUNNING  0:12
//!  nodes 373M  31.2M/s   tours 2.13M  178k/s
//!  done 0.0012%   tree 320T nodes, unknown tours   left 88..140 days
//! ╭ 1 threads 64 ─────────────────────────────────────── B busy 62  i idle 2 ╮
//! │ every worker, at the richest density that fits                           │
//! ╰──────────────────────────────────────────────────────────────────────────╯
//! ╭ 2 board ────────────╮╭ 3 depths ────────────────────────╮╭ 4 balance ────╮
//! │ selected position   ││ nodes and cuts by depth          ││ efficiency ..  │
//! ╰─────────────────────╯╰──────────────────────────────────╯╰────────────────╯
//! ╭ 5 hires ────────────────────╮╭ 6 history ────────────────────────────────╮
//! │ log, busiest pairs          ││ busy workers, nodes/s, efficiency         │
//! ╰─────────────────────────────╯╰───────────────────────────────────────────╯
//!  q quit  ? help  p pause  ..
//! ```

mod balance;
mod board;
mod depths;
mod header;
mod hires;
mod lanes;
mod threads;

use self::board::BoardSubject;
use super::layout::LivePane;
use super::model::{LiveModel, Phase};
use super::update::KEYS;
use crate::schedule::Scheduler;
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{self, Action, Pane, PaneLayout, Role, footer, help, history, put_reason, too_small};
use crate::ui::save::{drawn, text_of};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The names of the charts of a search.
const CHARTS: [&str; 3] = ["at work", "nodes/s", "effic."];

/// Draws the model.
pub fn view(model: &LiveModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header::draw(buf, layout.page.header, model);
    for &(pane, rect) in &layout.panes {
        draw_pane(buf, pane, rect, &layout, model);
    }
    model.playback.draw(buf, area, &model.surface, &KEYS);
    let hint = "17, busy, depth>40; nothing: all";
    footer::draw_input(buf, layout.page.footer, &model.surface, &model.input, "find or filter ", hint);
    help::draw(buf, area, &model.surface, model.playback.keys(&KEYS), model.focus.pane.name());
}

/// The live view as text: line by line, without colours and without trailing blanks.
pub fn screen_text(model: &LiveModel) -> String {
    let buffer = drawn(model.surface.screen, |frame| view(model, frame));
    text_of(&buffer, buffer.area)
}

fn draw_pane(buf: &mut Buffer, pane: LivePane, rect: Rect, layout: &PaneLayout<LivePane>, model: &LiveModel) {
    let inner = layout.page.inner(rect);
    let (theme, seen) = (model.surface.theme, &model.snapshot);
    let depth_max = model.about.board.squares() as usize;
    let report = (pane == LivePane::Balance).then(|| model.report(inner.width)).flatten();
    let reading = if model.focus.zoomed { model.reading } else { 0 };
    let deciding = model.balance.last_task().map_or(Vec::new(), |last| last.hires);
    let (mut legend, mut below, mut role) = (Line::default(), String::new(), Role::Label);
    let title = match pane {
        LivePane::Threads => {
            let order =
                if model.order == WorkerOrder::Number { String::new() } else { format!(" by {}", model.order.name()) };
            let title = match &model.filter {
                Some(filter) => {
                    format!("threads {} of {} {}{order}", model.ranked().len(), seen.workers.len(), filter.name())
                }
                None => format!("threads {}{order}", seen.workers.len()),
            };
            match model.verdict() {
                Some(verdict) => {
                    // The border has its corners, and a blank before and behind the caption.
                    let (key, room) = (Action::Why.key(), rect.width.saturating_sub(6));
                    (below, role) = (format!("{key} {}", verdict.fitting(room.into())), Role::Hired);
                }
                None => below = threads::caption(model.grid()),
            }
            let (seen, room) = (threads(model), rect.width.saturating_sub(title.len() as u16 + 10));
            legend = match seen.order == WorkerOrder::Group {
                true => threads::legend_of_groups(theme, &seen, room),
                false => threads::legend(theme, &seen, room),
            };
            title
        }
        LivePane::Board => board::title(on_board(model), &model.drawing, rect.width),
        LivePane::Depths => match &seen.lanes {
            Some(lanes) => {
                legend = lanes::legend(theme, lanes, rect.width);
                "live lanes".into()
            }
            None => {
                below = depths::caption(&model.figures);
                "depths".into()
            }
        },
        LivePane::Balance => {
            legend = report.as_ref().map_or(legend, |report| balance::legend(theme, report, inner.height, reading));
            if seen.lanes.is_some() { "lanes" } else { "balance" }.into()
        }
        LivePane::Hires => {
            let rates = (model.phase == Phase::Running).then_some(&model.rates);
            legend = hires::legend(theme, seen, rates, rect.width);
            below = hires::caption(&deciding);
            "hires".into()
        }
        LivePane::History => "history".into(),
    };
    let title = model.focus.title(pane, &title, (&below, role));
    kit::draw_pane(buf, rect, &layout.page, theme, title, legend);
    match pane {
        LivePane::Threads if model.filter.is_some() && model.ranked().is_empty() => {
            put_reason(buf, inner, theme, "no worker passes the filter now");
        }
        LivePane::Threads => threads::draw(buf, inner, theme, &threads(model), model.grid()),
        LivePane::Board if model.drawing.is_empty() && model.playback.shown().is_some() => {
            // Of a large crew on a large board, only the selected worker is recorded.
            put_reason(buf, inner, theme, "no position of this worker is kept");
        }
        LivePane::Board => board::draw(buf, inner, theme, model.about.board, &model.drawing),
        LivePane::Depths => match &seen.lanes {
            Some(lanes) => lanes::draw(buf, inner, theme, lanes),
            None => depths::draw(buf, inner, theme, &model.figures, depth_max, model.about.finds),
        },
        LivePane::Balance => match &seen.lanes {
            Some(lanes) => lanes::draw_figures(buf, inner, theme, lanes),
            None => match &report {
                Some(report) => report.draw(buf, inner, reading),
                None => balance::draw(buf, inner, theme, seen, &model.rates),
            },
        },
        LivePane::Hires => {
            let scheduler = if seen.lanes.is_some() { Scheduler::Serial } else { model.scheduler };
            let is_held = seen.paused || model.phase != Phase::Running || model.playback.shown().is_some();
            let (scheduler, running) = ((!model.about.finds).then_some(scheduler), (!is_held).then_some(seen.elapsed));
            hires::draw(buf, inner, theme, &model.hires, &hires::LogLook { scheduler, running, deciding: &deciding });
        }
        LivePane::History => {
            history::draw(buf, inner, theme, &model.history, seen.workers.len(), CHARTS);
        }
    }
}

/// What the board shows: of a run that has ended, a tour if one is known, else where the selected worker was last.
fn on_board(model: &LiveModel) -> BoardSubject {
    let tour = model.ended().and_then(|ended| ended.tour.as_ref());
    match model.phase {
        Phase::Running => BoardSubject::Worker(model.selected),
        Phase::Ended(_) if tour == Some(&model.drawing) => BoardSubject::Tour,
        Phase::Ended(_) => BoardSubject::WorkerAtEnd(model.selected),
    }
}

fn threads(model: &LiveModel) -> threads::Threads<'_> {
    threads::Threads {
        seen: &model.snapshot,
        figures: &model.figures,
        depths: &model.depths,
        hires: &model.hires,
        depth_max: model.about.board.squares() as usize,
        selected: model.selected,
        ranked: model.ranked(),
        order: model.order,
    }
}
