import { RadxError } from '@radx/contracts/errors'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { AdjustInput } from '@radx/rainfall/gauges/field'
import { nearestCellsOf, type PlaneGrid } from '@radx/rainfall/gauges/field'
import { type FrameTime, usualStepMs } from '@radx/rainfall/gauges/frame-spans'
import type { GaugeSeries } from '@radx/rainfall/gauges/gauge-text'
import { type CommonTotals, commonTotals, type TotalsOptions } from '@radx/rainfall/gauges/totals'
import type { RainFile, RainSeries } from './rain-files.ts'

export interface PlacedGauge {
  gauge: GaugeSeries
  /** In the plane of the frames. */
  x: number
  y: number
}

/** A cell counts where frames know it for this share of the common time. */
const KNOWN_SHARE = 0.8

const hasData = ({ rateMmH }: RainFile): boolean => rateMmH.some((v) => !Number.isNaN(v))

/**
 * Frames and gauges brought to totals of the same time. A frame without any data counts as none.
 * @throws RadxError where frames and gauges never meet, or no frame has data
 */
export function totalsOf(
  { frames }: RainSeries,
  gauges: readonly GaugeSeries[],
  options: TotalsOptions,
): CommonTotals {
  const used = frames.flatMap((frame, k) => (hasData(frame) ? [k] : []))
  if (used.length === 0)
    throw new RadxError('gauges.noRadar', 422, 'aucune image n’a de donnée : rien à comparer.')
  const [{ accumulation }] = frames
  const totals = commonTotals(
    used.map((k) => frames[k].timeMs!),
    gauges,
    {
      ...options,
      frameTime: options.frameTime ?? saidTime(frames),
      frameMs: accumulation === null ? undefined : accumulation.hours * 3_600_000,
    },
  )
  const whole = (hours: readonly number[]): number[] => {
    const out = frames.map(() => 0)
    for (const [i, k] of used.entries()) out[k] = hours[i]
    return out
  }
  return {
    ...totals,
    frameHours: whole(totals.frameHours),
    knownHours: totals.knownHours.map((hours) => hours && whole(hours)),
  }
}

/** A picture says its time where that lasts about as long as a step; less is the time of a scan. */
const SAID_STEPS = { least: 0.5, most: 1.5 }

/** What files say of their nominal time, accumulations or pictures of a step, where all say the same. */
function saidTime(frames: readonly RainFile[]): FrameTime | undefined {
  const stepMs = usualStepMs(frames.map(({ timeMs }) => timeMs!))
  const kinds = frames.map(({ timeMs, accumulation, interval }): FrameTime | undefined => {
    const said = accumulation?.endMs
      ? { startMs: accumulation.endMs - accumulation.hours * 3_600_000, endMs: accumulation.endMs }
      : interval
    if (!said) return undefined
    const steps = (said.endMs - said.startMs) / stepMs
    if (!accumulation && !(steps >= SAID_STEPS.least && steps <= SAID_STEPS.most)) return undefined
    const near = (ms: number) => Math.abs(timeMs! - ms) < 1000
    if (near(said.endMs)) return 'end'
    return near(said.startMs) ? 'start' : undefined
  })
  return kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined
}

const PARTS_FR: Record<FrameTime, string> = { start: 'le début', middle: 'le milieu', end: 'la fin' }

/** What is to be known of the frames' times where neither their files nor the command say which part of a step they are. */
export function guessedTimeNotes({ frames }: RainSeries, totals: CommonTotals, isRate: boolean): string[] {
  if (!totals.isGuessed) return []
  const step = formatNumberFr(usualStepMs(frames.map(({ timeMs }) => timeMs!)) / 60_000, 1, true)
  if (isRate)
    return [
      `des mesures en mm/h sont prises comme des instants, chacune avec l’image dont l’heure est la plus proche : si ce sont des moyennes, ou si l’heure d’une image est le début ou la fin de son pas (${step} min), le décalage va jusqu’à un demi-pas. Des hauteurs en mm avec --interval et --frame-time le lèvent.`,
    ]
  return [
    `les images ne disent pas à quelle partie de leur pas (${step} min) correspond leur heure : ${PARTS_FR[totals.frameTime]}, supposé d’après les mesures qu’elles couvrent. --frame-time start, middle ou end le dit.`,
  ]
}

/** What is to be known of frames that are accumulations of more time than lies between them. */
export function slidingNotes({ frames }: RainSeries): string[] {
  const [{ accumulation }] = frames
  const stepMin = usualStepMs(frames.map(({ timeMs }) => timeMs!)) / 60_000
  if (accumulation === null || frames.length < 2 || accumulation.hours * 60 <= 1.5 * stepMin) return []
  return [
    `les images sont des cumuls de ${Math.round(accumulation.hours * 60)} min toutes les ${Math.round(stepMin)} min ; chacune compte comme l’intensité moyenne de son pas.`,
  ]
}

/**
 * mm over the common time; NaN where less than 80 % of it is known. What is missing of a cell is taken as the mean of
 * what is known.
 */
export function depthOf(
  { frames, nrows, ncols }: RainSeries,
  { frameHours }: CommonTotals,
): { radar: Float64Array; partly: number } {
  const radar = new Float64Array(nrows * ncols)
  const known = new Float64Array(nrows * ncols)
  let whole = 0
  frames.forEach(({ rateMmH }, k) => {
    const hours = frameHours[k]
    if (hours === 0) return
    whole += hours
    for (let i = 0; i < radar.length; i++) {
      if (Number.isNaN(rateMmH[i])) continue
      radar[i] += rateMmH[i] * hours
      known[i] += hours
    }
  })
  let partly = 0
  for (let i = 0; i < radar.length; i++) {
    // Sums of the same hours in the same order are equal to the last bit.
    if (known[i] === whole) continue
    const isTold = known[i] >= KNOWN_SHARE * whole
    if (!isTold && known[i] > 0) partly++
    radar[i] = isTold ? (radar[i] * whole) / known[i] : Number.NaN
  }
  return { radar, partly }
}

/**
 * Totals of gauges, gaps filled with what the radar says of them: the radar knows when it rained, the gauge how much.
 * NaN where the radar has rain in the gaps alone.
 */
export function observedOf(
  { frames }: RainSeries,
  { frameHours, knownHours, gaugeMm }: CommonTotals,
  placed: readonly PlacedGauge[],
  grid: PlaneGrid,
  nearestCells = 9,
): AdjustInput['observed'] {
  return Float64Array.from(placed, ({ x, y }, g) => {
    const hours = knownHours[g]
    if (hours === null) return gaugeMm[g]
    const cells = nearestCellsOf(grid, x, y, nearestCells)
    const [known, all] = [hours, frameHours].map((of) =>
      frames.reduce(
        (sum, { rateMmH }, k) => sum + cells.reduce((mm, cell) => mm + (rateMmH[cell] || 0) * of[k], 0),
        0,
      ),
    )
    if (known > 0) return (gaugeMm[g] * all) / known
    return all > 0 ? Number.NaN : gaugeMm[g]
  })
}
