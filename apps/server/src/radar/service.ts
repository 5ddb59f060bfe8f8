import { zstdDecompressSync } from 'node:zlib'
import type {
  AcquisitionParams,
  ArchiveResponse,
  DaySummary,
  FrameLayer,
  HourRow,
  LatLng,
  LiveResponse,
  PixelResponse,
  RadarImage,
  Weight,
} from '@radx/contracts'
import { formatDateFr, formatHourMinuteFr, formatTimeFr } from '@radx/locale/format-fr'
import { civilDayRange, daysOfMonth } from '@radx/locale/time'
import { bundleVersion } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { Deps } from '../http/app.ts'
import { NotFound } from '../http/errors.ts'
import { firstOfSteps, productOf } from '../http/rain-requests.ts'
import { latestMrrFile } from '../mrr/api.ts'
import { taranisOf } from '../station/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import type { FrameSummary, Span } from '../store/frame-index.ts'
import { type Store, storeOf } from '../store/open-store.ts'
import { acquisitionParams } from './acquisition.ts'
import { ArchiveFrames, type ArchiveQuestion, archiveText, maxPlace } from './archive.ts'
import { framePng } from './frame-png.ts'
import type { FrameBundle } from './frames-answer.ts'
import { ImageAddresses, timeOfImage } from './image-address.ts'
import { iso } from './instant.ts'
import { isRadarDown, liveSpan, NewestFrames } from './live-window.ts'
import { pixelAnswer } from './pixel-answer.ts'
import { qualityClasses } from './quality-classes.ts'
import { daysWithData, monthsWithData } from './queries.ts'

/** What happens behind the calls about the radar. */
export class RadarService {
  private readonly deps: Deps
  private readonly store: Store
  private readonly addresses: ImageAddresses
  private readonly newest: NewestFrames

  private constructor(deps: Deps, store: Store, addresses: ImageAddresses, newest: NewestFrames) {
    this.deps = deps
    this.store = store
    this.addresses = addresses
    this.newest = newest
  }

  /** Opens the service on use: the server starts before its database does. */
  static opener(deps: Deps): () => Promise<RadarService> {
    let addresses: Promise<ImageAddresses> | null = null
    const newest = new NewestFrames()
    return async () => {
      // Before the schema is ready, tables may be missing: that is an absence too.
      const away = deps.database.unavailable()
      if (away !== null) throw new DatabaseUnavailable(away)
      addresses ??= ImageAddresses.open(deps.db).catch((error) => {
        addresses = null
        throw error
      })
      const [store, own] = await Promise.all([storeOf(deps), addresses])
      return new RadarService(deps, store, own, newest)
    }
  }

  /** The product that a call names. @throws UnknownProductError */
  product(query: { p: string }): StoredProduct {
    return productOf(this.store, query)
  }

  /** How many frames a period has, and the bytes of their classes; with a step, of those that stand for one. */
  async weight(product: StoredProduct, span: Span, step?: number): Promise<Weight> {
    const { frames, bytes } = await this.store.index.weight(product, span, step)
    return { slides: frames, weight: bytes }
  }

  /** Whether a span lies in the live window, and so is everyone's. */
  async isLive(product: StoredProduct, span: Span): Promise<boolean> {
    if (product.made) return false
    const newestMs = await this.store.index.latest(product)
    return this.newest.isOpen(product.id, span, newestMs, this.deps.clock.now())
  }

  /** For how long frames of the live window from that instant on may be kept by caches, s. */
  secondsOpen(product: StoredProduct, startMs: number): number {
    return this.newest.secondsOpen(product.id, { startMs }, this.deps.clock.now())
  }

  /** The live window; one that ends now for a product without frames. */
  async liveSpan(product: StoredProduct): Promise<Span> {
    return liveSpan((await this.store.index.latest(product)) ?? this.deps.clock.now())
  }

  /** Frames of a period in classes of intensity, or of the quality of their rain; with a step, those that stand for one. */
  async frames(
    product: StoredProduct,
    span: Span,
    step?: number,
    layer: FrameLayer = 'rain',
  ): Promise<FrameBundle> {
    const all = await this.store.index.places(product, span)
    const isShown = firstOfSteps(
      all.map(({ timeMs }) => timeMs),
      step,
    )
    const places = all.filter((_, i) => isShown(i))
    const times = places.map(({ timeMs }) => iso(timeMs))
    const { index } = this.store
    const { crc32, segments } =
      layer === 'quality'
        ? await qualityClasses(index, product, span, places)
        : { crc32: await index.classChecks(product, places), segments: index.classSegments(product, places) }
    return {
      header: { product: product.shortName, steps: product.steps, times, crc32 },
      version: bundleVersion(times, crc32),
      segments,
    }
  }

  /** Series of the cell over a place. */
  pixel(product: StoredProduct, point: LatLng, span: Span): Promise<PixelResponse> {
    return pixelAnswer(this.store, product, point, span)
  }

