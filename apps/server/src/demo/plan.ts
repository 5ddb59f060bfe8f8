import type { Site } from '@radx/contracts'
import { type Demo, gaugeFileName, LATEST_MS, STATION_FILE_MS } from '@radx/demo'
import type { DemoItem } from './demo.worker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What the first start shows before anything else. */
const FIRST_MS = 4 * HOUR_MS
/** How far back the demonstration is filled. */
export const BACKFILL_MS = 30 * DAY_MS

/** Part of the demonstration, written as a whole before the next one. */
export interface DemoStep {
  name: string
  fromMs: number
  toMs: number
  /** Radar products of this step. */
  products: string[]
  station: boolean
  mrr: boolean
  /** Behind everything else that the machine does. */
  background: boolean
  /** Also with rests between: nobody looks for it in the first minutes. */
  unhurried: boolean
}

/** What is written and in which order: what people see first comes first. */
export function demoPlan(site: Site, nowMs: number): DemoStep[] {
  const others = site.products.map((p) => p.shortName).filter((name) => name !== site.defaultProduct)
  const step = (
    name: string,
    fromMs: number,
    toMs: number,
    rest: Partial<Omit<DemoStep, 'name' | 'fromMs' | 'toMs'>>,
  ): DemoStep => ({
    name,
    fromMs,
    toMs,
    products: [],
    station: false,
    mrr: false,
    background: false,
    unhurried: false,
    ...rest,
  })
  const first = nowMs - FIRST_MS
  const steps = [
    step('direct', first, nowMs, { products: [site.defaultProduct] }),
    step('station et micro radar', first, nowMs, { station: true, mrr: true }),
    step('autres produits', first, nowMs, { products: others }),
    ...site.events
      .filter((event) => Date.parse(event.end) < nowMs)
      .map((event) =>
        step(`évènement ${event.id}`, Date.parse(event.start), Date.parse(event.end) + 1, {
          products: [event.product],
          station: true,
          mrr: true,
          background: true,
        }),
      ),
  ]
  const start = nowMs - BACKFILL_MS
  for (let day = Math.floor(nowMs / DAY_MS) * DAY_MS; day + DAY_MS > start; day -= DAY_MS) {
    const fromMs = Math.max(day, start)
    const toMs = Math.min(day + DAY_MS, nowMs)
    steps.push(
      step(new Date(day).toISOString().slice(0, 10), fromMs, toMs, {
        products: [site.defaultProduct, ...others],
        station: true,
        mrr: true,
        background: true,
        unhurried: toMs < nowMs - DAY_MS,
      }),
    )
  }
  return steps
}

/** Whether something is stored already. */
export interface Known {
  /** Instants of a product's frames in [from, to). */
  frames(product: string, fromMs: number, toMs: number): Promise<Set<number>>
  /** Whether the station has readings at the end of each hour of (from, to]. */
  stationHours(fromMs: number, toMs: number): Promise<Set<number>>
  /** Those of the file names that were taken in. */
  files(names: string[]): Promise<Set<string>>
}

/**
 * How long filling the past rests, as a share of the time that it worked: as long as that beside an idle user, three
 * times as long where runnable programs outnumber the cores.
 * @param load mean number of runnable programs over the last minute, our own among them; 0 where the system tells none
 */
export const restShare = (load: number, cores: number): number => (load > cores ? 3 : 1)

/** Items of a step that are not stored yet, newest first. */
export async function missingItems(demo: Demo, step: DemoStep, known: Known): Promise<DemoItem[]> {
  const items: { at: number; item: DemoItem }[] = []
  for (const product of step.products) {
    const stored = await known.frames(product, step.fromMs - LATEST_MS, step.toMs)
    for (const instantMs of demo.radarArrivals(product, step.fromMs, step.toMs))
      if (!stored.has(instantMs)) items.push({ at: instantMs, item: { kind: 'radar', product, instantMs } })
  }
  if (step.station) {
    const stored = await known.stationHours(step.fromMs, step.toMs)
    for (const startMs of demo.stationStarts(step.fromMs, step.toMs))
      if (!stored.has(startMs + STATION_FILE_MS))
        items.push({
          at: startMs + STATION_FILE_MS,
          item: { kind: 'station', startMs, lengthMs: STATION_FILE_MS },
        })
  }
  // Gauges and station are read at the same hours.
  if (step.station) items.push(...(await missingGauges(demo, step, known)))
  if (step.mrr) {
    const starts = demo.microRainRadarStarts(step.fromMs, step.toMs)
    const stored = await known.files(starts.map(mrrFileName))
    for (const startMs of starts)
      if (!stored.has(mrrFileName(startMs))) items.push({ at: startMs, item: { kind: 'mrr', startMs } })
  }
  return items.sort((a, b) => b.at - a.at).map(({ item }) => item)
}

async function missingGauges(
  demo: Demo,
  { fromMs, toMs }: DemoStep,
  known: Known,
): Promise<{ at: number; item: DemoItem }[]> {
  const lengthMs = STATION_FILE_MS
  const files = demo.gaugeSources().flatMap((source) =>
    demo.gaugeStarts(fromMs, toMs, lengthMs).map((startMs) => ({
      name: gaugeFileName(source, startMs, lengthMs),
      at: startMs + lengthMs,
      item: { kind: 'gauges' as const, files: source.files, startMs, lengthMs },
    })),
  )
  const stored = await known.files(files.map(({ name }) => name))
  return files.filter(({ name }) => !stored.has(name))
}

/** Name of the micro rain radar's file of ten minutes, such as `20230322_014000.nc`. */
export const mrrFileName = (startMs: number) =>
  `${new Date(startMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')}.nc`
