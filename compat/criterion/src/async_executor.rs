//! Executors of asynchronous routines: those of tokio, smol, async-std and futures as features, and any other by a
//! trait.

/// Runs a future to its end on this thread.
pub trait AsyncExecutor {
    /// Runs it, and returns its output.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// The executor of the crate `futures`.
#[cfg(feature = "async_futures")]
pub struct FuturesExecutor;

#[cfg(feature = "async_futures")]
impl AsyncExecutor for FuturesExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        futures_executor::block_on(future)
    }
}

/// The executor of the crate `smol`.
#[cfg(feature = "async_smol")]
pub struct SmolExecutor;

#[cfg(feature = "async_smol")]
impl AsyncExecutor for SmolExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        smol::block_on(future)
    }
}

/// The executor of the crate `async-std`.
#[cfg(feature = "async_std")]
pub struct AsyncStdExecutor;

#[cfg(feature = "async_std")]
impl AsyncExecutor for AsyncStdExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        async_std::task::block_on(future)
    }
}

#[cfg(feature = "async_tokio")]
mod of_tokio {
    use super::AsyncExecutor;
    use tokio::runtime::{Handle, Runtime};

    impl AsyncExecutor for Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.block_on(future)
        }
    }

    impl AsyncExecutor for &Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            (*self).block_on(future)
        }
    }

    impl AsyncExecutor for Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.block_on(future)
        }
    }

    impl AsyncExecutor for &Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            (*self).block_on(future)
        }
    }
}
