//! Numbers, shares, bytes and times as text, either with three digits and a unit or with all digits.

use super::text::{grouped, noun, number_of};
use crate::ranged::Ranged;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Prefixes of the powers 10^0, 10^3, 10^6, ..
const UNITS: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
const MINUTE_S: f64 = 60.0;
const HOUR_S: f64 = 60.0 * MINUTE_S;
const DAY_S: f64 = 24.0 * HOUR_S;
const YEAR_S: f64 = 365.25 * DAY_S;

/// A count in at most five characters: `0`, `9,862`, `12.3k`, `1.77G`, to the nearest.
pub fn count(n: u64) -> String {
    if n < 10_000 {
        return grouped(n);
    }
    let mut scale = 1;
    for unit in UNITS {
        let to_nearest = |parts: u128| (u128::from(n) * parts * 2 + scale) / (2 * scale);
        let [hundredths, tenths, whole] = [100, 10, 1].map(to_nearest);
        match (hundredths, tenths, whole) {
            (..1000, ..) => return format!("{}.{:02}{unit}", hundredths / 100, hundredths % 100),
            (_, ..1000, _) => return format!("{}.{}{unit}", tenths / 10, tenths % 10),
            (.., ..1000) => return format!("{whole}{unit}"),
            _ => scale *= 1000,
        }
    }
    grouped(n)
}

/// A rate or a mean in at most five characters: `0`, `0.31`, `4.2`, `31.2M`. Negative values become `0`.
pub fn rate(value: f64) -> String {
    match value {
        v if v <= 0.0 || v.is_nan() => "0".into(),
        v if v < 0.01 => "<0.01".into(),
        v if v < 1.0 => format!("{v:.2}"),
        v if v < 99.95 => format!("{v:.1}"),
        v => count(v.round() as u64),
    }
}

/// A share of 0..=1 in at most five characters: `0%`, `<0.1%`, `4.2%`, `97%`. To the nearest, but 100% means all.
pub fn percent(share: f64) -> String {
    match share.clamp(0.0, 1.0) * 100.0 {
        p if p > 0.0 && p < 0.05 => "<0.1%".into(),
        p if p > 0.0 && p < 9.95 => format!("{p:.1}%"),
        p if p < 100.0 => format!("{:.0}%", p.min(99.0)),
        p => format!("{p:.0}%"),
    }
}

/// A share of 0..=1 in tenths of a per cent: `7.3%`, `90.0%`. To the nearest, but `100%` means all.
pub fn percent_tenths(share: f64) -> String {
    match share.clamp(0.0, 1.0) * 100.0 {
        p if p <= 0.0 || p >= 100.0 => format!("{p:.0}%"),
        p if p < 0.05 => "<0.1%".into(),
        p => format!("{:.1}%", p.min(99.9)),
    }
}

/// Per cents that [`progress`] writes without a power of ten.
const PLAIN_MIN: f64 = 1e-4;

/// A share of 0..=1 with two significant digits, however small: `12.3%`, `1.2%`, `0.042%`, `3.1e-9%`. To the nearest, but
/// `100.0%` means all.
pub fn progress(share: f64) -> String {
    match share.clamp(0.0, 1.0) * 100.0 {
        p if p <= 0.0 => "0%".into(),
        p if p >= 100.0 => "100.0%".into(),
        p if p >= 0.995 => format!("{:.1}%", p.min(99.9)),
        p if p < PLAIN_MIN => format!("{p:.1e}%"),
        p => {
            let digits = 1 - p.log10().floor() as i32;
            format!("{p:.*}%", digits as usize)
        }
    }
}

/// A share of 0..=1 in a report: as [`progress`], but `under 0.0001%` in place of a power of ten.
pub fn reported_share(share: f64) -> String {
    if share > 0.0 && share * 100.0 < PLAIN_MIN { "under 0.0001%".into() } else { progress(share) }
}

