import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  OWN_RAIN_FILES_MAX,
  OWN_RAIN_RATIO_MAX,
  OWN_RAIN_UNPACKED_MAX,
  type OwnRain,
  type OwnRainDetail,
  RadxError,
} from '@radx/contracts'
import type { RadarRain } from '@radx/hydrology/rain/rain'
import { isoSeconds } from '@radx/locale/time'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../db/schema.ts'
import type { Reader } from '../../../http/catchment-rights.ts'
import { NotFound } from '../../../http/errors.ts'
import { holdQuota, keptBytes, oneAtATime } from '../../../http/quota.ts'
import { isZip, unzip } from '../../../http/unzip.ts'
import { radarOfSite } from '../../../ingest/api.ts'
import type { AnswerKind } from '../../../threads/answers.ts'
import { CatchmentLibrary } from '../../catchment/library.ts'
import { decodePictures, encodePictures, hashOf } from './kept.ts'
import { type Model, type OwnPictures, rainOfPictures, readOwnPictures } from './pictures.ts'
import './tables.ts'

type Db = Kysely<Database>

const refuse = (message: string) => new RadxError('rain.upload', 422, message)
const notFound = () => new NotFound('Cette pluie n’existe pas ou plus.')

interface Sent {
  path: string
  name: string
  /** Empty folder for what the zip holds. */
  dir: string
  catchmentId: string
  owner: string
}

/**
 * Takes a zip of radar pictures apart, cuts them to a catchment and keeps them as a rain of an account.
 * @throws RadxError `rain.upload` for what is no such zip, `rain.pictures` and `rain.outside`, QuotaReached
 */
