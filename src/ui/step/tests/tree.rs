//! The picture of the search tree.

use super::{THEME, keys, radley, subject, text, themed, wait};
use crate::board::Ending;
use crate::ui::{Signs, Theme};

/// The state of every square that the picture of the tree shows, by its marks.
#[test]
fn the_tree_shows_what_was_tried_what_was_cut_and_what_is_left() {
    let mut model = radley((80, 24));
    keys(&mut model, "19sz");
    let screen = text(&model);
    let line = |depth: &str| screen.lines().find(|line| line.contains(depth)).unwrap_or_default().to_owned();
    assert!(line(" 1 a6").contains("|b4| xc5x"), "{screen}");
    assert!(screen.lines().any(|line| line.contains("-d2-")), "{screen}");
    let levels = model.tape.search().tree(usize::MAX).len();
    assert_eq!((levels, levels), (model.tape.search().depth() + 1, model.tape.search().levels()));
    keys(&mut model, "kkkkkkk");
    assert!(text(&model).contains("start"));
    keys(&mut model, "z");
    assert!(!model.focus.zoomed);
}

#[test]
fn a_square_kept_for_the_last_move_is_no_cut() {
    for (theme, kept) in [(THEME, "◇c5◇"), (Theme { signs: Signs::Ascii, ..THEME }, "Rc5R")] {
        let mut model = themed(subject("6x6", Ending::Closed, "radley"), (80, 24), theme);
        keys(&mut model, "400iz");
        let mut screens = String::new();
        for _ in 0..200 {
            screens += &text(&model);
            keys(&mut model, "i");
        }
        assert!(screens.contains(kept), "{screens}");
    }
}

/// The deepest levels come first: on a higher screen those above them tell theirs, too.
#[test]
fn a_large_tree_tells_what_became_of_its_branches() {
    let told = |size| -> Vec<String> {
        let mut model = radley(size);
        keys(&mut model, "DDz");
        wait(&mut model);
        let screen = text(&model);
        let is_told = |line: &&str| ["cut: ", "kept", "tried, "].iter().any(|words| line.contains(words));
        let told = screen.lines().filter(is_told).filter(|line| !line.contains("|way|"));
        told.map(|line| line.trim_matches(['│', ' ']).to_owned()).collect()
    };
    let isolated = |square: &str| format!("x{square}x cut: f5 isolated, no vacant neighbour");
    assert_eq!(told((80, 24)), [""; 0]);
    assert_eq!(told((80, 32)), [isolated("e6"), isolated("e2")]);
    let all = told((200, 60));
    assert!(all.len() > 5 && all.ends_with(&["e6", "e2", "f3"].map(isolated)), "{all:?}");
    assert!(all.contains(&"-d2- tried, exhausted".to_owned()), "{all:?}");
}

/// What has no room is a number one blank from the nearest square, whatever the width.
#[test]
fn the_number_of_branches_without_room_stands_beside_the_nearest_square() {
    let (mut before, mut after) = (0, 0);
    for (board, cell) in [("8x8", 5), ("10x12", 6)] {
        for width in 40..76 {
            let mut model = themed(subject(board, Ending::Open, "brute"), (width, 24), THEME);
            keys(&mut model, "3000sz");
            wait(&mut model);
            for _ in 0..6 {
                for line in text(&model).lines() {
                    let cells: Vec<char> = line.chars().collect();
                    let Some(trunk) = cells.iter().position(|&cell| cell == '|' || cell == '[') else { continue };
                    for at in (0..cells.len()).filter(|&at| cells[at] == '+') {
                        let digits = cells[at + 1..].iter().take_while(|cell| cell.is_ascii_digit()).count();
                        let (side, column) = if at < trunk {
                            (&mut before, trunk - (at + 1 + digits + 1))
                        } else {
                            (&mut after, at - trunk)
                        };
                        assert_eq!(column % cell, 0, "{width}\n{line}");
                        *side += 1;
                    }
                }
                keys(&mut model, "977s");
                wait(&mut model);
            }
        }
    }
    assert!(before > 0 && after > 0, "{before} before the way, {after} after it");
}
