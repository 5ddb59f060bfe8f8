/** What other features may use of the weather station; they import nothing else from this folder. */
export { meanReadings } from './queries.ts'
export { taranisOf } from './service.ts'
export { stationHandler } from './station-handler.ts'
export { readStationTable, type StationReadings } from './station-table.ts'
