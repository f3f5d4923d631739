//! A stretch of input in which nothing but plain tours is expected, checked by several threads, each of which reads for
//! itself.
//!
//! # Protocol
//! The input is behind one lock, with what of it was read and not given out. Whoever takes the lock is given a piece: the
//! next few whole units (lines, or blocks), in a buffer that fits a core's cache, and its number. The piece is checked
//! without the lock. At the next turn its finding is settled: findings count in the order of the pieces, and one that has
//! to wait for a piece before it waits with its bytes. At the first piece that is not plain from end to end, or where
//! reading ends, no more pieces are given out. Where little can be read at a time, threads leave until one is left: it has
//! settled all that was read before it waits for more, so that a fault is told when it is there.
//!
//! **Nothing is lost or counted twice.** Pieces are numbered under the lock, without a gap, and each lies behind the one
//! before. A thread settles every piece that it was given, so that at the end those that wait begin with the one that is
//! not plain: what it has behind its plain tours, the pieces after it and what was never given out are, in this order,
//! the input behind the last tour that was counted, and they are given back.

use super::input::TextInput;
use super::plain::PlainTours;
use crate::lock::LockAlways as _;
use std::collections::BTreeMap;
use std::hint;
use std::io::{self, Read};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

/// Bytes for each thread that is worth starting.
const WORTH: usize = 1 << 18;
/// Threads at most: the lock lets no more than a few of them read at full speed.
const THREADS_MAX: usize = 32;
/// So many reads in turn that give less than these bytes say that somebody still writes what is read.
const SLOW: (u32, usize) = (3, 1 << 13);
/// Pieces that wait for one before them, at most.
const WAITING: usize = 64;
/// Looks at a lock that is held, before a thread sleeps: some tens of microseconds.
const LOOKS: u32 = 1000;

/// How long a stretch is, and who checks it.
#[derive(Clone, Copy)]
pub struct Extent {
    /// At most so many threads.
    pub threads: usize,
    /// Bytes of a piece, at most.
    pub piece: usize,
    /// Bytes of all pieces, about.
    pub bytes: usize,
}

/// What a stretch came to.
pub struct StretchResult {
    /// The tours up to the first fault.
    pub tours: PlainTours,
    /// Whether there is no fault.
    pub is_plain: bool,
    /// What was read and is behind those tours: `unread[at..]`.
    pub unread: Vec<u8>,
    /// See `unread`.
    pub at: usize,
    /// Why nothing can be read behind that.
    pub broken: Option<io::Error>,
}

/// Whole units, and what was found in them.
struct StretchPiece {
    number: usize,
    /// Bytes of the stretch before it.
    place: u64,
    /// It is `buffer[..length]`.
    buffer: Vec<u8>,
    length: usize,
    found: PlainTours,
}

impl StretchPiece {
    fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    fn is_plain(&self) -> bool {
        self.found.bytes == self.length
    }
}

/// What is behind the lock.
struct StretchQueue<'a, R: Read> {
    input: &'a mut TextInput<R>,
    extent: Extent,
    /// What was read and not given out: `rest[at..]`.
    rest: Vec<u8>,
    at: usize,
    /// Bytes and pieces that were given out.
    given: u64,
    pieces: usize,
    /// Whether no more are given out.
    over: bool,
    /// Reads in turn that gave little.
    short_reads: u32,
    broken: Option<io::Error>,
    /// Pieces that were settled, and their tours.
    settled: usize,
    run: PlainTours,
    /// Pieces that were checked, but are not plain or wait for one before them.
    waiting: BTreeMap<usize, StretchPiece>,
    /// Buffers of settled pieces.
    buffers: Vec<Vec<u8>>,
}

