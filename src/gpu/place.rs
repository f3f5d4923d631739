//! Where the work of a shader is done: on the device that is wanted, or on the CPU in its place.

use super::label::{AdapterOffer, DeviceChoice, DeviceLabel, GpuError};

/// Where work is done.
pub enum DevicePlace {
    /// On the CPU; because of this, if a device was wanted.
    Cpu(Option<GpuError>),
    /// On a device.
    #[cfg(feature = "gpu")]
    Device(super::device::Device),
}

impl DevicePlace {
    /// Opens what is wanted. This takes up to seconds: not before the first frame, and not on its thread.
    ///
    /// # Errors
    /// [`GpuError`] when a device was named, or software asked for, and it is not there.
    pub fn open(wanted: &DeviceChoice) -> Result<DevicePlace, GpuError> {
        if *wanted == DeviceChoice::Cpu {
            return Ok(DevicePlace::Cpu(None));
        }
        match DevicePlace::device(wanted) {
            Err(why) if wanted.is_a_hope() => Ok(DevicePlace::Cpu(Some(why))),
            placed => placed,
        }
    }

    /// Prepares work at this place, which was opened because it was wanted. Where the device cannot do it the CPU does,
    /// unless the device was named, or software asked for: the work, and why the CPU does it.
    ///
    /// # Errors
    /// [`GpuError`] when it cannot be prepared.
    pub fn prepare<T>(
        self,
        wanted: &DeviceChoice,
        prepare: impl Fn(DevicePlace) -> Result<T, GpuError>,
    ) -> Result<(T, Option<GpuError>), GpuError> {
        let why = match &self {
            DevicePlace::Cpu(why) => why.clone(),
            #[cfg(feature = "gpu")]
            DevicePlace::Device(_) => None,
        };
        match prepare(self) {
            Err(refusal) if wanted.is_a_hope() => {
                Ok((prepare(DevicePlace::Cpu(Some(refusal.clone())))?, Some(refusal)))
            }
            prepared => Ok((prepared?, why)),
        }
    }

    #[cfg(feature = "gpu")]
    fn device(wanted: &DeviceChoice) -> Result<DevicePlace, GpuError> {
        super::device::Device::open(wanted).map(DevicePlace::Device)
    }

    #[cfg(not(feature = "gpu"))]
    fn device(_: &DeviceChoice) -> Result<DevicePlace, GpuError> {
        Err(GpuError::NotBuilt)
    }
}

/// Every adapter there is, the one that is preferred first. This takes up to seconds.
///
/// # Errors
/// [`GpuError`] when there is none.
pub fn adapters() -> Result<Vec<DeviceLabel>, GpuError> {
    Ok(offers()?.into_iter().map(|offer| offer.label).collect())
}

/// The adapters as [`adapters`] has them, and what each can do at most.
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
    fn the_twin_does_what_a_device_refuses_unless_that_was_named() {
        let refusal = GpuError::Refused("no room".to_owned());
        let prepare = |place| match place {
            DevicePlace::Cpu(Some(why)) => Ok(why),
            _ => Err(refusal.clone()),
        };
        // A place without a reason stands for a device: it refuses.
        for wanted in [DeviceChoice::Any, DeviceChoice::Hardware] {
            let prepared = DevicePlace::Cpu(None).prepare(&wanted, prepare);
            assert_eq!(prepared, Ok((refusal.clone(), Some(refusal.clone()))), "{wanted}");
        }
        for wanted in [DeviceChoice::Software, DeviceChoice::Named("x".to_owned()), DeviceChoice::Cpu] {
            assert_eq!(DevicePlace::Cpu(None).prepare(&wanted, prepare), Err(refusal.clone()), "{wanted}");
        }
        let none = GpuError::NotBuilt;
        let prepared = DevicePlace::Cpu(Some(none.clone())).prepare(&DeviceChoice::Any, prepare);
        assert_eq!(prepared, Ok((none.clone(), Some(none))), "why there is no device is not forgotten");
    }
}
