/** What other features may use of the simulations; they import nothing else from this folder. */

export { quantile } from '@radx/hydrology/ensemble/spread'
export { CatchmentLibrary } from './catchment/library.ts'
export { verifyCatchments } from './catchment/verify.ts'
export { codesOf, findLuseFile } from './land-use/luse-files.ts'
export { MULTIHYDRO, type MultihydroResult } from './multihydro.ts'
export { adjustedFr } from './rain/adjusted-text.ts'
export { radarPeriodOf } from './rain/rain-period.ts'
export { Results } from './result/results.ts'
export type { RunInput } from './run-spec.ts'
export { Runs } from './runs.ts'
