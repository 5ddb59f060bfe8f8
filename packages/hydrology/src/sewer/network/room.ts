/** Where arrays of zeros come from: the heap, or a kernel's own memory. */
export interface Room {
  f64(count: number): Float64Array
  i32(count: number): Int32Array
  u8(count: number): Uint8Array
}

export const heap: Room = {
  f64: (count) => new Float64Array(count),
  i32: (count) => new Int32Array(count),
  u8: (count) => new Uint8Array(count),
}
