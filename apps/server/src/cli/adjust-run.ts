import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FormatError, RadxError } from '@radx/contracts/errors'
import { decodeText } from '@radx/formats/decode-text'
import { planeOf } from '@radx/formats/projection'
import { toUtcMs } from '@radx/formats/toa5'
import { countFr, formatNumberFr } from '@radx/locale/format-fr'
import {
  type Adjusted,
  type AdjustMethod,
  type AdjustOptions,
  adjust,
  FACTOR_LIMITS,
} from '@radx/rainfall/gauges/adjust'
import { nearestCellsOf, type PlaneGrid } from '@radx/rainfall/gauges/field'
import type { FrameTime } from '@radx/rainfall/gauges/frame-spans'
import { type GaugeSeries, type GaugeUnit, readGaugeTable } from '@radx/rainfall/gauges/gauge-text'
import { gaugeScores } from '@radx/rainfall/gauges/scores'
import type { CommonTotals } from '@radx/rainfall/gauges/totals'
import {
  depthOf,
  guessedTimeNotes,
  observedOf,
  type PlacedGauge,
  slidingNotes,
  totalsOf,
} from './adjust-depth.ts'
import { writeFrames } from './adjust-frames.ts'
import { UsageError } from './command.ts'
import { checkOutFolder, makeOutFolder, unreadable, writeOut } from './given-paths.ts'
import { type RainSeries, readRainSeries } from './rain-files.ts'

export interface AdjustRun extends Omit<AdjustOptions, 'method'> {
  radar: string[]
  gauges: string
  out: string
  method: AdjustMethod
  unit?: GaugeUnit
  /** Depth of a tip, mm. */
  tipMm?: number
  /** Zone of gauge times that say none. */
  timeZone?: string
  intervalMin?: number
  frameTime?: FrameTime
  /** Also adjusts frames whose file says that they are adjusted. */
  force: boolean
  onProgress: (share: number) => void
}

/** Depths that both of a pair reach, for the scores that leave drizzle aside, mm. */
const RAINY_MM = 0.5

/** Adjusts files to gauges and writes frames and scores. */
export async function runAdjust(
  run: AdjustRun,
): Promise<{ summary: string; notes: string[]; adjusted: boolean }> {
  const notes: string[] = []
  await checkOutFolder(run.out)
  // Read before the images, of which there may be many: what is wrong with it is said at once.
  const table = await readGauges(run)
  const series = await readRainSeries(run.radar, (done) => run.onProgress((0.5 * done) / run.radar.length))
  const timesMs = series.frames.map(({ timeMs }) => timeMs)
  if (timesMs.some((time) => time === null) || series.geometry === null)
    throw new UsageError(
      'les images doivent porter une heure et une projection (ODIM HDF5, netCDF-4 ou Rainbow 5).',
    )
  refuseTwice(series, run)
  notes.push(...table.remarksFr)
  const grid = gridOf(series)
  const placed = placeGauges(table.gauges, series, grid, notes)
  const totals = totalsOf(
    series,
    placed.map(({ gauge }) => gauge),
    {
      frameTime: run.frameTime,
      intervalMs: run.intervalMin === undefined ? undefined : run.intervalMin * 60_000,
    },
  )
  if (totals.spans.length === 0)
    throw new RadxError(
      'gauges.noCommonTime',
      422,
      `aucune mesure des pluviomètres n’est couverte par les images (${period(timesMs as number[])} UTC). Les heures sont-elles en UTC ?`,
    )
  notes.push(...guessedTimeNotes(series, totals, placed[0]?.gauge.unit === 'mm/h'))
  const observed = observedOf(series, totals, placed, grid, run.nearestCells)
  notes.push(...leftOutNotes(placed, observed))
  const { radar, partly } = depthOf(series, totals)
  const input = {
    grid,
    radar,
    gauges: {
      x: Float64Array.from(placed, ({ x }) => x),
      y: Float64Array.from(placed, ({ y }) => y),
    },
    observed,
  }
  const result = adjust(input, run)
  notes.push(...resultNotes(run, result, partly), ...dryNotes(run, result, radar), ...slidingNotes(series))
  const nearest = placed.map(({ x, y }) => radar[nearestCellsOf(grid, x, y, 1)[0]] ?? Number.NaN)
  const scores = report(run, totals, result, placed, { observed, nearest }, notes)
  await makeOutFolder(run.out)
  if (!result.unchanged)
    scores.frames = await writeFrames({
      ...run,
      series,
      radar,
      result,
      hours: scores.hours,
      leaveOneOut: scores.leaveOneOut,
      onFrame: (done) => run.onProgress(0.5 + (0.5 * done) / series.frames.length),
    })
  await writeOut(join(run.out, 'scores.json'), `${JSON.stringify(scores, null, 1)}\n`)
  return { summary: summaryOf(run, result, scores), notes, adjusted: result.unchanged === null }
}

