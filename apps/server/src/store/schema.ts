import type { Bounds, ReprocessingParameters, SitePolarimetry } from '@radx/contracts'
import type { MeltingLayer } from '@radx/polarimetry/melting'
import type { Generated, GeneratedAlways } from 'kysely'

declare module '../db/schema.ts' {
  interface Database {
    radar_product: RadarProductTable
    radar_zone: RadarZoneTable
    source_file: SourceFileTable
    radar_params: RadarParamsTable
    radar_blank: RadarBlankTable
    radar_frame: RadarFrameTable
    radar_day: RadarDayTable
    radar_tiles: RadarTilesTable
    radar_moved: RadarMovedTable
    radar_moved_tiles: RadarMovedTilesTable
    radar_quality: RadarQualityTable
    radar_volume_part: RadarVolumePartTable
    radar_made_product: RadarMadeProductTable
  }
}

interface RadarProductTable {
  id: GeneratedAlways<number>
  short_name: string
  bounds: Bounds
  steps: number
}

interface RadarZoneTable {
  /** Subscript, from 1, of the zone_ arrays. */
  ordinal: number
  key: string
  outline_hash: string
}

interface SourceFileTable {
  /** SHA-256 of the content. */
  hash: Buffer
  kind: string
  name: string
  bytes: number
  /** Relative to the archive folder; null for a file that left nothing to keep. */
  archive_path: string | null
  product_id: number | null
  received_at: Generated<Date>
}

/** Sensor of a frame as its file states it; null where the file does not say. */
export interface FrameSensor {
  name: string
  wavelengthM: number | null
  beamwidthDeg: number | null
  altitudeM: number | null
}

interface RadarParamsTable {
  id: GeneratedAlways<number>
  hash: string
  version: string
  name: string
  sensor: FrameSensor
}

interface RadarBlankTable {
  id: GeneratedAlways<number>
  product_id: number
  hash: string
  codes: Buffer
  classes_zstd: Buffer
  classes_deflate: Buffer
  classes_crc: number
}

export interface RadarFrameTable {
  product_id: number
  time: Date
  /** A frame without rain: nothing in the packs. */
  blank_id: number | null
  pack_offset: number | null
  pack_length: number | null
  classes_generation: Generated<number>
  /** Start of the zstd segment; the deflate segment follows it. */
  classes_offset: number | null
  classes_zstd: number | null
  classes_deflate: number | null
  /** CRC-32 of the block before compression. */
  classes_crc: number | null
  /** CRC-32 of the record, the zstd segment and then the deflate segment; null where `radx verify` has yet to write it. */
  classes_check: number | null
  /** Factor that the file says its rain was adjusted by; null where it says nothing. */
  bias: number | null
  valid_count: number
  wet_count: number
  /** Sum of rate codes (0.01 mm/h) over valid cells. */
  sum_codes: number
  max_code: number
  max_index: number
  /** mm/h, `[zone ordinal - 1]`; null without data. */
  zone_mean: (number | null)[]
  zone_wet_mean: (number | null)[]
  /** %, `[zone ordinal - 1]`. */
  zone_wet_pct: (number | null)[]
  params_id: number
  source: Buffer
  tiled: Generated<boolean>
  /** The rain round this frame was followed; see `radar_moved`. */
  moved: Generated<boolean>
}

export interface RadarDayTable {
  product_id: number
  /** Civil day of the site's time zone, YYYY-MM-DD. */
  day: string
  frames: number
  /** Largest mean over wet cells of a frame, mm/h; null when no frame has data. */
  best: number | null
  best_time: Date | null
  zone_best: (number | null)[]
  zone_best_time: (Date | null)[]
}

/** Quality of the rain of a frame that came with one; most frames have no row. */
interface RadarQualityTable {
  product_id: number
  time: Date
  /** Where its plane begins in the day's file of qualities; the segments of its classes follow it. */
  pack_offset: number
  pack_length: number
  classes_zstd: number
  classes_deflate: number
  /** CRC-32 of the block of classes before compression, and of its segments. */
  classes_crc: number
  classes_check: number
  /** Mean over cells with a quality, 0 to 1; null without any. */
  mean: number | null
  /** `[zone ordinal - 1]`. */
  zone_mean: (number | null)[]
  /** Where snow melts, as other instruments knew it and the volume did not show: it is read again by the same. */
  melting: MeltingLayer | null
}

/** Files of one volume by moment, of which one frame was made. */
interface RadarVolumePartTable {
  /** SHA-256 of the file; it may not have been taken in yet. */
  hash: Buffer
  /** The file that stands for the frame. */
  source: Buffer
  product_id: number
  /** What the names of the files have in common. */
  stem: string
  name: string
}

/** A product made of kept volumes of another one, by settings of its own. */
interface RadarMadeProductTable {
  product_id: number
  /** Product whose volumes were read again. */
  source: string
  long_name: string
  frame_seconds: number
  start_time: Date
  end_time: Date
  /** What was asked for, and with what the site leaves to it. */
  parameters: ReprocessingParameters
  settings: SitePolarimetry
  /** Whether it is whole; nobody sees it before. */
  ready: Generated<boolean>
  /** null for one of the command line. */
  job_id: string | null
  made_by: string
  made_at: Generated<Date>
  /** Last sign of life of who makes it. */
  touched_at: Generated<Date>
}

interface RadarTilesTable {
  product_id: number
  utc_day: string
  generation: number
  frames: number
  /** CRC-32 of the file's header; null as above. */
  header_check: number | null
  /** Cells of a tile's side. */
  tile_size: Generated<number>
}

/** Tile file of a day's rain as it moved; a row a day whose rain was followed, `whole` once its file holds all of it. */
interface RadarMovedTilesTable {
  product_id: number
  utc_day: string
  generation: Generated<number>
  frames: Generated<number>
  /** CRC-32 of the file's header. */
  header_check: number | null
  /** Cells of a tile's side. */
  tile_size: Generated<number>
  whole: Generated<boolean>
}

/** Rain as it moved round a frame: none where it is dry in it and beside it, then the frame stands for itself. */
interface RadarMovedTable {
  product_id: number
  time: Date
  /** The neighbours it was made with; null where there is none within a quarter of an hour. */
  before: Date | null
  after: Date | null
  /** Motion since the frame before (`moved/motion-bytes.ts`); null without one, or where nothing could be followed. */
  motion: Buffer | null
  valid_count: number
  /** Sum of codes (0.01 mm/h) of the mean rain over the time that the frame stands for. */
  sum_codes: number
  /** mm/h, `[zone ordinal - 1]`; null without data. */
  zone_mean: (number | null)[]
  /** Where each tile of 20 x 20 cells ends in `tiles`; `packCodes` each, none for a tile of zeros. */
  ends: number[]
  tiles: Buffer
}
