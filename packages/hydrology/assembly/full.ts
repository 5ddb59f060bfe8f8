// Full shallow water on one thread, f64; the host drives the stages of a step (src/surface/full/kernel.ts).
import { walls } from './full/faces'
import { bind as bindMemory, look } from './full/memory'
import { before, doBlock } from './full/stages'
import { gather } from './full/update'

export { GRAVITY } from './gravity'
export { gather, look, walls }

export function bind(header: usize, threads: i32): void {
  bindMemory(header)
}

export function run(stage: i32): void {
  before(stage, 1)
  doBlock(stage, 0, 1)
}
