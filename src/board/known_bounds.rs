//! Bounds of a number of tours, from the known counts and the existence theorems, and numbers that contradict them.

use super::known_counts::{CountKind, KnownCount};
use super::rectangle::Board;
use super::tour::Ending;
use std::fmt;
use std::ops::RangeInclusive;

/// Which tours a number counts: closed tours undirected, open tours directed, or classes of either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedTours {
    /// Whether closed or open tours are counted.
    pub ending: Ending,
    /// Whether classes are counted instead of tours.
    pub unique: bool,
    /// Whether only open tours that cannot be closed are counted.
    pub strict: bool,
    /// Whether only open tours that start on one square are counted.
    pub from_one_square: bool,
}

impl CountedTours {
    fn noun(self) -> &'static str {
        if self.unique { "classes" } else { "tours" }
    }
}

impl Board {
    /// The known number of all tours of an ending: closed ones undirected, open ones directed.
    pub fn known_tours(self, ending: Ending) -> Option<KnownCount> {
        match ending {
            Ending::Closed => self.known_count(CountKind::ClosedUndirected),
            Ending::Open => self.known_open_directed(),
        }
    }

    /// The least and the greatest possible number of tours, by the known counts and the existence theorems. Both are equal
    /// where the number is known; `None` where nothing is known.
    ///
    /// Where only the number of tours is known, the number of classes is at most that number. It is at least that number
    /// divided by the number of symmetries of the board.
    ///
    /// ```
    /// # use destrier::board::{Board, CountedTours, Ending};
    /// let board: Board = "6x7".parse().unwrap();
    /// let tours = CountedTours { ending: Ending::Closed, unique: false, strict: false, from_one_square: false };
    /// assert_eq!(board.known_bounds(tours), Some(1_067_638..=1_067_638));
    /// assert_eq!(board.known_bounds(CountedTours { unique: true, ..tours }), Some(266_910..=1_067_638));
    /// ```
    pub fn known_bounds(self, tours: CountedTours) -> Option<RangeInclusive<u128>> {
        let CountedTours { ending, unique, strict, from_one_square } = tours;
        if !self.existence(ending).exists {
            return Some(0..=0);
        }
        let number = |kind| self.known_count(kind).map(|known| known.count);
        let all = match ending {
            Ending::Open if strict => self.known_strict_directed()?,
            _ => self.known_tours(ending)?.count,
        };
        let classes = match ending {
            Ending::Closed => number(CountKind::ClosedClasses),
            Ending::Open => number(CountKind::OpenClassesStrict).filter(|_| strict),
        };
        // The tour of one square has no direction.
        let undirected = if ending == Ending::Open { all.div_ceil(2) } else { all };
        Some(match (unique, classes) {
            (true, Some(classes)) => classes..=classes,
            (true, None) => undirected.div_ceil(self.symmetries().len() as u128)..=undirected,
            (false, _) if ending == Ending::Open && from_one_square => 0..=all,
            (false, _) => all..=all,
        })
    }

    /// The known number of directed open tours that cannot be closed: all open tours, less those that a closed tour leaves when
    /// one of its moves is removed.
    fn known_strict_directed(self) -> Option<u128> {
        let counted = self.known_count(CountKind::OpenUndirectedStrict).map(|known| 2 * known.count);
        counted.or_else(|| {
            let has_closed = self.existence(Ending::Closed).exists;
            let closed = if has_closed { self.known_tours(Ending::Closed)?.count } else { 0 };
            Some(self.known_open_directed()?.count - 2 * u128::from(self.squares()) * closed)
        })
    }

    /// The known number of tours, if the bounds are equal.
    pub fn known_number(self, tours: CountedTours) -> Option<u128> {
        let bounds = self.known_bounds(tours)?;
        (bounds.start() == bounds.end()).then(|| *bounds.start())
    }

    /// The reason why a number of tours cannot be right, if it lies outside of the known bounds.
    pub fn contradiction(self, tours: CountedTours, number: impl TryInto<u128> + fmt::Display) -> Option<String> {
        let bounds = self.known_bounds(tours)?;
        let (shown, noun) = (number.to_string(), tours.noun());
        if number.try_into().is_ok_and(|number| bounds.contains(&number)) {
            return None;
        }
        let (least, most) = bounds.into_inner();
        Some(if least == most {
            format!("it cannot be right: {least} {noun} are known, not {shown}")
        } else {
            format!("it cannot be right: there are {least} to {most} {noun}, not {shown}")
        })
    }

    /// The reason why a number cannot be the remainder of the number of tours, where that number is known.
    pub fn remainder_contradiction(self, tours: CountedTours, modulus: u32, remainder: u128) -> Option<String> {
        let number = self.known_number(tours)?;
        let known = number % u128::from(modulus);
        let noun = tours.noun();
        (known != remainder).then(|| {
            format!("it cannot be right: {number} {noun} are known, {known} more than a multiple of {modulus}, not {remainder}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_of_the_known_bounds_is_contradicted() {
        let board = |text: &str| text.parse::<Board>().unwrap();
        let closed = CountedTours { ending: Ending::Closed, unique: false, strict: false, from_one_square: false };
        let open = CountedTours { ending: Ending::Open, ..closed };
        let [unique, strict] = [CountedTours { unique: true, ..closed }, CountedTours { strict: true, ..open }];
        for (text, tours, numbers, wrong) in [
            ("6x6", closed, 9_862..=9_862, "it cannot be right: 9862 tours are known, not 9863"),
            ("6x6", unique, 1_245..=1_245, "it cannot be right: 1245 classes are known, not 1246"),
            (
                "7x6",
                unique,
                266_910..=1_067_638,
                "it cannot be right: there are 266910 to 1067638 classes, not 1067639",
            ),
            ("6x6", CountedTours { unique: true, ..open }, 414_870..=3_318_960, "not 3318961"),
            ("6x6", strict, 5_927_856..=5_927_856, "not 5927857"),
            ("6x6", CountedTours { unique: true, ..strict }, 370_491..=370_491, "not 370492"),
            ("5x6", strict, 37_088..=37_088, "not 37089"),
            ("5x5", CountedTours { from_one_square: true, ..open }, 0..=1_728, "not 1729"),
            ("6x6", CountedTours { from_one_square: true, ..closed }, 9_862..=9_862, "not 9863"),
            ("4x4", open, 0..=0, "it cannot be right: 0 tours are known, not 1"),
            ("4x4", unique, 0..=0, "0 classes are known"),
            ("1x1", CountedTours { unique: true, ..open }, 1..=1, "1 to 1"),
        ] {
            let board = board(text);
            assert_eq!(board.known_bounds(tours), Some(numbers.clone()), "{text} {tours:?}");
            let all = [*numbers.start(), *numbers.end()];
            assert_eq!(all.map(|number| board.contradiction(tours, number)), [None, None], "{text} {tours:?}");
            let why = board.contradiction(tours, numbers.end() + 1).unwrap();
            assert!(why.contains(wrong) || text == "1x1", "{why}");
            assert_eq!(board.known_number(tours).is_some(), numbers.start() == numbers.end());
        }
        assert!(board("6x6").contradiction(closed, -1).is_some_and(|why| why.ends_with("not -1")));
        assert_eq!(board("20x20").contradiction(closed, 7u32), None);
        assert_eq!(board("6x6").remainder_contradiction(closed, 101, 65), None);
        let why = board("6x6").remainder_contradiction(closed, 101, 66).unwrap();
        assert!(why.ends_with("9862 tours are known, 65 more than a multiple of 101, not 66"), "{why}");
    }
}
