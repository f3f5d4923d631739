//! The folder of layers.
//!
//! A folder has one file for each layer, and a manifest, which is written last. Without a manifest the layers are not valid.
//!
//! A layer file has a first line, the kind and version of the file, and then the layer as
//! [`stored_layer`](crate::count::pass::stored_layer) describes it; a stretch is checked when it is
//! read. The file has a temporary name until it is complete. The manifest names the question and the numbering, and has the
//! widths of the counts and the totals of the sweeps.
//! An interrupted process leaves no manifest, and the next one makes all layers again. A process that makes layers locks the
//! folder by the file `.destrier-lock`, and a second process is refused. A folder that was created and stayed empty is removed.

use super::packed_layer::{LayerBody, LayerFile, PackedLayer};
use crate::board::Ending;
use crate::bounded::{self, FIRST_LINE_MAX, FileKind, LOOK_AHEAD_BYTES};
use crate::claim::{FolderLock, claim_folder};
use crate::count::ask::question::CountQuestion;
use crate::count::error::CountError;
use crate::count::pass::store::Spill;
use crate::count::pass::stored_layer::{LayerShape, PassLayer, marks_bytes};
use crate::count::plan::count_plan::CountPlan;
use crate::count::run::saved_question::SavedQuestion;
use crate::count::states::layers::{Layer, Layers};
use crate::saved::{self, RecordFault, RecordKind, SavedFile};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the numbering, which is defined at the head of [`crate::count::number`]. Layers and reports carry it.
pub const NUMBERING: u32 = 1;
const MAGIC: &[u8] = FileKind::Layer.first_line().as_bytes();
/// The manifest, a record without a body.
const MANIFEST: RecordKind = RecordKind { kind: FileKind::Layers, header_max: FIRST_LINE_MAX };
/// The file name of the manifest.
const MANIFEST_NAME: &str = "layers";
/// The valid bytes of a count in a manifest.
const WIDTHS: RangeInclusive<usize> = 1..=8;

/// The manifest of a folder of layers.
#[derive(Serialize, Deserialize)]
struct Manifest {
    /// The numbering, [`NUMBERING`].
    numbering: u32,
    /// The question whose tours the layers count.
    question: SavedQuestion,
    /// The sweeps, in order.
    sweeps: Vec<SavedSweep>,
}

/// The layers of one sweep in a manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SavedSweep {
    pub(super) total: u64,
    /// By layer: bytes of a count.
    pub(super) widths: Vec<usize>,
    /// By layer: the CRC-32 of the patterns. A program that plans other patterns cannot read the layer.
    pub(super) patterns: Vec<u32>,
}

/// By layer: the CRC-32 of its patterns, of the truth tables of all groups.
pub(super) fn pattern_sums(Layers { layers, groups, .. }: &Layers) -> Vec<u32> {
    let sum = |layer: &Arc<Layer>| {
        let mut sum = crc32fast::Hasher::new();
        layer.set.for_each_table(groups.slots, |table| sum.update(bytemuck::cast_slice(table)));
        sum.finalize()
    };
    layers.iter().map(sum).collect()
}

/// A folder for layers.
#[derive(Debug)]
pub(super) struct LayerFolder {
    pub(super) path: PathBuf,
    /// The folder and its parents as far as this process created them, the innermost first.
    created: Vec<PathBuf>,
    /// The lock of the folder, while layers are made.
    lock: Option<FolderLock>,
    /// The question that the manifest names.
    question: SavedQuestion,
    /// The sweeps of the manifest, if the folder has the layers.
    pub(super) sweeps: Option<Vec<SavedSweep>>,
}

