//! Moves as they are typed: `a1-b3,c5-d7`, or a way of several moves, `a1-b3-c5`.

use crate::board::{Board, Square};

/// Reads ways of at least two squares, separated by commas, semicolons or blanks; squares in any notation.
///
/// # Errors
/// A sentence that names the first square that is wrong.
pub fn parse_ways(board: Board, text: &str) -> Result<Vec<Vec<Square>>, String> {
    let mut ways = Vec::new();
    let mut rest = text;
    while let Some((way, behind)) = next_word(rest) {
        let squares: Result<Vec<Square>, _> = way.into_iter().map(|name| board.parse_square(name)).collect();
        let squares = squares.map_err(|error| error.to_string())?;
        if squares.len() < 2 {
            let name = board.name(squares[0]);
            return Err(format!("{name} alone is no move: join its two squares, as in a1-b3"));
        }
        ways.push(squares);
        rest = behind;
    }
    if ways.is_empty() { Err("there is no move in it: write moves as in a1-b3,c5-d7".to_owned()) } else { Ok(ways) }
}

/// Checks that the moves of a way are a knight's.
///
/// # Errors
/// A sentence that names the first one that is none.
pub fn check_moves(board: Board, way: &[Square]) -> Result<(), String> {
    let wrong =
        moves(way).find(|&[from, to]| !board.adjacent(from, to)).map(|pair| pair.map(|square| board.name(square)));
    wrong.map_or(Ok(()), |[from, to]| Err(format!("no knight's move leads from {from} to {to}")))
}

/// The moves of a way, from its first square on.
pub fn moves(way: &[Square]) -> impl Iterator<Item = [Square; 2]> + '_ {
    way.windows(2).map(|pair| [pair[0], pair[1]])
}

fn is_gap(c: char) -> bool {
    c == ',' || c == ';' || c.is_whitespace()
}

/// The names of the squares of the first way, and what follows it.
fn next_word(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = text.trim_start_matches(is_gap);
    if rest.is_empty() {
        return None;
    }
    let mut names = Vec::new();
    loop {
        let (name, behind) = rest.split_at(name_end(rest));
        names.push(name);
        let Some(next) = behind.strip_prefix('-') else { return Some((names, behind)) };
        rest = next;
    }
}

/// Where the name of a square ends. `2,4` is one square: its comma separates nothing.
fn name_end(text: &str) -> usize {
    let end = |from: usize| text[from..].find(|c: char| c == '-' || is_gap(c)).map_or(text.len(), |at| from + at);
    let first = end(0);
    let is_row = first > 0 && text.as_bytes()[..first].iter().all(u8::is_ascii_digit);
    if is_row && text[first..].starts_with(',') { end(first + 1) } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let board: Board = "8x8".parse().unwrap();
        let names = |way: &Vec<Square>| way.iter().map(|&s| board.name(s)).collect::<Vec<_>>().join("-");
        let ways = parse_ways(board, text)?;
        ways.iter().try_for_each(|way| check_moves(board, way))?;
        Ok(ways.iter().map(names).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn moves_are_read_in_every_notation_and_separated_in_many_ways() {
        for text in ["a1-b3,c5-d7", "A1-b3 c5-d7", "a1-b3;\n c5-d7,", "7,0-5,1,3,2-1,3", "#57-#42, 3,2-d7"] {
            assert_eq!(read(text).as_deref(), Ok("a1-b3 c5-d7"), "{text}");
        }
        assert_eq!(read("a1-b3-c5-d7").as_deref(), Ok("a1-b3-c5-d7"));
    }

    #[test]
    fn what_is_no_move_is_told_why() {
        for (text, says) in [
            ("", "no move in it"),
            (" ,;", "no move in it"),
            ("a1", "a1 alone is no move"),
            ("a1-b3,c5", "c5 alone is no move"),
            ("a1-a2", "no knight's move leads from a1 to a2"),
            ("a1-", "''"),
            ("a1-z9", "'z9' is not on the board"),
            ("a1--b3", "''"),
            ("3-b3", "'3'"),
            ("é-b3", "'é'"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_way_has_a_move_from_each_square_to_the_next() {
        let board: Board = "8x8".parse().unwrap();
        let way = parse_ways(board, "a1-b3-c5").unwrap().remove(0);
        assert_eq!(moves(&way).collect::<Vec<_>>(), [[way[0], way[1]], [way[1], way[2]]]);
    }
}
