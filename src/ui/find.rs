//! Finds a worker by its number, or the next one in a state, as it is typed in the footer.

use super::kit::{Surface, footer};
use super::look::{LOOKS, WorkerLook};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

/// Letters of what is looked for.
const TYPED_MAX: usize = 12;

/// What is looked for.
#[derive(Clone, Default, Debug)]
pub struct WorkerSearch {
    /// As far as it is typed; nothing while nothing is asked.
    typed: Option<String>,
    /// What was looked for last.
    last: String,
}

impl WorkerSearch {
    /// Asks for what is to be found.
    pub fn ask(&mut self) {
        self.typed = Some(String::new());
    }

    /// Draws what is typed in place of the keys, if anything is asked.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, surface: &Surface) {
        let Some(typed) = &self.typed else { return };
        Clear.render(area, buf);
        footer::asked(buf, area, surface, ("find worker ", typed), "17, idle, busy, waiting; enter: the next one");
    }

    /// Takes a key while the text is being typed.
    pub fn take(&mut self, key: KeyEvent) -> SearchKey {
        let typed = self.typed.take().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL));
        let Some(mut typed) = typed else { return SearchKey::NotTyped };
        match key.code {
            KeyCode::Esc => return SearchKey::Typed,
            // Taking back more than was typed takes back the question.
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

/// What became of a key.
pub enum SearchKey {
    /// Nothing is being typed: the key is for something else.
    NotTyped,
    /// The key changed or ended the text.
    Typed,
    /// Find this: what was typed, or what was found last where nothing was typed.
    Entered(String),
}

/// The worker of a number, or the next worker in a state, in the order `ranked`, after `selected`.
///
/// # Errors
/// A sentence for the footer when there is none.
pub fn found(
    wanted: &str,
    ranked: &[usize],
    selected: usize,
    look: impl Fn(usize) -> WorkerLook,
) -> Result<usize, String> {
    if let Ok(number) = wanted.parse::<usize>() {
        let last = ranked.len().saturating_sub(1);
        return if number <= last { Ok(number) } else { Err(format!("workers are numbered 0 to {last}")) };
    }
    let Some(word) = LOOKS.iter().map(|look| look.word).find(|word| !wanted.is_empty() && word.starts_with(wanted))
    else {
        let words = LOOKS.map(|look| look.word).join(", ");
        return Err(format!("a number or one of {words} is to be found"));
    };
    let after = ranked.iter().position(|&worker| worker == selected).map_or(0, |place| place + 1);
    let mut round = ranked[after..].iter().chain(&ranked[..after]);
    round.find(|&&worker| look(worker).word == word).copied().ok_or_else(|| format!("no worker is {word} here"))
}
