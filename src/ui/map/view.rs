//! Draws the map view.
//!
//! ```text
//!  destrier  8x8 map  40,320 orders  CPU, 2 threads (no GPU)          FILLING
//!  done 12.3%  66.2M moves/s  left 2 s  ━━━━━━━╸──────────────────────────────
//! ╭ starts ──────────── 91.4 ▒▒▒▒ 99.3 ╮╭ c8 ────────────────────────────────╮
//! │ the board, every start as hot as   ││ the start that is pointed at, the  │
//! │ the share of the orders that       ││ best and the worst, the best order,│
//! │ complete from it, and the cursor   ││ orders by starts that complete     │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  hjkl point  ..
//! ```

use super::model::{KEYS, MapModel};
use crate::board::Square;
use crate::gpu::DeviceLabel;
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::{
    LinePart, Role, badge, draw_pane, header_line, help, metered, padded, put, titled, too_small, wrapped,
};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Least width of the figures with words.
const WORDY_WIDTH: u16 = 30;

/// Least width of the meter.
const METER_MIN: u16 = 8;

/// Draws the model.
pub fn view(model: &MapModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let theme = model.surface.theme;
    let (Some(layout), Some((sheet, side))) = (model.layout(), model.sheet()) else {
        return too_small(buf, area);
    };
    draw_header(buf, layout.page.header, model);
    let title = if side == 1 { "starts".to_owned() } else { format!("by {side}x{side}") };
    draw_pane(buf, layout.starts, &layout.page, theme, title.as_str(), legend(model));
    let figures = draw_pane(buf, layout.figures, &layout.page, theme, "figures", Line::default());
    heat::draw(buf, &sheet, theme, |block| spot(model, sheet.board.row_col(block), side));
    draw_figures(buf, figures, model);
    model.playback.draw(buf, area, &model.surface, &KEYS);
    help::draw(buf, area, &model.surface, model.playback.keys(&KEYS), "starts");
}

/// Draws the question, the device and the progress.
fn draw_header(buf: &mut Buffer, area: Rect, model: &MapModel) {
    let theme = model.surface.theme;
    let (text, role) = match (&model.placed, model.is_over()) {
        (_, true) => ("DONE", Role::Good),
        _ if model.playback.shown().is_some() => ("PAST", Role::Hired),
        (None, false) => ("OPENING", Role::Waiting),
        (Some(_), false) => ("FILLING", Role::Busy),
    };
    let badge = Line::from(badge(theme, role, text));
    let room = header_line(area, 0).width - badge.width() as u16 - 2;
    titled(buf, area, question(model, room), &badge);
    metered(buf, header_line(area, 1), theme, progress(model), METER_MIN, done(model));
}

/// The question, and the device in as many words as fit beside it.
fn question(model: &MapModel, width: u16) -> Vec<LinePart> {
    let (theme, batch) = (model.surface.theme, model.map.batch());
    let [board, orders] = [format!("{} map", batch.board()), words::number_of(batch.orders(), "order")];
    let device = match &model.placed {
        None => "looking for a device".to_owned(),
        Some((label, _)) => named(label, usize::from(width).saturating_sub(board.len() + orders.len() + 4)),
    };
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, board),
        LinePart::new(8).with(theme, Role::Text, orders),
        LinePart::new(7).with(theme, Role::Text, device),
    ]
}

/// The name of a device in `room` columns. A short name leaves out the driver's remark in parentheses; a shorter one
/// is a GPU's name without its kind, or of any other device only the kind.
fn named(label: &DeviceLabel, room: usize) -> String {
    let name = label.name.split(" (").next().unwrap_or_default();
    let least = if label.kind.is_hardware() { name } else { label.kind.name() };
    let forms = [label.to_string(), format!("{name} ({})", label.kind.name())];
    forms.into_iter().find(|form| form.chars().count() <= room).unwrap_or_else(|| least.to_owned())
}

