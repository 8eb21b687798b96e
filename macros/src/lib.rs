//! The attributes of plusminus: they read a function's signature and append its registration.
//! Bodies are never parsed, and the function itself is returned untouched, so that a mistake in an option never
//! hides the function from the rest of the crate.
