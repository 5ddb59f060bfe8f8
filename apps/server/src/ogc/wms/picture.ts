import { CLASS_NO_DATA, INTENSITY_CLASSES } from '@radx/contracts'
import type { ProductGrid } from '@radx/rainfall'
import { palettePng } from '../../radar/api.ts'
import type { MapWindow } from './request.ts'

/** Between these places of the picture the ground is taken to lie evenly: far less than a cell off. */
const MESH = 16
/** Palette: 0 nothing, 1 to 8 the classes, 9 no data. */
const NO_DATA = INTENSITY_CLASSES.length + 1
/** Grey of what was not seen, in three quarters of its ground's colour. */
const NO_DATA_COLOR = '7f7f7f'
const NO_DATA_ALPHA = 64

/** Longitudes and latitudes of the picture's mesh, a row after the other. */
interface Mesh {
  columns: number
  lng: Float64Array
  lat: Float64Array
}

function meshOf({ crs, west, south, east, north, width, height }: MapWindow): Mesh {
  const columns = Math.ceil(width / MESH) + 1
  const rows = Math.ceil(height / MESH) + 1
  const lng = new Float64Array(columns * rows)
  const lat = new Float64Array(columns * rows)
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < columns; col++) {
      const x = west + ((col * MESH) / width) * (east - west)
      const y = north - ((row * MESH) / height) * (north - south)
      const at = row * columns + col
      ;[lng[at], lat[at]] = crs.toLngLat(x, y)
    }
  return { columns, lng, lat }
}

/**
 * Palette indices of a picture of a frame, a byte a pixel, row 0 north: each pixel shows the cell under its middle.
 * @param block 4-bit class codes of the frame, even cell in the high half, cells run on across rows
 */
export function paint(block: Uint8Array, grid: ProductGrid, window: MapWindow): Uint8Array {
  const { width, height } = window
  const { columns, lng, lat } = meshOf(window)
  const { ul, lr } = grid.bounds
  const perLat = grid.steps / (ul.lat - lr.lat)
  const perLng = grid.steps / (lr.lng - ul.lng)
  const pixels = new Uint8Array(width * height)
  for (let j = 0; j < height; j++) {
    const v = (j + 0.5) / MESH
    const meshRow = Math.floor(v) * columns
    const fv = v - Math.floor(v)
    for (let i = 0; i < width; i++) {
      const u = (i + 0.5) / MESH
      const at = meshRow + Math.floor(u)
      const fu = u - Math.floor(u)
      const west = lng[at] + fv * (lng[at + columns] - lng[at])
      const east = lng[at + 1] + fv * (lng[at + columns + 1] - lng[at + 1])
      const left = lat[at] + fv * (lat[at + columns] - lat[at])
      const right = lat[at + 1] + fv * (lat[at + columns + 1] - lat[at + 1])
      const row = Math.floor((ul.lat - (left + fu * (right - left))) * perLat)
      const col = Math.floor((west + fu * (east - west) - ul.lng) * perLng)
      if (!(row >= 0 && col >= 0 && row < grid.steps && col < grid.steps)) continue
      const cell = row * grid.steps + col
      const code = cell % 2 === 0 ? block[cell >> 1] >> 4 : block[cell >> 1] & 15
      pixels[j * width + i] = code === CLASS_NO_DATA ? NO_DATA : code
    }
  }
  return pixels
}

interface Look {
  /** null for a picture that lets what lies below through. */
  ground: string | null
  /** Ground that the radar did not see is grey. */
  noData: boolean
}

/** Palette indices as a PNG of 8 bits with the official colours. */
export function picturePng(pixels: Uint8Array, width: number, height: number, look: Look): Buffer {
  const raw = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++)
    raw.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const ground = look.ground?.slice(1) ?? 'ffffff'
  const grey = look.noData ? (look.ground === null ? NO_DATA_COLOR : mixed(ground)) : ground
  const colors = [ground, ...INTENSITY_CLASSES.map(({ color }) => color.slice(1)), grey]
  const alpha = Buffer.alloc(colors.length, 255)
  if (look.ground === null) {
    alpha[0] = 0
    alpha[NO_DATA] = look.noData ? NO_DATA_ALPHA : 0
  }
  // Few colours in long runs: the quick way packs them nearly as well.
  const picture = { width, height, bits: 8, raw, alpha, level: 3 } as const
  return palettePng({ ...picture, colors: Buffer.from(colors.join(''), 'hex') })
}

/** The grey of no data laid over a ground. */
function mixed(ground: string): string {
  const part = NO_DATA_ALPHA / 255
  const channel = (k: number) =>
    Math.round(
      part * Number.parseInt(NO_DATA_COLOR.slice(2 * k, 2 * k + 2), 16) +
        (1 - part) * Number.parseInt(ground.slice(2 * k, 2 * k + 2), 16),
    )
  return [0, 1, 2].map((k) => channel(k).toString(16).padStart(2, '0')).join('')
}
