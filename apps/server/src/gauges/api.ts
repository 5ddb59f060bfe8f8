/** What other features may use of rain gauges; they import nothing else from this folder. */
export { type AdjustedRow, adjustedRows, adjustmentLines } from './adjusted-answers.ts'
export { type AdjustmentInput, adjustedCodes, prepare as prepareAdjustment } from './adjustment.ts'
export { adjustmentOfKey } from './asked.ts'
export { type FileReadings, gaugesOfFile, readGaugeFile, toa5Readings } from './gauge-file.ts'
export { gaugeHandler } from './gauge-handler.ts'
export { storeReadings } from './readings.ts'
export { type ReportedGauge, reportedGauges, siteGauges } from './reported.ts'
export { Gauges } from './service.ts'
