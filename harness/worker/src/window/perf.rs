//! Events that the processor and the system count, where the feature `perf` is on and the system permits it.

#[cfg(all(feature = "perf", target_os = "linux"))]
pub(super) use linux::Counters;

#[cfg(not(all(feature = "perf", target_os = "linux")))]
pub(super) use absent::Counters;

#[cfg(not(all(feature = "perf", target_os = "linux")))]
mod absent {
    use crate::protocol::Counter;

    pub(in crate::window) struct Counters;

    impl Counters {
        /// Opens nothing. Without the feature, no reason is given either.
        pub(in crate::window) fn open() -> (Self, Vec<String>) {
            let reason = "hardware counters exist on Linux only".to_owned();
            (Self, if cfg!(feature = "perf") { vec![reason] } else { Vec::new() })
        }

        pub(in crate::window) fn is_empty(&self) -> bool {
            true
        }

        pub(in crate::window) fn start(&self) {}

        pub(in crate::window) fn stop(&self) {}

        pub(in crate::window) fn per_call(&self, _calls: u64) -> Vec<Counter> {
            Vec::new()
        }
    }
}

#[cfg(all(feature = "perf", target_os = "linux"))]
mod linux {
    use std::{
        fs::File,
        io::{self, Read},
        os::fd::{AsRawFd, FromRawFd},
    };

    use crate::protocol::Counter;

    /// Name, type and number of the events, as `perf_event_open(2)` lists them.
    const EVENTS: [(&str, u32, u64); 6] = [
        ("instructions", 0, 1),
        ("cycles", 0, 0),
        ("cache references", 0, 2),
        ("cache misses", 0, 3),
        ("branch misses", 0, 5),
        ("page faults", 1, 2),
    ];

    /// The first version of the kernel's `struct perf_event_attr`, which later kernels still take.
    #[repr(C)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        sample_period: u64,
        sample_type: u64,
        read_format: u64,
        flags: u64,
        wakeup: u32,
        breakpoint: u32,
        breakpoint_address: u64,
    }

    /// Counts of user code only, of this thread and its children, and off at the beginning.
    const DISABLED: u64 = 1;
    const INHERIT: u64 = 1 << 1;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

    /// Read the time enabled and the time running with the count.
    const TIMES: u64 = 1 | 2;

    const ENABLE: libc::Ioctl = 0x2400;
    const DISABLE: libc::Ioctl = 0x2401;

    pub(in crate::window) struct Counters(Vec<(&'static str, File)>);

    impl Counters {
        /// Opens the available counters, and returns why the others are not available.
        pub(in crate::window) fn open() -> (Self, Vec<String>) {
            if crate::processors() > 1 {
                let reason =
                    "hardware counters follow one thread, and this kernel is parallel".to_owned();
                return (Self(Vec::new()), vec![reason]);
            }
            let (mut open, mut absent) = (Vec::new(), Vec::<(String, Vec<&str>)>::new());
            for (name, kind, config) in EVENTS {
                match open_one(kind, config) {
                    Ok(file) => open.push((name, file)),
                    Err(error) => {
                        let reason = reason(&error);
                        match absent.iter_mut().find(|(known, _)| *known == reason) {
                            Some((_, names)) => names.push(name),
                            None => absent.push((reason, vec![name])),
                        }
                    }
                }
            }
            let sentence = |(reason, names): (String, Vec<&str>)| {
                format!("{} not counted: {reason}", names.join(", "))
            };
            (Self(open), absent.into_iter().map(sentence).collect())
        }

        pub(in crate::window) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        pub(in crate::window) fn start(&self) {
            self.tell(ENABLE);
        }

        pub(in crate::window) fn stop(&self) {
            self.tell(DISABLE);
        }

        fn tell(&self, what: libc::Ioctl) {
            for (_, file) in &self.0 {
                // SAFETY: the descriptor is open and belongs to `file`; these requests take no pointer.
                unsafe { libc::ioctl(file.as_raw_fd(), what, 0) };
            }
        }

        /// The counts since the beginning, for one of `calls` calls.
        pub(in crate::window) fn per_call(&self, calls: u64) -> Vec<Counter> {
            let read = |(name, file): &(&'static str, File)| {
                let mut bytes = [0; 24];
                let mut reader: &File = file;
                reader.read_exact(&mut bytes).ok()?;
                let number =
                    |at: usize| bytes[at..at + 8].try_into().map_or(0, u64::from_ne_bytes) as f64;
                let (count, enabled, running) = (number(0), number(8), number(16));
                // A counter that never ran has nothing to say.
                (running > 0.0).then(|| Counter {
                    name: (*name).to_owned(),
                    per_call: count * (enabled / running) / calls.max(1) as f64,
                    counted_share: running / enabled,
                })
            };
            self.0.iter().filter_map(read).collect()
        }
    }

    fn open_one(kind: u32, config: u64) -> io::Result<File> {
        let attributes = Attributes {
            kind,
            size: size_of::<Attributes>() as u32,
            config,
            sample_period: 0,
            sample_type: 0,
            read_format: TIMES,
            flags: DISABLED | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            wakeup: 0,
            breakpoint: 0,
            breakpoint_address: 0,
        };
        let (this_thread, any_processor, no_group, close_on_exec) = (0, -1, -1, 8_u64);
        // SAFETY: `attributes` is a valid structure of the size that it states, and lives through the call.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_thread,
                any_processor,
                no_group,
                close_on_exec,
            )
        };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just created, is open, and nothing else owns it.
        Ok(unsafe { File::from_raw_fd(descriptor as i32) })
    }

    fn reason(error: &io::Error) -> String {
        match error.raw_os_error() {
            Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => {
                "this machine, or its hypervisor, has no such counter".to_owned()
            }
            Some(libc::EACCES | libc::EPERM) => {
                "the system does not permit it; set /proc/sys/kernel/perf_event_paranoid to 2 or less".to_owned()
            }
            Some(libc::ENOSYS) => "this system has no performance events".to_owned(),
            _ => error.to_string(),
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_counter_counts_or_says_why_not() {
            let (counters, absent) = Counters::open();
            let named: Vec<&str> = counters.0.iter().map(|(name, _)| *name).collect();
            for (name, ..) in EVENTS {
                let explained = absent.iter().any(|reason| reason.contains(name));
                assert_ne!(named.contains(&name), explained, "{name}: {absent:?}");
            }
            counters.start();
            // Memory that is written for the first time: each page is a fault.
            let block = vec![1_u8; 64 << 20];
            counters.stop();
            let faults = counters.per_call(1).into_iter().find(|c| c.name == "page faults");
            if let Some(faults) = faults {
                assert!(faults.per_call >= 16.0, "{faults:?} for {} bytes", block.len());
            }
        }
    }
}
