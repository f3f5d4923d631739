//! A chart as data: its curves, its axes, and where its points lie.

use std::fmt::Write;

/// A chart; its upright axis goes by doubling.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows, in a line.
    pub title: String,
    /// What lies along, and whether that goes by doubling too.
    pub along: (&'static str, bool),
    /// What stands upright.
    pub upright: &'static str,
    /// The curves, each of a letter of its own.
    pub curves: Vec<Curve>,
}

/// Points of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    pub name: String,
    /// Its letter, a capital.
    pub letter: char,
    /// Whether they are simulated, not measured.
    pub simulated: bool,
    /// The points, in the order of `x`.
    pub points: Vec<ChartPoint>,
}

/// A figure, above nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChartPoint {
    /// Along.
    pub x: f64,
    /// Upright: the median of some rounds.
    pub y: f64,
    /// The least and the greatest of them.
    pub spread: (f64, f64),
}

impl ChartPoint {
    /// A figure that is the same in every round.
    pub fn exact(x: f64, y: f64) -> ChartPoint {
        ChartPoint { x, y, spread: (y, y) }
    }
}

impl Curve {
    /// What the legend says of it.
    pub fn legend(&self) -> String {
        format!("{}, {}", self.name, if self.simulated { "simulated" } else { "measured" })
    }
}

impl Chart {
    /// The values, comma-separated, below a line of headings.
    pub fn csv(&self) -> String {
        let mut csv = String::from("curve,simulated,x,y,least,greatest\n");
        for Curve { name, simulated, points, .. } in &self.curves {
            for ChartPoint { x, y, spread } in points {
                // Names are words of this program, without a comma.
                let _ = writeln!(csv, "{name},{simulated},{x},{y:.6},{:.6},{:.6}", spread.0, spread.1);
            }
        }
        csv
    }

    pub fn points(&self) -> impl Iterator<Item = &ChartPoint> + Clone {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    /// Where a value lies along, from 0 to 1.
    pub fn place(&self, x: f64) -> f64 {
        let scale = |x: f64| if self.along.1 { x.log2() } else { x };
        let (least, greatest) = span(self.points().map(|point| point.x));
        share(scale(x), scale(least), scale(greatest))
    }

    /// Where a value stands, from 0 at the bottom to 1.
    pub fn height(&self, y: f64) -> f64 {
        let (least, greatest) = self.doublings();
        share(y.log2(), f64::from(least), f64::from(greatest))
    }

    /// The powers of two that bound what stands upright.
    pub fn doublings(&self) -> (i32, i32) {
        let (least, greatest) = span(self.points().flat_map(|point| [point.y, point.spread.0, point.spread.1]));
        let (least, greatest) = (least.log2().floor() as i32, greatest.log2().ceil() as i32);
        (least, greatest.max(least + 1))
    }

    /// The values along that have a point, each once.
    pub fn ticks(&self) -> Vec<f64> {
        let mut ticks: Vec<f64> = self.points().map(|point| point.x).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        ticks
    }
}

/// The least and the greatest; 1 and 1 of none.
fn span(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let greatest = values.clone().reduce(f64::max);
    (values.reduce(f64::min).unwrap_or(1.0), greatest.unwrap_or(1.0))
}

fn share(value: f64, least: f64, greatest: f64) -> f64 {
    if greatest > least { (value - least) / (greatest - least) } else { 0.5 }
}

/// A power of two, as it is written on an axis.
pub fn power(doublings: i32) -> String {
    if doublings < 0 { format!("1/{}", 1u64 << -doublings) } else { (1u64 << doublings).to_string() }
}
