//! The order in which squares are processed, and the slots that hold the frontier.
//!
//! Squares are processed row by row along the short side; inside a row the even columns from left to right, then the
//! odd ones from right to left. On 8 columns, with the row that is being processed and the two after it:
//!
//! ```text
//! 0 7 1 6 2 5 3 4   <- processed in this order
//! . . . . . . . .   <- all on the frontier: a knight reaches them from above
//! . . . . . . . .   <- join the frontier one by one
//! ```
//!
//! A knight that moves down two rows changes its column by one, so two even columns share the squares that they reach.
//! So after an even column at most one new square joins the frontier, and it takes the **slot** of the square that
//! leaves. At most `2 * cols` slots are in use. Plain row order needs one more in the middle of a row, and each further
//! slot makes three times as many states.
//!
//! A sweep that stores one of two mirror images (see `mirror`) takes a square and its image one after the other:
//!
//! ```text
//! 0 7 2 5 4 3 6 1   <- processed in this order
//! ```
//!
//! On an even width the images of the even columns are the odd ones, and each square is followed by its image. On an odd width
//! the even columns come first, from outside to the middle, then the odd ones, from the middle to outside; the middle column is its
//! own image. The frontier is as large as before, but where the middle column is odd: there it takes one slot more.
//!
//! Squares that are holes are left out of the order. They count as processed from the beginning: no square has moves to them, they never
//! have a slot, and the frontier is never larger than that of the whole board.
//!
//! Open tours are closed tours of a larger graph, which has one vertex more, the **apex** (see `apex`). It has a slot of its own.
//!
//! # Ranges
//!
//! The order of a board begins with the order of every shorter board, and so does the work. A join may close a tour of
//! the first rows alone. It then leaves degree 2 on all squares of those rows that are still ahead, and degree 0 on all
//! squares behind them. That is a pattern without ends, and it tells the number of rows ([`ClosedPattern`]). So one
//! sweep can answer for every length of a **range** of boards. The order of a range is made as if two rows followed the
//! longest board, and stops before them. Then every processed square has all its neighbours, and every row does the
//! same work on the frontier.

use super::apex::{APEX_SLOT, Apex, ApexLink, UnlikeEnds};
use super::mirror::{Halving, Mirror, Stored};
use super::slots::{self, SlotTable};
use crate::board::{Board, Shape, Square};

/// One step: what processing a square does to the frontier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontierStep {
    /// The slot of the processed square. It is free after the step, or holds a new square.
    pub slot: u8,
    /// The slots of its neighbours still to be processed, the apex among them.
    pub ahead: Vec<u8>,
    /// How the square may be joined to the apex, if the order has an apex.
    pub apex: Option<ApexLink>,
    /// Which patterns have ends of different colours, if the two squares joined to the apex must.
    pub unlike: Option<UnlikeEnds>,
    /// The slots in use after the step.
    pub active: u32,
    /// The patterns without ends that are tours of a board: for every board whose unprocessed squares are all on the
    /// frontier after the step.
    pub closed_patterns: Vec<ClosedPattern>,
    /// The row of the square, from 0, on the board with its short side across.
    pub row: u32,
    /// Which groups are stored after the step.
    pub stored: Stored,
}

impl FrontierStep {
    /// Whether both steps have an equal effect on a frontier; their rows may differ.
    pub fn same_effect(&self, other: &FrontierStep) -> bool {
        let parts = |step: &FrontierStep| (step.slot, step.apex, step.unlike, step.active, step.stored);
        parts(self) == parts(other) && self.ahead == other.ahead && self.closed_patterns == other.closed_patterns
    }

    /// The slots that the step concerns: that of the square, and those of its neighbours ahead.
    pub fn concerned(&self) -> u32 {
        self.ahead.iter().fold(1 << self.slot, |concerned, &slot| concerned | 1 << slot)
    }
}

/// A pattern without ends that is a tour of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosedPattern {
    /// Rows of the board from the row of the step on.
    pub rows: u32,
    /// The slots with degree 2; all others have degree 0.
    pub twos: u32,
}

