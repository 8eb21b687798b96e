//! Facts about the machine and this process, from files of Linux that are simply absent elsewhere.

use std::fs;

/// The first line of a small system file, without the line end.
fn first_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}

/// The processor's name. One without a number, as hypervisors show for all they run on, is followed by what else they show:
/// times of two such processors would pass for times of one.
pub fn cpu_model() -> Option<String> {
    processor(&fs::read_to_string("/proc/cpuinfo").ok()?)
}

/// The name of the first processor in the text of the system.
fn processor(cpuinfo: &str) -> Option<String> {
    let value = |key: &str| {
        let mut pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        pairs.find(|(name, _)| name.trim_end() == key).map(|(_, value)| value.trim().to_owned())
    };
    let name = value("model name")?;
    if name.contains(|sign: char| sign.is_ascii_digit()) {
        return Some(name);
    }
    let known = ["cpu family", "model", "stepping", "cache size"]
        .into_iter()
        .filter_map(|key| Some(format!(", {key} {}", value(key)?)));
    Some(name + &known.collect::<String>())
}

/// The frequency governor of the first core, where the system shows it.
pub fn governor() -> Option<String> {
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
}

/// The version of the operating system's kernel.
pub fn system_version() -> Option<String> {
    first_line("/proc/sys/kernel/osrelease")
}

/// Address space layout randomisation: 0 off, 1 partly, 2 fully on.
pub fn address_randomisation() -> Option<String> {
    // A process can be started without it, as `setarch -R` and debuggers do; its workers inherit that.
    let of_this_process = first_line("/proc/self/personality");
    if of_this_process.is_some_and(|flags| has_fixed_addresses(&flags)) {
        return Some("0".to_owned());
    }
    first_line("/proc/sys/kernel/randomize_va_space")
}

/// Whether the flags of a process, in hexadecimal digits, keep its addresses from being random.
fn has_fixed_addresses(flags: &str) -> bool {
    const ADDR_NO_RANDOMIZE: u32 = 0x0004_0000;
    u32::from_str_radix(flags.trim(), 16).is_ok_and(|flags| flags & ADDR_NO_RANDOMIZE != 0)
}

/// Runnable processes, averaged over the last minute.
pub fn load_average() -> Option<f64> {
    first_line("/proc/loadavg")?.split(' ').next()?.parse().ok()
}

/// Time that the hypervisor gave to others since boot, in clock ticks, summed over the cores.
pub fn steal_ticks() -> Option<u64> {
    first_line("/proc/stat")?.split_whitespace().nth(8)?.parse().ok()
}

/// Time that the processors have worked since boot, in clock ticks, summed over the cores.
pub fn busy_ticks() -> Option<u64> {
    working(&first_line("/proc/stat")?)
}

/// The working time in the line of all processors: user, nice, system, and the time of interrupts.
fn working(line: &str) -> Option<u64> {
    let mut columns = line.split_whitespace().skip(1).map(str::parse::<u64>);
    let mut sum = 0;
    for index in 0..7 {
        let ticks = columns.next()?.ok()?;
        // The fourth and fifth are idle time.
        sum += if index == 3 || index == 4 { 0 } else { ticks };
    }
    Some(sum)
}

/// Pages of memory swapped in and out since boot.
pub fn swapped_pages() -> Option<u64> {
    let text = fs::read_to_string("/proc/vmstat").ok()?;
    let count = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.trim().parse().ok()
    };
    Some(count("pswpin")? + count("pswpout")?)
}

/// The source of the system's clock: `tsc`, `kvm-clock`, `hpet`.
pub fn clock_source() -> Option<String> {
    first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

/// Returns the files that are mapped into this process: the program and its shared libraries. None on systems other than
/// Linux, which do not list them as a file.
pub fn loaded_files() -> Vec<String> {
    let Ok(maps) = fs::read_to_string("/proc/self/maps") else { return Vec::new() };
    let mut files: Vec<String> = Vec::new();
    for line in maps.lines() {
        // Addresses, rights, offset, device and number stand before the path, which begins with the first slash.
        let Some((_, path)) = line.split_once(" /") else { continue };
        let path = format!("/{path}");
        if !files.contains(&path) {
            files.push(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::{has_fixed_addresses, processor, working};

    #[test]
    fn working_time_is_without_that_of_waiting_and_of_others() {
        let line = "cpu  10 20 30 4000 500 6 7 800 90 1";
        assert_eq!(working(line), Some(10 + 20 + 30 + 6 + 7));
        assert_eq!(working("cpu 1 2"), None);
    }

    #[test]
    fn a_name_that_hides_the_processor_is_made_distinct() {
        let text = "model\t\t: 167\nmodel name\t: Intel(R) Xeon(R) Processor\nstepping\t: 1\ncache size\t: 491520 KB\n";
        let named = "Intel(R) Xeon(R) Processor, model 167, stepping 1, cache size 491520 KB";
        assert_eq!(processor(text).as_deref(), Some(named));
        let text = text.replace("Xeon(R)", "Xeon(R) 8481C");
        assert_eq!(processor(&text).as_deref(), Some("Intel(R) Xeon(R) 8481C Processor"));
        assert_eq!(processor("Processor: aarch64"), None);
    }

    #[test]
    fn a_process_without_random_addresses_is_known() {
        assert!(has_fixed_addresses("00040000\n") && has_fixed_addresses("000c0000"));
        assert!(!has_fixed_addresses("00000000\n") && !has_fixed_addresses(""));
    }
}
