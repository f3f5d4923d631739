//! A race for tours in a file: the question, the tours so far, and the next attempt.
//!
//! The file is a [record](crate::saved). Its header has the question as the caller writes it, and the progress. Its body has a
//! line for each tour accepted: the numbers of its squares, such as `[0,17,34]`.

use super::checkpoint::{COUNT_MAX, interval, time};
use crate::board::{Board, Ending, Holes, PackedTour, Route, Square, Tour};
use crate::bounded::{self, FileKind};
use crate::saved::{self, RecordBody, RecordFault, RecordKind, ReplacedFile};
use crate::schedule::RaceProgress;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// A checkpoint of a race for tours. Its question may hold the beginning of a tour of a million squares.
const KIND: RecordKind = RecordKind { kind: FileKind::Race, header_max: 16 << 20 };
/// Most bytes of a square number and its separator.
const SQUARE_BYTES: u64 = 11;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RaceHeader<T> {
    asked: T,
    every_s: f64,
    tours: u64,
    next: u64,
    attempts: u64,
    nodes: u64,
    elapsed_s: f64,
}

/// Saves a race with its question and the interval of saves, in place of the checkpoint before.
///
/// # Errors
/// When the file cannot be written; the previous checkpoint is still there.
pub fn save<T: Serialize>(place: &ReplacedFile, asked: &T, every: Duration, raced: &RaceProgress) -> io::Result<()> {
    let RaceProgress { tours, next, attempts, nodes, elapsed } = raced;
    let (next, attempts, nodes, elapsed_s) = (*next, *attempts, *nodes, elapsed.as_secs_f64());
    let (count, every_s) = (tours.len() as u64, every.as_secs_f64());
    let header = RaceHeader { asked, every_s, tours: count, next, attempts, nodes, elapsed_s };
    place.save_record(&KIND, &header, |mut output| {
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
/// [`RecordFault`].
pub fn read<T: DeserializeOwned>(
    path: &Path,
    of: impl Fn(&T) -> (Board, Ending, Holes),
) -> Result<(T, Duration, RaceProgress), RecordFault> {
    saved::read_record(path, &KIND, |header, body| parse(header, body, &of))
}

fn parse<T>(
    header: RaceHeader<T>,
    body: &mut RecordBody,
    of: impl FnOnce(&T) -> (Board, Ending, Holes),
) -> Result<(T, Duration, RaceProgress), RecordFault> {
    let RaceHeader { asked, every_s, tours: count, next, attempts, nodes, elapsed_s } = header;
    let times =
        interval(every_s).zip(time(elapsed_s)).filter(|_| [next, attempts, nodes].iter().all(|&n| n <= COUNT_MAX));
    let (every, elapsed) =
        times.ok_or_else(|| RecordFault::damaged("its figures are negative, or larger than any race can count"))?;
    let (board, ending, holes) = of(&asked);
    let longest = SQUARE_BYTES * (u64::from(board.squares()) + 1);
    let mut tours = Vec::new();
    for _ in 0..count {
        let squares: Vec<u32> = bounded::json(&body.line(longest)?).map_err(RecordFault::damaged)?;
        let squares = squares.into_iter().map(|square| board.at(square)).collect::<Option<Box<[Square]>>>();
        let squares = squares.ok_or_else(|| RecordFault::damaged("a tour has a square outside the board"))?;
        let tour = Tour::verify_around(board, holes.clone(), ending, squares);
        let tour = tour.map_err(|fault| RecordFault::damaged(format!("a tour is not valid: {fault}")))?;
        tours.push(PackedTour::from(&tour));
    }
    Ok((asked, every, RaceProgress { tours, next, attempts, nodes, elapsed }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// What `--every` takes is read again, however long it is; what it does not take is refused.
    #[test]
    fn an_interval_may_be_longer_than_any_race() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("race")).unwrap();
        let of = |_: &u32| ("5x6".parse().unwrap(), Ending::Open, Holes::none());
        for seconds in [30, 1 << 30, 1 << 63] {
            let every = Duration::from_secs(seconds);
            save(&place, &7u32, every, &RaceProgress::default()).unwrap();
            assert_eq!(read(place.path(), of).unwrap().1, every);
        }
        let line = KIND.kind.first_line();
        for (every, elapsed) in [("-1.0", "0.0"), ("1e300", "0.0"), ("1.0", "-1.0"), ("1.0", "1e9")] {
            let text = format!(
                "{line}{{\"asked\":7,\"every_s\":{every},\"tours\":0,\"next\":0,\"attempts\":0,\"nodes\":0,\
                 \"elapsed_s\":{elapsed}}}\n"
            );
            let seal = saved::checksum([text.as_bytes()]).to_le_bytes();
            fs::write(place.path(), [text.as_bytes(), &seal].concat()).unwrap();
            let refused = read(place.path(), of).unwrap_err().to_string();
            assert!(refused.contains("negative, or larger than any race can count"), "{every}: {refused}");
        }
    }
}
