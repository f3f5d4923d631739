//! The picker: selects board, question, method, scheduler, threads and start square without leaving the program.
//!
//! It lists every method of [`SOLVERS`](crate::solve::SOLVERS) for the kind of question, with the reason if a method
//! refuses it. `form.rs` holds the typed texts and their meaning, `view.rs` draws them; this file is the screen.

mod form;
mod row;
mod view;

use form::{Input, PickerForm, PickerOutcome};
use view::draw;

use super::kit::keymap::written;
use super::kit::keys::Action;
use super::kit::{Notice, ScreenMsg, Theme};
use super::stage::{Screen, Turn};
use crate::run::Plan;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::cell::RefCell;
use std::rc::Rc;

/// Where the picker leaves its plan for the screen below.
pub type Chosen = Rc<RefCell<Option<Plan>>>;

/// The picker as a screen.
pub struct Picker {
    form: PickerForm,
    theme: Theme,
    chosen: Chosen,
}

impl Picker {
    /// A picker that starts with the current plan.
    pub fn new(choice: &Plan, theme: Theme, chosen: Chosen) -> Picker {
        Picker { form: PickerForm::new(choice), theme, chosen }
    }
}

impl Screen for Picker {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        let key = match msg {
            ScreenMsg::Key(key) => key,
            ScreenMsg::Said(notice) => {
                self.form.set_notice(notice);
                return Turn::Stay;
            }
            ScreenMsg::Pasted(text) => {
                self.form.paste(&text);
                return Turn::Stay;
            }
            ScreenMsg::Looks(theme, _) => {
                self.theme = theme;
                return Turn::Stay;
            }
            ScreenMsg::Resized(_) | ScreenMsg::Passed(_) | ScreenMsg::Mouse(_) | ScreenMsg::Taken(_) => {
                return Turn::Stay;
            }
        };
        let input = match Action::of(key) {
            Some(Action::Interrupt) => return Turn::Interrupt,
            Some(Action::Redraw) => return Turn::Redraw,
            Some(Action::Suspend) => return Turn::Suspend,
            action => input(key, action, self.form.row().is_typed()),
        };
        let Some(input) = input else {
            self.form.set_notice(Notice { text: format!("{} does nothing here", written(key)), bad: false });
            return Turn::Stay;
        };
        match self.form.take(input) {
            PickerOutcome::Stay => Turn::Stay,
            PickerOutcome::Leave => Turn::Leave,
            PickerOutcome::Start(choice) => {
                self.chosen.replace(Some(*choice));
                Turn::Leave
            }
        }
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        draw(frame.buffer_mut(), area, self.theme, &self.form);
    }
}

/// The meaning of a key in the form: on a typed row, a letter is only a letter.
fn input(key: KeyEvent, action: Option<Action>, typed: bool) -> Option<Input> {
    Some(match (key.code, action) {
        (KeyCode::Char(letter), _) if typed && key.modifiers.difference(KeyModifiers::SHIFT).is_empty() => {
            Input::Letter(letter)
        }
        (KeyCode::Backspace, _) => Input::Rub,
        (KeyCode::Enter, _) => Input::Start,
        (_, Some(Action::Up | Action::PreviousPane)) => Input::Up,
        (_, Some(Action::Down | Action::NextPane)) => Input::Down,
        (_, Some(Action::Left)) => Input::Left,
        (_, Some(Action::Right)) => Input::Right,
        (_, Some(Action::Quit | Action::Close)) => Input::Leave,
        _ => return None,
    })
}
