//! What `find` is asked for: the options as typed, and what they mean.

use super::moves::{check_moves, moves, parse_ways};
use crate::board::{Board, Ending, Holes, NumberedRoute, SMALL_SQUARES_MAX, Shape, Square};
use crate::bounded;
use crate::cli::adapter;
use crate::cli::args::{Seed, ThreadsArgs, names, parse_seed, parse_size, square, threads, with_holes};
use crate::cli::boards::AskedBoards;
use crate::cli::found::{TOURS_SQUARES_MAX, TourDisplay};
use crate::cli::numbered::LayersArgs;
use crate::find::{MoveOrder, Tie};
use crate::gpu;
use crate::job::{Failure, ObserveOptions, RaceQuestion, RunOptions, race_request, refuse_if, say, usage};
use crate::run::{Plan, Question};
use crate::solve::{self, Finder, Request, RequestOption};
use crate::store::gaps::{self, GapGrid};
use crate::store::{ReadTour, TourReadError, TourReader};
use crate::words::{number_in, parse_time};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of the largest file of `--must` and `--partial`.
const WAYS_MAX: u64 = 1 << 26;

/// The method that is asked without `--method`.
const METHOD: &str = "auto";

/// `destrier find`.
#[derive(Args, Clone)]
pub struct FindArgs {
    /// ROWSxCOLS, such as 8x8 or 3x10; 8 alone means 8x8. 3..40x3..40: a tour on every board
    ///
    /// 8x8-a1,h8 leaves two squares out. 5..64 is a range of square boards. Without a board, on a terminal, it asks for board and start.
    pub boards: Option<AskedBoards>,
    #[command(flatten)]
    pub wanted: RequestedTour,
    #[command(flatten)]
    pub by: By,
    #[command(flatten)]
    pub shown: TourDisplay,
}

/// Which tour.
#[derive(Args, Clone, Default, PartialEq)]
pub struct RequestedTour {
    /// A closed tour: the default where there is one
    ///
    /// Methods that close a tour only by luck look for an open one.
    #[arg(long, conflicts_with_all = ["open", "end"])]
    closed: bool,
    /// An open tour (the default where there is no closed one)
    #[arg(long)]
    open: bool,
    /// The first square: e6, 2,4 (row and column from 0) or #45
    #[arg(long, value_name = "SQUARE")]
    start: Option<String>,
    /// The last square; implies --open
    #[arg(long, value_name = "SQUARE")]
    end: Option<String>,
    /// Leave out the squares that a file names
    ///
    /// The file is a picture of the board (# x * 1 a hole, . o _ 0 s a square), or a list of squares.
    #[arg(long, value_name = "FILE")]
    holes: Option<PathBuf>,
    /// Moves that the tour must have: a1-b3,c5-d7, or a path of several, a1-b3-c5, or a file of them
    #[arg(long, value_name = "MOVES|FILE")]
    must: Vec<String>,
    /// Moves that the tour must not have
    #[arg(long, value_name = "MOVES")]
    must_not: Vec<String>,
    /// Complete this beginning of a tour, a1-b3-c5, or a grid with some numbers, such as a puzzle
    ///
    /// A file has such a path, a list, or a grid. An empty square of a grid is _ ? - or nothing between two commas, or 0 or . where no
    /// other sign is; a square that the tour leaves out is # or *. A grid with other numbers than the first ones is one of an open
    /// tour, unless --closed is said; --tours 2 says whether there is another one.
    #[arg(long, value_name = "MOVES|FILE", conflicts_with = "start")]
    partial: Option<String>,
    /// Find N different tours
    ///
    /// They are random, but not uniformly so. With --uniform they are, and one may come twice.
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=u64::MAX))]
    pub tours: Option<u64>,
    /// Draw tours at random, every tour equally likely
    ///
    /// For boards whose tours can be counted in 64 bits: closed tours up to 8x10, open ones up to 8x8.
    #[arg(long, conflicts_with_all = ["end", "must", "must_not", "partial", "method", "tie", "order", "hops",
          "generations", "library", "adapter", "deadline", "show", "record", "watch"])]
    pub uniform: bool,
    /// With --uniform: keep the layers of the count in DIR
    ///
    /// DIR is made if it is not there. If the layers are there already, nothing is counted.
    #[arg(long, value_name = "DIR", requires = "uniform")]
    layers: Option<PathBuf>,
    /// With --uniform: memory that it may take: 3G, 1500M, 2.5GiB; without it what is available now
    ///
    /// Layers of the count are kept as far as there is room and it saves time, and the others made again. Closed tours of 8x8 take 6 GiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, requires = "uniform")]
    memory: Option<u64>,
}

