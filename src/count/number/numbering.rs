//! The tours of a question by number: walks through the layers back, from numbers to tours, and forward, from tours to numbers;
//! numbers drawn at random.

use super::choices::Choices;
use super::digits::{Digits, SweepShares, numbered_sweeps, sweep_of};
use super::folder::LayerFolder;
use super::kept::{KeptLayers, LayersBack};
use super::make::{MakePermission, asked, begin_pass, check_memory, check_width, complete, pass_error};
use super::packed_layer::PackedLayer;
use super::walk::{FrontierState, LayerStep, TourWalker};
use crate::board::{CountKind, Ending, Tour};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::pass::steps::PassResources;
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::order::Images;
use crate::count::watch::CountWatch;
use fastrand::Rng;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// What is called after every step of a walk: whether to go on.
pub type StepDone<'a> = &'a (dyn Fn() -> bool + Sync);

/// A question whose tours are to be numbered, planned: all closed tours, whatever the start; all open tours, or those from a start.
pub struct NumberingPlan<'w> {
    pub(super) plan: CountPlan,
    choices: Choices,
    settings: Settings,
    /// The folder of the layers; without one they are in memory.
    folder: Option<PathBuf>,
    watch: &'w CountWatch,
}

/// The numbering of the tours of a question, with the layers for one walk from numbers to tours.
pub struct TourNumbers<'p> {
    of: &'p NumberingPlan<'p>,
    layers: LayerLocation,
    shares: SweepShares,
}

/// Where the layers are while tours are made.
enum LayerLocation {
    Memory(KeptLayers),
    Folder(LayerFolder),
}

