//! A chart that the tests of this folder share, and the tests of its figures.

use super::figure::{Chart, ChartPoint, Curve};

pub fn example() -> Chart {
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
