//! The kernels of the self-test under other harnesses, for `lab`; see `benches`.
