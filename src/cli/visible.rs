//! The command line without what is hidden in it, for scripts that complete what is typed.

use clap::{Arg, ArgGroup, Command};

/// Whether the parser adds an argument to every command itself: `--help`, `--version`.
pub fn is_added(arg: &Arg) -> bool {
    ["help", "version"].contains(&arg.get_id().as_str())
}

/// The command with the options and subcommands that its help shows, and no others. The parser adds `help` and `--version`
/// itself, also where they are there already.
///
/// Scripts are made of names and what is said of them: rules between arguments come along where both are shown.
pub fn shown(command: &Command) -> Command {
    let mut args: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set() && !is_added(arg)).collect();
    // What all commands have comes last.
    args.sort_by_key(|arg| arg.is_global_set());
    let is_shown = |id: &clap::Id| args.iter().any(|arg| arg.get_id() == id);
    let groups = command.get_groups().map(|group| {
        let members: Vec<clap::Id> = group.get_args().filter(|id| is_shown(id)).cloned().collect();
        ArgGroup::new(group.get_id().clone()).multiple(true).args(members)
    });
    let subcommands =
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help").map(shown);
    let copy = Command::new(command.get_name().to_owned())
        .args(args.iter().map(|&arg| arg.clone()))
        .groups(groups)
        .subcommands(subcommands);
    match (command.get_about().cloned(), command.get_version().map(str::to_owned)) {
        (Some(about), Some(version)) => copy.about(about).version(version),
        (Some(about), None) => copy.about(about),
        (None, _) => copy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use clap_complete::Shell;

    /// The names of hidden options and commands, wherever they are.
    fn hidden(command: &Command) -> Vec<String> {
        let args = command.get_arguments().filter(|arg| arg.is_hide_set());
        let own = args.filter_map(|arg| arg.get_long()).map(str::to_owned);
        let below = command.get_subcommands().flat_map(|command| {
            let name = command.is_hide_set().then(|| command.get_name().to_owned());
            hidden(command).into_iter().chain(name).collect::<Vec<_>>()
        });
        own.chain(below).collect()
    }

    fn script(shell: Shell, mut command: Command) -> String {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, "destrier", &mut script);
        String::from_utf8(script).unwrap()
    }

    #[test]
    fn scripts_offer_nothing_that_is_hidden_and_all_that_is_not() {
        let mut whole = Cli::command().disable_help_subcommand(true);
        whole.build();
        let seen = shown(&Cli::whole());
        let is_seen = |name: &String| {
            seen.get_subcommands().flat_map(Command::get_arguments).any(|arg| arg.get_long() == Some(name))
        };
        let hidden: Vec<String> = hidden(&whole).into_iter().filter(|name| !is_seen(name)).collect();
        assert!(hidden.iter().any(|name| name == "hosted"), "{hidden:?}");
        // An option of a search that step refuses.
        let of_step = seen.find_subcommand("step").unwrap().get_arguments();
        assert!(of_step.into_iter().all(|arg| arg.get_long() != Some("unique")));
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let whole = script(shell, whole.clone());
            let said = script(shell, shown(&Cli::whole()));
            for name in &hidden {
                assert!(whole.contains(name.as_str()) && !said.contains(name.as_str()), "{shell}: {name}");
            }
            for name in ["search", "watch", "scheduler", "checkpoint", "hand-over", "any-isolated", "estimate", "map"] {
                assert!(said.contains(name), "{shell}: {name}");
            }
            assert!(said.len() * 5 > whole.len() * 4, "{shell}: {} of {}", said.len(), whole.len());
        }
    }
}
