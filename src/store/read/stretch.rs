//! Verifies a stretch of input that is expected to consist of plain tours, by several threads, each of which also reads.
//!
//! # Protocol
//! One lock guards the input and the bytes that were read but not given to a thread. A thread that takes the lock gets a
//! piece: the next few whole units (lines, or blocks), in a buffer that fits in a core's cache. It verifies the
//! piece without the lock. When it takes the lock again, its result is settled. Results are added up in the order of the
//! pieces: a result that arrives before an earlier piece waits, with its bytes. After the first piece that is not plain
//! from end to end, or at the end of the input, no more pieces are given. Where little can be read at a time, all threads
//! but one leave. The last thread has settled everything that was read before it waits for more input, so that a fault is
//! reported at once.
//!
//! **No byte is lost or counted twice.** Pieces are given under the lock, without gaps, and each lies behind the one
//! before. A thread settles every piece that it gets. So at the end the first waiting piece is the one that is not plain.
//! Its bytes behind its plain tours, the waiting pieces after it, and the bytes that were not given to a thread are, in this
//! order, the input behind the last tour that was counted. They are returned as unread.

use super::decompress::UnpackedInput;
use super::plain::PlainTours;
use crate::lock::LockAlways as _;
use crate::system;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard};
use std::{hint, thread};

/// Bytes of a stretch for each thread, so that starting the thread is worth it.
const BYTES_PER_THREAD: usize = 1 << 18;
/// Most threads. The lock lets no more than a few of them read at full speed.
const THREADS_MAX: usize = 32;
/// The input is slow, because it is still being written, after this number of consecutive reads with fewer bytes than this.
const SLOW_READS: (u32, usize) = (3, 1 << 13);
/// Most pieces that wait for an earlier piece, each in a buffer of its own, whose pages are fresh.
const WAITING_MAX: usize = 16;
/// Number of attempts to take a lock before a thread sleeps: some tens of microseconds.
const SPINS: u32 = 1000;

/// The length of a stretch, and the number of threads.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Most threads.
    pub threads: usize,
    /// Most bytes of a piece.
    pub piece: usize,
    /// Approximate number of bytes of all pieces.
    pub bytes: usize,
}

/// The result of verifying a stretch.
pub struct StretchResult {
    /// The tours before the first fault.
    pub tours: PlainTours,
    /// Whether the stretch has no fault.
    pub is_plain: bool,
    /// The bytes that were read behind those tours.
    pub unread: Vec<u8>,
    /// The error of the input behind the unread bytes.
    pub error: Option<io::Error>,
}

/// A piece of whole units, and the plain tours found at its beginning.
struct StretchPiece {
    /// Number of bytes of the stretch before the piece.
    place: u64,
    bytes: Vec<u8>,
    found: PlainTours,
}

impl StretchPiece {
    fn is_plain(&self) -> bool {
        self.found.bytes == self.bytes.len()
    }
}

/// The pieces that were given to threads, and what came of them.
#[derive(Default)]
struct StretchGiven {
    /// Number of pieces that threads have, and of the bytes of all pieces.
    in_work: usize,
    bytes: u64,
    /// The tours of settled pieces.
    run: PlainTours,
    /// Verified pieces that are not plain, or that wait for an earlier piece, by their places.
    waiting: BTreeMap<u64, StretchPiece>,
    /// Buffers of settled pieces, to be used again.
    buffers: Vec<Vec<u8>>,
    /// Number of consecutive reads that gave few bytes.
    short_reads: u32,
}

/// The state behind the lock.
struct StretchQueue<'a, R: Read> {
    input: &'a mut UnpackedInput<R>,
    extent: Extent,
    /// The bytes that were read but not given to a thread are `rest[at..]`.
    rest: Vec<u8>,
    at: usize,
    given: StretchGiven,
    /// Whether no more pieces are given.
    over: bool,
    error: Option<io::Error>,
}

/// Verifies the bytes `rest[at..]` and the input behind them. `whole` returns the number of bytes of the whole units in its
/// argument. `check` gets the number of bytes of the stretch before a piece, and the piece; it returns the plain tours at
/// the beginning of the piece.
pub fn check<R: Read + Send>(
    input: &mut UnpackedInput<R>,
    rest: Vec<u8>,
    at: usize,
    extent: Extent,
    whole: impl Fn(&[u8]) -> usize + Sync,
    check: impl Fn(u64, &[u8]) -> PlainTours + Sync,
) -> StretchResult {
    input.set_threads(extent.threads.min(THREADS_MAX));
    let given = StretchGiven::default();
    let queue = Mutex::new(StretchQueue { input, extent, rest, at, given, over: false, error: None });
    // `turn` releases the lock before it returns, so the lock is not held while a piece is verified.
    let turn = |checked| spin_lock(&queue).settle_and_next(checked, &whole);
    let work = || {
        let mut given = turn(None);
        while let Some(mut piece) = given {
            piece.found = check(piece.place, &piece.bytes);
            given = turn(Some(piece));
        }
    };
    thread::scope(|scope| {
        for _ in 1..extent.threads.min(THREADS_MAX).min(extent.bytes / BYTES_PER_THREAD) {
            // Without this thread the others do its work.
            if system::start_within(scope, "check", work).is_err() {
                break;
            }
        }
        work();
    });
    queue.into_content().finish()
}

