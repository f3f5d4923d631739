//! A Vulkan device through wgpu: opened once, then given kernels and buffers, run, and read back.
//!
//! All work goes through [`Device::run`]: dispatches in one command buffer, then copies of what is to be read, then
//! short waits, so that a lost device is noticed. Nothing panics: faults that wgpu reports go into a slot that is
//! checked after every call.
//!
//! A device belongs to the thread that opened it, which also drops it: drivers have been seen to crash when another
//! thread was leaving the program at that moment. Dropping a device that hangs, which counts as lost here, may block:
//! wgpu waits without limit until the device is idle.

use crate::gpu::cost::DeviceCost;
use crate::gpu::label::{AdapterOffer, DeviceChoice, DeviceKind, DeviceLabel, GpuError, choose};
use crate::gpu::quiet::QuietStderr;
use crate::lock::LockAlways as _;
use crate::words::visible;
use bytemuck::NoUninit;
use pollster::block_on;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wgpu::BufferUsages;

/// Timeout of one poll; between two polls the device is checked for loss.
const POLL_TIMEOUT: Duration = Duration::from_millis(20);
/// A device that does not answer for this long counts as lost. Compiling a shader in software takes seconds.
const LOST_AFTER: Duration = Duration::from_secs(120);
/// Workgroups in one dimension of a dispatch, on any device.
pub const GROUPS_MAX: u32 = 65_535;

/// An open device.
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
    label: DeviceLabel,
    clock: Option<PassClock>,
    staging: Option<wgpu::Buffer>,
    fault: Arc<Mutex<Option<GpuError>>>,
}

/// Two timestamps around a compute pass.
struct PassClock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    /// Nanoseconds of a tick.
    period: f32,
}

/// Bytes of two timestamps.
const TIMESTAMPS_BYTES: u64 = 16;

/// One start of a kernel.
pub struct Dispatch<'a> {
    /// The kernel to start.
    pub kernel: &'a wgpu::ComputePipeline,
    /// The buffers bound to the kernel by [`Device::bind`].
    pub bound: &'a wgpu::BindGroup,
    /// Workgroups in each dimension, each up to [`GROUPS_MAX`].
    pub groups: [u32; 3],
}