/// Checks what comes behind `rest[at..]`, and that itself. `whole` answers how many bytes of what is before it are whole
/// units, `check` what is plain from the beginning of these units on, given how many bytes of the stretch are before.
pub fn check<R: Read + Send>(
    input: &mut TextInput<R>,
    (rest, at): (Vec<u8>, usize),
    extent: Extent,
    whole: impl Fn(&[u8]) -> usize + Sync,
    check: impl Fn(u64, &[u8]) -> PlainTours + Sync,
) -> StretchResult {
    input.share(extent.threads.min(THREADS_MAX));
    let desk = Mutex::new(StretchQueue {
        input,
        extent,
        rest,
        at,
        given: 0,
        pieces: 0,
        over: false,
        short_reads: 0,
        broken: None,
        settled: 0,
        run: PlainTours::default(),
        waiting: BTreeMap::new(),
        buffers: Vec::new(),
    });
    // The lock is free again before it answers: it is not held while a piece is checked.
    let turn = |checked| locked(&desk).turn(checked, &whole);
    let work = || {
        let mut given = turn(None);
        while let Some(mut piece) = given {
            piece.found = check(piece.place, piece.bytes());
            given = turn(Some(piece));
        }
    };
    thread::scope(|scope| {
        for _ in 1..extent.threads.min(THREADS_MAX).min(extent.bytes / WORTH) {
            // A thread that cannot be started is done without.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    desk.into_inner().unwrap_or_else(PoisonError::into_inner).end()
}

/// Takes the lock, which others hold for some microseconds: whoever sleeps for it is woken long after, and perhaps where
/// another thread is at work.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..LOOKS {
        match lock.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(error)) => return error.into_inner(),
            Err(TryLockError::WouldBlock) => hint::spin_loop(),
        }
    }
    lock.locked()
}