/// By which method, and how hard.
#[derive(Args, Clone, Default, PartialEq)]
#[command(next_help_heading = "Method")]
pub struct By {
    /// How to find it; without it the fastest way
    #[arg(long, value_name = "NAME", value_parser = finder_names())]
    method: Option<String>,
    /// What decides between squares of the same rank
    ///
    /// One of kurapati, fixed, random, pohl-1 to pohl-5, roth, roth-random and lowest-neighbour.
    #[arg(long, value_name = "NAME")]
    tie: Option<Tie>,
    /// In which order moves are tried: natural, random, or the digits 0 to 7 in any order
    ///
    /// The digits number the moves as the method does.
    #[arg(long, value_name = "ORDER")]
    order: Option<MoveOrder>,
    /// Moves decided per look-ahead, at least 1
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=u64::from(u32::MAX)))]
    hops: Option<u32>,
    /// Print every generation of a method that breeds: best and mean fitness, tours
    ///
    /// Fitness is the squares visited, and one more for a move that closes the tour. The last one ends with the tour that is found.
    #[arg(long)]
    generations: bool,
    /// Choose from the tours in this file
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
    /// The device of gpu-cycles: any, hardware, software, cpu, or a part of an adapter's name
    ///
    /// Where there is none, the CPU does the same work.
    #[arg(long, value_name = "NAME", default_value = "any")]
    adapter: gpu::DeviceChoice,
    /// The seed of random numbers: the same seed finds the same tours
    ///
    /// `random` draws a seed and says which.
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = parse_seed)]
    rng: Seed,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Stop looking after this time: 500ms, 30s, 5m, 2h
    ///
    /// What was found is written, however long that takes.
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    deadline: Option<Duration>,
}

impl RequestedTour {
    /// Which endings are tried, in this order, where a method is asked that closes a tour only by luck, or another.
    fn endings(&self, by_luck: bool) -> &'static [Ending] {
        match (self.closed, self.open || self.end.is_some()) {
            (true, _) => &[Ending::Closed],
            (_, true) => &[Ending::Open],
            _ if by_luck => &[Ending::Open],
            _ => &[Ending::Closed, Ending::Open],
        }
    }

    /// Whether nothing is said but the ending.
    pub fn is_plain(&self) -> bool {
        *self == RequestedTour { closed: self.closed, open: self.open, ..RequestedTour::default() }
    }
}

impl FindArgs {
    /// Whether nothing was typed.
    pub fn is_empty(&self) -> bool {
        self.boards.is_none()
            && self.wanted == RequestedTour::default()
            && self.by == By::default()
            && self.shown == TourDisplay::default()
    }

    /// Where the layers are that they are drawn from.
    pub fn layers(&self) -> LayersArgs {
        LayersArgs { layers: self.wanted.layers.clone(), memory: self.wanted.memory, by: self.by.threads }
    }

    /// What is asked about a board, everything checked that can be checked before looking.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the options make no question, each with a sentence that says why.
    pub fn question(&self, shape: &Shape) -> Result<RaceQuestion, Failure> {
        let FindArgs { wanted, by, .. } = self;
        let shape = with_holes(shape, wanted.holes.as_deref())?;
        let board = shape.board();
        let mut request = Request {
            start: square(board, "--start", wanted.start.as_deref())?,
            end: square(board, "--end", wanted.end.as_deref())?,
            must: moves_of(board, "--must", &wanted.must)?,
            must_not: moves_of(board, "--must-not", &wanted.must_not)?.into(),
            tours: wanted.tours.unwrap_or(1),
            tie: by.tie,
            order: by.order,
            hops: by.hops.unwrap_or(1),
            library: by.library.clone(),
            adapter: by.adapter.clone(),
            seed: by.rng.number(),
            ..Request::new(&shape, Ending::Closed)
        };
        let mut partial =
            wanted.partial.as_ref().map(|text| read_partial(board, text)).transpose()?.unwrap_or_default();
        // One cycle is two grids from a square: the grids of a puzzle are asked, not the cycles from a start.
        if request.tours > 1 && partial.way.len() == 1 && board.squares() as usize <= SMALL_SQUARES_MAX {
            partial.given = (1..).zip(partial.way.drain(..)).collect();
        }
        request.shape = Shape::new(board, Holes::new(shape.holes().squares().iter().copied().chain(partial.holes)));
        check(&request)?;
        let finder = by.finder()?;
        let opens = finder.card().closes_by_luck || !partial.given.is_empty();
        let impossible = why_no_beginning(&request, &partial.way).err();
        (request.given, request.counts_from_0) = (partial.given.into(), partial.is_from_0);
        request.start = request.start.or(partial.way.first().copied());
        match finder.name() {
            // This method takes numbers, and no moves.
            "numbers" if request.given.is_empty() => request.given = (1..).zip(partial.way.iter().copied()).collect(),
            _ if impossible.is_none() => request.must.extend(moves(&partial.way)),
            _ => {}
        }
        check_knobs(&request, by.generations, finder)?;
        let plan = Plan::of(Question::Find(finder, request), by.threads()?);
        Ok(RaceQuestion {
            plan: Plan { deadline: by.deadline, ..plan },
            // A closed tour would be another answer to a puzzle than the one that is looked for.
            endings: wanted.endings(opens),
            impossible,
            direction: partial.way.get(1).copied(),
            generations: by.generations,
        })
    }

