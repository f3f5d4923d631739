//! Boards with holes by chance, counted and listed. The count and the search share nothing but the shape.

use super::tours::listed;
use destrier::board::{Board, Ending, Holes, Shape, Square, Symmetries, Symmetry, Tour};
use destrier::count::number::NumberingPlan;
use destrier::count::{CountError, CountPlan, CountQuestion, CountWatch, Settings};
use fastrand::Rng;
use std::collections::BTreeSet;

/// A shape of up to so many squares: a board with some holes, or the squares of a walk of a knight, which have tours more often; some
/// with images under symmetries of the board, some with a square less.
pub fn shape(random: &mut Rng, squares_max: usize) -> Shape {
    loop {
        let board = Board::new(random.u64(1..=8), random.u64(1..=9)).unwrap();
        let mut squares: BTreeSet<Square> = BTreeSet::new();
        if random.u8(..3) == 0 {
            let density = random.f64();
            squares.extend(board.all().filter(|_| random.f64() < density));
        } else {
            let (mut at, walk) = (board.at(random.u32(..board.squares())), random.usize(1..=squares_max));
            while let Some(square) = at.filter(|_| squares.len() < walk) {
                squares.insert(square);
                let next: Vec<Square> = board.neighbours(square).filter(|next| !squares.contains(next)).collect();
                at = random.choice(next);
            }
        }
        if random.bool() {
            let own: Vec<Symmetry> = board.symmetries().iter().copied().filter(|_| random.u8(..3) == 0).collect();
            let images = |&square: &Square| own.iter().map(move |symmetry| symmetry.apply(board, square));
            squares = squares.iter().flat_map(|square| images(square).chain([*square])).collect();
        }
        if random.u8(..3) == 0 {
            squares.pop_first();
        }
        if (1..=squares_max).contains(&squares.len()) {
            return Shape::new(board, Holes::new(board.all().filter(|square| !squares.contains(square))));
        }
    }
}

/// Counts a shape in every convention, and the open tours from each of two squares, and numbers its tours. Returns the closed and the open
/// tours, or where the count is not what the search lists.
pub fn counts_and_listing(shape: &Shape) -> Result<[usize; 2], String> {
    let (closed, open) = (listed(shape, Ending::Closed), listed(shape, Ending::Open));
    let is_strict = |tour: &&Vec<Square>| !shape.board().adjacent(tour[0], tour[tour.len() - 1]);
    let symmetries = Symmetries::new(shape);
    let is_first = |ending| {
        let symmetries = &symmetries;
        move |tour: &&Vec<Square>| symmetries.is_canonical(ending, tour)
    };
    let question = |ending| CountQuestion::new(shape, ending);
    let classes = |ending| CountQuestion { unique: true, ..question(ending) };
    let mut questions = vec![
        (question(Ending::Closed), closed.len()),
        (question(Ending::Open), open.len()),
        (CountQuestion { strict: true, ..question(Ending::Open) }, open.iter().filter(is_strict).count()),
        (classes(Ending::Closed), closed.iter().filter(is_first(Ending::Closed)).count()),
        (classes(Ending::Open), open.iter().filter(is_first(Ending::Open)).count()),
        (
            CountQuestion { strict: true, ..classes(Ending::Open) },
            open.iter().filter(is_strict).filter(is_first(Ending::Open)).count(),
        ),
    ];
    let squares: Vec<Square> = shape.all().collect();
    for start in [squares[0], squares[squares.len() / 2]] {
        let of_start = CountQuestion { start: Some(start), ..question(Ending::Open) };
        let from = || open.iter().filter(|tour| tour[0] == start);
        questions.push((CountQuestion { strict: true, ..of_start.clone() }, from().filter(is_strict).count()));
        questions.push((of_start, from().count()));
    }
    numbers_and_listing(&question(Ending::Closed), &closed)?;
    numbers_and_listing(&question(Ending::Open), &open)?;
    for (question, listed) in questions {
        let counted = counted(&question);
        if counted != listed.to_string() {
            return Err(format!("{shape} {question:?}: {counted} counted, {listed} listed"));
        }
    }
    Ok([closed.len(), open.len()])
}

/// Makes the tour of every number, and its number of every tour; they must be the tours that are listed.
fn numbers_and_listing(question: &CountQuestion, listed: &[Vec<Square>]) -> Result<(), String> {
    let CountQuestion { shape, ending, .. } = question;
    let numbered = || -> Result<(Vec<Tour>, bool), CountError> {
        let settings = Settings { threads: 1, memory: 1 << 30, ..Settings::default() };
        let watch = CountWatch::new(1);
        let of = NumberingPlan::new(question, &settings, None, &watch)?;
        let numbers = of.numbers(None)?;
        let all: Vec<u128> = (0..numbers.count()).collect();
        let tours = numbers.tours(&all, &|| true)?;
        let comes_back = of.ranks(&tours, &|| true)?.1 == all;
        Ok((tours, comes_back))
    };
    let (tours, comes_back) = numbered().map_err(|error| format!("{question:?}: {error}"))?;
    let listed = listed.iter().map(|squares| Tour::verify(shape, *ending, squares.clone()).unwrap().reading());
    let [by_number, listed]: [BTreeSet<_>; 2] = [tours.iter().map(Tour::reading).collect(), listed.collect()];
    match comes_back && by_number.len() == tours.len() && by_number == listed {
        true => Ok(()),
        false => Err(format!("{question:?}: the {} tours by number are not the {} listed", tours.len(), listed.len())),
    }
}

fn counted(question: &CountQuestion) -> String {
    let settings = Settings { threads: 1, memory: 1 << 30, ..Settings::default() };
    let watch = CountWatch::new(settings.threads);
    let plan = CountPlan::new(question, settings.memory, &watch).unwrap();
    plan.run(&settings, &watch, None).unwrap().count().unwrap().to_string()
}
