import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RadxError } from '@radx/contracts'
import { radarRain } from '@radx/hydrology/rain/rain'
import { KeptForecasts, partsOf, readPictures, windowMembers } from '../nowcast/api.ts'
import { cellsOf, decodeState, encodeRain, type MemberCourse, RAIN_FILE } from '../simulation/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { withEngine } from './engines.ts'
import { endsOf, pack, partAt, unpack16, unpackFloats } from './parts.ts'
import { forecastFrames, type LeadRates, meanRate, memberRates, placesIn, ratesAt } from './rain.ts'
import { STATE_FILE } from './state-files.ts'
import {
  catchmentOf,
  EVERY_S,
  fileOf,
  type InputOf,
  RAIN_MIN,
  type StepContext,
  sinceEpochS,
} from './steps.ts'

/** Parts of a moment in a member's file: depths, heads, fillings, what nodes gave back. */
const MOMENT_PARTS = 4

export interface MemberHead {
  timesS: number[]
  ends: number[]
  /** Mean rain over the catchment at each moment, mm/h, and the share of it that is not known. */
  rainMmH: number[]
  unknown: number[]
}
export const memberFile = (k: number) => `member-${k}.bin`
export const memberHeadFile = (k: number) => `member-${k}.json`

/** Rain that is forecast over a model: the deterministic one is member 0. */
interface ForecastRain {
  seen: Float32Array
  leadsMin: number[]
  ratesOf(member: number): LeadRates
  /** Rain comes and nobody knows how it moves: it is taken to stay, and told as unknown. */
  isGuess: boolean
}

async function forecastRain(
  context: StepContext,
  product: StoredProduct,
  input: InputOf<'members'>,
  radarCells: number[],
): Promise<ForecastRain> {
  const { db, store } = context
  const issuedMs = Date.parse(input.issued)
  const seen = await lastSeen(context, product, issuedMs, radarCells)
  const row = await new KeptForecasts(db, store.frames).find(product, issuedMs)
  if (!row) throw new RadxError('ahead.nowcast', 422, 'La prévision de pluie de cette image n’est plus là.')
  const count = row.leads.filter((lead) => lead <= RAIN_MIN).length
  const leadsMin = row.leads.slice(0, count)
  // Where the town was not seen it is not dry, though all else is.
  if (row.reason === 'dry')
    return seen.some(Number.isNaN)
      ? { seen, leadsMin: [RAIN_MIN], ratesOf: () => [seen], isGuess: false }
      : { seen, leadsMin: [], ratesOf: () => [], isGuess: false }
  if (row.reason !== null || count === 0)
    return { seen, leadsMin: [RAIN_MIN], ratesOf: () => [seen], isGuess: true }
  const which = [0, ...leadsMin.map((_, k) => k + 1)]
  const { codes } = readPictures(await partsOf(store.frames, product, row, 'forecast', which), product.steps)
  const control = codes.map((field) => ratesAt(field, radarCells))
  const members = await windowMembers(store.frames, product, row, input.catchmentId)
  const places = members && placesIn(members.window, radarCells, product.steps)
  return {
    ...{ seen, leadsMin, isGuess: false },
    ratesOf: (k) =>
      k === 0 || members === null ? control : memberRates(members, k - 1, places!).slice(0, count),
  }
}

async function lastSeen(
  { store }: StepContext,
  product: StoredProduct,
  issuedMs: number,
  cells: number[],
): Promise<Float32Array> {
  const places = await store.index.places(product, { startMs: issuedMs, endMs: issuedMs + 1 })
  for await (const codes of store.index.codes(product, places))
    return codes ? ratesAt(codes, cells) : new Float32Array(cells.length)
  return new Float32Array(cells.length).fill(Number.NaN)
}

/** Model cells that take their rain from each radar cell. */
export function weightsOf(cellOfModel: Int32Array, cells: number): Float64Array {
  const weights = new Float64Array(cells)
  for (const cell of cellOfModel) if (cell >= 0) weights[cell]++
  return weights
}

