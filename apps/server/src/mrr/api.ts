/** What other features may use of the micro rain radar; they import nothing else from this folder. */
export { latestMrrFile } from './latest.ts'
export { meltingSeen } from './melting-seen.ts'
export { mrrHandler } from './mrr-handler.ts'
export { mrrPacks } from './queries.ts'
export { verifyProfiles } from './rebuild.ts'
