//! An open device: kernels and memory for it, and how it is told to run.

use crate::gpu::cost::DeviceCost;
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::lock::LockAlways as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long one wait for the device lasts before it is asked whether it is still there.
const WAIT: Duration = Duration::from_millis(20);
/// After this long without an answer a device counts as lost; compiling a shader in software takes seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// Workgroups in one dimension of a dispatch, on any device.
pub const GROUPS_MAX: u32 = 65_535;

/// A device that has been opened.
pub struct Device {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) label: DeviceLabel,
    pub(super) clock: Option<PassClock>,
    pub(super) staging: Option<wgpu::Buffer>,
    pub(super) fault: Arc<Mutex<Option<GpuError>>>,
}

/// Two timestamps around a compute pass.
pub(super) struct PassClock {
    pub(super) queries: wgpu::QuerySet,
    pub(super) resolved: wgpu::Buffer,
    /// Nanoseconds in a tick.
    pub(super) period: f32,
}

/// Bytes of two timestamps.
pub(super) const STAMPS: u64 = 16;

/// A compute shader, ready to run.
pub struct ComputeKernel {
    pipeline: wgpu::ComputePipeline,
}

/// One start of a kernel.
pub struct Dispatch<'a> {
    /// The kernel.
    pub kernel: &'a ComputeKernel,
    /// What its bindings are, made by [`Device::bind`].
    pub bound: &'a wgpu::BindGroup,
    /// Workgroups in each dimension, each up to [`GROUPS_MAX`].
    pub groups: [u32; 3],
}

impl Device {
    /// Its name.
    pub fn label(&self) -> &DeviceLabel {
        &self.label
    }

    /// What it can do at most.
    pub fn limits(&self) -> wgpu::Limits {
        self.device.limits()
    }

    /// Compiles the entry point `main` of a shader.
    ///
    /// # Errors
    /// [`GpuError`] when it is not valid, or the device is gone.
    pub fn kernel(&self, name: &str, wgsl: &str) -> Result<ComputeKernel, GpuError> {
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
        Ok(ComputeKernel { pipeline })
    }

