//! A race for tours in a file: the question, the tours so far, and the next attempt.
//!
//! ```text
//! destrier find 1                      the format
//! {"asked":..,"next":17,..}            the question as the caller writes it, and the progress
//! [0,17,34,..]                         a line for each tour accepted: the numbers of its squares
//! 4 bytes                              the CRC-32 of the whole file
//! ```

use super::checkpoint::{CheckpointInput, ReadError, blamed, faulty, next_line, opened};
use crate::board::{Board, Ending, Holes, PackedTour, Route, Square, Tour};
use crate::saved::ReplacedFile;
use crate::schedule::RaceProgress;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The first line.
pub const MAGIC: &str = "destrier find 1\n";
/// No race counts more nodes or attempts.
const COUNT_MAX: u64 = 1 << 60;
/// Most bytes of the second line: a question may hold the beginning of a tour of a million squares.
const HEADER_MAX: u64 = 16 << 20;
/// Most bytes of a square number and its separator.
const SQUARE_BYTES: u64 = 11;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RaceHeader<T> {
    asked: T,
    pub(super) every_ns: u64,
    tours: u64,
    next: u64,
    attempts: u64,
    nodes: u64,
    pub(super) elapsed_ns: u64,
}

/// Saves a race with its question and the interval of saves, in place of the checkpoint before.
///
/// # Errors
/// When the file cannot be written; the previous checkpoint is still there.
pub fn save<T: Serialize>(place: &ReplacedFile, asked: &T, every: Duration, raced: &RaceProgress) -> io::Result<()> {
    let nanos = |time: Duration| time.as_nanos() as u64;
    let RaceProgress { tours, next, attempts, nodes, elapsed } = raced;
    let (next, attempts, nodes, elapsed_ns) = (*next, *attempts, *nodes, nanos(*elapsed));
    let (count, every_ns) = (tours.len() as u64, nanos(every));
    let header = RaceHeader { asked, every_ns, tours: count, next, attempts, nodes, elapsed_ns };
    let header = serde_json::to_vec(&header)?;
    if header.len() as u64 >= HEADER_MAX {
        let why = format!("the question takes more than {} MiB, the limit of a checkpoint", HEADER_MAX >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    place.save(MAGIC, |mut output| {
        output.write_all(&header)?;
        output.write_all(b"\n")?;
        for tour in tours {
            let squares: Vec<u32> = tour.walk().map(Square::index).collect();
            serde_json::to_writer(&mut output, &squares)?;
            output.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// Reads the question, the interval of saves, and the progress of a race. `of` gives the kind of tours of a question.
///
/// # Errors
/// [`ReadError`].
pub fn read<T: DeserializeOwned>(
    path: &Path,
    of: impl FnOnce(&T) -> (Board, Ending, Holes),
) -> Result<(T, Duration, RaceProgress), ReadError> {
    let mut input = opened(path, MAGIC, "race for tours")?;
    blamed(path, parsed(&mut input, of).and_then(|read| input.check().map(|()| read).map_err(faulty)))
}

fn parsed<T: DeserializeOwned>(
    input: &mut CheckpointInput,
    of: impl FnOnce(&T) -> (Board, Ending, Holes),
) -> Result<(T, Duration, RaceProgress), ReadError> {
    let damaged = |why: &str| ReadError::Damaged(why.to_owned());
    let unread = |error: serde_json::Error| ReadError::Damaged(error.to_string());
    let header: RaceHeader<T> = serde_json::from_slice(&next_line(input, HEADER_MAX)?).map_err(unread)?;
    let RaceHeader { next, attempts, nodes, elapsed_ns, every_ns, .. } = header;
    if [next, attempts, nodes, elapsed_ns, every_ns].iter().any(|&count| count > COUNT_MAX) {
        return Err(damaged("its figures are larger than any race can count"));
    }
    let (board, ending, holes) = of(&header.asked);
    let longest = SQUARE_BYTES * (u64::from(board.squares()) + 1);
    let mut tours = Vec::new();
    for _ in 0..header.tours {
        let squares: Vec<u32> = serde_json::from_slice(&next_line(input, longest)?).map_err(unread)?;
        let squares = squares.into_iter().map(|square| board.at(square)).collect::<Option<Box<[Square]>>>();
        let squares = squares.ok_or_else(|| damaged("a tour has a square outside the board"))?;
        let tour = Tour::verify_around(board, holes.clone(), ending, squares);
        tours.push(PackedTour::from(
            &tour.map_err(|fault| ReadError::Damaged(format!("a tour is not valid: {fault}")))?,
        ));
    }
    let raced = RaceProgress { tours, next, attempts, nodes, elapsed: Duration::from_nanos(elapsed_ns) };
    Ok((header.asked, Duration::from_nanos(every_ns), raced))
}
