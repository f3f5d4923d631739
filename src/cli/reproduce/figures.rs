//! Figures of the tables that no command prints: a small function for each, by its name, which gives a JSON object.

use crate::board::{Board, Ending, Square, Tour, tree_estimate};
use crate::find::genetic::{Island, IslandOptions, POPULATION};
use crate::find::strands::count_pairs;
use crate::find::{
    self, Attempt, AttemptProgress, DepthFirst, Heat, MoveOrder, Preference, RuleManner, Tie, Warnsdorff,
};
use crate::gpu::Compass;
use crate::gpu::cycle::{CycleEngine, CycleState, KnightStatus};
use crate::job::{Failure, running};
use crate::schedule::Sharing;
use crate::schedule::rule::{EARLIER, NominationRule};
use crate::search::quarter::{SAMPLE, four_paths};
use crate::search::{Brute, HandOver, Prober};
use crate::simulate::{Costs, SimulationPlan};
use crate::solve::{self, Problem};
use crate::stop::Stop;
use crate::words::ranged;
use fastrand::Rng;
use serde_json::{Value, json};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Instant;

/// The object of a function with its arguments, in words. What is not whole when `stop` is asked is of no use.
///
/// # Errors
/// [`Failure::Running`] when the function fails, or when there is none of this name.
pub fn figure(words: &str, stop: &Stop) -> Result<Value, Failure> {
    match words.split(' ').collect::<Vec<_>>().as_slice() {
        ["rule", side, row, col] => rule(square(side, row, col)?),
        ["starts", side, ties] => starts(read(side)?, ties),
        ["squirrel-cull", from, to] => squirrel_cull(read(from)?, read(to)?),
        ["cycles", device, side, row, col] => cycles(device, square(side, row, col)?),
        ["cycles-starts", device, side] => cycles_starts(device, board(read(side)?)?, stop),
        ["pairs", board] => {
            let pairs = count_pairs(read(board)?);
            Ok(json!({ "joined": pairs.joined, "admissible": pairs.admissible }))
        }
        ["tree", board] => tree(read(board)?, stop),
        ["powers", board] => Ok(powers(read(board)?)),
        ["depth-first", board, order, nodes] => depth_first(read(board)?, order, read(nodes)?, stop),
        ["coded-walks", board, way] => coded_walks(read(board)?, way, stop),
        ["share", tree @ .., burst, who, workers] => share(tree, read(burst)?, who, read(workers)?, stop),
        ["sample"] => sample(),
        _ => Err(running(format!("no figure is called {words}"))),
    }
}

fn read<T: FromStr<Err: Display>>(word: &str) -> Result<T, Failure> {
    word.parse().map_err(|error| running(format!("{word}: {error}")))
}

fn board(side: u64) -> Result<Board, Failure> {
    Board::new(side, side).map_err(running)
}

/// A square of a square board, by row and column from 0.
fn square(side: &str, row: &str, col: &str) -> Result<(Board, Square), Failure> {
    let board = board(read(side)?)?;
    let square = board.square(read(row)?, read(col)?);
    Ok((board, square.ok_or_else(|| running(format!("{board} has no square {row},{col}")))?))
}

/// The squares from which the colours allow an open tour.
fn possible(board: Board) -> impl Iterator<Item = Square> {
    board.all().filter(move |&square| board.squares().is_multiple_of(2) || board.is_dark(square))
}

/// How many squares a path visits, and the board with their numbers, from 1; 0 is a square that it does not visit.
fn walked(board: Board, path: &[Square]) -> Value {
    let mut numbers = vec![0; board.squares() as usize];
    for (number, square) in (1..).zip(path) {
        numbers[square.index() as usize] = number;
    }
    json!({ "visited": path.len(), "grid": numbers.chunks(board.cols() as usize).collect::<Vec<_>>() })
}

/// The tour that Kurapati's rule makes from a square, if it makes one.
fn rule((board, start): (Board, Square)) -> Result<Value, Failure> {
    let mut knight = Warnsdorff::new(board, Ending::Open, start, RuleManner::new(Tie::Kurapati));
    let path = find::run(&mut knight).0.unwrap_or_default();
    if !path.is_empty() {
        Tour::verify(board, Ending::Open, path.clone()).map_err(running)?;
    }
    Ok(walked(board, &path))
}