    /// How the race begins and is reported.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no race to be recorded.
    pub fn run_options(&self, question: &RaceQuestion) -> Result<RunOptions, Failure> {
        let &TourDisplay { ref record, force, json, .. } = &self.shown;
        let are_cycles = race_request(&question.plan).0.card().cycles;
        let why = "--record: the cycles of the three-cycle board are no race of workers; step shows them again";
        refuse_if(record.is_some() && are_cycles, why)?;
        let observe = ObserveOptions { record: record.clone(), ..ObserveOptions::default() };
        Ok(RunOptions { observe, force, json, ..RunOptions::default() })
    }
}

impl By {
    /// Who is asked.
    ///
    /// # Errors
    /// [`Failure::Usage`] when no method has this name.
    fn finder(&self) -> Result<&'static dyn Finder, Failure> {
        let name = self.method.as_deref().unwrap_or(METHOD);
        solve::finder_by_name(name).ok_or_else(|| usage(format!("no method is called {name}")))
    }

    /// Number of workers.
    ///
    /// # Errors
    /// As [`threads`].
    pub fn threads(&self) -> Result<usize, Failure> {
        threads(self.threads.threads)
    }

    /// Whether the seed was drawn, so that it must be said.
    pub fn seed_was_drawn(&self) -> bool {
        self.rng == Seed::Random
    }
}

/// Refuses questions that contradict themselves.
fn check(request: &Request) -> Result<(), Failure> {
    let (board, holes, Request { start, end, must, must_not, .. }) = (request.board(), request.holes(), request);
    let name = |square: Square| board.name(square);
    let most = (TOURS_SQUARES_MAX / u64::from(board.squares())).max(1);
    let tours = request.tours;
    refuse_if(tours > most, format_args!("--tours: up to {most} tours of {board} are kept at once, not {tours}"))?;
    if let Some(start) = start.filter(|_| start == end && board.squares() > 1) {
        let start = name(start);
        return Err(usage(format!("a tour cannot both start and end on {start}: --start and --end are to differ")));
    }
    for (option, square) in [("--start", start), ("--end", end)] {
        if let Some(square) = square.filter(|&square| holes.contains(square)) {
            return Err(usage(format!("{option}: {} is a hole", name(square))));
        }
    }
    if let Some(hole) = must.iter().flatten().find(|&&square| holes.contains(square)) {
        return Err(usage(format!("--must: {} is a hole, so no move of the tour touches it", name(*hole))));
    }
    let same = |a: [Square; 2], b: [Square; 2]| a == b || a == [b[1], b[0]];
    if let Some([a, b]) = must.iter().find(|&&a| must_not.iter().any(|&b| same(a, b))) {
        let (a, b) = (name(*a), name(*b));
        return Err(usage(format!("{a}-{b} cannot be both a move that must and one that must not be")));
    }
    Ok(())
}

/// The moves that an option prescribes.
fn moves_of(board: Board, option: &str, texts: &[String]) -> Result<Vec<[Square; 2]>, Failure> {
    let read = |text: &String| {
        let signs = "a grid has the first numbers, 1, 2, 3 and so on, and a . elsewhere";
        let ways = text_of(text).and_then(|(ways, no_file)| read_ways(board, &ways, &no_file, signs));
        let ways = ways.and_then(|ways| ways.iter().try_for_each(|way| check_moves(board, way)).map(|()| ways));
        ways.map_err(|error| usage(format!("{option}: {error}")))
    };
    let ways = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok(ways.iter().flatten().flat_map(|way| moves(way)).collect())
}

/// Refuses what the method would not heed, and a device that is not there.
fn check_knobs(request: &Request, generations: bool, finder: &dyn Finder) -> Result<(), Failure> {
    let ignored = RequestOption::ALL.into_iter().find(|knob| (knob.is_set)(request) && !finder.card().takes(knob));
    let method = finder.name();
    if let Some(knob) = ignored {
        let name = knob.name;
        let heeding = solve::finders().filter(|other| other.card().takes(&knob)).map(Finder::name);
        let others = heeding.collect::<Vec<_>>().join(", ");
        return Err(usage(format!("--{name} means nothing to {method}; --method may be one of {others}")));
    }
    adapter::check(&request.adapter)?;
    let why = format_args!("--generations means nothing to {method}, which breeds nothing; add --method genetic");
    refuse_if(generations && !finder.card().generations, why)
}

