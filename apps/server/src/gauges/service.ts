import type { Gauge, GaugeFlag, GaugeUploaded } from '@radx/contracts'
import { RadxError } from '@radx/contracts'
import { FormatError } from '@radx/contracts/errors'
import type { gaugeFlagBodySchema, gaugeUploadSchema } from '@radx/contracts/gauges'
import { toUtcMs } from '@radx/formats/toa5'
import { countFr, formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import { cellOf } from '@radx/rainfall'
import { usualInterval } from '@radx/rainfall/gauges/bins'
import { type GaugeSeries, readGaugeTable } from '@radx/rainfall/gauges/gauge-text'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/schema.ts'
import type { Deps } from '../http/app.ts'
import { BadRequest, Forbidden, NotFound } from '../http/errors.ts'
import { allowedGaugePoints } from '../http/gauge-rights.ts'
import { oneAtATime, QuotaReached } from '../http/quota.ts'
import { spanOf } from '../http/rain-requests.ts'
import { isManager, isOutsideDates, type Session } from '../http/sessions.ts'
import {
  countFlags,
  flagSpan,
  flagsOf,
  insertFlag,
  ownCount,
  ownGauge,
  ownGauges,
  removeFlag,
  removeOwn,
} from './queries.ts'
import { storeReadings } from './readings.ts'
import { siteGauges } from './reported.ts'

/** Readings that one account may keep, and flags of one gauge. */
const MOST_READINGS = 5_000_000
const MOST_FLAGS = 2_000
const FLAG_MAX_DAYS = 3_660
/** Years of readings outside these are slips. */
const EARLIEST_MS = Date.UTC(1990, 0, 1)
const AHEAD_MS = 600_000

/** A CSV of gauges that cannot be taken; the message says why. */
class GaugesRefused extends RadxError {
  override readonly name = 'GaugesRefused'
}

/** Gauges of the site and of accounts, and what managers say of them. */
export class Gauges {
  private readonly deps: Deps
  constructor(deps: Deps) {
    this.deps = deps
  }

  /** Gauges that the account may look at: the site's where it may place gauges, and its own. */
  async visible(session: Session): Promise<Gauge[]> {
    const { db, site, catchments } = this.deps
    const all = [...siteGauges(site), ...(await ownGauges(db, session.name))]
    const allowed = await allowedGaugePoints(
      db,
      session,
      all.map(({ position }) => position),
      catchments,
    )
    return all.filter((_, i) => allowed[i])
  }

  /** @throws FormatError or GaugesRefused naming line or gauge, QuotaReached */
  async upload(session: Session, upload: z.output<typeof gaugeUploadSchema>): Promise<GaugeUploaded> {
    const { gauges, remarksFr } = readUpload(upload)
    await this.checkUpload(session, gauges)
    const measure = MEASURE[upload.unit ?? 'mm']
    const stored = await this.deps.db.transaction().execute(async (tx) => {
      await this.holdQuota(tx, session.name, gauges)
      const out: GaugeUploaded['gauges'] = []
      for (const series of gauges) {
        const { id: name, place, timesMs, values } = series
        const found = await ownGauge(tx, {
          username: session.name,
          name,
          position: place!,
          // Depths are kept, whatever the file had.
          measure: measure === 'total' ? 'depth' : measure,
          readings: values.length,
        })
        if (!found)
          throw new GaugesRefused(
            'gauges.moved',
            422,
            `Vous avez déjà un pluviomètre « ${name} » à plus d’un kilomètre de là. Donner un autre nom à celui-ci.`,
          )
        const replaced = await storeReadings(tx, found.id, {
          timesMs: Float64Array.from(timesMs),
          mm: depthsOf(series),
        })
        if (replaced > 0)
          remarksFr.push(
            `${name} : ${countFr(replaced, 'mesure corrigée', 'mesures corrigées')} ; les valeurs d’avant sont gardées à part.`,
          )
        out.push({
          ...found,
          readings: values.length,
          first: isoSeconds(timesMs[0]),
          last: isoSeconds(timesMs[timesMs.length - 1]),
        })
      }
      return out
    })
    return { gauges: stored, remarksFr }
  }

  /** @throws QuotaReached */
  private async holdQuota(
    tx: Kysely<Database>,
    username: string,
    gauges: readonly GaugeSeries[],
  ): Promise<void> {
    await oneAtATime(tx, 'gauge', username)
    const most = this.deps.config.quotas.gauges
    const kept = await ownCount(tx, username)
    const own = new Set((await ownGauges(tx, username)).map(({ name }) => name))
    const added = gauges.filter(({ id }) => !own.has(id)).length
    if (kept.gauges + added > most) throw new QuotaReached('pluviomètre', most)
    const readings = gauges.reduce((sum, { values }) => sum + values.length, 0)
    if (kept.readings + readings > MOST_READINGS) throw new QuotaReached('relevé', MOST_READINGS)
  }

  private async checkUpload(session: Session, gauges: readonly GaugeSeries[]): Promise<void> {
    const { db, site, catchments, clock } = this.deps
    for (const { id, place, timesMs } of gauges) {
      if (place === null)
        throw new GaugesRefused(
          'gauges.place',
          422,
          `Le pluviomètre ${id} n’a ni longitude ni latitude : ajouter ces deux colonnes, en degrés.`,
        )
      if (!site.products.some((product) => cellOf(product, place)))
        throw new GaugesRefused(
          'gauges.outside',
          422,
          `Le pluviomètre ${id} (${formatNumberFr(place.lat, 4, true)}\u00a0N, ${formatNumberFr(place.lng, 4, true)}\u00a0E) est hors de tous les produits radar. Longitude et latitude sont-elles échangées ?`,
        )
      const [first, last] = [timesMs[0], timesMs[timesMs.length - 1]]
      if (first < EARLIEST_MS || last > clock.now() + AHEAD_MS)
        throw new GaugesRefused(
          'gauges.clock',
          422,
          `Le pluviomètre ${id} a des mesures du ${formatDateTimeFr(first, site.timeZone)} au ${formatDateTimeFr(last, site.timeZone)} : avant 1990 ou dans le futur. Vérifier l’horloge et le fuseau horaire.`,
        )
    }
    const points = gauges.map(({ place }) => place!)
    const allowed = await allowedGaugePoints(db, session, points, catchments)
    const refused = gauges.find((_, i) => !allowed[i])
    if (refused)
      throw new Forbidden(
        'gauge',
        `Le pluviomètre ${refused.id} est hors des bassins d’analyse ou des couches de votre compte.`,
      )
  }

  /** @throws NotFound */
  async remove(session: Session, id: string): Promise<void> {
    if (!(await removeOwn(this.deps.db, session.name, id)))
      throw new NotFound('Ce pluviomètre n’existe plus, ou il est celui du site.')
  }

  /** Flags of visible gauges over a span. */
  async flags(session: Session, span: { startMs: number; endMs: number }): Promise<GaugeFlag[]> {
    const visible = await this.visible(session)
    return flagsOf(
      this.deps.db,
      visible.map(({ id }) => id),
      span,
    )
  }

  /** @throws NotFound, BadRequest, Forbidden outside the account's dates, QuotaReached */
  async flag(
    session: Session,
    gauge: string,
    { start, end, kind, reason }: z.output<typeof gaugeFlagBodySchema>,
  ): Promise<GaugeFlag> {
    if (!isManager(session)) throw new Forbidden('manager', 'Cette action est réservée aux gestionnaires.')
    const visible = await this.visible(session)
    if (!visible.some(({ id }) => id === gauge)) throw new NotFound('Ce pluviomètre n’existe pas ou plus.')
    const span = spanOf({ s: start, e: end }, FLAG_MAX_DAYS)
    if (isOutsideDates(session.restriction, new Date(span.startMs), new Date(span.endMs)))
      throw new Forbidden('period', 'Cette période est hors des dates de votre compte.')
    const { db } = this.deps
    return db.transaction().execute(async (tx) => {
      await oneAtATime(tx, 'flag', gauge)
      if ((await countFlags(tx, gauge)) >= MOST_FLAGS) throw new QuotaReached('marquage', MOST_FLAGS)
      return insertFlag(tx, { gauge, kind, reason, author: session.name, span })
    })
  }

  /** @throws NotFound, Forbidden outside the account's dates */
  async unflag(session: Session, id: string): Promise<void> {
    const span = await flagSpan(this.deps.db, id)
    if (span && isOutsideDates(session.restriction, new Date(span.startMs), new Date(span.endMs)))
      throw new Forbidden('period', 'Cette période est hors des dates de votre compte.')
    const at = new Date(this.deps.clock.now())
    if (!(await removeFlag(this.deps.db, id, session.name, at)))
      throw new NotFound('Ce marquage n’existe pas, ou il a déjà été levé.')
  }
}

const MEASURE = { mm: 'depth', 'mm/h': 'rate', total: 'total', tips: 'tips' } as const

function readUpload({ csv, name, unit, tipMm, timeZone }: z.output<typeof gaugeUploadSchema>) {
  try {
    toUtcMs(Float64Array.of(0), timeZone)
  } catch {
    throw new BadRequest('timeZone', 'timeZone', `Le fuseau horaire « ${timeZone} » n’existe pas.`)
  }
  try {
    return readGaugeTable(csv, name, {
      unit,
      tipMm,
      zone: { name: timeZone, toUtcMs: (clock) => toUtcMs(clock, timeZone) },
    })
  } catch (error) {
    if (error instanceof FormatError)
      throw new GaugesRefused(error.code, 422, error.message, { cause: error })
    throw error
  }
}

/** Depths of a table's values; a rate lasts the usual distance of readings. */
function depthsOf({ timesMs, values, unit }: GaugeSeries): Float64Array {
  const hours = unit === 'mm/h' ? usualInterval(timesMs) / 3_600_000 : 1
  return Float64Array.from(values, (value) => value * hours)
}
