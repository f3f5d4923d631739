//! The roles of what is drawn, each of which has a look of its own.

/// The meaning of a text or a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A worker that searches.
    Busy,
    /// A worker without work.
    Idle,
    /// A worker that has just been hired.
    Hired,
    /// A worker that waits at a boss.
    Waiting,
    /// A worker that is paused or in slow motion.
    Held,
    /// A worker that has work but no CPU.
    Descheduled,
    /// A worker that has finished.
    Done,
    /// Frames and axes.
    Border,
    /// The frame of the focused pane.
    Focus,
    /// Names of figures.
    Label,
    /// Figures and text.
    Text,
    /// Titles and keys.
    Strong,
    /// Cut branches.
    Pruned,
    /// Efficiency.
    Good,
    /// A fault.
    Bad,
}

impl Role {
    /// Every role, in the order of declaration.
    pub const ALL: [Role; 15] = [
        Role::Busy,
        Role::Idle,
        Role::Hired,
        Role::Waiting,
        Role::Held,
        Role::Descheduled,
        Role::Done,
        Role::Border,
        Role::Focus,
        Role::Label,
        Role::Text,
        Role::Strong,
        Role::Pruned,
        Role::Good,
        Role::Bad,
    ];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Role::Busy => "busy",
            Role::Idle => "idle",
            Role::Hired => "hired",
            Role::Waiting => "waiting",
            Role::Held => "held",
            Role::Descheduled => "descheduled",
            Role::Done => "done",
            Role::Border => "border",
            Role::Focus => "focus",
            Role::Label => "label",
            Role::Text => "text",
            Role::Strong => "strong",
            Role::Pruned => "pruned",
            Role::Good => "good",
            Role::Bad => "bad",
        }
    }
}
