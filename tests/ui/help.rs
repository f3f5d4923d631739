//! The help explains every word that a pane draws.

use super::fixture::{THEME, model, press, simulated};
use destrier::ui::kit::{Keys, Pane, PaneWords};
use destrier::ui::{KEYS, LiveModel, LivePane, WorkerOrder, screen_text};
use destrier::ui::{compare, count, tour};
use ratatui::crossterm::event::KeyCode;
use std::collections::BTreeSet;

/// Words of sentences, units and values, which explain themselves where they stand.
const PLAIN: &str = "a about an and as at be by each for from have in is it keeps more no \
    of on or room so the to with days day hours years year months min \
    kept level along went workers worker cell column figure number many branch \
    columns rows those times k/s m/s g/s give";

/// More of them, on the other screens.
const PLAIN_ELSEWHERE: &str = "ago another are ask can change comes copy destrier did does fails \
    fewer first here itself known larger last loss made name next not nothing \
    reached same says shows some static that their there this took tours use \
    waited when which why completes hire question running gib answer closed path \
    merge searched threads device hardware looking closes complete compared ends way \
    title left open";

/// Screens beside the live view: where pictures of them are, and what explains their words.
const SCREENS: [(&str, &str, &Keys); 3] = [
    ("tests/ui/snapshots", "suite__ui__compare__", &compare::KEYS),
    ("tests/ui/snapshots", "suite__ui__count__", &count::KEYS),
    ("src/ui/tour/snapshots", "destrier__ui__tour__tests__", &tour::KEYS),
];

/// The words of three letters or more in a text, without squares and numbers.
fn said(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphabetic() || c == '/' || c == '-' || c == '.'));
    let words = words.map(|word| word.trim_matches(['.', '-', '/']).to_lowercase());
    words.filter(|word| word.len() > 2).collect()
}

/// What a pane draws when it is alone on the screen, and the header above it.
fn alone(mut model: LiveModel, pane: LivePane) -> (LiveModel, [String; 2]) {
    press(&mut model, KeyCode::Char((b'0' + pane.key()) as char));
    let text = screen_text(&model);
    let lines: Vec<&str> = text.lines().collect();
    let top = lines.iter().position(|line| line.contains('\u{256d}')).expect("a frame");
    // What fills the screen has the sentences of a report, too; the footer names keys.
    let parts = [lines[..top].join("\n"), lines[top..lines.len() - 1].join("\n")];
    (model, parts)
}

