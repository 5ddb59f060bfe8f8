import { differenceBytes, type PaletteName, paletteBytes } from '@radx/charts/palettes'
import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import { SWEEP_FIRST_CODE, type SweepBundleHeader } from '@radx/contracts/sweep-bundle'
import { formatNumberFr } from '@radx/locale/format-fr'
import { type DecodedSweep, sweepValue } from '@radx/rainfall/sweep-bundle'
import { sweepTexts as texts } from '../../texts/sweep.ts'

/** A field by its name, as its unit is written in files. */
interface Field {
  name: string
  unit: string
}

/** How values of a field become colours: along a palette, or by classes. */
export type Scale =
  | {
      kind: 'range'
      low: number
      high: number
      palette: PaletteName | 'difference'
      ticks: number[]
      decimals: number
    }
  | { kind: 'classes'; classes: { from: number; color: string; label: string }[] }

const UNITS: Record<string, string> = {
  dBZ: 'dBZ',
  dB: 'dB',
  deg: '°',
  degree: '°',
  'deg/km': '°/km',
  'degree km-1': '°/km',
  'dB km-1': 'dB/km',
  'mm h-1': 'mm/h',
  'm/s': 'm/s',
  '1': '',
}

/** A unit as it is read; empty for shares and codes. */
export const unitText = (unit: string): string => UNITS[unit] ?? unit

const LEAST_DECIMALS = 2
/** Decimals that a value is read with. */
export const decimalsOf = ({ name, unit }: Field): number =>
  CODED.has(name) ? 0 : unit === '1' ? 3 : unit === 'dBZ' || /^deg(ree)?$/.test(unit) ? 1 : LEAST_DECIMALS

/** Colours of things that have no order, told apart in both modes. */
const KINDS = [
  '#7fb3e6',
  '#2f7fd0',
  '#123f9c',
  '#8e5bd0',
  '#e0403a',
  '#f0792e',
  '#f2c23a',
  '#8fd3a2',
  '#3f9c6a',
  '#b5a58a',
  '#7d8a90',
]
const kinds = (labels: readonly string[], colors: readonly string[] = KINDS): Scale => ({
  kind: 'classes',
  classes: labels.map((label, k) => ({ from: k + 0.5, color: colors[k], label })),
})

const CODED: ReadonlyMap<string, Scale> = new Map([
  ['CLASS', kinds(texts.classes)],
  ['METHOD', kinds([texts.methodNone, ...texts.methods.slice(1)], ['#b9c2c4', ...KINDS.slice(1)])],
  [
    'LEFT_OUT',
    {
      kind: 'classes',
      classes: [
        { from: -0.5, color: '#9fb4b8', label: texts.kept },
        { from: 0.5, color: '#d2483f', label: texts.leftOut },
      ],
    },
  ],
])

/** Rain in the official classes; what is less than the lowest has no colour. */
const RAIN: Scale = {
  kind: 'classes',
  classes: INTENSITY_CLASSES.map(({ lowMmH, color, labelFr }) => ({ from: lowMmH, color, label: labelFr })),
}

const range = (
  low: number,
  high: number,
  step: number,
  palette: PaletteName | 'difference' = 'turbo',
): Scale => ({
  kind: 'range',
  low,
  high,
  palette,
  decimals: step < 0.1 ? 2 : step < 1 ? 1 : 0,
  ticks: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, k) => low + k * step),
})

const FIXED: Record<string, Scale> = {
  ZDR: range(-2, 6, 2),
  ZDR_CORRECTED: range(-2, 6, 2),
  RHOHV: range(0.7, 1, 0.1, 'viridis'),
  KDP: range(-2, 8, 2),
  AH: range(0, 2, 0.5, 'inferno'),
  WRADH: range(0, 6, 2, 'viridis'),
  WRADV: range(0, 6, 2, 'viridis'),
}

/** Velocities to either side of zero by the largest of them, so that none is at rest in another sweep's colours. */
const VELOCITY_STEP = 5