impl Device {
    /// Opens the best adapter that matches the choice.
    ///
    /// # Errors
    /// [`GpuError`] when there is none, or when it refuses.
    pub fn open(choice: &DeviceChoice) -> Result<Device, GpuError> {
        let _quiet = QuietStderr::begin();
        let mut found = enumerate()?;
        let labels: Vec<DeviceLabel> = found.iter().map(|(label, _)| label.clone()).collect();
        let (label, adapter) = found.swap_remove(choose(choice, &labels)?);
        let timestamps = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let opened = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("destrier"),
            required_features: timestamps,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        }));
        let (device, queue) =
            opened.map_err(|error| GpuError::Refused(format!("{label} cannot be opened: {error}")))?;
        let fault = Arc::new(Mutex::new(None));
        watch_faults(&device, &fault, &label);
        let clock = (!timestamps.is_empty()).then(|| clock(&device, &queue));
        Ok(Device { device, queue, label, clock, staging: None, fault })
    }

    /// The device's name and kind.
    pub fn label(&self) -> &DeviceLabel {
        &self.label
    }

    /// The device's limits.
    pub fn limits(&self) -> wgpu::Limits {
        self.device.limits()
    }

    /// Compiles the entry point `main` of a shader.
    ///
    /// # Errors
    /// [`GpuError`] when the shader is invalid or the device is lost.
    pub fn compile(&self, name: &str, wgsl: &str) -> Result<wgpu::ComputePipeline, GpuError> {
        let source = wgpu::ShaderSource::Wgsl(wgsl.into());
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source });
        self.check()?;
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        self.check()?;
        Ok(pipeline)
    }

    /// A storage buffer of `bytes` bytes, all 0. Shaders read and write it; this program writes it and reads it back.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub fn buffer(&self, name: &str, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if bytes > most {
            let text = format!("{} holds at most {most} bytes for {name}, not {bytes}", self.label);
            return Err(GpuError::Refused(text));
        }
        // Too little memory is no fault of the work before or after it: an error scope keeps it out of the slot.
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let size = bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(wgpu::COPY_BUFFER_ALIGNMENT);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = new_buffer(&self.device, name, size, usage);
        let refused = pollster::block_on(scope.pop());
        self.check()?;
        if refused.is_some() {
            return Err(GpuError::Refused(format!("{} has not enough memory for {name}", self.label)));
        }
        Ok(buffer)
    }

    /// A storage buffer with this content.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(super) fn buffer_with<T: NoUninit>(&self, name: &str, content: &[T]) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.buffer(name, size_of_val(content) as u64)?;
        self.write(&buffer, content)?;
        Ok(buffer)
    }

    /// Writes to the beginning of a buffer, before the next work that runs.
    ///
    /// # Errors
    /// [`GpuError`] when the content does not fit, or the device is lost.
    pub fn write<T: NoUninit>(&self, buffer: &wgpu::Buffer, content: &[T]) -> Result<(), GpuError> {
        let (bytes, most) = (size_of_val(content) as u64, buffer.size());
        if bytes > most {
            return Err(GpuError::Invalid(format!("{bytes} bytes do not fit into a buffer of {most}")));
        }
        self.queue.write_buffer(buffer, 0, bytemuck::cast_slice(content));
        self.check()
    }

    /// Binds buffers to a kernel: the first to binding 0 of group 0, and so on.
    ///
    /// # Errors
    /// [`GpuError`] when the kernel declares other bindings.
    pub(in crate::gpu) fn bind(
        &self,
        kernel: &wgpu::ComputePipeline,
        buffers: &[&wgpu::Buffer],
    ) -> Result<wgpu::BindGroup, GpuError> {
        let entries: Vec<_> = buffers
            .iter()
            .enumerate()
            .map(|(k, buffer)| wgpu::BindGroupEntry { binding: k as u32, resource: buffer.as_entire_binding() })
            .collect();
        let layout = kernel.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let bound = self.device.create_bind_group(&descriptor);
        self.check()?;
        Ok(bound)
    }

    /// Runs dispatches one after the other; each sees what the ones before it wrote. Then reads from each buffer in
    /// `read` its first bytes, as many as its number says (a multiple of 4).
    ///
    /// # Errors
    /// [`GpuError::Lost`] when the device is lost, [`GpuError::Invalid`] when a call was invalid,
    /// [`GpuError::Refused`] when the device cannot hold all that is read at once.
    pub fn run<'a>(
        &mut self,
        work: impl IntoIterator<Item = Dispatch<'a>>,
        read: &[(&wgpu::Buffer, u64)],
    ) -> Result<(Vec<Vec<u8>>, DeviceCost), GpuError> {
        let began = Instant::now();
        let read_bytes: u64 = read.iter().map(|&(_, bytes)| bytes).sum();
        let staging = self.staging(read_bytes + TIMESTAMPS_BYTES)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let dispatches = self.encode(&mut encoder, work);
        let mut at = 0;
        for &(buffer, bytes) in read {
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, bytes);
            at += bytes;
        }
        if let Some(clock) = &self.clock {
            encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &staging, at, TIMESTAMPS_BYTES);
        }
        let index = self.queue.submit([encoder.finish()]);
        staging.slice(..read_bytes + TIMESTAMPS_BYTES).map_async(wgpu::MapMode::Read, |_| {});
        self.check()?;
        self.wait(index)?;
        let view =
            staging.slice(..read_bytes + TIMESTAMPS_BYTES).get_mapped_range().map_err(|error| self.fault(error))?;
        let mut rest = &view[..];
        let mut take = |bytes: u64| {
            let (part, left) = rest.split_at(bytes as usize);
            rest = left;
            part.to_vec()
        };
        let results = read.iter().map(|&(_, bytes)| take(bytes)).collect();
        let device = self.clock.as_ref().and_then(|clock| time_between(rest, clock.period));
        drop(view);
        staging.unmap();
        let spent = DeviceCost { wall: began.elapsed(), device, dispatches, submits: 1, readbacks: read.len() as u64 };
        Ok((results, spent))
    }

    fn encode<'a>(&self, encoder: &mut wgpu::CommandEncoder, work: impl IntoIterator<Item = Dispatch<'a>>) -> u64 {
        let timestamp_writes = self.clock.as_ref().map(|clock| wgpu::ComputePassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        let mut dispatches = 0;
        for Dispatch { kernel, bound, groups: [x, y, z] } in work {
            pass.set_pipeline(kernel);
            pass.set_bind_group(0, bound, &[]);
            pass.dispatch_workgroups(x, y, z);
            dispatches += 1;
        }
        dispatches
    }

    /// A mappable buffer of at least `bytes` bytes, not mapped now. It is reused from call to call.
    fn staging(&mut self, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        if let Some(staging) = self.staging.as_ref().filter(|staging| staging.size() >= bytes) {
            return Ok(staging.clone());
        }
        let size = staging_size(bytes, self.device.limits().max_buffer_size).map_err(|most| {
            GpuError::Refused(format!("{} reads back at most {most} bytes at once, not {bytes}", self.label))
        })?;
        let staging = new_buffer(&self.device, "staging", size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        self.check()?;
        Ok(self.staging.insert(staging).clone())
    }

    /// Waits until the submission is done and its results are mapped.
    fn wait(&self, index: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let began = Instant::now();
        loop {
            let poll = wgpu::PollType::Wait { submission_index: Some(index.clone()), timeout: Some(POLL_TIMEOUT) };
            let polled = self.device.poll(poll);
            self.check()?;
            match polled {
                Ok(_) => return Ok(()),
                Err(wgpu::PollError::Timeout) if began.elapsed() < LOST_AFTER => {}
                Err(wgpu::PollError::Timeout) => {
                    return Err(GpuError::Lost(format!("it did not answer within {} s", LOST_AFTER.as_secs())));
                }
                Err(error) => return Err(self.fault(error)),
            }
        }
    }

    /// The fault reported since the device was opened, if any.
    fn check(&self) -> Result<(), GpuError> {
        let reported = || self.fault.locked().clone();
        match reported() {
            None => Ok(()),
            Some(lost @ GpuError::Lost(_)) => Err(lost),
            Some(fault) => {
                // Only a poll reports that the device is lost, and only after the faults that follow from the loss.
                let _ = self.device.poll(wgpu::PollType::Poll);
                Err(reported().unwrap_or(fault))
            }
        }
    }

    /// The reported fault, or else `error`.
    fn fault(&self, error: impl std::fmt::Display) -> GpuError {
        // A failed wait does not yet report that the device is lost; a poll does.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.check().err().unwrap_or_else(|| GpuError::Invalid(error.to_string()))
    }
}

fn new_buffer(device: &wgpu::Device, name: &str, size: u64, usage: BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(name), size, usage, mapped_at_creation: false })
}

