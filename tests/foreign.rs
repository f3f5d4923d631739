//! Files that another person made and this user reads: whatever path stands in them or follows from their names, no file of the
//! user is cut, replaced, renamed or removed, and none is made outside the folder of the file and the working folder.

use crate::common::{Locked, destrier, halted, names, said};
use destrier::saved::checksum;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A search that is stopped at its first save, and its output file.
const SEARCH: &str = "search 6x6 --solver path --threads 1 --every 1h";
/// A run is ended so when its first checkpoint is there and no node is entered yet.
const AT_BEGIN: &str = "kill@start:1";

/// A folder that others can write to, and one with what is the user's own.
struct Folders {
    whole: TempDir,
}

impl Folders {
    fn new() -> Folders {
        let whole = tempfile::tempdir().unwrap();
        for name in ["theirs", "mine", "elsewhere"] {
            fs::create_dir(whole.path().join(name)).unwrap();
        }
        fs::write(whole.path().join("mine/thesis.tex"), "years of work\n").unwrap();
        Folders { whole }
    }

    fn theirs(&self, name: &str) -> PathBuf {
        self.whole.path().join("theirs").join(name)
    }

    fn victim(&self) -> PathBuf {
        self.whole.path().join("mine/thesis.tex")
    }

    /// Everything by which a change of the user's folder would be seen.
    fn mine(&self) -> (Vec<String>, String, u64, u64, i64) {
        let found = fs::metadata(self.victim()).unwrap();
        let content = fs::read_to_string(self.victim()).unwrap();
        let mut there = names(&self.whole.path().join("mine"));
        there.sort();
        (there, content, found.ino(), found.nlink(), found.mtime())
    }

    /// Runs a command in a working folder of its own. Returns its exit code and what it said.
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = destrier(args);
        command.current_dir(self.whole.path().join("elsewhere")).env("DESTRIER_RUNS", self.theirs("runs"));
        let (code, _, why) = said(&command.output().unwrap());
        (code, why)
    }

    /// A stopped search with its output file in their folder. Returns its checkpoint.
    fn stopped_search(&self) -> String {
        let [file, out] = ["run", "tours"].map(|name| self.theirs(name).to_str().unwrap().to_owned());
        let mut args: Vec<&str> = SEARCH.split(' ').collect();
        args.extend(["--checkpoint", &file, "--out", &out]);
        halted(&args, AT_BEGIN);
        assert!(Path::new(&file).exists() && !Path::new(&out).exists());
        file
    }

    /// The unfinished output file of the stopped search.
    fn unfinished(&self) -> PathBuf {
        let there = names(&self.whole.path().join("theirs"));
        self.theirs(there.iter().find(|name| name.ends_with(".unfinished")).expect("the search has an output file"))
    }
}

/// Replaces text in a record, and makes its checksum right.
fn forge(file: &str, from: &str, to: &str) {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8(bytes[..bytes.len() - 4].to_vec()).unwrap();
    assert!(text.contains(from), "{from}: {text}");
    let text = text.replacen(from, to, 1).into_bytes();
    fs::write(file, [&text[..], &checksum([&text[..]]).to_le_bytes()].concat()).unwrap();
}

fn quoted(path: &Path) -> String {
    serde_json::to_string(path).unwrap()
}

/// The final name of the tours: it is the victim, with and without `--force`.
#[test]
fn a_checkpoint_that_names_a_file_of_the_user_for_its_tours_is_refused() {
    for options in [&[][..], &["--force"]] {
        let folders = Folders::new();
        let file = folders.stopped_search();
        let unfinished = folders.unfinished();
        forge(&file, &quoted(&folders.theirs("tours")), &quoted(&folders.victim()));
        // As another person would who can write there.
        let beside = folders.victim().with_file_name(unfinished.file_name().unwrap());
        for planted in [false, true] {
            if planted {
                fs::rename(&unfinished, &beside).unwrap();
            }
            let before = folders.mine();
            let (code, why) = folders.run(&[&["resume", &file], options].concat());
            assert_eq!(code, Some(2), "{why}");
            assert!(why.contains("thesis.tex: it was made or changed since the run began"), "{why}");
            assert_eq!(folders.mine(), before);
        }
    }
}

