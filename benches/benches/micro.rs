//! Micro-kernels that calibrate the machine: bandwidth, latency, messages, fork and join, barriers.

plusminus::main!(plusminus_suite::micro);
