// What the host computes for the kernel, where the formulas are long and the water seldom gets (src/sewer/sections).
// The compiler imports these from `env`, by the name of this file.

/** Flow area of a conduit above its crown, m2, with the slot of SURCHARGE_METHOD SLOT. */
export declare function slotArea(c: i32, depth: f64): f64

/** Friction of a full force main at a speed, 1/s. */
export declare function forceMain(c: i32, speed: f64): f64

/** Flow that a culvert's inlet lets in at a depth, m3/s, and how it grows, m2/s. */
export declare function inletFlow(c: i32, depth: f64): f64
export declare function inletSlope(c: i32, depth: f64): f64
