use super::*;
use crate::board::Board;
use crate::gpu::{Compass, DeviceLabel};

fn state(board: &str, start: &str, compass: Compass) -> CycleState {
    let board: Board = board.parse().unwrap();
    CycleState::new(board, board.parse_square(start).unwrap(), compass).unwrap()
}

#[test]
fn the_twin_runs_in_bursts() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("64x64", "0,0", Compass::SOURCE)).unwrap();
    let spent = engine.run(u32::MAX).unwrap();
    let first = engine.state().cycles();
    assert!((1..=FIRST_BURST_MAX).contains(&first), "{first}");
    assert_eq!((spent.dispatches, spent.submits, spent.readbacks, spent.device), (0, 0, 0, None));
    engine.run(1).unwrap();
    assert_eq!(engine.state().cycles(), first + 1);
    assert_eq!(engine.done_by(), &DoneBy { label: DeviceLabel::cpu(), instead: None });
}

#[test]
fn bursts_adapt_to_the_target_time_within_their_limits() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("5x5", "0,0", Compass::SOURCE)).unwrap();
    for (cycles, wall, pace) in [
        (48, Duration::from_millis(400), 6),
        (6, Duration::from_millis(1), 24),
        (24, Duration::ZERO, 96),
        (1, Duration::from_secs(9), 1),
    ] {
        engine.adapt(cycles, wall);
        assert_eq!(engine.burst, pace);
    }
    (0..9).for_each(|_| engine.adapt(3000, Duration::from_millis(1)));
    assert_eq!(engine.burst, PACE.size_max);
}

#[test]
fn the_first_burst_depends_on_the_size_of_the_board() {
    let pace = |board: &str| first_burst(board.parse().unwrap());
    assert_eq!((pace("8x8"), pace("148x148"), pace("512x512"), pace("2800x2800")), (48, 47, 4, 1));
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("8x8", "0,0", Compass::SOURCE)).unwrap();
    engine.adapt(48, Duration::from_millis(1));
    engine.load(state("8x8", "2,4", Compass::SOURCE)).unwrap();
    assert_eq!(engine.burst, 192);
    engine.load(state("512x512", "0,0", Compass::SOURCE)).unwrap();
    assert_eq!(engine.burst, 4);
}

/// The pace follows the cycles that ran, not those that were requested.
#[test]
fn a_burst_that_was_cut_short_adapts_by_the_cycles_that_ran() {
    let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state("400x400", "0,0", Compass::SOURCE)).unwrap();
    engine.burst = PACE.size_max;
    engine.run(u32::MAX).unwrap();
    let done = engine.state().cycles();
    assert!(done < PACE.size_max && engine.burst <= done, "{done} {}", engine.burst);
}

#[cfg(feature = "gpu")]
mod on_a_device {
    use super::*;
    use crate::gpu::cycle::KnightStatus;

    /// A device with this board; reports the skipped test and returns `None` where there is none.
    fn engine(state: CycleState) -> Option<CycleEngine> {
        let engine = CycleEngine::open(&DeviceChoice::Any, state).unwrap();
        engine
            .done_by()
            .instead
            .as_ref()
            .inspect(|why| crate::skip::skip_without_device(why))
            .is_none()
            .then_some(engine)
    }

    /// Compares the device with the twin after every burst of `cycles` cycles, until two moves beyond the end.
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
        assert_eq!(engine.done_by().instead, None);
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

    /// The workgroups need two dimensions.
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
    fn a_device_that_is_lost_is_replaced_by_the_twin() {
        let Some(mut engine) = engine(state("8x8", "2,4", Compass::SOURCE)) else { return };
        engine.run(60).unwrap();
        let before = engine.state().cycles();
        let CycleWorker::Shader(shader, _) = &engine.worker else { panic!("the device was opened") };
        shader.device.lose();
        while engine.state().status() == KnightStatus::Touring {
            engine.run(30).unwrap();
        }
        assert!(before > 0 && engine.state().visits() == 64);
        let DoneBy { label, instead } = engine.done_by();
        assert_eq!(*label, DeviceLabel::cpu());
        assert!(matches!(instead, Some(GpuError::Lost(_))), "{instead:?}");
    }
}
