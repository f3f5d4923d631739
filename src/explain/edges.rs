//! The edge search, one step at a time: each move that it chooses, each move that follows, and why.
//!
//! The pieces are plain arrays. Which tours are images of others is asked of the kernel's own table of labels.

use super::pieces::{Pieces, PiecesState, chains};
use super::reason::Reason;
use super::step::{Explained, ExplainedCounts, ExplainedMove, MoveStanding, StepEvent, TreeLevel};
use crate::board::{Board, Square, SquareMask};
use crate::search::Drawing;
use crate::search::edges::images::{LabelVerdict, Labels, Stabiliser, SymmetryImages};
use crate::search::edges::{FEW, FEW_UNLABELLED};
use std::collections::VecDeque;
use std::sync::Arc;

/// [`Edges`](crate::search::Edges), taken step by step.
#[derive(Clone)]
pub struct ExplainedEdges {
    board: Board,
    images: Arc<SymmetryImages>,
    /// All moves fixed, those not told yet among them.
    pieces: Pieces,
    /// Number of moves told.
    told: usize,
    /// The events about the current node that are not told yet.
    waiting: VecDeque<(StepEvent, Strung)>,
    /// The way to the current node; the first level is the root.
    levels: Vec<EdgeChoice>,
    /// The square of the latest event.
    latest: Option<Square>,
    /// The tour that the latest event found.
    strung: Strung,
    /// The moves of the position to which the search is led; empty if it is led nowhere.
    lead: Arc<[[Square; 2]]>,
    counts: ExplainedCounts,
}

/// The moves that string the pieces to a tour; empty with an event that finds none.
type Strung = Arc<[[Square; 2]]>;

/// A node: the moves at its beginning, and the end at which it chooses.
#[derive(Clone)]
struct EdgeChoice {
    /// Number of moves fixed before the move that led here.
    before: usize,
    labels: Labels,
    stabiliser: Option<Stabiliser>,
    /// The end at which the search chooses, and the squares to which it can be joined; none at a leaf.
    end: Square,
    options: Vec<Square>,
    /// Options that are passed over, because the search is led to a later one.
    passed: usize,
    /// Index of the next option.
    next: usize,
    /// The options that led to no tour at once, and why.
    ends: Vec<(usize, Reason)>,
}

impl ExplainedEdges {
    /// The search of `board` before its first step; `None` when the board has more than 128 squares.
    pub fn new(board: Board) -> Option<ExplainedEdges> {
        let first = board.at(0)?;
        if board.squares() > u128::BITS {
            return None;
        }
        let mut pieces = Pieces::of(board, &[]);
        let mut waiting = VecDeque::new();
        // A board less than three squares wide has squares with less than two moves; a tour alternates between colours.
        let possible = board.rows().min(board.cols()) >= 3 && board.squares().is_multiple_of(2);
        let settled = match possible {
            true => pieces.settle(FEW_UNLABELLED, |event| waiting.push_back((event, Strung::default()))),
            false => PiecesState::Dead(Reason::NoTour),
        };
        let ends = pieces.ends().fold(u128::EMPTY, |set, square| set | u128::bit(square.index() as usize));
        let mut search = ExplainedEdges {
            board,
            images: Arc::new(SymmetryImages::new(board, ends)),
            pieces,
            told: 0,
            waiting,
            levels: Vec::new(),
            latest: None,
            strung: Strung::default(),
            lead: Arc::default(),
            counts: ExplainedCounts::default(),
        };
        // The moves that are forced at the root are symmetric: they give no labels.
        let read = search.pieces.moves().len();
        search.open(0, read, Labels::UNKNOWN, None, first, settled);
        Some(search)
    }

    /// Opens the node that a move to `to` led to. `before` moves were fixed before it; the first `read` moves give no labels.
    fn open(
        &mut self,
        before: usize,
        read: usize,
        mut labels: Labels,
        stabiliser: Option<Stabiliser>,
        to: Square,
        settled: PiecesState,
    ) {
        let verdict = match (stabiliser, settled) {
            (Some(stabiliser), _) => LabelVerdict::First(stabiliser),
            (None, PiecesState::Dead(_)) => LabelVerdict::Unknown,
            (None, _) => self.verdict(&mut labels, &self.pieces.moves()[read..]),
        };
        let stabiliser = if let LabelVerdict::First(stabiliser) = verdict { Some(stabiliser) } else { None };
        let node = EdgeChoice {
            before,
            labels,
            stabiliser,
            end: to,
            options: Vec::new(),
            passed: 0,
            next: 0,
            ends: Vec::new(),
        };
        match settled {
            PiecesState::Dead(reason) => self.end(to, reason),
            _ if verdict == LabelVerdict::Image => self.end(to, Reason::ImageTours),
            PiecesState::Few => self.string(&node, to),
            PiecesState::Choice(narrowest) => {
                let unlabelled = stabiliser.is_none().then(|| self.images.unlabelled(&labels)).flatten();
                let end = unlabelled.and_then(|end| self.board.at(end as u32)).unwrap_or(narrowest);
                let options = self.pieces.open(end);
                let passed = self.passed(end, &options);
                return self.levels.push(EdgeChoice { end, options, passed, ..node });
            }
        }
        self.levels.push(node);
    }