function leftOutNotes(placed: readonly PlacedGauge[], observed: Float64Array): string[] {
  const left = placed.filter((_, g) => Number.isNaN(observed[g])).map(({ gauge }) => gauge.id)
  return left.length === 0 ? [] : [`laissés de côté, mesures manquantes : ${left.join(', ').slice(0, 300)}.`]
}

/** What is to be known of what was made, or why nothing was. */
function resultNotes(
  { minGauges = 5, limits = FACTOR_LIMITS }: AdjustRun,
  { unchanged, pairs, factor }: Adjusted,
  partly: number,
): string[] {
  if (unchanged === 'tooFewGauges')
    return [
      `${countFr(pairs.length, 'paire')} de pluviomètre et radar : il en faut ${minGauges}. Rien n’est ajusté.`,
    ]
  if (unchanged) return ['aucun rapport stable entre pluviomètres et radar. Rien n’est ajusté.']
  return [
    ...(factor === limits[0] || factor === limits[1]
      ? [
          `le facteur est à sa borne, ${factor.toLocaleString('fr-FR')} : les pluviomètres en demandent un au-delà (--limits).`,
        ]
      : []),
    ...(partly > 0 && factor === null
      ? [
          `${countFr(partly, 'maille')} : moins de 80 % du temps est connu, sans donnée dans les images ajustées.`,
        ]
      : []),
  ]
}

/** Local methods make a field of the gauges alone where the radar saw no rain, or says nothing that tells gauges apart. */
function dryNotes({ method }: AdjustRun, { unchanged, pairs }: Adjusted, radar: ArrayLike<number>): string[] {
  if (method === 'mfb' || unchanged) return []
  if (!Array.from(radar).some((mm) => mm > 0))
    return [
      'le radar n’a vu aucune pluie sur la période : le champ écrit vient des seuls pluviomètres. Vérifiez les images.',
    ]
  const [{ radar: first }] = pairs
  if (method === 'ked' && pairs.every((pair) => pair.radar === first))
    return [
      `le radar dit la même pluie à tous les pluviomètres (${formatNumberFr(first, 2, true)} mm) : le champ krigé vient des seuls pluviomètres, sans la dérive du radar.`,
    ]
  return []
}

function refuseTwice({ frames }: RainSeries, { force }: AdjustRun): void {
  const already = frames.find(({ bias }) => bias !== null)
  if (already && !force)
    throw new UsageError(
      `${already.path} dit être déjà ajusté (how/bias ${already.bias}). Un second ajustement s’y ajouterait : donnez l’original, ou --force.`,
    )
}

async function readGauges({ gauges: path, unit, tipMm, timeZone = 'UTC' }: AdjustRun) {
  const bytes = await readFile(path).catch((error) => {
    throw unreadable(path, error)
  })
  if (bytes.length === 0) throw new UsageError(`${path} est vide.`)
  try {
    return readGaugeTable(decodeText(bytes), basename(path), {
      unit,
      tipMm,
      zone: { name: timeZone, toUtcMs: (clock) => toUtcMs(clock, timeZone) },
    })
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(error.message)
    throw error
  }
}

function gridOf({ geometry, nrows, ncols }: RainSeries): PlaneGrid {
  const { left, right, top, bottom } = geometry!
  const [dx, dy] = [(right - left) / ncols, (bottom - top) / nrows]
  return { nrows, ncols, x0: left + dx / 2, dx, y0: top + dy / 2, dy }
}