/// A new file outside the folder of the checkpoint and the working folder is made only where `--out` names it.
#[test]
fn a_checkpoint_makes_no_file_in_a_folder_far_away() {
    let folders = Folders::new();
    let file = folders.stopped_search();
    fs::remove_file(folders.unfinished()).unwrap();
    let (near, far) = (folders.theirs("tours"), folders.victim().with_file_name("new"));
    forge(&file, &quoted(&near), &quoted(&far));
    let before = folders.mine();
    let (code, why) = folders.run(&["resume", &file]);
    assert!(code == Some(2) && why.contains("or in another folder: name the file with --out"), "{why}");
    // The same through a link beside the checkpoint.
    symlink(far.parent().unwrap(), folders.theirs("link")).unwrap();
    forge(&file, &quoted(&far), &quoted(&folders.theirs("link/new")));
    let (code, why) = folders.run(&["resume", &file]);
    assert!(code == Some(2) && why.contains("or in another folder: name the file with --out"), "{why}");
    assert_eq!(folders.mine(), before);
    let (code, why) = folders.run(&["resume", &file, "--out", "named"]);
    assert_eq!(code, Some(0), "{why}");
    assert_eq!(names(&folders.whole.path().join("elsewhere")), ["named"]);
    assert_eq!(folders.mine(), before);
}

/// From a folder above all others nothing is near; nor is a hidden name.
#[test]
fn nothing_below_the_working_folder_is_made_for_a_checkpoint() {
    let folders = Folders::new();
    let file = folders.stopped_search();
    fs::remove_file(folders.unfinished()).unwrap();
    let before = folders.mine();
    let mut target = folders.theirs("tours");
    let far = folders.victim().with_file_name("new");
    for (other, working) in [(far, "/".into()), (folders.theirs(".profile"), folders.theirs(""))] {
        forge(&file, &quoted(&target), &quoted(&other));
        target = other;
        let output = destrier(&["resume", &file]).current_dir(working).output().unwrap();
        let (code, _, why) = said(&output);
        assert!(code == Some(2) && why.contains("which is hidden or in another folder"), "{why}");
    }
    assert_eq!(folders.mine(), before);
    assert!(!folders.theirs(".profile").exists());
}

/// A changed name of the tours moves their unfinished file only when nothing is left to be refused.
#[test]
fn a_refused_name_leaves_the_unfinished_file_in_its_place() {
    let folders = Folders::new();
    let (file, unfinished) = (folders.stopped_search(), folders.unfinished());
    let elsewhere = |name: &str| folders.whole.path().join("elsewhere").join(name);
    symlink("nowhere", elsewhere("link")).unwrap();
    let (code, why) = folders.run(&["resume", &file, "--out", "link"]);
    assert!(code == Some(2) && why.contains("the file exists"), "{why}");
    let writer = Locked::try_new(&unfinished).expect("no other writes it");
    let (code, why) = folders.run(&["resume", &file, "--out", "new"]);
    assert!(code == Some(2) && why.contains("another run is writing"), "{why}");
    assert!(unfinished.exists() && names(&folders.whole.path().join("elsewhere")) == ["link"]);
    drop(writer);
    // Killed when the tours lie beside their new name: the file of the run knows it.
    let mut killed = destrier(&["resume", &file, "--out", "new"]);
    killed.env("DESTRIER_TEST_HALT", "kill@start:1").current_dir(folders.whole.path().join("elsewhere"));
    assert_eq!(killed.output().unwrap().status.code(), None);
    assert!(!unfinished.exists());
    let (code, why) = folders.run(&["resume", &file]);
    assert_eq!(code, Some(0), "{why}");
    assert_eq!(fs::read_to_string(elsewhere("new")).unwrap().lines().count(), 9_862);
    let left = [folders.theirs(""), elsewhere("")].map(|folder| names(&folder)).concat();
    assert!(!left.iter().any(|name| name.ends_with(".unfinished")), "{left:?}");
}

/// A new unfinished file in place of one that is gone is known to the checkpoint at once: the next run writes the same.
#[test]
fn an_unfinished_file_that_is_made_anew_is_not_left_behind() {
    let folders = Folders::new();
    let file = folders.stopped_search();
    fs::remove_file(folders.unfinished()).unwrap();
    assert_eq!(halted(&["resume", &file], "kill@start:1").status.code(), None);
    assert_eq!(folders.run(&["resume", &file]).0, Some(0));
    let left = names(&folders.whole.path().join("theirs"));
    assert!(!left.iter().any(|name| name.ends_with(".unfinished")), "{left:?}");
}