/// From how many starts Warnsdorff's rule makes an open tour, with one tie-break or with each. Every start has a seed for
/// its ties.
fn starts(side: u64, ties: &str) -> Result<Value, Failure> {
    let board = board(side)?;
    let ties = if ties == "all" { Tie::ALL.to_vec() } else { vec![read(ties)?] };
    let mut rng = Rng::with_seed(u64::from(board.squares()));
    let tried: Vec<(Square, u64)> = possible(board).map(|start| (start, rng.u64(..))).collect();
    let complete = ties.into_iter().map(|tie| {
        let completes = |&&(start, seed): &&(Square, u64)| {
            let manner = RuleManner { seed, ..RuleManner::new(tie) };
            find::run(&mut Warnsdorff::new(board, Ending::Open, start, manner)).0.is_some()
        };
        tried.iter().filter(completes).count()
    });
    Ok(json!({ "possible": tried.len(), "complete": complete.collect::<Vec<_>>() }))
}

/// On how many sides the orders of Squirrel and Cull make a tour from the corner; the sides without one, and how far they
/// come there.
fn squirrel_cull(from: u64, to: u64) -> Result<Value, Failure> {
    let (mut tours, mut without, mut reached) = (0, Vec::new(), Vec::new());
    for side in from..=to {
        let board = board(side)?;
        let knight = board.at(0).and_then(|corner| find::squirrel_cull(board, corner, false));
        let mut knight = knight.ok_or_else(|| running(format!("{board} is not taken")))?;
        match find::run(&mut knight).0 {
            Some(squares) => {
                Tour::verify(board, Ending::Open, squares).map_err(running)?;
                tours += 1;
            }
            None => {
                without.push(side);
                reached.push(knight.depth());
            }
        }
    }
    Ok(json!({ "tours": tours, "without": without, "reached": reached }))
}

/// What `work` gives for the three-cycle board on a device, or why there is none. No device may give up on the way.
fn on_device(
    device: &str,
    board: Board,
    work: impl FnOnce(&mut CycleEngine) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    let first = board.all().next().unwrap_or_else(|| unreachable!("a board has a square"));
    let mut engine = CycleEngine::open(&read(device)?, state(board, first)?).map_err(running)?;
    if let Some(why) = &engine.done_by().instead {
        return Ok(json!({ "beyond": format!("no device does the same: {why}") }));
    }
    let object = work(&mut engine)?;
    let gave_up = engine.done_by().instead.as_ref();
    gave_up.map_or(Ok(object), |why| Err(running(format!("{why}; the CPU twin did the rest"))))
}

/// The three-cycle board before the first cycle.
fn state(board: Board, start: Square) -> Result<CycleState, Failure> {
    CycleState::new(board, start, Compass::SOURCE).map_err(running)
}

/// The path that the three-cycle board makes from a square, and what a cycle costs.
fn cycles(device: &str, (board, start): (Board, Square)) -> Result<Value, Failure> {
    on_device(device, board, |engine| {
        let spent = engine.run_whole(state(board, start)?).map_err(running)?;
        let mut object = walked(board, &engine.state().path());
        let cycles = 3 * board.squares();
        object["cycles"] = cycles.into();
        object["submits"] = spent.submits.into();
        object["cycle_s"] = (spent.wall.as_secs_f64() / f64::from(cycles)).into();
        Ok(object)
    })
}

/// From how many starts the three-cycle board completes.
fn cycles_starts(device: &str, board: Board, stop: &Stop) -> Result<Value, Failure> {
    on_device(device, board, |engine| {
        let mut complete = 0;
        for start in board.all().take_while(|_| !stop.is_asked()) {
            engine.run_whole(state(board, start)?).map_err(running)?;
            complete += u64::from(engine.state().status() == KnightStatus::Complete);
        }
        Ok(json!({ "complete": complete }))
    })
}

/// The nodes of the tree of open tours from the first square, estimated from samples that are the same in every run: six
/// generations of eight, the last by crowds of 2048 nodes.
fn tree(board: Board, stop: &Stop) -> Result<Value, Failure> {
    const SAMPLES: usize = 48;
    const SEED: u64 = 1;
    let tree = Brute::<u64>::new(board, board.at(0));
    let tree = tree.ok_or_else(|| running(format!("{board} has more than 64 squares")))?;
    let mut prober = Prober::new(&tree, SEED);
    let nodes = (0..SAMPLES).filter_map(|_| prober.sample(|| stop.is_asked())).last();
    Ok(json!({ "nodes": nodes.map(|sample| ranged(sample.nodes)) }))
}

