//! Where the layers live while tours are numbered: in memory, or in a folder, where they are found again or made.

use super::error::NumberError;
use super::folder::{LayerFolder, Manifest, SavedSweep, patterns_sum};
use super::make::{MadeLayers, MakePermission, make_layers};
use super::packed_layer::PackedLayer;
use crate::board::Ending;
use crate::count::asked::SavedQuestion;
use crate::count::order::upright;
use crate::count::plan::CountPlan;
use crate::count::question::CountQuestion;
use crate::count::settings::Settings;
use crate::count::watch::CountWatch;
use std::path::Path;
use std::sync::Arc;

/// The numbering that this program has; another one would have another number.
pub const NUMBERING: u32 = 1;

/// A folder for the layers of a question, and what it says of itself if they are there.
pub(super) struct FoundLayers {
    folder: LayerFolder,
    asked: SavedQuestion,
    manifest: Option<Manifest>,
}

impl FoundLayers {
    /// Looks into a folder, which is made if it is not there; and claimed, where the layers are still to be made.
    ///
    /// # Errors
    /// When it cannot be made, has the layers of something else, or somebody else is making layers in it.
    pub(super) fn new(path: &Path, question: &CountQuestion) -> Result<FoundLayers, NumberError> {
        let (mut folder, asked) = (LayerFolder::new(path)?, canonical_question(question));
        let look = |folder: &LayerFolder| folder.manifest(NUMBERING, &asked, &SavedQuestion::new(question, None));
        let mut manifest = look(&folder)?;
        if manifest.is_none() {
            folder.claim()?;
            // Whoever had it may just have finished.
            manifest = look(&folder)?;
        }
        Ok(FoundLayers { folder, asked, manifest })
    }
}

/// Where the layers are.
pub(super) enum LayerLocation {
    /// In memory, by sweep.
    Memory(Vec<Vec<Arc<PackedLayer>>>),
    /// In files; and how wide their counts are, by sweep.
    Folder(LayerFolder, Vec<Vec<usize>>),
}

impl LayerLocation {
    /// The layers of a plan, in the folder or in memory, made if they are not there; and what each sweep comes to. Before
    /// files are written for them `may` is asked of that.
    ///
    /// # Errors
    /// When they cannot be made, or those that are there cannot be read by this plan.
    pub(super) fn new(
        plan: &CountPlan,
        settings: &Settings,
        found: Option<FoundLayers>,
        may: Option<MakePermission<'_>>,
        watch: &CountWatch,
    ) -> Result<(LayerLocation, Vec<u64>), NumberError> {
        let Some(FoundLayers { mut folder, asked, manifest }) = found else {
            let made = make_layers(plan, settings, None, None, watch)?;
            let totals = made.iter().map(|made| made.total).collect();
            return Ok((LayerLocation::Memory(made.into_iter().map(|made| made.layers).collect()), totals));
        };
        let patterns = plan.sweeps.iter().map(|own| own.layers.layers.iter().map(|layer| patterns_sum(layer)));
        let sweeps = match manifest {
            Some(Manifest { sweeps, .. }) => {
                let planned: Vec<Vec<u32>> = patterns.map(Iterator::collect).collect();
                let fits = |(sweep, planned): (&SavedSweep, &Vec<u32>)| {
                    sweep.patterns == *planned && sweep.widths.len() == planned.len()
                };
                if sweeps.len() != planned.len() || !sweeps.iter().zip(&planned).all(fits) {
                    let problem = "has layers that another version has planned: remove it, and they are made again";
                    return Err(NumberError::layers(folder.path(), problem));
                }
                for (number, sweep) in sweeps.iter().enumerate() {
                    if last_count(&folder, plan, number, &sweep.widths)? != sweep.total {
                        return Err(NumberError::Contradiction);
                    }
                }
                sweeps
            }
            None => {
                let made = make_layers(plan, settings, Some(&folder), may, watch)?.into_iter().zip(patterns);
                let kept = |(MadeLayers { total, widths, .. }, patterns)| SavedSweep {
                    total,
                    widths,
                    patterns: Iterator::collect(patterns),
                };
                let manifest = Manifest { numbering: NUMBERING, question: asked, sweeps: made.map(kept).collect() };
                let finished = folder.write_manifest(&manifest);
                finished.inspect_err(|_| folder.remove_layers(plan))?;
                manifest.sweeps
            }
        };
        let totals = sweeps.iter().map(|sweep| sweep.total).collect();
        Ok((LayerLocation::Folder(folder, sweeps.into_iter().map(|sweep| sweep.widths).collect()), totals))
    }

    /// The counts of a sweep after so many squares.
    ///
    /// # Errors
    /// When their file is gone, or damaged.
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

/// The number that a sweep has come to by the last of its layers, which has one count at most.
fn last_count(folder: &LayerFolder, plan: &CountPlan, number: usize, widths: &[usize]) -> Result<u64, NumberError> {
    let sweep = &plan.sweeps[number];
    let Some((at, layer)) = sweep.layers.layers.iter().enumerate().next_back() else { return Ok(0) };
    let packed = folder.open_layer(number, at, layer, widths[at])?;
    let group = packed.group(&sweep.layers.groups, layer, 0).map_err(|error| NumberError::layer(&error))?;
    let twos = sweep.order.steps.last().map_or(0, |step| step.active);
    Ok(group.block(twos).map_or(0, |block| block.count(0)))
}

/// The question as layers are kept for it: they are the same whichever side is called the rows, and closed tours pass
/// every start.
fn canonical_question(question: &CountQuestion) -> SavedQuestion {
    let (board, exchanged) = upright(question.board);
    let upright = |start| {
        let (row, col) = question.board.row_col(start);
        if exchanged { board.square(col, row) } else { Some(start) }
    };
    let start = question.start.filter(|_| question.ending == Ending::Open).and_then(upright);
    SavedQuestion::new(&CountQuestion { board, start, ..*question }, None)
}
