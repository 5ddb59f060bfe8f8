import type { Site, SiteGauge } from '@radx/contracts/site'
import { writeToa5 } from '@radx/formats/toa5'
import { zoneOffsetMs } from '@radx/locale/time'
import { uniform, wordSeed } from './noise.ts'
import type { DemoFile } from './radar-files.ts'
import type { Weather } from './weather.ts'

const MINUTE_MS = 60_000
const DAY_MIN = 1_440
const STEP_MIN = 5
/** The demonstration's gauges have more than its radar sees, as beside many X-band radars. */
const GAUGES_OVER_RADAR = 1.25

/** What is wrong with a gauge, time and again. */
export type DemoFault = 'clogged' | 'stuck' | 'cleaning' | 'spike' | 'gaps' | 'low' | 'none'
/** By the place of a gauge among those with files of their own. */
const FAULTS: readonly DemoFault[] = ['cleaning', 'spike', 'none', 'clogged', 'stuck', 'gaps', 'low', 'none']

/** Gauges of the site whose files begin alike, in the order of the site. */
export interface DemoGaugeSource {
  files: string
  gauges: SiteGauge[]
}

export function gaugeSources(site: Site): DemoGaugeSource[] {
  const sources = new Map<string, SiteGauge[]>()
  for (const gauge of site.gauges)
    if (gauge.source.format !== 'station')
      sources.set(gauge.source.files, [...(sources.get(gauge.source.files) ?? []), gauge])
  return [...sources].map(([files, gauges]) => ({ files, gauges }))
}

/** The fault of a gauge; none of the station's own. */
export function demoFault(site: Site, id: string): DemoFault {
  const own = site.gauges.filter(({ source }) => source.format !== 'station')
  return FAULTS[own.findIndex((gauge) => gauge.id === id) % FAULTS.length] ?? 'none'
}

/** Minutes [from, to) of the fault in the block of days that holds a minute. */
function faultMinutes(
  minute: number,
  days: number,
  length: number,
  seed: number,
): { from: number; to: number } {
  const block = Math.floor(minute / (days * DAY_MIN))
  const from = block * days * DAY_MIN + Math.floor(uniform(block, 3, 0, seed) * (days * DAY_MIN - length))
  return { from, to: from + length }
}

const isIn = (minute: number, { from, to }: { from: number; to: number }) => minute >= from && minute < to

/** Writes what one gauge reads. */
class DemoGauge {
  private readonly gauge: SiteGauge
  private readonly weather: Weather
  private readonly fault: DemoFault
  private readonly seed: number
  private readonly gain: number

  constructor(site: Site, gauge: SiteGauge, weather: Weather) {
    this.gauge = gauge
    this.weather = weather
    this.fault = demoFault(site, gauge.id)
    this.seed = wordSeed(`gauge ${gauge.id}`, weather.options.seed)
    this.gain =
      GAUGES_OVER_RADAR * (0.9 + 0.2 * uniform(0, 1, 0, this.seed)) * (this.fault === 'low' ? 0.6 : 1)
  }

  /** Whether the logger wrote down this minute. */
  writes(minute: number): boolean {
    return this.fault !== 'gaps' || !isIn(minute, faultMinutes(minute, 3, 180, this.seed))
  }

  /** Whether this minute is written twice: loggers do after a loss of power. */
  writesTwice(minute: number): boolean {
    const { to } = faultMinutes(minute, 3, 180, this.seed)
    return this.fault === 'gaps' && minute >= to && minute < to + 15
  }

  /** mm of the steps of `step` minutes that end with a minute. */
  depthMm(minute: number, step: number): number {
    const { position } = this.gauge
    let mm = 0
    for (let m = minute - step + 1; m <= minute; m++) mm += this.weather.rateAt(position, m * MINUTE_MS) / 60
    mm *= this.gain
    switch (this.fault) {
      case 'clogged':
        return isIn(minute, faultMinutes(minute, 3, 20 * 60, this.seed)) ? 0 : mm
      case 'stuck':
        return isIn(minute, faultMinutes(minute, 4, 5 * 60, this.seed)) ? 0.08 * step : mm
      case 'spike':
        return minute === faultMinutes(minute, 4, 1, this.seed).from ? 45 : mm
      case 'cleaning':
        return isIn(minute, faultMinutes(minute, 2, 4, this.seed)) && this.isDry(minute) ? 0.8 * step : mm
      default:
        return mm
    }
  }

  /** Somebody cleans when it is dry. */
  private isDry(minute: number): boolean {
    const { from } = faultMinutes(minute, 2, 4, this.seed)
    for (let m = from - 60; m <= from + 60; m += 10)
      if (this.weather.rateAt(this.gauge.position, m * MINUTE_MS) > 0) return false
    return true
  }

  /** Tips of a bucket in a minute, such that many minutes add up to the rain. */
  tips(minute: number): number {
    return Math.floor(this.depthMm(minute, 1) / this.gauge.tipMm! + uniform(minute, 5, 0, this.seed))
  }

