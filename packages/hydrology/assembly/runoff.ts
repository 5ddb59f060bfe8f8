// Water on the ground of subcatchments, on one thread.

export { GRAVITY } from './gravity'
export { move, note } from './runoff/grounds'
export { bindRunoff } from './runoff/memory'
