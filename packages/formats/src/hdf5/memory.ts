/** Whether a WebAssembly memory of this thread was refused room since it was last asked. */
let refused = false

export function memoryWasRefused(): boolean {
  const was = refused
  refused = false
  return was
}

/**
 * From now on no WebAssembly memory of this thread grows past `maxBytes`; the program inside is told that
 * there is no more. Worker limits of Node do not count this memory.
 */
export function limitWasmMemory(maxBytes: number): void {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > maxBytes) {
      refused = true
      throw new RangeError(`WebAssembly memory is limited to ${maxBytes} bytes`)
    }
    return grow.call(this, pages)
  }
}