/// The steps of a board, or of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepOrder {
    /// One step for each square, in order.
    pub steps: Vec<FrontierStep>,
    pub slots: u32,
    /// The slots in use before the first step: the apex, or none.
    pub active: u32,
    /// By row: the steps before the first one of the row.
    row_starts: Vec<usize>,
    pub has_holes: bool,
    /// The mirror, if one of two images is stored.
    pub mirror: Option<Mirror>,
    /// Whether the order is for a range. A range reads the tours of a board at the step that closes them, and they lead
    /// no further; a single board carries them on to the last square.
    pub is_range: bool,
}

/// Whether a sweep stores both of two mirror images or one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Images {
    Both,
    OneOfTwo,
}

/// After how many rows the slots of a row repeat: four, six on the width 3 and twelve on the width 7 where one of two images is stored.
pub const PERIOD_ROWS: usize = 12;

/// The columns of a row, in the order of processing.
fn columns(cols: u32, images: Images) -> Vec<u32> {
    let even = (0..cols).step_by(2);
    let odd_below = |end: u32| (0..end).filter(|col| col % 2 == 1).rev();
    match images {
        Images::Both => even.chain(odd_below(cols)).collect(),
        Images::OneOfTwo => {
            let first_of_two = even.chain(odd_below(cols.div_ceil(2)));
            let mut columns = Vec::new();
            for col in first_of_two.flat_map(|col| [col, cols - 1 - col]) {
                if !columns.contains(&col) {
                    columns.push(col);
                }
            }
            columns
        }
    }
}

/// The squares of a shape as it stands, in the order of processing.
pub fn in_order(shape: &Shape, images: Images) -> impl Iterator<Item = Square> {
    let board = shape.board();
    let columns = columns(board.cols(), images);
    let row = move |row| columns.clone().into_iter().filter_map(move |col| board.square(row, col));
    (0..board.rows()).flat_map(row).filter(|&square| !shape.holes().contains(square))
}

/// Most slots of the frontier of a board `across` squares wide, without the apex.
pub fn most_slots(across: u32, images: Images) -> u32 {
    if images == Images::Both { 2 * across } else { mirror(across, 0).slots }
}

/// The mirror of the slots of a board `across` squares wide, the first of which have the apex if there is one. The middle column of
/// an odd width has squares in three rows on the frontier at once if its number, from 0, is odd, and in two if it is even.
fn mirror(across: u32, apex: u32) -> Mirror {
    let fixed = apex + if across.is_multiple_of(2) { 0 } else { 2 + across / 2 % 2 };
    Mirror { slots: fixed + 2 * (across - across % 2), fixed }
}

/// Where a square stands while others are processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Ahead, and no processed square is a move away.
    Ahead,
    Frontier,
    /// Processed, or a hole.
    Processed,
}

/// The frontier while squares are processed one after the other.
struct Frontier {
    board: Board,
    apex: Option<Apex>,
    mirror: Option<Mirror>,
    slots: SlotTable,
    /// By square.
    places: Vec<Place>,
    /// The slots in use.
    active: u32,
    /// The slots of white squares.
    white: u32,
    /// Whether an odd number of squares is processed.
    odd: bool,
}

impl Frontier {
    /// The frontier before the first square: the apex, or nothing.
    fn new(shape: &Shape, apex: Option<Apex>, mirror: Option<Mirror>) -> Frontier {
        let board = shape.board();
        let (active, mut places) = (u32::from(apex.is_some()), vec![Place::Ahead; board.squares() as usize]);
        shape.holes().squares().iter().for_each(|hole| places[hole.index() as usize] = Place::Processed);
        let slots = SlotTable::new(board, active, mirror);
        Frontier { board, apex, mirror, slots, places, active, white: 0, odd: false }
    }

    fn place(&self, square: Square) -> Place {
        self.places[square.index() as usize]
    }

