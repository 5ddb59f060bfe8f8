// Full shallow water on one thread: the second order in f64, the first in f32 over levels of f64. The host drives the stages of a
// step (src/surface/full).
import { walls } from './full/faces'
import { bindHeader, doBlock, gather, look } from './full/stages'

export { GRAVITY } from './gravity'
export { gather, look, walls }

export function bind(header: usize, threads: i32): void {
  bindHeader(header)
}

export function run(stage: i32): void {
  doBlock(stage, 0, 1)
}
