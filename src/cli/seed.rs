//! Where random numbers begin, as typed.

/// Where random numbers begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    /// Here.
    Number(u64),
    /// Anywhere.
    Random,
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::Number(0)
    }
}

impl Seed {
    /// The number; drawn anew each time if it is to be.
    pub fn number(self) -> u64 {
        match self {
            Seed::Number(seed) => seed,
            Seed::Random => fastrand::u64(..),
        }
    }
}

/// Reads a seed.
///
/// # Errors
/// A sentence when it is none.
pub fn parse_seed(text: &str) -> Result<Seed, String> {
    match text {
        "random" => Ok(Seed::Random),
        _ => text
            .parse()
            .map(Seed::Number)
            .map_err(|_| format!("'{text}' is no seed: write a number from 0 to {}, or random", u64::MAX)),
    }
}
