//! The state of a part, and the text form of many states: in runs, `d120 m3 r1`.

/// The state of a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PartState {
    /// There is no file of the part.
    Missing,
    /// Its checkpoint changes.
    Running,
    /// Its checkpoint no longer changes.
    Stale,
    /// The part is complete.
    Done,
    /// The file with its name is something else, or damaged.
    Wrong,
}

impl PartState {
    /// Every state.
    pub const ALL: [PartState; 5] =
        [PartState::Done, PartState::Running, PartState::Stale, PartState::Missing, PartState::Wrong];

    /// The letter of the state in text.
    fn letter(self) -> char {
        match self {
            PartState::Missing => 'm',
            PartState::Running => 'r',
            PartState::Stale => 's',
            PartState::Done => 'd',
            PartState::Wrong => 'w',
        }
    }

    fn of(letter: char) -> Option<PartState> {
        PartState::ALL.into_iter().find(|state| state.letter() == letter)
    }
}

/// States as one line of runs.
pub mod runs {
    use crate::run::campaign::states::PartState;
    use crate::schedule::Shard;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes states.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(states: &[PartState], serializer: S) -> Result<S::Ok, S::Error> {
        let run = |run: &[PartState]| format!("{}{}", run[0].letter(), run.len());
        let runs: Vec<String> = states.chunk_by(|one, next| one == next).map(run).collect();
        serializer.serialize_str(&runs.join(" "))
    }

    /// Reads states.
    ///
    /// # Errors
    /// When the text is no list of runs, or has more parts than a search can have.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PartState>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut states = Vec::new();
        for run in text.split_whitespace() {
            let mut letters = run.chars();
            let state = letters.next().and_then(PartState::of);
            let length = letters.as_str().parse().ok().filter(|&n: &usize| n <= Shard::MOST as usize - states.len());
            let (Some(state), Some(length)) = (state, length) else {
                return Err(D::Error::custom(format!("'{run}' is no run of part states")));
            };
            states.resize(states.len() + length, state);
        }
        Ok(states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Row(#[serde(with = "runs")] Vec<PartState>);

    #[test]
    fn states_are_written_in_runs_and_read_again() {
        let row = Row([vec![PartState::Done; 3], PartState::ALL.to_vec()].concat());
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(text, "\"d4 r1 s1 m1 w1\"");
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap().0, row.0);
        assert!(serde_json::from_str::<Row>("\"\"").unwrap().0.is_empty());
        for wrong in ["x3", "d", "d-1", "d999999 d2", "d99999999999999999999"] {
            assert!(serde_json::from_str::<Row>(&format!("\"{wrong}\"")).is_err(), "{wrong}");
        }
    }
}
