//! Charts of figures that were measured or simulated: as data, drawn in letters for a terminal, as SVG, and as the values
//! themselves. What was simulated never looks like what was measured: small letters, dashed lines.

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

/// Height of the picture and the field between its axes, in pixels.
const HEIGHT: f64 = 440.0;
const FIELD: (f64, f64, f64, f64) = (60.0, 50.0, 540.0, 330.0);
/// Where the names of the curves begin, and room for a letter, in pixels.
const LEGEND: f64 = FIELD.0 + FIELD.2 + 52.0;
const LETTER: f64 = 8.0;
/// One for each letter, told apart without red beside green.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000", "#e69f00", "#8c6d31"];

/// Draws it.
pub fn svg(chart: &Chart) -> String {
    let (left, top, width, height) = FIELD;
    let texts = chart.curves.iter().map(|curve| (LEGEND, curve.legend())).chain([(left, chart.title.clone())]);
    let width_of_all = texts.map(|(from, text)| from + LETTER * (text.chars().count() + 1) as f64).fold(0.0, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width_of_all} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888888\"/>\n"
    );
    words(&mut svg, left, 24.0, "start", &chart.title);
    words(&mut svg, left, 42.0, "start", chart.upright);
    words(&mut svg, left + width, top + height + 34.0, "end", chart.along.0);
    let (least, greatest) = chart.doublings();
    for n in least..=greatest {
        let y = upright(chart, 2f64.powi(n));
        line(&mut svg, (left, y), (left + width, y), "stroke=\"#dddddd\"");
        words(&mut svg, left - 6.0, y + 4.0, "end", &power(n));
    }
    for x in chart.ticks() {
        words(&mut svg, along(chart, x), top + height + 18.0, "middle", &x.to_string());
    }
    let mut letters: Vec<char> = Vec::new();
    for (nth, curve) in chart.curves.iter().enumerate() {
        let known = letters.iter().position(|&letter| letter == curve.letter);
        let colour = COLOURS[known.unwrap_or(letters.len()) % COLOURS.len()];
        if known.is_none() {
            letters.push(curve.letter);
        }
        draw(&mut svg, chart, curve, colour);
        let y = top + 10.0 + 20.0 * nth as f64;
        line(&mut svg, (LEGEND - 36.0, y), (LEGEND - 8.0, y), &stroke(curve, colour));
        words(&mut svg, LEGEND, y + 4.0, "start", &curve.legend());
    }
    svg.push_str("</svg>\n");
    svg
}

/// A curve: its line, its points and how far they spread.
fn draw(svg: &mut String, chart: &Chart, curve: &Curve, colour: &str) {
    let place = |x, y| (along(chart, x), upright(chart, y));
    let corners: Vec<String> =
        curve.points.iter().map(|point| place(point.x, point.y)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" {}/>", corners.join(" "), stroke(curve, colour));
    for point in &curve.points {
        let (x, y) = place(point.x, point.y);
        let fill = if curve.simulated { "#ffffff" } else { colour };
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{fill}\" stroke=\"{colour}\"/>");
        if point.spread.0 < point.spread.1 {
            let (low, high) = (place(point.x, point.spread.0), place(point.x, point.spread.1));
            line(svg, low, high, &format!("stroke=\"{colour}\""));
        }
    }
}

fn stroke(curve: &Curve, colour: &str) -> String {
    let dashes = if curve.simulated { " stroke-dasharray=\"5 4\"" } else { "" };
    format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}")
}

fn along(chart: &Chart, x: f64) -> f64 {
    FIELD.0 + FIELD.2 * (0.03 + 0.94 * chart.place(x))
}

fn upright(chart: &Chart, y: f64) -> f64 {
    FIELD.1 + FIELD.3 * (1.0 - chart.height(y))
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), stroke: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {stroke}/>");
}