  /** A counter that is set to zero at seven past midnight UTC, and now and then by a technician. */
  totalMm(minute: number): number {
    const reset = Math.floor((minute - 7) / DAY_MIN) * DAY_MIN + 7
    const visit = faultMinutes(minute, 5, 1, this.seed).from
    const since = visit > reset && visit <= minute ? visit : reset
    let mm = 0
    for (let m = since + STEP_MIN; m <= minute; m += STEP_MIN)
      mm += (this.gain * this.weather.rateAt(this.gauge.position, m * MINUTE_MS) * STEP_MIN) / 60
    return mm
  }
}

const stamp = (ms: number) => new Date(ms).toISOString().replace(/\D/g, '').slice(0, 12)

/** Name of a file of gauges: its source, its first minute and how many it has, all UTC. */
export const gaugeFileName = (
  { files, gauges: [first] }: DemoGaugeSource,
  startMs: number,
  lengthMs: number,
) =>
  `${files}${stamp(startMs)}_${Math.round(lengthMs / MINUTE_MS)}.${first.source.format === 'toa5' ? 'dat' : 'csv'}`

/**
 * File of a source of gauges with what they read in (startMs, startMs + lengthMs]: TOA5 with a record a minute, CSV
 * with a line each five minutes. Any cutting into files gives the same readings.
 */
export function gaugeFile(
  site: Site,
  source: DemoGaugeSource,
  weather: Weather,
  startMs: number,
  lengthMs: number,
): DemoFile {
  const step = source.gauges[0].source.format === 'toa5' ? 1 : STEP_MIN
  const minutes: number[] = []
  for (let m = Math.floor(startMs / MINUTE_MS) + 1; m * MINUTE_MS <= startMs + lengthMs; m++)
    if (m % step === 0) minutes.push(m)
  const name = gaugeFileName(source, startMs, lengthMs)
  const bytes =
    step === 1
      ? toa5(site, source.gauges[0], weather, minutes)
      : new TextEncoder().encode(csv(site, source.gauges, weather, minutes))
  return { name, bytes }
}

function toa5(site: Site, gauge: SiteGauge, weather: Weather, minutes: number[]): Uint8Array {
  const own = new DemoGauge(site, gauge, weather)
  const written = minutes.filter((minute) => own.writes(minute))
  const isTips = gauge.measure === 'tips'
  return writeToa5({
    station: gauge.name,
    model: 'CR300',
    serialNumber: String(wordSeed(gauge.id, 1) >>> 18),
    operatingSystem: 'CR300.Std.10.03',
    program: `CPU:${gauge.id}.CRB`,
    signature: String(wordSeed(gauge.id, 2) >>> 16),
    table: 'Pluie',
    localMs: Float64Array.from(written, (m) => {
      const utc = m * MINUTE_MS
      return utc + zoneOffsetMs(utc, gauge.timeZone)
    }),
    columns: [
      {
        name: (gauge.source as { column: string }).column,
        unit: isTips ? 'tips' : 'mm',
        processing: 'Tot',
        values: Float64Array.from(written, (m) =>
          isTips ? own.tips(m) : Number(own.depthMm(m, 1).toFixed(3)),
        ),
      },
    ],
  })
}

/** Semicolons and decimal commas, times in the zone of the gauges: as a French spreadsheet writes them. */
function csv(site: Site, gauges: readonly SiteGauge[], weather: Weather, minutes: number[]): string {
  const source = gauges[0].source as Extract<SiteGauge['source'], { format: 'csv' }>
  const pad = (n: number) => String(n).padStart(2, '0')
  const lines: string[] = []
  const owns = gauges.map((gauge) => ({ gauge, own: new DemoGauge(site, gauge, weather) }))
  for (const minute of minutes) {
    const utc = minute * MINUTE_MS
    for (const { gauge, own } of owns) {
      if (!own.writes(minute)) continue
      const at = new Date(utc + zoneOffsetMs(utc, gauge.timeZone))
      const mm = gauge.measure === 'total' ? own.totalMm(minute) : own.depthMm(minute, STEP_MIN)
      const date = `${pad(at.getUTCDate())}/${pad(at.getUTCMonth() + 1)}/${at.getUTCFullYear()}`
      const hour = `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`
      const of = gauge.source as Extract<SiteGauge['source'], { format: 'csv' }>
      const cells = [
        ...(source.clock ? [date, hour] : [`${date} ${hour}`]),
        ...(of.gauge ? [of.gauge.value] : []),
        mm.toFixed(2).replace('.', ','),
      ]
      lines.push(cells.join(';'))
      if (own.writesTwice(minute)) lines.push(cells.join(';'))
    }
  }
  const head = [source.time, source.clock, source.gauge?.column, source.value].filter((c) => c !== undefined)
  return `${[head.join(';'), ...lines].join('\r\n')}\r\n`
}
