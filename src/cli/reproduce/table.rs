//! The rows of a table: how they are read, compared with what was published, and drawn.
//!
//! ```text
//! words,field,published,compare,label
//! #,log 1 1e6,,,what this part of the table shows, and where it comes from
//! search 6x6 --solver radley,tours,9862,=,tours
//! ,nodes,,-,nodes
//! ```
//!
//! Without words a row has those of the row above it. Two commands with ` / ` between them are divided. The fields of the
//! JSON object stand with blanks between them, as do their values. A value in brackets, as `[67]`, was not published but known
//! before, and is printed in a column of its own. `above` is what the rows above have of the same fields. A figure is
//! compared by `=`, `~0.05` (it may be so far away) or `>` (at least so much); `-` only shows it. With a `#` in its label a row is a line for every value. A part begins with `#` (`#full`: only with `--full`) and
//! the scale of its bars.
//!
//! A row is no fact of a report: its value is a field of the object that another command prints, and no object is printed of
//! the table.

use crate::cli::sheet::{BAR, WIDTH, bar, decimal};
use crate::words::{grouped, short, wrapped};
use serde_json::Value;
use std::collections::HashMap;

/// Between two commands of which a figure is divided by the other's.
pub const DIVIDED: &str = " / ";
/// Values that are shown one by one, at most.
const VALUES: usize = 8;
/// The column that says how a figure compares.
const COMPARED: usize = 8;

/// A row, or the beginning of a part.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// What is run.
    pub words: &'a str,
    /// Fields of the object, or the scale of a part.
    pub field: &'a str,
    /// What was published, or known before, in brackets; it may be nothing.
    pub published: String,
    /// How it is compared.
    pub compare: &'a str,
    /// What the figure is, or what the part is about.
    pub label: &'a str,
}

impl Row<'_> {
    /// Whether a part begins here.
    pub fn is_part(&self) -> bool {
        self.words.starts_with('#')
    }

    /// Its label; that of a line for each value without their number.
    pub fn name(&self) -> &str {
        self.label.trim_end_matches('#').trim_end()
    }

    /// Whether the row needs time: then a short one is tried some times.
    pub fn is_timed(&self) -> bool {
        self.field == "elapsed_s"
    }

    /// Values of its fields for people. Those that are divided have no unit.
    fn shown(&self, values: &str) -> String {
        let each: Vec<&str> = values.split(' ').collect();
        if each.len() > VALUES {
            return format!("{} values", each.len());
        }
        let are_seconds = self.field.ends_with("_s") && !self.words.contains(DIVIDED);
        let number = |text: &str| match text.parse::<f64>() {
            Ok(seconds) if are_seconds => short(seconds),
            // A turn of a path, which is no number.
            _ if text.starts_with('+') => text.to_owned(),
            _ if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => grouped(text),
            Ok(number) if !text.contains('e') => decimal(number),
            _ => text.to_owned(),
        };
        each.into_iter().map(number).collect::<Vec<_>>().join(" ")
    }
}

/// The rows of a file, below its line of headings.
pub fn rows(table: &str) -> Vec<Row<'_>> {
    let (mut words, mut above) = ("", HashMap::new());
    let row = |line| {
        let mut cells = str::splitn(line, 5, ',');
        let mut cell = || cells.next().unwrap_or_default();
        let (typed, field, published, compare, label) = (cell(), cell(), cell(), cell(), cell());
        words = if typed.is_empty() { words } else { typed };
        let published = match published {
            "above" => field.split(' ').filter_map(|field| above.get(field).copied()).collect::<Vec<_>>().join(" "),
            published => {
                above.insert(field, published);
                published.to_owned()
            }
        };
        Row { words, field, published, compare, label }
    };
    table.lines().skip(1).map(row).collect()
}

/// What a table has as published for a field of a command.
pub fn published(table: &str, words: &str, field: &str) -> Option<String> {
    let row = rows(table).into_iter().find(|row| row.words == words && row.field == field);
    row.map(|row| row.published).filter(|published| !published.is_empty())
}

