import { MAX_CELLS } from '../limits.ts'
import { child, children, type XmlElement } from '../xml.ts'
import { decodeTable, decodeValues } from './coding.ts'
import { openRainbow5, type Rainbow5Container, readBlob, refuse } from './container.ts'
import {
  field,
  missing,
  numberField,
  type Rainbow5Sensor,
  readInstant,
  readSensor,
  requiredInteger,
  requiredNumber,
} from './header.ts'

export type { Rainbow5Sensor } from './header.ts'

/** One turn of the antenna at one elevation, one quantity. */
export interface RainbowSweep {
  /** Time at which the sweep began, ISO 8601 UTC. */
  datetime: string
  elevationDeg: number
  /** Name of the quantity as Rainbow writes it: `dBZ` (corrected), `dBuZ` (uncorrected), `V`... */
  quantity: string
  nrays: number
  nbins: number
  /**
   * Azimuths clockwise from north, [0, 360), in the order of the rays; a stop may be smaller than its start at north.
   */
  azimuthStartDeg: Float64Array
  azimuthStopDeg: Float64Array
  /** Distance from the radar to the near edge of the first gate, along the beam. */
  rangeStartM: number
  /** Length of a gate. */
  rangeStepM: number
  /** Reflectivity that the receiver's noise would be at 1 km, dBZ; null where the header does not say. */
  noiseDbz: number | null
  /**
   * `[ray * nbins + bin]`. Code 0 is -Infinity in decibel quantities (no echo, nothing in linear units) and
   * NaN in all others (nothing measured).
   */
  values: Float32Array
}

export interface RainbowVolume {
  kind: 'rainbow5-volume'
  version: string
  /** `vol` or `azi`. */
  type: string
  /** Name of the scan on the radar. */
  name: string
  /** Start of the scan, ISO 8601 UTC. */
  datetime: string
  sensor: Rainbow5Sensor
  /** In file order; a slice with several quantities gives one sweep for each. */
  sweeps: RainbowSweep[]
}

const MAX_SLICES = 100
const MAX_RAYS = 7200
const MAX_BINS = 16_384

/**
 * Reads a Rainbow 5 volume or azimuth scan (`.vol`, `.azi`; versions 5.2x to 5.5x).
 * @throws FormatError with a code `rainbow5.*`
 */
export function readRainbowVolume(bytes: Uint8Array): RainbowVolume {
  const file = openRainbow5(bytes)
  const { root } = file
  if (root.name !== 'volume')
    throw refuse(
      'wrongKind',
      "Ce fichier Rainbow 5 n'est pas un volume. Déposez-le avec l'extension de son produit (.sri, .dpsri).",
    )
  const type = (field('type', root) ?? 'vol').toLowerCase()
  if (type !== 'vol' && type !== 'azi')
    throw refuse(
      'unsupported',
      `Les balayages Rainbow 5 de type « ${type.slice(0, 20)} » ne sont pas lus, seuls les volumes (.vol) et les balayages en azimut (.azi) le sont.`,
      { type },
    )
  const scan = child(root, 'scan')
  if (!scan) throw missing('scan')
  const slices = children(scan, 'slice')
  if (slices.length === 0) throw missing('slice')
  if (slices.length > MAX_SLICES)
    throw refuse(
      'badHeader',
      `Le volume Rainbow 5 annonce ${slices.length} balayages. Copiez-le de nouveau depuis le radar.`,
      {
        slices: slices.length,
      },
    )
  const datetime = readInstant(scan) ?? readInstant(root)
  if (!datetime) throw missing('date')
  const budget = { cells: MAX_CELLS }
  const defaults = child(scan, 'pargroup')
  return {
    kind: 'rainbow5-volume',
    version: field('version', root) ?? '',
    type,
    name: field('name', scan) ?? '',
    datetime,
    sensor: readSensor(root),
    // A slice writes only what differs from the first one, and the first what differs from the scan's settings.
    sweeps: slices.flatMap((slice) => readSlice(file, [slice, slices[0], defaults], datetime, budget)),
  }
}

/**
 * The sweep from which surface rain is computed: the lowest elevation that has reflectivity, corrected
 * (`dBZ`) before uncorrected (`dBuZ`).
 * @throws FormatError `rainbow5.notRain` for a volume without reflectivity
 */
export function lowestReflectivitySweep(volume: RainbowVolume): RainbowSweep {
  const candidates = volume.sweeps.filter((sweep) => /^dBu?Z$/i.test(sweep.quantity))
  candidates.sort((a, b) => a.elevationDeg - b.elevationDeg || a.quantity.length - b.quantity.length)
  if (candidates.length === 0)
    throw refuse(
      'notRain',
      'Ce volume Rainbow 5 ne contient pas de réflectivité (dBZ). Déposez le fichier dBZ du même balayage.',
      { quantities: volume.sweeps.map((sweep) => sweep.quantity).slice(0, 20) },
    )
  return candidates[0]
}

