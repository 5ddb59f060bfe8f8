// EPA SWMM's own scheme of the sewer, on one thread.

export { bindExplicit } from './explicit/memory'
export { stableStep, step } from './explicit/trials'
export { GRAVITY } from './gravity'
