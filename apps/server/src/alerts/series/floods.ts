import { AHEAD_OUTSIDE, type AlertMeasure } from '@radx/contracts'
import type { Kysely } from 'kysely'
import {
  ABOUT_VERSION,
  type Cycle,
  type CycleAbout,
  CycleNotFound,
  CycleResults,
  Cycles,
} from '../../ahead/api.ts'
import type { Database } from '../../db/schema.ts'
import type { CatchmentLibrary } from '../../simulation/api.ts'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import type { Span } from '../../store/frame-index.ts'
import type { Store } from '../../store/open-store.ts'
import type { Sample } from '../machine.ts'

type FloodMeasure = Extract<AlertMeasure, { kind: 'flood-cell' | 'flood-node' | 'flood-link' }>

/** More of the rain not seen than this: what is forecast is a lower bound. */
const MOST_UNKNOWN = 0.5

/** Chances of water, as finished cycles give them. */
export class FloodSeries {
  private readonly cycles: Cycles
  private readonly results: CycleResults
  private readonly span: Span
  private readonly found = new Map<string, Promise<Cycle[]>>()
  /** Cells that rules look at, by town and depth. */
  private readonly cells = new Map<string, Set<number>>()
  private readonly courses = new Map<string, ReturnType<CycleResults['coursesAt']>>()

  constructor(
    { db, store, library }: { db: Kysely<Database>; store: Store; library: CatchmentLibrary },
    span: Span,
    asked: readonly AlertMeasure[],
  ) {
    this.cycles = new Cycles(db)
    this.results = new CycleResults(store, library)
    this.span = span
    for (const measure of asked) {
      if (measure.kind !== 'flood-cell') continue
      const key = `${measure.catchmentId} ${measure.aboveMm}`
      this.cells.set(key, (this.cells.get(key) ?? new Set()).add(measure.cell))
    }
  }

  /** A value a cycle: the largest chance, %, within the time asked for. One whose files are gone has none. */
  async samples(measure: FloodMeasure): Promise<Sample[]> {
    const samples: Sample[] = []
    for (const cycle of await this.of(measure.catchmentId)) {
      const about = cycle.about as CycleAbout | null
      if (about?.version !== ABOUT_VERSION) continue
      samples.push({ timeMs: cycle.issued.getTime(), ...(await this.valueOf(cycle, about, measure)) })
    }
    return samples
  }

  /** Moments at which forecasts were finished, the last one before the period first. */
  async finished(catchmentId: string): Promise<number[]> {
    const { startMs, endMs } = this.span
    const found = await this.cycles.finished(catchmentId, new Date(startMs), new Date(endMs))
    return found.map((date) => date.getTime())
  }

  private of(catchmentId: string): Promise<Cycle[]> {
    const found = this.found.get(catchmentId)
    if (found) return found
    const { startMs, endMs } = this.span
    const cycles = this.cycles.done(catchmentId, new Date(startMs), new Date(endMs))
    this.found.set(catchmentId, cycles)
    return cycles
  }

  private async valueOf(
    cycle: Cycle,
    about: CycleAbout,
    measure: FloodMeasure,
  ): Promise<Pick<Sample, 'value' | 'atLeast'>> {
    const untilMs = cycle.issued.getTime() + measure.withinMin * 60_000
    const course = await this.courseOf(cycle, about, measure)
    if (course === null) return { value: null }
    const within = about.times.flatMap((time, t) => (Date.parse(time) <= untilMs ? [t] : []))
    const percents = within.map((t) => course[t] ?? 0)
    if (percents.includes(AHEAD_OUTSIDE)) return { value: null }
    const most = Math.max(0, ...percents)
    const unknown = Math.max(cycle.missing_share ?? 0, ...within.map((t) => about.unknownShare[t] ?? 0))
    return unknown > MOST_UNKNOWN ? { value: null, atLeast: most } : { value: most }
  }

  /** Chances by moment; those that are never in danger are not listed. null where nothing is known any more. */
  private async courseOf(
    cycle: Cycle,
    about: CycleAbout,
    measure: FloodMeasure,
  ): Promise<ArrayLike<number> | null> {
    if (measure.kind !== 'flood-cell') {
      const list = measure.kind === 'flood-node' ? about.nodes : about.links
      return list.find(({ name }) => name === measure.name)?.percent ?? []
    }
    try {
      return (await this.coursesOf(cycle, measure)).get(measure.cell)!
    } catch (error) {
      if (isGone(error)) return null
      throw error
    }
  }

  /** Of all cells of a town at once: a moment's chances are unpacked as a whole. */
  private coursesOf(cycle: Cycle, { cell, aboveMm }: Extract<FloodMeasure, { kind: 'flood-cell' }>) {
    const key = `${cycle.id} ${aboveMm}`
    const found = this.courses.get(key)
    if (found) return found
    const cells = this.cells.get(`${cycle.catchment_id} ${aboveMm}`) ?? [cell]
    const courses = this.results.coursesAt(cycle, cells, aboveMm)
    this.courses.set(key, courses)
    return courses
  }
}

const isGone = (error: unknown) =>
  error instanceof CycleNotFound ||
  error instanceof StoreCorruptError ||
  (error as NodeJS.ErrnoException).code === 'ENOENT'
