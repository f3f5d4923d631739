//! The form of the picker: one row for each part of a plan, the typed texts, and the resulting plan.

use super::row::PickerRow;
use crate::board::{Board, Ending, Square};
use crate::find::Tie;
use crate::run::{Plan, Question};
use crate::schedule::{Scheduler, THREADS_MAX};
use crate::search::HandOver;
use crate::solve::{self, Method, Problem, Request, SOLVERS};
use crate::ui::kit::{Notice, append};
use std::time::Duration;

/// Longest text of a row.
const TEXT_MAX: usize = 16;
/// A key as the picker understands it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// Go to the row above.
    Up,
    /// Go to the row below.
    Down,
    /// Select the previous choice.
    Left,
    /// Select the next choice.
    Right,
    /// Type a letter.
    Letter(char),
    /// Delete the last letter.
    Rub,
    /// Start the plan.
    Start,
    /// Leave without a change.
    Leave,
}

/// The result of a key.
pub enum PickerOutcome {
    /// The picker stays open.
    Stay,
    /// The picker closes without a choice.
    Leave,
    /// The picker closes, and this plan starts.
    Start(Box<Plan>),
}

/// A method, and whether it accepts the question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The name of the method.
    pub name: &'static str,
    /// One line about the method.
    pub summary: &'static str,
    /// Why the method refuses the question, if it does.
    pub refusal: Option<String>,
}

/// The form of the picker.
#[derive(Clone, Debug)]
pub struct PickerForm {
    board: String,
    finds: bool,
    ending: Ending,
    method: &'static str,
    start: String,
    tie: Option<Tie>,
    scheduler: Scheduler,
    threads: String,
    /// The parts of the plan that the form does not change: hand-over rule and time limit.
    kept: (HandOver, Option<Duration>),
    row: PickerRow,
    /// Whether nothing was typed since the row was entered; if so, the first letter replaces the text.
    fresh: bool,
    offers: Vec<Offer>,
    notice: Option<Notice>,
}

impl PickerForm {
    /// A form filled with a plan.
    pub fn new(choice: &Plan) -> PickerForm {
        let question = &choice.question;
        let tie = if let Question::Find(_, request) = question { request.tie } else { None };
        let mut form = PickerForm {
            board: question.board().to_string(),
            finds: question.finds(),
            ending: question.ending(),
            method: question.method(),
            start: question.start().map_or_else(String::new, |start| question.board().name(start)),
            tie,
            scheduler: choice.scheduler,
            threads: choice.threads.to_string(),
            kept: (choice.hand_over, choice.deadline),
            row: PickerRow::Board,
            fresh: true,
            offers: Vec::new(),
            notice: None,
        };
        form.offer();
        form
    }

    /// The rows that the question needs.
    pub fn rows(&self) -> Vec<PickerRow> {
        let last =
            if self.finds { [PickerRow::Tie, PickerRow::Threads] } else { [PickerRow::Scheduler, PickerRow::Threads] };
        [PickerRow::Board, PickerRow::Question, PickerRow::Ending, PickerRow::Method, PickerRow::Start]
            .into_iter()
            .chain(last)
            .collect()
    }

    /// The selected row.
    pub fn row(&self) -> PickerRow {
        self.row
    }

    /// The value of a row.
    pub fn value(&self, row: PickerRow) -> String {
        match row {
            PickerRow::Board => self.board.clone(),
            PickerRow::Question => if self.finds { "find one" } else { "search all" }.to_owned(),
            PickerRow::Ending => self.ending.name().to_owned(),
            PickerRow::Method => self.method.to_owned(),
            PickerRow::Start => self.start.clone(),
            PickerRow::Tie => self.tie.map_or_else(|| "the method's own".to_owned(), |tie| tie.to_string()),
            PickerRow::Scheduler => self.scheduler.name().to_owned(),
            PickerRow::Threads => self.threads.clone(),
        }
    }

    /// The hint for a row.
    pub fn hint(&self, row: PickerRow) -> String {
        match row {
            PickerRow::Board => "type ROWSxCOLS, such as 6x6 or 3x10".to_owned(),
            PickerRow::Question => {
                if self.finds { "attempts race for one tour" } else { "every tour is counted" }.to_owned()
            }
            PickerRow::Ending => match self.ending {
                Ending::Closed => "the last square is a move from the first",
                Ending::Open => "the last square may be anywhere",
            }
            .to_owned(),
            PickerRow::Method => self.offer_of(self.method).map_or_else(String::new, |offer| match &offer.refusal {
                Some(reason) => format!("not now: {reason}"),
                None => offer.summary.to_owned(),
            }),
            PickerRow::Start => "type a square, such as a1; empty: any".to_owned(),
            PickerRow::Tie => "decides between squares of the same rank".to_owned(),
            PickerRow::Scheduler => self.scheduler.summary().to_owned(),
            PickerRow::Threads => format!("type a number, 1 to {THREADS_MAX}"),
        }
    }

