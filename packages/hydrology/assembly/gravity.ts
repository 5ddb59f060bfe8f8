/** m/s2: that of the host (packages/contracts/src/constants.ts), which refuses a kernel with another. */
export const GRAVITY: f64 = 9.81