impl<'w> NumberingPlan<'w> {
    /// Plans the count of a question, which `watch` shows and stops.
    ///
    /// # Errors
    /// [`CountError`] when the plan does not fit, when a count is known to outgrow 64 bits, or when `watch` is stopped.
    pub fn new(
        question: &CountQuestion,
        settings: &Settings,
        folder: Option<&Path>,
        watch: &'w CountWatch,
    ) -> Result<NumberingPlan<'w>, CountError> {
        let question = CountQuestion { unique: false, strict: false, ..question.clone() };
        refuse_outgrown(&question)?;
        let sweeps: Vec<_> = numbered_sweeps(&question).into_iter().map(|(sweep, _)| sweep).collect();
        let plan = CountPlan::of_sweeps(&question, sweeps, Images::Both, settings.memory_limit(), watch)?;
        let (choices, folder) = (Choices::new(&question.shape), folder.map(Path::to_owned));
        Ok(NumberingPlan { plan, choices, settings: settings.clone(), folder, watch })
    }

    pub fn question(&self) -> &CountQuestion {
        self.plan.question()
    }

    /// Number of steps of a walk: the squares of all sweeps. [`TourNumbers::tours`] and [`NumberingPlan::ranks`] call
    /// `step_done` once for each step.
    pub fn steps(&self) -> usize {
        self.plan.sweeps.iter().map(|sweep| sweep.order.steps.len()).sum()
    }

    /// Makes the layers, unless the folder has them. `last` is the largest number that the caller
    /// will ask for, if it is known: if no tour has it, this function refuses before it writes layers to a folder.
    ///
    /// # Errors
    /// [`CountError`] when the layers do not fit, when a count outgrows 64 bits, when the folder has other layers or cannot be
    /// used, when another process makes layers in it, when `last` is past the end, or when the watch is stopped.
    pub fn numbers(&self, last: Option<u128>) -> Result<TourNumbers<'_>, CountError> {
        let (layers, totals) = match self.folder(last)? {
            Some((folder, totals)) => (LayerLocation::Folder(folder), totals),
            None => {
                let (kept, totals) = KeptLayers::make(&self.plan, &self.settings, self.watch)?;
                (LayerLocation::Memory(kept), totals)
            }
        };
        let shares = SweepShares::new(self.question(), totals.into_iter());
        Ok(TourNumbers { of: self, layers, shares })
    }

    /// The folder with all layers, and the totals of the sweeps; `None` where layers are in memory.
    fn folder(&self, last: Option<u128>) -> Result<Option<(LayerFolder, Vec<u64>)>, CountError> {
        let (Some(path), question) = (&self.folder, self.question()) else { return Ok(None) };
        let mut folder = LayerFolder::new(path, question)?;
        let is_whole = !question.shape.has_holes();
        let published = is_whole.then(|| question.board().known_number(question.counted_tours())).flatten();
        // No count before the layers are made is necessary if a published number says that a tour has the number `last`.
        let last = last.filter(|&last| published.is_none_or(|count| last >= count));
        let permission: MakePermission<'_> = &|totals| {
            let shares = SweepShares::new(question, totals.iter().copied());
            last.map_or(Ok(()), |last| check(question, count(question, &shares), last))
        };
        let permission = last.is_some().then_some(permission);
        let totals = complete(&mut folder, &self.plan, &self.settings, permission, self.watch)?;
        Ok(Some((folder, totals)))
    }

    /// The number of all tours, and the numbers of these, in their order. Without a folder the walk goes forward beside the count, and no
    /// layer is kept. `step_done` is called after each of the [`NumberingPlan::steps`] and returns whether to continue.
    ///
    /// # Errors
    /// [`CountError::Foreign`] for the first tour that is not one of the question; those of [`NumberingPlan::numbers`]; an error of
    /// layers that cannot be read or are damaged; [`CountError::Stopped`] when `step_done` returns `false`.
    pub fn ranks(&self, tours: &[Tour], step_done: StepDone<'_>) -> Result<(u128, Vec<u128>), CountError> {
        self.refuse_foreign(tours)?;
        if is_single(self.question()) {
            return Ok((1, vec![0; tours.len()]));
        }
        let squares = self.question().shape.squares() as usize;
        let mut digits: Vec<Digits> = tours.iter().map(|tour| self.digits_outside_sweep(tour)).collect();
        let mut chosen = Vec::with_capacity(squares * tours.len());
        tours.iter().zip(&digits).for_each(|(tour, digits)| chosen.extend(self.choices.chosen(tour, digits.turned)));
        let made = self.folder(None)?;
        let mut totals = Vec::new();
        for number in 0..self.plan.sweeps.len() {
            let own = (0..).zip(&digits).filter(|(_, digits)| digits.sweep == number);
            let walker = |(tour, _): (u32, &Digits)| TourWalker { tour, ..TourWalker::default() };
            let mut walkers: Vec<TourWalker> = own.map(walker).collect();
            let mut step = |at: usize, layer: &PackedLayer<'_>| {
                let step = LayerStep::new(&self.plan.sweeps[number].layers, at, layer);
                walkers.iter_mut().for_each(|walker| walker.chosen = chosen[walker.tour as usize * squares + at]);
                self.plan.pool.install(|| step.step_forward(&mut walkers))
            };
            totals.push(match &made {
                Some((folder, totals)) => {
                    self.walk_files(folder, number, step_done, &mut step).map(|()| totals[number])
                }
                None => self.walk_beside_count(number, step_done, &mut step),
            }?);
            walkers.iter().for_each(|walker| digits[walker.tour as usize].in_sweep = walker.number);
        }
        let shares = SweepShares::new(self.question(), totals.into_iter());
        if !digits.iter().all(|digits| shares.has(digits)) {
            return Err(CountError::contradictory_layers());
        }
        Ok((shares.count(), digits.into_iter().map(|digits| shares.join(digits)).collect()))
    }

    /// Reads the layers of a sweep before each of its steps.
    fn walk_files(
        &self,
        folder: &LayerFolder,
        number: usize,
        step_done: StepDone<'_>,
        step: &mut dyn FnMut(usize, &PackedLayer<'_>) -> Result<(), CountError>,
    ) -> Result<(), CountError> {
        let sweep = &self.plan.sweeps[number];
        (0..sweep.order.steps.len()).try_for_each(|at| {
            step(at, &folder.open_layer(number, at, &sweep.layers.layers[at])?)?;
            check_stop(step_done)
        })
    }

    /// Counts a sweep, and answers its total; each layer is read while the count stands there.
    fn walk_beside_count(
        &self,
        number: usize,
        step_done: StepDone<'_>,
        step: &mut dyn FnMut(usize, &PackedLayer<'_>) -> Result<(), CountError>,
    ) -> Result<u64, CountError> {
        check_memory(&self.plan, &self.settings, &format!("numbering the {}", asked(&self.plan)))?;
        let resources = self.resources(self.settings.memory.saturating_sub(self.plan.fixed_memory()));
        let mut pass = begin_pass(&self.plan, number, number, &resources)?;
        for at in 0..pass.sweep.order.steps.len() {
            step(at, &PackedLayer::of_pass(&pass))?;
            pass.step().map_err(|halt| pass_error(halt, resources.limit))?;
            check_width(&self.plan, &pass)?;
            check_stop(step_done)?;
        }
        Ok(pass.state.number() as u64)
    }

    /// What a pass needs whose counts take at most `limit` bytes.
    fn resources(&self, limit: u64) -> PassResources<'_> {
        PassResources::new(CountThreads { pool: &self.plan.pool, watch: self.watch }, limit)
    }

    /// Refuses the first tour that is none of the question.
    fn refuse_foreign(&self, tours: &[Tour]) -> Result<(), CountError> {
        let &CountQuestion { ref shape, ending, start, .. } = self.question();
        let start = start.filter(|_| ending == Ending::Open);
        let begins = |tour: &Tour| start.is_none_or(|start| tour.squares()[0] == start);
        let is_foreign = |tour: &Tour| tour.shape() != shape || tour.ending() != ending || !begins(tour);
        let Some(index) = tours.iter().position(is_foreign) else { return Ok(()) };
        let from = start.map_or(String::new(), |start| format!(" from {}", shape.board().name(start)));
        let expected = format!("{} tour of {}{from}", ending.name(), shape.short());
        Err(CountError::Foreign { index: index + 1, expected })
    }

    /// The digits of a tour, with 0 in place of its number in the sweep.
    fn digits_outside_sweep(&self, tour: &Tour) -> Digits {
        let question = self.question();
        let plain = Digits { sweep: 0, in_sweep: 0, turned: false, backwards: false };
        if question.ending == Ending::Closed {
            return plain;
        }
        let squares = tour.squares();
        let (sweep, turned) = sweep_of(question, self.choices.end_colours(tour)).unwrap_or((0, false));
        let backwards = question.start.is_none() && squares[0] > squares[squares.len() - 1];
        Digits { sweep, turned, backwards, ..plain }
    }
}

