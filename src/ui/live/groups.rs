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
use std::ops::Range;

/// The width of a name, and of a figure with a blank before it.
const NAME: usize = 9;
const FIGURE: usize = 8;
/// Least width of a bar.
const BAR_MIN: u16 = 10;

impl LiveModel {
    /// The groups that have a row.
    pub fn group_rows(&self) -> Vec<GroupUse> {
        let Some(kind) = self.grouped else { return Vec::new() };
        let is_row = |group: &GroupUse| group.workers as u64 + group.hires_within + group.hires_from > 0;
        self.balance.groups().into_iter().filter(|group| group.kind == kind && is_row(group)).collect()
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
        self.common.say(match self.grouped {
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
        let Some(GroupUse { name, cpus, .. }) = group else { return };
        (self.grouped, self.filter) = (None, Some(WorkerFilter::Group(name, numbers(&cpus).unwrap_or_default())));
        self.focus = PaneFocus::on(LivePane::Threads);
        let [groups, find] = [Action::Group, Action::Find].map(Action::key);
        self.common.say(format!("{groups} groups them again; {find} and enter show all workers"));
    }

    /// The first worker of the group that is so many rows further; a row may be of workers that are in another one by now.
    pub(super) fn group_at(&self, by: isize) -> Option<usize> {
        let rows: Vec<_> = self.group_rows().into_iter().filter(|group| group.workers > 0).collect();
        let place = rows.iter().position(|group| group.members.contains(&self.selected)).unwrap_or(0);
        let to = place.saturating_add_signed(by).min(rows.len().checked_sub(1)?);
        rows[to].members.first().copied()
    }

    /// The first worker of the group in a line of the pane.
    pub(super) fn group_under(&self, inner: Rect, line: u16) -> Option<usize> {
        let (rows, place) = (self.group_rows(), usize::from(line).checked_sub(usize::from(inner.y) + 1)?);
        let row = self.group_page(&rows, inner.height).1.nth(place)?;
        rows.get(row)?.members.first().copied()
    }

    /// The selected row, and those that are shown in so many lines with their heading.
    fn group_page(&self, rows: &[GroupUse], height: u16) -> (usize, Range<usize>) {
        let selected = rows.iter().position(|group| group.members.contains(&self.selected)).unwrap_or(0);
        let lines = usize::from(height.saturating_sub(1));
        let room = if rows.len() > lines { lines.saturating_sub(1).max(1) } else { lines.max(1) };
        let first = selected / room * room;
        (selected, first..rows.len().min(first + room))
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
        let (theme, rows) = (self.common.theme, self.group_rows());
        let (selected, page) = self.group_page(&rows, area.height);
        if rows.len() > page.len() {
            let more = format!("and {} more", rows.len() - page.len());
            put(buf, area, area.x + 1, area.bottom() - 1, &more, theme.style(Role::Label));
        }
        for (y, (place, group)) in (area.y..).zip(rows.iter().enumerate().take(page.end).skip(page.start)) {
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