/** The scale that suits a field: the same for every sweep where its quantity has a usual range. */
export function scaleOf(field: Field, sweep: DecodedSweep | null): Scale {
  const { name, unit } = field
  const coded = CODED.get(name)
  if (coded) return coded
  if (name in FIXED) return FIXED[name]
  if (unit === 'dBZ') return range(-10, 60, 10)
  if (unit === 'mm h-1') return RAIN
  if (unit === '1')
    return range(0, 1, 0.25, name === 'CLUTTER' || name === 'BLOCKAGE' ? 'inferno' : 'viridis')
  const [low, high] = sweep ? bulkOf(sweep) : [0, 1]
  if (name.startsWith('VRAD')) {
    const most = Math.max(VELOCITY_STEP, VELOCITY_STEP * Math.ceil(Math.max(-low, high) / VELOCITY_STEP))
    return range(-most, most, most / 2, 'difference')
  }
  if (name === 'PIA') return fitted(0, Math.max(2, high), 'inferno')
  return fitted(low, high, 'turbo')
}

const ROUND = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 50, 60, 100]

/** A range in round steps that holds what there is. */
function fitted(low: number, high: number, palette: PaletteName): Scale {
  const step = ROUND.find((one) => (high - low) / one <= 6) ?? 200
  const from = step * Math.floor(low / step)
  return range(from, Math.max(from + step, step * Math.ceil(high / step)), step, palette)
}

/** The values that all but a hundredth at either end lie between. */
function bulkOf({ header, codes }: DecodedSweep): [number, number] {
  const counts = new Uint32Array(65_536)
  for (const code of codes) counts[code]++
  let total = 0
  for (let code = SWEEP_FIRST_CODE; code < counts.length; code++) total += counts[code]
  if (total === 0) return [0, 1]
  const at = (share: number): number => {
    let sum = 0
    for (let code = SWEEP_FIRST_CODE; code < counts.length; code++) {
      sum += counts[code]
      if (sum >= share * total) return sweepValue(header, code)
    }
    return sweepValue(header, counts.length - 1)
  }
  return [at(0.01), at(0.99)]
}

const hexBytes = (color: string): number[] => [1, 3, 5].map((k) => Number.parseInt(color.slice(k, k + 2), 16))

/** Colours of a palette, four bytes each from low to high. */
export const bytesOf = (palette: PaletteName | 'difference'): Uint8Array =>
  palette === 'difference' ? differenceBytes() : paletteBytes(palette)

/** The colour of a value as bytes of red, green and blue; null for one without. */
export function colorer(scale: Scale): (value: number) => ArrayLike<number> | null {
  if (scale.kind === 'classes') {
    const classes = scale.classes.map(({ from, color }) => ({ from, bytes: hexBytes(color) }))
    return (value) => classes.findLast(({ from }) => value >= from)?.bytes ?? null
  }
  const { low, high } = scale
  const bytes = bytesOf(scale.palette)
  return (value) => {
    if (!Number.isFinite(value)) return null
    const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
    const at = 4 * Math.round(share * 255)
    return bytes.subarray(at, at + 3)
  }
}

/** Colour of each of the 65,536 codes of a field, four bytes each; clear where there is nothing to draw. */
export function colorTable(header: Pick<SweepBundleHeader, 'offset' | 'gain'>, scale: Scale): Uint8Array {
  const colorOf = colorer(scale)
  const table = new Uint8Array(4 * 65_536)
  for (let code = SWEEP_FIRST_CODE; code < 65_536; code++) {
    const color = colorOf(sweepValue(header, code))
    if (color) table.set([color[0], color[1], color[2], 255], 4 * code)
  }
  return table
}

/** A value of a field in words. */
export function valueText(field: Field, value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–'
  const coded = CODED.get(field.name)
  if (coded?.kind === 'classes') return coded.classes.findLast(({ from }) => value >= from)?.label ?? '–'
  const unit = unitText(field.unit)
  return `${formatNumberFr(value, decimalsOf(field))}${unit === '' ? '' : unit === '°' ? '°' : `\u202f${unit}`}`
}
