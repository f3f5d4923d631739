//! Draws the live view. One file per pane; each takes plain data and a rectangle.
//!
//! ```text
//!  destrier  8x8 closed  path  hire, shallowest  64 threads                  0:12
//!  nodes 373M  31.2M/s   tours 2.13M  178k/s   done 0.0012%   left 88..140 days
//!  ██████████████████████████████░░▒▒  █ searching 91%  ░ waiting 6%  ▒ no processor 3%
//!  worker 3 gave worker 17 a branch at depth 6
//! ╭ 1 threads 64 ───── B searching 62  w waiting 2 ╮╭ 6 over time ─────────────╮
//! │ every worker, at the richest density that fits ││ a row a worker           │
//! ╰────────────────────────────────────────────────╯╰──────────────────────────╯
//! ╭ 2 board ────────────╮╭ 3 depths ────────────────────────╮╭ 5 hires ─────────╮
//! │ selected position   ││ nodes and cuts by depth          ││ log, busiest     │
//! ╰─────────────────────╯╰──────────────────────────────────╯╰──────────────────╯
//!  q quit  ? help  p pause  ..
//! ```

mod balance;
mod board;
mod depths;
mod header;
mod hire;
pub mod hires;
pub mod strip;
pub mod threads;
mod timeline;
mod worker;

use super::model::LiveModel;
use crate::ui::kit::{Pane, PaneEntry, footer, help, too_small};
use crate::ui::save::{drawn, text_of};
use ratatui::Frame;

/// Draws the model.
pub fn view(model: &LiveModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header::draw(buf, layout.page.header, model);
    strip::draw(buf, &layout.page, model);
    layout.draw(buf, model.common.theme, model.focus, model);
    let keys = model.keys();
    model.playback.draw(buf, area, &model.common, keys);
    let hint = "17, waiting, depth>40; nothing: all";
    footer::draw_input(buf, layout.page.footer, &model.common, &model.input, "find or filter ", hint);
    let hint = "such as 8";
    footer::draw_input(buf, layout.page.footer, &model.common, &model.crew_input, "resume with threads: ", hint);
    help::draw(buf, area, &model.common, keys, keys.pane);
}

/// The live view as text: line by line, without colours and without trailing blanks.
pub fn screen_text(model: &LiveModel) -> String {
    let buffer = drawn(model.common.screen, |frame| view(model, frame));
    text_of(&buffer, buffer.area)
}

/// A pane of the live view, which can be focused and zoomed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LivePane {
    /// Every worker.
    Threads,
    /// The position of the selected worker.
    Board,
    /// Nodes and cuts by depth.
    Depths,
    /// How evenly the work is shared.
    Balance,
    /// The hires between workers.
    Hires,
    /// What every worker did.
    OverTime,
    /// The selected worker, on a page of its own.
    Worker,
    /// The selected hire, and what became of its branch.
    Hire,
}

impl Pane for LivePane {
    type Model = LiveModel;
    const LIST: &'static [PaneEntry<LivePane>] = &[
        PaneEntry { pane: LivePane::Threads, name: "threads", draw: threads::show },
        PaneEntry { pane: LivePane::Board, name: "board", draw: board::show },
        PaneEntry { pane: LivePane::Depths, name: "depths", draw: depths::show },
        PaneEntry { pane: LivePane::Balance, name: "balance", draw: balance::show },
        PaneEntry { pane: LivePane::Hires, name: "hires", draw: hires::show },
        PaneEntry { pane: LivePane::OverTime, name: "over time", draw: timeline::show },
        PaneEntry { pane: LivePane::Worker, name: "worker", draw: worker::show },
        PaneEntry { pane: LivePane::Hire, name: "hire", draw: hire::show },
    ];
}
