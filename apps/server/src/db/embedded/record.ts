import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../../config/config-error.ts'

const recordSchema = z.object({
  /** Folder of the cluster: relative to the data folder, or absolute when it had to lie elsewhere. */
  clusterDir: z.string(),
  port: z.int(),
  password: z.string(),
})

/** What processes on one data folder must agree on to share its PostgreSQL: `postgres.json`, mode 600. */
export type ClusterRecord = z.infer<typeof recordSchema>

const FILE = 'postgres.json'

/** Reads the record of a data folder; null when it has none. */
export function readRecord(dataDir: string): ClusterRecord | null {
  const path = join(dataDir, FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw new ConfigError(
      'dataDir',
      `Le fichier ${path} ne peut pas être lu (${code}). Lancer RadX sous le compte auquel DATA_DIR appartient.`,
    )
  }
  const parsed = recordSchema.safeParse(JSON.parse(text || 'null'))
  if (!parsed.success)
    throw new ConfigError('dataDir', `Le fichier ${path} est abîmé. Le restaurer depuis une sauvegarde.`)
  return parsed.data
}

/**
 * Writes the first record of a data folder. Of two processes that try at once one wins;
 * both go on with the winner's.
 */
export function claimRecord(dataDir: string, clusterDir: string, port: number): ClusterRecord {
  const mine: ClusterRecord = { clusterDir, port, password: randomBytes(24).toString('base64url') }
  const partial = writePartial(dataDir, mine)
  try {
    // A hard link appears whole and never replaces.
    linkSync(partial, join(dataDir, FILE))
    return mine
  } catch (error) {
    const other = readRecord(dataDir)
    if (!other) throw error
    return other
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Replaces the record, as when its port was taken by another program. */
export function replaceRecord(dataDir: string, record: ClusterRecord): void {
  renameSync(writePartial(dataDir, record), join(dataDir, FILE))
}

function writePartial(dataDir: string, record: ClusterRecord): string {
  const partial = join(dataDir, `${FILE}.${process.pid}.${randomBytes(4).toString('hex')}`)
  writeFileSync(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return partial
}

/** Makes the data folder. @throws ConfigError when it cannot be made or written */
export function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(
      'dataDir',
      `Le dossier de données ${dataDir} ne peut pas être créé (${code}). DATA_DIR doit désigner un dossier où RadX peut écrire.`,
      { dataDir },
      cause,
    )
  }
}

/** A TCP port of the loopback interface that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
