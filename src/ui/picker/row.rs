//! The rows of the picker.

/// A row of the picker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
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

impl Row {
    /// Its name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Row::Board => "board",
            Row::Question => "question",
            Row::Ending => "tours",
            Row::Method => "method",
            Row::Start => "start",
            Row::Tie => "tie-break",
            Row::Scheduler => "scheduler",
            Row::Threads => "threads",
        }
    }

    /// Whether it is typed, not chosen.
    pub fn is_typed(self) -> bool {
        matches!(self, Row::Board | Row::Start | Row::Threads)
    }
}
