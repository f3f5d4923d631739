//! Which files are parts: their names, the question of most of them, and why a file is not one of the parts of a search.
//!
//! A complete part of a search is `I-of-N.part`: a [`Checkpoint`](super::Checkpoint) with no work left. A running or stopped part
//! is `I-of-N.checkpoint`. A part of a count is its remainder by a prime, `modulo-P.part` and `modulo-P.checkpoint`.

use super::question::Plan;
use crate::schedule::Shard;
use std::path::{Path, PathBuf};

/// The file name ending of a complete part.
pub const PART: &str = ".part";
/// The file name ending of an incomplete part.
pub const CHECKPOINT: &str = ".checkpoint";
/// How the name of a part of a count begins.
const MODULO: &str = "modulo-";

/// The path of a complete part in a folder.
pub fn path(folder: &Path, shard: Shard) -> PathBuf {
    folder.join(stem(shard) + PART)
}

/// The part that a file name stands for, complete or not.
pub fn named(name: &str) -> Option<Shard> {
    let stem = name.strip_suffix(PART).or_else(|| name.strip_suffix(CHECKPOINT))?;
    let shard: Shard = stem.replacen("-of-", "/", 1).parse().ok()?;
    (self::stem(shard) == stem).then_some(shard)
}

/// The name of the files of a part of a search, without an ending.
pub fn stem(shard: Shard) -> String {
    format!("{}-of-{}", shard.index(), shard.of())
}

/// The name of the files of a part of a count, without an ending: of its remainder by this prime.
pub fn modulo(prime: u32) -> String {
    format!("{MODULO}{prime}")
}

/// The prime of the part of a count that a file name stands for, complete or not.
pub fn modulus_of(name: &str) -> Option<u32> {
    let digits = name.strip_prefix(MODULO)?;
    digits.strip_suffix(PART).or_else(|| digits.strip_suffix(CHECKPOINT))?.parse().ok()
}

/// The question of a folder of parts: that of most files, and of two with as many the first.
pub fn of_most<Q: PartialEq>(questions: impl IntoIterator<Item = Q>) -> Option<Q> {
    let mut counted: Vec<(Q, usize)> = Vec::new();
    for question in questions {
        match counted.iter_mut().find(|(other, _)| *other == question) {
            Some((_, count)) => *count += 1,
            None => counted.push((question, 1)),
        }
    }
    // The last of the largest is taken.
    counted.into_iter().rev().max_by_key(|&(_, count)| count).map(|(question, _)| question)
}

/// Why a file is not one of the parts, in words that follow its name. `plan` is its plan, `end` whether its work is
/// complete, `mine` whether it has the same question and number of parts as the others.
pub fn fault(path: &Path, plan: &Plan, end: bool, mine: bool) -> Option<String> {
    let Some(shard) = plan.shard.filter(|_| mine) else {
        return Some(format!("is of {}, the others are not", plan.subject()));
    };
    if path.file_name().and_then(|name| named(name.to_str()?)) != Some(shard) {
        return Some(format!("is part {shard}, which another file is to be: its name is wrong"));
    }
    (!end).then(|| "is not done".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_that_of_most_files_and_of_two_the_first() {
        assert_eq!(of_most(["b", "a", "a", "b", "c"]), Some("b"));
        assert_eq!(of_most(["b", "a", "a"]), Some("a"));
        assert_eq!(of_most(std::iter::empty::<u8>()), None);
    }

    #[test]
    fn a_name_stands_for_one_part_and_no_other_name_does() {
        let shard = Shard::new(3, 40);
        assert_eq!(["3-of-40.part", "3-of-40.checkpoint"].map(named), [shard; 2]);
        assert_eq!(path(Path::new("d"), shard.unwrap()), Path::new("d/3-of-40.part"));
        for name in ["3-of-40", "03-of-40.part", "3-of-2.part", "3/40.part", "3-of-40.part~", "modulo-3.part", ".part"]
        {
            assert_eq!(named(name), None, "{name}");
        }
        assert_eq!([PART, CHECKPOINT].map(|end| modulus_of(&(modulo(101) + end))), [Some(101); 2]);
        for name in ["modulo-101", "modulo-x.part", "101.part", "modulo-101.part~"] {
            assert_eq!(modulus_of(name), None);
        }
    }
}
