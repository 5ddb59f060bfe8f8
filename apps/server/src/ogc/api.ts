/** What other features may use of the standards' pictures. */

export { CRS } from './crs.ts'
export { type WmsPicture, wmsPicture } from './wms/answers.ts'
