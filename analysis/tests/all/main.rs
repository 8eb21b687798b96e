//! All tests of the statistics that are not next to what they test, as one program: it is linked once, and its long
//! simulations run at the same time.

mod adversarial;
mod apex_map;
mod attribution;
#[path = "../../examples/validity/data.rs"]
#[allow(dead_code)]
mod data;
mod decomposition;
mod documentation;
mod gates;
mod inside;
mod models;
mod properties;
mod rates;
mod scaling;
mod sequence;
#[path = "../../examples/validity/simulate.rs"]
#[allow(dead_code)]
mod simulate;
mod simulated;
mod size;
mod stopping;
mod support;
mod typical;
mod validity;
mod vectors;
