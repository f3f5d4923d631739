//! `gpu`: subtrees side by side, one in each lane of a GPU, or of its twin on the CPU.

use super::card::Refusal;
use super::card::SolverCard;
use super::deliver::tours;
use super::foretell::foretell;
use super::problem::{Problem, TourOutput};
use super::solver::Solver;
use crate::gpu::subtree::{DispatchOutcome, Enumeration, SQUARES_MAX, SubtreeRules};
use crate::gpu::{DevicePlace, GpuError};
use crate::schedule::{Crew, DeviceLanes, Permit, RunError, RunOutcome, SoloWorker};
use crate::search::explain::Explained;

/// The solver of this file.
pub struct GpuSolver;

impl Solver for GpuSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            alone: true,
            evenly: true,
            ..SolverCard::new(
                "gpu",
                "open or closed tours by path extension in thousands of lanes at once, on a Vulkan device or its twin on the CPU",
            )
        };
        &CARD
    }

    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        let Problem { board, .. } = problem;
        match board.squares() {
            0..=SQUARES_MAX => Ok(()),
            squares => Err(Refusal(format!(
                "{board} has {squares} squares; gpu takes boards of up to {SQUARES_MAX}, path and edges of up to {}",
                super::problem::SQUARES_MAX
            ))),
        }
    }

    fn solve(&self, problem: &Problem, mut crew: Crew, output: TourOutput) -> Result<RunOutcome, RunError> {
        crew.deliver(tours(problem, output, None));
        foretell(&mut crew, problem, self.card());
        crew.run_solo(|alone| enumerate(problem, alone))
    }

    fn explained(&self, _: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        Err(Refusal(
            "gpu has no step view, because its lanes all search at once; path goes on much like one".to_owned(),
        ))
    }
}

/// Opens the device and searches until nothing is left or the run stops.
fn enumerate(problem: &Problem, alone: &mut SoloWorker<'_>) -> Result<(), RunError> {
    let Some(rules) = SubtreeRules::new(problem.board, problem.ending, problem.start) else {
        unreachable!("the problem was admitted, so two words hold the board")
    };
    alone.publish(&DeviceLanes::new("opening the device", None, 0), 0, |_| ());
    let place = DevicePlace::open(&problem.adapter).map_err(failed)?;
    let keep = alone.delivers();
    let prepare = |place| Enumeration::new(place, rules.clone(), keep);
    let (mut run, why) = place.prepare(&problem.adapter, prepare).map_err(failed)?;
    let mut lanes = DeviceLanes::new(&run.label().to_string(), why.map(|why| why.to_string()), run.lanes());
    let mut burst = run.begun();
    loop {
        take(alone, &burst, problem.board.squares());
        [lanes.prefixes, lanes.split] = run.prefixes();
        let path = || burst.shown.iter().map(|&square| square.into());
        alone.publish(&lanes, burst.shown.len(), |drawing| drawing.path(path(), None));
        let permit = alone.permit(|drawing| drawing.path(path(), None));
        let steps = match permit {
            Permit::Run => None,
            Permit::Nodes(nodes) => Some(steps(nodes, run.lanes())),
            Permit::Stop => return Ok(()),
        };
        if run.is_over() {
            return Ok(());
        }
        burst = run.burst(steps).map_err(failed)?;
        lanes.note(burst.live, burst.took);
        if let (Some(lost), None) = (run.lost(), &lanes.why) {
            lanes.why = Some(format!("{lost}, after {} dispatches", lanes.dispatches - 1));
            lanes.device = run.label().to_string();
        }
    }
}

/// Steps of every lane that enter about so many nodes; one is the least, which is up to a node of each.
fn steps(nodes: u64, lanes: u32) -> u32 {
    u32::try_from(nodes.div_ceil(lanes.into())).unwrap_or(u32::MAX)
}

/// Counts what came of a dispatch, and hands its tours on.
fn take(alone: &mut SoloWorker<'_>, burst: &DispatchOutcome, squares: u32) {
    let tours = match alone.delivers() {
        true => burst.kept.chunks(squares as usize).map(|tour| alone.deliver_tour(tour)).sum(),
        false => burst.tours,
    };
    alone.count(burst.nodes, tours);
}

/// Why the run failed, and what would do the same work.
fn failed(error: GpuError) -> RunError {
    RunError::Device(format!("{error}; `--adapter cpu` and `--solver edges` need no device"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_are_permitted_are_shared_among_the_lanes() {
        assert_eq!([1, 512, 513, 5120, u64::MAX].map(|nodes| steps(nodes, 512)), [1, 1, 2, 10, u32::MAX]);
    }
}
