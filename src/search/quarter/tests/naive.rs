//! Finds the tours by plain means: every path on squares, every order of its strands, and a set.

use crate::board::{Board, Ending, Square};
use crate::search::quarter::quotient::orbit;
use std::collections::HashSet;

/// Whether the strands of a path with these joins, and the centre of an odd board, can be strung.
pub fn usable(side: u32, joins: &[&str]) -> bool {
    let number = |names: &[&str]| names.iter().filter(|name| joins.contains(name)).count();
    match side % 2 {
        1 => number(&["e~R1s", "e~R2s", "e~R3s"]) > 0 && number(&["e~c", "s~c"]) > 0,
        _ => number(&["e~R1s", "e~R3s"]) > 0 || number(&["e~R2s", "s~Rs", "e~Re"]) > 1,
    }
}

/// Every path on the board through each orbit once, from one square of each orbit: plain recursion on squares.
pub fn paths(board: Board) -> Vec<Vec<Square>> {
    fn extend(board: Board, path: &mut Vec<Square>, visited: &mut [bool], each: &mut Vec<Vec<Square>>) {
        if path.len() as u32 == board.squares() / 4 {
            each.push(path.clone());
        }
        for next in board.neighbours(path[path.len() - 1]) {
            if !visited[next.index() as usize] {
                orbit(board, next).iter().for_each(|s| visited[s.index() as usize] = true);
                path.push(next);
                extend(board, path, visited, each);
                path.pop();
                orbit(board, next).iter().for_each(|s| visited[s.index() as usize] = false);
            }
        }
    }
    let mut paths = Vec::new();
    for start in board.all().filter(|&s| orbit(board, s).iter().min() == Some(&s) && Some(s) != centre(board)) {
        let mut visited = vec![false; board.squares() as usize];
        orbit(board, start).iter().chain(&centre(board)).for_each(|s| visited[s.index() as usize] = true);
        extend(board, &mut vec![start], &mut visited, &mut paths);
    }
    paths
}

fn centre(board: Board) -> Option<Square> {
    board.at(board.squares() / 2).filter(|_| board.squares() % 2 == 1)
}

/// The joins of a naive path by name, such as `e~R2s`.
pub fn joins(board: Board, path: &[Square]) -> Vec<&'static str> {
    let (s, e) = (orbit(board, path[0]), orbit(board, path[path.len() - 1]));
    let to_centre = |from: Square| centre(board).is_some_and(|c| board.adjacent(from, c));
    let joins = [
        ("e~R1s", board.adjacent(e[0], s[1])),
        ("e~R2s", board.adjacent(e[0], s[2])),
        ("e~R3s", board.adjacent(e[0], s[3])),
        ("e~Re", board.adjacent(e[0], e[1])),
        ("s~Rs", board.adjacent(s[0], s[1])),
        ("e~c", to_centre(e[0])),
        ("s~c", to_centre(s[0])),
    ];
    joins.into_iter().filter_map(|(name, joined)| joined.then_some(name)).collect()
}

/// Every order of four strands, each in either direction, and of the centre where there is one. Piece 2k is strand k,
/// piece 2k + 1 is strand k backwards, piece 8 is the centre.
fn orders(centre: bool) -> Vec<Vec<usize>> {
    let choices = [&[0, 1][..], &[2, 3], &[4, 5], &[6, 7], &[8]];
    let mut orders = vec![vec![]];
    for choice in &choices[..if centre { 5 } else { 4 }] {
        let longer = |order: &Vec<usize>| {
            let insert = |(at, piece): (usize, &usize)| [&order[..at], &[*piece], &order[at..]].concat();
            let places = (0..=order.len()).flat_map(|at| choice.iter().map(move |piece| (at, piece)));
            places.map(insert).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// The tours that can be strung, found by trying every order on every path.
pub fn tours(board: Board, ending: Ending) -> HashSet<Vec<u8>> {
    let orders = orders(centre(board).is_some());
    let mut tours = HashSet::new();
    for path in paths(board).iter().filter(|path| !joins(board, path).is_empty()) {
        let strand = |turn: usize| path.iter().map(|&s| orbit(board, s)[turn]).collect::<Vec<_>>();
        let back = |strand: Vec<Square>| strand.into_iter().rev().collect();
        let mut pieces: Vec<Vec<Square>> = (0..4).flat_map(|turn| [strand(turn), back(strand(turn))]).collect();
        pieces.push(centre(board).into_iter().collect());
        let joined = |a: usize, b: usize| board.adjacent(pieces[a][pieces[a].len() - 1], pieces[b][0]);
        for order in orders.iter().filter(|order| order.windows(2).all(|two| joined(two[0], two[1]))) {
            let squares: Vec<u8> = order.iter().flat_map(|&piece| &pieces[piece]).map(|s| s.index() as u8).collect();
            if ending == Ending::Open {
                tours.insert(squares);
            } else if joined(order[order.len() - 1], order[0]) {
                tours.insert(undirected(&squares));
            }
        }
    }
    tours
}

/// A closed tour from square 0 towards the lower of its neighbours there.
pub fn undirected(squares: &[u8]) -> Vec<u8> {
    let at = squares.iter().position(|&s| s == 0).unwrap();
    let mut squares = [&squares[at..], &squares[..at]].concat();
    if squares[1] > squares[squares.len() - 1] {
        squares[1..].reverse();
    }
    squares
}
