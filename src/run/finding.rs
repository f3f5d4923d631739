//! A race for tours as it is kept in a file while it goes on: what was asked, the tours so far, and the next attempt.
//!
//! ```text
//! destrier find 1                      what this is
//! {"asked":..,"next":17,..}            what was asked, in the words of whoever asked, and how far it is
//! [0,17,34,..]                         a line for each tour accepted: the numbers of its squares
//! 4 bytes                              the CRC-32 of all that
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
/// No race counts as many nodes or attempts.
const COUNT_MAX: u64 = 1 << 60;
/// Bytes of the longest second line: what is asked may have the beginning of a tour of a million squares.
const HEADER_MAX: u64 = 16 << 20;
/// Bytes of the number of a square and what stands behind it, at most.
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

/// Puts a race in a file, with what was asked and how often it is put there, in place of the one before.
///
/// # Errors
/// When the disk does not take it; what the file had is still there.
pub fn save<T: Serialize>(place: &ReplacedFile, asked: &T, every: Duration, raced: &RaceProgress) -> io::Result<()> {
    let nanos = |time: Duration| time.as_nanos() as u64;
    let RaceProgress { tours, next, attempts, nodes, elapsed } = raced;
    let (next, attempts, nodes, elapsed_ns) = (*next, *attempts, *nodes, nanos(*elapsed));
    let (count, every_ns) = (tours.len() as u64, nanos(every));
    let header = RaceHeader { asked, every_ns, tours: count, next, attempts, nodes, elapsed_ns };
    let header = serde_json::to_vec(&header)?;
    if header.len() as u64 >= HEADER_MAX {
        let why = format!("what is asked takes more than {} MiB to be noted", HEADER_MAX >> 20);
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

/// What was asked, how often it is kept, and what the race came to. `of` says what its tours are tours of.
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
        return Err(damaged("no race counts as much"));
    }
    let (board, ending, holes) = of(&header.asked);
    let longest = SQUARE_BYTES * (u64::from(board.squares()) + 1);
    let mut tours = Vec::new();
    for _ in 0..header.tours {
        let squares: Vec<u32> = serde_json::from_slice(&next_line(input, longest)?).map_err(unread)?;
        let squares = squares.into_iter().map(|square| board.at(square)).collect::<Option<Box<[Square]>>>();
        let squares = squares.ok_or_else(|| damaged("a tour leaves the board"))?;
        let tour = Tour::verify_around(board, holes.clone(), ending, squares);
        tours.push(PackedTour::from(&tour.map_err(|fault| ReadError::Damaged(format!("a tour is none: {fault}")))?));
    }
    let raced = RaceProgress { tours, next, attempts, nodes, elapsed: Duration::from_nanos(elapsed_ns) };
    Ok((header.asked, Duration::from_nanos(every_ns), raced))
}
