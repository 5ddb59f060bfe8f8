import { ARCHIVE_AT_ONCE_DAYS, type ArchiveResponse, type LatLng, type RadarImage } from '@radx/contracts'
import {
  cellCentre,
  cumulate,
  periodQuality,
  type Representativeness,
  representativeness,
} from '@radx/rainfall'
import { firstOfSteps } from '../http/rain-requests.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { FrameIndex, FrameSummary, Span } from '../store/frame-index.ts'
import { movedTime } from '../store/moved/moved-rain.ts'
import { iso } from './instant.ts'

const AT_ONCE_MS = ARCHIVE_AT_ONCE_DAYS * 86_400_000

/** Whether an archive of this length is answered at once. */
export const isShort = ({ startMs, endMs }: Span): boolean => endMs - startMs <= AT_ONCE_MS

/** What an archive asks of the store. */
export interface ArchiveQuestion {
  product: StoredProduct
  span: Span
  /** Key of the catchment whose means are wanted too. */
  zone: string | null
  /** Seconds; the first frame of each step is shown, while sums take every frame. */
  step?: number
}

/** The frames of a selection as they come in, with what their sums need of each. */
export class ArchiveFrames {
  private readonly question: ArchiveQuestion
  private readonly timesMs: number[] = []
  private readonly zone: (number | null)[] = []
  private readonly catchment: (number | null)[] = []
  private readonly moved: FrameSummary['moved'][] = []
  private readonly quality: FrameSummary['quality'][] = []
  private readonly isShown: (i: number) => boolean
  private strongest: FrameSummary | null = null
  private rmoyen = { sum: 0, count: 0 }

  constructor(question: ArchiveQuestion) {
    this.question = question
    this.isShown = firstOfSteps(this.timesMs, question.step)
  }

  /** Takes the next frames; answers those that are shown. */
  add(frames: readonly FrameSummary[]): FrameSummary[] {
    return frames.filter((frame) => {
      this.timesMs.push(frame.timeMs)
      this.zone.push(frame.zone.mean)
      this.catchment.push(frame.catchment?.mean ?? null)
      this.moved.push(frame.moved)
      this.quality.push(frame.quality)
      if ((frame.maxMmH ?? 0) > (this.strongest?.maxMmH ?? 0)) this.strongest = frame
      if (frame.zone.nonzerosmean !== null) {
        this.rmoyen.sum += frame.zone.nonzerosmean
        this.rmoyen.count++
      }
      return this.isShown(this.timesMs.length - 1)
    })
  }

  /** Running accumulation of the zone and the catchment at the frames that are shown, gaps, and what all come to. */
  sums(): Pick<ArchiveResponse, 'cumulated' | 'gaps' | 'every'> {
    const { product, span, zone, step } = this.question
    const time = representativeness(this.timesMs, span, product.frameSeconds)
    const running = (rates: (number | null)[]) =>
      cumulate(rates, time).runningMm.filter((_, i) => this.isShown(i))
    return {
      cumulated: {
        zoneMm: running(this.zone),
        catchmentMm: zone === null || this.timesMs.length === 0 ? null : running(this.catchment),
        missingSeconds: time.missingSeconds,
        moved: this.movedSums(),
        ...this.qualities(time),
      },
      gaps: time.gaps.map(({ startMs, endMs }) => ({ start: iso(startMs), end: iso(endMs) })),
      ...(step !== undefined && { every: this.every() }),
    }
  }

  /** The same of rain moved between frames; null until it was followed for all of them. */
  private movedSums(): ArchiveResponse['cumulated']['moved'] {
    const { product, span, zone } = this.question
    if (this.moved.some((frame) => frame === null)) return null
    const time = movedTime(product, this.timesMs, span)
    const running = (of: 'zone' | 'catchment') =>
      cumulate(
        this.moved.map((frame) => frame![of]),
        time,
      ).runningMm.filter((_, i) => this.isShown(i))
    return {
      zoneMm: running('zone'),
      catchmentMm: zone === null || this.timesMs.length === 0 ? null : running('catchment'),
      missingSeconds: time.missingSeconds,
    }
  }

  /** Quality of the totals; nothing where no frame says any. */
  private qualities({ seconds }: Representativeness): Pick<ArchiveResponse['cumulated'], 'quality'> {
    if (this.quality.every((known) => known === null)) return {}
    const of = (which: 'zone' | 'catchment') =>
      periodQuality(
        this.quality.map((known) => known?.[which] ?? null),
        this[which],
        seconds,
      )
    return { quality: { zone: of('zone'), catchment: this.question.zone === null ? null : of('catchment') } }
  }

  private every(): NonNullable<ArchiveResponse['every']> {
    const { product } = this.question
    const strongest = this.strongest
    const { sum, count } = this.rmoyen
    return {
      frames: this.timesMs.length,
      rmoyenMmH: count === 0 ? null : sum / count,
      max: strongest && {
        valueMmH: strongest.maxMmH as number,
        datetime: iso(strongest.timeMs),
        at: maxPlace(product, strongest),
      },
    }
  }
}

/** Centre of the cell that has a frame's largest value; null when nothing is wet. */
export const maxPlace = (product: StoredProduct, { maxIndex }: FrameSummary): LatLng | null =>
  maxIndex < 0 ? null : cellCentre(product, Math.floor(maxIndex / product.steps), maxIndex % product.steps)

/** The frames of a selection, a week at a time. */
async function* weeks(
  index: FrameIndex,
  { product, span, zone }: ArchiveQuestion,
): AsyncGenerator<FrameSummary[]> {
  for (let startMs = span.startMs; startMs < span.endMs; startMs += AT_ONCE_MS) {
    const endMs = Math.min(startMs + AT_ONCE_MS, span.endMs)
    yield await index.summaries(product, { startMs, endMs }, zone)
  }
}

/**
 * The JSON of a long archive, piece by piece, with the same fields as a short one's; who stops reading stops it.
 * @param image a frame as it is told
 * @param rest fields beside the images and their sums, asked for at the end
 */
export async function* archiveText(
  index: FrameIndex,
  question: ArchiveQuestion,
  image: (frame: FrameSummary) => RadarImage,
  rest: () => Promise<Pick<ArchiveResponse, 'taranis' | 'mrr'>>,
): AsyncGenerator<string> {
  const frames = new ArchiveFrames(question)
  yield '{"images":['
  let before = ''
  for await (const week of weeks(index, question)) {
    const shown = frames.add(week)
    if (shown.length === 0) continue
    yield before + shown.map((frame) => JSON.stringify(image(frame))).join(',')
    before = ','
  }
  yield `],${JSON.stringify({ ...(await rest()), ...frames.sums() }).slice(1)}`
}