/** Runs members `first` to `end` (excluded) from the state, one after the other; each leaves a file. */
export async function runMembersOf(
  context: StepContext,
  input: InputOf<'members'>,
): Promise<{ members: number }> {
  const { store, outDir, signal, progress } = context
  const catchment = await catchmentOf(context, input)
  const product = store.catalog.products.get(input.product)!
  const { cellOfModel, radarCells } = cellsOf(catchment.elevation, catchment.catchment.crs, product)
  const weights = weightsOf(cellOfModel, radarCells.length)
  const rain = await forecastRain(context, product, input, radarCells)
  const state = decodeState(await fileOf(context, input.stateJob, STATE_FILE), 'état en direct')
  const fromS = state.about.timeS
  const untilS = sinceEpochS(input, input.until)
  const count = input.end - input.first
  await withEngine(input.catchmentHash, catchment, async (engine) => {
    for (let k = input.first; k < input.end; k++) {
      signal.throwIfAborted()
      progress(k - input.first, count, `Membre ${k - input.first + 1} sur ${count}`)
      const rates = rain.ratesOf(k)
      const frames = forecastFrames(rain.seen, rates, rain.leadsMin, fromS)
      if (k === 0) await writeFile(join(outDir, RAIN_FILE), encodeRain(sinceIssue(frames, fromS)))
      const course = engine.member(
        state,
        radarRain(frames, cellOfModel, { durationS: untilS, intervalS: EVERY_S }),
        { untilS, everyS: EVERY_S },
      )
      const at = course.timesS.map((timeS) => rainAt(frames, timeS - fromS, fromS, weights, rain.isGuess))
      await writeMember(outDir, k, course, at)
      // Lets the thread hear a wish to stop.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  return { members: count }
}

const sinceIssue = (frames: ReturnType<typeof forecastFrames>, issuedS: number) =>
  frames.map((frame) => ({ ...frame, fromS: frame.fromS - issuedS, toS: frame.toS - issuedS }))

function rainAt(
  frames: ReturnType<typeof forecastFrames>,
  leadS: number,
  fromS: number,
  weights: Float64Array,
  isGuess: boolean,
): { mmH: number; unknown: number } {
  const frame = frames.find(({ fromS: from, toS }) => from <= fromS + leadS && fromS + leadS <= toS)
  if (!frame) return { mmH: 0, unknown: 0 }
  const { mmH, unknown } = meanRate(Float32Array.from(frame.ratesMmH), weights)
  return { mmH, unknown: isGuess ? 1 : unknown }
}

async function writeMember(
  outDir: string,
  k: number,
  course: MemberCourse,
  rain: { mmH: number; unknown: number }[],
): Promise<void> {
  const parts = course.timesS.flatMap((_, t) =>
    [course.depthsMm[t], course.headsM[t], course.fillings[t], course.overflowsM3[t]].map(pack),
  )
  const head: MemberHead = {
    timesS: course.timesS,
    ends: endsOf(parts),
    rainMmH: rain.map(({ mmH }) => mmH),
    unknown: rain.map(({ unknown }) => unknown),
  }
  await writeFile(join(outDir, memberFile(k)), Buffer.concat(parts))
  await writeFile(join(outDir, memberHeadFile(k)), JSON.stringify(head))
}

/** What a member's file says of a moment. */
export function memberMoment(
  bytes: Uint8Array,
  head: MemberHead,
  t: number,
  size: { cells: number; nodes: number; links: number },
): MemberCourse {
  const part = (k: number) => partAt(bytes, head.ends, MOMENT_PARTS * t + k)
  return {
    timesS: [head.timesS[t]],
    depthsMm: [unpack16(part(0), size.cells)],
    headsM: [unpackFloats(part(1), size.nodes)],
    fillings: [unpackFloats(part(2), size.links)],
    overflowsM3: [unpackFloats(part(3), size.nodes)],
  }
}
