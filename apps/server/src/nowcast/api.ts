/** What other features may use of the forecasts; they import nothing else from this folder. */
export { pruneForecasts } from './kept/prune.ts'
export { verifyForecasts } from './kept/verify.ts'
