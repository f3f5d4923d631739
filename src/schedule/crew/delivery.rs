//! Tours on their way out: verified, written whole, never dropped, never mixed up.
//!
//! Each worker has a [`Courier`]: it verifies every tour a search hands it, makes the images a representative stands
//! for, keeps to the limit and formats complete lines into a buffer of its own; the buffer goes to the [`Outlet`] as
//! one block of whole tours. A worker waits for a slow outlet; it never drops.

use super::control::Control;
use crate::board::{Board, Checker, Ending, TourRef};
use crate::lock::LockAlways as _;
use crate::search::TourSink;
use crate::stop::StopReason;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes after which a courier hands its buffer on: a block is to be worth the call. Among many workers it is less, for all
/// buffers of a crew together are to be small beside what it has anyway.
const BLOCK_BYTES: RangeInclusive<usize> = 1 << 12..=1 << 16;
/// Bytes that the buffers of a crew may have together.
const BLOCKS_BYTES: usize = 1 << 21;

/// Where blocks of formatted tours go.
pub trait Outlet: Send + Sync {
    /// Takes one block of whole tours.
    ///
    /// # Errors
    /// What the operating system said when it could not be written.
    fn write(&self, block: &[u8]) -> io::Result<()>;
}

/// Which of the tours that a search hands out count.
pub trait TourFilter: Send + Sync {
    /// Calls `each` with every tour that `squares` stands for; none when it is not the one to keep of its class.
    fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8]));
}

/// Appends one tour, in some format, to a block.
pub type Format = Box<dyn Fn(TourRef<'_>, &mut Vec<u8>) + Send + Sync>;

/// What is to be done with the tours of a run; shared by all its workers.
pub struct Delivery {
    checker: Checker,
    images: Option<Box<dyn TourFilter>>,
    /// Whether each tour is looked at. One by one they are not if only their number matters.
    is_seen: bool,
    limit: Option<u64>,
    taken: AtomicU64,
    outlet: Option<(Box<dyn Outlet>, Format)>,
    failure: Mutex<Option<io::Error>>,
}

impl Delivery {
    /// Delivery of tours of this board and ending.
    ///
    /// # Panics
    /// When the board is larger than those that are enumerated.
    pub fn new(board: Board, ending: Ending) -> Delivery {
        let checker = Checker::new(board, ending);
        Delivery {
            checker: checker.unwrap_or_else(|| panic!("no search hands out tours of {board}")),
            images: None,
            is_seen: true,
            limit: None,
            taken: AtomicU64::new(0),
            outlet: None,
            failure: Mutex::new(None),
        }
    }

    /// Passes every tour through `images`.
    pub fn images(mut self, images: Box<dyn TourFilter>) -> Delivery {
        self.images = Some(images);
        self
    }

    /// Lets workers count their tours without handing them out: nobody sees them, and all of them count.
    pub fn unseen(self) -> Delivery {
        Delivery { is_seen: false, ..self }
    }

    /// Stops the run after exactly this many tours.
    pub fn limit(mut self, tours: u64) -> Delivery {
        self.limit = Some(tours);
        self
    }

    /// Counts these tours, which were delivered before, for the limit.
    pub(super) fn after(self, tours: u64) -> Delivery {
        Delivery { taken: AtomicU64::new(tours), ..self }
    }

    /// Writes every tour.
    pub fn outlet(mut self, outlet: Box<dyn Outlet>, format: Format) -> Delivery {
        self.outlet = Some((outlet, format));
        self
    }

    /// Why the tours could not be written, if so.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure.locked().take()
    }

    /// Tours after which it takes no more.
    pub fn tour_limit(&self) -> Option<u64> {
        self.limit
    }

    /// Takes tickets for so many more tours; answers for how many the limit leaves room.
    fn admit(&self, tours: u64, control: &Control) -> u64 {
        let Some(limit) = self.limit else { return tours };
        let taken = self.taken.fetch_add(tours, Ordering::Relaxed);
        if taken + tours >= limit {
            control.stop(StopReason::Limit);
        }
        limit.saturating_sub(taken).min(tours)
    }
}

/// One worker's hand on the delivery.
pub struct Courier<'a> {
    delivery: &'a Delivery,
    control: &'a Control,
    block: Vec<u8>,
    /// Bytes after which it is handed on.
    full: usize,
}

impl<'a> Courier<'a> {
    /// A courier with an empty buffer, one of so many.
    pub fn new(delivery: &'a Delivery, control: &'a Control, couriers: usize) -> Courier<'a> {
        let full = (BLOCKS_BYTES / couriers).clamp(*BLOCK_BYTES.start(), *BLOCK_BYTES.end());
        Courier { delivery, control, block: Vec::new(), full }
    }

    /// Itself where somebody is to see each tour; else a search may count them in its own way, which is much faster,
    /// and [`Courier::count`] is to be told.
    pub fn sink(&mut self) -> Option<&mut dyn TourSink> {
        if self.delivery.is_seen { Some(self) } else { None }
    }

    /// Takes tours that were counted, not seen; answers how many of them are accepted. All are, if they were seen.
    pub fn count(&self, tours: u64) -> u64 {
        if self.delivery.is_seen { tours } else { self.delivery.admit(tours, self.control) }
    }

    /// Hands the buffer on.
    pub fn flush(&mut self) {
        let Some((outlet, _)) = &self.delivery.outlet else { return };
        if self.block.is_empty() {
            return;
        }
        if let Err(error) = outlet.write(&self.block) {
            self.delivery.failure.locked().get_or_insert(error);
            self.control.stop(StopReason::Failed);
        }
        self.block.clear();
    }

    fn deliver(&mut self, squares: &[u8]) -> u64 {
        let checker = &self.delivery.checker;
        let tour = match checker.check(squares) {
            Ok(tour) => tour,
            Err(fault) => panic!("the search handed out something that is not a tour of {}: {fault}", checker.board()),
        };
        if self.delivery.admit(1, self.control) == 0 {
            return 0;
        }
        if let Some((_, format)) = &self.delivery.outlet {
            format(tour, &mut self.block);
            if self.block.len() >= self.full {
                self.flush();
            }
        }
        1
    }
}

impl TourSink for Courier<'_> {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        let Some(images) = &self.delivery.images else { return self.deliver(squares) };
        let mut accepted = 0;
        images.expand(squares, &mut |image| accepted += self.deliver(image));
        accepted
    }
}
