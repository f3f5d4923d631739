//! How much memory the program holds at its peak, among 256 threads: a search holds little, however it is shared, whatever
//! becomes of its tours, and however long it takes; and so does a race for tours of boards up to 256x256.

use crate::common::process::Running;
use crate::common::{destrier, path, peak_kib};
use std::process::Stdio;
use std::time::Duration;

/// What a run may hold, in KiB: 32 MiB, and what glibc wastes where many cores have a heap each. The allocator of the static
/// program keeps a MiB for each thread, and more where threads wait for a processor.
const MOST_KIB: u64 = if cfg!(target_env = "musl") { 450 << 10 } else { 40 << 10 };

/// What an attempt of a race may hold for each square of its board.
const ATTEMPT_BYTES: u64 = 12;

/// The peak of a run of 256 threads, in KiB, looked at until it has ended.
fn peak(args: &str) -> u64 {
    let args: Vec<&str> = args.split(' ').chain(["--threads", "256"]).collect();
    let mut child = Running::start(destrier(&args).stdout(Stdio::null()).stderr(Stdio::null()));
    let mut peak = 0;
    loop {
        peak = peak_kib(child.id()).unwrap_or(peak);
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success() && peak > 0, "{args:?}: {status}");
            return peak;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_run_of_256_threads_holds_little() {
    let folder = tempfile::tempdir().unwrap();
    let packed = path(&folder, "packed.zst");
    let lines = path(&folder, "lines.zst");
    // Four times as many tours as fit into buffers of 64 KiB: 60 MB.
    let search = "search 8x8 --limit 300000 --out";
    let ways = ["hire", "rayon", "static", "static-blocks"].map(|name| format!("{search} - --scheduler {name}"));
    let kept = [format!("{search} {lines}"), format!("{search} {packed} --format packed")];
    let counted = ["search 6x6 --solver radley --prune any-isolated", "find 256x256"].map(str::to_owned);
    for args in ways.iter().chain(&kept).chain(&counted) {
        let peak = peak(args);
        assert!(peak < MOST_KIB, "{args}: {peak} KiB");
    }
    // Attempts of which each holds a board, all of them at once where there are as many processors or the machine is slow, and
    // tours that wait for their turn and for the end.
    let raced = [
        (128, "--open --method edges"),
        (256, "--method warnsdorff"),
        (64, "--method warnsdorff --tours 2000 --out -"),
    ];
    for (side, asked) in raced {
        let peak = peak(&format!("find {side}x{side} {asked}"));
        let attempts = (256 * side * side * ATTEMPT_BYTES) >> 10;
        assert!(peak < MOST_KIB + attempts, "find {side}x{side} {asked}: {peak} KiB");
    }
}
