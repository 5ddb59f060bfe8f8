/** What other features may use of the return periods; they import nothing else from this folder. */
export { rareDepths, rarePlaces, seriesOf } from './depths.ts'
export { MontanaTables } from './service.ts'
