//! The kernels of the self-test under each harness, for `lab`; see `benches`.
