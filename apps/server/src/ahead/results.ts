import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AHEAD_DEPTHS_MM,
  AHEAD_OUTSIDE,
  type AheadCycle,
  type AheadFan,
  type AheadNetwork,
  type AheadScores,
} from '@radx/contracts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { jobOutput } from '../jobs/api.ts'
import { type CatchmentLibrary, type CatchmentPackage, nodesOf, placeOf } from '../simulation/api.ts'
import type { Store } from '../store/open-store.ts'
import { ABOUT_VERSION, type CycleAbout } from './about.ts'
import type { Cycle } from './cycles.ts'
import { DEPTH_PARTS, DEPTHS_FILE, NETWORK_FILE, NETWORK_PARTS } from './gather.ts'
import { partAt, unpack, unpack16, unpackFloats } from './parts.ts'
import { BINS, SCORED_MIN, SUMS } from './score.ts'

export class CycleNotFound extends NotFound {
  constructor() {
    super('Cette prévision n’est pas ou plus gardée : elles le sont 48 h. Choisir un autre moment.')
  }
}

/** What is read off kept cycles. */
export class CycleResults {
  private readonly store: Store
  private readonly library: CatchmentLibrary

  constructor(store: Store, library: CatchmentLibrary) {
    this.store = store
    this.library = library
  }

  async whole(cycle: Cycle): Promise<Omit<AheadCycle, keyof ReturnType<typeof headOf>>> {
    const { catchment, elevation } = await this.catchment(cycle)
    const { version: _, depthEnds: __, networkEnds: ___, ...about } = aboutOf(cycle)
    return {
      catchment: { id: catchment.id, display: catchment.display },
      place: placeOf(elevation, catchment.crs),
      members: cycle.members,
      ...about,
    }
  }

  /** Chances of a depth, whole %, 255 outside, `[moment][cell]`. */
  async chances(cycle: Cycle, depthMm: number): Promise<Uint8Array> {
    const about = aboutOf(cycle)
    const d = (AHEAD_DEPTHS_MM as readonly number[]).indexOf(depthMm)
    if (about.times.length === 0) return new Uint8Array(0)
    const { elevation } = await this.catchment(cycle)
    const cells = elevation.data.length
    const bytes = await this.file(cycle, DEPTHS_FILE)
    const out = new Uint8Array(cells * about.times.length)
    about.times.forEach((_, t) => {
      const part = partAt(bytes, about.depthEnds, DEPTH_PARTS.count * t + DEPTH_PARTS.chances + d)
      out.set(unpack(part, cells), t * cells)
    })
    return out
  }

  /** Chances of more than a depth in some cells by moment, whole %, 255 outside; empty where all is dry. */
  async coursesAt(
    cycle: Cycle,
    cells: Iterable<number>,
    depthMm: number,
  ): Promise<ReadonlyMap<number, Uint8Array>> {
    const about = aboutOf(cycle)
    const d = (AHEAD_DEPTHS_MM as readonly number[]).indexOf(depthMm)
    const moments = about.times.length
    const courses = new Map(Array.from(cells, (cell) => [cell, new Uint8Array(moments)]))
    if (moments === 0) return courses
    const { elevation } = await this.catchment(cycle)
    const bytes = await this.file(cycle, DEPTHS_FILE)
    for (let t = 0; t < moments; t++) {
      const part = partAt(bytes, about.depthEnds, DEPTH_PARTS.count * t + DEPTH_PARTS.chances + d)
      const chances = unpack(part, elevation.data.length)
      for (const [cell, course] of courses) course[t] = chances[cell] ?? AHEAD_OUTSIDE
    }
    return courses
  }

  async cellFan(cycle: Cycle, cell: number): Promise<AheadFan> {
    const about = aboutOf(cycle)
    const { elevation } = await this.catchment(cycle)
    const cells = elevation.data.length
    if (cell >= cells || Number.isNaN(elevation.data[cell]))
      throw new BadRequest('cell', 'cell', 'Cette maille est hors du modèle.')
    const bytes = about.times.length > 0 ? await this.file(cycle, DEPTHS_FILE) : Buffer.alloc(0)
    const values = about.times.map((time, t) => {
      const part = (k: number) => partAt(bytes, about.depthEnds, DEPTH_PARTS.count * t + k)
      const depth = (k: number) => unpack16(part(k), cells)[cell]
      const [p10, p50, p90] = [0, 1, 2].map((q) => depth(DEPTH_PARTS.quantiles + q))
      const percent = unpack(part(DEPTH_PARTS.chances + 1), cells)[cell]
      return { time, value: depth(DEPTH_PARTS.control), p10, p50, p90, percent: percentOf(percent) }
    })
    return { kind: 'cell', name: String(cell), unit: 'mm', limit: AHEAD_DEPTHS_MM[1], values }
  }

