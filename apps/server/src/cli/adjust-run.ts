import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { FormatError, RadxError } from '@radx/contracts/errors'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import { planeOf } from '@radx/formats/projection'
import { toUtcMs } from '@radx/formats/toa5'
import { countFr } from '@radx/locale/format-fr'
import { type Adjusted, type AdjustMethod, type AdjustOptions, adjust } from '@radx/rainfall/gauges/adjust'
import { nearestCellsOf, type PlaneGrid } from '@radx/rainfall/gauges/field'
import type { FrameTime } from '@radx/rainfall/gauges/frame-spans'
import { type GaugeSeries, type GaugeUnit, readGaugeTable } from '@radx/rainfall/gauges/gauge-text'
import { gaugeScores } from '@radx/rainfall/gauges/scores'
import { type CommonTotals, commonTotals } from '@radx/rainfall/gauges/totals'
import { UsageError } from './command.ts'
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
  const series = await readRainSeries(run.radar, (done) => run.onProgress((0.5 * done) / run.radar.length))
  const timesMs = series.frames.map(({ timeMs }) => timeMs)
  if (timesMs.some((time) => time === null) || series.geometry === null)
    throw new UsageError(
      'les images doivent porter une heure et une projection (ODIM HDF5, netCDF-4 ou Rainbow 5).',
    )
  refuseTwice(series, run)
  const table = await readGauges(run)
  notes.push(...table.remarksFr)
  const grid = gridOf(series)
  const placed = placeGauges(table.gauges, series, grid, notes)
  const totals = commonTotals(
    timesMs as number[],
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
  const left = placed.filter((_, g) => Number.isNaN(totals.gaugeMm[g]))
  if (left.length > 0)
    notes.push(
      `laissés de côté, mesures manquantes : ${left
        .map(({ gauge }) => gauge.id)
        .join(', ')
        .slice(0, 300)}.`,
    )
  const radar = depthOf(series, totals)
  const input = {
    grid,
    radar,
    gauges: {
      x: Float64Array.from(placed, ({ x }) => x),
      y: Float64Array.from(placed, ({ y }) => y),
    },
    observed: Float64Array.from(totals.gaugeMm),
  }
  const result = adjust(input, run)
  if (result.unchanged)
    notes.push(
      result.unchanged === 'tooFewGauges'
        ? `${countFr(result.pairs.length, 'paire')} de pluviomètre et radar : il en faut ${run.minGauges ?? 5}. Rien n’est ajusté.`
        : 'aucun rapport stable entre pluviomètres et radar. Rien n’est ajusté.',
    )
  await mkdir(run.out, { recursive: true })
  const files = result.unchanged ? [] : await writeFrames(run, series, radar, result, totals)
  const nearest = placed.map(({ x, y }) => radar[nearestCellsOf(grid, x, y, 1)[0]] ?? Number.NaN)
  const scores = report(run, totals, result, placed, nearest, files, notes)
  await writeFile(join(run.out, 'scores.json'), `${JSON.stringify(scores, null, 1)}\n`)
  return { summary: summaryOf(run, result, scores), notes, adjusted: result.unchanged === null }
}

function refuseTwice({ frames }: RainSeries, { force }: AdjustRun): void {
  const already = frames.find(({ bias }) => bias !== null)
  if (already && !force)
    throw new UsageError(
      `${already.path} dit être déjà ajusté (how/bias ${already.bias}). Un second ajustement s’y ajouterait : donnez l’original, ou --force.`,
    )
}