/// Trees with two and with eight branches at every square: 2^(N+1)-1, and 8^N, less 1, which no digit shows.
fn powers(board: Board) -> Value {
    let [two, eight] = [(2.0, board.squares()), (8.0, board.squares() - 1)]
        .map(|(branches, levels)| tree_estimate(branches, levels).map(|size| size.to_string()));
    json!({ "two": two, "eight": eight })
}

/// Depth-first search from every start that the colours allow, for so many nodes each or until a tour is found: a node is
/// a square placed, retries among them.
fn depth_first(board: Board, order: &str, budget: u64, stop: &Stop) -> Result<Value, Failure> {
    let preference = match order {
        "natural" => Preference::Order(MoveOrder::Natural),
        "fewest" => Preference::FewestFirst,
        "most" => Preference::MostFirst,
        other => return Err(running(format!("no order is called {other}"))),
    };
    let (mut starts, mut at_once, mut reached, mut all_nodes) = (0, 0, 0, 0);
    let (mut times, mut heat, mut elapsed_s) = (Vec::new(), Heat::new(board), 0.0);
    for start in possible(board).take_while(|_| !stop.is_asked()) {
        let search = DepthFirst::new(board, Ending::Open, Some(start), preference, 0);
        let mut search = search.unwrap_or_else(|| unreachable!("the start is an open square"));
        search.keep_heat();
        let (mut nodes, began) = (0, Instant::now());
        let found = matches!(search.advance(budget, &mut nodes), AttemptProgress::Found(_));
        let seconds = began.elapsed().as_secs_f64();
        times.extend(found.then_some(seconds));
        starts += 1;
        at_once += usize::from(found && nodes == u64::from(board.squares()));
        reached = search.deepest().max(reached);
        all_nodes += nodes;
        elapsed_s += seconds;
        if let Some(more) = search.heat() {
            heat.add(more);
        }
    }
    times.sort_by(f64::total_cmp);
    let [quickest, median, slowest] = [0, times.len() / 2, times.len().saturating_sub(1)].map(|at| times.get(at));
    let [edge, next, middle] = [0..=0, 1..=1, 2..=u32::MAX].map(|rings| ring_mean(&heat, |ring| rings.contains(&ring)));
    let mean = |square| heat.mean(square).map(|mean| format!("{mean:.0}"));
    let map: Vec<Option<String>> = board.all().map(mean).collect();
    Ok(json!({
        "starts": starts, "found": times.len(), "at_once": at_once, "reached": reached, "nodes": all_nodes,
        "elapsed_s": elapsed_s, "quickest_s": quickest, "median_s": median, "slowest_s": slowest,
        "edge": edge, "next": next, "middle": middle, "middle_is_late": edge < middle,
        "map": map.chunks(board.cols() as usize).collect::<Vec<_>>(),
    }))
}

/// The mean visit number of the squares of these rings, counted from the edge, each square alike.
fn ring_mean(heat: &Heat, is_in: impl Fn(u32) -> bool) -> f64 {
    let board = heat.board();
    let ring = |square| {
        let (row, col) = board.row_col(square);
        row.min(col).min(board.rows() - 1 - row).min(board.cols() - 1 - col)
    };
    let means: Vec<f64> = board.all().filter(|&square| is_in(ring(square))).filter_map(|at| heat.mean(at)).collect();
    means.iter().sum::<f64>() / means.len().max(1) as f64
}

/// Gordon and Slocum's coded walks, random or bred, with repair or without, on one island for each of four starts that no
/// symmetry takes to each other; on 5x5 of the colour of which there are more.
fn coded_walks(board: Board, way: &str, stop: &Stop) -> Result<Value, Failure> {
    const EVALUATIONS: u64 = 1_000_000;
    let starts: [u32; 4] = match board.cols() {
        5 => [0, 2, 6, 12],
        6 => [0, 1, 8, 14],
        _ => [0, 1, 10, 27],
    };
    let generations = (EVALUATIONS / starts.len() as u64 / POPULATION as u64) as u32;
    let options = IslandOptions { breeds: way.starts_with("bred"), repairs: way.ends_with("repair"), generations };
    let (mut evaluations, mut first, mut best) = (0, None, 0);
    let (mut tours, mut distinct, mut solved) = (0, 0, 0);
    for start in starts {
        let square = board.at(start).unwrap_or_else(|| unreachable!("the starts lie on their boards"));
        let mut island = Island::new(&board.into(), Ending::Open, square, options, u64::from(start));
        while !stop.is_asked() {
            match island.advance(u64::MAX, &mut evaluations) {
                AttemptProgress::Found(squares) => {
                    Tour::verify(board, Ending::Open, squares).map_err(running)?;
                    first.get_or_insert(evaluations);
                }
                AttemptProgress::Going => {}
                AttemptProgress::GivenUp | AttemptProgress::Exhausted => break,
            }
        }
        let (_, found, different) = island.tally();
        tours += found;
        distinct += different;
        solved += u64::from(found > 0);
        best = island.best().max(best);
    }
    Ok(json!({ "tours": tours, "distinct": distinct, "best": best, "first_after": first, "starts": solved }))
}

