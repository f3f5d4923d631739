//! Where the work of a shader is done: on the chosen device, or on the CPU instead.

use super::label::{AdapterOffer, DeviceChoice, DeviceLabel, DoneBy, GpuError};

/// Where work is done.
pub enum DevicePlace {
    /// On the CPU; with the reason, if a device was chosen.
    Cpu(Option<GpuError>),
    #[cfg(feature = "gpu")]
    Device(super::device::Device),
}

impl DevicePlace {
    /// Opens the chosen device. This may take seconds: call it neither before the first frame nor on the thread
    /// that draws.
    ///
    /// # Errors
    /// [`GpuError`] when there is no such device and the choice does not allow the CPU instead.
    pub fn open(choice: &DeviceChoice) -> Result<DevicePlace, GpuError> {
        if *choice == DeviceChoice::Cpu {
            return Ok(DevicePlace::Cpu(None));
        }
        #[cfg(feature = "gpu")]
        let placed = super::device::Device::open(choice).map(DevicePlace::Device);
        #[cfg(not(feature = "gpu"))]
        let placed = Err(GpuError::NotBuilt);
        match placed {
            Err(why) if choice.allows_cpu() => Ok(DevicePlace::Cpu(Some(why))),
            placed => placed,
        }
    }

    /// Prepares work at this place, which was opened for `choice`. If the device refuses the work, it is prepared on
    /// the CPU, unless the choice names a device or software.
    ///
    /// # Errors
    /// [`GpuError`] when the work cannot be prepared.
    pub fn prepare<T>(
        self,
        choice: &DeviceChoice,
        prepare: impl Fn(DevicePlace) -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        match prepare(self) {
            Err(refusal) if choice.allows_cpu() => prepare(DevicePlace::Cpu(Some(refusal))),
            prepared => prepared,
        }
    }

    /// What will do work at this place.
    pub fn done_by(&self) -> DoneBy {
        match self {
            DevicePlace::Cpu(instead) => DoneBy { label: DeviceLabel::cpu(), instead: instead.clone() },
            #[cfg(feature = "gpu")]
            DevicePlace::Device(device) => DoneBy { label: device.label().clone(), instead: None },
        }
    }
}

/// Every adapter of this machine, the preferred kind first. This may take seconds.
///
/// # Errors
/// [`GpuError`] when there is none.
pub fn adapters() -> Result<Vec<DeviceLabel>, GpuError> {
    Ok(offers()?.into_iter().map(|offer| offer.label).collect())
}

/// Every adapter of this machine with its limits, in the order of [`adapters`].
///
/// # Errors
/// [`GpuError`] when there is none.
pub fn offers() -> Result<Vec<AdapterOffer>, GpuError> {
    #[cfg(feature = "gpu")]
    return super::device::offers();
    #[cfg(not(feature = "gpu"))]
    Err(GpuError::NotBuilt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twin_needs_no_device() {
        assert!(matches!(DevicePlace::open(&DeviceChoice::Cpu), Ok(DevicePlace::Cpu(None))));
    }

    #[test]
    fn the_twin_does_what_a_device_refuses_unless_the_device_was_named() {
        let refusal = GpuError::Refused("no room".to_owned());
        let prepare = |place| match place {
            DevicePlace::Cpu(Some(why)) => Ok(why),
            _ => Err(refusal.clone()),
        };
        // A place without a reason stands for a device that refuses the work.
        for choice in [DeviceChoice::Any, DeviceChoice::Hardware] {
            let prepared = DevicePlace::Cpu(None).prepare(&choice, prepare);
            assert_eq!(prepared, Ok(refusal.clone()), "{choice}");
        }
        for choice in [DeviceChoice::Software, DeviceChoice::Named("x".to_owned()), DeviceChoice::Cpu] {
            assert_eq!(DevicePlace::Cpu(None).prepare(&choice, prepare), Err(refusal.clone()), "{choice}");
        }
        let none = GpuError::NotBuilt;
        let prepared = DevicePlace::Cpu(Some(none.clone())).prepare(&DeviceChoice::Any, prepare);
        assert_eq!(prepared, Ok(none), "the reason why there is no device is kept");
    }
}
