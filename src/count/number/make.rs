//! How the layers of a folder are made, unless it has them: by one pass over each sweep, each layer of which is written. And what a
//! pass for tours by number needs, in memory or not.
//!
//! The size of the layers is estimated before. The widths of counts are not known then, so the estimate assumes them by rows:
//! on boards of up to nine squares across the largest count stays below 2^16 for three rows, and mostly below 2^32 for two
//! more. The layers have the estimated size if no block is zero and the counts have these widths; mostly they are smaller.

use super::folder::{LayerFolder, SavedSweep, pattern_sums};
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassHalt, PassResources};
use crate::count::pass::stored_layer::least_width;
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::shortage::Shortage;
use crate::count::snapshot::CountPhase;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;

/// Rows before this one are estimated with counts of 16 bits.
const ROWS_16: u32 = 3;
/// Rows from [`ROWS_16`] and before this one are estimated with counts of 32 bits, all later rows with 64 bits.
const ROWS_32: u32 = 5;

/// Makes the layers of a plan in a folder unless it has them, and answers the total of each sweep. Before files are written,
/// `permission` is asked with the totals. Layers that do not fit the plan are refused.
pub(super) fn complete(
    folder: &mut LayerFolder,
    plan: &CountPlan,
    settings: &Settings,
    permission: Option<MakePermission<'_>>,
    watch: &CountWatch,
) -> Result<Vec<u64>, CountError> {
    if folder.sweeps.is_some() {
        check_layers(folder, plan)?;
    } else {
        let made = make_layers(plan, settings, folder, permission, watch)?;
        folder.write_manifest(made).inspect_err(|_| folder.remove_layers(plan))?;
    }
    Ok(folder.sweeps().iter().map(|sweep| sweep.total).collect())
}

/// Checks that the layers of a folder are those of the plan, and that their totals are those of the manifest.
fn check_layers(folder: &LayerFolder, plan: &CountPlan) -> Result<(), CountError> {
    let fits = |(sweep, planned): (&SavedSweep, &PlannedSweep)| {
        sweep.patterns == pattern_sums(&planned.layers) && sweep.widths.len() == sweep.patterns.len()
    };
    let sweeps = folder.sweeps();
    if sweeps.len() != plan.sweeps.len() || !sweeps.iter().zip(&plan.sweeps).all(fits) {
        let problem = "has layers that another version of this program has planned: remove the folder and type the same \
                       command again";
        return Err(CountError::unusable(&folder.path, problem));
    }
    sweeps.iter().enumerate().try_for_each(|(number, sweep)| match last_count(folder, plan, number)? {
        total if total == sweep.total => Ok(()),
        _ => Err(CountError::contradictory_layers()),
    })
}

/// The total of sweep `number` by its last layer, which has at most one count.
fn last_count(folder: &LayerFolder, plan: &CountPlan, number: usize) -> Result<u64, CountError> {
    let sweep = &plan.sweeps[number];
    let Some((at, layer)) = sweep.layers.layers.iter().enumerate().next_back() else { return Ok(0) };
    let packed = folder.open_layer(number, at, layer)?;
    let group = packed.group(&sweep.layers.groups, layer, 0).map_err(|error| CountError::layer(&error))?;
    let twos = sweep.order.steps.last().map_or(0, |step| step.active);
    Ok(group.block(twos).map_or(0, |block| block.count(0)))
}

/// The estimated bytes of the layers of a sweep that a walk reads, by number of squares done, which they hardly ever exceed.
pub(super) fn estimated_bytes(sweep: &PlannedSweep) -> Vec<u64> {
    let width = |row| match row {
        ..ROWS_16 => 2,
        ROWS_16..ROWS_32 => 4,
        _ => 8,
    };
    // Before the first square stands one state, and the layer after the last square is read by no walk.
    let rows = std::iter::once(0).chain(sweep.order.steps.iter().map(|step| step.row));
    let layers = rows.zip(&sweep.layers.layers).take(sweep.order.steps.len());
    layers.map(|(row, layer)| layer.states() * width(row) + layer.blocks() / 8).collect()
}

/// Decides by the totals of the sweeps whether layers may be made.
pub(super) type MakePermission<'a> = &'a dyn Fn(&[u64]) -> Result<(), CountError>;