/// How well a scheduler or an earlier rule shares a tree, `board solver ending`, among simulated workers with the costs of
/// the prototype. `burst` is the number of nodes between two looks at the mailbox.
fn share(tree: &[&str], burst: u64, who: &str, workers: usize, stop: &Stop) -> Result<Value, Failure> {
    let &[board, solver, ending] = tree else { return Err(running("a tree is a board, a solver and an ending")) };
    let board: Board = read(board)?;
    let ending = Ending::open_if(ending == "open");
    let start = board.at(0).filter(|_| ending == Ending::Open);
    let problem = Problem { start, ..Problem::new(board, ending) };
    let solver = solve::solver_by_name(solver).ok_or_else(|| running(solver))?;
    let kernel = solver.tree(&problem, false).map_err(running)?.kernel;
    let earlier = EARLIER.into_iter().find(|earlier| earlier.name == who).map(|earlier| earlier.rule);
    let sharing = match who {
        "rayon" => Sharing::Steal,
        _ => Sharing::Hire(earlier.unwrap_or_else(|| NominationRule::of(workers, HandOver::Shallowest))),
    };
    let plan = SimulationPlan { workers, sharing, costs: Costs { burst, ..Costs::fixed() }, seed: 0 };
    let Some(figures) = plan.run(&*kernel, stop) else { return Ok(Value::Null) };
    let efficiency = figures.efficiency();
    Ok(json!({ "efficiency": efficiency, "hires": figures.hires, "nodes": figures.nodes, "tours": figures.tours }))
}

/// How Carter's printed sample is strung to a tour: columns 1 and 3, the centre, columns 4 and 2 backwards. Nothing when the
/// columns are not quarter turns of one another.
fn sample() -> Result<Value, Failure> {
    let board = board(9)?;
    let square = |number: &str| board.at(number.parse::<u32>().ok()?.checked_sub(1)?);
    let column = |nth| SAMPLE.lines().filter_map(move |line| square(line.split(':').nth(nth)?));
    let backwards = [3, 1].into_iter().flat_map(|nth| column(nth).rev());
    let squares = column(0).chain(column(2)).chain(board.at(board.squares() / 2)).chain(backwards);
    let tour = Tour::verify(board, Ending::Open, squares.collect::<Vec<_>>()).map_err(running)?;
    let four = four_paths(&tour).filter(|four| four.columns() == SAMPLE);
    Ok(json!({ "strung": four.map(|four| four.stringing.to_string()) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::reproduce::SourceTable;
    use crate::cli::reproduce::table::{FigureMatch, lines, rows, values, verdict};

    /// Every function of the tables that is not a matter of seconds, with what it is compared with.
    #[test]
    fn functions_give_what_was_published() {
        let quick = [
            "@sample",
            "@rule 8 2 4",
            "@starts 6 kurapati",
            "@starts 6 all",
            "@pairs 5x5",
            "@powers 5x5",
            "@depth-first 5x5 fewest 1000000",
            "@cycles cpu 8 2 4",
            "@cycles-starts cpu 5",
            "@tree 6x6",
        ];
        for words in quick {
            let object = figure(&words[1..], &Stop::default()).unwrap_or_else(|failure| panic!("{words}: {failure}"));
            let mut seen = 0;
            for text in [SourceTable::Carter, SourceTable::Kurapati, SourceTable::Miller].map(SourceTable::rows) {
                for row in rows(&text).iter().filter(|row| row.words == words) {
                    for line in lines(row, &values(&object, row.field)) {
                        assert_ne!(verdict(row.compare, &line[1], &line[2]), FigureMatch::Differs, "{line:?}");
                        seen += 1;
                    }
                }
            }
            assert!(seen > 0, "{words} is in no table");
        }
        let failure = figure("none", &Stop::default()).unwrap_err();
        assert_eq!(failure.to_string(), "no figure is called none");
    }
}
