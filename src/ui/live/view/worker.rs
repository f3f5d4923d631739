//! The page of a worker: what it does, where its time went, what it did over time, and why it did as much as it did.

use super::{board, timeline};
use crate::ui::kit::{PaneFrame, PanePlace, Role, padded, put, put_reason, wrapped};
use crate::ui::live::model::LiveModel;
use crate::ui::live::workers::{WorkerFigure, draw_shares};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines over time, with the clock.
const TIMELINE: u16 = 4;
/// Least height and width of its board.
const BOARD: (u16, u16) = (6, 20);

/// Draws the pane.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, worker) = (model.common.theme, model.selected);
    let Some(seen) = model.snapshot.workers.get(worker) else {
        let inner = place.framed(buf, PaneFrame::titled("worker"));
        return put_reason(buf, inner, theme, "no worker has been seen yet");
    };
    let look = model.look(worker);
    let legend = padded(look.part(theme, 0, look.word).line());
    let title = format!("worker {worker}{}", timeline::as_watched(model));
    let inner = place.framed(buf, PaneFrame { legend, ..PaneFrame::titled(title) });
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let mut free = inner.y;
    let mut say = |buf: &mut Buffer, text: &str, role| {
        for line in wrapped(text, inner.width.into()) {
            put(buf, inner, inner.x, free, &line, theme.style(role));
            free += 1;
        }
        free
    };
    let figures = WorkerFigure::columns(false, model.about.finds)
        .map(|(figure, heading)| format!("{heading} {}", figure.brief(seen)));
    let mut next = say(buf, &figures.collect::<Vec<_>>().join("  "), Role::Label);
    if model.has_timeline() {
        for sentence in model.balance.about(worker) {
            next = say(buf, &sentence, Role::Text);
        }
        if let Some(time) = model.balance.time_of(worker).filter(|_| next + 1 < inner.bottom()) {
            draw_shares(buf, Rect { y: next + 1, height: 1, ..inner }, theme, &time);
        }
        let area = Rect { y: next + 3, height: TIMELINE, ..inner };
        if area.bottom() <= inner.bottom() {
            let row = worker / model.timeline.group().max(1);
            timeline::draw(buf, area, model, timeline::rows(model, false).get(row..=row).unwrap_or_default());
        }
        next = area.bottom();
    }
    let rest = Rect { y: next + 1, height: inner.bottom().saturating_sub(next + 1), ..inner };
    if rest.height >= BOARD.0 && rest.width >= BOARD.1 {
        put(buf, inner, inner.x, next, &board::stood(model), theme.style(Role::Label));
        board::draw(buf, rest, theme, &model.about.shape, &model.drawing);
    }
}
