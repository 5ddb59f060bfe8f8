import { CLASS_NO_DATA, NOWCAST_CHANCES_MM_H, type Nowcast, type NowcastMotion } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import type { RainFrame } from '@radx/motion/field'
import type { MotionField } from '@radx/motion/motion-field'
import { decodeRates, encodeClassBlock, encodeClassBundleHeader, encodeRates } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import { StoreCorruptError } from '../store/frame-codec.ts'
import type { Store } from '../store/open-store.ts'
import { zoneWeights } from '../store/zone-weights.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { type KeptForecast, KeptForecasts, partsOf } from './kept/kept-forecasts.ts'
import { memberParts, partsOfLead, pictureParts, readField, readPictures } from './kept/parts.ts'
import { keptSkill, recentSkill, type Skill, skillTogether } from './live/skill.ts'
import { arrowsOf } from './made/arrows.ts'
import { kmPerCell, leadsOf, seedOf } from './made/issue.ts'
import { CHANCE_MISSING, sumMembers } from './made/members.ts'
import { LOOK_BACK_MIN, makePictures } from './made/pictures.ts'

/** Frames back to here tell the skill where too few leads were scored, minutes. */
const SKILL_BACK_MIN = 80

export interface NowcastAnswer {
  /** All but how good it is, which `nowcastSkill` tells: pictures do not wait for that. */
  about: Omit<Nowcast, 'horizonMin' | 'skill'>
  /** Class bundle: the last frame, then the forecast of each lead (contracts/class-bundle.ts). */
  bundle: Uint8Array
  leadsMin: number[]
  /** mm/h, `[lead, the issue first][zone ordinal - 1]`. */
  zoneMean: (number | null)[][]
  arrows: NowcastMotion['arrows']
  /** The fields as they are kept (`pictureParts`). */
  parts: Uint8Array[]
  /** Rate codes of the last frame, as kept. */
  lastCodes: Uint16Array
}

interface Issue {
  p: string
  issuedMs: number
}

/** The forecast that starts from a stored frame: as it was kept, else made again, which comes to the same. */
export const nowcastAnswer: AnswerKind<Issue, NowcastAnswer> = {
  name: 'nowcast',
  async run(context, { p, issuedMs }) {
    const { store, db } = context
    const product = store.catalog.products.get(p)!
    const row = await new KeptForecasts(db, store.frames).find(product, issuedMs)
    const kept = row && (await fromKept(store, product, row))
    return kept ? finish(context, product, issuedMs, kept, row) : replay(context, product, issuedMs)
  },
}

/** How good the forecasts of the hour before an issue were, by lead; some seconds where the archive has to be tried. */
export const nowcastSkill: AnswerKind<Issue, Skill[]> = {
  name: 'nowcast-skill',
  async run({ store, db }, { p, issuedMs }) {
    const product = store.catalog.products.get(p)!
    return skillTogether(await keptSkill(db, product, issuedMs), async () =>
      recentSkill(await framesBefore(store, product, issuedMs, SKILL_BACK_MIN), shapeOf(product)),
    )
  },
}

interface Forecast {
  reason: Nowcast['reason']
  leadsMin: number[]
  motion: MotionField | null
  codes: Uint16Array[]
  zoneMean: (number | null)[][]
  parts: Uint8Array[]
}

/** @returns null where its bytes are damaged */
async function fromKept(store: Store, product: StoredProduct, row: KeptForecast): Promise<Forecast | null> {
  const { reason, leads: leadsMin, zone_mean } = row
  if (reason !== null) return { reason, leadsMin: [], motion: null, codes: [], zoneMean: [], parts: [] }
  try {
    const parts = await partsOf(store.frames, product, row, 'forecast')
    const { motion, codes } = readPictures(parts, product.steps)
    const zones = zone_mean.length / (leadsMin.length + 1)
    const zoneMean = [0, ...leadsMin].map((_, k) => zone_mean.slice(k * zones, (k + 1) * zones))
    return { reason, leadsMin, motion, codes, zoneMean, parts }
  } catch (error) {
    if (error instanceof StoreCorruptError) return null
    throw error
  }
}

async function replay(
  context: AnswerContext,
  product: StoredProduct,
  issuedMs: number,
): Promise<NowcastAnswer> {
  const { store, site } = context
  const frames = await framesBefore(store, product, issuedMs, LOOK_BACK_MIN)
  const { zones } = store.catalog
  const { pictures } = makePictures(
    frames,
    shapeOf(product),
    leadsOf(site.nowcast),
    zoneWeights(product, zones),
  )
  const parts = pictures.motion ? pictureParts(pictures.motion, pictures.codes) : []
  return finish(context, product, issuedMs, { ...pictures, parts }, null)
}

async function finish(
  { store }: AnswerContext,
  product: StoredProduct,
  issuedMs: number,
  { reason, leadsMin, motion, codes, zoneMean, parts }: Forecast,
  row: KeptForecast | null,
): Promise<NowcastAnswer> {
  const [last] = await framesBefore(store, product, issuedMs, 0)
  const issued = isoSeconds(issuedMs)
  const times = leadsMin.map((lead) => isoSeconds(issuedMs + lead * 60_000))
  const lastCodes = encodeRates(last.rateMmH)
  const about: NowcastAnswer['about'] = {
    product: product.shortName,
    issued,
    reason,
    times,
    origin: row ? 'stored' : 'replayed',
    members: row?.members ?? 0,
  }
  const header = {
    product: product.shortName,
    steps: product.steps,
    times: [issued, ...times],
    forecast: { issued },
  }
  const bundle = concatenated(
    encodeClassBundleHeader(header),
    [lastCodes, ...codes].map((field) => encodeClassBlock(field)),
  )
  const arrows = motion ? arrowsOf(motion, product, [lastCodes, ...codes]) : []
  return { about, bundle, leadsMin, zoneMean, arrows, parts, lastCodes }
}

