//! The facts of a board as text: a sheet of labelled entries, no line wider than 80 columns.

use super::{Facts, MeanDegree};
use crate::board::PrintedEstimate;
use crate::cli::sheet::{decimal, entry, line};
use crate::words::{grouped, number_of};
use std::fmt;

impl fmt::Display for Facts {
    /// Writes a sheet of labelled entries, no line wider than 80 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [moves, directed] = [self.moves, self.directed_moves].map(grouped);
        entry(f, "board", &format!("{}: {}", self.board, number_of(self.squares, "square")))?;
        entry(f, "moves", &format!("{moves}, or {directed} counting both directions"))?;
        writeln!(f)?;
        self.write_degrees(f)?;
        writeln!(f)?;
        self.write_mean_degree(f)?;
        self.write_estimate(f)?;
        writeln!(f)?;
        for (label, existence) in [("closed tours", &self.closed), ("open tours", &self.open)] {
            entry(f, label, &format!("{}: {}", if existence.exists { "yes" } else { "none" }, existence.reason))?;
        }
        writeln!(f)?;
        self.write_symmetries(f)?;
        writeln!(f)?;
        self.write_known_counts(f)
    }
}

impl Facts {
    fn write_degrees(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, degrees) in self.degrees.iter().flatten().enumerate() {
            let label = if row == 0 { "degrees" } else { "" };
            let degrees: String = degrees.iter().map(|degree| format!(" {degree}")).collect();
            line(f, label, &format!("{:>2} {degrees}", self.rows as usize - row))?;
        }
        if self.degrees.is_some() {
            let letters: String = ('a'..='z').take(self.cols as usize).flat_map(|letter| [' ', letter]).collect();
            line(f, "", &format!("   {letters}"))?;
            writeln!(f)?;
        }
        let present = (0u64..).zip(self.squares_by_degree).filter(|&(_, squares)| squares > 0);
        let columns: Vec<_> = present.map(|(degree, squares)| [degree, squares.into()].map(grouped)).collect();
        for (i, label) in ["degree", "squares"].into_iter().enumerate() {
            let cells = columns.iter().map(|column| format!("{:>width$}", column[i], width = column[1].len()));
            line(f, label, &cells.collect::<Vec<_>>().join("   "))?;
        }
        Ok(())
    }

    /// How the decimal of k stands to k: four digits after the point are all if the denominator divides 10,000.
    fn relation(&self) -> char {
        if 10_000 % self.mean_degree.denominator == 0 { '=' } else { '~' }
    }

    fn write_mean_degree(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.min(self.cols) == 1 {
            return entry(f, "mean degree", "k = 0: a board one wide has no moves");
        }
        line(f, "mean degree", "k = 8 - 12/m - 12/n + 16/(mn) on m x n, both sides at least 2")?;
        let MeanDegree { numerator, denominator, value, formula } = &self.mean_degree;
        let fraction = match denominator {
            1 => numerator.to_string(),
            _ => format!("{numerator}/{denominator} {} {}", self.relation(), decimal(*value)),
        };
        entry(f, "", &format!("  = {formula} = {fraction}"))
    }

    fn write_estimate(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(nodes) = &self.tree_estimate.nodes else {
            return entry(f, "search tree", "k^S - 1 nodes, S squares, estimates nothing where k is 1 or less");
        };
        let (relation, k) = (self.relation(), decimal(self.mean_degree.value));
        line(f, "search tree", "k^S - 1 nodes by rule of thumb, S squares")?;
        line(f, "", &format!("  {relation} {k}^{} - 1 ~ {nodes}", self.squares))?;
        if let Some(PrintedEstimate { k, nodes, .. }) = &self.tree_estimate.printed {
            line(f, "", &format!("    {nodes} as Miller and Ranum print it, with k = {k}"))?;
        }
        Ok(())
    }

    fn write_symmetries(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let different = match (self.rows.min(self.cols), self.rows.max(self.cols)) {
            (1, 1) => "; all do the same on one square",
            (1, _) => "; only two differ on a board one wide",
            _ => "",
        };
        entry(f, "symmetries", &format!("{}: {}{different}", self.symmetries.len(), self.symmetries.join(", ")))?;
        let mut starts = format!("{} that no symmetry makes equal", grouped(self.start_orbits.count));
        for size in [8, 4, 2, 1] {
            let orbits = self.start_orbits.orbits.iter().flatten().filter(|orbit| orbit.squares == size);
            let names: Vec<_> = orbits.map(|orbit| orbit.representative.as_str()).collect();
            if !names.is_empty() {
                let squares = if size == 1 { "alone" } else { &format!("for {size} squares each") };
                starts += &format!("; {squares}: {}", names.join(", "));
            }
        }
        entry(f, "starts", &starts)
    }

    fn write_known_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<_> = self.known_counts.iter().map(|known| grouped(known.count)).collect();
        let Some(width) = counts.iter().map(String::len).max() else {
            return entry(f, "known counts", "none on record");
        };
        for (i, (known, count)) in self.known_counts.iter().zip(counts).enumerate() {
            let label = if i == 0 { "known counts" } else { "" };
            line(f, label, &format!("{count:>width$}  {}", known.words))?;
            entry(f, "", &format!("{:width$}  {}; {}", "", known.source, known.standing))?;
        }
        writeln!(f)?;
        let convention = "Undirected counts a set of moves once, directed once for each direction, classes once for \
                          all its images. Open tours that could be closed count, unless it says not closable.";
        entry(f, "", convention)
    }
}