export const takeRainAnswer: AnswerKind<Sent, OwnRainDetail> = {
  name: 'rain.take',
  async run({ db, config, site }, { path, name, dir, catchmentId, owner }) {
    if (!(await isZip(path)))
      throw refuse(`${name} n’est pas un zip. Envoyez vos images ODIM HDF5 ou Rainbow 5 en un seul zip.`)
    await mkdir(dir, { recursive: true, mode: 0o700 })
    try {
      await unzip(path, dir, {
        files: OWN_RAIN_FILES_MAX,
        bytes: OWN_RAIN_UNPACKED_MAX,
        ratio: OWN_RAIN_RATIO_MAX,
        keep: 'Ne gardez que les images de la période à simuler.',
        refuse,
      })
      const { elevation, catchment } = await new CatchmentLibrary(db, config).get(catchmentId)
      const model = { grid: elevation, crs: catchment.crs }
      const files = (await readdir(dir)).filter((file) => !isNote(file)).map((file) => join(dir, file))
      const settings = { radar: radarOfSite(site), polarimetry: site.polarimetry }
      const pictures = await readOwnPictures(files, model, settings)
      return await keep({ db, config }, { owner, catchmentId, name }, pictures, model)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  },
}

/** What people put beside their data. */
const isNote = (name: string): boolean => /\.(txt|md|pdf|csv|json|sha256|md5)$/i.test(name)

async function keep(
  { db, config }: { db: Db; config: Config },
  { owner, catchmentId, name }: { owner: string; catchmentId: string; name: string },
  pictures: OwnPictures,
  model: Model,
): Promise<OwnRainDetail> {
  const { about, drawn } = describe(pictures, model)
  const bytes = encodePictures(pictures)
  return db.transaction().execute(async (trx) => {
    await oneAtATime(trx, 'rains', owner)
    const { rows } = await sql<{ count: number; bytes: number }>`
      select (select count(*)::int from own_rain where username = ${owner}) as count,
        ${keptBytes(owner)} as bytes`.execute(trx)
    holdQuota('pluie', rows[0], { count: config.quotas.rains, bytes: config.quotas.bytes })
    const row = await trx
      .insertInto('own_rain')
      .values({
        username: owner,
        catchment_id: catchmentId,
        name: name.replace(/\.zip$/i, '').slice(0, 200),
        about: JSON.stringify(about),
        drawn: JSON.stringify(drawn),
        pictures: bytes,
        hash: hashOf(bytes),
      })
      .returning(HEAD)
      .executeTakeFirstOrThrow()
    return { ...toRain(row), ...drawn }
  })
}

const MINUTE_S = 60

/** What is told and drawn of pictures over a catchment. */
function describe(pictures: OwnPictures, model: Model) {
  const rain = rainOfPictures(pictures, model)
  const minutesMmH = minuteMeans(rain, model)
  const { geometry, frames, startMs, durationS, stepS, cellM, remarksFr } = pictures
  const active = model.grid.data.reduce((n, z) => n + (Number.isNaN(z) ? 0 : 1), 0)
  const about = {
    start: isoSeconds(startMs),
    end: isoSeconds(startMs + 1000 * durationS),
    pictures: frames.length,
    stepS,
    cellM,
    coveredShare: active === 0 ? 0 : 1 - outsideOf(pictures, model) / active,
    missingShare: rain.missingShare,
    totalMm: minutesMmH.reduce((sum, rate) => sum + rate / 60, 0),
    meanMaxMmH: minutesMmH.reduce((most, rate) => Math.max(most, rate), 0),
    cellMaxMmH: cellMost(rain),
    remarksFr,
  }
  const totals = Array.from({ length: geometry.nrows }, (_, row) =>
    Array.from({ length: geometry.ncols }, (_, col) => {
      let [sum, known] = [0, false]
      for (const { fromS, toS, ratesMmH } of frames) {
        const rate = ratesMmH[row * geometry.ncols + col]
        if (Number.isNaN(rate)) continue
        known = true
        sum += (rate * (toS - fromS)) / 3600
      }
      return known ? Math.round(100 * sum) / 100 : null
    }),
  )
  return { about, drawn: { minutesMmH: minutesMmH.map((rate) => Math.round(1000 * rate) / 1000), totals } }
}

/** Model cells that no picture covers. */
function outsideOf(pictures: OwnPictures, model: Model): number {
  const { nrows, ncols } = pictures.geometry
  const ones = new Float32Array(nrows * ncols).fill(1)
  const all = { ...pictures, durationS: 1, frames: [{ fromS: 0, toS: 1, ratesMmH: ones }] }
  const measured = rainOfPictures(all, model).measuredMmH(0)!
  let outside = 0
  measured.forEach((rate, i) => {
    if (Number.isNaN(rate) && !Number.isNaN(model.grid.data[i])) outside++
  })
  return outside
}

/** Mean rate over the model a minute, mm/h. */
function minuteMeans(rain: RadarRain, { grid }: Model): number[] {
  const active = grid.data.reduce((n, z) => n + (Number.isNaN(z) ? 0 : 1), 0)
  const minutes = new Float64Array(Math.max(1, Math.ceil(rain.durationS / MINUTE_S)))
  for (let k = 0; k + 1 < rain.edgesS.length; k++) {
    const rate = rain.rateMS(k)
    const mean = typeof rate === 'number' ? rate : rate.reduce((a, b) => a + b, 0) / Math.max(1, active)
    const [from, to] = [rain.edgesS[k], rain.edgesS[k + 1]]
    for (let m = Math.floor(from / MINUTE_S); m < minutes.length && m * MINUTE_S < to; m++) {
      const shared = Math.min(to, (m + 1) * MINUTE_S) - Math.max(from, m * MINUTE_S)
      minutes[m] += (mean * 3.6e6 * Math.max(0, shared)) / MINUTE_S
    }
  }
  return Array.from(minutes)
}

function cellMost(rain: RadarRain): number {
  let most = 0
  for (let k = 0; k + 1 < rain.edgesS.length; k++)
    rain.measuredMmH(k)?.forEach((rate) => {
      if (rate > most) most = rate
    })
  return most
}

const HEAD = ['id', 'username', 'catchment_id', 'name', 'about', 'created_at'] as const

interface Head {
  id: string
  catchment_id: string
  name: string
  about: Omit<OwnRain, 'id' | 'name' | 'catchmentId' | 'createdAt'>
  created_at: Date
}

const toRain = ({ id, catchment_id, name, about, created_at }: Head): OwnRain => ({
  ...about,
  id,
  name,
  catchmentId: catchment_id,
  createdAt: created_at.toISOString(),
})

/** Rains of radar pictures of accounts: each is its owner's alone. */
export class OwnRains {
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
  }

  /** Those of an account on a catchment, the newest first. */
  async list(owner: string, catchmentId: string): Promise<OwnRain[]> {
    const rows = await this.db
      .selectFrom('own_rain')
      .select(HEAD)
      .where('username', '=', owner)
      .where('catchment_id', '=', catchmentId)
      .orderBy('created_at', 'desc')
      .execute()
    return rows.map(toRain)
  }

  /** @throws NotFound, also for somebody else's */
  async detail(id: string, user: Reader): Promise<OwnRainDetail> {
    const row = await this.db
      .selectFrom('own_rain')
      .select([...HEAD, 'drawn'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row || !mayUse(row, user)) throw notFound()
    return { ...toRain(row), ...row.drawn }
  }

  /**
   * Deletes a rain. Runs that ended on it keep what fell; one that waits or is under way still needs it.
   * @throws NotFound, RadxError `rain.used`
   */
  async remove(id: string, user: Reader): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('own_rain')
        .select('username')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!row || !mayUse(row, user)) throw notFound()
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from job where kind = 'multihydro' and status in ('pending', 'running')
          and input #>> '{ownRain,id}' = ${id}`.execute(trx)
      if (rows[0].n > 0)
        throw new RadxError(
          'rain.used',
          409,
          'Une simulation en attente ou en cours a besoin de cette pluie. Attendez sa fin ou annulez-la.',
        )
      await trx.deleteFrom('own_rain').where('id', '=', id).execute()
    })
  }

  /** Keeps a rain from being deleted until the run on it is submitted. @throws NotFound, also for another catchment's */
  async hold(trx: Db, id: string, catchmentId: string, user: Reader): Promise<OwnRain> {
    const row = await trx
      .selectFrom('own_rain')
      .select(HEAD)
      .where('id', '=', id)
      .where('catchment_id', '=', catchmentId)
      .forKeyShare()
      .executeTakeFirst()
    if (!row || !mayUse(row, user)) throw notFound()
    return toRain(row)
  }
}

const mayUse = ({ username }: { username: string }, { name, isManager }: Reader): boolean =>
  username === name || isManager

/** The rain of kept pictures on a model. @throws NotFound where it was deleted, OwnRainDamaged */
export async function loadOwnRain(db: Db, id: string, model: Model): Promise<RadarRain> {
  const row = await db
    .selectFrom('own_rain')
    .select(['pictures', 'hash'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return rainOfPictures(decodePictures(row.pictures, row.hash), model)
}