/** Frames of so many minutes before an issue, that of the issue last. */
async function framesBefore(
  store: Store,
  product: StoredProduct,
  issuedMs: number,
  minutes: number,
): Promise<RainFrame[]> {
  const span = { startMs: issuedMs - minutes * 60_000, endMs: issuedMs + 1 }
  const places = await store.index.places(product, span)
  const frames: RainFrame[] = []
  for await (const codes of store.index.codes(product, places))
    frames.push({
      timeMs: places[frames.length].timeMs,
      // Null is a frame that is dry and has data all over.
      rateMmH: codes ? decodeRates(codes) : new Float32Array(product.steps ** 2),
    })
  return frames
}

/** Class bundle of the probabilities of a kept forecast; null where they are damaged or not there. */
export const chancesAnswer: AnswerKind<
  Issue & { above: (typeof NOWCAST_CHANCES_MM_H)[number] },
  { bundle: Uint8Array } | null
> = {
  name: 'nowcast-chances',
  async run({ store, db }, { p, issuedMs, above }) {
    const product = store.catalog.products.get(p)!
    const row = await new KeptForecasts(db, store.frames).find(product, issuedMs)
    if (!row || row.members === 0) return null
    const threshold = NOWCAST_CHANCES_MM_H.indexOf(above)
    try {
      const parts = await partsOf(
        store.frames,
        product,
        row,
        'members',
        row.leads.map((_, lead) => lead * partsOfLead + threshold),
      )
      const fields = parts.map((part) => readField(part, product.steps))
      return { bundle: chanceBundle(product, issuedMs, row.leads, threshold, row.members, fields) }
    } catch (error) {
      if (error instanceof StoreCorruptError) return null
      throw error
    }
  },
}

/** Members of a forecast that was not kept. */
export interface ReplayedMembers {
  members: number
  /** Class bundles by threshold. */
  low: Uint8Array
  middle: Uint8Array
  high: Uint8Array
  /** `memberParts`. */
  parts: Uint8Array[]
  zoneQuantile: (number | null)[][][]
}

/** Members made again from the archive: the same as those that were or would have been kept. Null without a forecast. */
export const membersAnswer: AnswerKind<Issue, ReplayedMembers | null> = {
  name: 'nowcast-members',
  async run({ store, site }, { p, issuedMs }) {
    const product = store.catalog.products.get(p)!
    const frames = await framesBefore(store, product, issuedMs, LOOK_BACK_MIN)
    const zones = zoneWeights(product, store.catalog.zones)
    const { start, pictures } = makePictures(frames, shapeOf(product), leadsOf(site.nowcast), zones)
    const { leadsMin } = pictures
    if (typeof start === 'string' || leadsMin.length === 0) return null
    const { members } = site.nowcast
    const options = { leadsMin, members, seed: seedOf(issuedMs), kmPerCell: kmPerCell(product) }
    const { chances, quantiles, zoneQuantile } = sumMembers(start, options, zones)
    const [low, middle, high] = NOWCAST_CHANCES_MM_H.map((_, t) =>
      chanceBundle(
        product,
        issuedMs,
        leadsMin,
        t,
        members,
        chances.map((own) => own[t]),
      ),
    )
    return { members, low, middle, high, parts: memberParts(chances, quantiles), zoneQuantile }
  },
}

/** Bundle of probabilities in tenths, a block a lead. @param fields % by cell */
function chanceBundle(
  { shortName, steps }: StoredProduct,
  issuedMs: number,
  leadsMin: readonly number[],
  threshold: number,
  members: number,
  fields: readonly Uint8Array[],
): Uint8Array {
  const header = {
    product: shortName,
    steps,
    times: leadsMin.map((lead) => isoSeconds(issuedMs + lead * 60_000)),
    forecast: { issued: isoSeconds(issuedMs) },
    chance: { aboveMmH: NOWCAST_CHANCES_MM_H[threshold], members },
  }
  return concatenated(encodeClassBundleHeader(header), fields.map(tenthsBlock))
}

function tenthsBlock(percent: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(percent.length / 2))
  for (let i = 0; i < percent.length; i++) {
    const tenth = percent[i] === CHANCE_MISSING ? CLASS_NO_DATA : Math.round(percent[i] / 10)
    out[i >> 1] |= i % 2 === 0 ? tenth << 4 : tenth
  }
  return out
}

const shapeOf = ({ steps }: StoredProduct) => ({ nrows: steps, ncols: steps })

/** Memory of its own, so that it can be handed over between threads. */
function concatenated(first: Uint8Array, rest: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(rest.reduce((sum, { length }) => sum + length, first.length))
  out.set(first)
  let at = first.length
  for (const bytes of rest) {
    out.set(bytes, at)
    at += bytes.length
  }
  return out
}
