//! The rows of the picker.

/// A row of the picker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PickerRow {
    /// The board, typed.
    Board,
    /// Every tour, or one.
    Question,
    /// Closed or open.
    Ending,
    /// The method.
    Method,
    /// The start square, typed.
    Start,
    /// The tie-break of Warnsdorff's rule.
    Tie,
    /// How a search is shared.
    Scheduler,
    /// Number of workers, typed.
    Threads,
}

impl PickerRow {
    /// Its name on the screen.
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

    /// Whether it is typed, not chosen.
    pub fn is_typed(self) -> bool {
        matches!(self, PickerRow::Board | PickerRow::Start | PickerRow::Threads)
    }
}
