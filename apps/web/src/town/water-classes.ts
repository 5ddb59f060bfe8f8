import { WATER_COLORS, WATER_LIMITS_CM } from '@radx/contracts/water-classes'
import type { Scheme } from '../map/basemap.ts'
import type { GridPicture } from './paint-ground.ts'
import type { CodeClass } from './WaterFrames.ts'

export { WATER_LIMITS_CM }
/** Depths from which water may be shown, cm. */
export const FROM_CHOICES_CM = [1, 5, 10, 20, 30, 50] as const
/** Less than a kerb's foot is the film that rain leaves everywhere. */
export const DEFAULT_FROM_CM = 5

/** One blue: deeper is darker on a light page, brighter on a dark one. */
const COLORS: Record<Scheme, readonly string[]> = {
  light: WATER_COLORS,
  dark: ['#123a5c', '#1a4f7e', '#2468a4', '#3586c9', '#5aa8e4', '#93cbf3', '#d5ecfd'],
}

export interface WaterClass {
  fromCm: number
  /** null: open upwards. */
  toCm: number | null
  color: string
}

/** Classes of water from a depth on. @param limits lower limits, cm, ascending, at most as many as there are colours */
export function waterClasses(
  scheme: Scheme,
  fromCm: number,
  limits: readonly number[] = WATER_LIMITS_CM,
): WaterClass[] {
  const colors = COLORS[scheme]
  return limits.flatMap((limit, k) => {
    const toCm = limits[k + 1] ?? null
    if (toCm !== null && toCm <= fromCm) return []
    // Few classes take the whole range of the blues.
    const tone = limits.length === 1 ? colors.length - 1 : (k * (colors.length - 1)) / (limits.length - 1)
    return [{ fromCm: Math.max(limit, fromCm), toCm, color: colors[Math.round(tone)] }]
  })
}

/** Classes in the codes of frames, mm. */
export const depthCodes = (classes: readonly WaterClass[]): CodeClass[] =>
  classes.map(({ fromCm, color }) => ({ from: 10 * fromCm, color }))

/** Highest limit of a class, cm: colours go by the millimetre up to there. */
const DEEPEST_CM = 400

/**
 * Lower limits of classes as somebody wrote them, cm: `5 20 50 100`, whatever stands between.
 * @returns null for what is no list of ascending depths, or for more than there are colours
 */
export function readLimits(text: string): number[] | null {
  const words = text
    .trim()
    .split(/[\s;/]+|,\s+|-/)
    .filter((word) => word !== '')
  const limits = words.map((word) => Number(word.replace(',', '.')))
  const fine = limits.every(
    (limit, k) => limit > 0 && limit <= DEEPEST_CM && (k === 0 || limit > limits[k - 1]),
  )
  return fine && limits.length > 0 && limits.length <= COLORS.light.length ? limits : null
}

export const rgbOf = (color: string): [number, number, number] => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

/** Depths in the colours of their classes, a pixel a cell; what is below the first is not drawn. @param cm NaN outside */
export function waterPicture(
  { nrows, ncols }: { nrows: number; ncols: number },
  cm: ArrayLike<number>,
  classes: readonly WaterClass[],
): GridPicture {
  const data = new Uint8ClampedArray(4 * nrows * ncols)
  const colors = classes.map(({ color }) => rgbOf(color))
  const limits = classes.map(({ fromCm }) => fromCm)
  for (let k = 0; k < nrows * ncols; k++) {
    const depth = cm[k]
    if (!(depth >= limits[0])) continue
    let c = limits.length - 1
    while (depth < limits[c]) c--
    data[4 * k] = colors[c][0]
    data[4 * k + 1] = colors[c][1]
    data[4 * k + 2] = colors[c][2]
    data[4 * k + 3] = 255
  }
  return { width: ncols, height: nrows, data }
}
