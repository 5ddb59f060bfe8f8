declare module '../db/schema.ts' {
  interface Database {
    station_reading: StationReadingTable
  }
}

export interface StationReadingTable {
  time: Date
  temperature_c: number | null
  pressure_hpa: number | null
  humidity_pct: number | null
  wind_speed_ms: number | null
  wind_direction_deg: number | null
  sonic_speed_ms: number | null
  sonic_direction_deg: number | null
  sonic_vertical_ms: number | null
}
