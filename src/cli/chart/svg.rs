//! A chart as SVG: lines through the medians and a stroke from the least to the greatest; what was simulated is dashed.

use super::figure::{Chart, Curve, power};
use std::fmt::Write;

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
    use super::super::tests::example;
    use super::*;

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
