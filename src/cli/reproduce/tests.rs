//! The tables that come row by row: what they say, and that they can be stopped.

use super::report::TableReport;
use super::{carter, miller, radley, trees};
use crate::run::{TableHead, TableNews};
use crate::stop::{Stop, StopReason};
use crate::ui::table::KEYS;
use crate::words::wrapped;
use std::sync::{Arc, Mutex};

/// A report, and what was given to it.
fn noted(stop: &Stop) -> (TableReport, Arc<Mutex<Vec<TableNews>>>) {
    let news = Arc::new(Mutex::new(Vec::new()));
    let given = Arc::clone(&news);
    let report = TableReport::new(stop.clone(), move |news| {
        given.lock().unwrap().push(news);
        Ok(())
    });
    (report, news)
}

fn sources() -> [(&'static str, Vec<TableHead>); 3] {
    [("radley", radley::heads()), ("miller", miller::heads()), ("carter", carter::heads())]
}

#[test]
fn the_help_of_the_screen_explains_every_heading_and_every_bar() {
    let mut missing = Vec::new();
    for (source, heads) in sources() {
        let panes = KEYS.words.iter().filter(|words| [source, "tables"].contains(&words.pane));
        let words: String = panes.flat_map(|pane| pane.words).map(|(word, _)| format!(" {word} ")).collect();
        assert!(!words.is_empty() && !heads.is_empty());
        for head in heads {
            let columns = head.columns.iter().map(|column| column.name);
            let chart = head.chart.iter().flat_map(|chart| chart.bars.iter().map(|bar| bar.name).chain([chart.unit]));
            // `s` is the second.
            for name in columns.chain(chart).filter(|name| *name != "s") {
                let is_known = |name: &str| words.contains(&format!(" {name} "));
                let parts = name.split(' ').all(|part| is_known(part) || words.contains(&format!("his 4 8 {part} ")));
                if !is_known(name) && !parts && !["his 4", "his 8", "his 16"].contains(&name) {
                    missing.push(format!("{source}: {name}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn tables_have_a_cell_for_each_column_and_fit_in_their_lines() {
    let (mut report, news) = noted(&Stop::default());
    assert_eq!(report.reproduce(miller::run).unwrap(), Some(true));
    let mut head = None;
    let (mut tables, mut rows) = (0, 0);
    for news in news.lock().unwrap().drain(..) {
        match news {
            TableNews::Table(table) => {
                // On the smallest screen that says it, a chart and some figures must have room, too.
                assert!(wrapped(&table.about, 78).len() <= 3, "{}", table.about);
                tables += 1;
                head = Some(table);
            }
            TableNews::Row(row) => {
                let head = head.as_ref().unwrap();
                assert_eq!((row.cells.len(), row.same), (head.columns.len(), row.same.filter(|same| *same)));
                assert_eq!(row.values.len(), head.chart.as_ref().map_or(0, |chart| chart.bars.len()));
                let too_wide = row.cells.iter().zip(&head.columns).find(|(cell, column)| cell.len() > column.width);
                assert_eq!(too_wide, None);
                rows += 1;
            }
            TableNews::Draft(..) | TableNews::Note(_) | TableNews::End(_) => {}
        }
    }
    assert_eq!((tables, rows), (5, 8 + 6 + 6 + 3 + 8));
}

#[test]
fn work_that_is_stopped_gives_no_verdict() {
    for work in [radley::run, carter::run, miller::run, trees::run] {
        let stop = Stop::default();
        stop.ask(StopReason::Asked);
        let (mut report, news) = noted(&stop);
        assert_eq!(report.reproduce(work).unwrap(), None);
        assert!(!news.lock().unwrap().iter().any(|news| matches!(news, TableNews::End(_))));
    }
}
