//! The report of a command: a list of facts. A fact has a key and a value for the JSON object, a line of text, or both. The
//! object and the text keep the order of the list. A row of a table is a report, too: a fact of a row is a cell, which has a
//! key, a value, a heading and words, and from the cells follow the objects, the lines and the comma-separated values.

use crate::words::visible;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt::{self, Display};

/// Adds keys that are called as the last words of their values, or by a name: `keys!(report, board, outcome.nodes, "of" => all)`
/// adds `board`, `nodes` and `of`. A key with `?` is added if there is a value.
macro_rules! keys {
    ($report:expr, $key:literal => $value:expr $(, $($rest:tt)+)?) => {
        $report.key($key, $value);
        $($crate::job::report::keys!($report, $($rest)+);)?
    };
    ($report:expr, $key:literal? => $value:expr $(, $($rest:tt)+)?) => {
        $report.key_if($key, $value);
        $($crate::job::report::keys!($report, $($rest)+);)?
    };
    ($report:expr, $value:expr $(, $($rest:tt)+)?) => {
        $report.key($crate::job::report::last_word(stringify!($value)), $value);
        $($crate::job::report::keys!($report, $($rest)+);)?
    };
}
pub(crate) use keys;

/// An object of a report with the [`keys!`] of these values.
macro_rules! object {
    ($($keys:tt)+) => {{
        let mut object = $crate::job::report::Report::default();
        $crate::job::report::keys!(object, $($keys)+);
        object
    }};
}
pub(crate) use object;

