//! A table of figures as data: its head, and its rows as they are computed. A report prints it, a screen draws it.

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableColumn {
    /// The heading.
    pub name: &'static str,
    /// Characters of the widest cell.
    pub width: usize,
    /// Whether the cells hold text, which begins at the left.
    pub is_text: bool,
}

impl TableColumn {
    /// A column of numbers.
    pub const fn number(name: &'static str, width: usize) -> TableColumn {
        TableColumn { name, width, is_text: false }
    }

    /// A column of text.
    pub const fn text(name: &'static str, width: usize) -> TableColumn {
        TableColumn { name, width, is_text: true }
    }

    /// A cell of this column, padded.
    pub fn padded(&self, cell: &str) -> String {
        let width = self.width;
        if self.is_text { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    }
}

/// A value that a chart shows of each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableBar {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a published figure, drawn as a line to be reached by the bar before it.
    pub is_mark: bool,
}

/// The chart of a table: a group of bars for each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableChart {
    /// The bars of a group.
    pub bars: Vec<TableBar>,
    /// Whether each line is ten times the one below it or more.
    pub is_logarithmic: bool,
    /// What is counted.
    pub unit: &'static str,
}

impl TableChart {
    /// A chart with these bars.
    pub fn new(names: &[&'static str], is_logarithmic: bool, unit: &'static str) -> TableChart {
        let bars = names.iter().map(|&name| TableBar { name, is_mark: false }).collect();
        TableChart { bars, is_logarithmic, unit }
    }

    /// Number of bars in a group.
    pub fn in_group(&self) -> usize {
        self.bars.iter().filter(|bar| !bar.is_mark).count()
    }

    /// Adds a published figure.
    pub fn with_mark(mut self, name: &'static str) -> TableChart {
        self.bars.push(TableBar { name, is_mark: true });
        self
    }
}

/// What is known of a table before its first row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHead {
    /// A name of a word or two.
    pub name: &'static str,
    /// What the table shows, and where it comes from.
    pub about: String,
    /// The columns.
    pub columns: Vec<TableColumn>,
    /// The chart, if the rows have values.
    pub chart: Option<TableChart>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TableRow {
    /// A text for each column.
    pub cells: Vec<String>,
    /// A value for each bar of the chart.
    pub values: Vec<Option<f64>>,
    /// Whether the figures are the published ones; `None` if nothing was published.
    pub same: Option<bool>,
}

impl TableRow {
    /// What is written behind a row: `=` or `DIFFERS`.
    pub fn verdict(&self) -> &'static str {
        match self.same {
            None => "",
            Some(true) => "=",
            Some(false) => "DIFFERS",
        }
    }
}

impl TableHead {
    /// The line of the headings.
    pub fn heading(&self) -> String {
        self.line(self.columns.iter().map(|column| column.name), "")
    }

    /// The line of a row.
    pub fn row(&self, row: &TableRow) -> String {
        self.line(row.cells.iter().map(String::as_str), row.verdict())
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, verdict: &'a str) -> String {
        let cells = self.columns.iter().zip(cells).map(|(column, cell)| column.padded(cell));
        cells.chain([verdict.to_owned()]).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// What comes of tables while they are computed.
#[derive(Clone, PartialEq, Debug)]
pub enum TableNews {
    /// A table begins.
    Table(TableHead),
    /// The row with this index, counted from 0, as far as it is known; it will come whole.
    Draft(usize, TableRow),
    /// The next row.
    Row(TableRow),
    /// A sentence about the table.
    Note(String),
    /// All has come; whether every figure is the published one.
    End(bool),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_their_headings_and_the_verdict_behind_them() {
        let columns = vec![TableColumn::text("board", 6), TableColumn::number("tours", 7)];
        let head = TableHead { name: "tours", about: String::new(), columns, chart: None };
        let row = |cells: [&str; 2], same| TableRow { cells: cells.map(str::to_owned).into(), values: vec![], same };
        assert_eq!(head.heading(), "board     tours");
        assert_eq!(head.row(&row(["3x4", "16"], Some(true))), "3x4          16  =");
        assert_eq!(head.row(&row(["3x4", "17"], Some(false))), "3x4          17  DIFFERS");
        assert_eq!(head.row(&row(["3x4", ""], None)), "3x4");
    }
}
