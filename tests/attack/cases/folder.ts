import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AttackCase } from '../attack-case.ts'

/** Who reads the disk with another account. */
export const closedFolder: AttackCase = {
  name: 'disk: other accounts of the machine read nothing of the data folder',
  async run({ program }) {
    const { dataDir } = program
    const paths = readdirSync(dataDir, { withFileTypes: true, recursive: true }).map((entry) =>
      join(entry.parentPath, entry.name),
    )
    const open = [dataDir, ...paths].flatMap((path) => {
      const mode = modeOf(path)
      // Run by root, the account of PostgreSQL passes through the folder to its own.
      const most = path === dataDir ? 0o710 : 0o700
      return mode === null || (mode & ~most & 0o777) === 0 ? [] : [`${path} has mode ${mode.toString(8)}`]
    })
    return {
      load: `${paths.length} files and folders`,
      worstMs: null,
      outcome: `folder ${modeOf(dataDir)?.toString(8)}, nothing open`,
      wrong: open.slice(0, 5),
    }
  },
}

/** Rights of a file or folder; null for a link, and where it went meanwhile. */
function modeOf(path: string): number | null {
  try {
    const stat = lstatSync(path)
    return stat.isSymbolicLink() ? null : stat.mode & 0o777
  } catch {
    return null
  }
}
