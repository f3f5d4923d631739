//! What `destrier find` does: find tours of a board, of a range of boards, or of a board that it asks for.

use super::args::FindArgs;
use super::race::RaceJob;
use super::{sweep, uniform};
use crate::board::{Board, Ending, Shape, Square};
use crate::cli::args::cores;
use crate::cli::boards::AskedBoards;
use crate::cli::found::{AnswerLine, FormatOptions, Target};
use crate::cli::terminal::on_screens;
use crate::find::Tie;
use crate::job::{
    self, ActiveRuns, Answer, Failure, NoReason, RaceQuestion, io_failure, note, progress, put, refuse_if, running,
    usage,
};
use crate::run::{Plan, Question};
use crate::solve::{Request, WARNSDORFF};
use std::io::{self, BufRead, IsTerminal, Write};

/// Finds what was asked for and shows it.
///
/// # Errors
/// [`Failure`] on bad input, or when a method or its output failed.
pub fn run(args: &FindArgs) -> Result<Answer, Failure> {
    let FindArgs { wanted, shown, .. } = args;
    match args.boards {
        Some(AskedBoards::One(ref shape)) if shown.watch => on_screens!(shape => super::watch::run(args, shape)),
        Some(AskedBoards::One(ref shape)) if wanted.uniform => uniform::run(args, shape),
        Some(AskedBoards::One(ref shape)) => find_one(args, shape),
        Some(AskedBoards::Many(boards)) => {
            refuse_if(wanted.uniform, format_args!("--uniform draws tours of one board, not of {boards}"))?;
            refuse_if(shown.watch, format_args!("--watch shows the race on one board, not on {boards}"))?;
            refuse_if(shown.record.is_some(), format_args!("--record takes the run on one board, not on {boards}"))?;
            sweep::run(args, boards)
        }
        None if !args.is_empty() => Err(usage("these options need a board, such as 8x8")),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => ask_and_find(),
        None => Err(usage("find needs a board, such as 8x8; on a terminal it asks for one")),
    }
}

fn find_one(args: &FindArgs, shape: &Shape) -> Result<Answer, Failure> {
    let question = args.question(shape)?;
    let options = args.run_options(&question)?;
    let seed_is_said = args.by.seed_was_drawn() && !args.shown.json;
    let race = RaceJob::new(question, args.shown.clone(), args.wanted.tours.is_some(), seed_is_said);
    job::run(race, &options)
}

/// Columns of the widest board that is asked for: a printed grid of more is of no use.
const WIDTH_MAX: u32 = 1000;

/// Asks for a board and a start and prints the tour.
///
/// # Errors
/// [`Failure`] when the terminal or the method fails.
///
/// # Source
/// Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section Sample output.
pub fn ask_and_find() -> Result<Answer, Failure> {
    let asked = ask(&mut io::stdin().lock(), &mut io::stdout()).map_err(io_failure("the terminal failed"));
    let Some((board, start)) = asked? else { return Ok(Answer::Yes) };
    let request = Request { start: Some(start), tie: Some(Tie::Kurapati), ..Request::new(board, Ending::Open) };
    let plan = Plan::of(Question::Find(&WARNSDORFF, request), cores());
    let question =
        RaceQuestion { plan, endings: &[Ending::Open], impossible: None, direction: None, generations: false };
    let runs = ActiveRuns::default();
    let body = || -> Result<Answer, Failure> {
        let verdict = question.answer(&runs, 0).map_err(running)?;
        if verdict.done.tours().is_empty() {
            note(format_args!("{}\n", AnswerLine(&verdict)))?;
            return Ok(Answer::No(NoReason::NoTour));
        }
        put("\nThe Knight toured in this order:\n\n")?;
        Target::Stdout(FormatOptions::GRID).show(&verdict, &runs)?;
        Ok(Answer::Yes)
    };
    let (answer, signal) = runs.attend(|| runs.progress(progress::race), body)?;
    signal.map_or(answer, |signal| Ok(Answer::Signal(signal)))
}

/// Asks for the width of a square board, and for row and column of the start, until each answer is one; nothing when
/// there are no more answers.
fn ask(input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Option<(Board, Square)>> {
    let mut number = |question: &str, range| number_of_square(question, range, input, output);
    let Some(width) = number("Width of the chess board?   ", 1..=WIDTH_MAX)? else { return Ok(None) };
    let Some(row) = number("Row the knight starts in?   ", 0..=width - 1)? else { return Ok(None) };
    let Some(col) = number("Column it starts in?        ", 0..=width - 1)? else { return Ok(None) };
    let board = Board::new(width.into(), width.into()).ok();
    Ok(board.and_then(|board| Some((board, board.square(row, col)?))))
}

fn number_of_square(
    question: &str,
    range: std::ops::RangeInclusive<u32>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Option<u32>> {
    loop {
        write!(output, "{question}")?;
        output.flush()?;
        let mut answer = Vec::new();
        if input.read_until(b'\n', &mut answer)? == 0 {
            writeln!(output)?;
            return Ok(None);
        }
        // What is no text is no number either.
        match String::from_utf8_lossy(&answer).trim().parse() {
            Ok(number) if range.contains(&number) => return Ok(Some(number)),
            _ => writeln!(output, "A number from {} to {}, please.", range.start(), range.end())?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(answers: impl AsRef<[u8]>) -> (Option<String>, String) {
        let mut output = Vec::new();
        let asked = ask(&mut answers.as_ref(), &mut output).unwrap();
        (asked.map(|(board, square)| format!("{board} {}", board.name(square))), String::from_utf8(output).unwrap())
    }

    #[test]
    fn rows_and_columns_count_from_0_at_the_top_left() {
        let (asked, output) = answered("8\n2\n4\n");
        assert_eq!(asked.as_deref(), Some("8x8 e6"));
        assert_eq!(output.matches('?').count(), 3);
    }

    #[test]
    fn what_is_no_answer_is_asked_again() {
        let (asked, output) = answered(b"\nwide\n\xff\xfe\n0\n1001\n-8\n8\n8\n0\n 7 \n");
        assert_eq!(asked.as_deref(), Some("8x8 h8"));
        assert_eq!(output.matches("A number from 1 to 1000, please.").count(), 6);
        assert_eq!(output.matches("A number from 0 to 7, please.").count(), 1);
    }

    #[test]
    fn no_more_answers_are_no_question() {
        for answers in ["", "8\n", "8\n2\n", "8\n2\nx\n"] {
            assert_eq!(answered(answers).0, None, "{answers:?}");
        }
    }
}
