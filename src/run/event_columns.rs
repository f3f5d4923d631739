//! Events as columns: one list for each figure of each kind of event, as [Base64 VLQ](super::vlq). A busy crew has
//! thousands of events a second that differ by little, and derived JSON of them is too large:
//!
//! | 64 threads, ten frames a second | as columns | derived |
//! | --- | --- | --- |
//! | 20 events a second (rule `shallowest`), KB a second of a socket | 10.3 | 10.3 |
//! | 4,400 events a second (rule `next`), KB a second of a socket | 33 | 57 |
//! | 5,000 events a second (made up in the tests of the journal), MB a minute of a journal | 0.91 | 2.01 |
//!
//! The targets are 12 KB a second of a socket and 1 MB a minute of a journal. Under `next` no encoding that was tried
//! meets the first one.
//!
//! ```text
//! {"kinds":"HI","at":"oqER","figures":{"H":["F","A","G","F"],"I":["A","B","A","gI"]}}
//! ```
//!
//! * `at`: steps since the event before, in units of `step` microseconds, 1 if `step` is absent. Within a step, the
//!   order is that of the list.
//! * the first figure of a kind is its worker. For a worker that is hired or runs out of work, it is a position in the
//!   list of workers that may be hired, or may run out, the latest heard of first. It is mostly small, because the
//!   worker that ran out of work last is hired first. A figure beyond the list is the worker number plus the length of
//!   the list.
//! * the other figures are those of the kind, plus one where `None` is possible; depths are relative to the depth
//!   before. The last figure of a hire, the nodes of the giver, is not in recordings from before it was added.

use super::vlq::{Numbers, push, push_signed, signed};
use crate::event::{Event, EventKind};
use crate::schedule::{THREADS_MAX, step};
use crate::search::HandOver;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest step of times, in microseconds.
const STEP: u64 = 100;
/// Most events of a frame: a look takes in 65,536, and a frame that comes too early leaves its events to the next one.
const EVENTS_MAX: usize = 1 << 20;

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventColumns {
    /// A letter for each event.
    kinds: String,
    #[serde(default = "step::one", skip_serializing_if = "step::is_one")]
    step: u64,
    at: String,
    figures: BTreeMap<char, Vec<String>>,
    /// Hires with company: the index of the event, and the workers in the company.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    company: Vec<(usize, Vec<usize>)>,
}

/// The workers heard of, the latest first, and whether they have work.
#[derive(Default)]
struct HeardWorkers(Vec<(usize, bool)>);

impl HeardWorkers {
    /// Whether an event of a kind gives work or takes it; `None` when it does neither.
    fn gives(letter: char) -> Option<bool> {
        match letter {
            'B' | 'H' => Some(true),
            'I' => Some(false),
            _ => None,
        }
    }

    /// The figure for the worker of an event.
    fn figure(&mut self, letter: char, worker: usize) -> usize {
        let Some(gives) = HeardWorkers::gives(letter) else { return worker };
        let may = || self.0.iter().filter(|(_, works)| *works != gives);
        let figure = may().position(|(other, _)| *other == worker).unwrap_or_else(|| may().count() + worker);
        self.hear(worker, gives);
        figure
    }

    /// The worker of a figure; `None` if it is out of range.
    fn worker(&mut self, letter: char, figure: usize) -> Option<usize> {
        let Some(gives) = HeardWorkers::gives(letter) else { return Some(figure) };
        let mut may = self.0.iter().filter(|(_, works)| *works != gives);
        let worker = match may.nth(figure) {
            Some(&(worker, _)) => worker,
            None => figure - self.0.iter().filter(|(_, works)| *works != gives).count(),
        };
        // The limit bounds the list, which each event searches.
        if worker >= THREADS_MAX {
            return None;
        }
        self.hear(worker, gives);
        Some(worker)
    }

    fn hear(&mut self, worker: usize, works: bool) {
        let place = self.0.iter().position(|(other, _)| *other == worker);
        let place = place.unwrap_or_else(|| {
            self.0.push((worker, works));
            self.0.len() - 1
        });
        self.0[..=place].rotate_right(1);
        self.0[0] = (worker, works);
    }
}

/// Writes events.
pub fn serialize<S: Serializer>(events: &[Event], serializer: S) -> Result<S::Ok, S::Error> {
    // The exact times give the order, and are not written.
    let mut events: Vec<&Event> = events.iter().collect();
    events.sort_by_key(|event| event.at);
    let step = step::of(events.iter().map(|event| event.at), STEP);
    let (mut columns, mut heard, mut before, mut depth_before) =
        (EventColumns { step, ..EventColumns::default() }, HeardWorkers::default(), 0, 0);
    for (place, event) in events.into_iter().enumerate() {
        let at = event.at.as_micros() as u64 / step;
        push(&mut columns.at, at - before);
        before = at;
        let (letter, mut figures) = written(event);
        figures[0] = heard.figure(letter, event.worker) as i64;
        columns.kinds.push(letter);
        let of_kind = columns.figures.entry(letter).or_insert_with(|| vec![String::new(); figures.len()]);
        for (place, (column, figure)) in of_kind.iter_mut().zip(figures).enumerate() {
            if (letter, place) == DEPTH {
                push_signed(column, figure - depth_before);
                depth_before = figure;
            } else {
                push(column, figure as u64);
            }
        }
        match &event.kind {
            EventKind::Hired { company, .. } if !company.is_empty() => columns.company.push((place, company.clone())),
            _ => {}
        }
    }
    columns.serialize(serializer)
}

