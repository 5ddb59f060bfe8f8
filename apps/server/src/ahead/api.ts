/** What other features may use of the floods forecast; they import nothing else from this folder. */
export { ABOUT_VERSION, type CycleAbout } from './about.ts'
export { type Cycle, Cycles } from './cycles.ts'
export { placeNameFr } from './places.ts'
export { CycleNotFound, CycleResults } from './results.ts'
