import type { Site } from '@radx/contracts'
import { exceedance } from '@radx/hydrology/ensemble/spread'
import { radarRain } from '@radx/hydrology/rain/rain'
import type { RainFrame } from '@radx/motion/field'
import { LONGEST_GAP_MIN, startNowcast } from '@radx/motion/nowcast/start'
import { forecastSteps } from '@radx/motion/nowcast/steps'
import { decodeRates } from '@radx/rainfall'
import type { Kysely } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/schema.ts'
import { kmPerCell, LOOK_BACK_MIN, leadsOf, seedOf, standsFor, widestFirst } from '../nowcast/api.ts'
import { CatchmentLibrary, cellsOf, LiveEngine, type RunState, StoredRain } from '../simulation/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { motionKernel } from '../store/motion-kernel.ts'
import type { Store } from '../store/open-store.ts'
import { weightsOf } from './members.ts'
import { forecastFrames, MOST_UNSEEN, meanRate } from './rain.ts'
import { DEPTH_MM, SCORED_MIN, saveScore, sumsOf } from './score.ts'
import { EVERY_S, liveSetup } from './steps.ts'

/** Rain over the catchment below this is none, mm/h. */
const WET_MM_H = 0.1
/** Without rain for so long the town is dry, and its next state begins there, ms. */
const DRY_MS = 12 * 3_600_000
/** A frame counts for a lead when it lies so near, ms. */
const NEAR_MS = 105_000

export interface HindcastInput {
  catchmentId: string
  startMs: number
  endMs: number
  /** From one forecast to the next, min. */
  everyMin: number
  members: number
  /** The longest lead that is scored, min. */
  longestMin: number
}

/** A forecast that was held against what came of it. */
export interface Hindcast {
  issued: string
  leadMin: number
  /** Rain over the catchment until then, mm: what came, and the members' 10, 50 and 90 %. */
  rainMm: { came: number; p10: number; p50: number; p90: number }
  /** Cells over the depth: at the issue, expected, and that came. */
  cells: { before: number; expected: number; came: number }
  sums: number[]
}

interface Context {
  db: Kysely<Database>
  config: Config
  site: Site
  store: Store
}

/**
 * Forecasts the floods of a past period again, as each frame came, and holds them against the state that observed rain makes of
 * the town: what those were worth that nobody made then. Their scores stand beside those of live forecasts.
 *
 * @param tell receives each score
 * @returns frames that were gone through
 */
export async function hindcast(
  context: Context,
  input: HindcastInput,
  tell: (one: Hindcast) => void,
  signal: AbortSignal,
): Promise<number> {
  const { store } = context
  const span = { startMs: input.startMs, endMs: input.endMs }
  for (const product of widestFirst(store)) {
    const places = await store.index.places(product, span)
    if (places.length === 0) continue
    const town = await Town.of(context, input, product)
    try {
      let k = 0
      for await (const codes of store.index.codes(product, places)) {
        signal.throwIfAborted()
        const { timeMs } = places[k++]
        await town.frame({ timeMs, rateMmH: codes && decodeRates(codes) }, tell)
      }
    } finally {
      town.dispose()
    }
    return places.length
  }
  return 0
}

interface Frame {
  timeMs: number
  /** null: dry. */
  rateMmH: Float32Array | null
}

interface Waiting {
  issuedMs: number
  leadMin: number
  percent: Uint8Array
  before: Uint16Array
  /** Of each member until the lead, mm. */
  rainMm: number[]
  cameMm: number
}

/** A catchment as it goes through the frames of a period. */
class Town {
  private readonly context: Context
  private readonly input: HindcastInput
  private readonly product: StoredProduct
  private readonly engine: LiveEngine
  private readonly cellOfModel: Int32Array
  private readonly radarCells: number[]
  private readonly weights: Float64Array
  private frames: Frame[] = []
  /** Dry without one. */
  private state: RunState | null = null
  private epochMs = 0
  private wetMs = Number.NEGATIVE_INFINITY
  private issuedMs = Number.NEGATIVE_INFINITY
  private waiting: Waiting[] = []

