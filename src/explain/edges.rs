//! The edge search, one step at a time: each move that it chooses, each move that follows, and why.
//!
//! Every step works on the kernel's own position. The kernel records why it fixes a move, and which square stops it.

use super::step::{BranchEnd, Explained, ExplainedCounts, ExplainedMove, MoveStatus, Reason, StepEvent, TreeLevel};
use crate::board::{Board, Shape, SmallBoard, Square, SquareMask};
use crate::search::Drawing;
use crate::search::edges::expand::MoveLog;
use crate::search::edges::fragments::{ForcedResult, Fragments, Record};
use crate::search::edges::images::{LabelVerdict, Labels, Stabiliser, SymmetryImages};
use crate::search::edges::{FEW, FEW_UNLABELLED, walk};
use std::collections::VecDeque;
use std::sync::Arc;

/// [`Edges`](crate::search::Edges), taken step by step.
#[derive(Clone)]
pub struct ExplainedEdges {
    board: Board,
    graph: Arc<SmallBoard<u128>>,
    images: Arc<SymmetryImages>,
    /// Whether no move is fixed at the root: around holes the forced ones may be none, or a whole tour. Then both moves of one
    /// square are chosen first.
    is_bare: bool,
    /// The kernel's position after all moves fixed, those not reported yet among them, and these moves.
    fragments: Fragments<u128, 128>,
    log: MoveLog<128>,
    /// Number of moves reported.
    reported: usize,
    /// The events about the current node that are not reported yet.
    waiting: VecDeque<(StepEvent, Strung)>,
    /// The way to the current node; the first level is the root.
    levels: Vec<EdgeChoice>,
    /// The square of the latest event.
    latest: Option<Square>,
    /// The tour that the latest event found.
    strung: Strung,
    /// The moves of the position to which the search is led; empty if it is led nowhere.
    lead: Arc<[[u8; 2]]>,
    counts: ExplainedCounts,
}

/// The moves that string the pieces to a tour; empty with an event that finds none.
type Strung = Arc<[[u8; 2]]>;

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
    /// The options that led to no tour at once, and how they ended.
    ends: Vec<(usize, BranchEnd)>,
}

/// What is left when no move is forced: the end of a fragment at which the search chooses, `None` if few pieces are left,
/// or the reason why no tour has the moves.
type Settled = Result<Option<Square>, Reason>;

/// Tells every move that the kernel forces, and the square that stops it.
struct ForcedMoves<'a> {
    board: Board,
    log: &'a mut MoveLog<128>,
    waiting: &'a mut VecDeque<(StepEvent, Strung)>,
    reason: Reason,
    /// The square without enough moves, and whether they could not be fixed though the kernel thought so.
    stopped: Option<(usize, bool)>,
}

impl Record for ForcedMoves<'_> {
    fn fix(&mut self, fixed: usize, a: usize, b: usize) {
        self.log.fix(fixed, a, b);
        let [from, to] = [a, b].map(|index| square(self.board, index));
        self.waiting.push_back((StepEvent::Fixed { from, to, reason: self.reason }, Strung::default()));
    }

    fn force(&mut self, _: usize, bare: bool) {
        self.reason = if bare { Reason::TwoLeft } else { Reason::OneLeft };
    }

    fn too_few(&mut self, square: usize) {
        self.stopped = Some((square, false));
    }

    fn unforced(&mut self, square: usize) {
        self.stopped = Some((square, true));
    }
}

fn square(board: Board, index: usize) -> Square {
    board.at(index as u32).unwrap_or_else(|| unreachable!("the kernel's squares lie on the board"))
}

impl ExplainedEdges {
    /// The search of `shape` before its first step; `None` when its board has more than 128 squares.
    pub fn new(shape: impl Into<Shape>) -> Option<ExplainedEdges> {
        let shape = shape.into();
        let (board, graph) = (shape.board(), SmallBoard::new(&shape)?);
        let mut search = ExplainedEdges {
            board,
            is_bare: false,
            // Those of the ends follow, once the first forced moves are fixed.
            images: Arc::new(SymmetryImages::new(&shape, u128::EMPTY)),
            fragments: Fragments::new(&graph),
            log: MoveLog::new(),
            graph: Arc::new(graph),
            reported: 0,
            waiting: VecDeque::new(),
            levels: Vec::new(),
            latest: None,
            strung: Strung::default(),
            lead: Arc::default(),
            counts: ExplainedCounts::default(),
        };
        // A tour alternates between colours, and two squares have only one move.
        let [light, dark] = shape.colours();
        let settled = if light == dark && light > 1 { search.settle(FEW_UNLABELLED) } else { Err(Reason::NoTour) };
        search.is_bare = match settled {
            Err(_) => false,
            Ok(None) => walk::count(&search.graph, &search.fragments) > 0,
            Ok(Some(_)) => search.fragments.ends().is_empty(),
        };
        if search.is_bare {
            search.fragments = Fragments::new(&search.graph);
            search.log = MoveLog::new();
            search.waiting.clear();
        }
        search.images = Arc::new(SymmetryImages::new(&shape, search.fragments.ends()));
        let narrowest = search.graph.all().iter().min_by_key(|&index| search.graph.neighbours(index).len());
        let first = square(board, narrowest.unwrap_or(0));
        let settled = if search.is_bare { Ok(Some(first)) } else { settled };
        // The moves that are forced at the root are symmetric: they give no labels.
        let read = search.fixed();
        search.open(0, read, Labels::UNKNOWN, None, first, settled);
        Some(search)
    }

