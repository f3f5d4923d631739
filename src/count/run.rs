//! From a plan to a number: passes over each sweep, until its number is known.

use super::answer::{answer, symmetric_tours};
use super::checkpoint::{Checkpoint, Saved};
use super::error::CountError;
use super::handout::Crew;
use super::pass::{GROWTH, Halt, Means, Pass, SPARSE_COUNTS};
use super::plan::Plan;
use super::progress::Progress;
use super::question::Question;
use super::residues::Modulus;
use super::settings::{Answer, How, Place, Settings};
use super::spill::Spill;
use super::table::Tables;
use super::watch::{Phase, Watch};
use crate::board::{Board, Ending};

impl Plan {
    /// Seconds that one pass will take, about: from the pace of a small board, counted on this machine now. Nothing if
    /// that does not fit in the memory that may be taken, or was stopped.
    pub fn seconds(&self, settings: &Settings, watch: &Watch) -> Option<f64> {
        let question =
            Question { board: quick_board(), ending: Ending::Closed, start: None, unique: false, strict: false };
        let own = Watch::beside(watch);
        let settings = Settings { memory: settings.given(), threads: settings.threads, ..Settings::default() };
        let plan = Plan::new(&question, settings.memory, &own).ok()?;
        let planned = own.elapsed();
        plan.run(&settings, &own).ok()?.count?;
        Some((own.elapsed() - planned).as_secs_f64() / plan.states() as f64 * self.states() as f64)
    }

    /// Counts.
    ///
    /// # Errors
    /// [`Plan::check`]'s refusal before anything is begun; files that cannot be read or written.
    pub fn run(&self, settings: &Settings, watch: &Watch) -> Result<Answer, CountError> {
        self.check(settings)?;
        if watch.threads() < self.pool.current_num_threads() {
            return Err(CountError::Threads("the watch has fewer meters than the plan has threads".to_owned()));
        }
        run(self, settings, watch)
    }
}

/// 7x8 closed: a fifth of a second on two cores, most of it in long blocks.
fn quick_board() -> Board {
    // A constant within the limits of a board.
    Board::new(8, 7).unwrap_or_else(|_| unreachable!("8x7 is a board"))
}

/// Counts.
fn run(plan: &Plan, settings: &Settings, watch: &Watch) -> Result<Answer, CountError> {
    watch.show(|now| now.memory_limit = settings.memory);
    // Whatever they may not be able to do is said before hours are spent.
    let symmetric = symmetric_tours(plan, settings, watch)?;
    watch.show(|now| now.phase = Phase::Counting);
    let limit = match &settings.spill {
        Some(folder) => Spill::free(folder).map_err(|source| CountError::file(folder, source))?,
        None => settings.memory.saturating_sub(plan.besides()),
    };
    let crew = Crew { pool: &plan.pool, watch };
    let spill = settings.spill.as_deref();
    let means = Means { crew, tables: Tables::new(), limit, spill, sparse_counts: SPARSE_COUNTS, growth: GROWTH };
    let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
    let checkpoint = settings.checkpoint.as_deref().map(|path| Checkpoint::new(path, settings.modulus)).transpose()?;
    let (mut saved, mut progress) = match &checkpoint {
        Some(checkpoint) => checkpoint.open(plan)?.unzip(),
        None => (None, None),
    };
    let resumed = saved.as_ref().map(|saved| plan.place(progress.as_ref().map_or(0, Progress::sweep), saved.at()));
    let mut progress = progress.take().unwrap_or_default();
    let mut run = Run { plan, means, settings, modulus, checkpoint, last_saved: None, unsaved: None };
    run.count_as_done(&progress);
    let mut complete = symmetric.is_some();
    while complete && progress.sweep() < plan.sweeps.len() {
        complete = run.pass(&mut progress, saved.take())?;
    }
    let count = symmetric.filter(|_| complete).map(|symmetric| answer(plan, &progress.numbers, symmetric));
    if count.is_some() {
        watch.show(|now| now.phase = Phase::Done);
    }
    let how = progress.numbers.into_iter().map(|(_, how)| how).fold(How::Plain, larger);
    let saved = run.last_saved.or(resumed);
    let unsaved = run.unsaved.map(|error| error.to_string());
    Ok(Answer { count, how, peak_states: plan.peak_states(), elapsed: watch.elapsed(), resumed, saved, unsaved })
}

/// Of two ways, the one that took more.
fn larger(one: How, other: How) -> How {
    let rank = |how: &How| match how {
        How::Plain => 0,
        How::Counters { bits } => *bits as usize,
        How::Remainder { .. } => 64,
        How::Residues { moduli } => 64 + moduli.len(),
    };
    if rank(&other) > rank(&one) { other } else { one }
}

/// A count on its way.
struct Run<'a> {
    plan: &'a Plan,
    means: Means<'a>,
    settings: &'a Settings,
    /// The only modulus, if that is all that is wanted.
    modulus: Option<Modulus>,
    checkpoint: Option<Checkpoint>,
    /// The last row that was noted.
    last_saved: Option<Place>,
    /// Why the last one was not, if it was not.
    unsaved: Option<CountError>,
}

