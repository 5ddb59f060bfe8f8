// EPA SWMM's own scheme of the sewer, on one thread.

export { enter, forget, publish } from './explicit/books'
export { bindExplicit } from './explicit/memory'
export { bindPeaks, bindStatistics, observePeaks, observeStatistics } from './explicit/observe'
export { advance, stableStep } from './explicit/trials'
export { GRAVITY } from './gravity'
