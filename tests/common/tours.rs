//! What tests of the library share: every tour of a board, and who keeps what workers hand out.

use destrier::board::{Ending, Shape, Square};
use destrier::event::EventSender;
use destrier::schedule::{BlockOutput, Crew, CrewPlan, Format};
use destrier::solve::{self, Problem};
use std::io;
use std::sync::{Arc, Mutex};

/// Keeps what is handed out, all blocks apart, so that what is torn between two of them shows.
#[derive(Clone, Default)]
pub struct Blocks(Arc<Mutex<Vec<Vec<u8>>>>);

impl Blocks {
    /// What came so far.
    pub fn take(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl BlockOutput for Blocks {
    fn write(&self, block: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().push(block.to_vec());
        Ok(())
    }
}

/// Every tour of a board of up to 256 squares by the solver `path`: open ones directed, closed ones once each.
pub fn listed(shape: impl Into<Shape>, ending: Ending) -> Vec<Vec<Square>> {
    let shape = shape.into();
    let blocks = Blocks::default();
    let format: Format = Box::new(|tour, block| block.extend_from_slice(tour.indices()));
    let crew = Crew::new(CrewPlan::serial(), EventSender::nowhere());
    let output = Some((Box::new(blocks.clone()) as Box<dyn BlockOutput>, format));
    let outcome = solve::solver_by_name("path").unwrap().solve(&Problem::new(&shape, ending), crew, output).unwrap();
    assert!(outcome.complete(), "{shape} {ending:?}");
    let bytes = blocks.take().concat();
    let tours = bytes.chunks(shape.squares() as usize);
    tours.map(|tour| tour.iter().map(|&index| shape.board().at(index.into()).unwrap()).collect()).collect()
}