/// The size of a staging buffer for `bytes` bytes: the next power of two, up to the limit `most`; `Err(most)` beyond
/// it.
fn staging_size(bytes: u64, most: u64) -> Result<u64, u64> {
    if bytes <= most { Ok(bytes.checked_next_power_of_two().map_or(most, |size| size.min(most))) } else { Err(most) }
}

/// The time between two timestamps, in ticks of `period` nanoseconds; `None` if the clock stands still or runs
/// backwards.
fn time_between(stamps: &[u8], period: f32) -> Option<Duration> {
    let [start, end] = [0, 8].map(|at| bytemuck::pod_read_unaligned::<u64>(&stamps[at..at + 8]));
    let nanos = (end.checked_sub(start)? as f64 * f64::from(period)) as u64;
    (nanos > 0).then(|| Duration::from_nanos(nanos))
}

/// Every adapter of this machine with its limits, the preferred kind first.
///
/// # Errors
/// [`GpuError::NoAdapter`] when there is none.
pub fn offers() -> Result<Vec<AdapterOffer>, GpuError> {
    let _quiet = QuietStderr::begin();
    let offer = |(label, adapter): (DeviceLabel, wgpu::Adapter)| {
        let limits = adapter.limits();
        AdapterOffer {
            label,
            invocations: limits.max_compute_invocations_per_workgroup,
            workgroup_bytes: limits.max_compute_workgroup_storage_size,
            binding_bytes: limits.max_storage_buffer_binding_size.min(limits.max_buffer_size),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
        }
    };
    Ok(enumerate()?.into_iter().map(offer).collect())
}

