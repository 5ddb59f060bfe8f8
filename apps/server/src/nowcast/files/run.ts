import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { RadxError } from '@radx/contracts'
import { NO_SHARE, writeCfForecast } from '@radx/formats/cf-forecast'
import { countCells } from '@radx/motion/field'
import { forecastLk } from '@radx/motion/nowcast/sprog'
import { LONGEST_GAP_MIN, type NowcastStart, startNowcast } from '@radx/motion/nowcast/start'
import type { Window } from '@radx/motion/scores/deterministic'
import { motionKernel } from '../../store/motion-kernel.ts'
import { issuesOf, type Target, targetsOf } from './issues.ts'
import { type Forecast, forecastBy, type Method, REASONS } from './methods.ts'
import { openRainFiles, type RainSeries } from './rain-files.ts'
import { createScoreboard, type ScoreRow } from './scoreboard.ts'

export interface NowcastRunOptions {
  paths: readonly string[]
  out: string
  methods: readonly Method[]
  leadsMin: readonly number[]
  thresholdsMmH: readonly number[]
  issues: 'all' | readonly string[]
  members: number
  seed: number
  /** Cells that are scored; the whole grid by default. */
  window?: Window
  /** Forecast fields are written too, and for ensembles also the members. */
  fields: boolean
  keepMembers: boolean
  signal?: AbortSignal
  onProgress?: (done: number, all: number) => void
  onWarning?: (text: string) => void
}

/** Frames before an issue that are looked at: these, and more within so many minutes. */
const BEFORE = 2
const BEFORE_MIN = 60.5

/** What became of an issue, as run.json has it. */
interface IssueReport {
  issue: string
  /** French; null where there is a forecast at every lead. */
  reason: string | null
  leads_min: number[]
  vectors?: number
  declustered?: number
  seconds?: Record<string, number>
}

/**
 * Forecasts from files, on their own grid, and scores against the files that follow. Writes `scores.json`, `run.json` and
 * a netCDF file an issue and method.
 * @throws RadxError when nothing can be read, or the window or an issue is none of the files'
 */
export async function runNowcast(
  options: NowcastRunOptions,
): Promise<{ rows: ScoreRow[]; reports: IssueReport[] }> {
  const { out, leadsMin, methods, signal } = options
  const series = await openRainFiles(options.paths, signal)
  for (const warning of series.warnings) options.onWarning?.(warning)
  const window = checkedWindow(options.window, series)
  const { indices, unknown } = issuesOf(series.timesMs, leadsMin, options.issues)
  if (unknown.length > 0)
    throw new RadxError(
      'nowcast.issue',
      400,
      `--issues : aucune image à ${unknown.join(', ')} (UTC). Les images vont de ${iso(series.timesMs[0])} à ${iso(series.timesMs[series.timesMs.length - 1])}.`,
    )
  await mkdir(out, { recursive: true })
  const board = createScoreboard(options.thresholdsMmH, window, series.shape.ncols)
  const reports: IssueReport[] = []
  for (const [k, issue] of indices.entries()) {
    signal?.throwIfAborted()
    reports.push(await oneIssue(series, issue, options, board))
    options.onProgress?.(k + 1, indices.length)
    await setImmediate()
  }
  const order = (row: ScoreRow) => methods.indexOf(row.method) * 1e6 + row.lead_min
  const rows = board.rows().sort((a, b) => order(a) - order(b))
  await writeFile(join(out, 'scores.json'), json(rows))
  await writeFile(join(out, 'run.json'), json(aboutRun(options, series, window, reports)))
  return { rows, reports }
}

async function oneIssue(
  series: RainSeries,
  issue: number,
  options: NowcastRunOptions,
  board: ReturnType<typeof createScoreboard>,
): Promise<IssueReport> {
  const { timesMs, shape } = series
  // The last three tell the motion, those of the hour the trend.
  const known = timesMs.flatMap((ms, k) =>
    k <= issue && (k >= issue - BEFORE || timesMs[issue] - ms <= BEFORE_MIN * 60_000) ? [k] : [],
  )
  const frames = await Promise.all(known.map((k) => series.frame(k)))
  const report: IssueReport = { issue: iso(timesMs[issue]), reason: null, leads_min: [] }
  const begun = performance.now()
  const start = startNowcast(frames, shape, motionKernel('follow'))
  if (typeof start === 'string') return { ...report, reason: REASONS[start] }
  const seconds: Record<string, number> = { motion: secondsSince(begun) }
  const targets = targetsOf(timesMs, issue, options.leadsMin)
  // Leads as asked for, and where no frame was taken just then the time of the one by which they are scored.
  const wanted = [...new Set(targets.flatMap(({ leadMin, realMin }) => [leadMin, realMin]))]
  wanted.sort((a, b) => a - b)
  const moved = forecastLk(start, wanted)
  // Where nothing upstream was seen any more, the forecast ends.
  const going = wanted.flatMap((_, k) => (countCells(moved[k]).known > 0 ? [k] : []))
  const leadsMin = going.map((k) => wanted[k])
  const lk = going.map((k) => moved[k])
  const reached = targets.filter(({ leadMin }) => leadsMin.includes(leadMin))
  const ensemble = { members: options.members, seed: options.seed, kmPerCell: kmPerCell(series) }
  for (const method of options.methods) {
    const at = performance.now()
    const forecast = forecastBy(method, start, leadsMin, ensemble)
    seconds[method] = secondsSince(at)
    await scoreAll(series, start, { targets, leadsMin, lk }, method, forecast, board)
    const written = reached.map(({ leadMin }) => leadsMin.indexOf(leadMin))
    if (options.fields) await writeFields(series, issue, { leadsMin, written }, method, forecast, options)
  }
  const short = reached.length < targets.length
  return {
    ...report,
    reason: short
      ? `rien n’est connu en amont au-delà de ${reached.at(-1)?.leadMin ?? 0} min : la prévision s’arrête là`
      : null,
    leads_min: reached.map(({ leadMin }) => leadMin),
    vectors: start.followed,
    declustered: start.kept,
    seconds,
  }
}

