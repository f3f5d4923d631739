use super::*;
use crate::gpu::label::{DeviceChoice, GpuError};
use std::time::Duration;

impl Device {
    /// Destroys the device, so that it is lost.
    pub fn lose(&self) {
        self.device.destroy();
    }
}

/// Doubles every number.
const DOUBLE: &str = "
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&numbers) {
        numbers[id.x] *= 2u;
    }
}

";

/// A device; reports the skipped test and returns `None` where there is none.
fn device() -> Option<Device> {
    Device::open(&DeviceChoice::Any).inspect_err(|why| crate::skip::skip_without_device(why)).ok()
}

#[test]
fn a_dispatch_sees_what_the_ones_before_it_wrote_and_results_are_read_back() {
    let Some(mut device) = device() else { return };
    let kernel = device.compile("double", DOUBLE).unwrap();
    let numbers: Vec<u32> = (0..1000).collect();
    let memory = device.buffer_with("numbers", &numbers).unwrap();
    let bound = device.bind(&kernel, &[&memory]).unwrap();
    let dispatch = || Dispatch { kernel: &kernel, bound: &bound, groups: [16, 1, 1] };
    for times in [3, 1] {
        let (read, spent) = device.run((0..times).map(|_| dispatch()), &[(&memory, 4000), (&memory, 8)]).unwrap();
        assert_eq!((spent.dispatches, spent.submits, spent.readbacks), (times, 1, 2));
        assert_eq!(read[1], read[0][..8]);
        let factor = if times == 3 { 8 } else { 16 };
        let expected: Vec<u32> = numbers.iter().map(|n| n * factor).collect();
        assert_eq!(bytemuck::pod_collect_to_vec::<u8, u32>(&read[0]), expected);
    }
}

#[test]
fn a_clock_that_stands_still_or_runs_backwards_gives_no_time() {
    let time = |start: u64, end: u64, period| time_between(bytemuck::bytes_of(&[start, end]), period);
    assert_eq!(time(10, 30, 2.5), Some(Duration::from_nanos(50)));
    assert_eq!((time(10, 10, 1.0), time(30, 10, 1.0), time(10, 30, 0.0)), (None, None, None));
}

#[test]
fn a_staging_buffer_has_room_to_spare_up_to_the_limit() {
    assert_eq!((staging_size(16, 1000), staging_size(600, 1000)), (Ok(16), Ok(1000)));
    assert_eq!((staging_size(1000, 1000), staging_size(1001, 1000)), (Ok(1000), Err(1000)));
    assert_eq!(staging_size(u64::MAX, u64::MAX), Ok(u64::MAX));
}

#[test]
fn content_that_does_not_fit_is_not_written_and_does_no_harm() {
    let Some(device) = device() else { return };
    let memory = device.buffer_with("numbers", &[1u32; 4]).unwrap();
    let error = device.write(&memory, &[1u32; 5]).unwrap_err();
    assert_eq!(error, GpuError::Invalid("20 bytes do not fit into a buffer of 16".to_owned()));
    assert_eq!(device.write(&memory, &[2u32; 4]), Ok(()));
}

#[test]
fn an_invalid_call_is_an_error_and_no_panic() {
    let Some(device) = device() else { return };
    let error = device.compile("broken", "fn main() { let x: u32 = 1.5; }").map(|_| ()).unwrap_err();
    assert!(matches!(error, GpuError::Invalid(_)), "{error}");
    let error = Device::open(&DeviceChoice::Any).unwrap().buffer("everything", u64::MAX / 2).unwrap_err();
    assert!(matches!(error, GpuError::Refused(_)), "{error}");
    let error = Device::open(&DeviceChoice::Named("no such thing".to_owned())).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("no Vulkan adapter here is 'no such thing'; there is "), "{error}");
}

#[test]
fn a_lost_device_reports_that_on_every_run() {
    let Some(mut device) = device() else { return };
    let kernel = device.compile("double", DOUBLE).unwrap();
    let memory = device.buffer_with("numbers", &[1u32; 64]).unwrap();
    let bound = device.bind(&kernel, &[&memory]).unwrap();
    device.lose();
    for _ in 0..2 {
        let dispatch = Dispatch { kernel: &kernel, bound: &bound, groups: [1, 1, 1] };
        let error = device.run([dispatch], &[(&memory, 4)]).unwrap_err();
        assert!(matches!(error, GpuError::Lost(_)), "{error}");
    }
}
