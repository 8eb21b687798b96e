//! Apex-MAP: 10 α × 17 L in four loop forms on one processor, and in three programming styles on one and two.

plusminus::main!(plusminus_suite::apex_map);