    /// Number of moves fixed.
    fn fixed(&self) -> usize {
        self.fragments.fixed(&self.graph)
    }

    /// The squares to which a square can be joined at the node that is opened, in their order on the board. Of the two moves of a
    /// search without a fixed one the first leads to the later square.
    fn options(&self, from: Square) -> Vec<Square> {
        let all = self.fragments.options(&self.graph, from.index() as usize);
        let all = all.iter().map(|index| square(self.board, index));
        match self.levels.first().filter(|_| self.is_bare) {
            None if self.is_bare => all.skip(1).collect(),
            Some(first) if self.levels.len() == 1 => all.take_while(|&to| to < first.options[first.next - 1]).collect(),
            _ => all.collect(),
        }
    }

    /// The kernel's position after the first `moves` moves.
    fn position(&self, moves: usize) -> Fragments<u128, 128> {
        let mut position = Fragments::new(&self.graph);
        for &[a, b] in self.log.moves(0, moves) {
            position.join(&self.graph, &mut (), a.into(), b.into());
        }
        position
    }

    /// Lets the kernel fix all moves that are forced, until no more than `few` pieces are left or the search must choose.
    fn settle(&mut self, few: usize) -> Settled {
        let (board, waiting) = (self.board, &mut self.waiting);
        let mut moves = ForcedMoves { board, log: &mut self.log, waiting, reason: Reason::OneLeft, stopped: None };
        match self.fragments.settle(&self.graph, &mut moves, few) {
            ForcedResult::Few => Ok(None),
            ForcedResult::Branch(end) => Ok(Some(square(board, end))),
            ForcedResult::Dead => {
                let (stopped, unforced) = moves.stopped.unwrap_or_else(|| unreachable!("some square stops the search"));
                let needs = self.fragments.needs(stopped);
                let open = self.fragments.options(&self.graph, stopped).len() as u8;
                let beside_mate = self.graph.neighbours(stopped).has(self.fragments.mate(stopped));
                let is_ring = unforced && (open >= needs || beside_mate);
                let stopped = square(board, stopped);
                Err(if is_ring { Reason::Ring(stopped) } else { Reason::TooFew(stopped, needs, open) })
            }
        }
    }

    /// Opens the node that a move to `to` led to. `before` moves were fixed before it; the first `read` moves give no labels.
    fn open(
        &mut self,
        before: usize,
        read: usize,
        mut labels: Labels,
        stabiliser: Option<Stabiliser>,
        to: Square,
        settled: Settled,
    ) {
        let verdict = match (stabiliser, settled) {
            (Some(stabiliser), _) => LabelVerdict::First(stabiliser),
            (None, Err(_)) => LabelVerdict::Unknown,
            (None, Ok(_)) => self.verdict(&mut labels, self.log.moves(read, self.fixed())),
        };
        let stabiliser = if let LabelVerdict::First(stabiliser) = verdict { Some(stabiliser) } else { None };
        let (options, ends) = (Vec::new(), Vec::new());
        let node = EdgeChoice { before, labels, stabiliser, end: to, options, passed: 0, next: 0, ends };
        match settled {
            Err(reason) => self.end(to, BranchEnd::Dead(reason)),
            Ok(_) if let LabelVerdict::Image(symmetry) = verdict => self.end(to, BranchEnd::Image(symmetry)),
            Ok(None) => self.string(&node, to),
            Ok(Some(narrowest)) => {
                let unlabelled = stabiliser.is_none().then(|| self.images.unlabelled(&labels)).flatten();
                let end = unlabelled.and_then(|end| self.board.at(end as u32)).unwrap_or(narrowest);
                let options = self.options(end);
                let passed = self.passed(end, &options);
                return self.levels.push(EdgeChoice { end, options, passed, ..node });
            }
        }
        self.levels.push(node);
    }