  private constructor(
    context: Context,
    input: HindcastInput,
    product: StoredProduct,
    engine: LiveEngine,
    { cellOfModel, radarCells }: ReturnType<typeof cellsOf>,
  ) {
    this.context = context
    this.input = input
    this.product = product
    this.engine = engine
    this.cellOfModel = cellOfModel
    this.radarCells = radarCells
    this.weights = weightsOf(cellOfModel, radarCells.length)
  }

  static async of(context: Context, input: HindcastInput, product: StoredProduct): Promise<Town> {
    const catchment = await new CatchmentLibrary(context.db, context.config).get(input.catchmentId)
    const cells = cellsOf(catchment.elevation, catchment.catchment.crs, product)
    return new Town(context, input, product, new LiveEngine(liveSetup(catchment)), cells)
  }

  dispose(): void {
    this.engine.dispose()
  }

  async frame(frame: Frame, tell: (one: Hindcast) => void): Promise<void> {
    const { timeMs } = frame
    this.frames = [...this.frames.filter((one) => one.timeMs >= timeMs - LOOK_BACK_MIN * 60_000), frame]
    const { mmH, unknown } = meanRate(this.ratesOf(frame), this.weights)
    // Nobody knows what came of forecasts since which rain was not seen.
    if (unknown > MOST_UNSEEN || this.gapMin() > LONGEST_GAP_MIN) this.waiting = []
    if (mmH >= WET_MM_H) this.wetMs = timeMs
    else if (timeMs - this.wetMs > DRY_MS) this.state = null
    await this.carryOn(timeMs)
    for (const one of this.waiting)
      if (timeMs <= one.issuedMs + one.leadMin * 60_000 + NEAR_MS) one.cameMm += (mmH * this.stepS()) / 3600
    await this.score(timeMs, tell)
    if (this.state && timeMs - this.issuedMs >= this.input.everyMin * 60_000) this.forecast(timeMs)
  }

  private gapMin(): number {
    const [before, last] = this.frames.slice(-2)
    return last ? (last.timeMs - before.timeMs) / 60_000 : 0
  }

  private stepS(): number {
    const [before, last] = this.frames.slice(-2)
    const { frameSeconds } = this.product
    return last ? Math.min(2 * frameSeconds, (last.timeMs - before.timeMs) / 1000) : frameSeconds
  }

  private ratesOf({ rateMmH }: Frame): Float32Array {
    return Float32Array.from(this.radarCells, (cell) => (rateMmH === null ? 0 : rateMmH[cell]))
  }

  /** Observed rain from the frame before to this one, as the live state takes it. */
  private async carryOn(timeMs: number): Promise<void> {
    const before = this.frames.at(-2)?.timeMs
    if (before === undefined) return
    if (!this.state) {
      if (this.wetMs < timeMs) return
      this.state = this.engine.start()
      this.epochMs = before
    }
    const { store, site } = this.context
    const period = {
      product: this.product.shortName,
      start: new Date(before).toISOString(),
      end: new Date(timeMs).toISOString(),
    }
    const rain = await new StoredRain(store, site.events).cellRain(period, this.radarCells)
    const offsetS = (before - this.epochMs) / 1000
    const durationS = (timeMs - this.epochMs) / 1000
    const frames = rain.frames.map((one) => ({
      ...one,
      fromS: one.fromS + offsetS,
      toS: one.toS + offsetS,
    }))
    const observed = radarRain(frames, this.cellOfModel, { durationS, intervalS: EVERY_S })
    this.state = this.engine.carryOn(this.state, observed, durationS)
  }

