import { resolve } from 'node:path'
import { Demo, type DemoFile } from '@radx/demo'
import { loadSite } from '../../apps/server/src/config/site.ts'

/** Files of the demonstration's instruments for the latest minutes before `now`: none is missing, and it rains. */
export async function latestFiles(now: number, minutes: number): Promise<DemoFile[]> {
  const { site } = await loadSite(resolve(import.meta.dirname, '../../site'))
  const demo = new Demo(site, { anchor: { atMs: now, storm: null } })
  const from = now - minutes * 60_000
  return [
    ...site.products.flatMap(({ shortName }) =>
      demo.radarInstants(shortName, from, now).map((instant) => demo.radarFile(shortName, instant)),
    ),
    ...demo.stationStarts(from, now, 600_000).map((start) => demo.stationFile(start, 600_000)),
  ]
}
