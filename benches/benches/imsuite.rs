//! IMSuite's 48 kernels: the variants of each of the twelve problems against each other, and against the serial one.

plusminus::main!(plusminus_suite::imsuite);
