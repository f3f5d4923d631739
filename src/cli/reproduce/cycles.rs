//! Kurapati's program itself, cycle by cycle: his tour and his completions by the three-cycle board, on the CPU and on
//! the best device there is.
//!
//! # Source
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, sections "Moving the knight" to "Sample output".

use super::kurapati::{COMPLETIONS, square_board, start};
use super::rows;
use crate::board::{KURAPATI, Square, parse_grid};
use crate::gpu::cycle::{CycleEngine, CycleState, KnightStatus};
use crate::gpu::{Compass, DeviceChoice, DeviceCost, DeviceLabel};
use crate::job::{Failure, running};
use std::io::{self, Write};

/// Width of the largest board of which every start is tried by the twin, and by a device: some seconds' work each.
const WIDTHS_MAX: [u64; 2] = [16, 8];

/// Prints what the board comes to; answers whether every figure is the published one, or the recomputed one.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "\nthe three-cycle board, one processor per square, three cycles per move\n")?;
    let mut twin = open(DeviceChoice::Cpu)?;
    let same = report(&mut twin, WIDTHS_MAX[0], &mut out)?;
    let mut best = open(DeviceChoice::Any)?;
    if let Some(why) = best.fallback_reason() {
        writeln!(out, "no device does the same: {why}")?;
        return Ok(same);
    }
    Ok(report(&mut best, WIDTHS_MAX[1], &mut out)? && same)
}

fn open(wanted: DeviceChoice) -> Result<CycleEngine, Failure> {
    CycleEngine::open(&wanted, before(8, 0, 0)?).map_err(running)
}

/// The board before the first cycle.
fn before(side: u64, row: u32, col: u32) -> Result<CycleState, Failure> {
    let (board, start) = start(side, row, col)?;
    CycleState::new(board, start, Compass::SOURCE).map_err(running)
}

fn report(engine: &mut CycleEngine, width_max: u64, out: &mut impl Write) -> Result<bool, Failure> {
    writeln!(out, "{}", engine.label())?;
    let doing = engine.label().clone();
    let samples = samples(engine, out)?;
    let completions = completions(engine, width_max, out)?;
    writeln!(out)?;
    Ok(samples && completions && still(engine, &doing, out)?)
}

/// Whether the same device did it all.
fn still(engine: &CycleEngine, doing: &DeviceLabel, out: &mut impl Write) -> io::Result<bool> {
    match engine.fallback_reason().filter(|_| engine.label() != doing) {
        Some(why) => writeln!(out, "{why}; the CPU twin did the rest").map(|()| false),
        None => Ok(true),
    }
}

/// The two tours of which the source prints input or output.
fn samples(engine: &mut CycleEngine, out: &mut impl Write) -> Result<bool, Failure> {
    let published = parse_grid(KURAPATI).map_err(running)?.1;
    let (path, spent) = path(engine, before(8, 2, 4)?)?;
    let same = path == published;
    let verdict = if same { "equal to the printed tour" } else { "DIFFERS from the printed tour" };
    writeln!(out, "8x8 from row 2, column 4: {verdict}; {}", costs(192, &spent))?;
    let (path, spent) = self::path(engine, before(32, 9, 15)?)?;
    let complete = path.len() == 1024;
    let verdict = if complete { "complete, as in the source" } else { "NOT complete, but it is in the source" };
    writeln!(out, "32x32 from row 9, column 15: {verdict}; {}", costs(3072, &spent))?;
    Ok(same && complete)
}

/// Runs all the cycles that the source does; answers the squares visited.
fn path(engine: &mut CycleEngine, state: CycleState) -> Result<(Vec<Square>, DeviceCost), Failure> {
    let spent = engine.run_whole(state).map_err(running)?;
    Ok((engine.state().path(), spent))
}

fn costs(cycles: u32, spent: &DeviceCost) -> String {
    let per_cycle = spent.wall.as_secs_f64() * 1e6 / f64::from(cycles);
    let handed = match spent.submits {
        0 => String::new(),
        submits => format!(" in {submits} submits"),
    };
    format!("{cycles} cycles{handed}, {per_cycle:.1} us each")
}

/// From how many starts it completes.
fn completions(engine: &mut CycleEngine, width_max: u64, out: &mut impl Write) -> Result<bool, Failure> {
    let mut all_same = true;
    write!(out, "starts that complete, up to width {width_max}:")?;
    for [width, starts, expected, _] in rows(COMPLETIONS) {
        if width > width_max {
            break;
        }
        let board = square_board(width)?;
        let mut complete = 0;
        for start in board.all() {
            let state = CycleState::new(board, start, Compass::SOURCE).map_err(running)?;
            engine.run_whole(state).map_err(running)?;
            complete += u64::from(engine.state().status() == KnightStatus::Complete);
        }
        let same = complete == expected;
        all_same &= same;
        let mark = if same { "" } else { " DIFFERS" };
        write!(out, "  {width}: {complete} of {starts}{mark}")?;
        out.flush()?;
    }
    writeln!(out)?;
    Ok(all_same)
}
