//! The figures of a worker, in one table.
//!
//! The cells of a [meter](crate::schedule::Meters), the values of a snapshot, their sums and the columns of a journal follow
//! from the table. A new figure is one line in it: its name, its kind (`cells.rs`), which says how it is stored and written, and
//! the name of its column if that is another one. Besides, only what counts it and what shows it names it.

use super::cells::{
    Count, Depth, Figure, FigureCell, Known, Place, RunningTime, SeeColumn, SmallCount, State, Time, Unit,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The name of the column of a figure: its own, or another one.
macro_rules! column {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $column:literal) => {
        $column
    };
}

/// Makes the cells and the values of a group of figures.
macro_rules! figures {
    (
        $(#[$about:meta])*
        $values:ident in $cells:ident {
            $($(#[$doc:meta])* $name:ident $(as $column:literal)?: $kind:ty,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Default, Debug)]
        pub struct $values {
            $($(#[$doc])* pub $name: <$kind as FigureCell>::Value,)+
        }

        #[derive(Default, Debug)]
        pub struct $cells {
            $(pub $name: $kind,)+
        }

        impl FigureCell for $cells {
            type Value = $values;

            fn read(&self, at: Duration) -> $values {
                $values { $($name: self.$name.read(at),)+ }
            }
        }

        impl Figure for $values {
            fn columns(&mut self, _: &'static str, see: SeeColumn<'_>) -> Result<(), String> {
                $(self.$name.columns(column!($name $($column)?), see)?;)+
                Ok(())
            }

            fn plus(self, other: $values) -> $values {
                $values { $($name: self.$name.plus(other.$name),)+ }
            }
        }
    };
}

figures! {
    /// One worker at one moment.
    WorkerSnapshot in WorkerCells {
        state: State,
        /// Nodes entered.
        nodes: Count,
        tours: Count,
        /// Depth of the current node.
        depth: Depth,
        /// Lowest level with an untried branch.
        level: Place,
        /// What the worker gave to others.
        sharing: SharingCells,
        /// Attempts that the worker began; 0 in the search of a tree.
        attempts: Count,
        /// Time with work, descheduled time included.
        busy: RunningTime,
        /// Time without work. A file has the age of the worker instead, which is busy and idle time together: all workers
        /// have about the same age, and it grows evenly.
        idle as "age": RunningTime,
        /// CPU time used; published at most a thousand times a second.
        cpu: Time,
        /// The parts of these times that went into something else than the search and waiting for work.
        overhead: OverheadCells,
        /// How often it lost its core, published once a second; `None` where the system does not tell.
        switches: Known<SwitchCells>,
        /// The worker at which this one waits.
        waits_at as "boss": Place,
        /// CPU on which the worker was last seen, published with its CPU time.
        on: Place,
    }
}

figures! {
    /// What a worker, or several together, have given to others: counts that only grow.
    #[derive(Copy, Eq, Serialize, Deserialize)]
    SharingCounts in SharingCells {
        hires: Count,
        /// Helpers donated.
        donations: Count,
    }
}

figures! {
    /// Times of one worker, or of several together, that are parts of its busy, idle and CPU time.
    #[derive(Copy, Eq, Serialize, Deserialize)]
    Overhead in OverheadCells {
        /// CPU time of handing branches over; a part of the busy time. Measured of one hand-over in sixteen.
        hand_over: Time,
        /// Time of writing tours; a part of the busy time.
        write: RunningTime,
        /// CPU time of writing tours; a part of the CPU time.
        write_cpu: Time,
        /// Time for which it had put its branch down while the run was saved; a part of the idle time.
        save: RunningTime,
    }
}

figures! {
    /// Context switches of one worker. The figures stop at their greatest value, which takes 50 days of a thousand switches a
    /// second: many of these are kept in memory.
    #[derive(Copy, Eq, Serialize, Deserialize)]
    ContextSwitches in SwitchCells {
        /// The worker went to sleep: it had no work, or waited for the output.
        voluntary: SmallCount,
        /// Something else was to run on its core.
        forced: SmallCount,
        /// Times that the worker went on on another core; `None` where the system does not tell.
        migrations: Known<SmallCount>,
    }
}

impl SwitchCells {
    /// Publishes all figures.
    pub fn set(&self, switches: ContextSwitches) {
        let ContextSwitches { voluntary, forced, migrations } = switches;
        self.voluntary.set(voluntary);
        self.forced.set(forced);
        if let Some(migrations) = migrations {
            self.migrations.set(|cell| cell.set(migrations));
        }
    }
}

impl SharingCounts {
    /// All counts, in the order of the table.
    pub fn all(mut self) -> Vec<u64> {
        let mut all = Vec::new();
        let seen = self.columns("", &mut |_, _, count| {
            all.push(*count);
            Ok(())
        });
        seen.map_or_else(|_| Vec::new(), |()| all)
    }
}

impl WorkerSnapshot {
    /// Calls `change` for each time of the worker, in microseconds.
    pub fn change_times(&mut self, mut change: impl FnMut(&mut u64)) {
        let each = &mut |_, unit, number: &mut u64| {
            if unit == Unit::Time {
                change(number);
            }
            Ok(())
        };
        self.columns("", each).unwrap_or_else(|why| unreachable!("any number is a time: {why}"));
    }
}
