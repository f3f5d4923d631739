//! Where the layers are while tours are numbered, in memory or in a folder, and how they are made unless the folder has them:
//! by one pass over each sweep, which keeps every layer.
//!
//! The size of the layers is estimated before. The widths of counts are not known then, so the estimate assumes them by rows:
//! on boards of up to nine squares across the largest count stays below 2^16 for three rows, and mostly below 2^32 for two
//! more. The layers have the estimated size if no block is zero and the counts have these widths; mostly they are smaller.

use super::error::NumberError;
use super::folder::{LayerFolder, SavedSweep, pattern_sums};
use super::packed_layer::{BlockBody, PackedLayer};
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassHalt, PassResources};
use crate::count::pass::stored_layer::{LayerShape, PassLayer, least_width};
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::shortage::Shortage;
use crate::count::snapshot::CountPhase;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;
use crate::memory::reserve;
use crate::words;
use std::sync::Arc;

/// Rows before this one are estimated with counts of 16 bits.
const ROWS_16: u32 = 3;
/// Rows from [`ROWS_16`] and before this one are estimated with counts of 32 bits, all later rows with 64 bits.
const ROWS_32: u32 = 5;

/// The layers of a plan, in memory or in a folder.
pub(super) enum LayerLocation {
    /// By sweep: the layers.
    Memory(Vec<Vec<Arc<PackedLayer>>>),
    Folder(LayerFolder),
}

impl LayerLocation {
    /// The layers of a plan and the total of each sweep. Layers are made, in the folder or in memory, unless the folder has
    /// them. Before files are written, `permission` is asked with the totals of the sweeps. Layers in a folder that do not fit
    /// the plan are refused.
    pub(super) fn new(
        plan: &CountPlan,
        settings: &Settings,
        folder: Option<LayerFolder>,
        permission: Option<MakePermission<'_>>,
        watch: &CountWatch,
    ) -> Result<(LayerLocation, Vec<u64>), NumberError> {
        let totals = |sweeps: &[SavedSweep]| sweeps.iter().map(|sweep| sweep.total).collect();
        let Some(mut folder) = folder else {
            let (sweeps, layers): (Vec<_>, _) = make_layers(plan, settings, None, None, watch)?.into_iter().unzip();
            return Ok((LayerLocation::Memory(layers), totals(&sweeps)));
        };
        if folder.sweeps.is_some() {
            check_layers(&folder, plan)?;
        } else {
            let made = make_layers(plan, settings, Some(&folder), permission, watch)?;
            let written = folder.write_manifest(made.into_iter().map(|(sweep, _)| sweep).collect());
            written.inspect_err(|_| folder.remove_layers(plan))?;
        }
        let totals = totals(folder.sweeps());
        Ok((LayerLocation::Folder(folder), totals))
    }

    /// The counts of a sweep after `at` squares. An error if their file is missing or damaged.
    pub(super) fn layer(&self, plan: &CountPlan, sweep: usize, at: usize) -> Result<Arc<PackedLayer>, NumberError> {
        match self {
            LayerLocation::Memory(layers) => Ok(layers[sweep][at].clone()),
            LayerLocation::Folder(folder) => {
                Ok(Arc::new(folder.open_layer(sweep, at, &plan.sweeps[sweep].layers.layers[at])?))
            }
        }
    }
}

/// Checks that the layers of a folder are those of the plan, and that their totals are those of the manifest.
fn check_layers(folder: &LayerFolder, plan: &CountPlan) -> Result<(), NumberError> {
    let fits = |(sweep, planned): (&SavedSweep, &PlannedSweep)| {
        sweep.patterns == pattern_sums(&planned.layers) && sweep.widths.len() == sweep.patterns.len()
    };
    let sweeps = folder.sweeps();
    if sweeps.len() != plan.sweeps.len() || !sweeps.iter().zip(&plan.sweeps).all(fits) {
        let problem = "has layers that another version of this program has planned: remove the folder and type the same \
                       command again";
        return Err(NumberError::layers(folder.path(), problem));
    }
    sweeps.iter().enumerate().try_for_each(|(number, sweep)| match last_count(folder, plan, number)? {
        total if total == sweep.total => Ok(()),
        _ => Err(NumberError::contradiction()),
    })
}

