//! `gpu`: many subtrees at once, one in each lane of a GPU or of its twin on the CPU.

use super::card::{Refusal, SolverCard};
use super::forecast::forecast_tours;
use super::problem::{Problem, TourOutput};
use super::solver::{Solver, tour_delivery};
use crate::explain::Explained;
use crate::gpu::subtree::{DispatchReport, Enumeration, SQUARES_MAX, SubtreeRules};
use crate::gpu::{DevicePlace, DoneBy, GpuError};
use crate::schedule::{Crew, CrewWorker, DeviceLanes, Permit, RunError, RunOutcome};

/// The solver `gpu`.
pub struct GpuSolver;

impl Solver for GpuSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            single_worker: true,
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
                "{board} has {squares} squares, and gpu takes boards of up to {SQUARES_MAX}; use path or edges, which take up to {}",
                super::problem::SQUARES_MAX
            ))),
        }
    }

    fn solve(&self, problem: &Problem, mut crew: Crew, output: TourOutput) -> Result<RunOutcome, RunError> {
        crew.deliver(tour_delivery(problem, output, None));
        forecast_tours(&mut crew, problem, self.card());
        crew.run_solo(|alone| enumerate(problem, alone))
    }

    fn step_view(&self, _: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        Err(Refusal(
            "gpu has no step view, because all its lanes search at once; use path, which searches as one lane does"
                .to_owned(),
        ))
    }
}

/// Opens the device and searches until the tree is exhausted or the run stops.
fn enumerate(problem: &Problem, alone: &mut CrewWorker<'_>) -> Result<(), RunError> {
    let Some(rules) = SubtreeRules::new(problem.board, problem.ending, problem.start) else {
        unreachable!("the problem was admitted, so two words hold the board")
    };
    alone.publish(&DeviceLanes::new("opening the device", None, 0), 0, |_| ());
    let place = DevicePlace::open(&problem.adapter).map_err(device_error)?;
    let keep = alone.delivers();
    let prepare = |place| Enumeration::new(place, rules.clone(), keep);
    let mut run = place.prepare(&problem.adapter, prepare).map_err(device_error)?;
    let DoneBy { label, instead } = run.done_by();
    let why = instead.as_ref().map(GpuError::to_string);
    let mut lanes = DeviceLanes::new(&label.to_string(), why, run.lanes());
    let mut burst = run.initial_report();
    loop {
        deliver(alone, &burst, problem.board.squares());
        [lanes.prefixes, lanes.split] = run.prefixes();
        let path = || burst.lane0_path.iter().map(|&square| square.into());
        alone.publish(&lanes, burst.lane0_path.len(), |drawing| drawing.path(path(), None));
        let permit = alone.permit(|drawing| drawing.path(path(), None));
        let steps = match permit {
            Permit::Run => None,
            Permit::Nodes(nodes) => Some(steps_per_lane(nodes, run.lanes())),
            Permit::Stop => return Ok(()),
        };
        if run.is_over() {
            return Ok(());
        }
        burst = run.burst(steps).map_err(device_error)?;
        lanes.note(burst.mean_live(), burst.took);
        if let (DoneBy { label, instead: Some(lost) }, None) = (run.done_by(), &lanes.why) {
            lanes.why = Some(format!("{lost}, after {} dispatches", lanes.dispatches - 1));
            lanes.device = label.to_string();
        }
    }
}

/// The number of steps of every lane that enters about `nodes` nodes in all lanes; at least one, which enters up to a node
/// in each lane.
fn steps_per_lane(nodes: u64, lanes: u32) -> u32 {
    u32::try_from(nodes.div_ceil(lanes.into())).unwrap_or(u32::MAX)
}

/// Counts the nodes and tours of a dispatch, and delivers its tours.
fn deliver(alone: &mut CrewWorker<'_>, burst: &DispatchReport, squares: u32) {
    let tours = match alone.delivers() {
        true => burst.tour_squares.chunks(squares as usize).map(|tour| alone.deliver_tour(tour)).sum(),
        false => burst.tours,
    };
    alone.count(burst.nodes, tours);
}

/// The error of a failed device, which names two ways to do this work without one.
fn device_error(error: GpuError) -> RunError {
    RunError::Device(format!("{error}; `--adapter cpu` and `--solver edges` need no device"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permitted_nodes_are_shared_among_the_lanes() {
        assert_eq!([1, 512, 513, 5120, u64::MAX].map(|nodes| steps_per_lane(nodes, 512)), [1, 1, 2, 10, u32::MAX]);
    }
}