/// Makes the layers of every sweep in a folder. With `permission` the sweeps are first counted without layers,
/// and the totals are checked before a file is written; counting takes a part of the time that writing takes. Returns an error
/// if the layers do not fit, if the permission is refused, if a count outgrows 64 bits, or if `watch` is stopped.
pub(super) fn make_layers(
    plan: &CountPlan,
    settings: &Settings,
    folder: &LayerFolder,
    permission: Option<MakePermission<'_>>,
    watch: &CountWatch,
) -> Result<Vec<SavedSweep>, CountError> {
    check_space(plan, settings, folder)?;
    watch.update(|now| (now.phase, now.memory_limit) = (CountPhase::Counting, settings.memory));
    let limit = settings.memory.saturating_sub(plan.fixed_memory());
    let resources = PassResources::new(CountThreads { pool: &plan.pool, watch }, limit);
    let sweeps = 0..plan.sweeps.len();
    if let Some(check) = permission {
        watch.expect_passes(plan.states(), 2);
        check(&sweeps.clone().map(|sweep| sweep_total(plan, sweep, &resources)).collect::<Result<Vec<u64>, _>>()?)?;
    }
    folder.remove_layers(plan);
    let made = sweeps.map(|sweep| make_sweep(plan, sweep, usize::from(permission.is_some()), &resources, folder));
    made.collect::<Result<_, _>>().inspect_err(|_| folder.remove_layers(plan))
}

/// Checks that the layers fit on the disk of their folder, and that the count that makes them fits in memory.
fn check_space(plan: &CountPlan, settings: &Settings, folder: &LayerFolder) -> Result<(), CountError> {
    let of = format!("the layers of the {}", asked(plan));
    check_memory(plan, settings, &format!("making {of}"))?;
    let (layers, free) = (plan.sweeps.iter().flat_map(estimated_bytes).sum(), folder.available_bytes(plan)?);
    let shortage = || Shortage::of_disk(format!("a folder of {of}"), layers, free, &folder.path);
    if layers > free { Err(shortage().into()) } else { Ok(()) }
}

/// The tours of a plan, in words.
pub(super) fn asked(plan: &CountPlan) -> String {
    format!("{} tours of {}", plan.question().ending.name(), plan.question().name())
}

/// Checks that the count fits in memory, for this work.
pub(super) fn check_memory(plan: &CountPlan, settings: &Settings, of: &str) -> Result<(), CountError> {
    let shortage = || Shortage::of_memory(of.to_owned(), plan.memory(32), settings.memory_limit(), None);
    if plan.memory(32) > settings.memory { Err(shortage().into()) } else { Ok(()) }
}

/// Begins pass number `pass`, over a sweep.
pub(super) fn begin_pass<'a>(
    plan: &'a CountPlan,
    sweep: usize,
    pass: usize,
    resources: &'a PassResources<'a>,
) -> Result<Pass<'a>, CountError> {
    resources.threads.watch.begin_pass(plan.sweeps[sweep].states(), |now| {
        (now.pass, now.sweep, now.modulus) = (pass, sweep, Modulus::None);
        now.by_row = plan.empty_meters(sweep);
    });
    Pass::new(&plan.sweeps[sweep], Modulus::None, resources).map_err(|halt| pass_error(halt, resources.limit))
}

/// Checks that no count of the pass has outgrown 64 bits so far.
pub(super) fn check_width(plan: &CountPlan, pass: &Pass<'_>) -> Result<(), CountError> {
    let outgrown = CountError::Outgrown { board: plan.question().name(), ending: plan.question().ending.name() };
    if pass.state.modulus == Modulus::None { Ok(()) } else { Err(outgrown) }
}

/// Counts a sweep without keeping its layers; returns the total.
fn sweep_total(plan: &CountPlan, sweep: usize, resources: &PassResources<'_>) -> Result<u64, CountError> {
    let mut pass = begin_pass(plan, sweep, 0, resources)?;
    let total = pass.run(|_| ()).map_err(|halt| pass_error(halt, resources.limit))?;
    check_width(plan, &pass).map(|()| total as u64)
}

/// Makes the layers of sweep `number`, in pass number `pass`.
fn make_sweep(
    plan: &CountPlan,
    number: usize,
    pass: usize,
    resources: &PassResources<'_>,
    folder: &LayerFolder,
) -> Result<SavedSweep, CountError> {
    let sweep = &plan.sweeps[number];
    let mut made = SavedSweep { total: 0, widths: Vec::new(), patterns: pattern_sums(&sweep.layers) };
    let mut pass = begin_pass(plan, number, pass, resources)?;
    loop {
        check_width(plan, &pass)?;
        let (state, layer) = (&pass.state, pass.layer());
        let shape = layer.shape(least_width(state.findings.largest));
        made.widths.push(shape.width);
        folder.write_layer(number, state.at, &layer, &shape)?;
        if state.at == sweep.order.steps.len() {
            // At most one pattern with one matching is left, so the largest count is the total.
            made.total = state.findings.largest as u64;
            return Ok(made);
        }
        pass.step().map_err(|halt| pass_error(halt, resources.limit))?;
    }
}

/// The error of a pass that ended early.
pub(super) fn pass_error(halt: PassHalt, limit: u64) -> CountError {
    match halt {
        PassHalt::Stopped => CountError::Stopped,
        PassHalt::Failed(error) => error,
        PassHalt::TooLarge => Shortage::beyond("a layer whose counts need 64 bits".to_owned(), limit).into(),
    }
}
