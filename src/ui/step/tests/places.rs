//! Where the view begins and goes to: the place of a worker, and a place that is typed.

use super::{THEME, keys, latest, press, radley, subject, text, themed, wait};
use crate::board::Ending;
use crate::explain::StepEvent;
use crate::search::{Burst, BurstOutput, Drawing, Prune, Tally, Task};
use crate::solve::{self, Problem};
use crate::ui::step::model::StepTape;
use crate::ui::step::{SearchModel, StepSubject, WorkerPlace};
use insta::assert_snapshot;
use ratatui::crossterm::event::KeyCode;

/// The place of a worker after some nodes of the kernel of a question.
fn led(solver: &str, nodes: u64, size: (u16, u16)) -> SearchModel {
    let mut subject = subject("6x6", Ending::Closed, solver);
    let mut problem = Problem::new(subject.shape.clone(), Ending::Closed);
    problem.prune = if solver == "radley" { Prune::AnyIsolated } else { Prune::None };
    let tree = solve::solver_by_name(solver).expect("it is in the list").tree(&problem, true);
    let mut kernel = tree.unwrap_or_else(|refusal| panic!("{refusal}")).kernel;
    kernel.begin(&Task::root());
    kernel.advance(Burst::nodes(nodes), &mut BurstOutput::counting(&mut Tally::default()));
    let mut position = Drawing::default();
    kernel.draw(&mut position);
    subject.place = Some(WorkerPlace { worker: 3, position, meanwhile: "the run goes on meanwhile" });
    themed(subject, size, THEME)
}

#[test]
fn the_view_begins_where_the_worker_is_with_the_way_there() {
    for (solver, nodes) in [("radley", 500), ("path", 500), ("edges", 40), ("quarter-turn", 5)] {
        let mut model = led(solver, nodes, (80, 24));
        assert!(text(&model).contains("a copy of worker 3's search; the run goes on meanwhile. b"), "{solver}");
        assert!(text(&model).contains("at worker 3's place  step") && text(&model).contains(" this way:  nodes"));
        let (at, depth) = (model.tape.at(), model.tape.search().depth());
        assert!(at > 0 && depth > 2, "{solver}");
        // No step of the way went back.
        let back = |event: &StepEvent| matches!(event, StepEvent::Back { .. } | StepEvent::Undone { .. });
        assert!(!model.tape.events().any(back), "{solver}");
        let here = model.tape.drawing.clone();
        keys(&mut model, "g");
        assert_eq!(model.tape.at(), 0);
        assert!(text(&model).contains("before worker 3's place  step 0"), "{solver}");
        keys(&mut model, &format!("{at}g"));
        assert_eq!((model.tape.at(), &model.tape.drawing), (at, &here), "{solver}");
        assert!(text(&model).contains("at worker 3's place"), "{solver}");
        // From there it is the search again.
        keys(&mut model, "3000s");
        wait(&mut model);
        assert!(model.tape.events().any(back), "{solver}");
        assert!(text(&model).contains("after worker 3's place"), "{solver}");
    }
    assert_snapshot!("led_80x24", text(&led("edges", 40, (80, 24))));
    let mut model = led("path", 500, (80, 24));
    keys(&mut model, "z");
    assert_snapshot!("led_tree_80x24", text(&model));
    let place = Some(WorkerPlace { worker: 3, position: Drawing::default(), meanwhile: "" });
    let model = themed(StepSubject { place, ..subject("6x6", Ending::Closed, "edges") }, (80, 24), THEME);
    assert!(model.tape.at() == 0 && text(&model).contains("worker 3 has no position at this moment"));
    assert!(!text(&model).contains("worker 3's place") && !text(&model).contains("this way"));
    let low = text(&led("edges", 40, (40, 10)));
    assert!(low.contains("at worker 3"), "{low}");
}

#[test]
fn typed_places_are_gone_to_back_and_on() {
    let mut model = radley((80, 24));
    let go = |model: &mut SearchModel, place: &str| {
        keys(model, &format!("@{place}"));
        assert!(text(model).contains("go to ") && model.jump.text() == Some(place));
        press(model, KeyCode::Enter);
        wait(model);
        (model.tape.at(), model.tape.search().counts().nodes)
    };
    assert_eq!(go(&mut model, "1200").0, 1200);
    assert_eq!(go(&mut model, "300").0, 300);
    assert_eq!(go(&mut model, "node 50").1, 50);
    assert!(matches!(latest(&model), Some(StepEvent::Entered { .. })));
    assert_eq!(go(&mut model, "n 500").1, 500);
    let at = go(&mut model, "node 499").0;
    go(&mut model, "cut");
    assert!(matches!(latest(&model), Some(StepEvent::Cut { .. })) && model.tape.at() > at);
    go(&mut model, "dead end");
    assert!(matches!(latest(&model), Some(StepEvent::DeadEnd { .. })));
    let at = model.tape.at();
    assert_eq!(go(&mut model, "there").0, at);
    assert!(text(&model).contains("'there' is no place"));
    keys(&mut model, "77g");
    assert_eq!(model.tape.at(), 77);
    keys(&mut model, "@1");
    press(&mut model, KeyCode::Esc);
    assert_eq!((model.tape.at(), model.jump.text()), (77, None));
}
