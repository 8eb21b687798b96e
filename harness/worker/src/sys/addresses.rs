//! Where the system loads programs: at random addresses, or at the same ones every time, where it lets that be chosen.

/// While this lives, processes that this thread starts are loaded at the same addresses every time: their stack, heap and
/// libraries lie where their own sizes put them. Elsewhere than under Linux nothing happens.
#[derive(Debug)]
pub struct FixedAddresses {
    #[cfg(target_os = "linux")]
    before: Option<libc::c_int>,
}

#[cfg(target_os = "linux")]
impl FixedAddresses {
    /// Asks for fixed addresses. If the system does not permit that, as under some container policies, they stay
    /// random.
    pub fn begin() -> Self {
        let before = personality(PRESENT);
        let set = before >= 0 && personality(before | libc::ADDR_NO_RANDOMIZE) >= 0;
        Self { before: set.then_some(before) }
    }
}

#[cfg(target_os = "linux")]
impl Drop for FixedAddresses {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            personality(before);
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl FixedAddresses {
    /// Does nothing: this system is not known.
    pub fn begin() -> Self {
        Self {}
    }
}

/// Has the programs that this process starts loaded at random addresses, even if it was not itself. Their own paths and
/// arguments move their stacks, by the same distance in every process of fixed addresses.
#[cfg(target_os = "linux")]
pub fn random_for_children() {
    let before = personality(PRESENT);
    if before >= 0 && before & libc::ADDR_NO_RANDOMIZE != 0 {
        personality(before & !libc::ADDR_NO_RANDOMIZE);
    }
}

/// Asks for the present personality and changes nothing.
#[cfg(target_os = "linux")]
const PRESENT: libc::c_int = -1;

#[cfg(target_os = "linux")]
fn personality(wanted: libc::c_int) -> libc::c_int {
    // SAFETY: the personality of a thread decides about programs that it starts; nothing of ours depends on it.
    unsafe { libc::personality(wanted as libc::c_uint as libc::c_ulong) }
}

/// Does nothing: this system is not known.
#[cfg(not(target_os = "linux"))]
pub fn random_for_children() {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{FixedAddresses, PRESENT, personality, random_for_children};

    #[test]
    fn addresses_are_fixed_while_it_lives() {
        let before = personality(PRESENT);
        let fixed = FixedAddresses::begin();
        if fixed.before.is_some() {
            assert_ne!(personality(PRESENT) & libc::ADDR_NO_RANDOMIZE, 0);
        }
        let of_a_worker = std::thread::spawn(|| {
            random_for_children();
            personality(PRESENT)
        });
        assert_eq!(of_a_worker.join().unwrap() & libc::ADDR_NO_RANDOMIZE, 0);
        drop(fixed);
        assert_eq!(personality(PRESENT), before);
    }
}

/// The address at which the running program begins.
#[cfg(target_os = "linux")]
pub fn program_entry() -> Option<u64> {
    // SAFETY: the call reads a table that the system has made for this process; an unknown key gives 0.
    Some(unsafe { libc::getauxval(libc::AT_ENTRY) }).filter(|&address| address != 0)
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn program_entry() -> Option<u64> {
    None
}