/// Values as they are compared.
fn known(values: &str) -> String {
    values.replace(['[', ']'], "")
}

/// The values that were published, and those that were not but were known before.
fn by_origin(values: &str) -> [String; 2] {
    let (before, published): (Vec<&str>, Vec<&str>) = values.split(' ').partition(|value| value.starts_with('['));
    [published, before].map(|values| known(&values.join(" ")))
}

/// Every value of the named fields, in order, as text; `-` for a field that is not there.
pub fn values(object: &Value, fields: &str) -> Vec<String> {
    fn add(value: &Value, values: &mut Vec<String>) {
        match value {
            Value::Array(array) => array.iter().for_each(|value| add(value, values)),
            Value::String(text) => values.push(text.clone()),
            Value::Null => values.push("-".to_owned()),
            other => values.push(other.to_string()),
        }
    }
    let mut values = Vec::new();
    for field in fields.split(' ') {
        let value = object.pointer(&format!("/{}", field.replace('.', "/")));
        add(value.unwrap_or(&Value::Null), &mut values);
    }
    values
}

/// How a figure compares with what was published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FigureMatch {
    /// As published.
    Same,
    /// Not as published.
    Differs,
    /// Nothing is compared.
    Shown,
}

/// Compares a figure.
pub fn verdict(compare: &str, published: &str, here: &str) -> FigureMatch {
    let published = known(published);
    let numbers = || Some((published.parse::<f64>().ok()?, here.parse::<f64>().ok()?));
    let same = match compare.split_at_checked(1) {
        Some(("=", _)) => published == here,
        Some(("~", within)) => numbers()
            .zip(within.parse().ok())
            .is_some_and(|((published, here), within)| (published - here).abs() <= within),
        Some((">", _)) => numbers().is_some_and(|(published, here)| here >= published),
        _ => return FigureMatch::Shown,
    };
    if same { FigureMatch::Same } else { FigureMatch::Differs }
}

/// The lines of a row, each with its label, what was published or known before, and what is here: one, or one for every value.
pub fn lines(row: &Row<'_>, here: &[String]) -> Vec<[String; 3]> {
    if !row.label.contains('#') {
        return vec![[row.label.to_owned(), row.published.clone(), here.join(" ")]];
    }
    let published: Vec<&str> = row.published.split(' ').collect();
    let line = |nth: usize| {
        let published = published.get(nth).copied().unwrap_or("-");
        let here = here.get(nth).map_or("-", String::as_str);
        [row.label.replace('#', &nth.to_string()), published.to_owned(), here.to_owned()]
    };
    (0..here.len().max(published.len())).map(line).collect()
}

/// The columns of figures.
const COLUMNS: [&str; 3] = ["published", "known before", "here"];
/// The mark in a bar.
const MARK: &str = "| is what was published or known before";

/// A part of a table: the scale of its bars, and the widths of its columns.
#[derive(Default)]
pub struct Part {
    /// From and to; by powers of ten from a number above 0.
    scale: Option<(f64, f64)>,
    /// Columns of the labels.
    label: usize,
    /// Those of the figures under [`COLUMNS`]; 0 where there are none.
    widths: [usize; 3],
    /// Columns that these leave for a bar.
    bar: usize,
}