/// What is known of a tour that is to be completed.
#[derive(Default)]
struct PartialTour {
    /// The first squares.
    way: Vec<Square>,
    /// Numbers of moves with their squares, if they are not the first ones.
    given: Vec<(u32, Square)>,
    holes: Vec<Square>,
    /// Whether the numbers stand in a grid that counts from 0.
    is_from_0: bool,
}

impl From<GapGrid> for PartialTour {
    fn from(GapGrid { holes, mut given, is_from_0, .. }: GapGrid) -> PartialTour {
        given.sort_unstable();
        let is_beginning = (1..).zip(&given).all(|(count, &(number, _))| number == count);
        let beginning = if is_beginning { std::mem::take(&mut given) } else { Vec::new() };
        PartialTour { way: beginning.into_iter().map(|(_, square)| square).collect(), given, holes, is_from_0 }
    }
}

/// Checks that a tour may begin so.
///
/// # Errors
/// Why none can.
fn why_no_beginning(request: &Request, way: &[Square]) -> Result<(), String> {
    check_moves(request.board(), way)?;
    let part = (!way.is_empty()).then(|| NumberedRoute::part(&request.shape, Ending::Open, way.to_vec()));
    part.transpose().map(drop).map_err(|fault| fault.to_string())
}

/// Reads what is known of a tour, from a file of that name if there is one: its beginning, or a grid with gaps.
fn read_partial(board: Board, text: &str) -> Result<PartialTour, Failure> {
    let failed = |error: String| usage(format!("--partial: {error}"));
    let (ways, no_file) = text_of(text).map_err(failed)?;
    let way = read_ways(board, &ways, &no_file, gaps::SIGNS).and_then(one_way);
    let grid = gaps::parse(&ways, board);
    if matches!(&grid, Some(Ok(grid)) if grid.may_count_from_1) {
        let first = "its 0 is taken for its first number; as an empty square, written _, it would give a tour, too";
        say(format_args!("--partial: {first}"))?;
    }
    let partial = match (way, grid) {
        // A text of pairs alone may look like a grid, too. A way that is longer by one counts a 0 that is an empty square.
        (Ok(way), Some(Ok(grid))) if (0..=1).contains(&way.len().wrapping_sub(grid.given.len())) => {
            PartialTour::from(grid)
        }
        (Ok(way), _) => PartialTour { way, ..PartialTour::default() },
        (Err(_), Some(grid)) => PartialTour::from(grid.map_err(failed)?),
        (Err(error), None) => return Err(failed(error)),
    };
    Ok(partial)
}

/// The text of a file of this name, or else this text, and why there is no such file.
fn text_of(text: &str) -> Result<(String, String), String> {
    Ok(match bounded::open_stream(Path::new(text)) {
        Ok(file) => {
            let read = bounded::rest(file, WAYS_MAX).map_err(|error| format!("{text}: {error}"))?;
            (String::from_utf8_lossy(&read).into_owned(), String::new())
        }
        Err(error) => (text.to_owned(), format!("; nor is it a file: {error}")),
    })
}

/// Reads ways as they are typed, or as tours are written. `no_file` says why the text is not that of a file, if it is not.
/// `signs` says what stands in a grid.
fn read_ways(board: Board, ways: &str, no_file: &str, signs: &str) -> Result<Vec<Vec<Square>>, String> {
    parse_ways(board, ways).or_else(|reason| {
        read_tours(board, ways, signs)
            .map_err(|other| if no_file.is_empty() { other } else { format!("{reason}{no_file}") })
    })
}

fn one_way(mut ways: Vec<Vec<Square>>) -> Result<Vec<Square>, String> {
    match ways.len() {
        1 => Ok(ways.remove(0)),
        n => Err(format!("these are {n} ways, but a tour has one beginning; give the moves by --must")),
    }
}

/// The squares of lists, and of grids in which the others are `.`.
fn read_tours(board: Board, text: &str, signs: &str) -> Result<Vec<Vec<Square>>, String> {
    let squares = |tour: Result<ReadTour, TourReadError>| match tour {
        Ok(tour) if tour.shape.board() == board => Ok(tour.squares),
        Ok(tour) => Err(format!("it is a tour of {}, not of {board}", tour.shape.board())),
        Err(error) => Err(format!("{error}; {signs}")),
    };
    let ways: Vec<_> = TourReader::new(text.as_bytes(), Some(board)).map(squares).collect::<Result<_, _>>()?;
    match ways.iter().map(Vec::len).min() {
        None => Err("the file is empty".to_owned()),
        Some(0 | 1) => Err("a way has two squares at least".to_owned()),
        Some(_) => Ok(ways),
    }
}

fn finder_names() -> PossibleValuesParser {
    names(solve::finders().map(|finder| (finder.name(), finder.card().summary)))
}
