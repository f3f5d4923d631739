//! The picker: chooses board, question, method, scheduler, threads and start without leaving the program.
//!
//! It lists every method of [`SOLVERS`](crate::solve::SOLVERS) for the kind of question, with the reason where one does
//! not take it. `form.rs` holds what was typed and what it means, `view.rs` draws it; this file is its screen.

mod form;
mod row;
mod view;

pub use form::{Form, Input, Offer, Outcome};
pub use row::Row;
pub use view::draw;

use super::model::Notice;
use super::stage::{Screen, Turn};
use super::theme::Theme;
use crate::run::Plan;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::cell::RefCell;
use std::rc::Rc;

/// Where the choice is left for the screen below.
pub type Chosen = Rc<RefCell<Option<Plan>>>;

/// The picker on the stage.
pub struct Picker {
    form: Form,
    theme: Theme,
    chosen: Chosen,
}

impl Picker {
    /// A picker that begins with the present choice.
    pub fn new(choice: &Plan, theme: Theme, chosen: Chosen) -> Picker {
        Picker { form: Form::new(choice), theme, chosen }
    }
}

impl Screen for Picker {
    fn key(&mut self, key: KeyEvent) -> Turn {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Turn::Interrupt,
                KeyCode::Char('l') => Turn::Redraw,
                KeyCode::Char('z') => Turn::Suspend,
                _ => Turn::Stay,
            };
        }
        let input = match key.code {
            KeyCode::Up | KeyCode::BackTab => Input::Up,
            KeyCode::Down | KeyCode::Tab => Input::Down,
            KeyCode::Left => Input::Left,
            KeyCode::Right => Input::Right,
            KeyCode::Enter => Input::Start,
            KeyCode::Esc => Input::Leave,
            KeyCode::Backspace => Input::Rub,
            KeyCode::Char(letter) => Input::Letter(letter),
            _ => return Turn::Stay,
        };
        match self.form.take(input) {
            Outcome::Stay => Turn::Stay,
            Outcome::Leave => Turn::Leave,
            Outcome::Start(choice) => {
                self.chosen.replace(Some(*choice));
                Turn::Leave
            }
        }
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        draw(frame.buffer_mut(), area, self.theme, &self.form);
    }

    fn resized(&mut self, _size: Size) {}

    fn said(&mut self, notice: Notice) {
        self.form.said(notice);
    }
}
