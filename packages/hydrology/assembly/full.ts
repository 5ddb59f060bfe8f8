// Full shallow water on one thread, f64; the host drives the stages of a step (src/surface/full/kernel.ts).
import { fluxes, slopes } from './full/faces'
import { bind } from './full/memory'
import { advance, average, fastestWave, finish, keep, limit, update } from './full/update'

export { GRAVITY } from './gravity'
export { advance, average, bind, fastestWave, finish, fluxes, keep, limit, slopes, update }
