/** What other features may use of the radar; they import nothing else from this folder. */

export {
  catchmentQuery,
  periodQuery,
  productOf,
  productQuery,
  spanOf,
  zoneOf,
} from '../http/rain-requests.ts'
export { acquisitionParams } from './acquisition.ts'
export { iso } from './instant.ts'
export { palettePng } from './palette-png.ts'
export { pixelAnswer } from './pixel-answer.ts'
export { RadarService } from './service.ts'