    /// Processes a square, of boards with these lengths.
    fn process(&mut self, square: Square, lengths: &[u32]) -> FrontierStep {
        let (row, col) = self.board.row_col(square);
        let (slot, colour) = (self.slots.process(square), ((row + col) % 2) as usize);
        self.places[square.index() as usize] = Place::Processed;
        self.odd = !self.odd;
        let mut ahead = Vec::new();
        for next in self.board.neighbours(square) {
            if self.place(next) != Place::Processed {
                self.places[next.index() as usize] = Place::Frontier;
                ahead.push(self.slots.meet(next));
            }
        }
        let reached = ahead.iter().fold(0, |reached, &slot| reached | 1 << slot);
        self.active = self.active & !(1 << slot) | reached;
        // A move changes the colour.
        self.white = self.white & !(1 << slot | reached) | if colour == 0 { 0 } else { reached };
        ahead.extend(self.apex.map(|_| APEX_SLOT));
        let unlike = UnlikeEnds { white: self.white, odd: self.odd };
        FrontierStep {
            slot,
            ahead,
            apex: self.apex.map(|apex| apex.link(square, colour)),
            unlike: self.apex.filter(|apex| apex.unlike).map(|_| unlike),
            active: self.active,
            closed_patterns: self.closed_patterns(row, lengths),
            row,
            stored: self.stored(square),
        }
    }

    /// The tours of the boards with these lengths whose last rows are on the frontier, after a square of this row.
    fn closed_patterns(&self, row: u32, lengths: &[u32]) -> Vec<ClosedPattern> {
        let cols = self.board.cols();
        // The fourth row from here on has no neighbour of a processed square.
        let near = (1..=3).filter(|rows| lengths.binary_search(&(row + rows)).is_ok());
        let closed = near.filter_map(|rows| {
            let of_board = (row * cols..(row + rows) * cols).filter_map(|index| self.board.at(index));
            let mut left = of_board.filter(|&square| self.place(square) != Place::Processed);
            let twos = left.try_fold(u32::from(self.apex.is_some()), |twos, square| {
                Some(twos | 1 << self.slots.get(square).filter(|_| self.place(square) == Place::Frontier)?)
            })?;
            Some(ClosedPattern { rows, twos })
        });
        closed.collect()
    }

    /// Which groups are stored after this square.
    fn stored(&self, square: Square) -> Stored {
        let is_halved = || self.place(slots::mirrored(self.board, square)) == Place::Processed;
        match self.mirror {
            None => Stored::All,
            Some(mirror) if is_halved() => Stored::OneOfTwo(Halving { mirror, first: 0 }),
            Some(_) => Stored::Between,
        }
    }
}

/// Chooses for each halved layer which slots are compared first: those that the steps to the next one leave alone.
fn choose_first_slots(steps: &mut [FrontierStep]) {
    let mut concerned = 0;
    for step in steps.iter_mut().rev() {
        if let Stored::OneOfTwo(halving) = &mut step.stored {
            halving.first = ((1 << halving.mirror.slots) - 1) & !concerned;
            concerned = 0;
        }
        concerned |= step.concerned();
    }
}

impl StepOrder {
    /// The order of a shape with its short side across, which has squares in its last row
    /// ([`UprightShape`](crate::count::ask::upright_shape::UprightShape)); open tours need an apex.
    pub fn new(shape: &Shape, apex: Option<Apex>, images: Images) -> StepOrder {
        let rows = shape.board().rows();
        StepOrder { is_range: false, ..StepOrder::first_rows(shape, rows, &[rows], apex, images) }
    }

    /// The order of a range of boards: as wide as `swept`, with the lengths in `lengths`, which rise. `swept` has
    /// two rows more than the longest board. Open tours need an apex.
    pub fn of_range(swept: Board, lengths: &[u32], apex: Option<Apex>, images: Images) -> StepOrder {
        StepOrder::first_rows(&swept.into(), swept.rows() - 2, lengths, apex, images)
    }

    /// The order of the first `rows` rows of a shape.
    fn first_rows(shape: &Shape, rows: u32, lengths: &[u32], apex: Option<Apex>, images: Images) -> StepOrder {
        let (board, active) = (shape.board(), u32::from(apex.is_some()));
        let mirror = (images == Images::OneOfTwo).then(|| mirror(board.cols(), active));
        let mut frontier = Frontier::new(shape, apex, mirror);
        let squares = in_order(shape, images).take_while(|&square| board.row_col(square).0 < rows);
        let mut steps: Vec<FrontierStep> = squares.map(|square| frontier.process(square, lengths)).collect();
        choose_first_slots(&mut steps);
        let row_starts = (0..rows).map(|row| steps.partition_point(|step| step.row < row)).collect();
        let used = || steps.iter().map(|step| 32 - step.concerned().leading_zeros()).max().unwrap_or(0);
        let slots = mirror.map_or_else(used, |mirror| mirror.slots);
        StepOrder { steps, slots, active, row_starts, has_holes: shape.has_holes(), mirror, is_range: true }
    }

