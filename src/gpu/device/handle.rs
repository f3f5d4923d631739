//! An open device: its kernels, its buffers, and how work runs on it.

use crate::gpu::cost::DeviceCost;
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::lock::LockAlways as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Timeout of one poll; between two polls the device is checked for loss.
const POLL_TIMEOUT: Duration = Duration::from_millis(20);
/// A device that does not answer for this long counts as lost. Compiling a shader in software takes seconds.
const LOST_AFTER: Duration = Duration::from_secs(120);
/// Workgroups in one dimension of a dispatch, on any device.
pub const GROUPS_MAX: u32 = 65_535;

/// An open device.
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
    /// Nanoseconds of a tick.
    pub(super) period: f32,
}

/// Bytes of two timestamps.
pub(super) const TIMESTAMPS_BYTES: u64 = 16;

/// A compiled compute shader.
pub struct ComputeKernel {
    pipeline: wgpu::ComputePipeline,
}

/// One start of a kernel.
pub struct Dispatch<'a> {
    /// The kernel to start.
    pub kernel: &'a ComputeKernel,
    /// The buffers bound to the kernel by [`Device::bind`].
    pub bound: &'a wgpu::BindGroup,
    /// Workgroups in each dimension, each up to [`GROUPS_MAX`].
    pub groups: [u32; 3],
}

impl Device {
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
    pub fn compile(&self, name: &str, wgsl: &str) -> Result<ComputeKernel, GpuError> {
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

    /// A storage buffer with this content.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(in crate::gpu) fn buffer_with<T: bytemuck::NoUninit>(
        &self,
        name: &str,
        content: &[T],
    ) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.buffer(name, size_of_val(content) as u64)?;
        self.write(&buffer, content)?;
        Ok(buffer)
    }

    /// Writes to the beginning of a buffer, before the next work that runs.
    ///
    /// # Errors
    /// [`GpuError`] when the content does not fit, or the device is lost.
    pub fn write<T: bytemuck::NoUninit>(&self, buffer: &wgpu::Buffer, content: &[T]) -> Result<(), GpuError> {
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
        kernel: &ComputeKernel,
        buffers: &[&wgpu::Buffer],
    ) -> Result<wgpu::BindGroup, GpuError> {
        let entries: Vec<_> = buffers
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
            pass.set_pipeline(&kernel.pipeline);
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
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("staging"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
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

    /// Destroys the device, so that it is lost.
    #[cfg(test)]
    pub fn lose(&self) {
        self.device.destroy();
    }
}

/// The size of a staging buffer for `bytes` bytes: the next power of two, up to the limit `most`; `Err(most)` beyond
/// it.
pub(super) fn staging_size(bytes: u64, most: u64) -> Result<u64, u64> {
    match bytes <= most {
        true => Ok(bytes.checked_next_power_of_two().map_or(most, |size| size.min(most))),
        false => Err(most),
    }
}

/// The time between two timestamps, in ticks of `period` nanoseconds; `None` if the clock stands still or runs
/// backwards.
pub(super) fn time_between(stamps: &[u8], period: f32) -> Option<Duration> {
    let [start, end] = [0, 8].map(|at| bytemuck::pod_read_unaligned::<u64>(&stamps[at..at + 8]));
    let nanos = (end.checked_sub(start)? as f64 * f64::from(period)) as u64;
    (nanos > 0).then(|| Duration::from_nanos(nanos))
}
