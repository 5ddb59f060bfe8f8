// Powers without the host's help: src/sewer/sections/power.ts, which says how.

/** @param scales and middles addresses of the tables of `exponent` */
// @inline
export function powerOf(exponent: f64, scales: usize, middles: usize, x: f64): f64 {
  const bits = reinterpret<u64>(x)
  const part = middles + <usize>((bits >> 44) & 0xff) * 16
  const mantissa = reinterpret<f64>((bits & 0xfffffffffffff) | 0x3ff0000000000000)
  const d = mantissa * load<f64>(part) - 1
  const square = (exponent * (exponent - 1)) / 2
  const cube = (square * (exponent - 2)) / 3
  const scale = load<f64>(scales + <usize>(bits >> 52) * 8)
  return scale * (load<f64>(part, 8) * (1 + d * (exponent + d * (square + d * cube))))
}