    /// The steps of the first `rows` rows.
    pub fn steps_of_rows(&self, rows: u32) -> usize {
        self.row_starts.get(rows as usize).copied().unwrap_or(self.steps.len())
    }

    /// The steps some rows before step `at` that have the same effect on the same groups, the nearest first. The squares of a row get the
    /// slots of an earlier one again after at most [`PERIOD_ROWS`] rows.
    pub fn equal_earlier_steps(&self, at: usize) -> impl Iterator<Item = usize> {
        let row = self.steps[at].row as usize;
        let place = at - self.row_starts[row];
        let earlier = (1..=PERIOD_ROWS).map_while(move |rows| Some(self.row_starts[row.checked_sub(rows)?] + place));
        // A row with holes may be shorter than the place.
        earlier.filter(move |&earlier| {
            earlier < at && self.steps[at].same_effect(&self.steps[earlier]) && self.stored(at) == self.stored(earlier)
        })
    }

    /// Whether the tours that are closed after the first `at` steps are read there, and lead no further: on a range, where all
    /// states stand for themselves or for two. From a layer between two halved ones they are carried to the next one; a square
    /// that is processed in between belongs to their board.
    pub fn reads_tours(&self, at: usize) -> bool {
        self.is_range && self.stored(at) != Stored::Between
    }