impl Drop for LayerFolder {
    fn drop(&mut self) {
        // The file of the lock is in the folder.
        self.lock = None;
        // `remove_dir` leaves a folder that is not empty, and fails for a folder that could not be created.
        self.created.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

impl LayerFolder {
    /// A folder of layers by which the tours of a question are numbered; it is created if it does not exist. Locks the folder if
    /// it has no layers yet, because this run will make them. Refuses a folder with the layers of another question, and a folder
    /// in which another process makes layers.
    pub(super) fn new(path: &Path, question: &CountQuestion) -> Result<LayerFolder, CountError> {
        let refused = |error: io::Error| {
            CountError::unusable(path, format!("cannot be a folder for layers: {error}; name another folder"))
        };
        let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let created = path.ancestors().take_while(is_new).map(Path::to_owned).collect();
        let (canonical, typed) = (canonical_question(question), SavedQuestion::new(question, None));
        let mut folder = LayerFolder { path: path.to_owned(), created, lock: None, question: canonical, sweeps: None };
        fs::create_dir_all(path).map_err(refused)?;
        folder.sweeps = folder.read_manifest(&typed)?;
        if folder.sweeps.is_none() {
            folder.claim()?;
            // Another process may have finished the layers just before the lock was taken.
            folder.sweeps = folder.read_manifest(&typed)?;
        }
        Ok(folder)
    }

    /// Locks the folder against other processes that make layers. An error if another process has the lock.
    pub(super) fn claim(&mut self) -> Result<(), CountError> {
        let refused = |why: String| CountError::unusable(&self.path, format!("{why} name another folder"));
        self.lock = claim_folder(&self.path).map_err(|error| refused(format!("cannot be written in: {error};")))?;
        if self.lock.is_none() {
            // The process that has the lock is responsible for removing the folder.
            self.created.clear();
            return Err(refused("is being written by a run that is not over: wait for it, or".to_owned()));
        }
        Ok(())
    }

    /// The paths of the layer files of a plan.
    fn layer_paths(&self, plan: &CountPlan) -> impl Iterator<Item = PathBuf> {
        let sweeps = plan.sweeps.iter().map(|sweep| sweep.layers.layers.len()).enumerate();
        sweeps.flat_map(move |(sweep, layers)| (0..layers).map(move |at| self.layer_path(sweep, at)))
    }

    /// Bytes that the layers of a plan may take: the free bytes of the disk, and the bytes of the files that an interrupted
    /// process has left and that [`LayerFolder::remove_layers`] will remove.
    pub(super) fn available_bytes(&self, plan: &CountPlan) -> Result<u64, CountError> {
        let free = Spill::free_bytes(&self.path).map_err(|error| CountError::file(&self.path, error))?;
        Ok(free + self.layer_paths(plan).filter_map(|file| Some(fs::metadata(file).ok()?.len())).sum::<u64>())
    }

    /// Removes the layer files of a plan that have no manifest: those of an interrupted process, or of a write that failed.
    pub(super) fn remove_layers(&self, plan: &CountPlan) {
        // Most files do not exist, and a file that cannot be removed is replaced when its layer is written.
        self.layer_paths(plan).for_each(|file| drop(fs::remove_file(file)));
    }

    /// The sweeps of the manifest; none before it is written.
    pub(super) fn sweeps(&self) -> &[SavedSweep] {
        self.sweeps.as_deref().unwrap_or_default()
    }

    fn layer_path(&self, sweep: usize, at: usize) -> PathBuf {
        self.path.join(format!("sweep-{sweep}-layer-{at:03}"))
    }

    /// The sweeps of the manifest, or `None` if the folder has no layers. `typed` is the question as it was typed, for messages.
    /// An error if the manifest is damaged or has another question or numbering.
    fn read_manifest(&self, typed: &SavedQuestion) -> Result<Option<Vec<SavedSweep>>, CountError> {
        let path = self.path.join(MANIFEST_NAME);
        let found =
            match saved::read_record(&path, &MANIFEST, |manifest: Manifest, body| body.finish().map(|()| manifest)) {
                Err(RecordFault::Missing) => return Ok(None),
                Err(fault) => {
                    let problem = format!("{fault}; name another folder, or remove this one");
                    return Err(CountError::unusable(&path, problem));
                }
                Ok(found) => found,
            };
        let wrong = |problem| Err(CountError::unusable(&self.path, problem));
        if found.question != self.question {
            let (found, typed) = (found.question.words(), typed.words());
            return wrong(format!("has the layers of the {found}, not of the {typed}: name another folder"));
        }
        let widths = || found.sweeps.iter().flat_map(|sweep| &sweep.widths);
        if let Some(width) = widths().find(|width| !WIDTHS.contains(width)) {
            let (least, most) = (WIDTHS.start(), WIDTHS.end());
            return wrong(format!(
                "says that a count takes {width} bytes, and counts take {least} to {most}: name another folder, or remove \
                 this one"
            ));
        }
        if found.numbering != NUMBERING {
            let other = found.numbering;
            return wrong(format!("has layers for numbering {other}, not {NUMBERING}: name another folder"));
        }
        Ok(Some(found.sweeps))
    }

    /// Writes the manifest, which makes the layers valid, and releases the lock.
    pub(super) fn write_manifest(&mut self, sweeps: Vec<SavedSweep>) -> Result<(), CountError> {
        let path = self.path.join(MANIFEST_NAME);
        let place = SavedFile::new(&path).map_err(|problem| CountError::unusable(&path, problem))?;
        // The names of the layer files must be on the disk before the manifest has its name.
        let named = File::open(&self.path).and_then(|folder| folder.sync_all());
        let manifest = Manifest { numbering: NUMBERING, question: self.question.clone(), sweeps };
        let saved = named.and_then(|()| place.save_record(&MANIFEST, &manifest, |_| Ok(())));
        (self.lock, self.sweeps) = (None, Some(manifest.sweeps));
        saved.map_err(|error| CountError::file(&path, error))
    }

    /// Writes the file of a layer.
    pub(super) fn write_layer(
        &self,
        sweep: usize,
        at: usize,
        layer: &PassLayer<'_>,
        shape: &LayerShape,
    ) -> Result<(), CountError> {
        let path = self.layer_path(sweep, at);
        let write = || -> io::Result<()> {
            let file = saved::create_part(&self.path, None)?;
            let mut output = BufWriter::with_capacity(1 << 20, file.as_file());
            output.write_all(MAGIC)?;
            layer.write_shape(shape, &mut output)?;
            output.flush()?;
            drop(output);
            // The manifest vouches for the contents of the file, so they must be on the disk before it.
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| CountError::file(&path, error))
    }

    /// Opens the file of a layer; its counts stay in the file. An error if the file is missing or damaged.
    pub(super) fn open_layer(
        &self,
        sweep: usize,
        at: usize,
        layer: &Layer,
    ) -> Result<PackedLayer<'static>, CountError> {
        let (path, width) = (self.layer_path(sweep, at), self.sweeps()[sweep].widths[at]);
        let open = || -> io::Result<PackedLayer<'static>> {
            let mut file = bounded::open(&path)?;
            let bytes = file.metadata()?.len();
            let check_length =
                |is: bool| if is { Ok(()) } else { Err(io::Error::other("it is not as long as it must be")) };
            let mut head = Vec::new();
            // The first line of another kind or version may be longer.
            (&mut file).take(LOOK_AHEAD_BYTES as u64).read_to_end(&mut head)?;
            FileKind::Layer.check(&head).map_err(|why| io::Error::other(format!("it {why}")))?;
            file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
            // Check the length of the file before memory is reserved for its parts.
            let groups_at = (MAGIC.len() + marks_bytes(layer)) as u64;
            check_length(bytes >= groups_at)?;
            let shape = LayerShape::read(&mut file, layer, width)?;
            let places: Box<[u64]> = shape.places_in_file().iter().map(|place| groups_at + place).collect();
            check_length(bytes == places[places.len() - 1])?;
            Ok(PackedLayer { shape, body: LayerBody::File(LayerFile { path: path.clone(), file, places }) })
        };
        let remedy = "remove the folder and type the same command again";
        let problem = |error| format!("is missing, damaged or of another version: {error}; {remedy}");
        open().map_err(|error| CountError::unusable(&path, problem(error)))
    }
}

/// The question that the manifest names. Layers serve both orientations of a shape, so the shape has its short side across.
/// Closed tours pass every square, so their layers serve every start, and the question has none.
fn canonical_question(question: &CountQuestion) -> SavedQuestion {
    let upright = question.upright();
    let start = question.start.filter(|_| question.ending == Ending::Open).and_then(|start| upright.square(start));
    SavedQuestion::new(&CountQuestion { shape: upright.shape, start, ..*question }, None)
}
