//! Every test that uses the library or the program from outside, in one program: it is linked once, and its tests share
//! the cores until the last one has ended. What is tested stands in the file of each module.

#[cfg(target_os = "linux")]
mod cgroup;
mod cli;
mod common;
mod compare;
mod conform;
mod conform_find;
mod count;
mod count_estimate;
mod count_kept;
mod count_range;
mod count_symmetric;
mod count_twin;
mod detach;
mod earlier_files;
mod examples;
#[cfg(target_os = "linux")]
mod faults;
mod files;
mod find;
mod foreign;
mod forms;
#[cfg(target_os = "linux")]
mod fuzz;
mod gpu;
mod halts;
mod holes;
mod known;
mod layers;
mod leftovers;
mod lines;
mod manual;
mod map;
#[cfg(target_os = "linux")]
mod memory;
mod names;
mod number;
mod numbers;
mod outside;
mod packed;
mod printed;
#[cfg(target_arch = "x86_64")]
mod processor;
#[allow(clippy::duplicate_mod, reason = "one file over several sets of types is what is tested there")]
mod protocol;
#[cfg(all(feature = "tui", target_os = "linux"))]
mod pty;
mod readme;
mod record;
mod reports;
#[cfg(target_os = "linux")]
mod reproduce;
mod search_kept;
mod search_parts;
mod settings;
mod shards;
mod simulate;
#[path = "common/skip.rs"]
mod skip;
mod stopped;
mod streams;
mod threads;
mod trace;
#[cfg(feature = "tui")]
mod ui;
mod verify;
mod written;
