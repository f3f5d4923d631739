//! A race for tours as it is kept in a file while it goes on: what was asked, the tours so far, and the next attempt.
//!
//! ```text
//! destrier find 1                      what this is
//! {"asked":..,"next":17,..}            what was asked, in the words of whoever asked, and how far it is
//! [0,17,34,..]                         a line for each tour accepted: the numbers of its squares
//! 4 bytes                              the CRC-32 of all that
//! ```

use super::checkpoint::{ReadError, contents};
use crate::board::{Board, Ending, Holes, Kept, Route, Square, Tour};
use crate::saved::Place;
use crate::schedule::Raced;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

/// The first line.
pub const MAGIC: &str = "destrier find 1\n";
/// No race counts as many nodes or attempts.
const COUNT_MAX: u64 = 1 << 60;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header<T> {
    asked: T,
    every_ns: u64,
    tours: u64,
    next: u64,
    attempts: u64,
    nodes: u64,
    elapsed_ns: u64,
}

/// Puts a race in a file, with what was asked and how often it is put there, in place of the one before.
///
/// # Errors
/// When the disk does not take it; what the file had is still there.
pub fn save<T: Serialize>(place: &Place, asked: &T, every: Duration, raced: &Raced) -> io::Result<()> {
    let nanos = |time: Duration| time.as_nanos() as u64;
    let Raced { tours, next, attempts, nodes, elapsed } = raced;
    let (next, attempts, nodes, elapsed_ns) = (*next, *attempts, *nodes, nanos(*elapsed));
    let (count, every_ns) = (tours.len() as u64, nanos(every));
    let header = Header { asked, every_ns, tours: count, next, attempts, nodes, elapsed_ns };
    place.save(MAGIC, |mut output| {
        serde_json::to_writer(&mut output, &header)?;
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
) -> Result<(T, Duration, Raced), ReadError> {
    let text = contents(path, MAGIC, "race for tours")?;
    parsed(&text, of).map_err(ReadError::Damaged)
}

fn parsed<T: DeserializeOwned>(
    text: &[u8],
    of: impl FnOnce(&T) -> (Board, Ending, Holes),
) -> Result<(T, Duration, Raced), String> {
    let mut lines = text.lines();
    let header = lines.next().and_then(Result::ok).unwrap_or_default();
    let header: Header<T> = serde_json::from_str(&header).map_err(|error| error.to_string())?;
    let Header { next, attempts, nodes, elapsed_ns, every_ns, .. } = header;
    if [next, attempts, nodes, elapsed_ns, every_ns].iter().any(|&count| count > COUNT_MAX) {
        return Err("no race counts as much".to_owned());
    }
    let (board, ending, holes) = of(&header.asked);
    let mut tours = Vec::new();
    for line in lines {
        let line = line.map_err(|error| error.to_string())?;
        let squares: Vec<u32> = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let squares = squares.into_iter().map(|square| board.at(square)).collect::<Option<Box<[Square]>>>();
        let squares = squares.ok_or("a tour leaves the board")?;
        let tour = Tour::verify_around(board, holes.clone(), ending, squares);
        tours.push(Kept::from(&tour.map_err(|fault| format!("a tour is none: {fault}"))?));
    }
    if tours.len() as u64 != header.tours {
        return Err("it has not as many tours as it says".to_owned());
    }
    let raced = Raced { tours, next, attempts, nodes, elapsed: Duration::from_nanos(elapsed_ns) };
    Ok((header.asked, Duration::from_nanos(every_ns), raced))
}
