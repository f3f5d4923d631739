//! `destrier doctor`: what this machine offers, and what would help where something is missing.
//!
//! Each part is collected from files and variables by a function that takes them, so that other machines can be played
//! in tests; only Vulkan's adapters are asked for themselves. Where a machine does not say, a line is left out.

mod cores;
mod sheet;
mod terminal;
mod vulkan;

pub use sheet::Program;

use super::args::{UsualThreads, cores};
use crate::job::Failure;
use crate::job::limits::MachineMemory;
use crate::job::say::{print_object, safe};
use crate::system::Root;
use serde::Serialize;
use std::env;
use std::io::{self, IsTerminal, Write};

/// What there is; its fields are those of the JSON object.
#[derive(Debug, Serialize)]
struct DoctorReport {
    program: Program,
    cores: cores::Cores,
    memory: MachineMemory,
    terminal: terminal::Terminal,
    vulkan: vulkan::Vulkan,
    /// What sharing a search costs, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<cores::Measured>,
    /// What would help, in clauses.
    advice: Vec<String>,
}

impl DoctorReport {
    fn here(usual: UsualThreads) -> DoctorReport {
        let root = Root::here();
        let variables = env::vars_os().map(|(name, value)| [name, value].map(|s| s.to_string_lossy().into_owned()));
        let vulkan = vulkan::Vulkan::here(variables.map(|[name, value]| (name, value)));
        let terminal = terminal::Terminal::of(|name| env::var(name).ok(), size());
        let program = Program::here();
        DoctorReport {
            cores: cores::Cores::of(&root, usual),
            memory: MachineMemory::of(&root, usual.threads),
            advice: [program.advice(), terminal.advice(), vulkan.advice()].concat(),
            program,
            terminal,
            vulkan,
            costs: None,
        }
    }
}

/// The processor and the memory of this machine, and what sharing a search costs on it, in labelled lines.
pub fn machine() -> String {
    let usual = UsualThreads { threads: cores(), variable: None };
    let report = DoctorReport { costs: Some(cores::Measured::here()), ..DoctorReport::here(usual) };
    safe(&sheet::MachineFacts(&report).to_string())
}

/// Columns and rows of the terminal that stdout leads to; 0 where it does not say.
fn size() -> Option<(u16, u16)> {
    let stdout = io::stdout();
    let size = || rustix::termios::tcgetwinsize(&stdout).map_or((0, 0), |size| (size.ws_col, size.ws_row));
    stdout.is_terminal().then(size)
}

/// Prints the report. It is one even where nothing is found: the exit code is 0.
///
/// # Errors
/// [`Failure::Io`]; as [`UsualThreads::here`].
pub fn run(calibrate: bool, json: bool) -> Result<u8, Failure> {
    let report =
        DoctorReport { costs: calibrate.then(cores::Measured::here), ..DoctorReport::here(UsualThreads::here()?) };
    if json {
        print_object(&report)?;
    } else {
        // Variables and drivers say what they like.
        write!(io::stdout(), "{}", safe(&report.to_string()))?;
    }
    Ok(0)
}