    /// Storage of so many bytes, all 0, that shaders read and write, and that can be written and read back from here.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub fn memory(&self, name: &str, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if bytes > most {
            let text = format!("{} takes up to {most} bytes for {name}, not {bytes}", self.label);
            return Err(GpuError::Refused(text));
        }
        // Too little memory is no fault of what was done before or is done next: it stays out of the slot.
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(name),
            size: bytes.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(wgpu::COPY_BUFFER_ALIGNMENT),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let refused = pollster::block_on(scope.pop());
        self.check()?;
        if refused.is_some() {
            return Err(GpuError::Refused(format!("{} has not enough memory for {name}", self.label)));
        }
        Ok(buffer)
    }

    /// Storage that holds this.
    ///
    /// # Errors
    /// As [`Device::memory`].
    pub(in crate::gpu) fn memory_of<T: bytemuck::NoUninit>(
        &self,
        name: &str,
        content: &[T],
    ) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.memory(name, size_of_val(content) as u64)?;
        self.write(&buffer, content)?;
        Ok(buffer)
    }

    /// Writes to the beginning of a storage before whatever is run next.
    ///
    /// # Errors
    /// [`GpuError`] when the content does not fit, or the device is gone.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &wgpu::Buffer, content: &[T]) -> Result<(), GpuError> {
        let (bytes, most) = (size_of_val(content) as u64, buffer.size());
        if bytes > most {
            return Err(GpuError::Invalid(format!("{bytes} bytes do not fit into a storage of {most}")));
        }
        self.queue.write_buffer(buffer, 0, bytemuck::cast_slice(content));
        self.check()
    }

    /// Binds storages to a kernel: the first to binding 0 of group 0, and so on.
    ///
    /// # Errors
    /// [`GpuError`] when they are not what the kernel declares.
    pub(in crate::gpu) fn bind(
        &self,
        kernel: &ComputeKernel,
        storages: &[&wgpu::Buffer],
    ) -> Result<wgpu::BindGroup, GpuError> {
        let entries: Vec<_> = storages
            .iter()
            .enumerate()
            .map(|(k, buffer)| wgpu::BindGroupEntry { binding: k as u32, resource: buffer.as_entire_binding() })
            .collect();
        let layout = kernel.pipeline.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let bound = self.device.create_bind_group(&descriptor);
        self.check()?;
        Ok(bound)
    }

    /// Runs dispatches one after the other, each seeing what those before it wrote, then reads the storages back, each
    /// from its beginning for so many bytes (a multiple of 4).
    ///
    /// # Errors
    /// [`GpuError::Lost`] when the device went away, [`GpuError::Invalid`] when something was wrong,
    /// [`GpuError::Refused`] when it cannot hold what is to be read at once.
    pub fn run<'a>(
        &mut self,
        work: impl IntoIterator<Item = Dispatch<'a>>,
        read: &[(&wgpu::Buffer, u64)],
    ) -> Result<(Vec<Vec<u8>>, DeviceCost), GpuError> {
        let began = Instant::now();
        let wanted: u64 = read.iter().map(|&(_, bytes)| bytes).sum();
        let staging = self.staging(wanted + STAMPS)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let dispatches = self.encode(&mut encoder, work);
        let mut at = 0;
        for &(buffer, bytes) in read {
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, bytes);
            at += bytes;
        }
        if let Some(clock) = &self.clock {
            encoder.resolve_query_set(&clock.queries, 0..2, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &staging, at, STAMPS);
        }
        let index = self.queue.submit([encoder.finish()]);
        staging.slice(..wanted + STAMPS).map_async(wgpu::MapMode::Read, |_| {});
        self.check()?;
        self.wait(index)?;
        let view = staging.slice(..wanted + STAMPS).get_mapped_range().map_err(|error| self.fault(error))?;
        let mut rest = &view[..];
        let mut take = |bytes: u64| {
            let (taken, left) = rest.split_at(bytes as usize);
            rest = left;
            taken.to_vec()
        };
        let results = read.iter().map(|&(_, bytes)| take(bytes)).collect();
        let device = self.clock.as_ref().and_then(|clock| between(rest, clock.period));
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
            pass.set_pipeline(&kernel.pipeline);
            pass.set_bind_group(0, bound, &[]);
            pass.dispatch_workgroups(x, y, z);
            dispatches += 1;
        }
        dispatches
    }

    /// Memory for so many bytes that can be mapped; the same one again and again, and not mapped now.
    fn staging(&mut self, bytes: u64) -> Result<wgpu::Buffer, GpuError> {
        if let Some(staging) = self.staging.as_ref().filter(|staging| staging.size() >= bytes) {
            return Ok(staging.clone());
        }
        let size = staging_size(bytes, self.device.limits().max_buffer_size)
            .map_err(|most| GpuError::Refused(format!("{} reads back up to {most} bytes, not {bytes}", self.label)))?;
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.check()?;
        Ok(self.staging.insert(staging).clone())
    }

    /// Waits until this has been done and mapped.
    fn wait(&self, index: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let began = Instant::now();
        loop {
            let poll = wgpu::PollType::Wait { submission_index: Some(index.clone()), timeout: Some(WAIT) };
            let polled = self.device.poll(poll);
            self.check()?;
            match polled {
                Ok(_) => return Ok(()),
                Err(wgpu::PollError::Timeout) if began.elapsed() < PATIENCE => {}
                Err(wgpu::PollError::Timeout) => {
                    return Err(GpuError::Lost(format!("it did not answer within {} s", PATIENCE.as_secs())));
                }
                Err(error) => return Err(self.fault(error)),
            }
        }
    }

    /// What has been reported since it was opened, if anything.
    fn check(&self) -> Result<(), GpuError> {
        let reported = || self.fault.locked().clone();
        match reported() {
            None => Ok(()),
            Some(lost @ GpuError::Lost(_)) => Err(lost),
            Some(fault) => {
                // That the device is lost is told by a poll alone, after whatever followed from it.
                let _ = self.device.poll(wgpu::PollType::Poll);
                Err(reported().unwrap_or(fault))
            }
        }
    }

    /// What was reported, or else this.
    fn fault(&self, error: impl std::fmt::Display) -> GpuError {
        // A wait that fails has not told yet that the device is lost.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.check().err().unwrap_or_else(|| GpuError::Invalid(error.to_string()))
    }

    /// Loses the device on purpose.
    #[cfg(test)]
    pub fn lose(&self) {
        self.device.destroy();
    }
}

/// The size of a staging memory for so many bytes, with room to spare where the device has it; or else its limit.
pub(super) fn staging_size(bytes: u64, most: u64) -> Result<u64, u64> {
    match bytes <= most {
        true => Ok(bytes.checked_next_power_of_two().map_or(most, |size| size.min(most))),
        false => Err(most),
    }
}

/// The time between two timestamps, in ticks of `period` nanoseconds. Of a clock that stands still or runs backwards
/// it is not known.
pub(super) fn between(stamps: &[u8], period: f32) -> Option<Duration> {
    let [begun, ended] = [0, 8].map(|at| bytemuck::pod_read_unaligned::<u64>(&stamps[at..at + 8]));
    let nanos = (ended.checked_sub(begun)? as f64 * f64::from(period)) as u64;
    (nanos > 0).then(|| Duration::from_nanos(nanos))
}