    /// The methods for this kind of question.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// The name of the selected method.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// The notice in the footer, if any.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// Sets the notice in the footer.
    pub fn set_notice(&mut self, notice: Notice) {
        self.notice = Some(notice);
    }

    /// Types a pasted text where something is typed.
    pub fn paste(&mut self, text: &str) {
        if self.row.is_typed() {
            text.chars().for_each(|letter| drop(self.take(Input::Letter(letter))));
        } else {
            self.notice = Some(Notice::paste_ignored());
        }
    }

    /// Handles a key.
    pub fn take(&mut self, input: Input) -> PickerOutcome {
        self.notice = None;
        match input {
            Input::Up => self.go(-1),
            Input::Down => self.go(1),
            Input::Left => self.change(-1),
            Input::Right => self.change(1),
            Input::Letter(letter) if self.row.is_typed() => self.write(|text, fresh| {
                if fresh {
                    text.clear();
                }
                append(text, letter, TEXT_MAX);
            }),
            Input::Rub if self.row.is_typed() => self.write(|text, _| {
                text.pop();
            }),
            Input::Leave => return PickerOutcome::Leave,
            Input::Letter(_) | Input::Rub => {}
            Input::Start => match self.choice() {
                Ok(choice) => return PickerOutcome::Start(Box::new(choice)),
                Err(text) => self.notice = Some(Notice { text, bad: true }),
            },
        }
        PickerOutcome::Stay
    }

    /// The plan that the form describes, or a sentence that says what is wrong.
    pub fn choice(&self) -> Result<Plan, String> {
        let question = self.question(self.method)?;
        if let Some(refusal) = question.refusal() {
            return Err(refusal);
        }
        let threads = self.threads.trim().parse().ok().filter(|threads| (1..=THREADS_MAX).contains(threads));
        let threads =
            threads.ok_or_else(|| format!("'{}' is not a number of threads: 1 to {THREADS_MAX}", self.threads))?;
        let threads = if !self.finds && self.scheduler == Scheduler::Serial { 1 } else { threads };
        let (hand_over, deadline) = self.kept;
        Ok(Plan { scheduler: self.scheduler, hand_over, deadline, ..Plan::of(question, threads) })
    }

    fn question(&self, method: &str) -> Result<Question, String> {
        let board: Board = self.board.trim().parse().map_err(|error: crate::board::BoardError| error.to_string())?;
        let start = self.start.trim();
        let start: Option<Square> = match start {
            "" => None,
            _ => Some(board.parse_square(start).map_err(|error| error.to_string())?),
        };
        let missing = || format!("no method is called {method}");
        if self.finds {
            let finder = solve::finder_by_name(method).ok_or_else(missing)?;
            return Ok(Question::Find(finder, Request { start, tie: self.tie, ..Request::new(board, self.ending) }));
        }
        let solver = solve::solver_by_name(method).ok_or_else(missing)?;
        Ok(Question::Search(solver, Problem { start, ..Problem::new(board, self.ending) }))
    }

    fn go(&mut self, by: isize) {
        let rows = self.rows();
        let at = rows.iter().position(|&row| row == self.row).unwrap_or(0);
        self.row = rows[at.saturating_add_signed(by).min(rows.len() - 1)];
        self.fresh = true;
    }

    fn write(&mut self, change: impl FnOnce(&mut String, bool)) {
        let fresh = std::mem::take(&mut self.fresh);
        match self.row {
            PickerRow::Start => change(&mut self.start, fresh),
            PickerRow::Threads => change(&mut self.threads, fresh),
            _ => change(&mut self.board, fresh),
        }
        self.offer();
    }

    fn change(&mut self, by: isize) {
        match self.row {
            PickerRow::Question => self.finds = !self.finds,
            PickerRow::Ending => {
                self.ending = if self.ending == Ending::Closed { Ending::Open } else { Ending::Closed };
            }
            PickerRow::Method => {
                let names: Vec<_> = self.offers.iter().map(|offer| offer.name).collect();
                self.method = turned(&names, self.method, by);
                return;
            }
            PickerRow::Tie => {
                let ties: Vec<_> = [None].into_iter().chain(Tie::ALL.map(Some)).collect();
                self.tie = turned(&ties, self.tie, by);
            }
            PickerRow::Scheduler => self.scheduler = turned(&Scheduler::ALL, self.scheduler, by),
            PickerRow::Board | PickerRow::Start | PickerRow::Threads => return,
        }
        self.offer();
        // The method selected for another question may refuse this one; then the first that accepts it is selected.
        if self.offer_of(self.method).is_none_or(|offer| offer.refusal.is_some()) {
            let admitted = self.offers.iter().find(|offer| offer.refusal.is_none());
            self.method = admitted.or(self.offers.first()).map_or(self.method, |offer| offer.name);
        }
    }