fn words(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Chart {
        let point = |x, y| ChartPoint { x, y, spread: (y * 0.9, y * 1.1) };
        let curve = |name: &str, letter, simulated, points| Curve { name: name.into(), letter, simulated, points };
        Chart {
            title: "speed-up by threads & <more>".into(),
            along: ("threads", true),
            upright: "speed-up",
            curves: vec![
                curve("hire", 'H', false, vec![point(1.0, 1.0), point(2.0, 1.9)]),
                curve("hire", 'H', true, vec![ChartPoint::exact(4.0, 4.0), ChartPoint::exact(16.0, 15.5)]),
                curve("static", 'S', true, vec![ChartPoint::exact(4.0, 0.6), ChartPoint::exact(16.0, 15.5)]),
            ],
        }
    }

    #[test]
    fn values_are_written_with_their_spread() {
        let csv = example().csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "curve,simulated,x,y,least,greatest");
        assert_eq!(lines[2], "hire,false,2,1.900000,1.710000,2.090000");
        assert_eq!(lines[5], "static,true,4,0.600000,0.600000,0.600000");
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn places_are_shares_of_the_axes() {
        let chart = example();
        assert_eq!((chart.place(1.0), chart.place(4.0), chart.place(16.0)), (0.0, 0.5, 1.0));
        // From 1/2, below the least spread, to 16.
        assert_eq!((chart.doublings(), chart.height(0.5), chart.height(16.0)), ((-1, 4), 0.0, 1.0));
        let none = Chart { curves: vec![], ..chart };
        assert_eq!((none.place(1.0), none.doublings(), none.ticks().len()), (0.5, (0, 1), 0));
    }

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

    #[test]
    fn what_was_simulated_is_dashed_and_words_are_escaped() {
        let drawn = svg(&example());
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert!(drawn.contains("speed-up by threads &amp; &lt;more>"));
        let lines =
            |what: &str| drawn.lines().filter(|line| line.starts_with("<polyline") && line.contains(what)).count();
        assert_eq!((lines(""), lines("dasharray")), (3, 2));
        // The measured and the simulated curve of hire have one colour.
        assert_eq!(lines(COLOURS[0]), 2);
        assert_eq!(drawn.matches("<circle").count(), 6);
        // Two points spread; the grid has six lines from 1/2 to 16, the legend three.
        assert_eq!(drawn.matches("<line ").count(), 2 + 6 + 3);
    }

    fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
        line.split_once(&format!(" {name}=\""))?.1.split('"').next()
    }

    /// Why a reader cannot tell the curves of a picture apart, or read its texts.
    fn fault(svg: &str) -> Option<String> {
        let curves = svg.lines().filter(|line| line.starts_with("<polyline"));
        let mut looks: Vec<_> =
            curves.map(|line| ["stroke", "stroke-dasharray"].map(|name| attribute(line, name))).collect();
        looks.sort_unstable();
        if let Some(two) = looks.windows(2).find(|two| two[0] == two[1]) {
            return Some(format!("two curves are {two:?}"));
        }
        let width: f64 = attribute(svg, "viewBox")?.split(' ').nth(2)?.parse().ok()?;
        let leaves = |line: &&str| {
            let text = line.strip_suffix("</text>")?.split_once('>')?.1;
            let x: f64 = attribute(line, "x")?.parse().ok()?;
            let is_start = attribute(line, "text-anchor") == Some("start");
            Some(is_start && x + LETTER * text.chars().count() as f64 > width)
        };
        svg.lines().find(|line| leaves(line) == Some(true)).map(|line| format!("wider than {width}: {line}"))
    }

    #[test]
    fn curves_have_colours_of_their_own_and_no_text_leaves_the_picture() {
        let mut chart = example();
        // A machine of two cores: its own, Carter's three numbers of cores, and what he prints of them.
        chart.curves = "ABCDXYZ".chars().map(|letter| Curve { letter, ..chart.curves[0].clone() }).collect();
        chart.curves[6].name = "at least about, with the cost of hires".to_owned();
        assert_eq!(fault(&svg(&chart)), None);
        chart.title = "a title that is longer than the field and the legend beside it ".repeat(3);
        assert_eq!(fault(&svg(&chart)), None);
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
        for name in ["balanced", "unbalanced", "squares"] {
            let drawn = std::fs::read_to_string(folder.join(format!("speedup-{name}.svg"))).unwrap();
            assert_eq!(fault(&drawn), None, "{name}");
        }
    }
}
