use super::*;
use crate::board::{Board, Ending};
use crate::count::{CountPlan, CountQuestion, CountWatch};

/// Writes a group with a checksum behind each stretch.
fn seal(counts: &[u8], output: &mut impl Write) -> io::Result<()> {
    counts.chunks(STRETCH).try_for_each(|stretch| write_sealed(stretch, output))
}

/// The body `good` of a checkpoint with a change to its marks and counts, and all checksums as they must be.
pub fn forged(good: &[u8], bytes: usize, layer: &Layer, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let words = marks_bytes(layer) - SUM_BYTES;
    let shape = LayerShape::read(&mut &good[..], layer, width_of(bytes)).unwrap();
    let mut plain = good[..words].to_vec();
    let places = shape.places_in_file();
    for at in places.windows(2) {
        let mut group = good[words + SUM_BYTES..][at[0] as usize..at[1] as usize].to_vec();
        assert!(unseal(&mut group));
        plain.append(&mut group);
    }
    change(&mut plain);
    let (marks, mut counts) = plain.split_at(words);
    let word = |word: &[u8]| u64::from_le_bytes(word.try_into().unwrap());
    let shape = LayerShape::new(layer, BitMarks(marks.chunks_exact(8).map(word).collect()), width_of(bytes));
    let mut body = Vec::new();
    shape.write(&mut body).unwrap();
    for place in 0..shape.groups() {
        let at = shape.group_bytes(place);
        let group = counts.split_off(..counts.len().min((at.end - at.start) as usize)).unwrap();
        seal(group, &mut body).unwrap();
    }
    body.extend_from_slice(counts);
    body
}

#[test]
fn bits_are_counted_between_any_two_places_and_found_in_runs() {
    let mut marks = BitMarks::new(200);
    let set = [0, 5, 63, 64, 127, 128, 190];
    set.iter().for_each(|&bit| marks.set(bit));
    for from in 0..=200 {
        for to in from..=200 {
            let expected: Vec<u64> = set.iter().copied().filter(|bit| (from..to).contains(bit)).collect();
            assert_eq!(marks.count(from..to), expected.len() as u64, "{from}..{to}");
            assert_eq!(marks.runs(from..to).flatten().collect::<Vec<_>>(), expected, "{from}..{to}");
        }
    }
    assert_eq!(marks.runs(0..200).collect::<Vec<_>>(), [0..1, 5..6, 63..65, 127..129, 190..191]);
    // If the blocks of a layer fill their words, no word comes after the last bit.
    assert_eq!(BitMarks(vec![u64::MAX]).count(0..64), 64);
    assert_eq!(BitMarks(vec![u64::MAX]).count(64..64), 0);
}

#[test]
fn a_count_keeps_its_value_in_another_width() {
    let counts = [1u32, 0, 65_535];
    let mut kept = Vec::new();
    append_converted(bytemuck::cast_slice(&counts), 4, 2, &mut kept);
    assert_eq!(kept, [1, 0, 0, 0, 255, 255]);
    kept.clear();
    let group = SparseGroup { ends: vec![0, 2], counts: vec![(0, 7), (2, 9)] };
    append_sparse(&group, 1, 3, 4, &mut kept);
    assert_eq!(kept, [7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0]);
    for width in [2, 4] {
        let mut marks = BitMarks::new(2);
        marks.set(1);
        kept.clear();
        append_sparse(&group, 1, 3, width, &mut kept);
        let read = sparse_group(&LayerShape { width, marks, starts: Box::default() }, 0..2, 3, &kept);
        assert_eq!((read.ends, read.counts), (group.ends.clone(), group.counts.clone()));
    }
}

/// A group of more than one stretch, and a changed byte in any part of it.
#[test]
fn every_stretch_has_its_checksum() {
    for length in [0, 1, STRETCH, STRETCH + 1, 2 * STRETCH + 7] {
        let counts: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let mut group = Vec::new();
        seal(&counts, &mut group).unwrap();
        assert_eq!(group.len(), length + 4 * length.div_ceil(STRETCH));
        for at in [0, length / 2, group.len().saturating_sub(1)].into_iter().filter(|&at| at < group.len()) {
            let mut damaged = group.clone();
            damaged[at] ^= 1;
            assert!(!unseal(&mut damaged), "{length} {at}");
        }
        assert!(unseal(&mut group) && group == counts);
    }
}

#[test]
fn remainders_are_below_their_prime() {
    let question = CountQuestion::new("3x4".parse::<Board>().unwrap(), Ending::Closed);
    let plan = CountPlan::new(&question, 1 << 30, &CountWatch::new(1)).unwrap();
    let layer = &plan.sweeps[0].layers.layers[1];
    let prime = 65_537;
    for (largest, is_possible) in [(prime - 1, true), (prime, false), (prime + 1, false)] {
        let found = StoreFindings { largest: largest.into(), nonzero: 1 };
        for bytes in [0, 4] {
            let checked = check_findings(found, found, false, Modulus::Prime(prime), bytes, layer);
            assert_eq!(checked.is_ok(), is_possible, "{largest} in {bytes} bytes");
        }
    }
}
