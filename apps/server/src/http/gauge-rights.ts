import type { Bounds, LatLng } from '@radx/contracts'
import { gaugePlace } from '@radx/rainfall'
import { type Kysely, sql } from 'kysely'
import type { Catchments } from '../config/catchments.ts'
import type { Database } from '../db/schema.ts'
import { BadRequest, Forbidden } from './errors.ts'
import { isManager, type Session } from './sessions.ts'

const REFUSALS = {
  outsideBasins: "Ce point est hors des bassins d'analyse. Cliquer dans un bassin.",
  outsideLayers: 'Ce point est hors des couches de votre compte. Cliquer à l’intérieur de l’une d’elles.',
} as const

/**
 * Holds a gauge's point against what the account may look at (see `gaugePlace`).
 * @throws Forbidden
 */
export function allowGauge(
  db: Kysely<Database>,
  session: Session,
  point: LatLng,
  catchments: Catchments,
): Promise<void> {
  return allowGauges(db, session, [point], catchments)
}

/** As `allowGauge`, for all of them. @throws Forbidden for the first that is not allowed */
export async function allowGauges(
  db: Kysely<Database>,
  session: Session,
  points: readonly LatLng[],
  catchments: Catchments,
): Promise<void> {
  const ground = await groundOf(db, session, catchments)
  for (const point of points) {
    const place = gaugePlace(ground, point)
    if (place !== 'allowed') throw new Forbidden('gauge', REFUSALS[place])
  }
}

/** Which of the points the account may look at, in their order. */
export async function allowedGaugePoints(
  db: Kysely<Database>,
  session: Session,
  points: readonly LatLng[],
  catchments: Catchments,
): Promise<boolean[]> {
  const ground = await groundOf(db, session, catchments)
  return points.map((point) => gaugePlace(ground, point) === 'allowed')
}

/** What an account may look at, looked up once for however many points. */
async function groundOf(db: Kysely<Database>, session: Session, catchments: Catchments) {
  const manager = isManager(session)
  return {
    manager,
    basins: catchments.all.map(({ bounds }) => bounds),
    layers: manager ? [] : await layerBounds(db, session.userId),
  }
}

async function layerBounds(db: Kysely<Database>, accountId: string): Promise<Bounds[]> {
  const { rows } = await sql<{ bounds: Bounds }>`
    select bounds from shapefile join account_shapefile on shapefile_name = name
    where account_id = ${accountId}`.execute(db)
  return rows.map(({ bounds }) => bounds)
}

/** Gauges that one call may name. */
const MAX_GAUGES = 12

/** Points written as `lat,lng;lat,lng`. @throws BadRequest */
export function gaugePoints(text: string): LatLng[] {
  const points = text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => part.split(',').map(Number))
  if (points.length > MAX_GAUGES || points.some((p) => p.length !== 2 || p.some((v) => !Number.isFinite(v))))
    throw new BadRequest(
      'gauges',
      'g',
      `Donnez au plus ${MAX_GAUGES} pluviomètres sous la forme lat,lng;lat,lng.`,
    )
  return points.map(([lat, lng]) => ({ lat, lng }))
}