function readSlice(
  file: Rainbow5Container,
  scope: (XmlElement | undefined)[],
  scanTime: string,
  budget: { cells: number },
): RainbowSweep[] {
  const slice = scope[0]!
  const data = child(slice, 'slicedata')
  if (!data) throw missing('slicedata')
  const rayinfo = children(data, 'rayinfo')
  const starts = rayinfo.find((info) => field('refid', info) === 'startangle')
  if (!starts) throw missing('rayinfo startangle')
  const stops = rayinfo.find((info) => field('refid', info) === 'stopangle')
  const elevationDeg = requiredNumber('posangle', ...scope)
  const rangeStepM = requiredNumber('rangestep', ...scope) * 1000
  const rangeStartM = (numberField('start_range', ...scope) ?? 0) * 1000
  if (
    !(
      rangeStepM >= 1 &&
      rangeStepM <= 10_000 &&
      rangeStartM >= 0 &&
      rangeStartM <= 1e6 &&
      Math.abs(elevationDeg) <= 90
    )
  )
    throw refuse(
      'badHeader',
      `La géométrie du balayage Rainbow 5 n'a pas de sens (élévation ${elevationDeg}°, début ${rangeStartM} m, pas ${rangeStepM} m). Copiez le fichier de nouveau depuis le radar.`,
      { elevationDeg, rangeStepM, rangeStartM },
    )
  const raws = children(data, 'rawdata')
  if (raws.length === 0) throw missing('rawdata')
  return raws.map((raw) => {
    const nrays = requiredInteger('rays', 1, MAX_RAYS, raw)
    const nbins = requiredInteger('bins', 1, MAX_BINS, raw)
    budget.cells -= nrays * nbins
    if (budget.cells < 0)
      throw refuse(
        'badHeader',
        'Le volume Rainbow 5 annonce plus de valeurs que ce qui est accepté. Copiez-le de nouveau depuis le radar.',
      )
    const quantity = field('type', raw) ?? ''
    const azimuthStartDeg = readAngles(file, starts, nrays)
    return {
      datetime: readInstant(data) ?? scanTime,
      elevationDeg,
      quantity,
      nrays,
      nbins,
      azimuthStartDeg,
      azimuthStopDeg: stops ? readAngles(file, stops, nrays) : guessStops(azimuthStartDeg, scope),
      rangeStartM,
      rangeStepM,
      noiseDbz: numberField('noise_power_dbz', ...scope) ?? null,
      values: readValues(file, raw, { quantity, nrays, nbins }),
    }
  })
}

/** Angles are coded in 16 bits as parts of a full turn. */
function readAngles(file: Rainbow5Container, info: XmlElement, nrays: number): Float64Array {
  requiredInteger('rays', nrays, nrays, info)
  requiredInteger('depth', 16, 16, info)
  const codes = readBlob(file, requiredInteger('blobid', 0, 999_999_999, info), [nrays * 2])
  return Float64Array.from({ length: nrays }, (_, ray) => (codes.readUInt16BE(ray * 2) * 360) / 65_536)
}

/**
 * Where a header gives no stop angles, a ray reaches as far as the next one begins, and one angle step
 * (`anglestep`, else an even share of the turn) where the next one is farther away than that.
 */
function guessStops(starts: Float64Array, scope: (XmlElement | undefined)[]): Float64Array {
  const given = numberField('anglestep', ...scope)
  const step = given && given > 0 && given < 90 ? given : 360 / starts.length
  const turns = (from: number, to: number): number => ((((to - from) % 360) + 540) % 360) - 180
  let forward = 0
  for (let ray = 1; ray < starts.length; ray++) forward += Math.sign(turns(starts[ray - 1], starts[ray]))
  const direction = forward < 0 ? -1 : 1
  return starts.map((start, ray) => {
    // NaN after the last ray, which is one step wide.
    const ahead = direction * turns(start, starts[ray + 1])
    const width = ahead > 0 && ahead <= 1.5 * step ? ahead : step
    return (start + direction * width + 360) % 360
  })
}

function readValues(
  file: Rainbow5Container,
  raw: XmlElement,
  { quantity, nrays, nbins }: Pick<RainbowSweep, 'quantity' | 'nrays' | 'nbins'>,
): Float32Array {
  const depth = requiredInteger('depth', 1, 64, raw)
  if (depth !== 8 && depth !== 16)
    throw refuse(
      'unsupported',
      `La profondeur de ${depth} bits du volume Rainbow 5 n'est pas lue, seules 8 et 16 le sont. Réglez le balayage sur le radar.`,
      { depth },
    )
  const min = requiredNumber('min', raw)
  const max = requiredNumber('max', raw)
  if (!(max > min) || Math.abs(min) > 1e6 || Math.abs(max) > 1e6)
    throw refuse(
      'badHeader',
      `L'échelle du volume Rainbow 5 va de ${min} à ${max}. Copiez le fichier de nouveau depuis le radar.`,
      {
        min,
        max,
      },
    )
  const id = requiredInteger('blobid', 0, 999_999_999, raw)
  const codes = readBlob(file, id, [(nrays * nbins * depth) / 8])
  const noEcho = /dB/i.test(quantity) ? Number.NEGATIVE_INFINITY : Number.NaN
  return decodeValues(
    codes,
    depth,
    decodeTable({ depth, min, max }, noEcho, (v) => v),
    new Float32Array(nrays * nbins),
  )
}
