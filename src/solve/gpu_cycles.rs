//! `gpu-cycles`: the three-cycle board on a device, or by its twin on the CPU, from one start after another.

use super::admit::admit_start_and_holes;
use super::card::{Refusal, refuse};
use super::finder::{
    FindAnswer, FindResult, Finder, FinderCard, GenerationListener, Request, RequestOption, packed_route,
};
use crate::board::{Ending, Square, Tour};
use crate::find::{Attempt, AttemptProgress, MoveOrder};
use crate::gpu::cycle::{self, CYCLES_PER_MOVE, CycleEngine, CycleState, KnightStatus};
use crate::gpu::{Compass, DoneBy, GpuError};
use crate::lock::LockAlways as _;
use crate::schedule::{Crew, RunError};
use crate::search::Drawing;
use crate::words::grouped;
use std::sync::Mutex;

/// The finder `gpu-cycles`.
///
/// A device belongs to one thread, so all starts are one attempt. The worker that runs the attempt opens the device at its
/// start and closes it at its end. The other workers stay idle; the processors of the device share the work of a cycle.
pub struct GpuCyclesFinder;

impl Finder for GpuCyclesFinder {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            options: &[RequestOption::ORDER, RequestOption::ADAPTER],
            closes_by_luck: true,
            cycles: true,
            attempts: false,
            ..FinderCard::new(
                "gpu-cycles",
                "Kurapati's three-cycle board on a GPU, or its twin on the CPU: a processor per square; --order by his numbers",
            )
        };
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        admit_start_and_holes(request, self.name())?;
        cycle::check_size(request.board()).map_err(|why| Refusal(why.to_string()))?;
        let why = "gpu-cycles has a processor on every square, so it takes no holes; use warnsdorff, which does";
        refuse(request.shape.has_holes().then_some(why))?;
        refuse(compass(request).is_none().then_some(
            "gpu-cycles compares the moves in one order on every square; use --order natural or a list of digits, not random",
        ))
    }

    fn find(&self, request: &Request, crew: Crew, _: &GenerationListener<'_>) -> Result<FindResult, RunError> {
        let log = Mutex::new(CycleLog::default());
        let attempt = |number| (number == 0).then(|| Box::new(CycleRun::new(request, &log)) as Box<dyn Attempt>);
        let race_result = request.race(&crew, &attempt, |_| log.locked().why_none(request))?;
        let log = log.into_content();
        match (log.failed, race_result.answer) {
            (Some(why), FindAnswer::NotFound(_)) => Err(RunError::Device(why.to_string())),
            (_, answer) => Ok(FindResult { answer, attempts: log.starts, device: log.device, ..race_result }),
        }
    }
}

/// The order in which `gpu-cycles` compares moves for a request; `None` for a random order.
pub fn compass(request: &Request) -> Option<Compass> {
    match request.order {
        None | Some(MoveOrder::Natural) => Some(Compass::SOURCE),
        Some(MoveOrder::List(moves)) => Compass::new(moves),
        Some(MoveOrder::Random) => None,
    }
}

/// The record of a run, shared by its worker and the finder.
#[derive(Default)]
struct CycleLog {
    device: Option<DoneBy>,
    failed: Option<GpuError>,
    /// Number of starts tried.
    starts: u64,
    /// Of the starts without a tour: the most squares that one visits, and whether one visits all but does not close.
    most: u32,
    open_ended: bool,
}

impl CycleLog {
    /// Why no start makes a tour.
    fn why_none(&self, request: &Request) -> String {
        if let Some(why) = &self.failed {
            return why.to_string();
        }
        let [of, visited] = [request.board().squares(), self.most].map(|n| grouped(u64::from(n)));
        match (request.start, self.open_ended) {
            (Some(_), open_ended) => why_no_tour_from_start(request, self.most, open_ended),
            (None, true) => format!("no tour from any of {} starts closes", grouped(self.starts)),
            (None, false) => {
                format!("no tour from any of {of} starts is complete; the best visits {visited} of {of} squares")
            }
        }
    }
}

/// Why the start of the request makes no tour.
fn why_no_tour_from_start(request: &Request, visits: u32, open_ended: bool) -> String {
    if open_ended {
        return "the knight visits every square, but ends where it cannot close the tour".to_owned();
    }
    let [of, visited, cycle] =
        [request.board().squares(), visits, CYCLES_PER_MOVE * visits].map(|n| grouped(u64::from(n)));
    format!("the knight is stuck on square {visited} of {of} in cycle {cycle}")
}