/// An estimated number with two significant digits: `8`, `42`, `4.2k`, `320M`, `1.6e25`.
pub fn about(value: f64) -> String {
    let mut rest = value.max(0.0);
    let mut units = UNITS.into_iter();
    let mut unit = units.next().unwrap_or_default();
    // A value that would be rounded to 1000 is written in the next unit.
    while rest >= 999.5 {
        let Some(next) = units.next() else { return format!("{value:.1e}") };
        (rest, unit) = (rest / 1000.0, next);
    }
    match rest {
        r if r < 9.95 && !unit.is_empty() => format!("{r:.1}{unit}"),
        r if r < 99.5 => format!("{r:.0}{unit}"),
        r => format!("{:.0}0{unit}", r / 10.0),
    }
}

/// An estimate of a number, of which so many are passed: `about 320M`, or where these digits are fewer than those, `over 320M`.
pub fn estimate(value: f64, passed: u64) -> String {
    let digit = 10f64.powf(value.log10().floor() - 1.0);
    let way = if (value / digit).round() * digit < passed as f64 { "over" } else { "about" };
    format!("{way} {}", about(value))
}

/// A number with as many digits as its error allows, including two uncertain digits: `13.2574T`, `1,067,638`.
pub fn significant(value: f64, error: f64) -> String {
    let mut unit = 0;
    while value / 1000f64.powi(unit as i32) >= 1000.0 && unit + 1 < UNITS.len() {
        unit += 1;
    }
    let scale = 1000f64.powi(unit as i32);
    let digits = 1.0 - (error.max(f64::MIN_POSITIVE) / scale).log10().floor();
    // With all digits of its unit the value is a whole number.
    if digits >= 3.0 * unit as f64 {
        return grouped(value.round() as u64);
    }
    format!("{:.*}{}", digits.max(0.0) as usize, value / scale, UNITS[unit])
}

/// From here on exact numbers are written with few digits.
const MANY: f64 = 1e10;

/// The digits of a number, and its unit or power of ten, if it has one.
fn parts(number: &str) -> Option<(&str, &str)> {
    number.find(|letter: char| letter.is_ascii_alphabetic()).map(|at| number.split_at(at))
}

/// A number, exact or in a range. An exact number below 10^10 has all digits, `9,862`. A larger one has five,
/// `13.267T`, or from 10^21 on four: `2.123e21`. A range has two digits at both ends: `870k..1.2M`, `1.1..1.3M`,
/// `1.1..1.3e22`.
pub fn ranged(Ranged { mean, low, high }: Ranged) -> String {
    if low == high {
        return match mean {
            mean if mean < MANY => grouped(mean as u64),
            mean if mean < 1e21 => significant(mean, 1e-3 * mean),
            mean => format!("{mean:.3e}"),
        };
    }
    let (low, high) = (about(low), about(high));
    match (parts(&low), parts(&high)) {
        _ if low == high => format!("about {low}"),
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number}..{high}"),
        _ => format!("{low}..{high}"),
    }
}

/// Elapsed time: `0:07`, `12:07`, `1:02:07`, `3d 02:07`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{:02}", seconds % 60),
        (0, _) => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{days}d {hours:02}:{minutes:02}"),
    }
}

/// A time to the nearest thousandth of a second: `1:02.317`.
pub fn exact(at: Duration) -> String {
    let at = at.saturating_add(Duration::from_micros(500));
    format!("{}.{:03}", clock(at), at.subsec_millis())
}

/// From here on a moment of a run is told in seconds.
const MOMENTS_IN_S: Duration = Duration::from_millis(100);

/// A time since the start of a run, for a log: `0.42s`, `12.3s`, from 100 s on as [`clock`], below a tenth of a second as [`short`].
pub fn moment(time: Duration) -> String {
    match time.as_secs_f64() {
        s if time > Duration::ZERO && time < MOMENTS_IN_S => short(s),
        s if s < 10.0 => format!("{s:.2}s"),
        s if s < 100.0 => format!("{s:.1}s"),
        _ => clock(time),
    }
}

