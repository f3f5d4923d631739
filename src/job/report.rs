//! What a command says of what came of it: a list of facts, each for people, for scripts, or for both. The text and the
//! JSON object of the contract follow from the list, each in its order.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display};

/// The key of what is the whole object.
const WHOLE: &str = "";

/// Facts in the order in which they are told.
#[derive(Default)]
pub struct Report {
    keys: Vec<(&'static str, Box<dyn erased_serde::Serialize>)>,
    lines: Vec<String>,
}

impl Report {
    /// What is read back from a journal, and so has a type of its own, as the whole object.
    pub fn of_object(object: impl Serialize + 'static) -> Report {
        Report { keys: vec![(WHOLE, Box::new(object))], lines: Vec::new() }
    }

    /// A fact for people and for scripts: a key of the object, and a line behind its label.
    pub fn fact(&mut self, key: &'static str, value: impl Serialize + 'static, label: &str, words: impl Display) {
        self.key(key, value);
        self.line(label, words);
    }

    /// A key of the object.
    pub fn key(&mut self, key: &'static str, value: impl Serialize + 'static) {
        self.keys.push((key, Box::new(value)));
    }

    /// A key of the object that is not there without a value.
    pub fn key_if(&mut self, key: &'static str, value: Option<impl Serialize + 'static>) {
        if let Some(value) = value {
            self.key(key, value);
        }
    }

    /// A line for people: a label of up to eight letters, and words.
    pub fn line(&mut self, label: &str, words: impl Display) {
        self.text(format_args!("{label:<8} {words}"));
    }

    /// A line that is not there without words.
    pub fn line_if(&mut self, label: &str, words: Option<impl Display>) {
        if let Some(words) = words {
            self.line(label, words);
        }
    }

    /// Lines for people as they are.
    pub fn text(&mut self, lines: impl Display) {
        self.lines.push(lines.to_string());
    }
}

impl Display for Report {
    /// The lines, without an end of the last one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let [(WHOLE, object)] = self.keys.as_slice() {
            return object.serialize(serializer);
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