impl Run<'_> {
    /// Shows what an earlier run has done: whole sweeps, each with one pass, and passes over the one in work.
    fn count_as_done(&self, progress: &Progress) {
        let states = |sweep: usize| self.plan.sweeps.get(sweep).map_or(0, |(sweep, _)| sweep.states());
        let passes = progress.pass as u64;
        let finished = (0..progress.sweep()).map(states).sum::<u64>() + passes * states(progress.sweep());
        self.means.crew.watch.done_before(finished, passes.saturating_sub(1) * states(progress.sweep()));
    }

    /// One pass over the sweep in work, from where it was `saved` if it was; whether it was not stopped.
    fn pass(&mut self, progress: &mut Progress, saved: Option<Saved>) -> Result<bool, CountError> {
        let sweep = &self.plan.sweeps[progress.sweep()].0;
        let modulus = match self.modulus {
            Some(modulus) => modulus,
            None if progress.pass == 0 => Modulus::None,
            None => progress.residues.next_prime(),
        };
        let watch = self.means.crew.watch;
        watch.pass_begins(sweep.states(), |now| {
            (now.pass, now.sweep, now.modulus) = (progress.pass, progress.sweep(), modulus);
            now.by_row = self.plan.meters(progress.sweep());
        });
        let mut kept = Kept { run: self, progress, place: None, failed: None };
        let ended = Pass::new(sweep, modulus, &self.means).and_then(|pass| kept.go(pass, saved));
        let (place, failed) = (kept.place, kept.failed);
        self.last_saved = place.or(self.last_saved);
        self.unsaved = failed;
        progress.pass += 1;
        match ended {
            Ok((value, Modulus::None, bits)) => progress.done(value.into(), How::Counters { bits }),
            Ok((value, Modulus::Prime(prime), _)) if self.modulus.is_some() => {
                progress.done(value.into(), How::Remainder { prime });
            }
            Ok((value, Modulus::TwoTo64, _)) => progress.residues.add_two_to_64(value),
            Ok((value, Modulus::Prime(prime), _)) => progress.residues.add_prime(prime, value as u32),
            // A pass that counted exactly leaves it to the primes. Those fit whatever was allowed to begin.
            Err(Halt::TooLarge) if modulus == Modulus::None => watch.pass_is_given_up(),
            Err(Halt::TooLarge) => return Err(self.plan.refusal(self.settings, 32)),
            Err(Halt::Stopped) => return Ok(false),
            Err(Halt::Failed(error)) => return Err(error),
        }
        if let Some(number) = progress.residues.number() {
            let how = How::Residues { moduli: progress.residues.moduli().to_vec() };
            progress.done(number.clone(), how);
        }
        Ok(true)
    }
}

/// A pass whose rows are kept.
struct Kept<'a> {
    run: &'a Run<'a>,
    /// What is known besides the pass.
    progress: &'a Progress,
    /// The last row that was noted.
    place: Option<Place>,
    /// Why the one after it was not.
    failed: Option<CountError>,
}

impl Kept<'_> {
    /// Goes on from where the pass was `saved`, or begins it. What came of it, modulo what, and its widest counts in
    /// bits.
    fn go(&mut self, mut pass: Pass<'_>, saved: Option<Saved>) -> Result<(u64, Modulus, u32), Halt> {
        let Run { plan, means, checkpoint, .. } = self.run;
        let sweep = pass.sweep;
        if let (Some(checkpoint), Some(saved)) = (checkpoint, saved) {
            let layers = &sweep.layers.layers;
            let state = checkpoint.load(saved, layers, &mut pass.store, means.limit).map_err(Halt::Failed)?;
            let outgrown = (pass.state.modulus, state.modulus) == (Modulus::None, Modulus::TwoTo64);
            if state.modulus != pass.state.modulus && !outgrown {
                return Err(Halt::Failed(checkpoint.wrong("it counts modulo something else than such a pass does")));
            }
            pass.state = state;
            let steps = sweep.order.steps[..pass.state.at].iter().zip(&layers[1..]);
            means.crew.watch.resume(steps.map(|(step, layer)| (step.row, layer.states())));
        }
        let value = pass.run(|pass| {
            let Some(checkpoint) = checkpoint else { return };
            let layer = &sweep.layers.layers[pass.state.at];
            // A full disk does not harm the count: it goes on, and what is kept stays as it was.
            match checkpoint.save(plan.question(), self.progress, &pass.state, layer, &pass.store) {
                Ok(()) => (self.place, self.failed) = (Some(plan.place(self.progress.sweep(), pass.state.at)), None),
                Err(error) => self.failed = Some(error),
            }
        })?;
        Ok((value, pass.state.modulus, 8 * pass.state.widest as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::count::Question;

    /// The folder is gone before the first row is done: the count is not.
    #[test]
    fn a_row_that_cannot_be_kept_does_not_stop_the_count() {
        let folder = tempfile::tempdir().unwrap();
        let question = Question {
            board: "6x6".parse().unwrap(),
            ending: Ending::Closed,
            start: None,
            unique: false,
            strict: false,
        };
        let watch = Watch::new(1);
        let plan = Plan::new(&question, 1 << 30, &watch).unwrap();
        let crew = Crew { pool: &plan.pool, watch: &watch };
        let (tables, sparse_counts, growth) = (Tables::new(), SPARSE_COUNTS, GROWTH);
        let means = Means { crew, tables, limit: 1 << 30, spill: None, sparse_counts, growth };
        let checkpoint = Some(Checkpoint::new(&folder.path().join("rows"), None).unwrap());
        let settings = Settings { memory: 1 << 30, ..Settings::default() };
        let mut run =
            Run { plan: &plan, means, settings: &settings, modulus: None, checkpoint, last_saved: None, unsaved: None };
        drop(folder);
        let mut progress = Progress::default();
        assert!(run.pass(&mut progress, None).unwrap());
        assert_eq!(progress.numbers[0].0, 9862u32.into());
        assert!(run.unsaved.is_some() && run.last_saved.is_none());
    }
}
