//! Radley's search as a first draft would have it: a two-dimensional array, a recursion, and the prune tests exactly as
//! they are defined, for one branch at a time.

use crate::board::{Board, MOVES};
use crate::search::{Prune, RadleyOptions, Tally};

type Place = (i32, i32);

struct Twin<'a> {
    rows: i32,
    cols: i32,
    rules: &'a RadleyOptions,
    start: Place,
    visited: Vec<Vec<bool>>,
    /// The square reserved for the last move.
    reserved: Option<Place>,
    tally: Tally,
}

/// All counts of the search of `board`.
pub fn count(board: Board, rules: &RadleyOptions) -> Tally {
    let (rows, cols) = (board.rows() as i32, board.cols() as i32);
    let start = board.row_col(rules.start);
    let start = (start.0 as i32, start.1 as i32);
    let visited = vec![vec![false; cols as usize]; rows as usize];
    let mut twin = Twin { rows, cols, rules, start, visited, reserved: None, tally: Tally::default() };
    twin.enter(start, 1);
    twin.tally
}

impl Twin<'_> {
    fn enter(&mut self, p: Place, depth: usize) {
        self.visited[p.0 as usize][p.1 as usize] = true;
        self.tally.nodes += 1;
        self.tally.nodes_by_depth[depth] += 1;
        let squares = (self.rows * self.cols) as usize;
        if depth == squares && self.neighbours(p).contains(&self.start) {
            self.tally.tours += 1;
        }
        let mut moves = self.vacant_neighbours(p);
        if depth + 1 < squares {
            moves.retain(|&s| Some(s) != self.reserved);
        }
        if depth == 1 && self.rules.fix_first {
            moves.truncate(1);
        }
        for s in moves {
            if self.rules.window.contains(&(depth + 1)) && self.doomed(p, s) {
                self.tally.pruned += 1;
                self.tally.pruned_by_depth[depth + 1] += 1;
                continue;
            }
            if depth == 1 && self.rules.reserve_last {
                self.reserved = self.neighbours(p).into_iter().find(|&exit| exit != s);
            }
            self.enter(s, depth + 1);
        }
        self.visited[p.0 as usize][p.1 as usize] = false;
    }

    /// Whether the test cuts the branch from `p`, the knight's square, to `s`.
    fn doomed(&mut self, p: Place, s: Place) -> bool {
        self.visited[s.0 as usize][s.1 as usize] = true;
        let siblings = self.vacant_neighbours(p);
        let isolated = |&q: &Place| self.vacant_neighbours(q).is_empty();
        let doomed = match self.rules.prune {
            Prune::None => false,
            Prune::AllIsolated => !siblings.is_empty() && siblings.iter().all(isolated),
            Prune::AnyIsolated => siblings.iter().any(isolated),
            Prune::Region => !self.reaches_all(s),
        };
        self.visited[s.0 as usize][s.1 as usize] = false;
        doomed
    }

    fn reaches_all(&self, s: Place) -> bool {
        let mut reached = vec![s];
        let mut at = 0;
        while at < reached.len() {
            for q in self.vacant_neighbours(reached[at]) {
                if !reached.contains(&q) {
                    reached.push(q);
                }
            }
            at += 1;
        }
        reached.len() == 1 + self.visited.iter().flatten().filter(|&&visited| !visited).count()
    }

    /// The vacant neighbours; the reserved square is vacant too.
    fn vacant_neighbours(&self, p: Place) -> Vec<Place> {
        self.neighbours(p).into_iter().filter(|q| !self.visited[q.0 as usize][q.1 as usize]).collect()
    }

    /// In the order of the source's moves.
    fn neighbours(&self, p: Place) -> Vec<Place> {
        let steps = MOVES.iter().map(|&(down, right)| (p.0 + down, p.1 + right));
        steps.filter(|q| (0..self.rows).contains(&q.0) && (0..self.cols).contains(&q.1)).collect()
    }
}