    /// Reads the labels that moves give, and compares them with those of their images.
    fn verdict(&self, labels: &mut Labels, moves: &[[Square; 2]]) -> LabelVerdict {
        let moves: Vec<[u8; 2]> = moves.iter().map(|step| step.map(|square| square.index() as u8)).collect();
        self.images.label(labels, &moves);
        self.images.verdict(labels)
    }

    /// Strings the few pieces that are left, and tells every tour.
    fn string(&mut self, node: &EdgeChoice, to: Square) {
        let pieces = self.pieces.count() as u8;
        self.waiting.push_back((StepEvent::Few { pieces }, Strung::default()));
        let mut number = self.counts.tours;
        let mut reason = Reason::NotStrung(pieces);
        for strung in self.pieces.strings() {
            let mut labels = node.labels;
            let stabiliser = node.stabiliser.map_or_else(|| self.verdict(&mut labels, &strung), LabelVerdict::First);
            let LabelVerdict::First(stabiliser) = stabiliser else {
                reason = Reason::ImageTours;
                continue;
            };
            let images = self.images.tour_weight(stabiliser).unwrap_or(1);
            number += images;
            self.waiting.push_back((StepEvent::Tour { number, images }, strung.into()));
        }
        if number == self.counts.tours {
            self.end(to, reason);
        }
    }

    /// Tells that the move to a square leads to no tour.
    fn end(&mut self, square: Square, reason: Reason) {
        self.waiting.push_back((StepEvent::DeadEnd { square, reason }, Strung::default()));
        if let Some(parent) = self.levels.last_mut() {
            parent.ends.push((parent.next - 1, reason));
        }
    }

    /// Tells the next event about the current node, if there is one.
    fn announce(&mut self) -> Option<StepEvent> {
        let (event, strung) = self.waiting.pop_front()?;
        if let StepEvent::Fixed { from, .. } = event {
            self.told += 1;
            self.latest = Some(from);
        }
        self.strung = strung;
        Some(event)
    }

    /// Chooses the next move, if there is one.
    fn enter(&mut self) -> Option<StepEvent> {
        let node = self.levels.last_mut()?;
        node.next = node.next.max(node.passed);
        let (from, &to) = (node.end, node.options.get(node.next)?);
        node.next += 1;
        let (labels, stabiliser, open) = (node.labels, node.stabiliser, node.options.len() as u8);
        let reason = match stabiliser {
            None if self.images.unlabelled(&labels).is_some() => Reason::TellsImages,
            _ => Reason::Fewest(open),
        };
        let few = if stabiliser.is_some() { FEW } else { FEW_UNLABELLED };
        let before = self.pieces.moves().len();
        self.pieces.join(from, to);
        self.told = before + 1;
        let waiting = &mut self.waiting;
        let settled = self.pieces.settle(few, |event| waiting.push_back((event, Strung::default())));
        self.open(before, before, labels, stabiliser, to, settled);
        self.latest = Some(to);
        let by = (0..8).find(|&k| self.board.step(from, k) == Some(to)).unwrap_or_default() as u8;
        Some(StepEvent::Joined { from, to, by, reason })
    }

    fn back(&mut self) -> Option<StepEvent> {
        if self.levels.len() < 2 {
            return None;
        }
        let node = self.levels.pop()?;
        let [from, to] = self.pieces.moves()[node.before];
        self.pieces = Pieces::of(self.board, &self.pieces.moves()[..node.before]);
        self.told = node.before;
        self.latest = Some(from);
        Some(StepEvent::Undone { from, to })
    }

    /// Number of options that the search passes over to be led.
    fn passed(&self, end: Square, options: &[Square]) -> usize {
        let wanted = options.iter().position(|&to| self.wants(end, to));
        wanted.filter(|_| self.is_on_the_way()).unwrap_or(0)
    }

    /// Whether all moves are moves of the position to which the search is led.
    fn is_on_the_way(&self) -> bool {
        self.pieces.moves().iter().all(|&[a, b]| self.wants(a, b))
    }

    /// Whether the position to which the search is led has this move.
    fn wants(&self, a: Square, b: Square) -> bool {
        self.lead.contains(&[a, b]) || self.lead.contains(&[b, a])
    }

