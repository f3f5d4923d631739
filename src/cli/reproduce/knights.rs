//! Kurapati's completions by the batch of knights: every start of a board at once, on the CPU and on a device, which
//! agree knight by knight.

use super::kurapati::{COMPLETIONS, square_board};
use super::rows;
use crate::cli::gpu::whole;
use crate::gpu::map::Batch;
use crate::gpu::{DeviceChoice, DevicePlace};
use crate::job::{Failure, running};
use std::io::{self, Write};

/// Prints from how many starts the rule completes; answers whether it is the same on every device.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "\nevery start at once, a knight from each\n")?;
    let mut all_same = true;
    for [width, starts, expected, _] in rows(COMPLETIONS) {
        let batch = Batch::new(square_board(width)?, 1).map_err(running)?;
        let place = DevicePlace::open(&DeviceChoice::Any).map_err(running)?;
        let is_cpu = matches!(place, DevicePlace::Cpu(_));
        let outcome = whole(batch, place, !is_cpu)?;
        let complete = outcome.map.complete();
        let unequal = outcome.compared.as_ref().map_or(0, |compared| compared.unequal);
        let same = complete == expected && unequal == 0 && outcome.failed_device.is_none();
        all_same &= same;
        let by = match &outcome.compared {
            Some(compared) => format!("{}; {}: {unequal} knights differ", outcome.label, compared.label),
            None => outcome.label.to_string(),
        };
        let mark = if same { "" } else { "  DIFFERS" };
        writeln!(out, "{width:3}: {complete:4} of {starts:4}{mark}  {by}")?;
    }
    Ok(all_same)
}