    /// Reads the labels that moves give, and compares them with those of their images.
    fn verdict(&self, labels: &mut Labels, moves: &[[u8; 2]]) -> LabelVerdict {
        self.images.label(labels, moves);
        self.images.verdict(labels)
    }

    /// Strings the few pieces that are left, and tells every tour.
    fn string(&mut self, node: &EdgeChoice, to: Square) {
        let (pieces, fixed, squares) = (self.fragments.pieces() as u8, self.fixed(), self.graph.squares());
        self.waiting.push_back((StepEvent::Few { pieces }, Strung::default()));
        let mut number = self.counts.tours;
        let mut end = BranchEnd::Dead(Reason::NotStrung(pieces));
        let mut tours: Vec<Strung> = Vec::new();
        walk::each(&self.graph, &self.fragments, &mut self.log, &mut |log| {
            tours.push(log.moves(fixed, squares).into())
        });
        for strung in tours {
            let mut labels = node.labels;
            let stabiliser =
                match node.stabiliser.map_or_else(|| self.verdict(&mut labels, &strung), LabelVerdict::First) {
                    LabelVerdict::First(stabiliser) => stabiliser,
                    LabelVerdict::Image(symmetry) => {
                        end = BranchEnd::Image(symmetry);
                        continue;
                    }
                    LabelVerdict::Unknown => unreachable!("a tour has all labels"),
                };
            let images = self.images.tour_weight(stabiliser).unwrap_or(1);
            number += images;
            self.waiting.push_back((StepEvent::Tour { number, images }, strung));
        }
        if number == self.counts.tours {
            self.end(to, end);
        }
    }

    /// Tells that the move to a square leads to no tour, or to none that is counted here.
    fn end(&mut self, square: Square, end: BranchEnd) {
        let event = match end {
            // The dead end is where no move is left, wherever the last choice was.
            BranchEnd::Dead(reason) => {
                let stopped = reason.squares(self.board).first().copied();
                StepEvent::DeadEnd { square: stopped.unwrap_or(square), reason }
            }
            BranchEnd::Image(symmetry) => StepEvent::Image { square, symmetry },
        };
        self.waiting.push_back((event, Strung::default()));
        if let Some(parent) = self.levels.last_mut() {
            parent.ends.push((parent.next - 1, end));
        }
    }

    /// Tells the next event about the current node, if there is one.
    fn announce(&mut self) -> Option<StepEvent> {
        let (event, strung) = self.waiting.pop_front()?;
        if let StepEvent::Fixed { from, .. } = event {
            self.reported += 1;
            self.latest = Some(from);
        } else if let StepEvent::DeadEnd { square, .. } = event {
            self.latest = Some(square);
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
        let (labels, stabiliser) = (node.labels, node.stabiliser);
        let open = self.fragments.options(&self.graph, from.index() as usize).len() as u8;
        let reason = match stabiliser {
            None if self.images.unlabelled(&labels).is_some() => Reason::TellsImages,
            _ => Reason::Fewest(open),
        };
        let few = if stabiliser.is_some() { FEW } else { FEW_UNLABELLED };
        let before = self.fixed();
        self.fragments.join(&self.graph, &mut self.log, from.index() as usize, to.index() as usize);
        self.reported = before + 1;
        let settled = if self.is_bare && self.levels.len() == 1 { Ok(Some(from)) } else { self.settle(few) };
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
        let [from, to] = self.log.moves(node.before, node.before + 1)[0].map(|index| square(self.board, index.into()));
        self.fragments = self.position(node.before);
        self.reported = node.before;
        self.latest = Some(from);
        Some(StepEvent::Undone { from, to })
    }

    /// Number of options that the search passes over to be led.
    fn passed(&self, end: Square, options: &[Square]) -> usize {
        // Of two moves at one square the later one is made first.
        let wanted = options.iter().rposition(|&to| self.wants(step(end, to)));
        wanted.filter(|_| self.is_on_the_way()).unwrap_or(0)
    }

    /// Whether all moves are moves of the position to which the search is led.
    fn is_on_the_way(&self) -> bool {
        self.log.moves(0, self.fixed()).iter().all(|&step| self.wants(step))
    }

    /// Whether the position to which the search is led has this move.
    fn wants(&self, step: [u8; 2]) -> bool {
        has(&self.lead, step)
    }

    /// The options of a node, each with its state; `taken` if the position shown lies beyond the one before the next.
    fn statuses(node: &EdgeChoice, taken: bool) -> impl Iterator<Item = (Square, MoveStatus)> {
        node.options.iter().enumerate().map(move |(index, &to)| {
            let end = node.ends.iter().find(|(end, _)| *end == index);
            let status = match index {
                _ if index < node.passed => MoveStatus::Passed,
                _ if taken && index + 1 == node.next => MoveStatus::Taken,
                _ if index < node.next => end.map_or(MoveStatus::Tried, |&(_, end)| MoveStatus::Ended(end)),
                _ if !taken && index == node.next.max(node.passed) => MoveStatus::Next,
                _ => MoveStatus::Untried,
            };
            (to, status)
        })
    }

    /// Whether the node that was entered has neither moves to choose from nor pieces to string.
    fn is_cut(&self) -> bool {
        let strings = |(event, _): &(StepEvent, Strung)| matches!(event, StepEvent::Few { .. });
        self.levels.last().is_some_and(|node| node.options.is_empty()) && !self.waiting.iter().any(strings)
    }

    /// The node at which the next step chooses, if it does.
    fn choosing(&self) -> Option<&EdgeChoice> {
        self.levels.last().filter(|node| self.waiting.is_empty() && !node.options.is_empty())
    }
}

/// Whether a move is among some, in either direction.
fn has(moves: &[[u8; 2]], [a, b]: [u8; 2]) -> bool {
    moves.contains(&[a, b]) || moves.contains(&[b, a])
}

/// A move as the log has it.
fn step(from: Square, to: Square) -> [u8; 2] {
    [from, to].map(|square| square.index() as u8)
}

impl Explained for ExplainedEdges {
    fn step(&mut self) -> StepEvent {
        let event = self.announce().unwrap_or_else(|| {
            self.strung = Strung::default();
            self.enter().or_else(|| self.back()).unwrap_or(StepEvent::Finished)
        });
        self.counts.add(&event);
        self.counts.pruned += u64::from(event.enters() && self.is_cut());
        event
    }

