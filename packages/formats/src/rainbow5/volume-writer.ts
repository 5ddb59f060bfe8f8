import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { escapeXml } from '../xml.ts'
import { valueEncoder } from './coding.ts'
import { blob } from './product-writer.ts'

/** A moment as Rainbow 5 names and codes it. */
interface RainbowMoment {
  moment: string
  depth: 8 | 16
  min: number
  max: number
}

/** Moments that are written, by their names in files; codes as the instruments use. */
export const RAINBOW_MOMENTS: Record<string, RainbowMoment> = {
  dBZ: { moment: 'DBZH', depth: 8, min: -31.5, max: 95.5 },
  ZDR: { moment: 'ZDR', depth: 16, min: -8, max: 12 },
  PhiDP: { moment: 'PHIDP', depth: 16, min: 0, max: 360 },
  RhoHV: { moment: 'RHOHV', depth: 16, min: 0, max: 1 },
  KDP: { moment: 'KDP', depth: 16, min: -18, max: 36 },
  V: { moment: 'VRADH', depth: 8, min: -16, max: 16 },
  W: { moment: 'WRADH', depth: 8, min: 0, max: 8 },
}

/**
 * Writes one moment of a volume as the Rainbow 5 volume that the radar would; no echo and no value become code 0.
 * @param quantity of `RAINBOW_MOMENTS`
 * @returns null where no sweep has the moment
 */
export function writeRainbowVolume(volume: RadarVolume, quantity: string): Uint8Array | null {
  const coding = RAINBOW_MOMENTS[quantity]
  const sweeps = volume.sweeps.filter(({ moments }) => moments[coding.moment])
  if (sweeps.length === 0) return null
  const blobs: Buffer[] = []
  const add = (content: Buffer): number => blobs.push(blob(blobs.length, content)) - 1
  const slices = sweeps.map((sweep, refid) => sliceXml(sweep, { refid, quantity, coding, add }))
  const { site, wavelengthM, beamWidthDeg } = volume
  const [date, time] = instant(sweeps[0].datetime)
  const number = (name: string, value: number | null | undefined): string =>
    value === null || value === undefined ? '' : `  <${name}>${value}</${name}>\n`
  const xml = `<volume version="5.43.11" datetime="${date}T${time}" type="vol" owner="">
 <scan name="radx.vol" time="${time}" date="${date}">
${slices.join('')} </scan>
 <sensorinfo type="dualpol" id="${escapeXml(site.name)}" name="${escapeXml(site.name)}">
  <lon>${site.lon}</lon>
  <lat>${site.lat}</lat>
${number('alt', site.altitudeM)}${number('wavelen', wavelengthM)}${number('beamwidth', beamWidthDeg)} </sensorinfo>
</volume>
<!-- END XML -->
`
  return Buffer.concat([Buffer.from(xml), ...blobs])
}

interface SliceOptions {
  refid: number
  quantity: string
  coding: RainbowMoment
  /** Takes a block; answers its number. */
  add(content: Buffer): number
}

function sliceXml(sweep: RadarSweep, { refid, quantity, coding, add }: SliceOptions): string {
  const { nrays, nbins, azimuthDeg, elevationDeg, rangeStartM, rangeStepM } = sweep
  const [date, time] = instant(sweep.datetime)
  const half = 180 / nrays
  const angles = (turn: number): number => {
    const bytes = Buffer.alloc(2 * nrays)
    azimuthDeg.forEach((azimuth, ray) => {
      bytes.writeUInt16BE(Math.round((((azimuth + turn + 360) % 360) / 360) * 65_536) % 65_536, 2 * ray)
    })
    return add(bytes)
  }
  const [start, stop] = [angles(-half), angles(half)]
  const data = add(codesOf(sweep, coding))
  const { depth, min, max } = coding
  return `  <slice refid="${refid}">
   <posangle>${elevationDeg}</posangle><start_range>${rangeStartM / 1000}</start_range><rangestep>${rangeStepM / 1000}</rangestep>
   <slicedata time="${time}" date="${date}">
    <rayinfo refid="startangle" blobid="${start}" rays="${nrays}" depth="16"/>
    <rayinfo refid="stopangle" blobid="${stop}" rays="${nrays}" depth="16"/>
    <rawdata blobid="${data}" rays="${nrays}" type="${quantity}" bins="${nbins}" min="${min}" max="${max}" depth="${depth}"/>
   </slicedata>
  </slice>
`
}

function codesOf({ moments }: RadarSweep, { moment, depth, min, max }: RainbowMoment): Buffer {
  const { values } = moments[moment]!
  const encode = valueEncoder({ depth, min, max })
  const turns = moment === 'PHIDP'
  const bytes = Buffer.alloc((values.length * depth) / 8)
  values.forEach((value, k) => {
    if (!Number.isFinite(value)) return
    const code = encode(turns ? ((value % 360) + 360) % 360 : value)
    if (depth === 8) bytes[k] = code
    else bytes.writeUInt16BE(code, 2 * k)
  })
  return bytes
}

const instant = (datetime: string): [date: string, time: string] => [
  datetime.slice(0, 10),
  datetime.slice(11, 19),
]