/// Times since the start of a run, neighbours in a list: each as [`moment`], or with as many decimals as tell it from the
/// next other times above and below it.
pub fn moments(times: &[Duration]) -> Vec<String> {
    let written = |time: &Duration, digits: usize| match (digits, scaled(time.as_secs_f64())) {
        (0, _) => moment(*time),
        (digits, (value, unit)) if *time < MOMENTS_IN_S => format!("{value:.digits$} {unit}"),
        (digits, _) => format!("{:.digits$}s", time.as_secs_f64()),
    };
    let text = |(at, time): (usize, &Duration)| {
        let is_other = |other: &&Duration| *other != time;
        let others = [times[..at].iter().rev().find(is_other), times[at..].iter().find(is_other)];
        let tells =
            |digits: &usize| others.iter().flatten().all(|other| written(other, *digits) != written(time, *digits));
        let digits = [0, 2, 3, 4, 5, 6, 7, 8].into_iter().find(tells).unwrap_or(9);
        written(time, digits)
    };
    times.iter().enumerate().map(text).collect()
}

/// A short time in its unit, which is the next one where three digits would round to a thousand.
fn scaled(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 999.5e-9 => (s * 1e9, "ns"),
        s if s < 999.5e-6 => (s * 1e6, "us"),
        s if s < 999.5e-3 => (s * 1e3, "ms"),
        s => (s, "s"),
    }
}

/// A short time with three significant digits: `378 ns`, `12.4 us`, `7.00 s`. No clock tells a part of a nanosecond.
pub fn short(seconds: f64) -> String {
    let (value, unit) = scaled(seconds);
    if (f64::MIN_POSITIVE..1e-9).contains(&seconds) {
        return "<1 ns".to_owned();
    }
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$} {unit}")
}

/// Beyond this time nothing is said of a time that remains but that it is longer.
const LONG_S: f64 = 1000.0 * YEAR_S;

/// Remaining time, roughly: `12 s`, `3 min`, `5 h`, `3 days`, `9 years`, `over 1,000 years`.
pub fn span(seconds: f64) -> String {
    let plural = |n: f64, unit: &str| format!("{n:.0} {}", noun(n.round(), unit));
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 100.0 * MINUTE_S => format!("{:.0} min", s / MINUTE_S),
        s if s < 2.0 * DAY_S => format!("{:.0} h", s / HOUR_S),
        s if s < 2.0 * YEAR_S => plural(s / DAY_S, "day"),
        s if s < LONG_S => plural(s / YEAR_S, "year"),
        _ => "over 1,000 years".to_owned(),
    }
}

/// A time that has passed, in whole seconds unless it is shorter: `1:42`, `72 s`, `0.4 s`, `497 ns`.
pub fn age(time: Duration) -> String {
    match time.as_secs_f64() {
        0.0 => "0 s".to_owned(),
        s if s < 0.1 => short(s),
        // Rounded up it could be older than the run.
        s if s < 1.0 => format!("{:.1} s", (s * 10.0).floor() / 10.0),
        s if s < 100.0 => span(s.floor()),
        _ => clock(time),
    }
}

/// A number of threads: `1 thread`, `1,024 threads`.
pub fn threads(n: usize) -> String {
    number_of(n, "thread")
}

/// CPU time that a limit allows: `the time of 0.05 cores`.
pub fn of_cores(cores: f64) -> String {
    format!("the time of {cores:.2} cores")
}

/// The share, 0..=1, of a part in a whole, for [`percent`] and [`progress`]. The share in an empty whole is 0.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part.min(whole) as f64 / whole as f64 }
}

/// A number of bytes with a binary unit: `512 B`, `1.5 GiB`.
pub fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    // A value that would be rounded to 1024 is written in the next unit.
    while value >= 1023.95 {
        let Some(next) = units.next() else { break };
        (value, unit) = (value / 1024.0, next);
    }
    let text = format!("{value:.1}");
    format!("{} {unit}", text.trim_end_matches(".0"))
}

/// A range of remaining times, `3 days..9 years`, `2..16 min`, `over 9 years`. One time where both ends have equal text.
pub fn spans(least: f64, most: f64) -> String {
    let (low, high) = (span(least), span(most));
    match (low.split_once(' '), high.split_once(' ')) {
        _ if most > 0.0 && most < 0.5 => "<1 s".to_owned(),
        _ if low == high => low,
        _ if most >= LONG_S => format!("over {low}"),
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number}..{high}"),
        _ => format!("{low}..{high}"),
    }
}

