//! Where the tours of a search go, to a file or to stdout, and in which format.

use super::out_file::OutFile;
use super::stream::{Stream, StreamWriter};
use crate::board::{Ending, NumberGrid, Shape, Square};
use crate::job::fault::{Failure, io_failure, refuse_if, running, usage};
use crate::job::say::STDOUT;
use crate::schedule::{BlockOutput, Format};
use crate::solve::TourOutput;
use crate::store::packed::{PackedLayout, Packer};
use crate::store::write::BoardLines;
use crate::table::table;
use clap::ValueEnum;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why tours around holes are not packed.
pub const PACKED_IS_WHOLE: &str =
    "--format packed holds tours of whole boards: leave out the holes, or name another format";

table! {
    /// How tours are written.
    /// `name`: its name in a checkpoint.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
    pub enum TourFormat(name: &'static str) {
        /// `6x6 a1 b3 c5 ..`, one tour a line
        #[default]
        #[value(name = "list", alias = "line")]
        Line: "line";
        /// A board of move numbers, then an empty line
        Grid: "grid";
        /// Bytes, three bits a move, for verify and show
        Packed: "packed";
    }
}

impl TourFormat {
    /// The format of this name.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is none.
    pub fn named(name: &str) -> Result<TourFormat, Failure> {
        TourFormat::from_str(name, false).map_err(|_| usage(format!("'{name}' is no format of tours")))
    }

    /// Number of bytes of so many tours of a shape and an ending in a file that is not complete: every tour of a shape takes as
    /// many.
    pub fn bytes(self, shape: &Shape, ending: Ending, tours: u64) -> u64 {
        let board = shape.board();
        let bytes = match self {
            TourFormat::Line => BoardLines::new(shape).bytes(),
            TourFormat::Grid => {
                let squares: Vec<Square> = shape.all().collect();
                format!("{}\n\n", NumberGrid { board, squares: &squares }).len()
            }
            TourFormat::Packed => return PackedLayout::new(board, ending).bytes_of(tours),
        };
        tours.saturating_mul(bytes as u64)
    }

    /// The function that writes one tour of `shape`.
    fn of(self, shape: &Shape) -> Format {
        match self {
            TourFormat::Line => {
                let lines = BoardLines::new(shape);
                Box::new(move |tour, block| lines.append(tour, block))
            }
            TourFormat::Grid => Box::new(|tour, block| {
                let squares: Vec<Square> = tour.squares().collect();
                let grid = NumberGrid { board: tour.board(), squares: &squares };
                block.extend_from_slice(format!("{grid}\n\n").as_bytes());
            }),
            TourFormat::Packed => {
                let packer = Packer::new(shape.board());
                Box::new(move |tour, block| packer.append(tour, block))
            }
        }
    }
}

/// A stream to what has its name already.
type SharedStream = Arc<Stream<Box<dyn Write + Send>>>;

/// Where something goes that an option names.
#[derive(Default)]
pub enum Destination {
    /// Nowhere: the option was not given.
    #[default]
    Nowhere,
    /// Straight to stdout.
    Stdout(SharedStream),
    /// Straight to a device, such as `/dev/null`.
    Device(SharedStream),
    File(OutFile),
}

impl Destination {
    /// What this option names, checked before any work begins.
    ///
    /// # Errors
    /// As [`OutFile::create`].
    pub fn new(option: &'static str, path: Option<&Path>, force: bool) -> Result<Destination, Failure> {
        let stream = |to: Box<dyn Write + Send>| Arc::new(Stream::new(to, false));
        Ok(match path {
            None => Destination::Nowhere,
            Some(path) if path == Path::new("-") => Destination::Stdout(stream(Box::new(io::stdout()))),
            Some(path) if is_device(path) => {
                let opened = File::options().write(true).open(path);
                let refused = |why: &dyn Display| usage(format!("{option} {}: {why}", path.display()));
                let device = opened.map_err(|error| refused(&error))?;
                if device.is_terminal() {
                    return Err(refused(&format_args!("is a terminal: for stdout use {option} -")));
                }
                Destination::Device(stream(Box::new(device)))
            }
            Some(path) => Destination::File(OutFile::create(option, path, force)?),
        })
    }

    /// This destination, prepared for tours of a shape and an ending in a format. A packed file has no holes.
    #[must_use]
    pub fn formed(self, format: TourFormat, shape: &Shape, ending: Ending) -> Destination {
        if format == TourFormat::Packed {
            let layout = PackedLayout::new(shape.board(), ending);
            match &self {
                Destination::Nowhere => {}
                Destination::Stdout(stream) | Destination::Device(stream) => stream.pack(layout),
                Destination::File(file) => file.stream().pack(layout),
            }
        }
        self
    }

    /// The tour output of the workers of one run, with the format and the shape of [`Destination::formed`].
    pub fn for_workers(&self, format: TourFormat, shape: &Shape) -> TourOutput {
        let output: Box<dyn BlockOutput> = match self {
            Destination::Nowhere => return None,
            Destination::Stdout(stream) | Destination::Device(stream) => Box::new(StreamWriter(Arc::clone(stream))),
            Destination::File(file) => Box::new(StreamWriter(Arc::clone(file.stream()))),
        };
        Some((output, format.of(shape)))
    }

    /// A writer for one thread.
    pub fn writer(&self) -> Box<dyn Write> {
        match self {
            Destination::Nowhere => Box::new(io::sink()),
            Destination::Stdout(stream) | Destination::Device(stream) => Box::new(StreamWriter(Arc::clone(stream))),
            Destination::File(file) => Box::new(file.writer()),
        }
    }

    /// Writes the end, and gives a file its final name. All workers must have ended.
    ///
    /// # Errors
    /// As [`OutFile::keep`], and when stdout is gone.
    pub fn keep(self) -> Result<(), Failure> {
        match self {
            Destination::File(file) => file.keep(),
            Destination::Stdout(ref stream) | Destination::Device(ref stream) => {
                stream.end().map_err(|error| self.failure(error))
            }
            Destination::Nowhere => Ok(()),
        }
    }

    /// The file, as the beginning of a message about it; empty without a file.
    pub fn shown(&self) -> String {
        if let Destination::File(file) = self { format!("{}: ", file.shown()) } else { String::new() }
    }

    /// A failure to write, with the name of the file.
    pub fn failure(&self, error: io::Error) -> Failure {
        match self {
            Destination::File(_) => running(format!("{}{error}", self.shown())),
            Destination::Device(_) => io_failure("the device of the tours cannot be written")(error),
            _ => io_failure(STDOUT)(error),
        }
    }

    /// Removes a file without tours.
    pub fn discard(self) {
        if let Destination::File(file) = self {
            file.discard();
        }
    }

    /// Leaves a file under its temporary name, and returns that.
    pub fn keep_part(self) -> Option<PathBuf> {
        if let Destination::File(file) = self { file.keep_part() } else { None }
    }
}

/// Whether a path leads to a character device, which is written to as stdout is: it takes no temporary name.
pub fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.file_type().is_char_device())
}

/// The stream as an output of workers.
impl<W: io::Write + Send> BlockOutput for StreamWriter<W> {
    fn write(&self, block: &[u8]) -> io::Result<()> {
        self.0.write(block)
    }
}

/// Refuses to write bytes to a terminal.
///
/// # Errors
/// [`Failure::Usage`] when stdout is a terminal.
pub fn refuse_bytes_on_terminal() -> Result<(), Failure> {
    refuse_if(io::stdout().is_terminal(), "--format packed writes bytes that no terminal shows: give --out a file")
}
