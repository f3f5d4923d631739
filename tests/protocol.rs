//! Checks of the hire protocol: the files that are shipped, compiled a second, third and fourth time, over the types of
//! the shuttle and loom model checkers and over the standard ones, and driven by one model.
//!
//! | test | types | schedules | finds |
//! | --- | --- | --- | --- |
//! | `explore` | shuttle | random and PCT | interleavings of three to five workers, all orderings as SeqCst |
//! | `exhaust` | loom | all with few preemptions | two or three workers, orderings as written |
//! | `mutants` | shuttle, loom | as above | that the checks see each known bug, patched into a copy |
//! | `steps` | std | one thread, call by call | what each call does |
//! | `stress` | std | the machine's | real threads, up to 300 of them, panics included |

#[path = "../src/schedule"]
mod over_shuttle {
    #[path = "../../tests/protocol/explore.rs"]
    mod explore;
    #[path = "../../tests/protocol/model.rs"]
    mod model;
    mod protocol;
    mod slot;
    #[path = "../../tests/protocol/sync_shuttle.rs"]
    mod sync;

    #[test]
    fn random_schedules_keep_the_invariants() {
        explore::random();
    }

    #[test]
    fn pct_schedules_keep_the_invariants() {
        explore::pct();
    }
}

#[path = "../src/schedule"]
mod over_loom {
    #[path = "../../tests/protocol/exhaust.rs"]
    mod exhaust;
    #[path = "../../tests/protocol/model.rs"]
    mod model;
    mod protocol;
    mod slot;
    #[path = "../../tests/protocol/sync_loom.rs"]
    mod sync;

    #[test]
    fn two_workers_keep_the_invariants() {
        exhaust::two_workers();
    }

    #[test]
    fn three_workers_keep_the_invariants() {
        exhaust::three_workers();
    }
}

#[path = "../src/schedule"]
mod over_std {
    #[path = "../../tests/protocol/model.rs"]
    mod model;
    mod protocol;
    mod slot;
    #[path = "../../tests/protocol/steps.rs"]
    mod steps;
    #[path = "../../tests/protocol/stress.rs"]
    mod stress;
    #[path = "../../tests/protocol/sync_std.rs"]
    mod sync;
}

mod mutants;
