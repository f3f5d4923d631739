//! Draws the view of a count. One file per pane.
//!
//! ```text
//!  destrier  8x8 closed tours  undirected  2 threads            COUNTING  0:07
//!  exact  square 30 of 64  states 1.72G of 3.94G
//!  done 43.6%  312M states/s  left 7 s  ━━━━━━━━━━━━━╸────────────────────────
//! ╭ 1 sweep ──────────╮╭ 2 rows ────────────────────────────────────────────╮
//! │ the board: behind ││ every row: its states, how many of them are done   │
//! │ the frontier, on  ││ and not zero, the width of its counters, its time  │
//! │ it, ahead of it   ││                                                    │
//! ╰───────────────────╯╰────────────────────────────────────────────────────╯
//! ╭ 3 threads 2 ──────────────────── busy 2  idle 0 ╮╭ 4 memory ────────────╮
//! │ the step in work, and which range of degree     ││ buffers, files,      │
//! │ patterns every thread is at                     ││ counters             │
//! ╰─────────────────────────────────────────────────╯╰──────────────────────╯
//! ╭ 5 history ──────────────────────────────────────────────────────────────╮
//!  q quit  ? help  z zoom  ..
//! ```

mod answer;
mod digits;
mod header;
mod memory;
mod rows;
mod sweep;
mod threads;

use super::layout::{CountLayout, CountPane};
use super::model::{CountModel, KEYS};
use super::words::name;
use crate::ui::kit::{Role, help, history, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The names of the charts of a count.
const CHARTS: [&str; 3] = ["at work", "speed", "busy"];

/// Draws the model.
pub fn view(model: &CountModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let page = &layout.panes.page;
    header::draw(buf, page.header, model);
    if let (Some(rect), Some(answer)) = (layout.answer, model.answer()) {
        answer::draw(buf, rect, model, answer, page);
    }
    for &pane in &layout.panes.panes {
        draw_pane(buf, pane, &layout, model);
    }
    model.playback.draw(buf, area, &model.surface, &KEYS);
    help::draw(buf, area, &model.surface, model.playback.keys(&KEYS), name(model.focus.pane));
}

fn draw_pane(buf: &mut Buffer, (pane, rect): (CountPane, Rect), layout: &CountLayout, model: &CountModel) {
    let (theme, threads) = (model.surface.theme, model.seen.threads.len());
    let (title, legend) = match pane {
        CountPane::Sweep => ("sweep".to_owned(), Line::default()),
        CountPane::Rows => ("rows".to_owned(), rows::legend(theme, rect.width)),
        CountPane::Threads => (format!("threads {threads}"), threads::legend(model, rect.width)),
        CountPane::Memory => ("memory".to_owned(), Line::default()),
        CountPane::History => ("history, speed in states/s".to_owned(), Line::default()),
    };
    let inner = layout.panes.draw(buf, (pane, rect), theme, model.focus, (&title, legend, ("", Role::Label)));
    match pane {
        CountPane::Sweep => sweep::draw(buf, inner, model, layout),
        CountPane::Rows => rows::draw(buf, inner, model, model.sheet(layout)),
        CountPane::Threads => threads::draw(buf, inner, model),
        CountPane::Memory => memory::draw(buf, inner, model),
        CountPane::History => history::draw(buf, inner, theme, &model.history, threads, CHARTS),
    }
}