/// The share of the knights that have finished.
fn done(model: &MapModel) -> f64 {
    model.map.tried() as f64 / model.map.batch().knights() as f64
}

fn progress(model: &MapModel) -> Vec<LinePart> {
    let (theme, done, took) = (model.surface.theme, done(model), model.took.as_secs_f64());
    let figure = |worth, name: &str, text: String| LinePart::figure(theme, worth, name, text);
    let mut parts = vec![figure(9, "done", words::progress(done))];
    if model.map.tried() > 0 {
        let per_s = words::rate(model.map.moves() as f64 / took.max(1e-9));
        parts.push(figure(8, "moves/s", per_s));
    }
    match (model.is_over(), done > 0.0) {
        (true, _) => parts.push(figure(7, "took", words::moment(model.took))),
        (false, true) => parts.push(figure(7, "left", words::span(took * (1.0 - done) / done))),
        (false, false) => {}
    }
    parts.extend(LinePart::recording(theme, model.playback.unrecorded()));
    parts
}

/// The scale of the colours, in per cent.
fn legend(model: &MapModel) -> Line<'static> {
    match (model.map.batch().orders(), model.range()) {
        (1, _) => padded(heat::scale(model.surface.theme, "fails", "completes")),
        (_, None) => Line::default(),
        (_, Some(range)) => {
            let [lowest, highest] = range.map(|share| format!("{} %", percent(share)));
            padded(heat::scale(model.surface.theme, &lowest, &highest))
        }
    }
}

/// A share in per cent, rounded down: `91.4`; `100` only for a share of 1.
fn percent(share: f64) -> String {
    if share >= 1.0 { "100".to_owned() } else { format!("{:.1}", (share * 1000.0).floor() / 10.0) }
}

/// The look of a start or of a block: its heat is the position of its share between the smallest and the largest.
fn spot(model: &MapModel, (row, col): (u32, u32), side: u32) -> Spot {
    let share = model.block_share((row, col), side);
    let many = model.map.batch().orders() > 1;
    let value = share.map(|share| match model.range() {
        Some([least, most]) if many && most > least => (share - least) / (most - least),
        _ => share,
    });
    let text = match share {
        Some(share) if many => percent(share),
        Some(1.0) => "x".to_owned(),
        _ => String::new(),
    };
    let (cursor_row, cursor_col) = model.map.batch().board().row_col(model.cursor);
    let here = (cursor_row / side, cursor_col / side) == (row, col);
    Spot { value, text, mark: here.then_some(Mark::Cursor) }
}

/// Writes lines from top to bottom.
struct LineWriter<'a> {
    buf: &'a mut Buffer,
    area: Rect,
    model: &'a MapModel,
}

impl LineWriter<'_> {
    /// Writes a label and a text.
    fn entry(&mut self, label: &str, text: &str) {
        let LineWriter { buf, area, model } = self;
        let theme = model.surface.theme;
        let indent = if area.width >= WORDY_WIDTH { 10 } else { 6 };
        put(buf, *area, area.x, area.y, label, theme.style(Role::Label));
        put(buf, *area, area.x + indent, area.y, text, theme.style(Role::Strong));
        self.skip();
    }

    fn skip(&mut self) {
        self.area.y += u16::from(self.area.height > 0);
        self.area.height = self.area.height.saturating_sub(1);
    }

    fn start(&mut self, label: &str, start: Square) {
        let (map, board) = (&self.model.map, self.model.map.batch().board());
        let (name, tried) = (board.name(start), map.tried_from(start));
        let complete = map.by_start()[start.index() as usize];
        let text = match (map.batch().orders(), tried) {
            (_, 0) => format!("{name} not tried"),
            (1, _) if complete == 1 => format!("{name} completes"),
            (1, _) => format!("{name} fails"),
            _ if self.area.width < WORDY_WIDTH => {
                format!("{name} {} %", percent(f64::from(complete) / f64::from(tried)))
            }
            _ => format!("{name} {} of {}", words::grouped(complete), words::grouped(tried)),
        };
        self.entry(label, &text);
    }
}

