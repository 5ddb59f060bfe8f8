import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Anchor } from '@radx/demo'
import { z } from 'zod'
import type { Deps } from '../http/app.ts'

const FILE = 'demo.json'

const fileSchema = z.object({ firstStart: z.iso.datetime({ offset: true }) })

/**
 * What the demonstration's weather is anchored to: its first start on this data folder, kept there in `demo.json`,
 * and the site's default catchment, over which its storm passes. A file that is damaged, or from a clock that has
 * been set back since, gives way to a new start.
 */
export async function demoAnchor({
  config,
  clock,
  site,
  catchments,
  log,
}: Pick<Deps, 'config' | 'clock' | 'site' | 'catchments' | 'log'>): Promise<Anchor> {
  const bounds = site.defaultCatchment === null ? undefined : catchments.get(site.defaultCatchment)?.bounds
  const storm = bounds
    ? { lat: (bounds.ul.lat + bounds.lr.lat) / 2, lng: (bounds.ul.lng + bounds.lr.lng) / 2 }
    : null
  const path = join(config.dataDir, FILE)
  const now = clock.now()
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const kept = text === null ? null : startIn(text)
  if (kept !== null && kept <= now) return { atMs: kept, storm }
  if (text !== null) log.warn(`Démonstration : ${path} est illisible ou dans le futur, sa météo repart d'ici`)
  // Whole minutes: what is written is what is used.
  const atMs = Math.floor(now / 60_000) * 60_000
  await mkdir(config.dataDir, { recursive: true })
  await writeFile(`${path}.part`, `${JSON.stringify({ firstStart: new Date(atMs).toISOString() })}\n`)
  await rename(`${path}.part`, path)
  return { atMs, storm }
}

function startIn(text: string): number | null {
  try {
    return Date.parse(fileSchema.parse(JSON.parse(text)).firstStart)
  } catch {
    return null
  }
}
