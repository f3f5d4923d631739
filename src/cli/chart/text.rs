//! A chart in letters, 80 columns wide: a capital where a curve was measured, a small letter where it was simulated, `*`
//! where two curves meet.

use super::figure::{Chart, Curve, power};
use std::fmt::Write;

/// Columns and lines between the axes.
const COLUMNS: usize = 60;
const LINES: usize = 17;
/// Columns left of the upright axis.
const MARGIN: usize = 9;

/// Draws it, with a line for each curve below.
pub fn text(chart: &Chart) -> String {
    let mut drawn = format!("{}\n{}\n", chart.title, chart.upright);
    let (least, greatest) = chart.doublings();
    let line_of = |share: f64| LINES - 1 - (share.clamp(0.0, 1.0) * (LINES - 1) as f64).round() as usize;
    let names = (least..=greatest).map(|n| (line_of(chart.height(2f64.powi(n))), power(n)));
    let names: Vec<(usize, String)> = names.collect();
    for (line, row) in field(chart, line_of).iter().enumerate() {
        let name = names.iter().find(|name| name.0 == line).map_or("", |name| &name.1);
        let _ = writeln!(drawn, "{name:>MARGIN$} |{}", row.iter().collect::<String>().trim_end());
    }
    let _ = writeln!(drawn, "{:MARGIN$} +{}", "", "-".repeat(COLUMNS));
    let _ = writeln!(drawn, "{:MARGIN$}  {}  {}", "", below(chart).trim_end(), chart.along.0);
    for curve in &chart.curves {
        let _ = writeln!(drawn, "{:MARGIN$}  {} {}", "", letter(curve), curve.legend());
    }
    drawn
}

/// What stands between the axes.
fn field(chart: &Chart, line_of: impl Fn(f64) -> usize) -> [[char; COLUMNS]; LINES] {
    let mut field = [[' '; COLUMNS]; LINES];
    for curve in &chart.curves {
        let letter = letter(curve);
        for point in &curve.points {
            let cell = &mut field[line_of(chart.height(point.y))][column(chart, point.x)];
            *cell = if *cell == ' ' || *cell == letter { letter } else { '*' };
        }
    }
    field
}

fn letter(curve: &Curve) -> char {
    if curve.simulated { curve.letter.to_ascii_lowercase() } else { curve.letter }
}

fn column(chart: &Chart, x: f64) -> usize {
    (chart.place(x).clamp(0.0, 1.0) * (COLUMNS - 1) as f64).round() as usize
}

/// The values along, where they have room.
fn below(chart: &Chart) -> String {
    let mut line = String::new();
    for x in chart.ticks() {
        let name = x.to_string();
        let at = column(chart, x).min(COLUMNS - name.len());
        if line.is_empty() || at > line.len() {
            line = format!("{line:at$}{name}");
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn letters_stand_where_the_values_are() {
        let drawn = text(&example());
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], "speed-up by threads & <more>");
        assert!(lines.iter().all(|line| line.len() <= 80), "{drawn}");
        // 16 threads, at the right: hire and static meet.
        assert!(lines[2].starts_with("       16 |") && lines[2].ends_with('*'), "{drawn}");
        let at = |c: char| lines[2..2 + LINES].iter().filter(|line| line.contains(c)).count();
        assert_eq!((at('H'), at('h'), at('s')), (2, 1, 1), "{drawn}");
        assert!(lines.iter().any(|line| line.trim_start().starts_with("1/2 |")), "{drawn}");
        assert!(drawn.contains("h hire, simulated\n") && drawn.contains("H hire, measured\n"), "{drawn}");
        assert!(lines[2 + LINES + 1].ends_with("16  threads"), "{drawn}");
    }
}