fn draw_figures(buf: &mut Buffer, area: Rect, model: &MapModel) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let map = &model.map;
    let wordy = inner.width >= WORDY_WIDTH;
    let mut lines = LineWriter { buf, area: inner, model };
    lines.start("start", model.cursor);
    if let Some([worst, best]) = model.extremes.filter(|_| map.batch().orders() > 1) {
        lines.start("worst", worst);
        lines.start("best", best);
    }
    let [complete, tried] = [map.complete(), map.tried()];
    let share = percent(complete as f64 / tried.max(1) as f64);
    let (orders, squares) = (map.batch().orders(), map.batch().board().squares());
    if wordy {
        let all = words::grouped(map.batch().knights());
        lines.entry("knights", &format!("{} of {all}", words::grouped(tried)));
        lines.entry("complete", &format!("{}, {share} %", words::grouped(complete)));
    } else {
        lines.entry("tried", &words::count(tried));
        lines.entry("tours", &format!("{share} %"));
    }
    if let Some((order, starts)) = map.best().filter(|_| orders > 1) {
        lines.entry("order", &order.to_string());
        let of = if wordy { " of " } else { "/" };
        lines.entry("from", &format!("{}{of}{}", words::grouped(starts), words::grouped(squares)));
    }
    if let Some((_, why)) = model.placed.as_ref().filter(|(_, why)| wordy && !why.is_empty()) {
        lines.skip();
        for text in wrapped(why, usize::from(inner.width)) {
            let LineWriter { buf, area, .. } = &mut lines;
            put(buf, *area, area.x, area.y, &text, model.surface.theme.style(Role::Label));
            lines.skip();
        }
    }
    let rest = lines.area;
    if orders > 1 {
        draw_histogram(buf, rest, model);
    }
}

/// Draws the orders by the number of starts from which they complete, as bars, most starts first.
fn draw_histogram(buf: &mut Buffer, area: Rect, model: &MapModel) {
    let theme = model.surface.theme;
    let Some(&most) = model.histogram.values().max() else { return };
    if area.height < 3 {
        return;
    }
    put(buf, area, area.x, area.y + 1, "orders by starts that complete", theme.style(Role::Label));
    let digits = model.map.batch().board().squares().to_string().len();
    let room = f64::from(area.width.saturating_sub(digits as u16 + 9));
    for (y, (starts, &orders)) in (area.y + 2..area.bottom()).zip(model.histogram.iter().rev()) {
        let x = put(buf, area, area.x, y, &format!("{starts:>digits$} "), theme.style(Role::Label));
        let length = (room * f64::from(orders) / f64::from(most)).ceil() as usize;
        let x = put(buf, area, x, y, &theme.glyphs().meter[0].repeat(length), theme.style(Role::Good));
        put(buf, area, x + 1, y, &words::grouped(orders), theme.style(Role::Text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::DeviceKind;

    #[test]
    fn a_long_name_gets_shorter_and_software_is_never_called_a_gpu() {
        let label = |name: &str, kind| DeviceLabel { name: name.to_owned(), kind, driver: String::new() };
        let software = label("llvmpipe (LLVM 15.0.6, 256 bits)", DeviceKind::Software);
        let gpu = label("NVIDIA GeForce RTX 4090 Laptop GPU", DeviceKind::Discrete);
        for (label, room, expected) in [
            (&software, 50, "llvmpipe (LLVM 15.0.6, 256 bits) (software Vulkan)"),
            (&software, 49, "llvmpipe (software Vulkan)"),
            (&software, 25, "software Vulkan"),
            (&gpu, 49, "NVIDIA GeForce RTX 4090 Laptop GPU (discrete GPU)"),
            (&gpu, 48, "NVIDIA GeForce RTX 4090 Laptop GPU"),
        ] {
            assert_eq!(named(label, room), expected);
        }
    }
}
