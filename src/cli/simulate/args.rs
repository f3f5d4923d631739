//! What is to be simulated, as it is typed and as it is searched.

use crate::board::Shape;
use crate::cli::args::{ProblemArgs, THREADS_MAX, names};
use crate::schedule::Scheduler;
use crate::schedule::rule::{EARLIER, EarlierRule, NominationRule};
use crate::search::HandOver;
use crate::simulate::{Costs, SimulationPlan};
use crate::solve::{Problem, Solver};
use crate::words::number_in;
use clap::Args;

/// `destrier simulate`.
#[derive(Args)]
pub struct SimulateArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    pub board: Shape,
    /// Numbers of workers, 1 to 4096 each: 1,2,64 or, doubling, 1,2,4,..1024
    ///
    /// `out of work` is the longest time in which a worker of these had no branch, that at the end too.
    #[arg(long, value_name = "LIST", value_parser = crews, help_heading = "Sharing the work")]
    pub workers: Crews,
    #[command(flatten)]
    pub asked: ProblemArgs,
    /// How the workers share the work; rayon is random stealing
    #[arg(long, value_name = "NAME", value_enum, default_value = "hire", help_heading = "Sharing the work")]
    pub scheduler: Scheduler,
    /// Which branch a worker gives to the one it hires
    #[arg(long, value_name = "RULE", value_enum, default_value = "shallowest", help_heading = "Sharing the work")]
    pub hand_over: HandOver,
    /// Hire by a rule that was used before
    #[arg(long, value_name = "NAME", value_parser = names(EARLIER.map(|earlier| (earlier.name, earlier.summary))),
          conflicts_with = "hand_over", help_heading = "Sharing the work")]
    pub rule: Option<String>,
    /// What takes how long: the same everywhere, or as measured here
    ///
    /// `destrier doctor --calibrate` prints the measured costs.
    #[arg(long, value_name = "COSTS", value_parser = ["fixed", "measured"], default_value = "fixed",
          help_heading = "Sharing the work")]
    pub costs: String,
    /// The seed of random numbers
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = number_in::<u32>(0..=u64::from(u32::MAX)), help_heading = "Sharing the work")]
    pub seed: u32,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print the rows as comma-separated values instead of text
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub csv: bool,
    /// Say how well each crew shared the work, and why not better
    #[arg(long, conflicts_with_all = ["csv", "watch"], help_heading = "Recording and measuring")]
    pub balance: bool,
    /// Show it in the live view, by its own clock; for one number of workers
    #[arg(long, help_heading = "Screen")]
    pub watch: bool,
}

/// What is simulated, but for the workers that share it.
pub struct SimulatedSearch {
    pub solver: &'static dyn Solver,
    pub problem: Problem,
    /// The rule that was used before, if one is to be used.
    pub earlier: Option<EarlierRule>,
    /// What takes how long.
    pub costs: Costs,
    /// Where random numbers begin.
    pub seed: u32,
}

impl SimulatedSearch {
    /// The rule that was used before, if these branches are handed over by it.
    pub fn earlier(&self, hand_over: HandOver) -> Option<EarlierRule> {
        self.earlier.filter(|earlier| earlier.rule.hand_over == hand_over)
    }

    /// What so many workers do under a scheduler.
    pub fn plan(&self, workers: usize, scheduler: Scheduler, hand_over: HandOver) -> SimulationPlan {
        let usual = || NominationRule::of(workers, hand_over);
        let rule = self.earlier(hand_over).map_or_else(usual, |earlier| earlier.rule);
        SimulationPlan { workers, sharing: (scheduler.simulated)(rule), costs: self.costs, seed: self.seed }
    }
}

/// Numbers of workers, one at least, in the order in which they were written.
type Crews = Vec<usize>;

/// Reads numbers of workers.
fn crews(text: &str) -> Result<Crews, String> {
    let mut numbers = Crews::new();
    for item in text.split(',') {
        match item.strip_prefix("..") {
            None => numbers.push(number(item)?),
            Some(last) => {
                let Some(&from) = numbers.last() else {
                    return Err(format!("'{text}' begins with '..': write a number first, as in 1,2,4,..1024"));
                };
                let last = number(last)?;
                let doubled = std::iter::successors(Some(from * 2), |workers| Some(workers * 2));
                numbers.extend(doubled.take_while(|&workers| workers <= last));
                if from == last || numbers.last() != Some(&last) {
                    return Err(format!("'{item}' is not reached by doubling {from}: write 1,2,4,..1024"));
                }
            }
        }
    }
    Ok(numbers)
}

fn number(text: &str) -> Result<usize, String> {
    let number = number_in(1..=THREADS_MAX)(text);
    number.map_err(|why| format!("'{text}' is no number of workers: {why}, as in 1,2,4,..1024"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_plain_or_go_on_by_doubling() {
        assert_eq!(crews("1"), Ok(vec![1]));
        assert_eq!(crews("64,3,4096"), Ok(vec![64, 3, 4096]));
        assert_eq!(crews("1,2,4,..16"), Ok(vec![1, 2, 4, 8, 16]));
        assert_eq!(crews("1,3,..12,5"), Ok(vec![1, 3, 6, 12, 5]));
    }

    #[test]
    fn what_is_no_list_is_refused_with_a_right_one() {
        for text in ["", "0", "4097", "1,,2", "1,2,4..8", "..8", "1,..7", "8,..8", "-1", "1,x", "1, 2"] {
            let message = crews(text).unwrap_err();
            assert!(message.contains("1,2,4,..1024"), "{text}: {message}");
        }
    }
}
