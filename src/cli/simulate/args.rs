//! What is to be simulated, as it is typed.

use super::crews::Crews;
use super::report::{SimulationForm, SimulationReport};
use super::searched::SimulatedSearch;
use crate::board::Board;
use crate::cli::args::{ProblemArgs, names};
use crate::run::Question;
use crate::schedule::Scheduler;
use crate::schedule::rule::EARLIER;
use crate::search::HandOver;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// `destrier simulate`.
#[derive(Args)]
pub struct SimulateArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    pub board: Board,
    /// Numbers of workers, 1 to 4096 each: 1,2,64 or, doubling, 1,2,4,..1024
    #[arg(long, value_name = "LIST")]
    pub workers: Crews,
    #[command(flatten)]
    pub asked: ProblemArgs,
    /// How the workers share the work; rayon is random stealing
    #[arg(long, value_name = "NAME", value_enum, default_value = "hire")]
    pub scheduler: Scheduler,
    /// Which branch a worker gives to the one it hires
    #[arg(long, value_name = "RULE", value_enum, default_value = "shallowest")]
    pub hand_over: HandOver,
    /// Hire by a rule that was used before
    #[arg(long, value_name = "NAME", value_parser = rule_names(), conflicts_with = "hand_over")]
    pub rule: Option<String>,
    /// What takes how long: the same on every machine, or as measured on this one (`doctor --calibrate`)
    #[arg(long, value_name = "COSTS", value_parser = ["fixed", "measured"], default_value = "fixed")]
    pub costs: String,
    /// Where what is left to chance begins
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u32,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Print the rows as comma-separated values instead of text
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Tell how well each crew shared the work, and why not better
    #[arg(long, conflicts_with_all = ["csv", "watch"])]
    pub balance: bool,
    /// Show it in the live view, in virtual time; of one number of workers
    #[arg(long)]
    pub watch: bool,
}

fn rule_names() -> PossibleValuesParser {
    names(EARLIER.map(|earlier| (earlier.name, earlier.summary)))
}

impl SimulateArgs {
    /// How the report is printed.
    pub fn form(&self) -> SimulationForm {
        match (self.json, self.csv) {
            (true, _) => SimulationForm::Json,
            (_, true) => SimulationForm::Csv,
            _ => SimulationForm::Text,
        }
    }

    /// The report, without a row.
    pub fn report<'a>(
        &'a self,
        cast: &SimulatedSearch,
        scheduler: Scheduler,
        hand_over: HandOver,
    ) -> SimulationReport<'a> {
        SimulationReport {
            board: cast.problem.board,
            ending: cast.problem.ending.name(),
            solver: cast.solver.name(),
            scheduler: scheduler.name(),
            hand_over: hand_over.name(),
            rule: cast.earlier(hand_over).map_or("usual", |earlier| earlier.name),
            detail: Question::Search(cast.solver, cast.problem.clone()).detail(),
            costs: &self.costs,
            prices: cast.costs,
            seed: cast.seed,
            rows: Vec::new(),
            complete: false,
        }
    }
}
