//! The delivery of tours: each tour is verified, written whole and never dropped.
//!
//! Each worker has a [`TourWriter`]. It verifies every tour that a search finds, makes the images that a representative stands
//! for, and obeys the limit. It formats complete lines into a buffer of its own. The buffer goes to the [`BlockOutput`] as one
//! block of whole tours. A worker waits for a slow output; it never drops a tour.

use super::control::Control;
use super::meter::Meters;
use super::thread::cpu_time;
use crate::board::{Checker, Ending, Shape, TourRef};
use crate::lock::LockAlways as _;
use crate::search::TourSink;
use crate::stop::StopReason;
use crate::system::at_best_level;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Size of a buffer, in bytes, at which it is written: a block must be worth the system call. In a large crew the
/// buffers are smaller, so that all of them together stay small beside the other memory of the crew.
const BLOCK_BYTES: RangeInclusive<usize> = 1 << 12..=1 << 16;
/// Size of all buffers of a crew together, in bytes.
const BLOCKS_BYTES: usize = 1 << 21;

/// The destination of blocks of formatted tours.
pub trait BlockOutput: Send + Sync {
    /// Writes one block of whole tours.
    ///
    /// # Errors
    /// The error of the operating system when the block could not be written.
    fn write(&self, block: &[u8]) -> io::Result<()>;
}

/// The tours that each tour of a search stands for.
pub trait TourFilter: Send + Sync {
    /// Calls `each` with every tour that `squares` stands for; with none if `squares` is not the representative of its
    /// class.
    fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8]));
}

/// Appends one tour, in some format, to a block.
pub type Format = Box<dyn Fn(TourRef<'_>, &mut Vec<u8>) + Send + Sync>;

/// The delivery of the tours of a run, shared by all its workers.
pub struct Delivery {
    checker: Checker,
    images: Option<Box<dyn TourFilter>>,
    /// Whether the searches hand out each tour. They do not if only the number of tours matters.
    hands_out_tours: bool,
    limit: Option<u64>,
    admitted: AtomicU64,
    output: Option<(Box<dyn BlockOutput>, Format)>,
    failure: Mutex<Option<io::Error>>,
}

impl Delivery {
    /// Delivery of tours of this shape and ending.
    ///
    /// # Panics
    /// When the board is too large for a search that enumerates tours.
    pub fn new(shape: &Shape, ending: Ending) -> Delivery {
        let checker = Checker::new(shape, ending);
        Delivery {
            checker: checker.unwrap_or_else(|| panic!("no search hands out tours of {shape}")),
            images: None,
            hands_out_tours: true,
            limit: None,
            admitted: AtomicU64::new(0),
            output: None,
            failure: Mutex::new(None),
        }
    }

    /// Replaces every tour by its `images`.
    pub fn images(mut self, images: Box<dyn TourFilter>) -> Delivery {
        self.images = Some(images);
        self
    }

    /// Lets searches count their tours without handing them out. All of the tours count.
    pub fn count_only(self) -> Delivery {
        Delivery { hands_out_tours: false, ..self }
    }

    /// Stops the run after exactly this many tours.
    pub fn limit(mut self, tours: u64) -> Delivery {
        self.limit = Some(tours);
        self
    }

    /// Counts `tours` that were delivered by an earlier run for the limit.
    pub(super) fn resumed_after(self, tours: u64) -> Delivery {
        Delivery { admitted: AtomicU64::new(tours), ..self }
    }

    /// Writes every tour to `output`.
    pub fn output(mut self, output: Box<dyn BlockOutput>, format: Format) -> Delivery {
        self.output = Some((output, format));
        self
    }

    /// Takes the error with which writing the tours failed, if it did.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure.locked().take()
    }

    /// Number of tours after which the run stops.
    pub fn tour_limit(&self) -> Option<u64> {
        self.limit
    }

    /// Reserves room for `tours` more tours under the limit; answers how many are accepted.
    fn admit(&self, tours: u64, control: &Control) -> u64 {
        let Some(limit) = self.limit else { return tours };
        let admitted = self.admitted.fetch_add(tours, Ordering::Relaxed);
        if admitted + tours >= limit {
            control.stop(StopReason::Limit);
        }
        limit.saturating_sub(admitted).min(tours)
    }
}

/// One worker's access to the delivery.
pub struct TourWriter<'a> {
    delivery: &'a Delivery,
    control: &'a Control,
    block: Vec<u8>,
    /// Size at which the block is written, in bytes.
    block_bytes: usize,
    meters: &'a Meters,
    /// The worker whose tours these are.
    worker: usize,
}

impl<'a> TourWriter<'a> {
    /// The tours of a worker, with an empty buffer.
    pub fn new(delivery: &'a Delivery, control: &'a Control, meters: &'a Meters, worker: usize) -> TourWriter<'a> {
        let block_bytes = (BLOCKS_BYTES / meters.len()).clamp(*BLOCK_BYTES.start(), *BLOCK_BYTES.end());
        TourWriter { delivery, control, block: Vec::new(), block_bytes, meters, worker }
    }

    /// This writer as a sink if each tour is to be handed out. Otherwise `None`: the search counts tours in its own way,
    /// which is much faster, and reports the number to [`TourWriter::count`].
    pub fn sink(&mut self) -> Option<&mut dyn TourSink> {
        if self.delivery.hands_out_tours { Some(self) } else { None }
    }

    /// Counts `tours` that were not handed out; answers how many are accepted. Tours that were handed out are all accepted.
    pub fn count(&self, tours: u64) -> u64 {
        if self.delivery.hands_out_tours { tours } else { self.delivery.admit(tours, self.control) }
    }

    /// Writes the buffer to the output.
    pub fn flush(&mut self) {
        let Some((output, _)) = &self.delivery.output else { return };
        if self.block.is_empty() {
            return;
        }
        // The output may let the worker wait for as long as it likes, so this is known before.
        let (overhead, cpu_began) = (&self.meters.of(self.worker).figures.overhead, cpu_time());
        overhead.write.start(self.meters.since(Instant::now()));
        if let Err(error) = output.write(&self.block) {
            self.delivery.failure.locked().get_or_insert(error);
            self.control.stop(StopReason::Failed);
        }
        self.block.clear();
        overhead.write.stop(self.meters.since(Instant::now()));
        overhead.write_cpu.add(cpu_time().saturating_sub(cpu_began));
    }

    /// Whether there is something to write.
    pub fn has_tours(&self) -> bool {
        !self.block.is_empty()
    }

    at_best_level! {
        fn deliver, deliver_by_v3, deliver_by_any of Self (self: &mut Self, squares: &[u8]) -> u64 {
            let checker = &self.delivery.checker;
            let tour = match checker.check(squares) {
                Ok(tour) => tour,
                Err(fault) => panic!("the search handed out something that is not a tour of {}: {fault}", checker.shape()),
            };
            if self.delivery.admit(1, self.control) == 0 {
                return 0;
            }
            if let Some((_, format)) = &self.delivery.output {
                format(tour, &mut self.block);
                if self.block.len() >= self.block_bytes {
                    self.flush();
                }
            }
            1
        }
    }
}

impl TourSink for TourWriter<'_> {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        let Some(images) = &self.delivery.images else { return self.deliver(squares) };
        let mut accepted = 0;
        images.expand(squares, &mut |image| accepted += self.deliver(image));
        accepted
    }
}
