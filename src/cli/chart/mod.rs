//! Charts of figures that were measured or simulated: drawn in letters for a terminal, as SVG, and as the values
//! themselves. What was simulated never looks like what was measured: small letters, dashed lines.

mod figure;
mod svg;
#[cfg(test)]
mod tests;
mod text;

pub use figure::{Chart, ChartPoint, Curve};
pub use svg::svg;
pub use text::text;
