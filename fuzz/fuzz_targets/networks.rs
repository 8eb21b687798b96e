//! Network files of IMSuite: the first byte selects the kernel. A valid file is written and read again as itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plusminus_suite::imsuite::{Kernel, Original};

fuzz_target!(|data: &[u8]| {
    let [kernel, rest @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let kernel = Kernel::ALL[usize::from(*kernel) % Kernel::ALL.len()];
    match Original::read(kernel, text) {
        Ok(read) => {
            let written = read.write();
            let again = Original::read(kernel, &written).expect("what we write can be read");
            assert_eq!(again.write(), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
