//! Several moves decided at once: a search over every way of that many moves, and the grade that compares two ways.

use super::field::{Field, MoveCourse, Ranks};
use super::ties::TieBreak;
use std::cmp::Ordering;

/// Most moves decided at once; each further move makes the decision take about three times as long.
pub const HOPS_MAX: u32 = 6;

/// What compares two ways; the best grade is the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Grade {
    /// Whether the way ends before every square is visited and no move leads onward.
    dead_end: bool,
    /// Number of moves by which the way is too short.
    short_by: usize,
    /// The ranks met on the way, three bits each, the first one in the highest bits.
    ranks: u32,
}

/// Moves as positions in the course.
type CourseMoves = [u8; HOPS_MAX as usize];

/// The best ways found so far, all with one grade.
struct Best {
    grade: Grade,
    ways: Vec<CourseMoves>,
}

impl Best {
    fn offer(&mut self, grade: Grade, way: CourseMoves) {
        match grade.cmp(&self.grade) {
            Ordering::Less => (self.grade, self.ways) = (grade, vec![way]),
            Ordering::Equal => self.ways.push(way),
            Ordering::Greater => {}
        }
    }
}

/// Decides up to `hops` moves from a square with `ranks` around it, at least one of them open. Appends the moves to
/// `next_moves`, the first one last.
pub fn decide(
    field: &mut Field,
    course: &MoveCourse,
    ranks: Ranks,
    hops: u32,
    ties: &mut TieBreak,
    next_moves: &mut Vec<u8>,
) {
    let hops = hops as usize;
    let worst = Grade { dead_end: true, short_by: usize::MAX, ranks: u32::MAX };
    let mut best = Best { grade: worst, ways: Vec::new() };
    let mut looker = HopSearch { field, course, hops, way: CourseMoves::default(), best: &mut best };
    looker.extend(ranks, 0, 0);
    let length = hops - best.grade.short_by;
    for i in 0..length {
        let left = best.ways.iter().fold(0, |moves, way| moves | 1 << way[i]);
        let k = ties.pick(field, field.here(), course, left);
        best.ways.retain(|way| usize::from(way[i]) == k);
        next_moves.push(k as u8);
        field.make_move(course, k);
        field.look(course);
    }
    for _ in 0..length {
        field.undo_move(course);
    }
    next_moves.reverse();
}

/// Walks every way of up to `hops` moves.
struct HopSearch<'a> {
    field: &'a mut Field,
    course: &'a MoveCourse,
    hops: usize,
    way: CourseMoves,
    best: &'a mut Best,
}

impl HopSearch<'_> {
    /// Extends the way, whose first `length` moves are made and whose last square has the ranks `around`; `ranks` holds the
    /// ranks met so far.
    fn extend(&mut self, around: Ranks, length: usize, ranks: u32) {
        let over = around.is_empty();
        if over || length == self.hops {
            let dead_end = over && !self.field.is_full();
            // The ranks of a shorter way are compared only with those of a way of equal length.
            self.best.offer(Grade { dead_end, short_by: self.hops - length, ranks }, self.way);
            return;
        }
        for (k, rank) in around.iter() {
            self.way[length] = k as u8;
            self.field.make_move(self.course, k);
            let around = self.field.look(self.course);
            self.extend(around, length + 1, ranks << 3 | rank);
            self.field.undo_move(self.course);
        }
    }
}
