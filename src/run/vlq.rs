//! Lists of whole numbers as Base64 VLQ, a short text that source maps use too. A digit holds five bits, the lowest
//! first, and a sixth bit that says whether more digits follow. A signed number has its sign in its lowest bit. Most
//! figures of events, and most gaps between holes, are small, so they take one letter.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Digits of the largest number.
const DIGITS_MAX: u32 = u64::BITS.div_ceil(5);

/// Appends a number.
pub fn push(text: &mut String, mut number: u64) {
    loop {
        let (digit, rest) = ((number & 31) as usize, number >> 5);
        let more = if rest > 0 { 32 } else { 0 };
        text.push(char::from(DIGITS[digit | more]));
        if rest == 0 {
            return;
        }
        number = rest;
    }
}

/// Appends a signed number.
pub fn push_signed(text: &mut String, number: i64) {
    push(text, (number.unsigned_abs() << 1) | u64::from(number < 0));
}

/// Reads the numbers of a text one by one; `None` in place of an invalid number.
pub struct Numbers<'a> {
    digits: std::str::Bytes<'a>,
}

impl<'a> Numbers<'a> {
    /// The numbers of this text.
    pub fn new(text: &'a str) -> Numbers<'a> {
        Numbers { digits: text.bytes() }
    }

    fn rest_of(&mut self, mut digit: u8) -> Option<u64> {
        let mut number = 0_u64;
        for place in 0..DIGITS_MAX {
            let value = value(digit)?;
            let bits = u64::from(value & 31)
                .checked_shl(5 * place)
                .filter(|bits| bits >> (5 * place) == u64::from(value & 31));
            number |= bits?;
            if value & 32 == 0 {
                return Some(number);
            }
            digit = self.digits.next()?;
        }
        None
    }
}

fn value(digit: u8) -> Option<u8> {
    Some(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

impl Iterator for Numbers<'_> {
    type Item = Option<u64>;

    fn next(&mut self) -> Option<Option<u64>> {
        let first = self.digits.next()?;
        Some(self.rest_of(first))
    }
}

/// Writes ascending numbers as runs: for each run the gap to the run before, and how many numbers follow its first.
pub fn runs(numbers: impl IntoIterator<Item = u32>) -> String {
    let (mut text, mut end) = (String::new(), 0);
    let mut numbers = numbers.into_iter().map(u64::from).peekable();
    while let Some(first) = numbers.next() {
        let mut last = first;
        while let Some(next) = numbers.next_if_eq(&(last + 1)) {
            last = next;
        }
        push(&mut text, first - end);
        push(&mut text, last - first);
        end = last + 1;
    }
    text
}

/// Reads numbers written by [`runs`]; `None` if the text is invalid, or has more than `most` numbers.
pub fn numbers(text: &str, most: usize) -> Option<Vec<u32>> {
    let (mut numbers, mut end, mut all) = (Numbers::new(text), 0, Vec::new());
    while let Some(gap) = numbers.next() {
        let (first, more) = (gap?.checked_add(end)?, numbers.next()??);
        end = first.checked_add(more)?.checked_add(1)?;
        if end - first > (most - all.len()) as u64 {
            return None;
        }
        all.extend(u32::try_from(first).ok()?..u32::try_from(end).ok()?);
    }
    Some(all)
}

/// Decodes a number with its sign in the lowest bit.
pub fn signed(number: u64) -> i64 {
    let size = (number >> 1) as i64;
    if number & 1 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were(
            numbers in prop::collection::vec(prop_oneof![0u64..100, any::<u64>()], 0..9),
            signs in prop::collection::vec((i64::MIN + 1)..i64::MAX, 0..9),
        ) {
            let mut text = String::new();
            numbers.iter().for_each(|&number| push(&mut text, number));
            prop_assert_eq!(Numbers::new(&text).collect::<Option<Vec<u64>>>(), Some(numbers));
            text.clear();
            signs.iter().for_each(|&number| push_signed(&mut text, number));
            let read: Option<Vec<i64>> = Numbers::new(&text).map(|number| number.map(signed)).collect();
            prop_assert_eq!(read, Some(signs));
        }

        #[test]
        fn runs_are_read_as_they_were(squares in prop::collection::btree_set(prop_oneof![0u32..60, any::<u32>()], 0..40)) {
            let squares: Vec<u32> = squares.into_iter().filter(|&square| square < u32::MAX).collect();
            let text = runs(squares.iter().copied());
            prop_assert_eq!(numbers(&text, squares.len()), Some(squares.clone()), "{}", text);
            prop_assert!(squares.is_empty() || numbers(&text, squares.len() - 1).is_none());
        }

        #[test]
        fn no_text_panics(text in "[A-Za-z0-9+/,é]{0,30}") {
            Numbers::new(&text).take(100).for_each(drop);
            drop(numbers(&text, 1000));
        }
    }

    #[test]
    fn small_numbers_are_a_letter_each() {
        let mut text = String::new();
        [0, 1, 31, 32, 1000].into_iter().for_each(|number| push(&mut text, number));
        assert_eq!(text, "ABfgBof");
        assert_eq!(Numbers::new("A!").collect::<Vec<_>>(), [Some(0), None]);
        assert_eq!(Numbers::new("g").collect::<Vec<_>>(), [None]);
    }
}
