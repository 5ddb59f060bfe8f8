import { NOWCAST_LONGEST_MIN, NOWCAST_STEP_MIN, type Nowcast } from '@radx/contracts'
import { isoSeconds } from '@radx/locale/time'
import { countCells, type RainFrame, type Shape } from '@radx/motion/field'
import { forecastSprog } from '@radx/motion/nowcast/sprog'
import { startNowcast } from '@radx/motion/nowcast/start'
import { decodeRates, encodeClassBlock, encodeClassBundleHeader, encodeRates } from '@radx/rainfall'
import type { StoredProduct } from '../store/catalog.ts'
import { motionKernel } from '../store/motion-kernel.ts'
import type { Store } from '../store/open-store.ts'
import type { AnswerKind } from '../threads/answers.ts'
import { horizonOf, recentSkill } from './live/skill.ts'

/** Frames back to here tell the motion and the skill, minutes. */
const LOOK_BACK_MIN = 80

const LEADS_MIN = Array.from(
  { length: NOWCAST_LONGEST_MIN / NOWCAST_STEP_MIN },
  (_, k) => (k + 1) * NOWCAST_STEP_MIN,
)

export interface NowcastAnswer {
  about: Nowcast
  /** Class bundle: the last frame, then the forecast of each lead (contracts/class-bundle.ts). */
  bundle: Uint8Array
}

/** The forecast that starts from a stored frame; the same for the same frames, live or later. */
export const nowcastAnswer: AnswerKind<{ p: string; issuedMs: number }, NowcastAnswer> = {
  name: 'nowcast',
  async run({ store }, { p, issuedMs }) {
    const product = store.catalog.products.get(p)!
    const shape = { nrows: product.steps, ncols: product.steps }
    const frames = await framesBefore(store, product, issuedMs)
    return forecastOf(product, shape, frames)
  },
}

async function framesBefore(store: Store, product: StoredProduct, issuedMs: number): Promise<RainFrame[]> {
  const span = { startMs: issuedMs - LOOK_BACK_MIN * 60_000, endMs: issuedMs + 1 }
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

function forecastOf({ shortName, steps }: StoredProduct, shape: Shape, frames: RainFrame[]): NowcastAnswer {
  const last = frames.at(-1)
  const start = startNowcast(frames, shape, motionKernel('follow'))
  const none = typeof start === 'string'
  const fields = none ? [] : forecastSprog(start, LEADS_MIN, motionKernel('fft'))
  // Where nothing upstream was seen any more, the forecast ends.
  const reached = fields.filter((field) => countCells(field).known > 0)
  const skill = none ? [] : recentSkill(frames, shape)
  const times = last ? reached.map((_, k) => isoSeconds(last.timeMs + LEADS_MIN[k] * 60_000)) : []
  const about: Nowcast = {
    product: shortName,
    issued: last ? isoSeconds(last.timeMs) : null,
    reason: none ? start : null,
    times,
    horizonMin: horizonOf(skill),
    skill,
  }
  const header = { product: shortName, steps, times: [...(last ? [isoSeconds(last.timeMs)] : []), ...times] }
  const blocks = [...(last ? [last.rateMmH] : []), ...reached].map((rates) =>
    encodeClassBlock(encodeRates(rates)),
  )
  return { about, bundle: new Uint8Array(Buffer.concat([encodeClassBundleHeader(header), ...blocks])) }
}