/// Reads events.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
    let columns = EventColumns::deserialize(deserializer)?;
    if columns.kinds.len() > EVENTS_MAX {
        return Err(D::Error::custom("a frame has more events than a run can give"));
    }
    let mut reading = Reading {
        step: columns.step,
        at: Numbers::new(&columns.at),
        figures: columns
            .figures
            .iter()
            .map(|(&letter, of)| (letter, of.iter().map(|of| Numbers::new(of)).collect()))
            .collect(),
        heard: HeardWorkers::default(),
        before: 0,
        depth_before: 0,
    };
    let mut company = columns.company.into_iter().peekable();
    let events = columns.kinds.chars().enumerate().map(|(place, letter)| {
        let along = company.next_if(|(of, _)| *of == place).map(|(_, along)| along);
        let event = reading.event(letter, along.unwrap_or_default());
        event.ok_or_else(|| D::Error::custom(format!("event {place} of a frame is not valid")))
    });
    let events = events.collect::<Result<Vec<Event>, D::Error>>()?;
    match company.next().is_none() && reading.has_nothing_left() {
        true => Ok(events),
        false => Err(D::Error::custom("the columns of a frame's events are of different lengths")),
    }
}

struct Reading<'a> {
    step: u64,
    at: Numbers<'a>,
    figures: BTreeMap<char, Vec<Numbers<'a>>>,
    heard: HeardWorkers,
    before: u64,
    depth_before: i64,
}

impl Reading<'_> {
    /// Whether no figure is left that belongs to no event.
    fn has_nothing_left(mut self) -> bool {
        self.at.next().is_none() && self.figures.into_values().flatten().all(|mut column| column.next().is_none())
    }

    fn event(&mut self, letter: char, company: Vec<usize>) -> Option<Event> {
        self.before = self.before.checked_add(self.at.next()??)?;
        let mut figures = Vec::new();
        for (place, column) in self.figures.get_mut(&letter)?.iter_mut().enumerate() {
            let number = column.next()??;
            if (letter, place) == DEPTH {
                self.depth_before = self.depth_before.checked_add(signed(number))?;
                figures.push(self.depth_before.try_into().ok()?);
            } else {
                figures.push(number as usize);
            }
        }
        let (worker, figures) = figures.split_first()?;
        let kind = read(letter, figures, company)?;
        let at = Duration::from_micros(self.before.checked_mul(self.step)?);
        Some(Event { at, worker: self.heard.worker(letter, *worker)?, kind })
    }
}

/// The figure that is relative to the one before: the depth of a hire.
const DEPTH: (char, usize) = ('H', 2);

/// The letter of an event, and its figures without the company.
fn written(event: &Event) -> (char, Vec<i64>) {
    let one_more = |place: Option<usize>| place.map_or(0, |place| place + 1);
    let (letter, figures): (char, &[usize]) = match event.kind {
        EventKind::Began { depth } => ('B', &[depth]),
        EventKind::Hired { by, depth, left, entered, .. } => {
            ('H', &[by, depth, one_more(left), one_more(entered.map(|nodes| nodes as usize))])
        }
        EventKind::Donated { to, helpers } => ('D', &[to, helpers]),
        EventKind::Idle { nominee, level, nodes } => ('I', &[one_more(nominee), one_more(level), nodes as usize]),
        EventKind::FirstTour => ('T', &[]),
        EventKind::RuleChanged { rule } => ('R', &[rule as usize]),
        EventKind::Paused => ('P', &[]),
        EventKind::Resumed => ('G', &[]),
        EventKind::Finished => ('F', &[]),
    };
    (letter, [event.worker].iter().chain(figures).map(|&figure| figure as i64).collect())
}