/// The unfinished file is another thing than this program makes.
#[test]
fn an_unfinished_file_that_is_a_link_or_a_pipe_is_not_written() {
    type Plant = fn(&Path, &Path);
    let plants: [(&str, Plant); 4] = [
        ("is a link", |victim, at| symlink(victim, at).unwrap()),
        ("has another name, too", |victim, at| fs::hard_link(victim, at).unwrap()),
        ("is no regular file", |_, at| {
            use rustix::fs::{CWD, FileType, Mode, mknodat};
            mknodat(CWD, at, FileType::Fifo, Mode::from(0o600), 0).unwrap();
        }),
        ("cannot be opened", |_, at| fs::create_dir(at).unwrap()),
    ];
    for (says, plant) in plants {
        let folders = Folders::new();
        let (file, unfinished) = (folders.stopped_search(), folders.unfinished());
        fs::remove_file(&unfinished).unwrap();
        plant(&folders.victim(), &unfinished);
        let before = folders.mine();
        let (code, why) = folders.run(&["resume", &file]);
        assert!(code == Some(2) && why.contains(says), "{says}: {code:?} {why}");
        assert_eq!(folders.mine(), before, "{says}");
    }
}

/// The number from which the name of the unfinished file follows is no path.
#[test]
fn the_number_of_a_run_leads_to_no_other_folder() {
    let folders = Folders::new();
    let file = folders.stopped_search();
    let before = folders.mine();
    let unfinished = folders.unfinished();
    let name = unfinished.file_name().unwrap().to_str().unwrap();
    let number = name.trim_start_matches(".destrier-").trim_end_matches(".unfinished");
    let mut given = number.to_owned();
    for other in ["../../mine/thesis", "/../mine/x.tex", "", "0123456789abcde", "0123456789abcdé"] {
        forge(&file, &format!("\"run\":\"{given}\""), &format!("\"run\":\"{other}\""));
        given = other.to_owned();
        let (code, why) = folders.run(&["resume", &file]);
        assert!(code == Some(2) && why.contains("the number of a run is 16 letters or digits"), "{other}: {why}");
    }
    assert_eq!(folders.mine(), before);
}

/// A stored wish to replace a file is no wish of the user who resumes.
#[test]
fn a_file_is_replaced_only_if_that_is_typed_and_it_is_still_the_same() {
    let folders = Folders::new();
    let [file, out] = ["run", "tours"].map(|name| folders.theirs(name).to_str().unwrap().to_owned());
    fs::write(&out, "older tours\n").unwrap();
    let mut args: Vec<&str> = SEARCH.split(' ').collect();
    args.extend(["--checkpoint", &file, "--out", &out, "--force"]);
    halted(&args, AT_BEGIN);
    let (code, why) = folders.run(&["resume", &file]);
    assert!(code == Some(2) && why.contains("the file exists; add --force to replace it"), "{why}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "older tours\n");
    fs::write(&out, "other tours, made since\n").unwrap();
    let (code, why) = folders.run(&["resume", &file, "--force"]);
    assert!(code == Some(2) && why.contains("it was made or changed since the run began"), "{why}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "other tours, made since\n");
    fs::remove_file(&out).unwrap();
    let (code, why) = folders.run(&["resume", &file]);
    assert_eq!(code, Some(0), "{why}");
    assert!(why.contains("the tours go to "), "{why}");
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 9_862);
}

#[test]
fn a_file_that_is_still_the_same_is_replaced() {
    let folders = Folders::new();
    let [file, out] = ["run", "tours"].map(|name| folders.theirs(name).to_str().unwrap().to_owned());
    fs::write(&out, "older tours\n").unwrap();
    let mut args: Vec<&str> = SEARCH.split(' ').collect();
    args.extend(["--checkpoint", &file, "--out", &out, "--force"]);
    halted(&args, AT_BEGIN);
    assert_eq!(folders.run(&["resume", &file, "--force"]).0, Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 9_862);
}

/// Files whose names follow from that of a folder or of a checkpoint, and `FILE~`: links to the victim.
#[test]
fn a_link_in_the_place_of_a_part_or_of_an_older_file_leads_nowhere() {
    let folders = Folders::new();
    let parts = folders.theirs("parts");
    fs::create_dir(&parts).unwrap();
    let before = folders.mine();
    let shown = parts.to_str().unwrap();
    let search = |index: &str| {
        let mut args: Vec<String> = "search 5x6 --shard".split(' ').map(str::to_owned).collect();
        args.extend([format!("{index}/2"), "--out-dir".to_owned(), shown.to_owned()]);
        args
    };
    let count: Vec<String> =
        format!("count 6x6 --modulus 101 --out-dir {shown}").split(' ').map(str::to_owned).collect();
    for (name, args) in [
        ("1-of-2.part", search("1")),
        ("1-of-2.checkpoint", search("1")),
        ("modulo-101.part", count.clone()),
        ("modulo-101.checkpoint", count.clone()),
    ] {
        symlink(folders.victim(), parts.join(name)).unwrap();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, why) = folders.run(&args);
        assert!(code == Some(2) && why.contains("is a link, and the file behind it would be replaced"), "{why}");
        fs::remove_file(parts.join(name)).unwrap();
        // The older file is replaced by renaming, which does not follow links.
        symlink(folders.victim(), parts.join(format!("{name}~"))).unwrap();
        let (code, why) = folders.run(&args);
        assert_eq!(code, Some(0), "{why}");
        assert_eq!(folders.mine(), before);
    }
    // A part that is resumed by its checkpoint.
    let args = search("2");
    halted(&args.iter().map(String::as_str).collect::<Vec<_>>(), AT_BEGIN);
    symlink(folders.victim(), parts.join("2-of-2.part")).unwrap();
    let (code, why) = folders.run(&["resume", parts.join("2-of-2.checkpoint").to_str().unwrap()]);
    assert!(code == Some(2) && why.contains("is a link, and the file behind it would be replaced"), "{why}");
    assert_eq!(folders.mine(), before);
}

