//! Numbers of workers, as a list: `1,2,64`, or `1,2,4,..1024`, which goes on by doubling.

use crate::schedule::THREADS_MAX;
use std::str::FromStr;

/// Numbers of workers, one at least, in the order in which they were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crews(Vec<usize>);

impl Crews {
    /// The numbers.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }
}

impl FromStr for Crews {
    type Err = String;

    fn from_str(text: &str) -> Result<Crews, String> {
        let mut numbers: Vec<usize> = Vec::new();
        for item in text.split(',') {
            match item.strip_prefix("..") {
                None => numbers.push(number(item)?),
                Some(last) => {
                    let Some(&from) = numbers.last() else {
                        return Err(format!("'{text}' begins with '..': write a number first, as in 1,2,4,..1024"));
                    };
                    let last = number(last)?;
                    let doubled = std::iter::successors(Some(from * 2), |workers| Some(workers * 2));
                    numbers.extend(doubled.take_while(|&workers| workers <= last));
                    if from == last || numbers.last() != Some(&last) {
                        return Err(format!("'{item}' is not reached by doubling {from}: write 1,2,4,..1024"));
                    }
                }
            }
        }
        Ok(Crews(numbers))
    }
}

fn number(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=THREADS_MAX).contains(number));
    number.ok_or_else(|| format!("'{text}' is no number of workers: write 1 to {THREADS_MAX}, as in 1,2,4,..1024"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Result<Vec<usize>, String> {
        text.parse().map(|Crews(numbers)| numbers)
    }

    #[test]
    fn lists_are_plain_or_go_on_by_doubling() {
        assert_eq!(numbers("1"), Ok(vec![1]));
        assert_eq!(numbers("64,3,4096"), Ok(vec![64, 3, 4096]));
        assert_eq!(numbers("1,2,4,..16"), Ok(vec![1, 2, 4, 8, 16]));
        assert_eq!(numbers("1,3,..12,5"), Ok(vec![1, 3, 6, 12, 5]));
    }

    #[test]
    fn what_is_no_list_is_refused_with_a_right_one() {
        for text in ["", "0", "4097", "1,,2", "1,2,4..8", "..8", "1,..7", "8,..8", "-1", "1,x", "1, 2"] {
            let message = numbers(text).unwrap_err();
            assert!(message.contains("1,2,4,..1024"), "{text}: {message}");
        }
    }
}