    fn offer_of(&self, name: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.name == name)
    }

    /// Asks every method of the kind whether it accepts the question.
    fn offer(&mut self) {
        let of_kind = SOLVERS.iter().filter(|method| matches!(method, Method::Find(_)) == self.finds);
        self.offers = of_kind
            .map(|method| {
                let refusal = match self.question(method.name()) {
                    Ok(question) => question.refusal(),
                    Err(_) => None,
                };
                Offer { name: method.name(), summary: method.summary(), refusal }
            })
            .collect();
    }
}

/// The item `by` positions after `from`, in a circle.
fn turned<T: Copy + PartialEq>(items: &[T], from: T, by: isize) -> T {
    let at = items.iter().position(|&item| item == from).unwrap_or(0) as isize;
    items.get((at + by).rem_euclid(items.len().max(1) as isize) as usize).copied().unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> PickerForm {
        let solver = solve::solver_by_name("path").unwrap();
        let problem = Problem::new("8x8".parse().unwrap(), Ending::Closed);
        PickerForm::new(&Plan::of(Question::Search(solver, problem), 4))
    }

    fn press(form: &mut PickerForm, inputs: &[Input]) -> Option<Plan> {
        let mut chosen = None;
        for &input in inputs {
            if let PickerOutcome::Start(choice) = form.take(input) {
                chosen = Some(*choice);
            }
        }
        chosen
    }

    fn type_in(form: &mut PickerForm, text: &str) {
        for _ in 0..TEXT_MAX {
            form.take(Input::Rub);
        }
        text.chars().for_each(|letter| drop(form.take(Input::Letter(letter))));
    }

    #[test]
    fn the_form_starts_the_plan_that_it_shows() {
        let choice = press(&mut form(), &[Input::Start]).unwrap();
        assert_eq!((choice.question.method(), choice.threads), ("path", 4));
        let mut changed = form();
        type_in(&mut changed, "6x6");
        // Down to the tours, open; down past the method to the start; down to scheduler and threads.
        press(&mut changed, &[Input::Down, Input::Down, Input::Right, Input::Down, Input::Down]);
        type_in(&mut changed, "a1");
        press(&mut changed, &[Input::Down, Input::Left, Input::Down]);
        type_in(&mut changed, "12");
        let choice = press(&mut changed, &[Input::Start]).unwrap();
        let Plan { question, threads, scheduler, .. } = choice;
        assert_eq!((question.board().to_string(), question.ending()), ("6x6".into(), Ending::Open));
        assert_eq!(question.start(), "6x6".parse::<Board>().unwrap().parse_square("a1").ok());
        // The serial scheduler always uses one thread.
        assert_eq!((scheduler, threads), (Scheduler::Serial, 1));
    }

    #[test]
    fn a_method_that_refuses_the_question_says_why_and_another_is_selected() {
        let mut form = form();
        press(&mut form, &[Input::Down, Input::Down, Input::Down]);
        assert_eq!(form.row(), PickerRow::Method);
        while form.method() != "radley" {
            form.take(Input::Right);
        }
        press(&mut form, &[Input::Up, Input::Right]);
        let radley = form.offers().iter().find(|offer| offer.name == "radley").unwrap();
        assert!(radley.refusal.as_deref().unwrap().contains("closed tours only"));
        assert_eq!(form.method(), "brute");
        press(&mut form, &[Input::Down]);
        while form.method() != "radley" {
            form.take(Input::Right);
        }
        assert!(press(&mut form, &[Input::Start]).is_none());
        assert!(form.notice().unwrap().bad && form.notice().unwrap().text.contains("closed tours only"));
    }

    #[test]
    fn the_first_letter_replaces_the_text_and_the_next_are_appended() {
        let mut form = form();
        press(&mut form, &[Input::Letter('5'), Input::Letter('x'), Input::Letter('6')]);
        assert_eq!(form.value(PickerRow::Board), "5x6");
        press(&mut form, &[Input::Down, Input::Up, Input::Rub, Input::Letter('7')]);
        assert_eq!(form.value(PickerRow::Board), "5x7");
    }

    #[test]
    fn a_text_is_pasted_on_a_row_that_is_typed() {
        let mut form = form();
        form.paste("6x6\n\r");
        assert_eq!((form.value(PickerRow::Board).as_str(), form.notice()), ("6x6", None));
        form.take(Input::Down);
        form.paste("7");
        assert_eq!((form.row(), form.notice()), (PickerRow::Question, Some(&Notice::paste_ignored())));
    }

    #[test]
    fn invalid_text_is_reported_and_nothing_starts() {
        for (row, text, error) in
            [(0, "8y8", "'8y8' is not a board"), (4, "j9", "'j9' is not on the board"), (6, "0", "1 to 4096")]
        {
            let mut form = form();
            (0..row).for_each(|_| drop(form.take(Input::Down)));
            type_in(&mut form, text);
            assert!(press(&mut form, &[Input::Start]).is_none());
            assert!(form.notice().unwrap().text.contains(error), "{:?}", form.notice());
        }
    }
}
