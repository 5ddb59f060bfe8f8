import type {
  AcquisitionParams,
  ArchiveResponse,
  Cumulated,
  DaySummary,
  HourRow,
  LiveResponse,
  RadarImage,
} from '@radx/contracts'
import { formatDateFr, formatHourMinuteFr, formatTimeFr } from '@radx/locale/format-fr'
import { civilDayRange, daysOfMonth } from '@radx/locale/time'
import { cellCentre, cumulate, representativeness } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import type { Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { latestMrrFile } from '../mrr/api.ts'
import { taranisOf } from '../station/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { FrameSummary, Span } from '../store/frame-index.ts'
import type { Store } from '../store/open-store.ts'
import { acquisitionParams } from './acquisition.ts'
import type { ImageAddresses } from './image-address.ts'
import { iso } from './instant.ts'
import { isRadarDown, liveSpan } from './live-window.ts'
import { daysWithData, monthsWithData } from './queries.ts'

/** What happens behind the calls about the radar. */
export class RadarService {
  private readonly deps: Deps
  private readonly store: Store
  private readonly addresses: ImageAddresses

  constructor(deps: Deps, store: Store, addresses: ImageAddresses) {
    this.deps = deps
    this.store = store
    this.addresses = addresses
  }

  async live(product: StoredProduct, zone: Catchment | null): Promise<LiveResponse> {
    const { index } = this.store
    const newest = await index.latest(product)
    const now = this.deps.clock.now()
    // Without a frame the station is still worth showing.
    const span = liveSpan(newest ?? now)
    const [frames, taranis, latest] = await Promise.all([
      newest === null ? [] : index.summaries(product, span, zone?.key ?? null),
      this.taranis(newest === null || now - newest > 0 ? { ...span, endMs: now + 1 } : span),
      latestMrrFile(this.deps.db),
    ])
    return {
      images: frames.map((frame) =>
        this.image(product, frame, this.addresses.open(product.shortName, frame.timeMs)),
      ),
      isRadarDown: isRadarDown(newest, now),
      taranis,
      mrr: { latest },
      cumulated: cumulated(product, frames, span).cumulated,
    }
  }

  async archive(product: StoredProduct, span: Span, zone: Catchment | null): Promise<ArchiveResponse> {
    const [frames, taranis, latest] = await Promise.all([
      this.store.index.summaries(product, span, zone?.key ?? null),
      this.taranis(span),
      latestMrrFile(this.deps.db),
    ])
    const now = this.deps.clock.now()
    const { shortName } = product
    const result = cumulated(product, frames, span)
    return {
      images: frames.map((frame) =>
        this.image(product, frame, this.addresses.signed(shortName, frame.timeMs, now)),
      ),
      taranis,
      mrr: { latest },
      ...result,
    }
  }

  async hours(product: StoredProduct, day: string, zone: Catchment | null): Promise<HourRow[]> {
    const { timeZone } = this.deps.site
    const frames = await this.store.index.summaries(product, civilDayRange(day, timeZone), zone?.key ?? null)
    return frames.map(({ timeMs, zone: { nonzerosmean, nonzerospc }, catchment }) => ({
      time: formatTimeFr(timeMs, 'UTC'),
      datetime: iso(timeMs),
      localtime: formatTimeFr(timeMs, timeZone),
      nonzerosmean,
      nonzerospc,
      catchment,
    }))
  }

  /** Civil months that have data, `YYYY-MM`, in order. */
  months(product: StoredProduct): Promise<string[]> {
    return monthsWithData(this.deps.db, product)
  }

  /** Days of a month that have data, in order. */
  async month(product: StoredProduct, month: string): Promise<DaySummary[]> {
    const { catalog } = this.store
    const { catchments, site, db } = this.deps
    const days = daysOfMonth(month)
    const rows = await daysWithData(db, product, days[0], days[days.length - 1])
    return rows.map((row) => {
      const meanmax = (value: number | null, time: Date | null) =>
        value === null || time === null
          ? null
          : { value, desc: formatHourMinuteFr(time.getTime(), site.timeZone) }
      const ofZone = ({ key }: Catchment) => {
        const ordinal = catalog.ordinalOf(key)
        return ordinal === undefined
          ? null
          : meanmax(row.zone_best[ordinal - 1] ?? null, row.zone_best_time[ordinal - 1] ?? null)
      }
      return {
        day: row.day,
        meanmax: meanmax(row.best, row.best_time)!,
        catchments: Object.fromEntries(
          catchments.parents.map((parent) => [
            parent.key,
            {
              meanmax: ofZone(parent),
              subcatchments: Object.fromEntries(
                catchments.childrenOf(parent.key).map((child) => [child.key, { meanmax: ofZone(child) }]),
              ),
            },
          ]),
        ),
      }
    })
  }

  /** Parameters of the frame of that instant, or else of the one before it, or else of the first one. */
  async params(product: StoredProduct, atMs: number): Promise<AcquisitionParams> {
    const found = await acquisitionParams(this.deps.db, product, atMs)
    if (!found) throw new NotFound(`Le produit « ${product.shortName} » n'a encore aucune image.`)
    return found
  }

  private taranis(span: Span) {
    return this.deps.site.station === null ? Promise.resolve(null) : taranisOf(this.deps.db, span)
  }

  private image(product: StoredProduct, frame: FrameSummary, path: string): RadarImage {
    const { timeMs, zone, catchment, maxMmH, maxIndex, validPct } = frame
    const { timeZone } = this.deps.site
    return {
      path,
      datetime: iso(timeMs),
      time: formatTimeFr(timeMs, 'UTC'),
      localtime: formatTimeFr(timeMs, timeZone),
      date: formatDateFr(timeMs, timeZone),
      ...zone,
      max: maxMmH,
      maxAt:
        maxIndex < 0
          ? null
          : cellCentre(product, Math.floor(maxIndex / product.steps), maxIndex % product.steps),
      validpc: validPct,
      catchment,
    }
  }
}

/** Running accumulation of the zone and the catchment over the frames of a selection, and its gaps. */
function cumulated(
  product: StoredProduct,
  frames: FrameSummary[],
  span: Span,
): { cumulated: Cumulated; gaps: ArchiveResponse['gaps'] } {
  const time = representativeness(
    frames.map(({ timeMs }) => timeMs),
    span,
    product.frameSeconds,
  )
  const zone = cumulate(
    frames.map((frame) => frame.zone.mean),
    time,
  )
  const catchment =
    frames.length > 0 && frames[0].catchment !== null
      ? cumulate(
          frames.map((frame) => frame.catchment!.mean),
          time,
        )
      : null
  return {
    cumulated: {
      zoneMm: zone.runningMm,
      catchmentMm: catchment?.runningMm ?? null,
      missingSeconds: time.missingSeconds,
    },
    gaps: time.gaps.map(({ startMs, endMs }) => ({ start: iso(startMs), end: iso(endMs) })),
  }
}