impl Part {
    /// The part that begins with this row and has those.
    pub fn new(head: &Row<'_>, rows: &[Row<'_>]) -> Part {
        let scale = match head.field.split(' ').collect::<Vec<_>>().as_slice() {
            ["linear", to] => to.parse().ok().map(|to| (0.0, to)),
            ["log", from, to] => from.parse().ok().zip(to.parse().ok()),
            _ => None,
        };
        let label = rows.iter().map(|row| row.label.len() + usize::from(row.label.contains('#'))).max().unwrap_or(0);
        let width = |nth: usize| {
            let width = |row: &Row<'_>| {
                let of = |values: &str| row.shown(&by_origin(values)[nth]).len();
                if row.label.contains('#') { row.published.split(' ').map(of).max() } else { Some(of(&row.published)) }
            };
            let width = rows.iter().filter_map(width).max().unwrap_or(0);
            if width > 0 { width.max(COLUMNS[nth].len()) } else { 0 }
        };
        let [published, before] = [0, 1].map(width);
        let mut part = Part { scale, label, widths: [published, before, published.max(before).max(11)], bar: 0 };
        part.bar = WIDTH.saturating_sub(part.figures("", Default::default()).len() + COMPARED + 4).min(BAR);
        part
    }

    /// What is printed above the rows.
    pub fn heading(&self, about: &str) -> String {
        let about: String = wrapped(about, WIDTH).iter().map(|line| format!("{line}\n")).collect();
        let scale = match self.scale {
            None => String::new(),
            Some((from, to)) if from > 0.0 => format!("Bars: by powers of ten from {from:e} to {to:e}; {MARK}.\n"),
            Some((_, to)) => format!("Bars: from 0 to {to}; {MARK}.\n"),
        };
        let columns = self.figures("", COLUMNS.map(str::to_owned));
        if self.label == 0 { about } else { format!("{about}{scale}\n{columns}\n") }
    }

    /// A label, and a text in each column that there is.
    fn figures(&self, label: &str, texts: [String; 3]) -> String {
        let columns = texts.iter().zip(self.widths).filter(|(_, width)| *width > 0);
        let columns: String = columns.map(|(text, width)| format!("  {text:>width$}")).collect();
        format!("{label:width$}{columns}", width = self.label)
    }

    /// A line of the table: label, published or known figure, and figure, how they compare, a bar, and a note.
    pub fn line(&self, row: &Row<'_>, line: &[String; 3], verdict: FigureMatch, note: &str) -> String {
        let [label, published, here] = line;
        let said = match (verdict, row.compare.split_at_checked(1)) {
            (FigureMatch::Shown, _) => String::new(),
            (FigureMatch::Differs, _) => "DIFFERS".to_owned(),
            (_, Some(("~", within))) => format!("+-{within}"),
            (_, Some((">", _))) => "at least".to_owned(),
            _ => "=".to_owned(),
        };
        let [of_source, before] = by_origin(published);
        let texts = [&of_source, &before, here].map(|text| row.shown(text));
        let (bar, figures) = (self.bar(&known(published), here), self.figures(label, texts));
        let figures = format!("{figures}  {said:<COMPARED$}");
        // Beside a long note there is no room for a bar.
        match figures.len() + 2 + bar.len() + note.len() {
            0..=WIDTH => format!("{figures}  {bar}").trim_end().to_owned() + note,
            _ => figures.trim_end().to_owned() + note,
        }
    }

    /// A bar for a figure; `|` marks what was published, if that is elsewhere.
    fn bar(&self, published: &str, here: &str) -> String {
        let share = |text: &str| {
            let ((from, to), value) = (self.scale?, text.parse::<f64>().ok()?);
            Some(if from > 0.0 { (value / from).log10() / (to / from).log10() } else { value / to })
        };
        let drawn = |text: &str| share(text).map(|share| bar(share, self.bar));
        let mark = drawn(published).map(|bar| bar.len());
        let Some(mut drawn) = drawn(here) else { return String::new() };
        let mark = mark.unwrap_or(drawn.len());
        if mark > drawn.len() {
            drawn = format!("{drawn:<0$}|", mark - 1);
        } else if mark < drawn.len() {
            drawn.replace_range(mark..=mark, "|");
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "words,field,published,compare,label\n\
        #,linear 20,,,Of two things, one.\n\
        @one,a b,1 2,=,both\n\
        ,list,10 5,=,item #\n\
        @two,t_s,1.0e-5,-,time\n";

    #[test]
    fn rows_are_read_from_a_file() {
        let rows = rows(TABLE);
        assert_eq!(rows.iter().map(|row| row.words).collect::<Vec<_>>(), ["#", "@one", "@one", "@two"]);
        assert_eq!((rows[0].is_part(), rows[0].label), (true, "Of two things, one."));
        assert_eq!((published(TABLE, "@two", "t_s").as_deref(), published(TABLE, "@two", "b")), (Some("1.0e-5"), None));
    }

    #[test]
    fn a_row_is_a_line_or_a_line_for_each_value() {
        let object = serde_json::json!({ "a": 1, "b": { "c": [2, null] }, "list": [10, 4, 3] });
        assert_eq!(values(&object, "a b.c.0 b.c d"), ["1", "2", "2", "-", "-"]);
        let rows = rows(TABLE);
        let part = Part::new(&rows[0], &rows[1..]);
        let lines = lines(&rows[2], &values(&object, "list"));
        let drawn: Vec<String> = lines
            .iter()
            .map(|line| part.line(&rows[2], line, verdict(rows[2].compare, &line[1], &line[2]), ""))
            .collect();
        assert_eq!(
            drawn,
            [
                "item 0          10           10  =         ############",
                "item 1           5            4  DIFFERS   #### |",
                "item 2           -            3  DIFFERS   ###",
            ]
        );
        assert!(part.heading(rows[0].label).starts_with("Of two things, one.\nBars: from 0 to 20; | is what"));
        let time =
            part.line(&rows[3], &["time".to_owned(), "1.0e-5".to_owned(), "0.002".to_owned()], FigureMatch::Shown, "");
        assert!(time.starts_with("time       10.0 us      2.00 ms"), "{time}");
    }

    /// A speed-up is a time divided by a time.
    #[test]
    fn a_quotient_has_no_unit() {
        let table = "words,field,published,compare,label\n#,linear 16,,,Two.\n@one / @two,t_s,0.05,-,3x4\n";
        let rows = rows(table);
        let here = ["3x4".to_owned(), "0.05".to_owned(), "0.152".to_owned()];
        let line = Part::new(&rows[0], &rows[1..]).line(&rows[1], &here, FigureMatch::Shown, "");
        assert!(line.starts_with("3x4       0.05        0.152  "), "{line}");
        assert_eq!(rows[0].shown("+0 +2 c -3 -1"), "+0 +2 c -3 -1");
    }

    #[test]
    fn what_was_not_published_stands_in_a_column_of_its_own() {
        let table = "words,field,published,compare,label\n#,linear 20,,,Two.\n@one,list,10 [5],=,item #\n\
            ,tours,[9862],=,tours\n@two,list tours,above,=,both\n";
        let rows = rows(table);
        assert_eq!(rows[3].published, "10 [5] [9862]");
        let part = Part::new(&rows[0], &rows[1..]);
        let heading = "Two.\nBars: from 0 to 20; | is what was published or known before.\n\n\
            \u{20}        published  known before          here\n";
        assert_eq!(part.heading(rows[0].label), heading);
        let object = serde_json::json!({ "list": [10, 5], "tours": 9862 });
        let lines = rows[1..]
            .iter()
            .flat_map(|row| lines(row, &values(&object, row.field)).into_iter().map(move |line| (row, line)));
        let drawn: Vec<String> =
            lines.map(|(row, line)| part.line(row, &line, verdict(row.compare, &line[1], &line[2]), "")).collect();
        assert_eq!(
            drawn,
            [
                "item 0          10                          10  =         ###########",
                "item 1                         5             5  =         #####",
                "tours                      9,862         9,862  =         ######################",
                "both            10       5 9,862    10 5 9,862  =",
            ]
        );
    }

    #[test]
    fn figures_are_compared_as_the_row_says() {
        use FigureMatch::{Differs, Same, Shown};
        for (compare, published, here, expected) in [
            ("=", "1 2", "1 2", Same),
            ("=", "9862", "9863", Differs),
            ("~0.05", "0.549", "0.5383", Same),
            ("~0.05", "0.549", "0.4", Differs),
            (">", "0.98", "0.98", Same),
            (">", "0.98", "0.97", Differs),
            (">", "1", "-", Differs),
            ("-", "1", "2", Shown),
        ] {
            assert_eq!(verdict(compare, published, here), expected, "{compare} {published} {here}");
        }
    }
}
