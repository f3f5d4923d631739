//! The location of the layers while tours are numbered: in memory, or in a folder that has them already or gets them now.

use super::error::NumberError;
use super::folder::{LayerFolder, SavedSweep, pattern_sums};
use super::make::{MakePermission, make_layers};
use super::packed_layer::PackedLayer;
use crate::count::ask::settings::Settings;
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;
use std::sync::Arc;

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
