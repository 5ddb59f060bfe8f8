import type { Line } from './lines.ts'

/** A feature of a vector tile: its tags and its lines (a point is a line of one point), WGS84 degrees. */
export interface Feature {
  tags: Record<string, string | number | boolean>
  lines: Line[]
}

interface TilePlace {
  zoom: number
  column: number
  row: number
}

/** Fields of a protocol buffer message: number, then a varint or bytes. */
function* fields(bytes: Uint8Array): Generator<{ field: number; value: number; bytes: Uint8Array }> {
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++]
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const key = varint()
    const wire = key & 7
    if (wire === 0) yield { field: key >> 3, value: varint(), bytes: EMPTY }
    else {
      const length = wire === 2 ? varint() : wire === 1 ? 8 : 4
      yield { field: key >> 3, value: 0, bytes: bytes.subarray(at, at + length) }
      at += length
    }
  }
}
const EMPTY = new Uint8Array()

function varints(bytes: Uint8Array): number[] {
  const found: number[] = []
  let value = 0
  let shift = 1
  for (const byte of bytes) {
    value += (byte & 127) * shift
    shift *= 128
    if (byte >= 128) continue
    found.push(value)
    value = 0
    shift = 1
  }
  return found
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function tagValue(bytes: Uint8Array): string | number | boolean {
  for (const { field, value, bytes: content } of fields(bytes)) {
    const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
    if (field === 1) return text(content)
    if (field === 2) return view.getFloat32(0, true)
    if (field === 3) return view.getFloat64(0, true)
    if (field === 4 || field === 5) return value
    if (field === 6) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    if (field === 7) return value === 1
  }
  return ''
}

/** Features of one layer of a Mapbox vector tile (specification 2.1); what reaches beyond the tile is cut off. */
export function readTile(tile: Uint8Array, layerName: string, place: TilePlace): Feature[] {
  for (const { field, bytes } of fields(tile)) {
    if (field !== 3) continue
    const parts = [...fields(bytes)]
    if (parts.some((part) => part.field === 1 && text(part.bytes) === layerName))
      return features(parts, place)
  }
  return []
}

function features(parts: { field: number; value: number; bytes: Uint8Array }[], place: TilePlace): Feature[] {
  const keys = parts.filter(({ field }) => field === 3).map(({ bytes }) => text(bytes))
  const values = parts.filter(({ field }) => field === 4).map(({ bytes }) => tagValue(bytes))
  const extent = parts.find(({ field }) => field === 5)?.value ?? 4096
  return parts
    .filter(({ field }) => field === 2)
    .flatMap(({ bytes }) => {
      const inside = [...fields(bytes)]
      const tagged = varints(inside.find(({ field }) => field === 2)?.bytes ?? EMPTY)
      const tags: Feature['tags'] = {}
      for (let k = 0; k + 1 < tagged.length; k += 2) tags[keys[tagged[k]]] = values[tagged[k + 1]]
      const lines = geometry(varints(inside.find(({ field }) => field === 4)?.bytes ?? EMPTY))
        .flatMap((line) => cut(line, extent))
        .map((line) => line.map((point) => toDegrees(point, extent, place)))
      return lines.length > 0 ? [{ tags, lines }] : []
    })
}

function geometry(commands: number[]): Line[] {
  const lines: Line[] = []
  let [x, y] = [0, 0]
  const signed = (n: number) => (n % 2 === 0 ? n / 2 : -(n + 1) / 2)
  for (let at = 0; at < commands.length; ) {
    const [command, count] = [commands[at] & 7, commands[at] >> 3]
    at++
    if (command === 7) continue
    for (let k = 0; k < count; k++) {
      x += signed(commands[at++])
      y += signed(commands[at++])
      if (command === 1) lines.push([[x, y]])
      else lines[lines.length - 1].push([x, y])
    }
  }
  return lines
}

/** The parts of a line inside the tile, with points where it leaves. */
function cut(line: Line, extent: number): Line[] {
  const within = ([x, y]: [number, number]) => x >= 0 && y >= 0 && x <= extent && y <= extent
  if (line.length === 1) return within(line[0]) ? [line] : []
  const parts: Line[] = []
  let open: Line | null = null
  for (let k = 1; k < line.length; k++) {
    const clipped = clipSegment(line[k - 1], line[k], extent)
    if (clipped === null) {
      open = null
      continue
    }
    if (open === null) {
      open = [clipped[0]]
      parts.push(open)
    }
    open.push(clipped[1])
    if (!within(line[k])) open = null
  }
  return parts
}

/** Liang and Barsky. */
function clipSegment(
  [x0, y0]: [number, number],
  [x1, y1]: [number, number],
  extent: number,
): [[number, number], [number, number]] | null {
  let [from, to] = [0, 1]
  for (const [p, q] of [
    [x0 - x1, x0],
    [x1 - x0, extent - x0],
    [y0 - y1, y0],
    [y1 - y0, extent - y0],
  ]) {
    if (p === 0 && q < 0) return null
    if (p < 0) from = Math.max(from, q / p)
    if (p > 0) to = Math.min(to, q / p)
  }
  if (from > to) return null
  const at = (t: number): [number, number] => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)]
  return [at(from), at(to)]
}

function toDegrees(
  [x, y]: [number, number],
  extent: number,
  { zoom, column, row }: TilePlace,
): [number, number] {
  const size = 2 ** zoom
  const mercatorY = Math.PI * (1 - (2 * (row + y / extent)) / size)
  return [((column + x / extent) / size) * 360 - 180, (Math.atan(Math.sinh(mercatorY)) * 180) / Math.PI]
}