/// The total of sweep `number` by its last layer, which has at most one count.
fn last_count(folder: &LayerFolder, plan: &CountPlan, number: usize) -> Result<u64, NumberError> {
    let sweep = &plan.sweeps[number];
    let Some((at, layer)) = sweep.layers.layers.iter().enumerate().next_back() else { return Ok(0) };
    let packed = folder.open_layer(number, at, layer)?;
    let group = packed.group(&sweep.layers.groups, layer, 0).map_err(|error| NumberError::layer(&error))?;
    let twos = sweep.order.steps.last().map_or(0, |step| step.active);
    Ok(group.block(twos).map_or(0, |block| block.count(0)))
}

/// The layers of one sweep: what the manifest says of them, without their patterns if they stay in memory, and then the layers.
type MadeLayers = (SavedSweep, Vec<Arc<PackedLayer>>);

/// The estimated bytes of the layers of a plan, which the layers hardly ever exceed.
fn layer_bytes(plan: &CountPlan) -> u64 {
    let width = |row| {
        if row < ROWS_16 {
            2
        } else if row < ROWS_32 {
            4
        } else {
            8
        }
    };
    let sweep = |sweep: &PlannedSweep| -> u64 {
        let layers = sweep.order.steps.iter().zip(&sweep.layers.layers[1..]);
        layers.map(|(step, layer)| layer.states() * width(step.row) + layer.blocks() / 8).sum()
    };
    plan.sweeps.iter().map(sweep).sum()
}

/// Decides by the totals of the sweeps whether layers may be made.
pub(super) type MakePermission<'a> = &'a dyn Fn(&[u64]) -> Result<(), NumberError>;

/// Makes the layers of every sweep, in a folder or in memory. With `permission` the sweeps are first counted without layers,
/// and the totals are checked before a file is written; counting takes a part of the time that writing takes. Returns an error
/// if the layers do not fit, if the permission is refused, if a count outgrows 64 bits, or if `watch` is stopped.
pub(super) fn make_layers(
    plan: &CountPlan,
    settings: &Settings,
    folder: Option<&LayerFolder>,
    permission: Option<MakePermission<'_>>,
    watch: &CountWatch,
) -> Result<Vec<MadeLayers>, NumberError> {
    check_space(plan, settings, folder)?;
    watch.update(|now| (now.phase, now.memory_limit) = (CountPhase::Counting, settings.memory));
    let kept = if folder.is_some() { 0 } else { layer_bytes(plan) };
    let limit = settings.memory.saturating_sub(plan.fixed_memory() + kept);
    let resources = PassResources::new(CountThreads { pool: &plan.pool, watch }, limit);
    let sweeps = 0..plan.sweeps.len();
    if let Some(check) = permission {
        watch.expect_passes(plan.states(), 2);
        check(&sweeps.clone().map(|sweep| sweep_total(plan, sweep, &resources)).collect::<Result<Vec<u64>, _>>()?)?;
    }
    let clear = || {
        if let Some(folder) = folder {
            folder.remove_layers(plan);
        }
    };
    clear();
    let made = sweeps.map(|sweep| make_sweep(plan, sweep, usize::from(permission.is_some()), &resources, folder));
    made.collect::<Result<_, _>>().inspect_err(|_| clear())
}