    /// The options of a node, each with its state; `taken` if the position shown lies beyond the one before the next.
    fn standings(node: &EdgeChoice, taken: bool) -> impl Iterator<Item = (Square, MoveStanding)> {
        node.options.iter().enumerate().map(move |(index, &to)| {
            let end = node.ends.iter().find(|(end, _)| *end == index);
            let standing = match index {
                _ if index < node.passed => MoveStanding::Passed,
                _ if taken && index + 1 == node.next => MoveStanding::Taken,
                _ if index < node.next => end.map_or(MoveStanding::Tried, |&(_, reason)| MoveStanding::DeadEnd(reason)),
                _ if !taken && index == node.next.max(node.passed) => MoveStanding::Next,
                _ => MoveStanding::Untried,
            };
            (to, standing)
        })
    }

    /// The node at which the next step chooses, if it does.
    fn choosing(&self) -> Option<&EdgeChoice> {
        self.levels.last().filter(|node| self.waiting.is_empty() && !node.options.is_empty())
    }
}

impl Explained for ExplainedEdges {
    fn step(&mut self) -> StepEvent {
        let event = self.announce().unwrap_or_else(|| {
            self.strung = Strung::default();
            self.enter().or_else(|| self.back()).unwrap_or(StepEvent::Finished)
        });
        self.counts.add(&event);
        event
    }

    fn counts(&self) -> ExplainedCounts {
        self.counts
    }

    fn depth(&self) -> usize {
        self.told
    }

    fn depth_of_tour(&self) -> usize {
        self.board.squares() as usize
    }

    fn focus(&self) -> Option<Square> {
        // A tour leaves no move to look at.
        let square = self.choosing().map(|node| node.end).or(self.latest);
        square.filter(|_| self.strung.is_empty())
    }

    fn choices(&self) -> Vec<ExplainedMove> {
        let Some(focus) = self.focus() else { return Vec::new() };
        let pieces = Pieces::of(self.board, &self.pieces.moves()[..self.told]);
        let options: Vec<_> = self.choosing().into_iter().flat_map(|node| Self::standings(node, false)).collect();
        let choice = |number: u8| {
            let square = self.board.step(focus, number.into())?;
            let standing = match options.iter().find(|&&(to, _)| to == square) {
                Some(&(_, standing)) => standing,
                None if pieces.has(focus, square) => MoveStanding::Fixed,
                None if pieces.needs(square) == 0 => MoveStanding::Barred(Reason::Inside),
                None if pieces.needs(focus) == 0 => MoveStanding::Barred(Reason::Enough),
                None if pieces.mate(focus) == square => MoveStanding::Barred(Reason::OwnPiece),
                None => MoveStanding::Barred(Reason::NoChoice),
            };
            Some(ExplainedMove { number, square, rank: pieces.open(square).len() as u8, standing })
        };
        let mut choices: Vec<ExplainedMove> = (0..8).filter_map(choice).collect();
        choices.sort_by_key(|choice| {
            (matches!(choice.standing, MoveStanding::Fixed | MoveStanding::Barred(_)), choice.square)
        });
        choices
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        Some("it tries every move that it chooses, and one without a tour ends at a dead end")
    }

    fn has_pieces(&self) -> bool {
        true
    }

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn tree(&self, most: usize) -> Vec<TreeLevel> {
        let nodes = self.levels.iter().enumerate().rev().take(most);
        let mut tree: Vec<TreeLevel> = nodes
            .map(|(index, node)| TreeLevel {
                depth: self.levels.get(index + 1).map_or(self.pieces.moves().len(), |next| next.before),
                at: Some(node.end),
                branches: Self::standings(node, index + 1 < self.levels.len()).collect(),
            })
            .collect();
        tree.reverse();
        tree
    }

    fn draw(&self, drawing: &mut Drawing) {
        let moves = [&self.pieces.moves()[..self.told], &self.strung].concat();
        drawing.fragments(chains(self.board, &moves));
    }

    fn lead(&mut self, to: &Drawing) {
        let square = |&square: &u32| self.board.at(square);
        let steps = to.chains.iter().flat_map(|chain| chain.windows(2));
        self.lead = steps.filter_map(|step| Some([square(&step[0])?, square(&step[1])?])).collect();
        let passed = self.levels.first().map_or(0, |root| self.passed(root.end, &root.options));
        self.levels.iter_mut().for_each(|root| root.passed = passed);
    }

    fn is_led(&self) -> bool {
        let wanted = |node: &EdgeChoice| node.next == 0 && node.options.iter().any(|&to| self.wants(node.end, to));
        !self.lead.is_empty()
            && self.is_on_the_way()
            && (self.told < self.pieces.moves().len() || self.levels.last().is_some_and(wanted))
    }

    fn fork(&self) -> Box<dyn Explained> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        let squares = self.board.squares() as usize;
        let node = size_of::<EdgeChoice>() + 8 * size_of::<Square>();
        size_of::<Self>() + squares * 16 + self.levels.len() * node + self.waiting.len() * 64
    }
}
