/** What other features may use of the forecasts; they import nothing else from this folder. */
export { type KeptForecast, KeptForecasts, partsOf } from './kept/kept-forecasts.ts'
export { partsOfLead, readField, readPictures } from './kept/parts.ts'
export { pruneForecasts } from './kept/prune.ts'
export { verifyForecasts } from './kept/verify.ts'
export {
  dropWindow,
  type GridWindow,
  keepWindow,
  type WindowMembers,
  windowMembers,
  windowOver,
} from './kept/windows.ts'
export { kmPerCell, leadsOf, seedOf, standsFor } from './made/issue.ts'
export { CHANCE_MISSING } from './made/members.ts'
export { LOOK_BACK_MIN } from './made/pictures.ts'
export { widestFirst } from './products.ts'