/// Reads a time such as `500ms`, `30s`, `1.5m`, `2h`; a number alone is seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let factor = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("'{unit}' is no unit of time: write ms, s, m, h or d, as in 30s")),
    };
    let value: f64 = number.parse().map_err(|_| format!("'{text}' is no time: write 500ms, 30s, 5m or 2h"))?;
    match Duration::try_from_secs_f64(value * factor) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(format!("'{text}' is no time to wait for: it must be above zero and below some 500 billion years")),
    }
}

/// A reader of whole numbers in a range; what it refuses it answers with that range.
pub fn number_in<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("write a number from {} to {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_that_is_passed_is_no_total() {
        let told = [(154e6, 140_000_000), (154e6, 151_000_000), (151e6, 151_000_000), (8.0, 8), (0.0, 0)];
        let words = ["about 150M", "over 150M", "over 150M", "about 8", "about 0"];
        assert_eq!(told.map(|(value, passed)| estimate(value, passed)), words);
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        let of = |number: u64| grouped(number);
        assert_eq!([0, 999, 1000, 1_234_567].map(of), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            grouped("123456789012345678901234567890123456789012"),
            "123,456,789,012,345,678,901,234,567,890,123,456,789,012"
        );
    }

    #[test]
    fn counts_keep_three_digits_to_the_nearest() {
        let of = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (9_999, "9,999"),
            (12_345, "12.3k"),
            (99_950, "100k"),
            (999_499, "999k"),
            (999_500, "1.00M"),
            (1_000_000, "1.00M"),
            (9_995_000, "10.0M"),
            (1_769_811_723, "1.77G"),
            (u64::MAX, "18.4E"),
        ];
        for (n, text) in of {
            assert_eq!(count(n), text);
            assert!(count(n).len() <= 5);
        }
    }

    #[test]
    fn only_the_whole_is_a_hundred_percent() {
        let shares = [0.0, 0.0001, 0.042, 0.0996, 0.126, 0.996, 1.0];
        assert_eq!(shares.map(percent), ["0%", "<0.1%", "4.2%", "10%", "13%", "99%", "100%"]);
        assert_eq!(shares.map(percent_tenths), ["0%", "<0.1%", "4.2%", "10.0%", "12.6%", "99.6%", "100%"]);
        assert_eq!(percent_tenths(0.9999), "99.9%");
        assert_eq!(progress(0.999_999), "99.9%");
        assert_eq!(progress(1.0), "100.0%");
        assert_eq!(progress(3.14e-11), "3.1e-9%");
        assert_eq!([5e-7, 4.99e-4, 0.0099, 0.01].map(progress), ["5.0e-5%", "0.050%", "0.99%", "1.0%"]);
        assert_eq!(progress(0.000_42), "0.042%");
        assert_eq!(progress(0.0), "0%");
        let reported = [0.0, 1.1e-10, 9.9e-7, 1.1e-6, 0.5, 1.0].map(reported_share);
        assert_eq!(reported, ["0%", "under 0.0001%", "under 0.0001%", "0.00011%", "50.0%", "100.0%"]);
    }

    #[test]
    fn a_share_is_at_most_one_and_zero_of_an_empty_whole() {
        assert_eq!([share(1, 4), share(5, 4), share(0, 4), share(3, 0)], [0.25, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn one_thread_is_singular() {
        assert_eq!([0, 1, 2].map(threads), ["0 threads", "1 thread", "2 threads"]);
    }

    #[test]
    fn times_have_readable_units() {
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(3727)), "1:02:07");
        assert_eq!(clock(Duration::from_secs(2 * 86_400 + 3727)), "2d 01:02");
        assert_eq!([420, 99].map(|at| moment(Duration::from_millis(at))), ["0.42s", "99.0 ms"]);
        let ages = [102_900, 72_900, 400, 45].map(|at| age(Duration::from_millis(at)));
        assert_eq!(ages, ["1:42", "72 s", "0.4 s", "45.0 ms"]);
        assert_eq!(span(12.0), "12 s");
        assert_eq!(span(3.0 * DAY_S), "3 days");
        assert_eq!(spans(3.0 * DAY_S, 9.0 * YEAR_S), "3 days..9 years");
        assert_eq!((spans(130.0, 960.0), spans(5.0, 5.2)), ("2..16 min".to_owned(), "5 s".to_owned()));
        assert_eq!((span(999.0 * YEAR_S), span(2e6 * YEAR_S)), ("999 years".to_owned(), "over 1,000 years".to_owned()));
        let long = |least, most| spans(least * YEAR_S, most * YEAR_S);
        assert_eq!((long(5211.0, 1e4), long(9.0, 1e4)), ("over 1,000 years".to_owned(), "over 9 years".to_owned()));
    }

    #[test]
    fn neighbours_in_a_list_are_told_apart() {
        let told = |times: &[u64]| moments(&times.iter().map(|at| Duration::from_micros(*at)).collect::<Vec<_>>());
        assert_eq!(told(&[420_000, 1_200_000]), ["0.42s", "1.20s"]);
        assert_eq!(told(&[53_600, 46_400, 46_400]), ["53.6 ms", "46.4 ms", "46.4 ms"]);
        assert_eq!(told(&[123_456_789, 123_456_790]), ["123.456789s", "123.456790s"]);
        assert_eq!(told(&[200_000_000, 201_000_000]), ["3:20", "3:21"]);
        let fine = [2884, 2883].map(Duration::from_nanos);
        assert_eq!(moments(&fine), ["2.884 us", "2.883 us"]);
    }

    #[test]
    fn estimates_have_two_digits() {
        let of = [0.0, 8.0, 99.4, 99.6, 999.4, 999.6, 4242.0, 9960.0, 319_999_999.0, 1.55e9, 7.2e20, 1.57e25];
        let words = ["0", "8", "99", "100", "1000", "1.0k", "4.2k", "10k", "320M", "1.6G", "720E", "1.6e25"];
        assert_eq!(of.map(about), words);
    }

    #[test]
    fn digits_beyond_the_error_are_not_written() {
        let of = [(13.2574e12, 11e9), (1_067_638.0, 0.0), (1_061_234.0, 20_000.0), (998.7, 5.0), (13.2e12, 5e12)];
        assert_eq!(
            of.map(|(value, error)| significant(value, error)),
            ["13.257T", "1,067,638", "1.061M", "999", "13.2T"]
        );
        assert_eq!(significant(0.0, 0.0), "0");
    }

    #[test]
    fn an_exact_number_has_its_digits_and_an_estimate_a_range() {
        let known = [0.0, 9862.0, 1_067_638.0, 13_267_364_410_532.0, 5.303_485_3e19, 2.1228e21];
        let words = ["0", "9,862", "1,067,638", "13.267T", "53.035E", "2.123e21"];
        assert_eq!(known.map(|tours| ranged(Ranged::exact(tours))), words);
        let range = |low, high| ranged(Ranged { mean: low, low, high });
        assert_eq!(range(870e3, 1.2e6), "870k..1.2M");
        assert_eq!([range(1.12e6, 1.34e6), range(1.12e6, 1.13e6)], ["1.1..1.3M", "about 1.1M"]);
        assert_eq!([range(7.0, 42.0), range(2.7e29, 3.1e29)], ["7..42", "2.7..3.1e29"]);
    }

    #[test]
    fn small_rates_do_not_become_zero() {
        assert_eq!(rate(0.0), "0");
        assert_eq!(rate(0.001), "<0.01");
        assert_eq!(rate(4.21), "4.2");
        assert_eq!(rate(31_234_567.0), "31.2M");
    }

    #[test]
    fn bytes_have_binary_units() {
        let all = [0, 1023, 1024, 1536, (1 << 20) - 1, 128 << 20, 24_684_084 << 10].map(bytes);
        assert_eq!(all, ["0 B", "1023 B", "1 KiB", "1.5 KiB", "1 MiB", "128 MiB", "23.5 GiB"]);
    }

    #[test]
    fn short_times_have_three_digits() {
        let times = [0.0, 3.782e-7, 1.24e-5, 0.000_123_4, 0.0456, 7.0, 123.4].map(short);
        assert_eq!(times, ["0.00 ns", "378 ns", "12.4 us", "123 us", "45.6 ms", "7.00 s", "123 s"]);
        let rounded = [999.6e-9, 9.996e-6, 99.96e-6, 0.9996].map(short);
        assert_eq!(rounded, ["1.00 us", "10.0 us", "100 us", "1.00 s"]);
    }
}
