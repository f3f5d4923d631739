//! What simulations came to: a table that grows row by row, comma-separated values, or the one JSON object.

use super::args::{SimulateArgs, SimulatedSearch};
use crate::cli::sheet::WIDTH;
use crate::job::{Failure, Report, keys, print_object, put};
use crate::run::balance::BalanceFigures;
use crate::run::{Plan, Question};
use crate::simulate::{Costs, SimulationFigures};
use crate::words::{self, grouped, number_of};
use std::fmt::Display;

/// The report: what is the same for all rows, and the rows.
pub struct SimulationReport {
    /// Whether it is printed as one object, or as comma-separated values.
    json: bool,
    csv: bool,
    facts: Report,
    rows: Vec<Report>,
    /// Nodes of the tree, once a row says it.
    nodes: u64,
    /// Why there is no tour, where the board proves it.
    none: Option<String>,
}

/// What one simulation came to.
fn row(figures: &SimulationFigures, balance: Option<BalanceFigures>) -> Report {
    let SimulationFigures { workers, hires, idle_longest_s, nodes, .. } = *figures;
    let (speedup, efficiency) = (figures.speedup(), figures.efficiency());
    let mut row = Report::default();
    row.cell("workers", workers, "workers", 7, grouped(workers));
    row.cell("speedup", speedup, "speed-up", 10, format_args!("{speedup:.3}"));
    row.cell("efficiency", efficiency, "efficiency", 10, format_args!("{efficiency:.4}"));
    row.cell("hires", hires, "hires", 11, grouped(hires));
    row.cell("idle_longest_s", idle_longest_s, "out of work", 12, words::short(idle_longest_s));
    row.key("nodes", nodes);
    if let Some(balance) = &balance {
        row.text(format_args!("\n{balance}\n"));
    }
    row.key_if("balance", balance);
    row
}

impl SimulationReport {
    /// Prints what stands above the rows.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn begin(args: &SimulateArgs, search: &SimulatedSearch, plan: &Plan) -> Result<SimulationReport, Failure> {
        let &Plan { scheduler, hand_over, .. } = plan;
        let SimulatedSearch { ref problem, costs: prices, seed, .. } = *search;
        let (board, ending, solver) = (problem.board(), problem.ending.name(), search.solver.name());
        let rule = search.earlier(hand_over).map_or("usual", |earlier| earlier.name);
        let detail = Question::Search(search.solver, problem.clone()).detail(true);
        let (hand_over, costs) = (hand_over.name(), args.costs.clone());
        let by = if scheduler.has_rules { format!(" {hand_over}, {rule} rule") } else { String::new() };
        let scheduler = scheduler.name();
        let mut facts = Report::default();
        keys!(facts, board, ending, solver, scheduler, hand_over, rule);
        let named = if detail.is_empty() { String::new() } else { format!(", {detail}") };
        facts.text(format_args!("{board} {ending} {solver}{named}, {scheduler}{by}; {costs} costs"));
        facts.key_if("detail", Some(detail).filter(|detail| !detail.is_empty()));
        // Prices are in nodes, and how long a node is, by which nodes are turned into seconds.
        keys!(facts, costs, prices, seed);
        let Costs { hand_over, wake, nominate, look, burst, node_ns } = prices;
        facts.text(format_args!(
            "in nodes: hand-over {hand_over:.0}, wake-up {wake:.0}, nomination {nominate:.0} and {look:.2} a look, \
             burst {burst};\na node is {node_ns:.2} ns\n"
        ));
        let (json, csv, none) = (args.json, args.csv, problem.why_impossible());
        let report = SimulationReport { json, csv, facts, rows: Vec::new(), nodes: 0, none };
        report.put(&row(&SimulationFigures::default(), None).csv()[0], &report.facts)?;
        Ok(report)
    }

    /// Prints values or text, as they are wanted; an object is printed at the end.
    fn put(&self, values: &dyn Display, text: &dyn Display) -> Result<(), Failure> {
        match (self.json, self.csv) {
            (true, _) => Ok(()),
            (false, true) => put(format_args!("{values}\n")),
            (false, false) => put(format_args!("{text}\n")),
        }
    }

    /// Prints a row and its balance, where rows are printed, and keeps them.
    ///
    /// # Errors
    /// When stdout is gone.
    pub fn add(&mut self, figures: &SimulationFigures, balance: Option<BalanceFigures>) -> Result<(), Failure> {
        let row = row(figures, balance);
        let headings = if self.rows.is_empty() { format!("{}\n", row.headings()) } else { String::new() };
        self.put(&row.csv()[1], &format_args!("{headings}{row}"))?;
        self.rows.push(row);
        self.nodes = figures.nodes;
        Ok(())
    }

    /// Prints what stands below the rows; `all` is how many were asked for.
    ///
    /// # Errors
    /// [`Failure::Io`] when stdout is gone.
    pub fn close(mut self, all: usize) -> Result<(), Failure> {
        let (complete, has_rows) = (self.rows.len() == all, !self.rows.is_empty());
        keys!(self.facts, self.rows, complete);
        if self.json {
            print_object(&self.facts)?;
        } else if has_rows && !self.csv {
            let none = self.none.map_or(String::new(), |why| format!(": there is no tour, {why}"));
            let said = format!("of {} each{none}", number_of(self.nodes, "node"));
            put(format_args!("\n{}\n", words::wrapped(&said, WIDTH).join("\n")))?;
        }
        Ok(())
    }
}