  /**
   * A frame as a picture.
   * @param x expiry of its address, and `k` its signature; without them, frames of the live window only
   * @throws NotFound
   */
  async picture(
    product: StoredProduct,
    file: string,
    { x, k }: { x?: number; k?: string },
  ): Promise<{ png: Buffer; live: boolean; timeMs: number }> {
    const timeMs = timeOfImage(file)
    if (timeMs === null) throw new NotFound()
    const span = { startMs: timeMs, endMs: timeMs + 1 }
    const live = await this.isLive(product, span)
    const now = this.deps.clock.now()
    const { shortName } = product
    const signed = x !== undefined && k !== undefined && this.addresses.isSigned(shortName, timeMs, now, x, k)
    if (!live && !signed)
      throw new NotFound("Cette image n'est pas ouverte, ou son adresse a expiré. Recharger la sélection.")
    const places = await this.store.index.places(product, span)
    if (places.length === 0) throw new NotFound("Il n'y a pas d'image de ce produit à cet instant.")
    const [segment] = await Array.fromAsync(this.store.index.classSegments(product, places))
    return { png: framePng(zstdDecompressSync(segment.zstd), product.steps), live, timeMs }
  }

  /** @throws NotFound for a product that was made of the archive: its newest frames are nobody's but those who may see their dates */
  async live(product: StoredProduct, zone: Catchment | null): Promise<LiveResponse> {
    if (product.made)
      throw new NotFound(
        `« ${product.shortName} » est un retraitement de l'archive : il n'a pas de direct. L'ouvrir dans Analyse.`,
      )
    const { index } = this.store
    const newest = await index.latest(product)
    const now = this.deps.clock.now()
    // Without a frame the station is still worth showing.
    const span = liveSpan(newest ?? now)
    this.newest.isOpen(product.id, span, newest, now)
    const [frames, taranis, latest] = await Promise.all([
      newest === null ? [] : index.summaries(product, span, zone?.key ?? null),
      this.taranis(newest === null || now - newest > 0 ? { ...span, endMs: now + 1 } : span),
      latestMrrFile(this.deps.db),
    ])
    const sums = new ArchiveFrames({ product, span, zone: zone?.key ?? null })
    sums.add(frames)
    const checks = await index.classChecks(product, frames)
    return {
      images: frames.map((frame, k) => ({
        ...this.image(product, frame, this.addresses.open(product.shortName, frame.timeMs)),
        check: checks[k],
      })),
      isRadarDown: isRadarDown(newest, now),
      taranis,
      mrr: { latest },
      cumulated: sums.sums().cumulated,
    }
  }

  /** The archive of a period; see `archiveText` for one that streams. */
  async archive(question: ArchiveQuestion): Promise<ArchiveResponse> {
    const { product, span, zone } = question
    const frames = new ArchiveFrames(question)
    const [summaries, rest] = await Promise.all([
      this.store.index.summaries(product, span, zone),
      this.besides(span),
    ])
    const image = this.signedImage(product)
    return { images: frames.add(summaries).map(image), ...rest, ...frames.sums() }
  }

  /** A long archive as text, piece by piece. */
  archiveText(question: ArchiveQuestion): AsyncGenerator<string> {
    const { product, span } = question
    return archiveText(this.store.index, question, this.signedImage(product), () => this.besides(span))
  }

  /** What an archive has beside its images. */
  private async besides(span: Span): Promise<Pick<ArchiveResponse, 'taranis' | 'mrr'>> {
    const [taranis, latest] = await Promise.all([this.taranis(span), latestMrrFile(this.deps.db)])
    return { taranis, mrr: { latest } }
  }

  private signedImage(product: StoredProduct): (frame: FrameSummary) => RadarImage {
    const now = this.deps.clock.now()
    return (frame) => this.image(product, frame, this.addresses.signed(product.shortName, frame.timeMs, now))
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

  /** Parameters of the frame of that instant, or else of the one before it or after it within an hour. @throws NotFound */
  async params(product: StoredProduct, atMs: number): Promise<AcquisitionParams> {
    const found = await acquisitionParams(this.deps.db, product, atMs)
    if (!found)
      throw new NotFound(
        `Le produit « ${product.shortName} » n'a aucune image dans l'heure autour de cet instant.`,
      )
    return found
  }

  private taranis(span: Span) {
    return this.deps.site.station === null ? Promise.resolve(null) : taranisOf(this.deps.db, span)
  }

  private image(product: StoredProduct, frame: FrameSummary, path: string): RadarImage {
    const { timeMs, zone, catchment, maxMmH, validPct, quality } = frame
    const { timeZone } = this.deps.site
    return {
      path,
      datetime: iso(timeMs),
      time: formatTimeFr(timeMs, 'UTC'),
      localtime: formatTimeFr(timeMs, timeZone),
      date: formatDateFr(timeMs, timeZone),
      ...zone,
      max: maxMmH,
      maxAt: maxPlace(product, frame),
      validpc: validPct,
      catchment,
      ...(quality && { quality }),
    }
  }
}