fn enumerate() -> Result<Vec<(DeviceLabel, wgpu::Adapter)>, GpuError> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::VULKAN;
    let instance = wgpu::Instance::new(descriptor);
    let found = block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
    let mut found: Vec<_> = found.into_iter().map(|adapter| (label(&adapter.get_info()), adapter)).collect();
    if found.is_empty() {
        return Err(GpuError::NoAdapter(why_none(&instance).to_owned()));
    }
    found.sort_by_key(|(label, _)| label.kind);
    Ok(found)
}

/// Why an instance without adapters has none.
fn why_none(instance: &wgpu::Instance) -> &'static str {
    match block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())) {
        Err(wgpu::RequestAdapterError::NotFound { active_backends, .. }) if active_backends.is_empty() => {
            "the Vulkan loader or its drivers could not be loaded"
        }
        _ => "the Vulkan drivers find no device",
    }
}

fn label(info: &wgpu::AdapterInfo) -> DeviceLabel {
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => DeviceKind::Discrete,
        wgpu::DeviceType::IntegratedGpu => DeviceKind::Integrated,
        wgpu::DeviceType::VirtualGpu => DeviceKind::Virtual,
        wgpu::DeviceType::Cpu => DeviceKind::Software,
        wgpu::DeviceType::Other => DeviceKind::Other,
    };
    let driver = [&info.driver, &info.driver_info].map(|part| part.trim()).join(" ").trim().to_owned();
    // The texts come from the driver and may hold control characters.
    DeviceLabel { name: visible(&info.name), kind, driver: visible(&driver) }
}

/// Stores the faults that the device reports in the slot. The loss of the device replaces a fault that follows from
/// it.
fn watch_faults(device: &wgpu::Device, fault: &Arc<Mutex<Option<GpuError>>>, label: &DeviceLabel) {
    let (slot, name) = (fault.clone(), label.clone());
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        let fault = match error {
            wgpu::Error::OutOfMemory { .. } => GpuError::Refused(format!("{name} has not enough memory")),
            error => GpuError::Invalid(error.to_string()),
        };
        slot.locked().get_or_insert(fault);
    }));
    let (slot, name) = (fault.clone(), label.clone());
    device.set_device_lost_callback(move |_, message| {
        let message = message.trim();
        let why = if message.is_empty() { "the driver does not say why" } else { message };
        *slot.locked() = Some(GpuError::Lost(format!("{name}: {why}")));
    });
}

fn clock(device: &wgpu::Device, queue: &wgpu::Queue) -> PassClock {
    let descriptor = wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 };
    let queries = device.create_query_set(&descriptor);
    let usage = BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC;
    let resolved = new_buffer(device, "timestamps", TIMESTAMPS_BYTES, usage);
    PassClock { queries, resolved, period: queue.get_timestamp_period() }
}

#[cfg(test)]
mod tests;
