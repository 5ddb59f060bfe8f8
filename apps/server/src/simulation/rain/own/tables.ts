import type { OwnRain, OwnRainDetail } from '@radx/contracts'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

interface OwnRainTable {
  id: Generated<string>
  username: string
  catchment_id: string
  name: string
  about: Json<Omit<OwnRain, 'id' | 'name' | 'catchmentId' | 'createdAt'>>
  drawn: Json<Pick<OwnRainDetail, 'minutesMmH' | 'totals'>>
  /** Of `encodePictures`. */
  pictures: Buffer
  hash: string
  created_at: Generated<Date>
}
declare module '../../../db/schema.ts' {
  interface Database {
    own_rain: OwnRainTable
  }
}