async function scoreAll(
  series: RainSeries,
  start: NowcastStart,
  {
    targets,
    leadsMin,
    lk,
  }: { targets: readonly Target[]; leadsMin: readonly number[]; lk: readonly Float32Array[] },
  method: Method,
  forecast: Forecast,
  board: ReturnType<typeof createScoreboard>,
): Promise<void> {
  const last = start.frames[start.frames.length - 1].rateMmH
  for (const { seen, leadMin, realMin } of targets) {
    const k = leadsMin.indexOf(realMin)
    if (seen === null || k < 0) continue
    const { rateMmH } = await series.frame(seen)
    const scored = new Uint8Array(last.length)
    for (let i = 0; i < last.length; i++) scored[i] = rateMmH[i] >= 0 && last[i] >= 0 && lk[k][i] >= 0 ? 1 : 0
    board.add(method, { leadMin, realMin }, forecast, k, rateMmH, scored)
  }
}

async function writeFields(
  series: RainSeries,
  issue: number,
  { leadsMin, written }: { leadsMin: readonly number[]; written: readonly number[] },
  method: Method,
  forecast: Forecast,
  { out, thresholdsMmH, keepMembers, seed, members }: NowcastRunOptions,
): Promise<void> {
  const issueMs = series.timesMs[issue]
  if (written.length === 0) return
  const { members: membersOf } = forecast
  const bytes = await writeCfForecast({
    geometry: series.geometry,
    issueMs,
    leadsMin: written.map((k) => leadsMin[k]),
    rates: written.map((k) => forecast.fields[k]),
    ensemble: membersOf && {
      thresholdsMmH,
      members: keepMembers ? members : 0,
      lead: (k) => percentAndMembers(membersOf(written[k]), thresholdsMmH, keepMembers),
    },
    attributes: {
      title: `Rain forecast issued ${iso(issueMs)}`,
      method,
      source: 'RadX nowcast from weather radar',
      ...(membersOf && { members: String(members), seed: String(seed), rain_rate_is: 'ensemble mean' }),
    },
  })
  // Frames may come several a minute.
  const name = iso(issueMs)
    .replace(/[-:]/g, '')
    .slice(0, issueMs % 60_000 < 1000 ? 13 : 15)
  await writeFile(join(out, `forecast-${name}-${method}.nc`), bytes)
}

function percentAndMembers(members: Float32Array[], thresholdsMmH: readonly number[], keep: boolean) {
  return {
    percent: thresholdsMmH.map((threshold) => percentAbove(members, threshold)),
    members: keep ? members : [],
  }
}

/** Members at or above a rate, %; `NO_SHARE` where one is missing. */
function percentAbove(members: readonly Float32Array[], threshold: number): Uint8Array {
  const out = new Uint8Array(members[0].length)
  const at = Math.fround(threshold)
  for (let i = 0; i < out.length; i++) {
    let above = 0
    for (const member of members) {
      if (member[i] >= at) above++
      else if (!(member[i] >= 0)) above = Number.NaN
    }
    out[i] = above >= 0 ? Math.round((100 * above) / members.length) : NO_SHARE
  }
  return out
}

/** Planes are in metres, unless their definition says otherwise. */
export function kmPerUnit(proj4: string): number {
  if (/\+units=km\b/.test(proj4)) return 1
  const metres = Number(/\+to_meter=([\d.eE+-]+)/.exec(proj4)?.[1] ?? 1)
  return metres > 0 ? metres / 1000 : 0.001
}

/** Mean size of a cell, km; of a grid in degrees at its middle. */
function kmPerCell({ geometry: { proj4, left, right, top, bottom, ncols, nrows } }: RainSeries): number {
  const [width, height] = [(right - left) / ncols, (top - bottom) / nrows]
  if (!proj4.includes('+proj=longlat')) return Math.sqrt(width * height) * kmPerUnit(proj4)
  const middle = ((top + bottom) / 2) * (Math.PI / 180)
  return 111.2 * Math.sqrt(width * height * Math.cos(middle))
}

function checkedWindow(window: Window | undefined, { shape }: RainSeries): Window {
  if (!window) return { row: 0, col: 0, ...shape }
  const { row, col, nrows, ncols } = window
  if (row + nrows > shape.nrows || col + ncols > shape.ncols)
    throw new RadxError(
      'nowcast.window',
      400,
      `--window dépasse la grille, qui a ${shape.nrows} lignes et ${shape.ncols} colonnes.`,
    )
  return window
}

function aboutRun(options: NowcastRunOptions, series: RainSeries, window: Window, reports: IssueReport[]) {
  return {
    frames: series.timesMs.length,
    first: iso(series.timesMs[0]),
    last: iso(series.timesMs[series.timesMs.length - 1]),
    grid: series.geometry,
    km_per_cell: kmPerCell(series),
    window,
    methods: options.methods,
    leads_min: options.leadsMin,
    thresholds_mm_h: options.thresholdsMmH,
    ...(options.methods.includes('steps') && { members: options.members, seed: options.seed }),
    longest_gap_min: LONGEST_GAP_MIN,
    left_out: series.warnings,
    issues: reports,
    peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
}

const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`
const secondsSince = (begun: number) => Math.round(performance.now() - begun) / 1000
