//! Where a typed text goes: to a step, to a node, or to the next event of a kind.

use super::run::Goal;
use std::str::FromStr;

/// A place to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepPlace {
    /// The step with this number.
    Step(u64),
    /// The node with this number.
    Node(u64),
    /// The next event of a kind.
    Next(Goal),
}

impl FromStr for StepPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<StepPlace, String> {
        let lower = text.trim().to_lowercase();
        let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
        let node = lower.strip_prefix("node").or_else(|| lower.strip_prefix('n')).and_then(number);
        let step = number(lower.strip_prefix("step").unwrap_or(&lower));
        match lower.strip_prefix("next ").unwrap_or(&lower).trim_start() {
            "cut" => Ok(StepPlace::Next(Goal::Cut)),
            "dead end" => Ok(StepPlace::Next(Goal::DeadEnd)),
            "tour" => Ok(StepPlace::Next(Goal::Tour)),
            _ => node.map(StepPlace::Node).or(step.map(StepPlace::Step)).ok_or_else(|| {
                format!(
                    "'{text}' is no place: write 1200 for a step, node 500, or cut, dead end, tour for the next one"
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_typed() {
        for (text, place) in [
            ("1200", StepPlace::Step(1200)),
            ("step 1,200", StepPlace::Step(1200)),
            (" Node 500 ", StepPlace::Node(500)),
            ("n7", StepPlace::Node(7)),
            ("dead end", StepPlace::Next(Goal::DeadEnd)),
            ("cut", StepPlace::Next(Goal::Cut)),
            ("tour", StepPlace::Next(Goal::Tour)),
            ("next cut", StepPlace::Next(Goal::Cut)),
            ("Next dead end", StepPlace::Next(Goal::DeadEnd)),
            ("next tour", StepPlace::Next(Goal::Tour)),
        ] {
            assert_eq!(text.parse(), Ok(place), "{text}");
        }
        for text in ["", "-1", "node", "n", "cuts", "next", "next 7", "1 2", "99999999999999999999"] {
            assert!(text.parse::<StepPlace>().is_err_and(|why| why.contains("is no place")), "{text}");
        }
    }
}