/// The answer to a request for the tour from one start, from the last state of its board, when the knight has no more moves.
pub fn answer_of_cycles(request: &Request, last: &CycleState) -> FindAnswer {
    let complete = last.status() == KnightStatus::Complete;
    if !is_tour(request, last) {
        return FindAnswer::NotFound(why_no_tour_from_start(request, last.visits(), complete));
    }
    match Tour::verify(request.board(), request.ending, last.path()) {
        Ok(tour) => FindAnswer::Tours(vec![packed_route(&tour)]),
        Err(fault) => FindAnswer::NotFound(fault.to_string()),
    }
}

/// Whether the path of the knight is a tour with the requested ending.
fn is_tour(request: &Request, state: &CycleState) -> bool {
    let path = state.path();
    let closes = || path.first().zip(path.last()).is_some_and(|(&first, &last)| request.board().adjacent(first, last));
    state.status() == KnightStatus::Complete && (request.ending == Ending::Open || closes())
}

/// The attempt that tries all starts on one device. A node is one square, which takes three cycles.
struct CycleRun<'a> {
    request: &'a Request,
    compass: Compass,
    log: &'a Mutex<CycleLog>,
    engine: Option<CycleEngine>,
    /// The starts that are left.
    starts: Box<dyn Iterator<Item = Square> + Send>,
    /// Whether the knight on the engine's board has no more moves.
    over: bool,
    /// Number of nodes of this start.
    nodes: u32,
}

impl<'a> CycleRun<'a> {
    fn new(request: &'a Request, log: &'a Mutex<CycleLog>) -> CycleRun<'a> {
        let starts: Box<dyn Iterator<Item = Square> + Send> = match request.start {
            Some(start) => Box::new(std::iter::once(start)),
            None => Box::new(request.board().all()),
        };
        let compass = compass(request).unwrap_or_else(|| unreachable!("the request was admitted"));
        CycleRun { request, compass, log, engine: None, starts, over: true, nodes: 0 }
    }

    /// Puts the next start on the board; returns `false` when none is left.
    fn begin(&mut self) -> Result<bool, GpuError> {
        let Some(start) = self.starts.next() else { return Ok(false) };
        let state = CycleState::new(self.request.board(), start, self.compass)?;
        match &mut self.engine {
            Some(engine) => engine.load(state)?,
            None => self.engine = Some(CycleEngine::open(&self.request.adapter, state)?),
        }
        (self.over, self.nodes) = (false, 0);
        self.log.locked().starts += 1;
        Ok(true)
    }

    fn burst(&mut self, nodes: u64, entered: &mut u64) -> Result<AttemptProgress, GpuError> {
        if self.over && !self.begin()? {
            return Ok(AttemptProgress::GivenUp);
        }
        let Some(engine) = &mut self.engine else { unreachable!("the engine was opened with the first start") };
        let goal = nodes.saturating_add(u64::from(self.nodes)).min(u64::from(self.request.board().squares()));
        let cycles = CYCLES_PER_MOVE * goal as u32 - engine.state().cycles();
        engine.run(cycles)?;
        self.log.locked().device = Some(engine.done_by().clone());
        let visits = engine.state().visits();
        *entered += u64::from(visits - self.nodes);
        self.nodes = visits;
        match engine.state().status() {
            KnightStatus::Touring => return Ok(AttemptProgress::Going),
            KnightStatus::Complete | KnightStatus::Stuck => self.over = true,
        }
        if is_tour(self.request, engine.state()) {
            return Ok(AttemptProgress::Found(engine.state().path().into()));
        }
        let mut log = self.log.locked();
        let complete = engine.state().status() == KnightStatus::Complete;
        (log.most, log.open_ended) = (log.most.max(visits), log.open_ended || complete);
        Ok(AttemptProgress::Going)
    }
}

