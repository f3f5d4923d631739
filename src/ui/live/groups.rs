//! The workers by groups of CPUs: a row for each group with a worker.
//!
//! ```text
//! group       B   w   n  nodes/s   within  outside  workers  search
//! cache 0     7   1   0    31.2M      123       45        8   97.2%  ████████████████░
//! cache 1     6   2   0    28.0M       98       61        8   91.0%  ██████████████░░░
//! ```

use super::model::LiveModel;
use super::view::LivePane;
use super::workers::{LOOKS, WorkerFilter, draw_bar};
use crate::run::TimePart;
use crate::run::balance::{GroupUse, group_noun};
use crate::system::numbers;
use crate::ui::kit::{Action, PaneFocus, Role, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// The width of a name, and of a figure with a blank before it.
const NAME: usize = 9;
const FIGURE: usize = 8;
/// Least width of a bar.
const BAR_MIN: u16 = 10;

impl LiveModel {
    /// The groups that have a row.
    pub fn group_rows(&self) -> Vec<GroupUse> {
        let Some(kind) = self.grouped else { return Vec::new() };
        let is_used = |group: &GroupUse| group.workers > 0 || group.hires_within + group.hires_from > 0;
        self.balance.groups().into_iter().filter(|group| group.kind == kind && is_used(group)).collect()
    }

    /// The next kind of groups in the table, or none.
    pub(super) fn group_next(&mut self) {
        let mut kinds: Vec<&'static str> = self.balance.groups().into_iter().map(|group| group.kind).collect();
        kinds.dedup();
        let next = kinds.iter().position(|kind| self.grouped == Some(*kind)).map_or(0, |place| place + 1);
        self.grouped = kinds.get(next).copied();
        if let Some(WorkerFilter::Group(..)) = self.filter {
            self.filter = None;
        }
        self.surface.say(match self.grouped {
            _ if self.snapshot.simulated.is_some() => "a simulation has no CPUs, so no groups of them".to_owned(),
            _ if kinds.is_empty() => {
                "no groups of CPUs are known of this run: destrier doctor says which a machine has".to_owned()
            }
            Some(kind) => format!("a row for each {}; {} shows its workers", group_noun(kind), Action::Open.key()),
            None => "a worker has a row of its own".to_owned(),
        });
    }

    /// Shows the workers of the selected group.
    pub(super) fn open_group(&mut self) {
        let group = self.group_rows().into_iter().find(|group| group.members.contains(&self.selected));
        let Some((group, cpus)) = group.map(|group| (group.name, numbers(&group.cpus).unwrap_or_default())) else {
            return;
        };
        (self.grouped, self.filter) = (None, Some(WorkerFilter::Group(group, cpus)));
        self.focus = PaneFocus::on(LivePane::Threads);
        let [groups, find] = [Action::Group, Action::Find].map(Action::key);
        self.surface.say(format!("{groups} groups them again; {find} and enter show all workers"));
    }

    /// The row with the selected worker.
    fn selected_group(&self, rows: &[GroupUse]) -> usize {
        rows.iter().position(|group| group.members.contains(&self.selected)).unwrap_or(0)
    }

    /// The first worker of the group that is so many rows further, or of the last one; of workers that are in another group by now
    /// there is none.
    pub(super) fn group_at(&self, by: isize) -> Option<usize> {
        let rows = self.group_rows();
        let firsts: Vec<usize> = rows.iter().filter_map(|group| group.members.first().copied()).collect();
        let to = self.selected_group(&rows).saturating_add_signed(by).min(firsts.len().checked_sub(1)?);
        firsts.get(to).copied()
    }

    /// The first worker of the group in a line of the pane.
    pub(super) fn group_under(&self, inner: Rect, line: u16) -> Option<usize> {
        let rows = self.group_rows();
        let (first, shown) = self.group_page(&rows, inner.height);
        let place = usize::from(line).checked_sub(usize::from(inner.y) + 1).filter(|place| *place < shown)?;
        rows.get(first + place)?.members.first().copied()
    }

    /// The first of the rows that are shown, and how many fit below their heading.
    fn group_page(&self, rows: &[GroupUse], height: u16) -> (usize, usize) {
        let lines = usize::from(height.saturating_sub(1));
        let shown = if rows.len() > lines { lines.saturating_sub(1).max(1) } else { lines.max(1) };
        (self.selected_group(rows) / shown * shown, shown)
    }

    /// The heading and the figures of a group, those that are left out last first.
    fn columns_of(&self, group: &GroupUse) -> Vec<(&'static str, String)> {
        let looks =
            LOOKS.into_iter().filter(|look| (0..self.snapshot.workers.len()).any(|any| self.look(any) == *look));
        let states = looks.map(|look| {
            let count = group.members.iter().filter(|&&worker| self.look(worker) == look).count();
            (look.letter, count.to_string())
        });
        let search = group.time.map_or("-".to_owned(), |time| time.percent(TimePart::Searching));
        let figures = [
            ("nodes/s", words::rate(self.rates.nodes_per_s_of(&group.members))),
            ("within", words::count(group.hires_within)),
            ("outside", words::count(group.hires_from)),
            ("workers", group.workers.to_string()),
            ("search", search),
        ];
        states.chain(figures).collect()
    }

    /// Draws the rows: with their figures as far as they fit, and a bar of where their time went.
    pub(super) fn draw_groups(&self, buf: &mut Buffer, area: Rect) {
        let (theme, rows) = (self.surface.theme, self.group_rows());
        let (selected, (first, room)) = (self.selected_group(&rows), self.group_page(&rows, area.height));
        if rows.len() > room {
            let more = format!("and {} more", rows.len() - room.min(rows.len() - first));
            put(buf, area, area.x + 1, area.bottom() - 1, &more, theme.style(Role::Label));
        }
        for (y, (place, group)) in (area.y..).zip(rows.iter().enumerate().skip(first).take(room)) {
            let columns = self.columns_of(group);
            let width = |heading: &str| if heading.len() == 1 { FIGURE / 2 } else { FIGURE + 1 };
            let mut free = usize::from(area.width).saturating_sub(NAME + 1);
            let fits =
                |(heading, _): &&(&str, String)| free.checked_sub(width(heading)).map(|rest| free = rest).is_some();
            let shown: Vec<_> = columns.iter().take_while(fits).collect();
            let written = |of: &dyn Fn(&(&'static str, String)) -> String| {
                shown.iter().map(|column| format!("{:>wide$}", of(column), wide = width(column.0))).collect::<String>()
            };
            if y == area.y {
                let heading = format!("{:<NAME$}{}", "group", written(&|(heading, _)| (*heading).to_owned()));
                put(buf, area, area.x + 1, y, &heading, theme.style(Role::Label));
            }
            let name = theme.style(Role::Label);
            let name = if place == selected { name.add_modifier(Modifier::REVERSED) } else { name };
            put(buf, area, area.x + 1, y + 1, &group.name, name);
            let figures = written(&|(_, figure)| figure.clone());
            let x = put(buf, area, area.x + 1 + NAME as u16, y + 1, &figures, theme.style(Role::Text));
            let bar = Rect { x: x + 2, y: y + 1, width: area.right().saturating_sub(x + 3), height: 1 };
            if let Some(time) = group.time.filter(|_| bar.width >= BAR_MIN && shown.len() == columns.len()) {
                draw_bar(buf, bar, theme, &time);
            }
        }
    }
}
