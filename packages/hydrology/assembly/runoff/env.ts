// The compiler imports these from `env`, by the name of this file.

/** A power, as the host's. */
export declare function power(x: f64, exponent: f64): f64
