use super::*;
use crate::board::Board;
use crate::gpu::Compass;

fn state(board: &str, start: &str, compass: Compass) -> CycleState {
    let board: Board = board.parse().unwrap();
    CycleState::new(board, board.parse_square(start).unwrap(), compass).unwrap()
}

#[test]
fn the_twin_runs_in_bursts_until_it_is_told_no_more() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("64x64", "0,0", Compass::SOURCE)).unwrap();
    let spent = engine.run(u32::MAX).unwrap();
    let first = engine.state().cycles();
    assert!((1..=BURST_FIRST).contains(&first), "{first}");
    assert_eq!((spent.dispatches, spent.submits, spent.readbacks, spent.device), (0, 0, 0, None));
    engine.run(1).unwrap();
    assert_eq!(engine.state().cycles(), first + 1);
    assert_eq!((engine.label(), engine.instead()), (&DeviceLabel::cpu(), None));
}

#[test]
fn bursts_grow_to_what_suits_and_no_further() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("5x5", "0,0", Compass::SOURCE)).unwrap();
    for (cycles, wall, pace) in [
        (48, Duration::from_millis(400), 6),
        (6, Duration::from_millis(1), 24),
        (24, Duration::ZERO, 96),
        (1, Duration::from_secs(9), 1),
    ] {
        engine.adapt(cycles, wall);
        assert_eq!(engine.pace, pace);
    }
    (0..9).for_each(|_| engine.adapt(3000, Duration::from_millis(1)));
    assert_eq!(engine.pace, PACE.most);
}

#[test]
fn the_first_burst_suits_the_board_each_time_it_is_another() {
    let pace = |board: &str| burst_first(board.parse().unwrap());
    assert_eq!((pace("8x8"), pace("148x148"), pace("512x512"), pace("2800x2800")), (48, 47, 4, 1));
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("8x8", "0,0", Compass::SOURCE)).unwrap();
    engine.adapt(48, Duration::from_millis(1));
    engine.load(state("8x8", "2,4", Compass::SOURCE)).unwrap();
    assert_eq!(engine.pace, 192);
    engine.load(state("512x512", "0,0", Compass::SOURCE)).unwrap();
    assert_eq!(engine.pace, 4);
}

/// A pace that the twin does not keep is not believed: it is told by the cycles that were done.
#[test]
fn a_burst_that_was_cut_short_is_adapted_by_what_was_done() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("400x400", "0,0", Compass::SOURCE)).unwrap();
    engine.pace = PACE.most;
    engine.run(u32::MAX).unwrap();
    let done = engine.state().cycles();
    assert!(done < PACE.most && engine.pace <= done, "{done} {}", engine.pace);
}

#[cfg(feature = "gpu")]
mod on_a_device {
    use super::*;
    use crate::gpu::cycle::KnightStatus;

    /// A device with this board, or nothing, which is said, where there is none.
    fn engine(state: CycleState) -> Option<CycleEngine> {
        let engine = CycleEngine::open(&DeviceChoice::Any, state).unwrap();
        engine.instead().inspect(|why| crate::gpu::trial::skip(why)).is_none().then_some(engine)
    }

    /// Compares the device with the twin after every burst of so many cycles, until the end and two moves beyond it.
    fn compare(engine: &mut CycleEngine, state: CycleState, cycles: u32) {
        let mut twin = state.clone();
        engine.load(state).unwrap();
        while twin.cycles() < twin.cycles_max() + 6 {
            let spent = engine.run(cycles).unwrap();
            let done = engine.state().cycles() - twin.cycles();
            assert_eq!((spent.dispatches, spent.submits, spent.readbacks), (done.into(), 1, 1));
            (0..done).for_each(|_| twin.cycle());
            assert_eq!(*engine.state(), twin, "{} cycle {}", twin.board(), twin.cycles());
        }
        assert_eq!(engine.instead(), None);
    }

    #[test]
    fn the_shader_is_its_twin_after_every_cycle_from_every_start() {
        let Some(mut engine) = engine(state("1x1", "0,0", Compass::SOURCE)) else { return };
        for board in ["1x1", "1x5", "5x1", "2x3", "3x3", "3x4", "4x3", "5x5"] {
            let board: Board = board.parse().unwrap();
            for (k, start) in board.all().enumerate() {
                let compass = if k % 2 == 0 { Compass::SOURCE } else { Compass::nth(1234 * k as u32) };
                compare(&mut engine, CycleState::new(board, start, compass).unwrap(), 1);
            }
        }
    }

    #[test]
    fn the_shader_is_its_twin_in_bursts_on_larger_and_on_narrow_boards() {
        let Some(mut engine) = engine(state("1x1", "0,0", Compass::SOURCE)) else { return };
        for (board, start, cycles) in [
            ("8x8", "2,4", 1),
            ("8x8", "0,2", 7),
            ("8x8", "7,7", 3000),
            ("5x13", "4,12", 3),
            ("13x5", "0,4", 2),
            ("3x40", "2,39", 64),
            ("20x20", "19,0", 101),
        ] {
            compare(&mut engine, state(board, start, Compass::nth(cycles - 1)), cycles);
        }
    }

    /// Workgroups in two dimensions.
    #[test]
    fn the_shader_is_its_twin_on_a_board_of_many_workgroups() {
        let mut twin = state("511x300", "510,298", Compass::SOURCE);
        let Some(mut engine) = engine(twin.clone()) else { return };
        while engine.state().cycles() < 12 {
            engine.run(12 - engine.state().cycles()).unwrap();
        }
        (0..12).for_each(|_| twin.cycle());
        assert!(*engine.state() == twin);
        assert_eq!(engine.state().visits(), 4);
    }

    #[test]
    fn a_device_that_goes_away_in_the_middle_is_replaced_by_the_twin() {
        let Some(mut engine) = engine(state("8x8", "2,4", Compass::SOURCE)) else { return };
        engine.run(60).unwrap();
        let before = engine.state().cycles();
        engine.lose();
        while engine.state().status() == KnightStatus::Touring {
            engine.run(30).unwrap();
        }
        assert!(before > 0 && engine.state().visits() == 64);
        assert_eq!(*engine.label(), DeviceLabel::cpu());
        assert!(matches!(engine.instead(), Some(GpuError::Lost(_))), "{:?}", engine.instead());
    }
}