function placeGauges(
  gauges: readonly GaugeSeries[],
  { geometry }: RainSeries,
  grid: PlaneGrid,
  notes: string[],
): PlacedGauge[] {
  const toPlane = planeOf(geometry!.proj4)
  if (!toPlane) throw new UsageError(`la projection des images n’est pas calculable : ${geometry!.proj4}.`)
  const outside: string[] = []
  const placed = gauges.flatMap((gauge) => {
    const [x, y] = gauge.place
      ? toPlane([gauge.place.lng, gauge.place.lat])
      : [gauge.plane!.x, gauge.plane!.y]
    if (nearestCellsOf(grid, x, y, 1).length > 0) return [{ gauge, x, y }]
    outside.push(gauge.id)
    return []
  })
  if (outside.length > 0) notes.push(`hors de la grille des images : ${outside.join(', ').slice(0, 300)}.`)
  if (placed.length === 0)
    throw new RadxError(
      'gauges.outside',
      422,
      'aucun pluviomètre n’est dans la grille des images. Longitude et latitude, ou x et y, sont-elles échangées, dans une autre unité ou un autre plan ?',
    )
  return placed
}

function report(
  run: AdjustRun,
  totals: CommonTotals,
  { pairs, leftOut, factor, unchanged }: Adjusted,
  placed: readonly PlacedGauge[],
  { observed, nearest }: { observed: Float64Array; nearest: number[] },
  notes: string[],
) {
  const paired = pairs.map((pair) => pair.observed)
  const rainy = observed.map((v, g) => (v >= RAINY_MM && nearest[g] >= RAINY_MM ? v : Number.NaN))
  const at = new Map(pairs.map((pair, i) => [pair.gauge, i]))
  return {
    method: run.method,
    unchanged,
    factor,
    frameTime: totals.frameTime,
    from: new Date(totals.spans[0].fromMs).toISOString(),
    to: new Date(totals.spans[totals.spans.length - 1].toMs).toISOString(),
    hours: totals.frameHours.reduce((sum, h) => sum + h, 0),
    /** Radar of the median of the cells around each gauge, as the adjustment takes it. */
    raw: gaugeScores(
      paired,
      pairs.map(({ radar }) => radar),
    ),
    /** Each gauge estimated by all others. */
    leaveOneOut: gaugeScores(paired, leftOut),
    /** Radar of the one cell that holds each gauge. */
    nearestCell: { all: gaugeScores(observed, nearest), above05mm: gaugeScores(rainy, nearest) },
    gauges: placed.map(({ gauge }, g) => {
      const i = at.get(g)
      const number = (value: number | undefined): number | null =>
        value === undefined || Number.isNaN(value) ? null : value
      return {
        id: gauge.id,
        place: gauge.place,
        gaugeMm: number(observed[g]),
        radarMm: number(i === undefined ? undefined : pairs[i].radar),
        nearestCellMm: number(nearest[g]),
        leftOutMm: number(i === undefined ? undefined : leftOut[i]),
      }
    }),
    frames: [] as string[],
    notes,
  }
}

function summaryOf(
  run: AdjustRun,
  { factor, unchanged }: Adjusted,
  scores: ReturnType<typeof report>,
): string {
  const digits = (value: number | null, suffix = ''): string =>
    value === null
      ? '–'
      : `${value.toLocaleString('fr-FR', { maximumFractionDigits: 3, signDisplay: 'negative' })}${suffix}`
  const { raw, leaveOneOut } = scores
  return [
    `${countFr(raw.pairs, 'pluviomètre')} ; pluviomètres sur radar : somme ${digits(raw.ratioOfSums)}, médiane ${digits(raw.medianRatio)} (5 % ${digits(raw.ratio5)}, 95 % ${digits(raw.ratio95)}).`,
    `Écart quadratique ${digits(raw.rmse, ' mm')}, biais ${digits(raw.biasPct, ' %')} ; après ajustement, en validation croisée : ${digits(leaveOneOut.rmse, ' mm')}, ${digits(leaveOneOut.biasPct, ' %')}.`,
    unchanged
      ? 'Rien n’a été ajusté.'
      : `${countFr(scores.frames.length, 'image écrite', 'images écrites')} dans ${run.out}${factor === null ? '' : `, facteur ${digits(factor)}`}.`,
  ].join('\n')
}

function period(timesMs: readonly number[]): string {
  const text = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  return `${text(timesMs[0])} à ${text(timesMs[timesMs.length - 1])}`
}
