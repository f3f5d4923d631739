//! What is said to an option or a command that there is not: the tips of the parser are for what is nearly right, and
//! mislead otherwise.
//!
//! The parser proposes the nearest name, however far, and else to take the option for a file or a board. Here a name
//! is proposed only if it is a slip away, and not hidden; of an option that other commands have, these are named.

use crate::board::{Board, SMALL_SQUARES_MAX};
use crate::words::{nearest, slips};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// Commands that are named as those which have an option, at most.
const NAMED: usize = 4;

/// Options that were taken away: the command, the option, and what to use instead.
const GONE: [(&str, &str, &str); 6] = [
    (
        "bench",
        "windows",
        "the developer's battery looks for the best depths, in the source: cargo test --release --test battery -- prunes",
    ),
    ("find", "checkpoint", "a stopped find writes the tours that it has found: --tours N --out FILE"),
    ("find", "success", "its table, 5..20 by every tie-break, is the last of destrier reproduce kurapati"),
    ("gpu map", "watch", "the map and its bars are printed at the end, and replay prints those of --record FILE"),
    ("merge", "watch", "to see parts gather: watch -n 5 destrier merge --estimate FOLDER"),
    ("reproduce", "show", "without it the same tables and bars are printed as they are computed"),
];

/// The method `neural` of `find` was taken away.
const NEURAL_GONE: &str = "'neural' is gone: --method edges finds closed tours, also around holes";

/// Groups that `bench` once had, and the developer's battery has.
const BATTERY_GROUPS: [&str; 7] = ["delivery", "counting", "ranges", "prunes", "sharing", "quarter-turn", "map"];

/// What is said to a first word that is no command, in place of the error: what can be asked of a board, or the nearest
/// command.
pub fn unknown_command(error: &Error, command: &Command, words: &[String]) -> Option<String> {
    let asks_help = words.first().is_some_and(|word| word == "help");
    let words = &words[usize::from(asks_help)..];
    let word = words.first().filter(|word| !word.starts_with('-') && command.find_subcommand(word).is_none())?;
    if !matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument) {
        return None;
    }
    // `6 x 6` is a board in three words.
    let apart =
        words.get(1).filter(|word| *word == "x").map(|_| words.iter().take(3).cloned().collect::<Vec<_>>().join(" "));
    let typed: Vec<String> = apart.into_iter().chain([word.clone()]).collect();
    let board = typed.iter().find_map(|typed| Some((typed, typed.replace(' ', "").parse::<Board>().ok()?)));
    Some(match board {
        Some((typed, board)) if board.squares() as usize <= SMALL_SQUARES_MAX => format!(
            "no command '{typed}'. Try: destrier watch {board} (see it), destrier search {board} (count and list), \
             destrier find {board} (one tour)"
        ),
        Some((typed, board)) => format!("no command '{typed}'. Try: destrier find {board} (one tour)"),
        None => {
            let help = if asks_help { "help " } else { "" };
            let names = command.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
            let list = || "help, which lists the commands".to_owned();
            let instead = nearest(word, names).map_or_else(list, |name| format!("{help}{name}"));
            format!("no command '{word}'. Try: destrier {instead}")
        }
    })
}

/// Replaces the tips of an error about these words, which the command did not take.
pub fn mend(error: &mut Error, command: &Command, words: &[String]) {
    if error.kind() == ErrorKind::InvalidValue
        && let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && let Some(tip) = tip_of_value(&meant(command, words).0, value)
    {
        error.remove(ContextKind::SuggestedValue);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return };
    let Some(option) = option.strip_prefix("--").map(str::to_owned) else {
        error.remove(ContextKind::Suggested);
        return;
    };
    let (path, asked) = meant(command, words);
    error.remove(ContextKind::Suggested);
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Usage, ContextValue::StyledStr(asked.clone().render_usage()));
    if let Some(tip) = tip(&option, command, &path, asked, words) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
}

/// What is said of a value that a command once took.
fn tip_of_value(path: &[&str], value: &str) -> Option<String> {
    match path {
        ["bench"] if BATTERY_GROUPS.contains(&value) => Some(format!(
            "'{value}' is a group of the developer's battery: cargo test --release --test battery -- {value}"
        )),
        ["find"] if value == "neural" => Some(NEURAL_GONE.to_owned()),
        _ => None,
    }
}

/// The subcommand that the words name, and its names.
fn meant<'a>(command: &'a Command, words: &[String]) -> (Vec<&'a str>, &'a Command) {
    let (mut path, mut at) = (Vec::new(), command);
    for word in words {
        let Some(next) = at.find_subcommand(word) else { break };
        path.push(next.get_name());
        at = next;
    }
    (path, at)
}

/// Long options that help shows.
fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(|arg| Some((arg.get_long()?, arg)))
}

