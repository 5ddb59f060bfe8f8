import type { Room } from '../types.ts'

export type { Room } from '../types.ts'

export const heap: Room = {
  f64: (count) => new Float64Array(count),
  i32: (count) => new Int32Array(count),
  u8: (count) => new Uint8Array(count),
}

/** A kernel's memory as room: each array begins on a cache line, so that none is less aligned than its elements. */
export interface KernelRoom extends Room {
  /** @returns the address of so many bytes */
  take(bytes: number): number
}

/** What begins on a cache line may waste this, bytes. */
export const ALIGNMENT = 64

/** @param from first byte that is free */
export function roomIn(buffer: ArrayBuffer, from: number): KernelRoom {
  let next = from
  const take = (bytes: number) => {
    const at = Math.ceil(next / ALIGNMENT) * ALIGNMENT
    next = at + bytes
    return at
  }
  return {
    take,
    f64: (count) => new Float64Array(buffer, take(8 * count), count),
    i32: (count) => new Int32Array(buffer, take(4 * count), count),
    u8: (count) => new Uint8Array(buffer, take(count), count),
  }
}