impl TourNumbers<'_> {
    /// Number of tours: undirected closed tours, or directed open tours.
    pub fn count(&self) -> u128 {
        count(self.of.question(), &self.shares)
    }

    /// Checks that a tour has this number.
    ///
    /// # Errors
    /// [`CountError::PastEnd`] when no tour has it.
    pub fn check(&self, number: u128) -> Result<(), CountError> {
        check(self.of.question(), self.count(), number)
    }

    /// The tours with these numbers, in the order of `numbers`; each is verified. A closed tour begins at the start of the
    /// question, or else at the first square, row by row from the top left, and continues at the lesser neighbour. `step_done` is called after each
    /// of the [`NumberingPlan::steps`] and returns whether to continue.
    ///
    /// # Errors
    /// [`CountError::PastEnd`] for the first number that no tour has; an error of layers that cannot be read or are damaged;
    /// [`CountError::Stopped`] when `step_done` returns `false`.
    pub fn tours(self, numbers: &[u128], step_done: StepDone<'_>) -> Result<Vec<Tour>, CountError> {
        let of = self.of;
        let &CountQuestion { ref shape, ending, start, .. } = of.question();
        numbers.iter().try_for_each(|&number| self.check(number))?;
        let fault = |_| CountError::contradictory_layers();
        if is_single(of.question()) {
            let one = || Tour::verify(shape, ending, shape.all().collect::<Vec<_>>()).map_err(fault);
            return numbers.iter().map(|_| one()).collect();
        }
        let digits: Vec<Digits> = numbers.iter().filter_map(|&number| self.shares.split(number)).collect();
        let chosen = self.choices_of_tours(&digits, step_done)?;
        let parts = chosen.par_chunks(shape.squares() as usize).zip(&digits);
        let tour = |(chosen, &digits): (&[u8], &Digits)| of.choices.tour(chosen, digits, start).map_err(fault);
        of.plan.pool.install(|| parts.map(tour).collect())
    }

    /// The choices of the squares of the tours with these digits: in the order of processing, one tour after the other.
    fn choices_of_tours(self, digits: &[Digits], step_done: StepDone<'_>) -> Result<Vec<u8>, CountError> {
        let NumberingPlan { plan, .. } = self.of;
        let squares = plan.question().shape.squares() as usize;
        let mut chosen = vec![0; squares * digits.len()];
        let (folder, mut kept, limit) = match self.layers {
            LayerLocation::Folder(folder) => (Some(folder), Vec::new(), 0),
            LayerLocation::Memory(KeptLayers { sweeps, limit }) => (None, sweeps, limit),
        };
        let resources = self.of.resources(limit);
        for (number, sweep) in plan.sweeps.iter().enumerate() {
            let last = FrontierState {
                twos: sweep.order.steps.last().map_or(0, |step| step.active),
                ..FrontierState::default()
            };
            let own = (0..).zip(digits).filter(|(_, digits)| digits.sweep == number);
            let walker =
                |(tour, digits): (u32, &Digits)| TourWalker { state: last, tour, chosen: 0, number: digits.in_sweep };
            let mut walkers: Vec<TourWalker> = own.map(walker).collect();
            let layers = kept.get_mut(number).map(std::mem::take).unwrap_or_default();
            let (pass, rooms, resources) = (None, Vec::new(), &resources);
            let mut layers = LayersBack { plan, sweep: number, layers, resources, pass, rooms };
            for at in (0..squares).rev() {
                if !walkers.is_empty() {
                    let layer = match &folder {
                        Some(folder) => folder.open_layer(number, at, &sweep.layers.layers[at])?,
                        None => layers.layer(at)?,
                    };
                    let step = LayerStep::new(&sweep.layers, at, &layer);
                    plan.pool.install(|| step.step_back(&mut walkers))?;
                    walkers.iter().for_each(|walker| chosen[walker.tour as usize * squares + at] = walker.chosen);
                    layers.reuse(layer);
                }
                check_stop(step_done)?;
            }
        }
        Ok(chosen)
    }
}

