//! What simulations came to: a table that grows row by row, comma-separated values, or the one JSON object.

use super::args::{SimulateArgs, SimulatedSearch};
use crate::job::say::print_object;
use crate::job::{Failure, Report};
use crate::run::Question;
use crate::run::balance::BalanceFigures;
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::simulate::{Costs, SimulationFigures};
use crate::words::{self, grouped, number_of};
use serde::Serialize;
use std::io::{self, Write};

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimulationForm {
    /// A table for people.
    Text,
    /// Comma-separated values, below a line of headings.
    Csv,
    /// One object.
    Json,
}

/// The report: what is the same for all rows, and the rows.
pub struct SimulationReport {
    form: SimulationForm,
    facts: Report,
    rows: Vec<SimulationRow>,
}

/// What one simulation came to.
#[derive(Serialize)]
pub struct SimulationRow {
    workers: usize,
    speedup: f64,
    efficiency: f64,
    hires: u64,
    idle_longest_s: f64,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<BalanceFigures>,
}

impl SimulationReport {
    /// Prints what stands above the rows.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn begin(
        args: &SimulateArgs,
        search: &SimulatedSearch,
        scheduler: Scheduler,
        hand_over: HandOver,
    ) -> io::Result<SimulationReport> {
        let SimulatedSearch { solver, ref problem, costs, seed, .. } = *search;
        let (board, ending, solver_name, form) = (problem.board, problem.ending.name(), solver.name(), args.form());
        let rule = search.earlier(hand_over).map_or("usual", |earlier| earlier.name);
        let detail = Question::Search(solver, problem.clone()).detail();
        let (hand_over, costs_name) = (hand_over.name(), &args.costs);
        let by = match scheduler {
            Scheduler::Hire => format!(" {hand_over}, {rule} rule"),
            _ => String::new(),
        };
        let scheduler = scheduler.name();
        let mut facts = Report::default();
        facts.key("board", board);
        facts.key("ending", ending);
        facts.key("solver", solver_name);
        facts.key("scheduler", scheduler);
        facts.key("hand_over", hand_over);
        facts.key("rule", rule);
        facts.key_if("detail", Some(detail.clone()).filter(|detail| !detail.is_empty()));
        facts.key("costs", costs_name.clone());
        // In nodes, and how long a node is, by which nodes are turned into seconds.
        facts.key("prices", costs);
        facts.key("seed", seed);
        let detail = if detail.is_empty() { detail } else { format!(", {detail}") };
        facts.text(format_args!("{board} {ending} {solver_name}{detail}, {scheduler}{by}; {costs_name} costs"));
        let Costs { hand_over, wake, nominate, look, burst, node_ns } = costs;
        facts.text(format_args!(
            "in nodes: hand-over {hand_over:.0}, wake-up {wake:.0}, nomination {nominate:.0} and {look:.2} a look, \
             burst {burst};\na node is {node_ns:.2} ns\n"
        ));
        let [workers, speedup, hires] = ["workers", "speed-up", "hires"];
        facts.text(format_args!("{workers:>7} {speedup:>10} efficiency {hires:>11} idle longest"));
        match form {
            SimulationForm::Json => {}
            SimulationForm::Csv => writeln!(io::stdout(), "workers,speedup,efficiency,hires,idle_longest_s,nodes")?,
            SimulationForm::Text => writeln!(io::stdout(), "{facts}")?,
        }
        Ok(SimulationReport { form, facts, rows: Vec::new() })
    }

    /// Prints a row and its balance, where rows are printed, and keeps them.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn add(&mut self, figures: &SimulationFigures, balance: Option<BalanceFigures>) -> io::Result<()> {
        let row = SimulationRow {
            workers: figures.workers,
            speedup: figures.speedup(),
            efficiency: figures.efficiency(),
            hires: figures.hires,
            idle_longest_s: figures.idle_longest_s,
            nodes: figures.nodes,
            balance,
        };
        let SimulationRow { workers, speedup, efficiency, hires, idle_longest_s, nodes, ref balance } = row;
        let mut out = io::stdout();
        match self.form {
            SimulationForm::Json => {}
            SimulationForm::Csv => writeln!(out, "{workers},{speedup},{efficiency},{hires},{idle_longest_s},{nodes}")?,
            SimulationForm::Text => {
                let [workers, hires] = [grouped(workers), grouped(hires)];
                let idle = words::short(idle_longest_s);
                writeln!(out, "{workers:>7} {speedup:>10.3} {efficiency:>10.4} {hires:>11} {idle:>12}")?;
                balance.iter().try_for_each(|balance| writeln!(out, "\n{balance}\n"))?;
            }
        }
        self.rows.push(row);
        Ok(())
    }

    /// Prints what stands below the rows; `all` is how many were asked for.
    ///
    /// # Errors
    /// [`Failure::Io`] when stdout is gone.
    pub fn close(mut self, all: usize) -> Result<(), Failure> {
        let (complete, nodes) = (self.rows.len() == all, self.rows.first().map_or(0, |row| row.nodes));
        self.facts.key("rows", self.rows);
        self.facts.key("complete", complete);
        match self.form {
            SimulationForm::Json => print_object(&self.facts)?,
            SimulationForm::Text if nodes > 0 => writeln!(io::stdout(), "\nof {} each", number_of(nodes, "node"))?,
            SimulationForm::Text | SimulationForm::Csv => {}
        }
        Ok(())
    }
}