/// What would be right instead of this option of the subcommand `asked`.
fn tip(option: &str, all: &Command, path: &[&str], asked: &Command, words: &[String]) -> Option<String> {
    if let Some((.., instead)) = GONE.iter().find(|(command, gone, _)| path.join(" ") == *command && *gone == option) {
        return Some((*instead).to_owned());
    }
    // A search is shown by a command of its own.
    if path == ["search"] && option == "watch" {
        let asked: Vec<&str> = words[1..].iter().map(String::as_str).filter(|word| *word != "--watch").collect();
        return Some(format!("a search is shown by: destrier watch {}", asked.join(" ")));
    }
    let mut near: Vec<(usize, &str)> = options(asked).map(|(name, _)| (slips(option, name), name)).collect();
    near.sort_unstable();
    if let Some(&(far, name)) = near.first()
        && far <= (option.len() / 3).min(2)
    {
        return Some(format!("a similar option exists: '--{name}'"));
    }
    let has = |command: &&Command| !command.is_hide_set() && options(command).any(|(name, _)| name == option);
    if path == ["compare"] && all.find_subcommand("search").is_some_and(|search| has(&search)) {
        let at = words.iter().position(|word| word.trim_start_matches('-') == option);
        let value = at.and_then(|at| words.get(at + 1)).filter(|word| !word.starts_with('-'));
        let typed = value.map_or(format!("--{option}"), |value| format!("--{option} {value}"));
        return Some(format!("how each run is asked stands in --with: --with '{typed}', once for each run"));
    }
    let named: Vec<&str> = all.get_subcommands().filter(has).map(Command::get_name).collect();
    match named.as_slice() {
        [] => None,
        [first, rest @ ..] => {
            let rest: String = rest.iter().take(NAMED - 1).map(|name| format!(", {name}")).collect();
            let more = if named.len() > NAMED { " and others" } else { "" };
            Some(format!("'--{option}' is an option of {first}{rest}{more}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn said(words: &str) -> String {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let mut command = Cli::command();
        let typed = std::iter::once("destrier".to_owned()).chain(words.clone());
        let mut error = command.try_get_matches_from_mut(typed).unwrap_err();
        mend(&mut error, &Cli::whole(), &words);
        error.to_string()
    }

    #[test]
    fn a_first_word_that_is_no_command_is_answered() {
        let said = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let mut command = Cli::command();
            let typed = std::iter::once("destrier".to_owned()).chain(words.clone());
            let error = command.try_get_matches_from_mut(typed).unwrap_err();
            unknown_command(&error, &command, &words)
        };
        let of_6x6 =
            "Try: destrier watch 6x6 (see it), destrier search 6x6 (count and list), destrier find 6x6 (one tour)";
        for (words, answer) in [
            ("6x6", format!("no command '6x6'. {of_6x6}")),
            ("6 x 6", format!("no command '6 x 6'. {of_6x6}")),
            ("6", format!("no command '6'. {of_6x6}")),
            ("6 7", format!("no command '6'. {of_6x6}")),
            ("6x6 --open", format!("no command '6x6'. {of_6x6}")),
            ("1000x1000", "no command '1000x1000'. Try: destrier find 1000x1000 (one tour)".to_owned()),
            ("watc", "no command 'watc'. Try: destrier watch".to_owned()),
            ("help watc", "no command 'watc'. Try: destrier help watch".to_owned()),
            ("frobnicate", "no command 'frobnicate'. Try: destrier help, which lists the commands".to_owned()),
        ] {
            assert_eq!(said(words).as_deref(), Some(answer.as_str()), "{words}");
        }
        assert_eq!(["search 6x6 --foo", "gpu mapp", "--foo"].map(said), [None, None, None]);
    }

    #[test]
    fn a_tip_says_what_would_be_right() {
        for (words, tip) in [
            (
                "compare 6x6 --scheduler hire",
                "tip: how each run is asked stands in --with: --with '--scheduler hire', once for each run",
            ),
            ("compare 6x6 --unique", "--with '--unique'"),
            ("show tours.txt --tuor 3", "tip: a similar option exists: '--tour'"),
            ("search 6x7 --watch --open", "tip: a search is shown by: destrier watch 6x7 --open\n"),
            ("bench --quik", "a similar option exists: '--quick'"),
            (
                "bench speed --windows",
                "tip: the developer's battery looks for the best depths, in the source: cargo test",
            ),
            ("bench map --quick", "tip: 'map' is a group of the developer's battery: cargo test --release"),
            ("find 6x6 --method neural", "tip: 'neural' is gone: --method edges finds closed tours"),
            ("bench speed quarter-turn", "--test battery -- quarter-turn"),
            ("runs 1 --forgot", "a similar option exists: '--forget'"),
            ("find 8x8 --scheduler hire", "tip: '--scheduler' is an option of watch, search"),
            ("count 8x8 --solver path", "tip: '--solver' is an option of watch, step, search, shards and others"),
            ("gpu map 8x8 --solver edges", "'--solver' is an option of watch"),
            ("merge parts --threads 3", "'--threads' is an option of watch, search, find, count and others"),
        ] {
            let said = said(words);
            assert!(said.contains(tip) && said.contains("For more information, try '--help'"), "{words}: {said}");
        }
    }

    #[test]
    fn nothing_is_proposed_that_is_wrong_or_hidden() {
        for words in ["runs --foo", "show --foo", "search 6x6 --hoste 3", "search 6x6 --pause", "compare 6x6 -x"] {
            let said = said(words);
            assert!(!said.contains(" -- ") && !said.contains("hosted"), "{words}: {said}");
            assert!(!said.contains("tip: a") && said.starts_with("error: "), "{words}: {said}");
        }
        assert!(said("find 8x8 --solver path").contains("Usage: destrier find [OPTIONS]"), "and no usage of a guess");
    }
}
