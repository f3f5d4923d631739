//! The rows of the picker.

/// A row of the picker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PickerRow {
    /// The board, typed.
    Board,
    /// Enumerate all tours, or find one.
    Question,
    /// Closed or open tours.
    Ending,
    /// The method.
    Method,
    /// The start square, typed.
    Start,
    /// The tie-break of Warnsdorff's rule.
    Tie,
    /// The scheduler of a search.
    Scheduler,
    /// The number of threads, typed.
    Threads,
}

impl PickerRow {
    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            PickerRow::Board => "board",
            PickerRow::Question => "question",
            PickerRow::Ending => "tours",
            PickerRow::Method => "method",
            PickerRow::Start => "start",
            PickerRow::Tie => "tie-break",
            PickerRow::Scheduler => "scheduler",
            PickerRow::Threads => "threads",
        }
    }

    /// Whether the row is typed; otherwise a value is selected.
    pub fn is_typed(self) -> bool {
        matches!(self, PickerRow::Board | PickerRow::Start | PickerRow::Threads)
    }
}
