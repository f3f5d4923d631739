//! The search field in the footer: finds a worker by number, or the next worker in a state.

use super::kit::{Surface, footer};
use super::look::{LOOKS, WorkerLook};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

/// Longest search text, in letters.
const TYPED_MAX: usize = 12;

/// The search field and the last search text.
#[derive(Clone, Default, Debug)]
pub struct WorkerSearch {
    /// The text so far; `None` while the field is closed.
    typed: Option<String>,
    /// The last search text.
    last: String,
}

impl WorkerSearch {
    /// Opens the field.
    pub fn ask(&mut self) {
        self.typed = Some(String::new());
    }

    /// Draws the field in place of the keys, if it is open.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, surface: &Surface) {
        let Some(typed) = &self.typed else { return };
        Clear.render(area, buf);
        footer::draw_prompt(
            buf,
            area,
            surface,
            ("find worker ", typed),
            "17, idle, busy, waiting; enter: the next one",
        );
    }

    /// Handles a key while the field is open.
    pub fn take(&mut self, key: KeyEvent) -> SearchKey {
        let typed = self.typed.take().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL));
        let Some(mut typed) = typed else { return SearchKey::NotTyped };
        match key.code {
            KeyCode::Esc => return SearchKey::Typed,
            // Backspace in an empty field closes it.
            KeyCode::Backspace if typed.pop().is_none() => return SearchKey::Typed,
            KeyCode::Enter => {
                if !typed.trim().is_empty() {
                    self.last = typed.trim().to_lowercase();
                }
                return SearchKey::Entered(self.last.clone());
            }
            KeyCode::Char(letter) if typed.len() < TYPED_MAX && letter.is_ascii_graphic() => typed.push(letter),
            _ => {}
        }
        self.typed = Some(typed);
        SearchKey::Typed
    }
}

/// What the search field did with a key.
pub enum SearchKey {
    /// The field is closed: the key has its usual meaning.
    NotTyped,
    /// The key changed or closed the field.
    Typed,
    /// Find this text; an empty field repeats the last search.
    Entered(String),
}

/// Finds the worker with a number, or the next worker in a state. `ranked` is the order on the screen; the search
/// starts after `selected`.
///
/// # Errors
/// A sentence for the footer if no worker matches.
pub fn find_worker(
    text: &str,
    ranked: &[usize],
    selected: usize,
    look: impl Fn(usize) -> WorkerLook,
) -> Result<usize, String> {
    if let Ok(number) = text.parse::<usize>() {
        let last = ranked.len().saturating_sub(1);
        return if number <= last { Ok(number) } else { Err(format!("workers are numbered 0 to {last}")) };
    }
    let Some(word) = LOOKS.iter().map(|look| look.word).find(|word| !text.is_empty() && word.starts_with(text)) else {
        let words = LOOKS.map(|look| look.word).join(", ");
        return Err(format!("a number or one of {words} is to be found"));
    };
    let after = ranked.iter().position(|&worker| worker == selected).map_or(0, |place| place + 1);
    let mut round = ranked[after..].iter().chain(&ranked[..after]);
    round.find(|&&worker| look(worker).word == word).copied().ok_or_else(|| format!("no worker is {word} here"))
}
