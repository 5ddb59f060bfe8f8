import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AheadOverview, aheadCyclesSchema } from '@radx/contracts'
import { Demo } from '@radx/demo'
import proj4 from 'proj4'
import { projectionOf } from '../../apps/server/src/simulation/api.ts'
import {
  SMALL_CATCHMENT,
  smallCatchmentAt,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { defaultSite } from '../../packages/demo/src/testing/site.ts'
import type { Program } from './program.ts'

const PLACE = { lat: 48.54, lng: 2.66 }
const MINUTE_MS = 60_000
/** The demonstration's storm passes over its place so long before the moment that it is anchored to. */
const STORM_BEFORE_MS = 390 * MINUTE_MS
const CYCLE_MS = 900_000

/** The catchment under the radar, where the storm passes. */
export function writeCatchmentUnderStorm(dir: string): string {
  const json = JSON.parse(SMALL_CATCHMENT['catchment.json'])
  const [x, y] = proj4('WGS84', projectionOf(json.crs)).forward([PLACE.lng, PLACE.lat]).map(Math.round)
  return writeSmallCatchment(dir, {
    ...smallCatchmentAt(x, y),
    'catchment.json': JSON.stringify({ ...json, xll: x, yll: y }),
  })
}

/** Frames of a storm that stands over the catchment at a moment, of which each is written once. */
export class Storm {
  private readonly demo: Demo
  private writtenMs: number

  constructor(overMs: number, fromMs: number) {
    this.demo = new Demo(defaultSite, { anchor: { atMs: overMs + STORM_BEFORE_MS, storm: PLACE } })
    this.writtenMs = fromMs
  }

  /** Writes the frames up to a moment that were not written yet. */
  write(folder: string, toMs: number): void {
    mkdirSync(folder, { recursive: true })
    for (const instant of this.demo.radarInstants('dpsri', this.writtenMs, toMs)) {
      const { name, bytes } = this.demo.radarFile('dpsri', instant)
      writeFileSync(join(folder, `.${name}.part`), bytes)
      renameSync(join(folder, `.${name}.part`), join(folder, name))
    }
    this.writtenMs = toMs
  }
}

/**
 * Has floods forecast for the catchment, and waits for a forecast of one, while frames come.
 * @returns what is read of it
 * @throws when none was made
 */
export async function floodPaths(program: Program, storm: Storm, catchment: string): Promise<string[]> {
  const base = `/api/ahead/${catchment}`
  const on = await program.call('manager', base, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enabled: true }),
  })
  if (!on.ok) throw new Error(`no flood is forecast: ${await on.text()}`)
  let isMade = false
  for (const end = Date.now() + CYCLE_MS; Date.now() < end; await sleep(1000)) {
    const { cycles } = aheadCyclesSchema.parse(await (await program.call('manager', `${base}/cycles`)).json())
    const issued = cycles.find(({ status, dry }) => status === 'done' && !dry)?.issued
    isMade ||= issued !== undefined
    // Frames come until there is one; what they began ends before answers are compared.
    if (!isMade) storm.write(join(program.dataDir, 'inbox'), Date.now())
    else if (cycles.every(({ status }) => status === 'done' || status === 'failed'))
      return [
        `${base}/cycle?issued=${issued}`,
        `${base}/network?issued=${issued}`,
        ...['cell&name=50', 'node&name=J-2', 'link&name=C-2'].map(
          (of) => `${base}/fan?issued=${issued}&kind=${of}`,
        ),
        ...[50, 200].map((above) => `${base}/chances?issued=${issued}&above=${above}`),
      ]
  }
  const answer = await program.call('manager', '/api/ahead')
  throw new Error(`no flood was forecast: ${JSON.stringify((await answer.json()) as AheadOverview)}`)
}