/// Whether the question is of the open tour of a single square, which has no move and no layers.
fn is_single(question: &CountQuestion) -> bool {
    question.shape.squares() == 1 && question.ending == Ending::Open
}

fn count(question: &CountQuestion, shares: &SweepShares) -> u128 {
    if is_single(question) { 1 } else { shares.count() }
}

/// Checks that one of `count` tours has this number.
fn check(question: &CountQuestion, count: u128, number: u128) -> Result<(), CountError> {
    let (board, ending) = (question.name(), question.ending.name());
    if number < count { Ok(()) } else { Err(CountError::PastEnd { number, board, ending, count }) }
}

fn check_stop(step_done: StepDone<'_>) -> Result<(), CountError> {
    if step_done() { Ok(()) } else { Err(CountError::Stopped) }
}

/// Refuses a question whose counts are known to outgrow 64 bits: by the published number of tours the total of a sweep does.
fn refuse_outgrown(question: &CountQuestion) -> Result<(), CountError> {
    let (board, &CountQuestion { ending, start, .. }) = (question.board(), question);
    let (kind, sweeps) = match ending {
        // Published numbers are of whole boards.
        _ if question.shape.has_holes() => return Ok(()),
        Ending::Closed => (CountKind::ClosedUndirected, 1),
        Ending::Open if start.is_some() => return Ok(()),
        Ending::Open => (CountKind::OpenUndirected, 2),
    };
    match board.known_count(kind) {
        Some(known) if known.count / sweeps > u64::MAX.into() => {
            Err(CountError::Outgrown { board: question.name(), ending: ending.name() })
        }
        _ => Ok(()),
    }
}

/// Draws `draws` numbers below `count`, independently, so that a number may be drawn repeatedly. Equal seeds draw equal
/// numbers.
///
/// # Panics
/// When `count` is 0.
pub fn draw(count: u128, draws: usize, seed: u64) -> Vec<u128> {
    assert!(count > 0, "no number is below 0");
    let mut rng = Rng::with_seed(seed);
    (0..draws).map(|_| random_below(count, || rng.u64(..))).collect()
}

/// A uniform number below `count`. It draws as many random bits as the largest number has, and draws again if they make no
/// number below `count`. No number is favoured, because exactly one way to set the bits makes it.
fn random_below(count: u128, mut word: impl FnMut() -> u64) -> u128 {
    let bits = u128::BITS - (count - 1).leading_zeros();
    loop {
        let drawn = match bits {
            0 => 0,
            1..=64 => u128::from(word() >> (64 - bits)),
            _ => (u128::from(word()) << 64 | u128::from(word())) >> (128 - bits),
        };
        if drawn < count {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_the_bound_and_the_seed_decides_them() {
        for count in [1, 2, 3, 9862, 1 << 64, (1 << 64) + 1, u128::MAX] {
            let drawn = draw(count, 100, 7);
            assert!(drawn.iter().all(|&number| number < count));
            assert_eq!(drawn, draw(count, 100, 7));
            assert!(count < 3 || drawn != draw(count, 100, 8));
        }
    }

    /// Of all ways to set three bits those below five are numbers, and the others lead to another draw.
    #[test]
    fn one_way_to_set_the_bits_makes_each_number() {
        let met: Vec<u128> = (0..8u64)
            .map(|bits| {
                let mut words = [bits << 61, 0].into_iter();
                random_below(5, || words.next().unwrap())
            })
            .collect();
        assert_eq!(met, [0, 1, 2, 3, 4, 0, 0, 0]);
    }
}
