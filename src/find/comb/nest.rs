//! Numbers along pieces that are nested in each other: the arithmetic of a comb.
//!
//! The walk follows a host up to its cut, then everything nested in the cut, then the rest of the host. In the cut of the
//! host are links of equal length, each in the cut of the link before; in the cut of the last link is the tail:
//!
//! ```text
//! host  link 1  link 2  tail  link 2  link 1  host
//! 0 ......................................... squares - 1
//! ```
//!
//! A link is walked in one of two directions, so every other link has an equal cut. A sum over links is then a product, and
//! both the number of a place and the place of a number take constant time.

/// Lengths and cuts of nested pieces. Piece 0 is the host, pieces 1 to `links` are the links, piece `links + 1` is the tail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Nest {
    /// Number of squares of the host.
    pub host: u32,
    /// Number of squares of the host before its cut.
    pub host_cut: u32,
    pub links: u32,
    /// Number of squares of a link.
    pub link: u32,
    /// Number of squares of a link before its cut, 1..=`link`: of links 1, 3, 5 .. and of links 2, 4, 6 ..
    pub cuts: [u32; 2],
    /// Number of squares of the tail; 0 without a tail.
    pub tail: u32,
}

impl Nest {
    /// Number of squares in the cut of the host.
    pub fn nested(&self) -> u32 {
        self.links * self.link + self.tail
    }

    pub fn squares(&self) -> u32 {
        self.host + self.nested()
    }

    /// The difference between the numbers of one square of a link and of that square two links on. `cut_behind`: the square
    /// lies behind the cut of its link. The difference may be negative, as a wrapping number.
    pub fn stride(&self, cut_behind: bool) -> u32 {
        let pair = self.cuts[0] + self.cuts[1];
        if cut_behind { pair.wrapping_sub(2 * self.link) } else { pair }
    }

    /// Number of squares walked in the earlier links before the walk enters link `index`, counted from 0.
    fn walked_before_link(&self, index: u32) -> u32 {
        index / 2 * (self.cuts[0] + self.cuts[1]) + index % 2 * self.cuts[0]
    }

    /// The number of the square at `offset` in a piece.
    #[inline]
    pub fn number(&self, piece: u32, offset: u32) -> u32 {
        // The number of the first square, the number of squares before the cut, and the number of squares in it.
        let (start, cut, nested) = match piece.checked_sub(1) {
            None => (0, self.host_cut, self.nested()),
            Some(index) if index < self.links => {
                let nested = (self.links - 1 - index) * self.link + self.tail;
                (self.host_cut + self.walked_before_link(index), self.cuts[(index % 2) as usize], nested)
            }
            Some(index) => (self.host_cut + self.walked_before_link(index), self.tail, 0),
        };
        start + offset + if offset < cut { 0 } else { nested }
    }

    /// The piece of the square with a number below [`Nest::squares`], and the offset of the square in it.
    #[inline]
    pub fn piece_at(&self, number: u32) -> (u32, u32) {
        let nested = self.nested();
        if number < self.host_cut {
            return (0, number);
        }
        let number = number - self.host_cut;
        if number >= nested {
            return (0, number + self.host_cut - nested);
        }
        let entered = self.walked_before_link(self.links);
        if number < entered {
            let (index, offset) = part_at(number, self.cuts);
            (index + 1, offset)
        } else if number < entered + self.tail {
            (self.links + 1, number - entered)
        } else {
            // The squares behind the cuts, counted backwards from the end.
            let (index, before_last) = part_at(nested - 1 - number, self.cuts.map(|cut| self.link - cut));
            (index + 1, self.link - 1 - before_last)
        }
    }
}

/// The part in which a number lies, of many parts with alternating lengths, and its offset in the part.
#[inline]
fn part_at(number: u32, lengths: [u32; 2]) -> (u32, u32) {
    let pair = lengths[0] + lengths[1];
    let (pairs, offset) = (number / pair, number % pair);
    if offset < lengths[0] { (2 * pairs, offset) } else { (2 * pairs + 1, offset - lengths[0]) }
}

/// The point at which the walk leaves a part for the next part, and the direction of that part.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceExit {
    /// Number of squares of the part before this point.
    pub cut: u32,
    /// Whether the next part is walked from its last square to its first.
    pub backwards: bool,
}

/// A piece or a band before it has its place in a line.
#[derive(Clone, Debug)]
pub(super) struct NestPart<T> {
    pub tables: T,
    /// Number of squares.
    pub squares: u32,
    /// Number of rows or columns along the line.
    pub length: u32,
    pub exit: PieceExit,
}

/// Nested parts in a line, from left to right or from top to bottom.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct NestLine<T> {
    pub nest: Nest,
    /// Number of rows or columns of the host, and of every link.
    pub lengths: [u32; 2],
    /// The host, then links 1, 3, 5 .., then links 2, 4, 6 .., then the tail, as far as they exist.
    parts: Vec<T>,
}