    fn counts(&self) -> ExplainedCounts {
        self.counts
    }

    fn depth(&self) -> usize {
        self.reported
    }

    fn depth_of_tour(&self) -> usize {
        self.graph.squares()
    }

    fn focus(&self) -> Option<Square> {
        // A tour leaves no move to look at.
        let square = self.choosing().map(|node| node.end).or(self.latest);
        square.filter(|_| self.strung.is_empty())
    }

    fn choices(&self) -> Vec<ExplainedMove> {
        let Some(focus) = self.focus() else { return Vec::new() };
        let position = self.position(self.reported);
        let needs = |square: Square| position.needs(square.index() as usize);
        let fixed = self.log.moves(0, self.reported);
        let options: Vec<_> = self.choosing().into_iter().flat_map(|node| Self::statuses(node, false)).collect();
        let choice = |number: u8| {
            let square = self.board.step(focus, number.into())?;
            let status = match options.iter().find(|&&(to, _)| to == square) {
                Some(&(_, status)) => status,
                None if has(fixed, step(focus, square)) => MoveStatus::Fixed,
                None if needs(square) == 0 => MoveStatus::Barred(Reason::Inside),
                None if needs(focus) == 0 => MoveStatus::Barred(Reason::Enough),
                None if position.mate(focus.index() as usize) == square.index() as usize => {
                    MoveStatus::Barred(Reason::OwnPiece)
                }
                None => MoveStatus::Barred(Reason::NoChoice),
            };
            let rank = position.options(&self.graph, square.index() as usize).len() as u8;
            Some(ExplainedMove { number, square, rank, status })
        };
        let mut choices: Vec<ExplainedMove> = (0..8).filter_map(choice).collect();
        choices
            .sort_by_key(|choice| (matches!(choice.status, MoveStatus::Fixed | MoveStatus::Barred(_)), choice.square));
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
                depth: self.levels.get(index + 1).map_or_else(|| self.fixed(), |next| next.before),
                at: Some(node.end),
                branches: Self::statuses(node, index + 1 < self.levels.len()).collect(),
            })
            .collect();
        tree.reverse();
        tree
    }

    fn draw(&self, drawing: &mut Drawing) {
        let mut log = self.log.clone();
        for (number, &[a, b]) in self.strung.iter().enumerate() {
            log.fix(self.reported + number, a.into(), b.into());
        }
        drawing.fragments(log.chains(self.reported + self.strung.len()));
    }

    fn lead(&mut self, to: &Drawing) {
        let steps = to.chains.iter().flat_map(|chain| chain.windows(2));
        self.lead = steps.map(|step| [step[0] as u8, step[1] as u8]).collect();
        let passed = self.levels.first().map_or(0, |root| self.passed(root.end, &root.options));
        self.levels.iter_mut().for_each(|root| root.passed = passed);
    }

    fn is_led(&self) -> bool {
        let wanted =
            |node: &EdgeChoice| node.next == 0 && node.options.iter().any(|&to| self.wants(step(node.end, to)));
        !self.lead.is_empty()
            && self.is_on_the_way()
            && (self.reported < self.fixed() || self.levels.last().is_some_and(wanted))
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
