//! The report of a command: a list of facts. A fact has a key and a value for the JSON object, a line of text, or both. The
//! object and the text keep the order of the list.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display};

/// Facts of a report, in order.
#[derive(Default)]
pub struct Report {
    keys: Vec<(&'static str, Box<dyn erased_serde::Serialize>)>,
    /// The whole object, if a type of its own holds it.
    whole: Option<Box<dyn erased_serde::Serialize>>,
    lines: Vec<String>,
}

impl Report {
    /// A report whose JSON object has a type of its own, because it is read back from a journal.
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

    /// Adds lines of text without a label.
    pub fn text(&mut self, lines: impl Display) {
        self.lines.push(lines.to_string());
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
}