impl<T> NestLine<T> {
    /// A host alone.
    pub fn alone(host: NestPart<T>) -> NestLine<T> {
        let nest = Nest { host: host.squares, host_cut: host.exit.cut, links: 0, link: 0, cuts: [0; 2], tail: 0 };
        NestLine { nest, lengths: [host.length, 1], parts: vec![host.tables] }
    }

    /// A host, links and perhaps a tail. `link` and `tail` make a part that is walked backwards or not, as they are told.
    ///
    /// In a link that is walked the other way round the exit has the other direction. So the directions alternate.
    pub fn new(
        host: NestPart<T>,
        links: u32,
        link: impl Fn(bool) -> NestPart<T>,
        tail: impl Fn(bool) -> Option<NestPart<T>>,
    ) -> NestLine<T> {
        let even = host.exit.backwards;
        let first = link(even);
        let odd = first.exit.backwards;
        let second = link(odd);
        let mut line = NestLine::alone(host);
        line.nest = Nest { links, link: first.squares, cuts: [first.exit.cut, second.exit.cut], ..line.nest };
        line.lengths[1] = first.length;
        line.parts.extend([first.tables, second.tables]);
        if let Some(tail) = tail(if links.is_multiple_of(2) { even } else { odd }) {
            line.nest.tail = tail.squares;
            line.parts.push(tail.tables);
        }
        line
    }

    /// The part in which a row or column lies, and its place in that part.
    #[inline]
    pub fn split(&self, at: u32) -> (u32, u32) {
        let [host, link] = self.lengths;
        let Some(behind) = at.checked_sub(host) else { return (0, at) };
        let index = (behind / link).min(self.nest.links);
        (index + 1, behind - index * link)
    }

    #[inline]
    pub fn part(&self, part: u32) -> &T {
        match part {
            0 => &self.parts[0],
            _ if part <= self.nest.links => &self.parts[1 + (part as usize - 1) % 2],
            _ => &self.parts[3],
        }
    }

    /// The number of a square in the part at a row or column; `inner` gives its number in the part, from the row or column
    /// counted there.
    #[inline]
    pub fn number(&self, at: u32, inner: impl FnOnce(&T, u32) -> u32) -> u32 {
        let (part, at) = self.split(at);
        self.nest.number(part, inner(self.part(part), at))
    }

    /// The part of the square with a number, the first row or column of that part, and the number of the square in it.
    #[inline]
    pub fn part_of(&self, number: u32) -> (&T, u32, u32) {
        let ((part, number), [host, link]) = (self.nest.piece_at(number), self.lengths);
        (self.part(part), part.checked_sub(1).map_or(0, |index| host + index * link), number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Walks the nested pieces square by square.
    fn walked(nest: &Nest) -> Vec<(u32, u32)> {
        fn inside(nest: &Nest, piece: u32, walk: &mut Vec<(u32, u32)>) {
            let index = piece.wrapping_sub(1);
            let (squares, cut) = match piece {
                0 => (nest.host, nest.host_cut),
                _ if index < nest.links => (nest.link, nest.cuts[(index % 2) as usize]),
                _ => (nest.tail, nest.tail),
            };
            walk.extend((0..cut).map(|offset| (piece, offset)));
            if piece <= nest.links {
                inside(nest, piece + 1, walk);
            }
            walk.extend((cut..squares).map(|offset| (piece, offset)));
        }
        let mut walk = Vec::new();
        inside(nest, 0, &mut walk);
        walk
    }

    fn nests() -> impl Strategy<Value = Nest> {
        let cut = |squares: u32| 1..=squares;
        (1u32..20, 0u32..9, 1u32..20, 0u32..5)
            .prop_flat_map(move |(host, links, link, tail)| {
                (Just(host), cut(host), Just(links), Just(link), cut(link), cut(link), Just(tail))
            })
            .prop_map(|(host, host_cut, links, link, even, odd, tail)| Nest {
                host,
                host_cut,
                links,
                link,
                cuts: [even, odd],
                tail,
            })
    }

    proptest! {
        #[test]
        fn numbers_and_places_are_those_of_a_plain_walk(nest in nests()) {
            let walk = walked(&nest);
            prop_assert_eq!(walk.len(), nest.squares() as usize);
            for (number, (piece, offset)) in (0..).zip(walk) {
                prop_assert_eq!(nest.number(piece, offset), number);
                prop_assert_eq!(nest.piece_at(number), (piece, offset));
            }
        }

        #[test]
        fn every_other_link_is_a_stride_away(nest in nests(), offset in 0u32..20) {
            prop_assume!(offset < nest.link);
            for piece in 1..(nest.links + 1).saturating_sub(2) {
                let stride = nest.stride(offset >= nest.cuts[((piece - 1) % 2) as usize]);
                prop_assert_eq!(nest.number(piece, offset).wrapping_add(stride), nest.number(piece + 2, offset));
            }
        }
    }
}