/// The event kind with this letter and figures.
fn read(letter: char, figures: &[usize], company: Vec<usize>) -> Option<EventKind> {
    Some(match (letter, figures) {
        ('B', &[depth]) => EventKind::Began { depth },
        // Recordings of before have no nodes of the giver.
        ('H', &[by, depth, left, ref entered @ ..]) if entered.len() <= 1 => {
            let entered = entered.first().and_then(|entered| entered.checked_sub(1)).map(|nodes| nodes as u64);
            EventKind::Hired { by, depth, left: left.checked_sub(1), company, entered }
        }
        ('D', &[to, helpers]) => EventKind::Donated { to, helpers },
        ('I', &[nominee, level, nodes]) => {
            EventKind::Idle { nominee: nominee.checked_sub(1), level: level.checked_sub(1), nodes: nodes as u64 }
        }
        ('T', []) => EventKind::FirstTour,
        ('R', &[rule]) => EventKind::RuleChanged { rule: HandOver::ALL.into_iter().nth(rule)? },
        ('P', []) => EventKind::Paused,
        ('G', []) => EventKind::Resumed,
        ('F', []) => EventKind::Finished,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[derive(Serialize, Deserialize, Debug)]
    struct Written(#[serde(with = "super")] Vec<Event>);

    fn again(events: &[Event]) -> Vec<Event> {
        let value = serde_json::to_value(Written(events.to_vec())).unwrap();
        serde_json::from_value::<Written>(value).unwrap().0
    }

    fn kind() -> impl Strategy<Value = EventKind> {
        let place = || prop::option::of(0usize..5);
        prop_oneof![
            (0usize..5, 0usize..60, place(), prop::collection::vec(0usize..5, 0..3), prop::option::of(0u64..1 << 40))
                .prop_map(|(by, depth, left, company, entered)| EventKind::Hired { by, depth, left, company, entered }),
            (0usize..5, 0usize..5).prop_map(|(to, helpers)| EventKind::Donated { to, helpers }),
            (place(), place(), 0u64..1 << 40).prop_map(|(nominee, level, nodes)| EventKind::Idle {
                nominee,
                level,
                nodes
            }),
            (0usize..60).prop_map(|depth| EventKind::Began { depth }),
            Just(EventKind::FirstTour),
            prop::sample::select(&HandOver::ALL[..]).prop_map(|rule| EventKind::RuleChanged { rule }),
            Just(EventKind::Paused),
            Just(EventKind::Resumed),
            Just(EventKind::Finished),
        ]
    }

    proptest! {
        #[test]
        fn events_are_read_as_they_were_in_the_order_of_their_times(
            events in prop::collection::vec((0u64..9, 0usize..5, kind()), 0..20),
            step in prop::sample::select(&[1, STEP][..]),
        ) {
            let event = |(at, worker, kind)| Event { at: Duration::from_micros(at * step), worker, kind };
            let mut events: Vec<Event> = events.into_iter().map(event).collect();
            let read = again(&events);
            events.sort_by_key(|event| event.at);
            prop_assert_eq!(read, events);
        }
    }

    #[test]
    fn two_events_of_one_microsecond_stay_in_their_order() {
        let event = |nanos, worker| Event { at: Duration::from_nanos(nanos), worker, kind: EventKind::FirstTour };
        let read = again(&[event(1900, 3), event(1200, 4)]);
        assert_eq!(
            read.iter().map(|event| (event.at.as_nanos(), event.worker)).collect::<Vec<_>>(),
            [(1000, 4), (1000, 3)]
        );
    }

    #[test]
    fn times_in_long_steps_are_short() {
        let event = |at| Event { at: Duration::from_micros(at), worker: 0, kind: EventKind::Paused };
        let written = serde_json::to_value(Written(vec![event(1300), event(1400)])).unwrap();
        assert_eq!((&written["step"], &written["at"]), (&json!(100), &json!("NB")));
        let written = serde_json::to_value(Written(vec![event(1300), event(1401)])).unwrap();
        assert_eq!((written.get("step"), &written["at"]), (None, &json!("0oBlD")));
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let written = json!({ "kinds": "HI", "at": "oqER", "figures": { "H": ["F", "A", "G", "F"], "I": ["A", "B", "A", "gI"] } });
        let read = serde_json::from_value::<Written>(written.clone()).unwrap().0;
        let hired = EventKind::Hired { by: 0, depth: 3, left: Some(4), company: Vec::new(), entered: None };
        let idle = EventKind::Idle { nominee: Some(0), level: None, nodes: 256 };
        let event = |at, kind| Event { at: Duration::from_micros(at), worker: 5, kind };
        assert_eq!(read, [event(4424, hired), event(4441, idle)]);
        let refused = |pointer: &str, with: Value| {
            let mut bad = written.clone();
            *bad.pointer_mut(pointer).unwrap() = with;
            serde_json::from_value::<Written>(bad).unwrap_err().to_string()
        };
        for (pointer, with) in [
            ("/kinds", json!("HZ")),
            ("/kinds", json!("HH")),
            ("/at", json!("oqE")),
            ("/at", json!("o!")),
            ("/figures/H", json!(["F", "A", "G"])),
            ("/figures/H/2", json!("H")),
            ("/figures/H", json!(["F", "A", "G", "F", "A", "A"])),
            ("/figures/I/0", json!("")),
        ] {
            assert!(refused(pointer, with).contains("of a frame is not valid"), "{pointer}");
        }
        // Figures of no event are no less wrong than missing ones.
        for (pointer, with) in
            [("/at", json!("oqERA")), ("/figures/H/3", json!("FA")), ("/kinds", json!("H")), ("/kinds", json!(""))]
        {
            assert!(refused(pointer, with).contains("of different lengths"), "{pointer}");
        }
    }
}
