//! How far a word is from another one, to propose a name for one that was mistyped.

/// How many letters are to be put in, left out, replaced or exchanged with the next one, to make one word of the other.
///
/// # Source
/// F. J. Damerau, "A technique for computer detection and correction of spelling errors", Communications of the ACM 7,
/// 1964; the form in which no letter is touched twice.
pub fn slips(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let above = &rows[i - 1];
            let replaced = above[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The name that is nearest to a word, if it is at most two slips away.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.map(|name| (slips(word, name), name)).min().filter(|(far, _)| *far <= 2).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        let of =
            [("tuor", "tour"), ("quik", "quick"), ("forgot", "forget"), ("solver", "every"), ("", "ab"), ("a", "a")];
        assert_eq!(of.map(|(one, other)| slips(one, other)), [1, 1, 1, 4, 2, 0]);
    }
}