/// The folder for counts in files, and the files of layers.
#[test]
fn a_count_and_its_layers_lead_to_no_file_of_the_user() {
    let folders = Folders::new();
    let [file, spill] = ["count", "spill"].map(|name| folders.theirs(name).to_str().unwrap().to_owned());
    halted(&["count", "6x6", "--checkpoint", &file, "--spill", &spill], AT_BEGIN);
    forge(&file, &quoted(Path::new(&spill)), &quoted(&folders.victim().with_file_name("made")));
    let before = folders.mine();
    let (code, why) = folders.run(&["resume", &file]);
    assert!(code == Some(2) && why.contains("to use it, add --spill"), "{why}");
    forge(&file, &quoted(&folders.victim().with_file_name("made")), &quoted(folders.victim().parent().unwrap()));
    let (code, why) = folders.run(&["resume", &file]);
    assert!(code == Some(2) && why.contains("to use it, add --spill"), "{why}");
    assert_eq!(folders.run(&["resume", &file, "--spill", &spill]).0, Some(0));
    let layers = folders.theirs("layers");
    fs::create_dir(&layers).unwrap();
    for name in ["sweep-0-layer-000", "sweep-0-layer-003", "layers~"] {
        symlink(folders.victim(), layers.join(name)).unwrap();
    }
    let unrank = ["unrank", "3x4", "0", "--open", "--layers", layers.to_str().unwrap()];
    assert_eq!(folders.run(&unrank).0, Some(0));
    assert_eq!(folders.mine(), before);
    fs::remove_file(layers.join("layers")).unwrap();
    symlink(folders.victim(), layers.join("layers")).unwrap();
    let (code, why) = folders.run(&unrank);
    assert_eq!(code, Some(2), "{why}");
    assert_eq!(folders.mine(), before);
}

/// The entry of a detached run: `--forget` removes the files of its number, whatever file the entry names.
#[test]
fn an_entry_of_a_run_leads_to_no_file_of_the_user() {
    use std::os::unix::fs::PermissionsExt;
    let folders = Folders::new();
    let runs = folders.theirs("runs");
    fs::create_dir(&runs).unwrap();
    fs::set_permissions(&runs, fs::Permissions::from_mode(0o700)).unwrap();
    let entry = serde_json::json!({
        "id": 1, "pid": 4_194_304, "question": "6x6", "began_s": 0, "checkpoint": folders.victim(), "report": null
    });
    fs::write(runs.join("1.json"), entry.to_string()).unwrap();
    symlink(folders.victim(), runs.join("1.checkpoint")).unwrap();
    let before = folders.mine();
    assert_eq!(folders.run(&["runs", "--json"]).0, Some(0));
    assert_eq!(folders.run(&["runs", "--forget", "1"]).0, Some(0));
    assert_eq!(folders.mine(), before);
    assert!(names(&runs).is_empty());
}