/// Checks that the layers fit in their location, and that the count that makes them fits in memory.
fn check_space(plan: &CountPlan, settings: &Settings, folder: Option<&LayerFolder>) -> Result<(), NumberError> {
    let tours = format!("{} tours of {}", plan.question().ending.name(), plan.question().name());
    let (layers, counting, limit) = (layer_bytes(plan), plan.memory(32), settings.memory);
    let memory = |of, bytes, instead: Option<&str>| {
        let instead = instead.map(str::to_owned);
        Err(Shortage::of_memory(of, bytes, settings.memory_limit(), instead).into())
    };
    match folder {
        None if layers + counting > limit => {
            let of = format!("numbering the {tours} ({} of it for their layers)", words::bytes(layers));
            memory(of, layers + counting, Some("--layers DIR, which keeps the layers in files, for later commands too"))
        }
        Some(_) if counting > limit => memory(format!("making the layers of the {tours}"), counting, None),
        Some(folder) => {
            let (of, free) = (format!("a folder of the layers of the {tours}"), folder.available_bytes(plan)?);
            if layers > free { Err(Shortage::of_disk(of, layers, free, folder.path()).into()) } else { Ok(()) }
        }
        None => Ok(()),
    }
}

/// Begins pass number `pass`, over a sweep.
fn begin_pass<'a>(
    plan: &'a CountPlan,
    sweep: usize,
    pass: usize,
    resources: &'a PassResources<'a>,
) -> Result<Pass<'a>, NumberError> {
    resources.threads.watch.begin_pass(plan.sweeps[sweep].states(), |now| {
        (now.pass, now.sweep, now.modulus) = (pass, sweep, Modulus::None);
        now.by_row = plan.empty_meters(sweep);
    });
    Pass::new(&plan.sweeps[sweep], Modulus::None, resources).map_err(|halt| pass_error(halt, resources.limit))
}

/// Checks that no count of the pass has outgrown 64 bits so far.
fn check_width(plan: &CountPlan, pass: &Pass<'_>) -> Result<(), NumberError> {
    let outgrown = NumberError::Outgrown { board: plan.question().name(), ending: plan.question().ending.name() };
    if pass.state.modulus == Modulus::None { Ok(()) } else { Err(outgrown) }
}

/// Counts a sweep without keeping its layers; returns the total.
fn sweep_total(plan: &CountPlan, sweep: usize, resources: &PassResources<'_>) -> Result<u64, NumberError> {
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
    folder: Option<&LayerFolder>,
) -> Result<MadeLayers, NumberError> {
    let sweep = &plan.sweeps[number];
    let patterns = folder.map_or_else(Vec::new, |_| pattern_sums(&sweep.layers));
    let (mut made, mut layers) = (SavedSweep { total: 0, widths: Vec::new(), patterns }, Vec::new());
    let mut pass = begin_pass(plan, number, pass, resources)?;
    loop {
        check_width(plan, &pass)?;
        let state = &pass.state;
        let layer = &sweep.layers.layers[state.at];
        let layer = PassLayer { layer, counts: &state.counts, store: &pass.store };
        let shape = layer.shape(least_width(state.findings.largest));
        made.widths.push(shape.width);
        match folder {
            Some(folder) => folder.write_layer(number, state.at, &layer, &shape)?,
            None => layers.push(Arc::new(pack_in_memory(&layer, shape)?)),
        }
        if state.at == sweep.order.steps.len() {
            // At most one pattern with one matching is left, so the largest count is the total.
            made.total = state.findings.largest as u64;
            return Ok((made, layers));
        }
        pass.step().map_err(|halt| pass_error(halt, resources.limit))?;
    }
}

fn pack_in_memory(layer: &PassLayer<'_>, shape: LayerShape) -> Result<PackedLayer, NumberError> {
    let mut all = Vec::new();
    reserve(&mut all, shape.bytes() as usize);
    for place in 0..shape.groups() {
        layer.group(&shape, place, &mut all).map_err(|error| NumberError::File(error.to_string()))?;
    }
    Ok(PackedLayer { shape, body: BlockBody::Memory(all) })
}

/// The error of a pass that ended early.
fn pass_error(halt: PassHalt, limit: u64) -> NumberError {
    match halt {
        PassHalt::Stopped => CountError::Stopped.into(),
        PassHalt::Failed(error) => error.into(),
        PassHalt::TooLarge => Shortage::beyond("a layer whose counts need 64 bits".to_owned(), limit).into(),
    }
}
