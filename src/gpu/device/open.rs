//! Lists the adapters, and opens one as a device.

use super::handle::{Device, PassClock, TIMESTAMPS_BYTES};
use crate::gpu::label::{AdapterOffer, DeviceChoice, DeviceKind, DeviceLabel, GpuError, choose};
use crate::gpu::quiet::QuietStderr;
use crate::lock::LockAlways as _;
use crate::words::visible;
use pollster::block_on;
use std::sync::{Arc, Mutex};

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

impl Device {
    /// Opens the best adapter that matches the choice.
    ///
    /// # Errors
    /// [`GpuError`] when there is none, or when it refuses.
    pub fn open(choice: &DeviceChoice) -> Result<Device, GpuError> {
        let _quiet = QuietStderr::begin();
        let found = enumerate()?;
        let labels: Vec<DeviceLabel> = found.iter().map(|(label, _)| label.clone()).collect();
        let label = choose(choice, &labels)?.clone();
        let Some((label, adapter)) = found.into_iter().find(|(found, _)| *found == label) else {
            unreachable!("it was chosen from these");
        };
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
    let resolved = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("timestamps"),
        size: TIMESTAMPS_BYTES,
        usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    PassClock { queries, resolved, period: queue.get_timestamp_period() }
}
