/** What other features may use of rain gauges; they import nothing else from this folder. */
export { type FileReadings, gaugesOfFile, readGaugeFile, toa5Readings } from './gauge-file.ts'
export { gaugeHandler } from './gauge-handler.ts'
export { storeReadings } from './readings.ts'