/// Takes the lock. Other threads hold it for some microseconds. A thread that sleeps for it wakes up much later, and perhaps
/// on the core of another busy thread, so it spins first.
fn spin_lock<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..SPINS {
        if let Ok(guard) = lock.try_lock() {
            return guard;
        }
        hint::spin_loop();
    }
    lock.locked()
}

impl<R: Read> StretchQueue<'_, R> {
    /// Settles the piece of a thread, and gives the thread the next one.
    fn settle_and_next(&mut self, piece: Option<StretchPiece>, whole: impl Fn(&[u8]) -> usize) -> Option<StretchPiece> {
        if let Some(piece) = piece {
            self.over |= !piece.is_plain();
            self.given.in_work -= 1;
            self.given.waiting.insert(piece.place, piece);
        }
        while let Some(first) = self.given.waiting.first_entry()
            && *first.key() == self.given.run.bytes as u64
            && first.get().is_plain()
        {
            let piece = first.remove();
            self.given.run.add(piece.found);
            self.given.buffers.push(piece.bytes);
        }
        self.over |= self.given.bytes >= self.extent.bytes as u64;
        // A thread has been delayed. More pieces would wait for its piece in memory, so this stretch ends.
        self.over |= self.given.waiting.len() >= WAITING_MAX;
        let is_slow = self.given.short_reads >= SLOW_READS.0 && self.given.in_work > 0;
        if self.over || is_slow { None } else { self.next_piece(whole) }
    }

    /// Reads the next piece. `None` at the end of the input, or when a unit does not fit in a piece.
    fn next_piece(&mut self, whole: impl Fn(&[u8]) -> usize) -> Option<StretchPiece> {
        let mut buffer = self.given.buffers.pop().unwrap_or_default();
        buffer.resize(self.extent.piece, 0);
        let mut read = buffer.len().min(self.rest.len() - self.at);
        buffer[..read].copy_from_slice(&self.rest[self.at..self.at + read]);
        self.at += read;
        let mut length = whole(&buffer[..read]);
        // The first bytes that contain a whole unit are enough, because a pipe gives no more than it holds.
        while read < buffer.len() && length == 0 && !self.over {
            match self.input.read(&mut buffer[read..]) {
                Ok(0) => self.over = true,
                Ok(more) => {
                    let is_short = more < SLOW_READS.1.min(buffer.len() - read);
                    self.given.short_reads = if is_short { self.given.short_reads + 1 } else { 0 };
                    read += more;
                    length = whole(&buffer[..read]);
                }
                Err(error) => (self.over, self.error) = (true, Some(error)),
            }
        }
        if self.at < self.rest.len() {
            self.at -= read - length;
        } else {
            self.rest.clear();
            self.rest.extend_from_slice(&buffer[length..read]);
            self.at = 0;
        }
        if length == 0 {
            self.over = true;
            return None;
        }
        buffer.truncate(length);
        let place = self.given.bytes;
        (self.given.in_work, self.given.bytes) = (self.given.in_work + 1, place + length as u64);
        Some(StretchPiece { place, bytes: buffer, found: PlainTours::default() })
    }

    /// The result, after all threads have ended.
    fn finish(mut self) -> StretchResult {
        let first = self.given.waiting.values().next().map_or(PlainTours::default(), |piece| piece.found);
        self.given.run.add(first);
        let left = self.given.waiting.values().map(|piece| &piece.bytes[..]).chain([&self.rest[self.at..]]);
        let unread = left.collect::<Vec<_>>().concat().split_off(first.bytes);
        StretchResult { tours: self.given.run, is_plain: self.given.waiting.is_empty(), unread, error: self.error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// An input that gives at most this number of bytes at a time, and at the end perhaps an error.
    struct SmallStretches<'a>(&'a [u8], usize, bool);

    impl Read for SmallStretches<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(into.len()).min(self.1);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            if count == 0 && self.2 { Err(io::ErrorKind::TimedOut.into()) } else { Ok(count) }
        }
    }

    /// Verifies lines, of which those that begin with a plus are plain. Asserts the places of the pieces.
    fn check_lines(text: &[u8], before: usize, drop: usize, extent: Extent) -> StretchResult {
        let whole = |text: &[u8]| text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let plain = |place: u64, piece: &[u8]| {
            assert_eq!(&text[place as usize..][..piece.len()], piece);
            let mut found = PlainTours::default();
            for line in piece.split_inclusive(|&byte| byte == b'\n').take_while(|line| line[0] == b'+') {
                found.add(PlainTours { tours: 1, bytes: line.len(), ..PlainTours::default() });
            }
            found
        };
        let mut input = UnpackedInput::new(SmallStretches(&text[before..], drop, true));
        let rest = [b"##", &text[..before]].concat();
        check(&mut input, rest, 2, extent, whole, plain)
    }

    #[test]
    fn bytes_behind_the_counted_tours_are_returned_wherever_the_fault_is() {
        let line = |number: usize, fault| if number == fault { "-\n".to_owned() } else { format!("+{number}\n") };
        for fault in (0..300).step_by(7) {
            let text: String = (0..300).map(|number| line(number, fault)).collect();
            let right: usize = (0..fault).map(|number| line(number, fault).len()).sum();
            for (threads, before, drop) in [(1, 0, 1000), (4, 0, 3), (4, 40, 1000), (4, 700, 5)] {
                let extent = Extent { threads, piece: 16, bytes: 4 * BYTES_PER_THREAD };
                let (mut counted, mut done, mut delayed) = (0, 0, 0);
                loop {
                    let text = &text.as_bytes()[done..];
                    let StretchResult { tours, is_plain, unread, .. } =
                        check_lines(text, before.min(text.len()), drop, extent);
                    (counted, done) = (counted + tours.tours, done + tours.bytes);
                    // The rest of the input has not been read yet. Before a fault perhaps nothing else was read.
                    assert!(text[tours.bytes..].starts_with(&unread) && (is_plain || !unread.is_empty()));
                    if !is_plain {
                        break;
                    }
                    // A thread was delayed: the stretch has ended before the fault, perhaps before its first piece.
                    delayed += 1;
                    assert!(delayed < 10_000, "it never comes to the fault at {fault}");
                }
                assert_eq!((counted, done), (fault as u64, right));
            }
        }
    }

    /// An input that gives lines as they are sent, and waits for more.
    struct Slow(mpsc::Receiver<&'static [u8]>);

    impl Read for Slow {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Ok(line) = self.0.recv() else { return Ok(0) };
            into[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    #[test]
    fn a_fault_is_reported_before_more_input_arrives() {
        let (lines, pipe) = mpsc::channel();
        let (sender, results) = mpsc::channel();
        let checking = thread::spawn(move || {
            let extent = Extent { threads: 3, piece: 1 << 17, bytes: 4 * BYTES_PER_THREAD };
            let whole = |text: &[u8]| text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let tours = |text: &[u8]| text.iter().filter(|&&byte| byte == b'+').count();
            let plain = |_: u64, piece: &[u8]| {
                let tours = tours(piece);
                PlainTours { tours: tours as u64, bytes: 2 * tours, ..PlainTours::default() }
            };
            sender.send(check(&mut UnpackedInput::new(Slow(pipe)), Vec::new(), 0, extent, whole, plain).tours.tours)
        });
        // The input is compressed or not; that is decided from its first bytes.
        for line in [&b"+\n"[..]; 20].into_iter().chain([&b"-\n"[..]]) {
            lines.send(line).unwrap();
        }
        // The sender stays open, so the input does not end.
        let tours = results.recv_timeout(Duration::from_secs(60));
        drop(lines);
        checking.join().unwrap().unwrap();
        assert_eq!(tours, Ok(20));
    }

    #[test]
    fn a_stretch_ends_at_its_length_and_leaves_the_rest() {
        let text = "+aaaaaa\n".repeat(100);
        let extent = Extent { threads: 2, piece: 20, bytes: 256 };
        let StretchResult { tours, is_plain, unread, error } = check_lines(text.as_bytes(), 500, 9, extent);
        assert_eq!((tours.tours, tours.bytes, is_plain, error.is_none()), (32, 256, true, true));
        assert_eq!(unread, &text.as_bytes()[256..500]);
    }

    #[test]
    fn an_error_and_a_line_without_end_leave_what_was_read() {
        let extent = Extent { threads: 2, piece: 20, bytes: 1000 };
        let text = b"+a\n+bb\n+ccccccccccccc\n+dddd";
        let StretchResult { tours, is_plain, unread, error } = check_lines(text, 4, 2, extent);
        assert_eq!((tours.tours, is_plain, &unread[..]), (3, true, &b"+dddd"[..]));
        assert_eq!(error.unwrap().kind(), io::ErrorKind::TimedOut);
        let text = [&b"+a\n+"[..], &[b'b'; 100]].concat();
        for before in [0, 70] {
            let StretchResult { tours, unread, error, .. } = check_lines(&text, before, 7, extent);
            assert_eq!((tours.tours, error.is_none()), (1, true));
            assert!(unread.len() >= 17 && text[3..].starts_with(&unread));
        }
    }
}
