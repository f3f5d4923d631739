//! What simulations came to: a table that grows row by row, comma-separated values, or the one JSON object.

use crate::board::Board;
use crate::job::Failure;
use crate::job::say::print_object;
use crate::run::balance::BalanceFigures;
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

/// The report; its fields are those of the JSON object.
#[derive(Serialize)]
pub struct SimulationReport<'a> {
    pub board: Board,
    pub ending: &'static str,
    pub solver: &'static str,
    pub scheduler: &'static str,
    pub hand_over: &'static str,
    pub rule: &'static str,
    /// The other settings of the question, in few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    pub costs: &'a str,
    /// Those costs: in nodes, and how long a node is, by which nodes are turned into seconds.
    pub prices: Costs,
    pub seed: u32,
    pub rows: Vec<SimulationRow>,
    /// Whether every row is there.
    pub complete: bool,
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

impl SimulationReport<'_> {
    /// Prints what stands above the rows.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn open(&self, form: SimulationForm) -> io::Result<()> {
        let mut out = io::stdout();
        match form {
            SimulationForm::Json => Ok(()),
            SimulationForm::Csv => writeln!(out, "workers,speedup,efficiency,hires,idle_longest_s,nodes"),
            SimulationForm::Text => {
                let SimulationReport {
                    board, ending, solver, scheduler, hand_over, rule, detail, costs, prices, ..
                } = self;
                let hire = *scheduler == "hire";
                let by = if hire { format!(" {hand_over}, {rule} rule") } else { String::new() };
                let detail = if detail.is_empty() { String::new() } else { format!(", {detail}") };
                writeln!(out, "{board} {ending} {solver}{detail}, {scheduler}{by}; {costs} costs")?;
                let Costs { hand_over, wake, nominate, look, burst, node_ns } = prices;
                writeln!(
                    out,
                    "in nodes: hand-over {hand_over:.0}, wake-up {wake:.0}, nomination {nominate:.0} and {look:.2} a look, \
                     burst {burst};\na node is {node_ns:.2} ns\n"
                )?;
                writeln!(
                    out,
                    "{:>7} {:>10} {:>10} {:>11} {:>12}",
                    "workers", "speed-up", "efficiency", "hires", "idle longest"
                )
            }
        }
    }

    /// Prints a row and its balance, where rows are printed, and keeps them.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn add(
        &mut self,
        figures: &SimulationFigures,
        balance: Option<BalanceFigures>,
        form: SimulationForm,
    ) -> io::Result<()> {
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
        match form {
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
    pub fn close(&mut self, all: usize, form: SimulationForm) -> Result<(), Failure> {
        self.complete = self.rows.len() == all;
        let nodes = self.rows.first().map_or(0, |row| row.nodes);
        match form {
            SimulationForm::Json => print_object(self)?,
            SimulationForm::Text if nodes > 0 => writeln!(io::stdout(), "\nof {} each", number_of(nodes, "node"))?,
            SimulationForm::Text | SimulationForm::Csv => {}
        }
        Ok(())
    }
}
