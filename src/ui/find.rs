//! Finds a worker by its number, or the next one in a state, as it is typed in the footer.

use super::kit::footer;
use super::look::{LOOKS, Look};
use super::model::Model;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

/// Letters of what is looked for.
const TYPED_MAX: usize = 12;

/// What is looked for.
#[derive(Clone, Default, Debug)]
pub struct Search {
    /// As far as it is typed; nothing while nothing is asked.
    typed: Option<String>,
    /// What was looked for last.
    last: String,
}

impl Search {
    /// Asks for what is to be found.
    pub fn ask(&mut self) {
        self.typed = Some(String::new());
    }

    /// Draws what is typed in place of the keys, if anything is asked.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, model: &Model) {
        let Some(typed) = &self.typed else { return };
        Clear.render(area, buf);
        footer::asked(
            buf,
            area,
            &model.surface,
            ("find worker ", typed),
            "17, idle, busy, waiting; enter: the next one",
        );
    }
}

/// Takes a key if it is being typed what to find; answers whether it was.
pub fn typed(model: &mut Model, key: KeyEvent) -> bool {
    let Some(mut typed) = model.search.typed.take().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL)) else {
        return false;
    };
    match key.code {
        KeyCode::Esc => return true,
        // Taking back more than was typed takes back the question.
        KeyCode::Backspace if typed.pop().is_none() => return true,
        KeyCode::Enter => {
            find(model, typed.trim());
            return true;
        }
        KeyCode::Char(letter) if typed.len() < TYPED_MAX && letter.is_ascii_graphic() => typed.push(letter),
        _ => {}
    }
    model.search.typed = Some(typed);
    true
}

/// Selects what was typed, or what was typed before where nothing was.
fn find(model: &mut Model, typed: &str) {
    if !typed.is_empty() {
        model.search.last = typed.to_lowercase();
    }
    let wanted = model.search.last.clone();
    match found(model, &wanted) {
        Ok(worker) => {
            model.selected = worker;
            model.redraw();
            let word = look(model, worker).word;
            model.surface.say(format!("worker {worker}: {word}"));
        }
        Err(text) => model.surface.complain(text),
    }
}

fn found(model: &Model, wanted: &str) -> Result<usize, String> {
    let workers = model.snapshot.workers.len();
    if let Ok(number) = wanted.parse::<usize>() {
        let last = workers.saturating_sub(1);
        return if number <= last { Ok(number) } else { Err(format!("workers are numbered 0 to {last}")) };
    }
    let Some(word) = LOOKS.iter().map(|look| look.word).find(|word| !wanted.is_empty() && word.starts_with(wanted))
    else {
        let words = LOOKS.map(|look| look.word).join(", ");
        return Err(format!("a number or one of {words} is to be found"));
    };
    let ranked = model.ranked();
    let after = ranked.iter().position(|&worker| worker == model.selected).map_or(0, |place| place + 1);
    let mut round = ranked[after..].iter().chain(&ranked[..after]);
    round.find(|&&worker| look(model, worker).word == word).copied().ok_or_else(|| format!("no worker is {word} here"))
}

fn look(model: &Model, worker: usize) -> Look {
    Look::of(model.snapshot.workers[worker].state, model.hires.fresh(worker, &model.snapshot))
}
