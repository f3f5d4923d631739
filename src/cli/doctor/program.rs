//! The program: its version, and what it was built with and for.

use crate::job::{Report, keys};
use crate::system::processor::{code, code_in_use};

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that it was built from, `commit 0123abc of 2026-11-25`, or that it is unknown.
const COMMIT: &str = env!("DESTRIER_COMMIT");

/// The names of those that were chosen.
fn among(all: &[(&'static str, bool)]) -> Vec<&'static str> {
    all.iter().filter(|(_, is_chosen)| *is_chosen).map(|(name, _)| *name).collect()
}

/// Parts that were built in.
fn features() -> Vec<&'static str> {
    among(&[("tui", cfg!(feature = "tui")), ("gpu", cfg!(feature = "gpu"))])
}

/// Abilities of the processor that it was built to use.
fn cpu_features() -> Vec<&'static str> {
    among(&[
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("lzcnt", cfg!(target_feature = "lzcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ])
}

/// Processor and system that it was built for, `x86_64 linux`.
fn target() -> String {
    format!("{} {}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Names, or a word for none.
fn named(names: &[&str], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

/// What `--version` says behind the name.
pub fn described() -> String {
    let [features, cpu] = [features(), cpu_features()].map(|names| named(&names, "nothing else"));
    format!("{VERSION}, {COMMIT}\nbuilt with  {features}\nbuilt for   {}, {}, processors with {cpu}", target(), code())
}

/// What was built.
pub fn program() -> Report {
    let (features, cpu_features, target, debug) = (features(), cpu_features(), target(), cfg!(debug_assertions));
    let mut report = Report::default();
    let slow = if debug { ", a debug build: slow" } else { "" };
    report.entry("program", format_args!("destrier {VERSION} for {target}{slow}"));
    report.key("version", VERSION);
    report.entry("", COMMIT);
    report.key("commit", COMMIT);
    // Whether it checks itself as it runs, and so is slow.
    keys!(report, target, debug);
    report.entry("built with", named(&features, "none"));
    report.key("features", features);
    let processors = if cpu_features.is_empty() { "any" } else { "those with " };
    let also = if code_in_use() == code() { "" } else { "; long work runs as x86-64-v3" };
    report.entry("built for", format_args!("{} processors, {processors}{}{also}", code(), cpu_features.join(", ")));
    // Which code does the long work: `x86-64-v3`, or `x86-64`, which runs on any and is slower.
    keys!(report, "code" => code_in_use(), cpu_features);
    report
}
