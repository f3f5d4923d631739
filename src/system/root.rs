//! Small files that the kernel writes, below the root of this machine or below a folder that plays it in a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of a file system.
pub struct Root<'a>(pub &'a Path);

impl Root<'static> {
    /// The root of this machine.
    pub fn here() -> Root<'static> {
        Root(Path::new("/"))
    }
}

impl Root<'_> {
    /// What a file says, less the blanks around it; none if it cannot be read.
    pub fn read(&self, path: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.0.join(path)).ok().map(|text| text.trim().to_owned())
    }

    /// The value of the first line of a file that begins with a name and a colon.
    pub fn field(&self, path: &str, name: &str) -> Option<String> {
        field(&self.read(path)?, name).map(str::to_owned)
    }

    /// The folders of the control groups that this process is in, its own and those around it, for one controller.
    /// Both generations are known: in the first each controller has a tree of its own.
    pub fn groups(&self, controller: &str) -> Vec<PathBuf> {
        let (mut folders, process) = (Vec::new(), self.field("proc/self/status", "Pid").unwrap_or_default());
        for line in self.read("proc/self/cgroup").unwrap_or_default().lines() {
            let mut parts = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
            let trees = match controllers {
                "" => vec!["sys/fs/cgroup", "sys/fs/cgroup/unified"],
                _ if controllers == controller => vec![controller],
                _ if controllers.split(',').any(|name| name == controller) => vec![controllers, controller],
                _ => continue,
            };
            for tree in trees {
                let tree = if controllers.is_empty() { tree.into() } else { Path::new("sys/fs/cgroup").join(tree) };
                let named = Path::new(path.trim_start_matches('/'));
                // In a namespace of control groups the path begins at some group of a tree that may be mounted as a whole.
                let own = [named, Path::new("")].into_iter().find_map(|group| self.own_group(&tree, group, &process));
                folders.extend(own.as_deref().unwrap_or(named).ancestors().map(|group| tree.join(group)));
            }
        }
        folders
    }

    /// The first group at or below a group of a tree that lists this process.
    fn own_group(&self, tree: &Path, group: &Path, process: &str) -> Option<PathBuf> {
        let processes = self.read(tree.join(group).join("cgroup.procs")).filter(|_| !process.is_empty())?;
        if processes.lines().any(|id| id == process) {
            return Some(group.to_owned());
        }
        let mut below = fs::read_dir(self.0.join(tree).join(group)).ok()?.flatten();
        below.find_map(|entry| self.own_group(tree, &group.join(entry.file_name()), process))
    }
}

/// The value of the first line that begins with a name and a colon.
pub fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(field, _)| field.trim() == name).map(|(_, value)| value.trim())
}

/// Greatest number of a CPU that is believed.
const NUMBER_MAX: usize = 1 << 16;

/// The numbers in a list of the kernel: `0-3,8` holds five. `None` of what is no such list.
pub fn numbers(list: &str) -> Option<BTreeSet<usize>> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last && last <= NUMBER_MAX).then_some(first..=last)
    };
    let ranges: Option<Vec<_>> = list.split(',').map(range).collect();
    Some(ranges?.into_iter().flatten().collect())
}

/// Such a list of ascending numbers.
pub fn ranges(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => ranges.push([number; 2]),
        }
    }
    let text = |[first, last]: &[usize; 2]| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

/// A machine as files, for tests.
#[cfg(test)]
pub mod tests {
    use super::*;
    use tempfile::TempDir;

    pub fn machine(files: &[(&str, &str)]) -> TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn lists_of_the_kernel_are_read_and_written() {
        let lists = [("0", Some(1)), ("0-3,8", Some(5)), ("0-255", Some(256)), ("0-1023,1025,1030-1031", Some(1027))];
        for (list, len) in lists.into_iter().chain(["", "3-1", "0-99999999999", "a"].map(|no_list| (no_list, None))) {
            assert_eq!(numbers(list).map(|numbers| numbers.len()), len, "{list}");
            assert!(len.is_none() || ranges(numbers(list).unwrap()) == list, "{list}");
        }
    }

    #[test]
    fn a_group_is_found_in_a_tree_that_was_mounted_outside_of_its_namespace() {
        let machine = machine(&[
            ("proc/self/cgroup", "0::/run\n"),
            ("proc/self/status", "Name:\tdestrier\nPid:\t42\n"),
            ("sys/fs/cgroup/cgroup.procs", "1\n"),
            ("sys/fs/cgroup/run/cgroup.procs", "9\n"),
            ("sys/fs/cgroup/user/cgroup.procs", ""),
            ("sys/fs/cgroup/user/other/cgroup.procs", "7\n420\n"),
            ("sys/fs/cgroup/user/own/cgroup.procs", "7\n42\n"),
        ]);
        let found = Root(machine.path()).groups("cpu");
        let own = ["user/own", "user", ""].map(|group| Path::new("sys/fs/cgroup").join(group));
        assert_eq!(found[..3], own);
    }

    #[test]
    fn groups_of_both_generations_are_found_with_those_around_them() {
        let new = machine(&[("proc/self/cgroup", "0::/user/run\n")]);
        let found = Root(new.path()).groups("cpu");
        assert_eq!(found[..3], ["sys/fs/cgroup/user/run", "sys/fs/cgroup/user", "sys/fs/cgroup/"].map(PathBuf::from));
        let old = machine(&[("proc/self/cgroup", "5:cpuset:/x\n4:cpu,cpuacct:/run\n")]);
        let found = Root(old.path()).groups("cpu");
        let cpu =
            ["cpu,cpuacct/run", "cpu,cpuacct", "cpu/run", "cpu"].map(|path| Path::new("sys/fs/cgroup").join(path));
        assert_eq!(found, cpu);
    }
}