  private forecast(timeMs: number): void {
    const { site } = this.context
    const { members, longestMin } = this.input
    const { steps } = this.product
    const frames = this.frames.map(
      (one): RainFrame => ({ timeMs: one.timeMs, rateMmH: one.rateMmH ?? new Float32Array(steps ** 2) }),
    )
    const start = startNowcast(frames, { nrows: steps, ncols: steps }, motionKernel('follow'))
    if (typeof start === 'string') return
    this.issuedMs = timeMs
    const leadsMin = leadsOf(site.nowcast).filter((lead) => lead <= longestMin)
    const rates = Array.from({ length: members }, () => new Array<Float32Array>(leadsMin.length))
    const options = {
      ...{ leadsMin, members, seed: seedOf(timeMs), kmPerCell: kmPerCell(this.product) },
      wasm: motionKernel('fft'),
    }
    forecastSteps(start, options, (member, lead, _, passing) => {
      rates[member][lead] = passing(this.radarCells, standsFor(leadsMin, lead))
    })
    const isWet = rates.some((own) => own.some((field) => meanRate(field, this.weights).mmH >= WET_MM_H))
    if (!isWet && timeMs - this.wetMs > 30 * 60_000) return
    this.run(timeMs, leadsMin, rates)
  }

  /** Members through the town, looked at at the leads that are scored. */
  private run(timeMs: number, leadsMin: number[], rates: Float32Array[][]): void {
    const state = this.state!
    const fromS = state.about.timeS
    const seen = this.ratesOf(this.frames[this.frames.length - 1])
    const scored = SCORED_MIN.filter((lead) => lead <= this.input.longestMin)
    const untilS = fromS + 60 * Math.max(...scored)
    const depths = scored.map((): Uint16Array[] => [])
    const rain = scored.map((): number[] => [])
    for (const own of rates) {
      const frames = forecastFrames(seen, own, leadsMin, fromS)
      const course = this.engine.member(
        state,
        radarRain(frames, this.cellOfModel, { durationS: untilS, intervalS: EVERY_S }),
        { untilS, everyS: EVERY_S },
      )
      scored.forEach((lead, k) => {
        depths[k].push(course.depthsMm[(60 * lead) / EVERY_S - 1])
        const endS = fromS + 60 * lead
        rain[k].push(
          frames.reduce((sum, { fromS: from, toS, ratesMmH }) => {
            const lasts = Math.max(0, Math.min(toS, endS) - from)
            return sum + (meanRate(ratesMmH as Float32Array, this.weights).mmH * lasts) / 3600
          }, 0),
        )
      })
    }
    const before = this.engine.depths(state)
    scored.forEach((leadMin, k) => {
      const percent = exceedance(depths[k], DEPTH_MM)
      this.waiting.push({ issuedMs: timeMs, leadMin, percent, before, rainMm: rain[k], cameMm: 0 })
    })
  }

  /** Those whose lead ends at this frame. */
  private async score(timeMs: number, tell: (one: Hindcast) => void): Promise<void> {
    const due = this.waiting.filter(
      ({ issuedMs, leadMin }) => Math.abs(timeMs - issuedMs - leadMin * 60_000) < NEAR_MS,
    )
    const oldest = timeMs - NEAR_MS
    this.waiting = this.waiting.filter(
      (one) => !due.includes(one) && one.issuedMs + one.leadMin * 60_000 > oldest,
    )
    if (due.length === 0 || !this.state) return
    const came = this.engine.depths(this.state)
    for (const { issuedMs, leadMin, percent, before, rainMm, cameMm } of due) {
      const sums = sumsOf(percent, before, came)
      await saveScore(this.context.db, this.input.catchmentId, { timeMs, leadMin, sums })
      const sorted = rainMm.toSorted((a, b) => a - b)
      const rank = (share: number) => sorted[Math.round(share * (sorted.length - 1))]
      let expected = 0
      for (const one of percent) if (one <= 100) expected += one / 100
      tell({
        ...{ issued: new Date(issuedMs).toISOString(), leadMin, sums },
        rainMm: { came: cameMm, p10: rank(0.1), p50: rank(0.5), p90: rank(0.9) },
        cells: { before: over(before), expected, came: over(came) },
      })
    }
  }
}

const over = (depths: Uint16Array): number => {
  let count = 0
  for (const depth of depths) if (depth > DEPTH_MM && depth < 65_535) count++
  return count
}
