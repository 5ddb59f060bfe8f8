// Elements of arrays by their addresses.

/** The element `i` of an array. */
// @inline
export function f64At(values: usize, i: i32): f64 {
  return load<f64>(values + ((<usize>i) << 3))
}

// @inline
export function setF64(values: usize, i: i32, value: f64): void {
  store<f64>(values + ((<usize>i) << 3), value)
}

/** Adds to an element. */
// @inline
export function addF64(values: usize, i: i32, more: f64): void {
  const at = values + ((<usize>i) << 3)
  store<f64>(at, load<f64>(at) + more)
}

// @inline
export function takeF64(values: usize, i: i32, less: f64): void {
  const at = values + ((<usize>i) << 3)
  store<f64>(at, load<f64>(at) - less)
}

// @inline
export function i32At(values: usize, i: i32): i32 {
  return load<i32>(values + ((<usize>i) << 2))
}
