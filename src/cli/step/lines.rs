//! A search told step by step, in lines, for pipes and for those who listen.
//!
//! ```text
//! 6x6 closed  radley, prune any-isolated
//!     1  depth  1  start on a6
//!     2  depth  2  ESE to c5, rank 5
//! 2 steps: 2 nodes, 0 pruned, 0 dead ends, 0 tours; now a6 c5
//! ```

use crate::board::Board;
use crate::explain::{Explained, StepEvent};
use crate::job::{Failure, note, put};
use crate::search::Drawing;
use crate::ui::step::StepSubject;
use crate::words::{grouped, number_of};
use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _};

/// Bytes of lines that are printed together.
const TOGETHER: usize = 1 << 16;

/// A search that is told, and how far it is.
struct SearchLines {
    board: Board,
    search: Box<dyn Explained>,
    steps: u64,
    is_finished: bool,
}

/// Prints a search step by step: so many `steps`, on a terminal as many as are typed, or all.
///
/// # Errors
/// [`Failure::Io`] when the lines cannot be written.
pub fn tell(subject: StepSubject, steps: Option<u64>) -> Result<(), Failure> {
    let StepSubject { shape, ending, method, detail, note: remark, search, .. } = subject;
    let detail = if detail.is_empty() { detail } else { format!(", {detail}") };
    put(format_args!("{} {}  {method}{detail}\n", shape.short(), ending.name()))?;
    remark.iter().try_for_each(|remark| put(format_args!("{remark}\n")))?;
    let mut told = SearchLines { board: shape.board(), search, steps: 0, is_finished: false };
    if steps.is_some() || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return told.go_on(steps.unwrap_or(u64::MAX));
    }
    note("enter: a step; a number: so many steps; q: leave\n")?;
    for typed in io::stdin().lock().lines() {
        let Ok(typed) = typed else { break };
        match typed.trim() {
            "" => told.go_on(1)?,
            "q" => break,
            typed => match typed.parse() {
                Ok(steps) => told.go_on(steps)?,
                Err(_) => note("a number of steps is wanted, or enter, or q\n")?,
            },
        }
        if told.is_finished {
            break;
        }
    }
    Ok(())
}

impl SearchLines {
    /// Tells so many steps, if there are as many, and where the search is then.
    fn go_on(&mut self, steps: u64) -> Result<(), Failure> {
        let (end, mut lines) = (self.steps.saturating_add(steps), String::new());
        while self.steps < end && !self.is_finished {
            let event = self.search.step();
            self.steps += 1;
            self.is_finished = event == StepEvent::Finished;
            let _ =
                writeln!(lines, "{:>5}  depth {:>2}  {}", self.steps, self.search.depth(), event.sentence(self.board));
            if lines.len() >= TOGETHER {
                put(std::mem::take(&mut lines))?;
            }
        }
        put(lines + &self.place())
    }

    /// Where the search is: its counts, and its path or pieces.
    fn place(&self) -> String {
        let (counts, mut drawing) = (self.search.counts(), Drawing::default());
        self.search.draw(&mut drawing);
        let name = |&square: &u32| self.board.at(square).map(|square| self.board.name(square));
        let chain = |chain: &Vec<u32>| chain.iter().filter_map(name).collect::<Vec<_>>().join(" ");
        let chains = drawing.chains.iter().map(chain).filter(|chain| !chain.is_empty()).collect::<Vec<_>>().join(", ");
        let now = if chains.is_empty() { chains } else { format!("; now {chains}") };
        let [steps, nodes, dead_ends, tours] =
            [(self.steps, "step"), (counts.nodes, "node"), (counts.dead_ends, "dead end"), (counts.tours, "tour")]
                .map(|(of, one)| number_of(of, one));
        format!("{steps}: {nodes}, {} pruned, {dead_ends}, {tours}{now}\n", grouped(counts.pruned))
    }
}