#[test]
fn the_help_explains_every_word_of_every_pane() {
    let explained = |pane: &str| {
        let panes = PaneWords::read(KEYS.words).into_iter();
        let words = panes.filter(|words| words.pane == pane || words.pane == "header");
        said(&words.flat_map(|words| words.words).map(|(word, text)| format!("{word} {text} ")).collect::<String>())
    };
    let (mut seen, mut missing) = (0, BTreeSet::new());
    for pane in LivePane::all().filter(|pane| *pane != LivePane::Balance) {
        for order in WorkerOrder::ALL {
            let name = if pane == LivePane::Hire { "hires" } else { pane.name() };
            for mut model in [model(200, 60, 64, THEME), model(80, 24, 256, THEME), simulated(200, 60, 64, THEME)] {
                model.order = order;
                let (model, [header, inside]) = alone(model, pane);
                let names = [&model.about.method, &model.about.detail, &model.about.shape.board().to_string()];
                let own = said(&names.map(String::as_str).join(" "));
                for word in said(&inside).union(&said(&header)) {
                    seen += 1;
                    let is_strip = word.chars().all(|letter| "bwnpxh".contains(letter));
                    let is_known =
                        is_strip || explained(name).contains(word) || is_among(PLAIN, word) || own.contains(word);
                    if !is_known && !is_value(word) {
                        missing.insert(format!("{name}: {word}"));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "drawn and not explained: {missing:#?}");
    assert!(seen > 500, "{seen} words were read");
}

#[test]
fn the_help_explains_every_word_of_every_screen() {
    let (mut seen, mut missing) = (0, BTreeSet::new());
    for (folder, of, keys) in SCREENS {
        let words = PaneWords::read(keys.words);
        let panes: String = words.iter().map(|words| format!("{} ", words.pane)).collect();
        let words = words.iter().flat_map(|words| &words.words);
        let explained = said(&words.map(|(word, text)| format!("{word} {text} ")).fold(panes, |all, next| all + &next));
        for entry in std::fs::read_dir(folder).expect("tests run in the package's folder") {
            let path = entry.expect("a folder that can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // A picture of the help shows the words of keys.
            if !name.starts_with(of) || name.contains("help") {
                continue;
            }
            let picture = std::fs::read_to_string(&path).expect("a picture");
            let (_, screen) = picture[3..].split_once("\n---\n").expect("a head, and the screen");
            // The last line is the footer, which names keys.
            let (screen, _) = screen.trim_end().rsplit_once('\n').expect("several lines");
            for word in said(screen) {
                seen += 1;
                if !explained.contains(&word) && !is_plain(&word) {
                    missing.insert(format!("{name}: {word}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "drawn and not explained: {missing:#?}");
    assert!(seen > 500, "{seen} words were read");
}

/// Whether a word stands in a text of words.
fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn is_plain(word: &str) -> bool {
    is_among(PLAIN, word) || is_among(PLAIN_ELSEWHERE, word) || is_of_device(word)
}

/// The names of a device and of columns of a large board are values.
fn is_of_device(word: &str) -> bool {
    ["llvmpipe", "opening", "vulkan", "software", "an-as", "ae-ax", "c-h"].contains(&word)
}

/// Values of the fixture, and the sentence of a verdict, which explains itself.
fn is_value(word: &str) -> bool {
    let verdict =
        "waited their time first never got one use fewer threads ask larger question e steps through edges faster";
    verdict.split(' ').any(|known| known.starts_with(word))
}

#[test]
fn the_help_begins_with_the_selected_pane_scrolls_and_is_searched() {
    let mut model = model(80, 24, 64, THEME);
    press(&mut model, KeyCode::Tab);
    press(&mut model, KeyCode::Char('?'));
    let text = screen_text(&model);
    assert!(text.lines().nth(1).is_some_and(|line| line.contains("Workers search one tree")), "{text}");
    // A page on by each of these keys, and a page back.
    let mut pages = Vec::new();
    for on in [KeyCode::Char(' '), KeyCode::Char('J'), KeyCode::PageDown] {
        press(&mut model, on);
        pages.push(screen_text(&model));
        press(&mut model, if on == KeyCode::PageDown { KeyCode::PageUp } else { KeyCode::Char('K') });
        assert_eq!(screen_text(&model), text);
    }
    assert!(pages[0].contains(" lines 23 to 44 of ") && pages.iter().all(|page| *page == pages[0]), "{pages:?}");
    let at = |pane: &str| pages[0].find(&format!("│ {pane} "));
    assert!(at("2 board").is_some() && at("1 threads").is_none(), "{}", pages[0]);
    press(&mut model, KeyCode::Char('G'));
    let last = screen_text(&model);
    assert!(last.contains("│ 1 threads ") && last.contains("units"), "its end is that of the last words");
    press(&mut model, KeyCode::Char('/'));
    "donations".chars().for_each(|letter| {
        press(&mut model, KeyCode::Char(letter));
    });
    let text = screen_text(&model);
    assert!(text.contains("Workers that waited for one which ran dry") && !text.contains("ramp-up"), "{text}");
    assert!(text.contains("search the help for donations"));
    for (code, contains) in [(KeyCode::Enter, "/ searches"), (KeyCode::Esc, "more keys"), (KeyCode::Esc, "2 board")] {
        press(&mut model, code);
        assert!(screen_text(&model).contains(contains), "{contains}");
    }
    assert!(!model.common.help);
}