async function readGauges({ gauges: path, unit, tipMm, timeZone = 'UTC' }: AdjustRun) {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `${path} n’existe pas.` : `${path} ne peut pas être lu (${error.code}).`,
    )
  })
  try {
    return readGaugeTable(bytes.toString('utf8'), basename(path), {
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

interface PlacedGauge {
  gauge: GaugeSeries
  x: number
  y: number
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
    throw new RadxError('gauges.outside', 422, 'aucun pluviomètre n’est dans la grille des images.')
  return placed
}

/** mm over the common time; NaN where a frame that counts has no data. */
function depthOf({ frames, nrows, ncols }: RainSeries, { frameHours }: CommonTotals): Float64Array {
  const out = new Float64Array(nrows * ncols)
  frames.forEach(({ rateMmH }, k) => {
    const hours = frameHours[k]
    if (hours > 0) for (let i = 0; i < out.length; i++) out[i] += rateMmH[i] * hours
  })
  return out
}

/** Names of what is written: those of the files, with the time where a file has several pictures. */
function stemsOf({ frames }: RainSeries): string[] {
  return frames.map(({ path, timeMs }) => {
    const stem = basename(path, extname(path))
    const alone = frames.filter((other) => other.path === path).length === 1
    return alone ? stem : `${stem}-${new Date(timeMs!).toISOString().replace(/[-:]|\.000/g, '')}`
  })
}

async function writeFrames(
  run: AdjustRun,
  series: RainSeries,
  radar: Float64Array,
  { field, factor, pairs }: Adjusted,
  { frameHours }: CommonTotals,
): Promise<string[]> {
  const hours = frameHours.reduce((sum, h) => sum + h, 0)
  const names: string[] = []
  const stems = stemsOf(series)
  for (const [k, { path, timeMs, rateMmH }] of series.frames.entries()) {
    const adjusted = rateMmH.map((rate, i) => {
      if (factor !== null) return rate * factor
      if (Number.isNaN(field[i])) return rate
      // Rain that only gauges saw is spread evenly over the time.
      return radar[i] > 0 ? rate * (field[i] / radar[i]) : rate + field[i] / hours
    })
    const name = `${stems[k]}.adjusted.h5`
    names.push(name)
    const bytes = await writeOdimComposite({
      geometry: series.geometry!,
      datetime: new Date(timeMs!).toISOString(),
      source: 'ORG:RadX',
      product: 'SURF',
      rateMmH: adjusted,
      how: {
        task: `radx adjust ${run.method}`,
        gauges: pairs.length,
        original: basename(path),
        // Says to other programs, and to this one, that the data are adjusted.
        bias: factor ?? meanRatio(field, radar),
      },
    })
    await writeFile(join(run.out, name), bytes)
    run.onProgress(0.5 + (0.5 * (k + 1)) / series.frames.length)
  }
  return names
}

/** Adjusted over original rain, of the whole field. */
function meanRatio(field: Float64Array, radar: Float64Array): number {
  let [after, before] = [0, 0]
  for (let i = 0; i < field.length; i++)
    if (!Number.isNaN(field[i])) {
      after += field[i]
      before += radar[i]
    }
  return before > 0 ? after / before : 1
}

function report(
  run: AdjustRun,
  totals: CommonTotals,
  { pairs, leftOut, factor, unchanged }: Adjusted,
  placed: readonly PlacedGauge[],
  nearest: number[],
  frames: string[],
  notes: string[],
) {
  const observed = pairs.map((pair) => pair.observed)
  const rainy = totals.gaugeMm.map((v, g) => (v >= RAINY_MM && nearest[g] >= RAINY_MM ? v : Number.NaN))
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
      observed,
      pairs.map(({ radar }) => radar),
    ),
    /** Each gauge estimated by all others. */
    leaveOneOut: gaugeScores(observed, leftOut),
    /** Radar of the one cell that holds each gauge. */
    nearestCell: { all: gaugeScores(totals.gaugeMm, nearest), above05mm: gaugeScores(rainy, nearest) },
    gauges: placed.map(({ gauge }, g) => {
      const i = at.get(g)
      const number = (value: number | undefined): number | null =>
        value === undefined || Number.isNaN(value) ? null : value
      return {
        id: gauge.id,
        place: gauge.place,
        gaugeMm: number(totals.gaugeMm[g]),
        radarMm: number(i === undefined ? undefined : pairs[i].radar),
        nearestCellMm: number(nearest[g]),
        leftOutMm: number(i === undefined ? undefined : leftOut[i]),
      }
    }),
    frames,
    notes,
  }
}

function summaryOf(
  run: AdjustRun,
  { factor, unchanged }: Adjusted,
  scores: ReturnType<typeof report>,
): string {
  const digits = (value: number | null, suffix = ''): string =>
    value === null ? '–' : `${value.toLocaleString('fr-FR', { maximumFractionDigits: 3 })}${suffix}`
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
