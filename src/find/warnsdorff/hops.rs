//! Several moves decided per look-ahead.

use super::field::{Field, MoveCourse, Ranks};
use super::ties::TieBreak;
use std::cmp::Ordering;

/// Moves that a look-ahead may decide; each costs some three times the one before.
pub const HOPS_MAX: u32 = 6;

/// What ways are compared by, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Grade {
    /// No move leads on, and not every square was visited.
    dead_end: bool,
    /// Moves that it is shorter than it should be.
    short_by: usize,
    /// The ranks met, three bits each, the first one highest.
    ranks: u32,
}

/// Moves as positions in the course.
type CourseMoves = [u8; HOPS_MAX as usize];

/// The best ways found so far, all of one grade.
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

/// Decides up to `hops` moves from a square with these ranks around it, at least one open; they are put into
/// `decided`, the first one last.
pub fn decide(
    field: &mut Field,
    course: &MoveCourse,
    ranks: Ranks,
    hops: u32,
    ties: &mut TieBreak,
    decided: &mut Vec<u8>,
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
        decided.push(k as u8);
        field.go(course, k);
        field.look(course);
    }
    for _ in 0..length {
        field.back(course);
    }
    decided.reverse();
}

/// Walks every way.
struct HopSearch<'a> {
    field: &'a mut Field,
    course: &'a MoveCourse,
    hops: usize,
    way: CourseMoves,
    best: &'a mut Best,
}

impl HopSearch<'_> {
    /// The first `length` moves are made, and these ranks lie around the knight.
    fn extend(&mut self, around: Ranks, length: usize, ranks: u32) {
        let over = around.is_empty();
        if over || length == self.hops {
            let dead_end = over && !self.field.is_full();
            // The ranks of a shorter way are compared only with those of one as short.
            self.best.offer(Grade { dead_end, short_by: self.hops - length, ranks }, self.way);
            return;
        }
        for (k, rank) in around.iter() {
            self.way[length] = k as u8;
            self.field.go(self.course, k);
            let around = self.field.look(self.course);
            self.extend(around, length + 1, ranks << 3 | rank);
            self.field.back(self.course);
        }
    }
}
