//! The rows of the list: wrong files with the reason, running parts, stale parts; or a message if there are none.

use crate::run::{Campaign, PartState, Running, WrongFile};
use crate::ui::kit::{Role, wrapped};
use crate::words;
use std::time::Duration;

/// Least width for all figures of a running part.
const WIDE_WIDTH: u16 = 56;

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignRow {
    /// The text.
    pub text: String,
    /// The colour.
    pub role: Role,
}

/// The rows of the list in `width` columns, with a blank at each end. `looked` says whether the folder was read at
/// least once.
pub fn of(seen: &Campaign, folder: &str, looked: bool, width: u16) -> Vec<CampaignRow> {
    let room = usize::from(width.saturating_sub(2));
    let mut rows = Vec::new();
    let mut say = |text: &str, role: Role| {
        rows.extend(wrapped(text, room).into_iter().map(|text| CampaignRow { text, role }));
    };
    if let Some(trouble) = &seen.trouble {
        say(&format!("{folder} cannot be looked into: {trouble}; it is tried again"), Role::Bad);
    }
    if let Some(text) = message(seen, folder, looked) {
        say(&text, Role::Text);
    }
    for WrongFile { name, why } in &seen.wrong {
        say(&format!("{name} {why}"), Role::Bad);
    }
    if seen.more_wrong > 0 {
        say(&format!("and {} more", words::number_of(seen.more_wrong, "wrong file")), Role::Bad);
    }
    if !seen.running.is_empty() {
        rows.push(CampaignRow { text: heading(digits(seen), width), role: Role::Label });
        rows.extend(seen.running.iter().map(|running| row(running, digits(seen), width)));
    }
    rows
}

/// The message about the whole campaign, if any.
fn message(seen: &Campaign, folder: &str, looked: bool) -> Option<String> {
    let done = seen.count(PartState::Done);
    let all = words::grouped(seen.parts.len());
    match () {
        () if seen.complete => {
            let tours = words::tours(seen.figures.tours, &seen.convention);
            Some(format!("all {all} parts are there: {tours}; destrier merge {folder} says the same"))
        }
        () if !looked || seen.reading.is_some() || seen.trouble.is_some() => None,
        () if seen.absent => Some(format!(
            "waiting: the folder {folder} is not there yet; the first part makes it, as does: destrier search BOARD --shard I/N --out-dir {folder}"
        )),
        () if seen.parts.is_empty() && seen.wrong.is_empty() => {
            Some(format!("no part is here yet; to make one: destrier search BOARD --shard I/N --out-dir {folder}"))
        }
        () if !seen.parts.is_empty() && done == seen.parts.len() => {
            Some(format!("all {all} parts are there, and more: destrier merge {folder} says what to type"))
        }
        () if seen.parts.is_empty() || !seen.running.is_empty() => None,
        () if seen.rates.is_some_and(|rates| rates.nodes_per_s <= 0.0) => Some(format!(
            "no run works at it: destrier merge {folder} says what to type for the parts that are missing"
        )),
        () => Some("no part is seen running: those that are done in half a minute are not kept before".to_owned()),
    }
}

/// Width of the number of a part.
fn digits(seen: &Campaign) -> usize {
    seen.parts.len().to_string().len().max(4)
}

fn heading(digits: usize, width: u16) -> String {
    let part = format!("{:>1$}", "part", digits);
    match width {
        WIDE_WIDTH.. => format!("{part}   done    nodes    tours    CPU     kept"),
        _ => format!("{part}  done  nodes  kept"),
    }
}

fn row(running: &Running, digits: usize, width: u16) -> CampaignRow {
    let &Running { part, figures, age_s, stale, done } = running;
    let part = format!("{part:>0$}", digits);
    let done = done.map_or("-".to_owned(), words::percent);
    let nodes = words::count(figures.nodes);
    let age = words::clock(Duration::try_from_secs_f64(age_s).unwrap_or_default());
    let kept = if stale { format!("stale, {age} ago") } else { format!("{age} ago") };
    let text = match width {
        WIDE_WIDTH.. => {
            let (tours, cpu) = (words::count(figures.tours), words::span(figures.cpu_s));
            format!("{part} {done:>6} {nodes:>8} {tours:>8} {cpu:>6}  {kept:>7}")
        }
        _ => format!("{part} {done:>5} {nodes:>6}  {kept}"),
    };
    CampaignRow { text, role: if stale { Role::Hired } else { Role::Text } }
}
