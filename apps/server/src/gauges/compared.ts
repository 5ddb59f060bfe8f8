import type { ComparedGauge, Gauge, GaugeFlag, RainMethod } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { cellOf, distanceM } from '@radx/rainfall'
import { BIN_MS, binCount, gaugeBins, risesOf, usualInterval } from '@radx/rainfall/gauges/bins'
import { type FaultSpan, gaugeFaults, type KnownSums } from '@radx/rainfall/gauges/checks'
import type { GaugeBeside } from '@radx/rainfall/gauges/compare'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { flagsOf } from './queries.ts'
import { radarBins } from './radar-at-gauges.ts'
import { readReadings } from './readings.ts'

/** A gauge over a period beside the radar, checked. */
export interface GaugeOverPeriod {
  gauge: Gauge
  /** What is left when faults are left out; null outside the product. */
  beside: GaugeBeside | null
  /** Distance of its readings, ms; null without any. */
  intervalMs: number | null
  faults: ComparedGauge['faults']
  state: ComparedGauge['state']
}

export interface PeriodInput {
  gauges: readonly Gauge[]
  /** Whole steps of five minutes. */
  span: Span
  /** Faults are told but not left out. */
  raw: boolean
  /** How rain is to be taken between frames; moved only where it was followed. */
  method: RainMethod
}

const NEIGHBOURS = 4
const NEIGHBOUR_M = 30_000

/** Gauges and the radar over them in steps of five minutes, with what checks and managers say of them. */
export async function gaugesOverPeriod(
  context: { db: Kysely<Database>; store: Store },
  product: StoredProduct,
  { gauges, span, raw, method: wanted }: PeriodInput,
): Promise<{ places: GaugeOverPeriod[]; flags: GaugeFlag[]; method: RainMethod }> {
  const ids = gauges.map(({ id }) => id)
  const inside = gauges.flatMap((gauge) => {
    const cell = cellOf(product, gauge.position)
    return cell ? [{ gauge, cell }] : []
  })
  const [readings, flags, { method, bins: radar }] = await Promise.all([
    readReadings(context.db, ids, span),
    flagsOf(context.db, ids, span),
    radarBins(
      context,
      product,
      inside.map(({ cell }) => cell),
      span,
      wanted,
    ),
  ])
  const series = new Map<string, { mm: Float64Array; intervalMs: number | null }>()
  for (const { id, measure } of gauges) {
    const { timesMs, mm } = readings.get(id)!
    const within = timesMs.some((ms) => ms > span.startMs && ms <= span.endMs)
    const intervalMs = within ? usualInterval(timesMs) : null
    const depths = measure === 'total' ? risesOf(timesMs, mm) : mm
    series.set(id, { mm: gaugeBins(timesMs, depths, span, intervalMs ?? BIN_MS), intervalMs })
  }
  const sums: KnownSums = new Map()
  const places = gauges.map((gauge): GaugeOverPeriod => {
    const { mm, intervalMs } = series.get(gauge.id)!
    const at = inside.findIndex((one) => one.gauge.id === gauge.id)
    if (at < 0) return { gauge, beside: null, intervalMs, faults: [], state: 'outside' }
    const seen = radar[at]
    const found = gaugeFaults(
      {
        mm,
        radar: seen.radar,
        radarMost: seen.high,
        readingSteps: Math.round((intervalMs ?? BIN_MS) / BIN_MS),
        neighbours: neighboursOf(gauge, gauges).map(({ id }) => series.get(id)!.mm),
      },
      sums,
    )
    const judged = judge(
      found,
      flags.filter((flag) => flag.gauge === gauge.id && flag.removedAt === null),
      span,
    )
    const left = raw ? mm : without(mm, judged.excluded)
    const beside = { gauge: left, ...seen }
    return { gauge, beside, intervalMs, faults: judged.faults, state: stateOf(mm, beside, intervalMs) }
  })
  return { places, flags, method }
}

/** A series without the steps that are marked. */
function without(mm: Float64Array, excluded: Uint8Array): Float64Array {
  const left = mm.slice()
  for (let i = 0; i < left.length; i++) if (excluded[i] !== 0) left[i] = Number.NaN
  return left
}

/** The nearest gauges with readings of the same kind of step, within 30 km. */
function neighboursOf(gauge: Gauge, gauges: readonly Gauge[]): Gauge[] {
  return gauges
    .filter((other) => other.id !== gauge.id)
    .map((other) => ({ other, far: distanceM(gauge.position, other.position) }))
    .filter(({ far }) => far <= NEIGHBOUR_M)
    .sort((a, b) => a.far - b.far)
    .slice(0, NEIGHBOURS)
    .map(({ other }) => other)
}

/** Faults with what managers say of them, and the steps that are left out: a manager's word goes first. */
function judge(found: readonly FaultSpan[], flags: readonly GaugeFlag[], span: Span) {
  const count = binCount(span)
  const excluded = new Uint8Array(count)
  const kept = new Uint8Array(count)
  const bin = (ms: number) => Math.min(count, Math.max(0, (ms - span.startMs) / BIN_MS))
  const range = ({ start, end }: GaugeFlag) =>
    [Math.floor(bin(Date.parse(start))), Math.ceil(bin(Date.parse(end)))] as const
  for (const { from, to } of found) excluded.fill(1, from, to)
  // The newest word counts.
  for (const flag of flags) {
    excluded.fill(flag.kind === 'exclude' ? 1 : 0, ...range(flag))
    kept.fill(flag.kind === 'keep' ? 1 : 0, ...range(flag))
  }
  const at = (step: number) => isoSeconds(span.startMs + step * BIN_MS)
  const faults: ComparedGauge['faults'] = [
    ...found.map(({ fault, from, to }) => ({
      fault,
      start: at(from),
      end: at(to),
      kept: kept.subarray(from, to).every((v) => v === 1),
      flag: null,
    })),
    ...flags
      .filter(({ kind }) => kind === 'exclude')
      .map((flag) => ({
        fault: 'flag' as const,
        start: flag.start,
        end: flag.end,
        kept: false,
        flag: flag.id,
      })),
  ]
  return { excluded, faults: faults.sort((a, b) => (a.start < b.start ? -1 : 1)) }
}

function stateOf(mm: Float64Array, { gauge, radar }: GaugeBeside, intervalMs: number | null) {
  if (intervalMs === null || mm.every(Number.isNaN)) return 'noReadings'
  if (radar.every(Number.isNaN)) return 'noRadar'
  return gauge.every((v, i) => Number.isNaN(v + radar[i])) ? 'excluded' : 'compared'
}
