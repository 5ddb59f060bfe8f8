// What the host computes for the kernel: laws of devices, shapes of tanks, and what is long and seldom needed.
// The compiler imports these from `env`, by the name of this file.

/** Flows of all devices in a trial, with what they bring to their nodes. */
export declare function devices(dt: f64, trial: i32): void

/** Surface of a tank, m2, and water in it, m3, at a depth. */
export declare function tankArea(node: i32, depth: f64): f64
export declare function tankVolume(node: i32, depth: f64): f64

/** Width of the slot at a depth, m; 0 below it. */
export declare function slotWidth(c: i32, depth: f64): f64

/** The exponential, as the host's. */
export declare function exponential(x: f64): f64