/// The last word of a path: `nodes` of `outcome.nodes` and of `outcome.nodes()`.
pub fn last_word(path: &'static str) -> &'static str {
    path.trim_end_matches("()").rsplit('.').next().unwrap_or(path)
}

/// Facts of a report, in order.
#[derive(Default)]
pub struct Report {
    keys: Vec<(&'static str, Box<dyn erased_serde::Serialize>)>,
    /// The whole object, if a type of its own holds it.
    whole: Option<Box<dyn erased_serde::Serialize>>,
    lines: Vec<String>,
    /// The headings of the columns, if it is a row of a table.
    headings: String,
}

impl Report {
    /// A report whose JSON object has a type of its own, because more than the report needs it.
    pub fn of_object(object: impl Serialize + 'static) -> Report {
        Report { whole: Some(Box::new(object)), ..Report::default() }
    }

    /// Adds a key, and a line with a label.
    pub fn fact(&mut self, key: &'static str, value: impl Serialize + 'static, label: &str, words: impl Display) {
        self.key(key, value);
        self.line(label, words);
    }

    /// Adds a key to the object.
    pub fn key(&mut self, key: &'static str, value: impl Serialize + 'static) {
        self.keys.push((key, Box::new(value)));
    }

    /// Adds a key if there is a value.
    pub fn key_if(&mut self, key: &'static str, value: Option<impl Serialize + 'static>) {
        if let Some(value) = value {
            self.key(key, value);
        }
    }

    /// Adds a line of text: a label of up to eight letters, and words.
    pub fn line(&mut self, label: &str, words: impl Display) {
        self.text(format_args!("{label:<8} {words}"));
    }

    /// Adds a line if there are words.
    pub fn line_if(&mut self, label: &str, words: Option<impl Display>) {
        if let Some(words) = words {
            self.line(label, words);
        }
    }

    /// Adds a value that has lines of its own, and its key, if there is one.
    pub fn lines_if(&mut self, key: &'static str, value: Option<impl Serialize + Display + 'static>) {
        if let Some(value) = value {
            self.text(&value);
            self.key(key, value);
        }
    }

    /// Adds a report of its own: its lines below an empty line, unless they are the first, and its object under a key.
    pub fn part(&mut self, key: &'static str, part: Report) {
        if !self.lines.is_empty() {
            self.text("");
        }
        self.text(&part);
        self.key(key, part);
    }

    /// Adds a table: the lines of its rows, and an array of their objects under a key.
    pub fn rows(&mut self, key: &'static str, rows: Vec<Report>) {
        rows.iter().for_each(|row| self.text(row));
        self.key(key, rows);
    }

    /// Adds words to the first line, which is a row of a table: they end below the end of a heading, in so many columns.
    pub fn column(&mut self, heading: &str, width: usize, words: impl Display) {
        let gap = if self.headings.is_empty() { "" } else { " " };
        self.headings += &format!("{gap}{heading:>width$}");
        let words = format!("{gap}{:>width$}", visible(&words.to_string()));
        match self.lines.first_mut() {
            Some(line) => line.push_str(&words),
            None => self.lines.push(words),
        }
    }

    /// Adds a key, and its words as a column.
    pub fn cell(
        &mut self,
        key: &'static str,
        value: impl Serialize + 'static,
        heading: &str,
        width: usize,
        words: impl Display,
    ) {
        self.key(key, value);
        self.column(heading, width, words);
    }

    /// The lines, as they were added.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// The headings of the columns.
    pub fn headings(&self) -> &str {
        &self.headings
    }

    /// The keys and the numbers below them as comma-separated values.
    pub fn csv(&self) -> [String; 2] {
        let number = |value| match serde_json::to_value(value).unwrap_or_default() {
            Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
            number => number.to_string(),
        };
        let (keys, numbers): (Vec<&str>, Vec<String>) =
            self.keys.iter().map(|(key, value)| (*key, number(value))).unzip();
        [keys.join(","), numbers.join(",")]
    }

    /// Adds lines of text without a label. What a terminal could obey in them is made visible: they may quote names of files.
    pub fn text(&mut self, lines: impl Display) {
        self.lines.push(visible(&lines.to_string()));
    }
}

impl Display for Report {
    /// Writes the lines; the last one has no line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(whole) = &self.whole {
            return whole.serialize(serializer);
        }
        let mut object = serializer.serialize_map(Some(self.keys.len()))?;
        self.keys.iter().try_for_each(|(key, value)| object.serialize_entry(key, value))?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_called_as_the_last_words_of_their_values() {
        let (board, (first, words)) = ("6x6", ((1, 2), "ab"));
        let report = object!(board, words.len(), first.1);
        assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"board":"6x6","len":2,"1":2}"#);
    }

    #[test]
    fn text_and_object_have_their_facts_in_order() {
        let mut report = Report::default();
        report.text("6x6 closed tours");
        report.fact("tours", 9862, "tours", "9,862 undirected");
        report.key_if("reason", None::<u32>);
        report.line_if("none", None::<u32>);
        report.key("board", "6x6");
        report.text("complete");
        assert_eq!(report.to_string(), "6x6 closed tours\ntours    9,862 undirected\ncomplete");
        assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"tours":9862,"board":"6x6"}"#);
    }

    #[test]
    fn a_cell_stands_below_its_heading_and_in_the_object() {
        let row = |workers: u32, speedup: f64| {
            let mut row = Report::default();
            row.cell("workers", workers, "workers", 7, workers);
            row.cell("speedup", speedup, "speed-up", 10, format_args!("{speedup:.3}"));
            row.text("more of it");
            row
        };
        let mut report = Report::default();
        report.text(row(0, 0.0).headings());
        let rows = [(1, 1.0), (64, 50.25)].map(|(workers, speedup)| row(workers, speedup));
        assert_eq!(rows[0].csv(), ["workers,speedup", "1,1"]);
        assert_eq!(rows[1].csv()[1], "64,50.25");
        report.rows("rows", rows.into());
        let text = "workers   speed-up\n      1      1.000\nmore of it\n     64     50.250\nmore of it";
        assert_eq!(report.to_string(), text);
        let object = r#"{"rows":[{"workers":1,"speedup":1.0},{"workers":64,"speedup":50.25}]}"#;
        assert_eq!(serde_json::to_string(&report).unwrap(), object);
    }
}
