//! The header of a campaign: question, finished parts, time left.

use crate::run::PartState;
use crate::ui::campaign::model::CampaignModel;
use crate::ui::kit::{LinePart, Role, badge, header_line, metered, titled};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Least width of the meter.
const METER_MIN: u16 = 8;

/// Draws the two lines of the header.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CampaignModel) {
    let theme = model.surface.theme;
    let (word, role) = state(model);
    let clock = words::clock(model.seen.at);
    let badge = Line::from(vec![badge(theme, role, word), Span::styled(format!(" {clock}"), theme.style(Role::Text))]);
    let room = header_line(area, 0).width.saturating_sub(badge.width() as u16 + 2);
    titled(buf, area, question(model, room), &badge);
    metered(buf, header_line(area, 1), theme, progress(model), METER_MIN, model.done());
}

/// The state of the campaign, in a word.
fn state(model: &CampaignModel) -> (&'static str, Role) {
    let seen = &model.seen;
    match () {
        () if !model.looked => ("LOOKING", Role::Waiting),
        () if seen.complete => ("DONE", Role::Good),
        () if seen.trouble.is_some() => ("NOT SEEN", Role::Bad),
        () if seen.reading.is_some() => ("READING", Role::Waiting),
        () if seen.parts.is_empty() => ("WAITING", Role::Waiting),
        () if seen.count(PartState::Done) == seen.parts.len() => ("WRONG", Role::Bad),
        // A short part finishes before its first checkpoint, and so is never seen running.
        () if seen.count(PartState::Running) > 0 || seen.rates.is_some_and(|rates| rates.nodes_per_s > 0.0) => {
            ("GATHERING", Role::Busy)
        }
        () if seen.rates.is_none() => ("LOOKING", Role::Waiting),
        () => ("AT REST", Role::Hired),
    }
}

/// The question in `room` columns; without the method if that does not fit.
fn question(model: &CampaignModel, room: u16) -> Vec<LinePart> {
    let (theme, seen) = (model.surface.theme, &model.seen);
    let question = match seen.question.as_str() {
        "" => "a search in parts",
        long if long.len() > usize::from(room) => long.split(" tours").next().unwrap_or(long),
        question => question,
    };
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, question),
        LinePart::new(3).with(theme, Role::Text, seen.convention.as_str()),
        LinePart::new(0).with(theme, Role::Label, model.folder.as_str()),
    ]
}

fn progress(model: &CampaignModel) -> Vec<LinePart> {
    let (theme, seen) = (model.surface.theme, &model.seen);
    let figure = |worth, name: &str, text: String| LinePart::figure(theme, worth, name, text);
    let mut parts = vec![figure(6, "done", words::progress(model.done()))];
    if let Some((read, of)) = seen.reading {
        parts.push(figure(9, "read", format!("{} of {}", words::grouped(read), words::grouped(of))));
    }
    if seen.parts.is_empty() {
        return parts;
    }
    let of = |state| words::grouped(seen.count(state));
    let all = words::grouped(seen.parts.len());
    parts.push(LinePart::new(9).with(theme, Role::Strong, of(PartState::Done)).with(
        theme,
        Role::Label,
        format!(" of {all} parts"),
    ));
    let wrong = seen.wrong.len() as u64 + seen.more_wrong;
    if wrong > 0 {
        parts.push(LinePart::new(8).with(theme, Role::Bad, format!("wrong {}", words::grouped(wrong))));
    }
    if !seen.complete {
        parts.push(figure(5, "running", of(PartState::Running)));
        if seen.count(PartState::Stale) > 0 {
            parts.push(figure(4, "stale", of(PartState::Stale)));
        }
        parts.push(figure(2, "missing", of(PartState::Missing)));
        parts.push(figure(7, "left", seen.left_s.map_or("-".to_owned(), words::span)));
    }
    parts
}