impl<R: Read> StretchQueue<'_, R> {
    /// Settles the piece that a thread had, and gives it another one.
    fn turn(&mut self, checked: Option<StretchPiece>, whole: impl Fn(&[u8]) -> usize) -> Option<StretchPiece> {
        if let Some(piece) = checked {
            self.over |= !piece.is_plain();
            self.waiting.insert(piece.number, piece);
        }
        while let Some(first) = self.waiting.first_entry()
            && *first.key() == self.settled
            && first.get().is_plain()
        {
            let piece = first.remove();
            self.run.add(piece.found);
            self.settled += 1;
            self.buffers.push(piece.buffer);
        }
        self.over |= self.given >= self.extent.bytes as u64;
        // Somebody has been held up: what would have to wait for that piece is memory. The next stretch goes on.
        self.over |= self.waiting.len() >= WAITING;
        let in_work = self.pieces - self.settled - self.waiting.len();
        if self.over || (self.short_reads >= SLOW.0 && in_work > 0) { None } else { self.give(whole) }
    }

    /// A new piece, or nothing where reading ends, or where a unit is too long for one.
    fn give(&mut self, whole: impl Fn(&[u8]) -> usize) -> Option<StretchPiece> {
        let mut buffer = self.buffers.pop().unwrap_or_else(|| vec![0; self.extent.piece]);
        let old = buffer.len().min(self.rest.len() - self.at);
        buffer[..old].copy_from_slice(&self.rest[self.at..self.at + old]);
        self.at += old;
        let (mut read, mut length) = (old, whole(&buffer[..old]));
        // Whatever is whole will do: no pipe gives more than it holds.
        while read < buffer.len() && length == 0 {
            match self.input.read(&mut buffer[read..]) {
                Ok(0) => self.over = true,
                Ok(more) => {
                    let is_short = more < SLOW.1.min(buffer.len() - read);
                    self.short_reads = if is_short { self.short_reads + 1 } else { 0 };
                    read += more;
                    length = whole(&buffer[..read]);
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => (self.over, self.broken) = (true, Some(error)),
            }
            break;
        }
        if self.at < self.rest.len() {
            self.at -= read - length;
        } else {
            self.rest.clear();
            self.rest.extend_from_slice(&buffer[length..read]);
            self.at = 0;
        }
        let (number, place) = (self.pieces, self.given);
        if length == 0 {
            self.over = true;
            return None;
        }
        self.pieces += 1;
        self.given += length as u64;
        Some(StretchPiece { number, place, buffer, length, found: PlainTours::default() })
    }

    /// What it came to, once every thread is done.
    fn end(mut self) -> StretchResult {
        let Some((_, first)) = self.waiting.pop_first() else {
            let StretchQueue { run, rest, at, broken, .. } = self;
            return StretchResult { tours: run, is_plain: true, unread: rest, at, broken };
        };
        self.run.add(first.found);
        let mut unread = first.bytes()[first.found.bytes..].to_vec();
        for piece in self.waiting.values() {
            unread.extend_from_slice(piece.bytes());
        }
        unread.extend_from_slice(&self.rest[self.at..]);
        StretchResult { tours: self.run, is_plain: false, unread, at: 0, broken: self.broken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// Gives at most so many bytes at a time, and breaks at the end if it is to.
    struct Drops<'a>(&'a [u8], usize, bool);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(into.len()).min(self.1);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            if count == 0 && self.2 { Err(io::ErrorKind::TimedOut.into()) } else { Ok(count) }
        }
    }

    /// Units are lines, and plain ones begin with a plus; answers the stretch, after a look at where pieces were.
    fn taken(text: &[u8], before: usize, drop: usize, extent: Extent) -> StretchResult {
        let whole = |text: &[u8]| text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let plain = |place: u64, piece: &[u8]| {
            assert_eq!(&text[place as usize..][..piece.len()], piece);
            let mut found = PlainTours::default();
            for line in piece.split_inclusive(|&byte| byte == b'\n').take_while(|line| line[0] == b'+') {
                found.add(PlainTours { tours: 1, closed: 0, bytes: line.len() });
            }
            found
        };
        let mut input = TextInput::new(Drops(&text[before..], drop, true));
        let rest = [b"##", &text[..before]].concat();
        check(&mut input, (rest, 2), extent, whole, plain)
    }

    #[test]
    fn what_is_not_counted_is_given_back_wherever_the_fault_is() {
        let line = |number: usize, fault| if number == fault { "-\n".to_owned() } else { format!("+{number}\n") };
        for fault in (0..300).step_by(7) {
            let text: String = (0..300).map(|number| line(number, fault)).collect();
            let right: usize = (0..fault).map(|number| line(number, fault).len()).sum();
            for (threads, before, drop) in [(1, 0, 1000), (4, 0, 3), (4, 40, 1000), (4, 700, 5)] {
                let extent = Extent { threads, piece: 16, bytes: 4 * WORTH };
                let StretchResult { tours, is_plain, unread, at, .. } = taken(text.as_bytes(), before, drop, extent);
                assert_eq!((tours.tours, tours.bytes, is_plain), (fault as u64, right, false));
                // What was not read yet comes behind that.
                assert!(text.as_bytes()[right..].starts_with(&unread[at..]) && unread.len() > at);
            }
        }
    }

    /// Gives what is sent, line by line, and waits for more.
    struct Slow(mpsc::Receiver<&'static [u8]>);

    impl Read for Slow {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Ok(line) = self.0.recv() else { return Ok(0) };
            into[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    #[test]
    fn a_fault_is_told_before_what_comes_later() {
        let (lines, pipe) = mpsc::channel();
        let (told, telling) = mpsc::channel();
        let checking = thread::spawn(move || {
            let extent = Extent { threads: 3, piece: 1 << 17, bytes: 4 * WORTH };
            let whole = |text: &[u8]| text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let tours = |text: &[u8]| text.iter().filter(|&&byte| byte == b'+').count();
            let plain = |_: u64, piece: &[u8]| {
                let tours = tours(piece);
                PlainTours { tours: tours as u64, closed: 0, bytes: 2 * tours }
            };
            told.send(check(&mut TextInput::new(Slow(pipe)), (Vec::new(), 0), extent, whole, plain).tours.tours)
        });
        // An input says only behind some bytes whether it is compressed.
        for line in [&b"+\n"[..]; 20].into_iter().chain([&b"-\n"[..]]) {
            lines.send(line).unwrap();
        }
        // The other end stays open: nothing more comes, and nothing ends.
        let tours = telling.recv_timeout(Duration::from_secs(60));
        drop(lines);
        checking.join().unwrap().unwrap();
        assert_eq!(tours, Ok(20));
    }

    #[test]
    fn a_stretch_ends_at_its_length_and_the_next_goes_on() {
        let text = "+aaaaaa\n".repeat(100);
        let extent = Extent { threads: 2, piece: 20, bytes: 256 };
        let StretchResult { tours, is_plain, unread, at, broken } = taken(text.as_bytes(), 500, 9, extent);
        assert_eq!((tours.tours, tours.bytes, is_plain, broken.is_none()), (32, 256, true, true));
        assert_eq!(&unread[at..], &text.as_bytes()[256..500]);
    }

    #[test]
    fn an_error_and_a_line_without_end_leave_what_was_read() {
        let extent = Extent { threads: 2, piece: 20, bytes: 1000 };
        let text = b"+a\n+bb\n+ccccccccccccc\n+dddd";
        let StretchResult { tours, is_plain, unread, at, broken } = taken(text, 4, 2, extent);
        assert_eq!((tours.tours, is_plain, &unread[at..]), (3, true, &b"+dddd"[..]));
        assert_eq!(broken.unwrap().kind(), io::ErrorKind::TimedOut);
        let text = [&b"+a\n+"[..], &[b'b'; 100]].concat();
        for before in [0, 70] {
            let StretchResult { tours, unread, at, broken, .. } = taken(&text, before, 7, extent);
            assert_eq!((tours.tours, broken.is_none()), (1, true));
            assert!(unread.len() - at >= 17 && text[3..].starts_with(&unread[at..]));
        }
    }
}
