//! The location of the layers while tours are numbered: in memory, or in a folder that has them already or gets them now.

use super::error::NumberError;
use super::folder::{LayerFolder, Manifest, SavedSweep, patterns_sum};
use super::make::{MadeLayers, MakePermission, make_layers};
use super::packed_layer::PackedLayer;
use crate::board::Ending;
use crate::count::ask::question::{CountQuestion, upright};
use crate::count::ask::settings::Settings;
use crate::count::plan::count_plan::CountPlan;
use crate::count::run::saved_question::SavedQuestion;
use crate::count::states::layers::Layers;
use crate::count::watch::CountWatch;
use std::path::Path;
use std::sync::Arc;

/// The version of the numbering, which is defined at the head of [`crate::count::number`]. Layers and reports carry it.
pub const NUMBERING: u32 = 1;

/// A folder for the layers of a question, and its manifest if it has the layers.
pub(super) struct FoundLayers {
    folder: LayerFolder,
    question: SavedQuestion,
    manifest: Option<Manifest>,
}

impl FoundLayers {
    /// Opens a folder of layers by which tours are numbered; it is created if it does not exist. Locks the folder if it has
    /// no layers yet, because this run will make them. Refuses a folder with the layers of another question, and a folder in
    /// which another process makes layers.
    pub(super) fn new(path: &Path, question: &CountQuestion) -> Result<FoundLayers, NumberError> {
        let (mut folder, canonical) = (LayerFolder::new(path)?, canonical_question(question));
        let read = |folder: &LayerFolder| folder.manifest(NUMBERING, &canonical, &SavedQuestion::new(question, None));
        let mut manifest = read(&folder)?;
        if manifest.is_none() {
            folder.claim()?;
            // Another process may have finished the layers just before the lock was taken.
            manifest = read(&folder)?;
        }
        Ok(FoundLayers { folder, question: canonical, manifest })
    }
}

/// The layers of a plan, in memory or in a folder.
pub(super) enum LayerLocation {
    /// By sweep: the layers.
    Memory(Vec<Vec<Arc<PackedLayer>>>),
    /// The folder, and by sweep the bytes of a count in each layer.
    Folder(LayerFolder, Vec<Vec<usize>>),
}

impl LayerLocation {
    /// The layers of a plan and the total of each sweep. Layers are made, in the folder or in memory, unless the folder has
    /// them. Before files are written, `permission` is asked with the totals of the sweeps. Layers in a folder that do not fit
    /// the plan are refused.
    pub(super) fn new(
        plan: &CountPlan,
        settings: &Settings,
        found: Option<FoundLayers>,
        permission: Option<MakePermission<'_>>,
        watch: &CountWatch,
    ) -> Result<(LayerLocation, Vec<u64>), NumberError> {
        let Some(FoundLayers { mut folder, question, manifest }) = found else {
            let made = make_layers(plan, settings, None, None, watch)?;
            let totals = made.iter().map(|made| made.total).collect();
            return Ok((LayerLocation::Memory(made.into_iter().map(|made| made.layers).collect()), totals));
        };
        let sums = |Layers { layers, groups, .. }: &Layers| -> Vec<u32> {
            layers.iter().map(|layer| patterns_sum(layer, groups.slots)).collect()
        };
        let patterns = plan.sweeps.iter().map(|own| sums(&own.layers));
        let sweeps = match manifest {
            Some(Manifest { sweeps, .. }) => {
                let planned: Vec<Vec<u32>> = patterns.collect();
                let fits = |(sweep, planned): (&SavedSweep, &Vec<u32>)| {
                    sweep.patterns == *planned && sweep.widths.len() == planned.len()
                };
                if sweeps.len() != planned.len() || !sweeps.iter().zip(&planned).all(fits) {
                    let problem = "has layers that another version of this program has planned: remove the folder and \
                         type the same command again";
                    return Err(NumberError::layers(folder.path(), problem));
                }
                for (number, sweep) in sweeps.iter().enumerate() {
                    if last_count(&folder, plan, number, &sweep.widths)? != sweep.total {
                        return Err(NumberError::contradiction());
                    }
                }
                sweeps
            }
            None => {
                let made = make_layers(plan, settings, Some(&folder), permission, watch)?.into_iter().zip(patterns);
                let saved = |(MadeLayers { total, widths, .. }, patterns)| SavedSweep { total, widths, patterns };
                let manifest = Manifest { numbering: NUMBERING, question, sweeps: made.map(saved).collect() };
                let finished = folder.write_manifest(&manifest);
                finished.inspect_err(|_| folder.remove_layers(plan))?;
                manifest.sweeps
            }
        };
        let totals = sweeps.iter().map(|sweep| sweep.total).collect();
        Ok((LayerLocation::Folder(folder, sweeps.into_iter().map(|sweep| sweep.widths).collect()), totals))
    }

    /// The counts of a sweep after `at` squares. An error if their file is missing or damaged.
    pub(super) fn layer(&self, plan: &CountPlan, sweep: usize, at: usize) -> Result<Arc<PackedLayer>, NumberError> {
        match self {
            LayerLocation::Memory(layers) => Ok(layers[sweep][at].clone()),
            LayerLocation::Folder(folder, widths) => {
                let layer = &plan.sweeps[sweep].layers.layers[at];
                Ok(Arc::new(folder.open_layer(sweep, at, layer, widths[sweep][at])?))
            }
        }
    }
}

/// The total of sweep `number` by its last layer, which has at most one count.
fn last_count(folder: &LayerFolder, plan: &CountPlan, number: usize, widths: &[usize]) -> Result<u64, NumberError> {
    let sweep = &plan.sweeps[number];
    let Some((at, layer)) = sweep.layers.layers.iter().enumerate().next_back() else { return Ok(0) };
    let packed = folder.open_layer(number, at, layer, widths[at])?;
    let group = packed.group(&sweep.layers.groups, layer, 0).map_err(|error| NumberError::layer(&error))?;
    let twos = sweep.order.steps.last().map_or(0, |step| step.active);
    Ok(group.block(twos).map_or(0, |block| block.count(0)))
}

/// The question that the manifest names. Layers serve both orientations of a board, so the board has its short side across.
/// Closed tours pass every square, so their layers serve every start, and the question has none.
fn canonical_question(question: &CountQuestion) -> SavedQuestion {
    let (board, exchanged) = upright(question.board);
    let upright = |start| {
        let (row, col) = question.board.row_col(start);
        if exchanged { board.square(col, row) } else { Some(start) }
    };
    let start = question.start.filter(|_| question.ending == Ending::Open).and_then(upright);
    SavedQuestion::new(&CountQuestion { board, start, ..*question }, None)
}