  async elementFan(cycle: Cycle, kind: 'link' | 'node', name: string): Promise<AheadFan> {
    const about = aboutOf(cycle)
    const { network } = await this.catchment(cycle)
    const list: readonly { name: string }[] = kind === 'node' ? network.nodes : network.links
    const k = list.findIndex((element) => element.name === name)
    if (k < 0) throw new BadRequest('name', 'name', `Le réseau n’a pas d’élément « ${name} ».`)
    const bytes = about.times.length > 0 ? await this.file(cycle, NETWORK_FILE) : Buffer.alloc(0)
    const first = kind === 'node' ? NETWORK_PARTS.heads : NETWORK_PARTS.fillings
    const chance = kind === 'node' ? NETWORK_PARTS.spills : NETWORK_PARTS.full
    const node = kind === 'node' ? network.nodes[k] : null
    const invertM = node?.invertM ?? 0
    const values = about.times.map((time, t) => {
      const part = (n: number) => partAt(bytes, about.networkEnds, NETWORK_PARTS.count * t + n)
      const at = (n: number) => rounded(unpackFloats(part(first + n), list.length)[k] - invertM)
      const percent = unpack(part(chance), list.length)[k]
      return { time, p10: at(0), p50: at(1), p90: at(2), value: at(3), percent: percentOf(percent) }
    })
    const limit = node && 'fullDepthM' in node && node.fullDepthM > 0 ? node.fullDepthM : null
    return { kind, name, unit: kind === 'node' ? 'm' : 'share', limit: kind === 'link' ? 1 : limit, values }
  }

  async network(cycle: Cycle): Promise<AheadNetwork> {
    const found = await this.catchment(cycle)
    return {
      nodes: nodesOf(found).map(({ name, lat, lon }) => ({ name, lat, lng: lon })),
      links: found.network.links.map(({ name, kind, from, to }) => ({ name, kind, from, to })),
    }
  }

  private catchment(cycle: Cycle): Promise<CatchmentPackage> {
    return this.library.version(cycle.catchment_id, cycle.catchment_hash)
  }

  private async file(cycle: Cycle, name: string): Promise<Buffer> {
    const dir = cycle.result_job === null ? null : await this.store.files.folder(jobOutput(cycle.result_job))
    if (dir === null) throw new CycleNotFound()
    return readFile(join(dir, name))
  }
}

/** How good the forecasts were that came true in [from, to). */
export async function scoresOf(
  db: Kysely<Database>,
  catchmentId: string,
  from: Date,
  to: Date,
): Promise<AheadScores> {
  // Added up where they lie: a month has thousands of them.
  const { rows } = await sql<{ lead_min: number; cycles: number; sums: number[] }>`
    select lead_min, max(cycles)::int as cycles, array_agg(sum order by place) as sums from (
      select lead_min, place, sum(value) as sum, count(*) as cycles
      from flood_score, unnest(sums) with ordinality as each (value, place)
      where catchment_id = ${catchmentId} and time >= ${from} and time < ${to}
      group by lead_min, place
    ) pooled
    group by lead_min`.execute(db)
  return {
    leads: SCORED_MIN.map((leadMin) => {
      const own = rows.find(({ lead_min }) => lead_min === leadMin)
      return { leadMin, cycles: own?.cycles ?? 0, ...poolScores(own ? [own.sums] : []) }
    }),
  }
}

/** What the sums of several forecasts of a lead say together. */
export function poolScores(all: readonly (readonly number[])[]) {
  const sums = new Array<number>(SUMS).fill(0)
  for (const own of all) for (const [k, value] of own.entries()) sums[k] += value
  return scoreOf(sums)
}

/** What is told of any cycle. */
export const headOf = (cycle: Cycle) => ({
  issued: cycle.issued.toISOString(),
  status: cycle.status,
  reason: cycle.reason,
  dry: cycle.dry,
  finished: cycle.finished_at?.toISOString() ?? null,
  delayS:
    cycle.finished_at === null
      ? null
      : Math.max(0, Math.round((cycle.finished_at.getTime() - cycle.issued.getTime()) / 1000)),
  skipped: cycle.skipped,
  missingShare: cycle.missing_share,
})

function aboutOf(cycle: Cycle): CycleAbout {
  const about = cycle.about as CycleAbout | null
  if (about?.version !== ABOUT_VERSION) throw new CycleNotFound()
  // Cycles of before it was told have two days to live.
  return { ...about, alike: about.alike ?? false }
}

const percentOf = (percent: number): number => (percent === AHEAD_OUTSIDE ? 0 : percent)
const rounded = (value: number): number => Math.round(value * 1000) / 1000

function scoreOf(sums: readonly number[]) {
  const [, forecast, persistence] = sums
  return {
    brierSkill: persistence > 0 ? Math.round(1000 * (1 - forecast / persistence)) / 1000 : null,
    reliability: Array.from({ length: BINS }, (_, bin) => {
      const [count, sum, hits] = sums.slice(3 + 3 * bin, 6 + 3 * bin)
      return {
        count,
        forecast: count > 0 ? rounded(sum / count) : 0,
        observed: count > 0 ? rounded(hits / count) : 0,
      }
    }).filter(({ count }) => count > 0),
  }
}
