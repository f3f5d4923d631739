//! destrier: a knight's tour laboratory for the terminal.
//!
//! It enumerates knight's tours as fast as the hardware allows and shows live how threads share the work. Two promises
//! pull against each other, *see everything* and *run at the limit*; they are kept together in one way everywhere:
//! workers run in bursts and publish meters, only rare facts are events, and what could not be shown is counted.
//!
//! # From above
//!
//! ```text
//!   words typed ──> cli ──> Job ──> job::run: begin, attend, finish ──> report, exit code
//!                            │
//!                            │ Plan { Question, .. }
//!                            v
//!   keys ──> ui ── Wish ──> Source (live, a count, recorded, simulated: no screen can tell)
//!            ^               │  ^
//!            ├─── Frame ─────┘  │ snapshots, events
//!   journal, trace, viewers,    │
//!   progress line               Crew: meters, events, workers, scheduler
//!                               │ bursts, splits, rests
//!                               v
//!                  Solver ──> Kernel (a search on a Stack of choices)
//!
//!   count: Plan ──> sweeps of layers ──> Answer          gpu: shaders and their twins on the CPU
//! ```
//!
//! A [`solve::Solver`] answers a [`solve::Problem`]: it builds a [`search::Kernel`] and hands it to a
//! [`schedule::Crew`], whose workers drive one each in bursts and share the tree under one [`schedule::Scheduler`]. What
//! they find goes through one [`schedule::Delivery`], whose [`board::Checker`] verifies each tour before it is written; a
//! [`board::Tour`] is made by verification alone. A
//! [`solve::Finder`] answers a [`solve::Request`] with [`board::Route`]s: stored tours, or formulae that
//! [`board::verify_in_blocks`] verifies as they are written. Numbers of tours come from [`count`], which lists none.
//!
//! Whatever runs is looked at in one way: a [`run::Source`] gives [`run::Frame`]s, which are plain data, takes
//! [`run::Wish`]es, and ends in a [`run::End`]. What it gave is kept in a [`run::RunHistory`], any moment of which can be shown
//! again, and can be written to a [`run::journal`], which is a source later.
//!
//! A run that is saved, recorded, detached or watched takes one path: a [`job::Job`] is one run with its files, and
//! [`job::run()`] takes it from its first file to its exit code, whether it is new or resumed, with a screen or without one.
//! A search, a race on one board, a count and a map are jobs. What has neither a checkpoint nor an observer is work under
//! [`job::with_signals`] and no job: `count --plan`, `--symmetry`, `--per-start` and `--estimate`, tours by number and drawn
//! ones, `find` of a range of boards, `simulate`, `compare`, `reproduce`, the lessons of the tutorial, and the runs that the key `C` compares.
//!
//! # As a book
//!
//! Read in this order; each chapter needs only those before it. The head of a room says what it is for and where to begin.
//!
//! 1. [`board`]: boards, squares, moves, and what a tour is. [`board::Tour`] exists only where a check succeeded.
//! 2. [`search`]: a tree of choices, and a kernel that walks it in bursts. `search/brute.rs` is the plainest. [`explain`] walks the
//!    same trees one step at a time, with reasons.
//! 3. [`schedule`]: many workers share one tree. `schedule/README.md` states the hire protocol and proves that it ends.
//!    [`simulate`] runs it with a thousand virtual workers.
//! 4. [`find`] looks for one tour, [`count`] counts without listing (`count/README.md`), [`gpu`] has work for a
//!    device.
//! 5. [`solve`]: all methods by name. After this chapter one can add a solver (`solve/README.md`).
//! 6. [`run`]: a run as data, which a screen, a file and another process see alike (`run/README.md`).
//! 7. [`job`]: the life of a run, from its first file to its exit code. [`saved`] and [`store`] hold its files (`saved/README.md`).
//! 8. [`ui`] shows it, [`cli`] begins it.
//!
//! The works behind it are in `BIBLIOGRAPHY.md`, what changed by version in `CHANGES.md`.
//!
//! # Where to begin
//!
//! Two steps lead to any feature: the line here, then the file, or the table in the module doc of its room.
//!
//! | looked for | begin at |
//! | --- | --- |
//! | a search of all tours, its nodes and prunes | [`search`]: `search/radley.rs`, its prune tests `search/prune.rs`; the figures that it must reproduce: `cli/reproduce/radley.csv` |
//! | nodes and prunes by depth | counted by each kernel: `search/radley.rs`, near the leaves `search/lanes.rs`; added up: `schedule/crew/meter.rs`; drawn: `ui/live/view/depths.rs` |
//! | a search one step at a time, with reasons | [`explain`]; on the screen `ui/step`, which also plays the film of the GPU cycles |
//! | one tour; attempts, seeds, races | [`find`]: `find/attempt.rs`; `schedule/race` runs many; `find/comb` needs none; Warnsdorff's rule: `find/warnsdorff/rule.rs`, ties: `find/warnsdorff/ties.rs` |
//! | how threads share: hires, rules, proof | `schedule/README.md`, `schedule/protocol.rs` (`nominate`: who is asked for work), `schedule/schedulers/hire.rs` |
//! | a scheduler, how it shares | `schedule/scheduler.rs`: its card; a file with its search, and a row in `schedule/schedulers/mod.rs` |
//! | adding a scheduler | `schedule/schedulers/README.md`: the files to touch, a skeleton, and the commands that prove it |
//! | pause, slow motion, a change of rule | `run/source.rs` (what can be wished), `schedule/crew/control.rs` (how it is heard) |
//! | a figure of a worker | one line in the table of `schedule/figures/workers.rs`; published: `schedule/crew/meter.rs`, `schedule/crew/worker.rs` |
//! | thousands of virtual workers | [`simulate`]; as a command `cli/simulate/run.rs` |
//! | a number of tours; classes; a range of boards | [`count`]: `count/README.md`, `count/run/driver.rs`, `count/symmetric` |
//! | how many bits a count takes; remainders | `count/pass/steps.rs` (`widths`); beyond 128 bits `count/run/driver.rs` |
//! | the tour with a number, uniform tours | `count/number` |
//! | estimates: of a count, of a run's whole tree | `count/estimate`; `search/probe.rs`, `schedule/figures/progress.rs` |
//! | a file of tours, read or written | [`store`]; three bits a move: `store/packed/record.rs`, `board/packed.rs`; lists and grids read fast: `store/read/plain.rs`, by threads `store/read/stretch.rs`; checked: `store/check.rs`, and before it is written `schedule/crew/delivery.rs` |
//! | a theorem, a published number | `board/existence.rs`, `board/known_counts.rs` |
//! | a shader and its twin | [`gpu`]: the shortest `gpu/map/map.wgsl` and `gpu/map/workers.rs`; `gpu/cycle` |
//! | a published table, run again | `cli/reproduce/runner.rs`; its rows are a CSV file beside it; figures that no command prints: `cli/reproduce/figures.rs` |
//! | a method by its name | [`solve`]: a file with its card, and a line in [`solve::SOLVERS`], from which its help follows |
//! | adding a solver | `solve/README.md`: the files to touch, a skeleton, and the commands that prove it |
//! | a command, from the words to the exit code | `cli/search/run.rs`, `job/run.rs`, `job/saving/search.rs` |
//! | what a command reports, as text and as JSON | `job/report.rs`; of a search `cli/search/report.rs` |
//! | a signal: Ctrl-C, TERM, HUP, XCPU, USR2 | caught: `signal/listener.rs`; how it stops a run: `job/attend.rs`, `job/active.rs`; saved: `job/saving/search.rs`; its exit code: `job/fault.rs` (`exit_code`); USR1: `signal/disposition.rs`, `save_request.rs` |
//! | help, examples, the manual | `cli/pages`: a text for each command in `cli/pages/text`; completions: `cli/completions.rs` |
//! | what `--version` says | `build.rs`, `cli/doctor/program.rs` |
//! | what a processor can run; kernels compiled at two levels | `system/processor.rs` (`at_best_level`) |
//! | an option that several commands share | `cli/args/question.rs`, `job/saving/options.rs` |
//! | checkpoints, files that are never half written | `job/saving`, `saved/README.md` (every file, byte by byte) |
//! | a checkpoint, read, checked, refused | by `resume`: `cli/resume.rs`, `job/saving/place.rs`; of any run `saved/run.rs`; checksum: `saved/record.rs`; of a search `run/checkpoint.rs`; of a count `count/run/saved_count.rs`, forged counts `count/pass/stored_layer.rs` |
//! | parts of a search or a count, merged | `job/parts.rs`; as a command `cli/merge.rs` |
//! | the file of tours: `--out`, `--force` | `job/output/out_file.rs` |
//! | runs without a terminal, and viewers of them | `job/detached`, `run/remote` |
//! | a frame, from the worker to the screen | `schedule/crew/meter.rs`, `run/sampler.rs`, `run/live.rs`, `ui/playing.rs`, `ui/live` |
//! | the demonstration, and how fast a run is shown | `run/tempo.rs` |
//! | the tutorial: its lessons, their screen | `cli/tutorial/lessons.rs`, `ui/tutorial.rs` |
//! | recordings, and back in time | written: `run/journal/write.rs`, read: `run/journal/read.rs`; `run/history.rs`, `ui/kit/playback.rs` |
//! | balance, trace | `run/README.md`, `run/task.rs`, `run/balance`, `run/trace.rs` |
//! | why workers did not search | the rules, and what they look at: `run/balance/verdicts.rs` |
//! | a screen, a pane, a key | [`ui`]: `ui/screen.rs` says what one is, `ui/terminal/session.rs` shows them; parts of all in `ui/kit` |
//! | keys | from the bytes of a terminal: `ui/terminal/keyboard/bytes.rs`; actions and their usual keys: `ui/kit/keys.rs`; what an action does: in the folder of its screen, such as `ui/live/update.rs` |
//! | settings, themes, changed keys | `ui/settings/README.md`, `ui/settings/file.rs`; colours: `ui/kit/palette.rs` |
//! | what the help says of a word | a `help.txt` in the folder of each screen: `ui/live/help.txt` |
//! | limits: memory, disk, threads, board | `job/limits.rs`, `system/cores.rs`, `system/threads.rs`, `count/plan`, `cli/args/values.rs` |
//! | benchmarks; the developer's battery | `cli/bench`, `tests/battery` |
//!
//! # Rooms
//!
//! | room | purpose | may name |
//! | --- | --- | --- |
//! | [`board`] | geometry: boards, squares, tours (made only by verification), symmetry, notation, existence | |
//! | [`search`] | tree searches that can be split | board |
//! | [`explain`] | searches taken one step at a time, each step with its reason | board, search |
//! | [`find`] | kernels that look for one tour | board, search, explain |
//! | [`store`] | tour files, out and in | board |
//! | [`event`] | rare facts on their way to a watcher | board, search |
//! | [`schedule`] | who does it: meters, control, schedulers, races | board, search, find, event |
//! | [`simulate`] | schedulers among virtual workers, on a virtual clock | board, search, event, schedule |
//! | [`count`] | numbers of tours without listing them: exact by frontier states, estimated by random walks; tours by number | board, search |
//! | [`gpu`] | work for a GPU, and its twins on the CPU; alone in knowing wgpu | board, search, find, event, schedule |
//! | [`solve`] | algorithms by name | all above but simulate |
//! | [`run`] | a run as data: question, plan, frames, wishes, sources of frames | all above but explain and find |
//! | [`signal`] | what the outside asks of the process: to end, or to do without its terminal | |
//! | [`job`] | whatever is started, observed, saved, finished and resumed, on one path; its option structs derive `clap::Args` | board to run but explain and simulate, signal |
//! | [`ui`] | the screens; alone in knowing ratatui and crossterm | board to run but simulate, signal |
//! | [`cli`] | words typed, what they mean, reports; alone in running clap | all |
//!
//! On the ground, for every room:
//!
//! | | purpose |
//! | --- | --- |
//! | [`words`] | numbers, times and nouns as text |
//! | [`memory`] | large allocations, where a refusal is no abort |
//! | [`bounded`] | files and streams of other programs: read in bounded memory, and what kind of file each is |
//! | [`saved`] | files that are replaced as a whole and are never absent |
//! | [`claim`] | the lock of the one run that may write a file, or in a folder |
//! | [`system`] | what the machine and its operating system allow this process: instructions, cores, CPU time, threads |
//! | [`stop`] | the flag that ends any work |
//! | [`save_request`] | the flag that asks a run to save and to continue |
//! | [`lock`] | mutexes that stay in use after a panic |
//! | [`mix`] | random numbers that are the same for ever |
//! | [`ranged`] | a number with its range |
//! | [`test_halt`] | the points at which a test can end the process |
//! | `table` | enums whose variants are the rows of a table |
//!
//! # Invariants
//!
//! * **No search knows a thread, channel, clock or atomic**, but for the mailbox of a burst. `tests/layers.rs` reads every
//!   file.
//! * **Folders of a room import one another in no circle**, nor do the files beside them; files of one folder may.
//!   `tests/layers.rs` reads every file.
//! * **A command names no crew, no checkpoint of a search, no journal writer and no socket server.** They belong to [`job`].
//! * **Totals do not depend on the schedule.** A complete run counts the same tours and enters the same nodes under
//!   every scheduler, rule and number of threads; `tests/conform.rs` runs them all.
//! * **Nothing the outside does makes a worker wait, except where it asks for that.** Events that do not fit are
//!   counted; pause and slow motion are asked for; a slow file of tours is waited for, because tours are never dropped.
//! * **A run always ends.** A worker that panics leaves the crew as one without work does.
#![deny(unsafe_code)]

pub mod board;
pub mod bounded;
pub mod claim;
pub mod cli;
pub mod count;
pub mod event;
pub mod explain;
pub mod find;
pub mod gpu;
pub mod job;
pub mod lock;
pub mod memory;
pub mod mix;
pub mod ranged;
pub mod run;
pub mod save_request;
pub mod saved;
pub mod schedule;
pub mod search;
pub mod signal;
pub mod simulate;
#[cfg(test)]
#[path = "../tests/common/skip.rs"]
mod skip;
pub mod solve;
pub mod stop;
pub mod store;
pub mod system;
mod table;
pub mod test_halt;
#[cfg(feature = "tui")]
pub mod ui;
pub mod words;

/// The C library of the static build takes a lock for each allocation and gives memory back at once: counts by two threads took
/// half as long again.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