impl Attempt for CycleRun<'_> {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        self.burst(nodes, entered).unwrap_or_else(|why| {
            self.log.locked().failed = Some(why);
            AttemptProgress::GivenUp
        })
    }

    fn depth(&self) -> usize {
        self.nodes as usize
    }

    fn draw(&self, drawing: &mut Drawing) {
        let path = self.engine.as_ref().map_or_else(Vec::new, |engine| engine.state().path());
        drawing.path(path.iter().map(|square| square.index()), None);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{ask, crew, tours};
    use super::*;
    use crate::board::{Holes, KURAPATI, Shape, parse_grid};
    use crate::find;
    use crate::gpu::{DeviceChoice, DeviceLabel};

    fn request(board: &str, start: &str) -> Request {
        let request = Request::new(board.parse::<Shape>().unwrap(), Ending::Open);
        Request { start: request.board().parse_square(start).ok(), adapter: DeviceChoice::Cpu, ..request }
    }

    #[test]
    fn the_twin_and_the_best_device_make_the_tours_of_the_source() {
        for adapter in [DeviceChoice::Cpu, DeviceChoice::Any] {
            let found = GpuCyclesFinder
                .find(&Request { adapter: adapter.clone(), ..request("8x8", "2,4") }, crew(2), &|_, _| {})
                .unwrap();
            assert_eq!(tours(&found)[0], parse_grid(KURAPATI).unwrap().1);
            assert_eq!((found.attempts, found.outcome.total().nodes), (1, 64));
            let device = found.device.unwrap();
            println!("{adapter}: {} {:?}", device.label, device.instead);
            assert_eq!(device.label == DeviceLabel::cpu(), adapter == DeviceChoice::Cpu || device.instead.is_some());
        }
    }

    #[test]
    fn a_stuck_knight_is_reported_with_its_cycle_and_another_order_helps_it() {
        let stuck = request("8x8", "0,2");
        let why = "the knight is stuck on square 60 of 64 in cycle 180";
        assert_eq!(ask(&GpuCyclesFinder, &stuck, 3).unwrap_err(), why);
        // The last two moves exchanged: from all 64 starts.
        let helped =
            Request { order: Some(MoveOrder::List([0, 1, 2, 3, 4, 5, 7, 6])), start: None, tours: 99, ..stuck };
        let found = GpuCyclesFinder.find(&helped, crew(2), &|_, _| {}).unwrap();
        assert_eq!((tours(&found).len(), found.attempts), (64, 64));
        let natural = Request { order: Some(MoveOrder::Natural), ..helped };
        assert_eq!(ask(&GpuCyclesFinder, &natural, 1).unwrap().len(), 63);
    }

    #[test]
    fn every_start_is_tried_in_turn() {
        let start = None;
        let closed = Request { ending: Ending::Closed, start, ..request("6x6", "") };
        // 8 of the 36 starts give a closed tour by luck, and the 8 tours differ.
        assert_eq!(ask(&GpuCyclesFinder, &Request { tours: 36, ..closed }, 2).unwrap().len(), 8);
        assert_eq!(
            ask(&GpuCyclesFinder, &request("4x4", ""), 1).unwrap_err(),
            "no tour from any of 16 starts is complete; the best visits 12 of 16 squares"
        );
        let ends_elsewhere = Request { ending: Ending::Closed, ..request("8x8", "0,0") };
        assert_eq!(
            ask(&GpuCyclesFinder, &ends_elsewhere, 1).unwrap_err(),
            "the knight visits every square, but ends where it cannot close the tour"
        );
        assert_eq!(ask(&GpuCyclesFinder, &request("1x1", "a1"), 1).unwrap().len(), 1);
    }

    #[test]
    fn bursts_of_any_length_enter_the_same_nodes() {
        for nodes in [1, 2, 5, 4096] {
            let (request, log) = (request("5x5", ""), Mutex::new(CycleLog::default()));
            let (mut run, mut trail) = (CycleRun::new(&request, &log), Vec::new());
            let mut entered = 0;
            loop {
                let before = entered;
                match run.advance(nodes, &mut entered) {
                    AttemptProgress::Found(_) => trail.push(entered),
                    AttemptProgress::Going => {}
                    _ => break,
                }
                assert!(entered - before <= nodes);
            }
            let mut whole = CycleRun::new(&request, &log);
            assert_eq!(find::run(&mut whole).1, trail[0]);
            assert_eq!((trail.len(), entered), (9, 513), "{trail:?}");
        }
    }

    #[test]
    fn a_missing_device_is_a_failure_of_the_run() {
        let adapter = DeviceChoice::Named("no such thing".to_owned());
        let error =
            GpuCyclesFinder.find(&Request { adapter, ..request("5x5", "a1") }, crew(2), &|_, _| {}).unwrap_err();
        assert!(matches!(error, RunError::Device(_)), "{error}");
    }

    #[test]
    fn a_refusal_says_what_is_not_taken() {
        let refusal = |request: &Request| GpuCyclesFinder.admits(request).unwrap_err().to_string();
        assert_eq!(GpuCyclesFinder.admits(&request("3x4", "a1")), Ok(()));
        let plain = request("8x8", "a1");
        let random = Request { order: Some(MoveOrder::Random), ..plain.clone() };
        let why = "gpu-cycles compares the moves in one order on every square; use --order natural or a list of digits, not random";
        assert_eq!(refusal(&random), why);
        let holes = Holes::new(plain.board().at(9));
        let why = "gpu-cycles has a processor on every square, so it takes no holes; use warnsdorff, which does";
        assert_eq!(refusal(&Request { shape: Shape::new(plain.board(), holes), ..plain.clone() }), why);
        let end = plain.board().at(5);
        assert_eq!(refusal(&Request { end, ..plain }), "gpu-cycles takes no end; use edges, which does");
        assert!(refusal(&request("4097x4096", "")).contains("exact up to 16777216"));
    }
}
