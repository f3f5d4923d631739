//! The order in which the sweep does the orbits, chosen by a beam search to keep the states few.
//!
//! All prefixes of orders grow by one orbit at a time. Of several prefixes with equal sets of orbits the search keeps the
//! first, and of all prefixes it keeps those of least estimated cost. A state describes the orbits on the border, so the
//! length of the border bounds the number of states; the number of choices of the done orbits bounds it too. The estimate is
//! the lesser of the two bounds. The cost of an order is the sum of the estimates over its steps.
//!
//! On 8x8 folded by a half turn, an order from the edges to the fold, row by row, has a border of 16 orbits for half of its
//! steps. The order that is found here does a corner, which has no choice, as soon as the border meets it, and walks around
//! the fold.

use super::quotient::QuotientGraph;
use std::collections::HashSet;

/// The factor by which an orbit on the border multiplies the number of states, roughly.
const STATES_PER_ORBIT: f64 = 1.7;
/// The most prefixes that the search keeps.
const BEAM_MAX: usize = 100;

/// The first orbits of an order.
#[derive(Clone)]
struct OrderPrefix {
    done: Vec<bool>,
    border: Vec<bool>,
    order: Vec<usize>,
    /// Estimated number of states after the last orbit.
    states: f64,
    /// Sum of the estimated numbers of states over all steps.
    cost: f64,
}

/// Every orbit of the graph once, in the order in which to do them.
pub(super) fn orbit_order(graph: &QuotientGraph) -> Vec<usize> {
    let start = OrderPrefix {
        done: vec![false; graph.orbits],
        border: vec![false; graph.orbits],
        order: Vec::new(),
        states: 1.0,
        cost: 0.0,
    };
    // On long boards the border is short and many orders are equally good.
    let beam = (BEAM_MAX * BEAM_MAX * 20 / (graph.orbits * graph.orbits).max(1)).clamp(2, BEAM_MAX);
    let mut parts = vec![start];
    for _ in 0..graph.orbits {
        let mut seen = HashSet::new();
        let mut longer: Vec<OrderPrefix> = Vec::new();
        for part in &parts {
            let next = candidates(graph, part).map(|orbit| part.with(graph, orbit));
            longer.extend(next.filter(|part| seen.insert(part.done.clone())));
        }
        longer.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        longer.truncate(beam);
        parts = longer;
    }
    parts.into_iter().next().map(|part| part.order).unwrap_or_default()
}

/// The orbits that may come next: those on the border and those without a choice; every orbit, if the border is empty.
fn candidates<'a>(graph: &'a QuotientGraph, part: &'a OrderPrefix) -> impl Iterator<Item = usize> + 'a {
    let fresh = !part.border.contains(&true);
    (0..graph.orbits)
        .filter(move |&orbit| !part.done[orbit] && (fresh || part.border[orbit] || graph.arcs[orbit].len() <= 2))
}

impl OrderPrefix {
    fn with(&self, graph: &QuotientGraph, orbit: usize) -> OrderPrefix {
        let mut part = self.clone();
        part.done[orbit] = true;
        part.border[orbit] = false;
        part.order.push(orbit);
        let mut open = 0;
        for arc in graph.arcs[orbit].iter().filter(|arc| !graph.is_terminal(arc.to) && !self.done[arc.to]) {
            part.border[arc.to] = true;
            open += 1;
        }
        let border = part.border.iter().filter(|&&on| on).count();
        // A new orbit chooses a pair of edges. An orbit on the border has 0, 1 or 2 edges, in a third of the states each, so
        // it chooses a pair, one edge or none.
        let open = f64::from(open);
        let pairs = open * (open - 1.0) / 2.0;
        let choices = if self.border[orbit] { (1.0 + open + pairs) / 3.0 } else { pairs };
        part.states = (self.states * choices.max(0.3)).min(STATES_PER_ORBIT.powf(border as f64));
        part.cost += part.states;
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Shape, Symmetry};
    use crate::count::symmetric::quotient::FoldedBoard;

    #[test]
    fn every_orbit_comes_once_even_where_the_quotient_is_not_connected() {
        for (text, symmetry) in [
            ("8x8", Symmetry::HalfTurn),
            ("6x6", Symmetry::QuarterTurn),
            ("2x6", Symmetry::HalfTurn),
            ("1x10", Symmetry::HalfTurn),
            ("5x6", Symmetry::LeftRight),
        ] {
            let folded = FoldedBoard::new(&text.parse::<Shape>().unwrap(), symmetry);
            let graph = folded.cycles().unwrap();
            let mut all = orbit_order(&graph);
            assert_eq!(all, orbit_order(&graph), "{text}: a second search finds another order");
            all.sort_unstable();
            assert!(all.into_iter().eq(0..folded.orbits()), "{text}");
        }
    }
}