    /// Which groups are stored after the first `at` steps.
    pub fn stored(&self, at: usize) -> Stored {
        match (at.checked_sub(1), self.mirror) {
            (Some(last), _) => self.steps[last].stored,
            (None, None) => Stored::All,
            (None, Some(mirror)) => Stored::OneOfTwo(Halving { mirror, first: 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The apex of open tours on a board with an even number of squares.
    const ANY: Apex = Apex { first: [true; 2], second: [true; 2], unlike: true, required: None };

    fn shape(text: &str) -> Shape {
        text.parse().unwrap()
    }

    /// Every board of up to eight columns and rows, and shapes that are their own image.
    fn mirrored_shapes() -> impl Iterator<Item = Shape> {
        let sides = (1..=8).flat_map(|rows| (1..=rows).map(move |cols| (rows, cols)));
        let holed = [
            "3x3-b2",
            "8x8-a1,h1",
            "8x8-d4,e4,d5,e5",
            "7x7-d4",
            "7x7-d7,a3,g3",
            "9x5-a5,e5,c1",
            "6x6-a4,b4,c4,d4,e4,f4",
        ];
        let boards = sides.map(|(rows, cols)| Board::new(rows, cols).unwrap().into());
        boards.chain(holed.map(shape))
    }

    #[test]
    fn a_row_is_processed_there_and_back_or_with_its_image() {
        let both = |cols| columns(cols, Images::Both);
        assert_eq!((both(8), both(5)), (vec![0, 2, 4, 6, 7, 5, 3, 1], vec![0, 2, 4, 3, 1]));
        let one = |cols| columns(cols, Images::OneOfTwo);
        assert_eq!((one(8), one(5)), (vec![0, 7, 2, 5, 4, 3, 6, 1], vec![0, 4, 2, 1, 3]));
        assert_eq!((one(7), one(9)), (vec![0, 6, 2, 4, 3, 1, 5], vec![0, 8, 2, 6, 4, 3, 5, 1, 7]));
    }

    #[test]
    fn two_slots_a_column_and_one_for_the_apex() {
        for (rows, cols) in (1..=12).flat_map(|rows| (1..=rows).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap().into();
            let slots = StepOrder::new(&board, None, Images::Both).slots;
            assert!(slots <= most_slots(cols as u32, Images::Both).max(1), "{board}: {slots}");
            assert!(StepOrder::new(&board, Some(ANY), Images::Both).slots <= slots + 1, "{board}");
            // The middle column of 3, 7 and 11 takes one more.
            let mirrored = StepOrder::new(&board, None, Images::OneOfTwo);
            assert_eq!(mirrored.slots, 2 * cols as u32 + u32::from(cols % 4 == 3), "{board}");
            assert!(mirrored.steps.iter().all(|step| step.concerned() >> mirrored.slots == 0), "{board}");
        }
        assert_eq!(StepOrder::new(&shape("8x8"), None, Images::Both).slots, 16);
    }

    /// The frontier of a halved layer is its own image, and a slot and its image hold a square and its image.
    #[test]
    fn a_halved_layer_looks_alike_in_the_mirror() {
        for (shape, apex) in mirrored_shapes().flat_map(|shape| [(shape.clone(), None), (shape, Some(ANY))]) {
            let board = shape.board();
            let order = StepOrder::new(&shape, apex, Images::OneOfTwo);
            let mirror = order.mirror.unwrap();
            let squares: Vec<Square> = in_order(&shape, Images::OneOfTwo).collect();
            let image = |square| slots::mirrored(board, square);
            let mut of = vec![None; board.squares() as usize];
            for (at, (step, &square)) in order.steps.iter().zip(&squares).enumerate() {
                let mut hold = |square: Square, slot| of[square.index() as usize] = Some(slot);
                hold(square, step.slot);
                let ahead = shape.neighbours(square).filter(|next| !squares[..=at].contains(next));
                ahead.zip(&step.ahead).for_each(|(next, &slot)| hold(next, slot));
                let is_white = |square: &Square| board.row_col(*square).0 % 2 == board.row_col(*square).1 % 2;
                let ahead = shape.all().filter(|square| !squares[..=at].contains(square));
                let slots = ahead.filter(is_white).filter_map(|square| of[square.index() as usize]);
                let white = slots.fold(0, |white, slot: u8| white | 1 << slot);
                assert_eq!(step.unlike.map(|unlike| unlike.white), apex.map(|_| white), "{shape} {at}");
                if let Stored::OneOfTwo(halving) = step.stored {
                    assert_eq!(mirror.image(step.active), step.active, "{shape} {at}");
                    assert_eq!(mirror.image(halving.first), halving.first);
                    for square in shape.all() {
                        assert_eq!(
                            of[image(square).index() as usize],
                            of[square.index() as usize].map(|slot| mirror.slot(slot))
                        );
                    }
                } else {
                    assert_eq!(squares[at + 1], image(square), "its image is next");
                }
            }
            assert!(order.stored(squares.len()).halving().is_some());
        }
    }

    /// The test follows the square in every slot from step to step.
    #[test]
    fn a_slot_holds_one_square_from_its_first_neighbour_to_its_turn() {
        let boards = ["3x3", "5x4", "8x8", "7x5", "12x3", "7x7", "9x9"].map(shape).into_iter().chain(mirrored_shapes());
        let both = boards.flat_map(|shape| [(shape.clone(), Images::Both), (shape, Images::OneOfTwo)]);
        let uneven = ["8x8-a1,h8", "5x4-a5,b5,a1,b3", "9x9-e5,a9,b7", "6x4-a4,b4,c4,d4,a1"].map(shape);
        for (shape, images) in both.chain(uneven.map(|shape| (shape, Images::Both))) {
            let board = shape.board();
            let order = StepOrder::new(&shape, None, images);
            assert!(order.slots <= most_slots(board.cols(), images).max(1), "{shape}");
            let mut holder = vec![None; order.slots as usize];
            let mut processed = Vec::new();
            let squares = in_order(&shape, images).map(|square| board.row_col(square));
            for (step, (row, col)) in order.steps.iter().zip(squares) {
                let square = board.square(row, col).unwrap();
                assert!([None, Some(square)].contains(&holder[step.slot as usize]), "{shape} {row},{col}");
                holder[step.slot as usize] = None;
                processed.push(square);
                let ahead: Vec<Square> = shape.neighbours(square).filter(|next| !processed.contains(next)).collect();
                assert_eq!(ahead.len(), step.ahead.len());
                for (&next, &slot) in ahead.iter().zip(&step.ahead) {
                    assert!([None, Some(next)].contains(&holder[slot as usize]), "{shape} {row},{col}");
                    holder[slot as usize] = Some(next);
                }
                let active = (0..32).filter(|&slot| step.active >> slot & 1 == 1).count();
                assert_eq!(active, holder.iter().flatten().count());
                let all_met = active + processed.len() == shape.squares() as usize;
                let whole = ClosedPattern { rows: board.rows() - row, twos: step.active };
                assert_eq!(step.closed_patterns, if all_met { vec![whole] } else { Vec::new() });
            }
        }
    }
}
